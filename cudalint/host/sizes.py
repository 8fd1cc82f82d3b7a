"""Numbers that are tried for what the command line or a caller chooses: primes, so that none is a multiple of
a block or of another one, or powers of two where the program refuses those (`n % 4 != 0`). The largest comes
first, as sizes mostly do, before counts of what is in them.
"""

import re
from collections.abc import Hashable

from msgspec import Struct, field

from cudalint.ir import expressions as e
from cudalint.ir.types import Scalar
from cudalint.ir.unit import Function
from cudalint.ir.walk import walk

READ_IN = frozenset("atoi atol atoll strtol strtoul strtoll strtoull stoi stol stoul stoull".split())
_WHOLE, _FLOAT = re.compile(r"\s*([+-]?\d+)"), re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)")
PRIMES = (1201, 337, 113, 37, 31, 29, 23, 19, 17, 13, 11, 7)  # products of four fit 32 bits
RISING = (37, 113, 337, 1201, 7, 11, 13, 17, 19, 23, 29, 31)  # where the last one is a distance between rows
ROUND = (1024, 256, 64, 32, 512, 128, 16, 8, 4)  # likewise


class Sizes(Struct):
    """The numbers handed out, by who asked."""

    numbers: tuple[int, ...]
    given: dict[Hashable, int] = field(default_factory=dict)

    def of(self, asking: Hashable) -> int:
        return self.given.setdefault(asking, self.numbers[len(self.given) % len(self.numbers)])

    def arguments(self, function: Function) -> tuple[int | None, ...]:
        """For the parameters of an entry point that are integers."""
        return tuple(
            self.of(p.id) if isinstance(p.type, Scalar) and _is_number(p.type) else None
            for p in function.parameters
        )


def read_in(word: str, whole: bool) -> int | float:
    """The number that C reads at the start of a word: decimal, 0 where there is none."""
    found = (_WHOLE if whole else _FLOAT).match(word)
    if found is None:
        return 0
    return int(found[1]) if whole else float(found[1])


def _is_number(type_: Scalar) -> bool:
    return type_.kind in ("signed", "unsigned") and type_.bytes >= 4


def full_words(main: Function) -> int | None:
    """argc where the program is given all words that it compares it with; None where it does not look."""
    count = main.parameters[0] if main.parameters else None
    found = []
    for node in walk(main.body) if main.body is not None and count is not None else ():
        if not isinstance(node, e.Binary) or not isinstance(node.left, e.VariableReference):
            continue
        if node.left.variable != count or not isinstance(node.right, e.Literal):
            continue
        if isinstance(node.right.value, int):
            found.append(node.right.value + (node.operator in (">", "<=")))
    return max(found, default=None)
