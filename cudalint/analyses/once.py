"""What the code of a unit tells is found out once, however often it is asked for."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from cudalint.ir.unit import Unit

Part = TypeVar("Part")
Answer = TypeVar("Answer")


def once(ask: Callable[[Unit, Part], Answer]) -> Callable[[Unit, Part], Answer]:
    """Keep the answers for the parts of the unit that was asked about last, by identity: IR never changes."""
    last: list[Unit] = []
    known: dict[int, tuple[Part, Answer]] = {}

    @wraps(ask)
    def answer(unit: Unit, part: Part) -> Answer:
        if not last or last[0] is not unit:
            known.clear()
            last[:] = [unit]
        found = known.get(id(part))
        if found is None:
            found = known[id(part)] = part, ask(unit, part)
        return found[1]

    return answer
