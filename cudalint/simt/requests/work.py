"""What warps give the units of a multiprocessor to do, beside memory: counted in the source, statement by
statement as they are run, so that a warp that splits does the work of both arms.

The compiler's part that the count follows: a product and a sum become one operation, constants are worked
out, addresses are carried along, and a conversion to double is done once for each value of a variable.
"""

from collections.abc import Iterator

import numpy as np
from msgspec import Struct, field

from cudalint.analyses.instructions import instructions_of, is_constant, narrows
from cudalint.cuda.maths import floating
from cudalint.cuda.warp import WARP
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.walk import kept, walk
from cudalint.simt.values.lanes import Bools


class Work(Struct, frozen=True):
    """Instructions of one statement's own expressions: all of them; those in double precision; those for the
    unit of special functions; conversions between float and double. widened: variables, by number, whose
    value is converted to double; written: those that get another value.
    """

    all: float = 0
    double: float = 0
    special: float = 0
    conversions: float = 0
    widened: frozenset[int] = frozenset()
    written: frozenset[int] = frozenset()


class Effort(Struct):
    """The work of all warps of a run, in instructions of a warp."""

    all: float = 0.0
    double: float = 0.0
    special: float = 0.0
    conversions: float = 0.0
    unknown: bool = False  # something was called whose work nobody knows
    known: dict[int, Work | None] = field(default_factory=dict)  # by identity of the statement
    held: set[int] = field(default_factory=set)  # variables whose value stands in a register in double

    def spend(self, node: s.Statement, mask: Bools) -> None:
        """Count a statement that these lanes run."""
        key = id(node)
        if key not in self.known:
            self.known[key] = work(node)
        mine = self.known[key]
        if mine is None:
            self.unknown = True
            return
        if not mine.all:
            return
        warps = int(np.count_nonzero(mask.reshape(-1, WARP).any(axis=1)))
        converted = mine.conversions + len(mine.widened - self.held)
        self.held |= mine.widened
        self.held -= mine.written
        self.all += warps * (mine.all + converted)
        self.double += warps * mine.double
        self.special += warps * mine.special
        self.conversions += warps * converted


@kept
def work(node: s.Statement) -> Work | None:
    """That of the expressions that the statement itself evaluates; None where a part is not known."""
    roots = tuple(_own(node))
    parts = [part for root in roots for part in walk(root)]
    places = {id(part) for one in parts if type(one) is e.Index for part in walk(one.index)}
    counted = [instructions_of(part) for part in parts if id(part) not in places]
    if any(one is None for one in counted):
        return None
    known = [one for one in counted if one is not None]
    casts = [part for part in parts if isinstance(part, e.Cast) and _converts(part)]
    named = {c.operand.variable.id for c in casts if isinstance(c.operand, e.VariableReference)}
    written = {
        part.target.variable.id
        for part in parts
        if isinstance(part, e.Assign) and isinstance(part.target, e.VariableReference)
    }
    others = sum(1 for cast in casts if not isinstance(cast.operand, e.VariableReference))
    updated = sum(1 for part in parts if isinstance(part, e.Assign) and narrows(part))
    if isinstance(node, s.Declare):
        written.add(node.variable.id)
    return Work(
        sum(one.all for one in known),
        sum(one.double for one in known),
        sum(one.special for one in known),
        others + updated,
        frozenset(named),
        frozenset(written),
    )


def _own(node: s.Statement) -> Iterator[e.Expression]:
    match node:
        case s.Declare(initial=value) | s.Return(value=value):
            if value is not None:
                yield value
        case s.Evaluate(expression=expression):
            yield expression
        case s.If(condition=condition) | s.Switch(subject=condition):
            yield condition


def _converts(node: e.Cast) -> bool:
    """Whether a number that is not a constant changes between float and double."""
    one, other = node.operand.type, node.type
    return floating(one) and floating(other) and one.bytes != other.bytes and not is_constant(node.operand)
