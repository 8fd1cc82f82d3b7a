"""What several launches of one kernel pass, put together: what they agree on, their numbers side by side."""

import math
from collections.abc import Iterable, Sequence
from itertools import count

from msgspec.structs import replace

from cudalint.host.facts import Argument, Buffer, LaunchFact

MOST_LAUNCHES = 4  # launches whose numbers are tried side by side: one a valuation

Row = tuple[Argument, ...]


def together(group: Sequence[LaunchFact]) -> Row | None:
    """One argument a parameter that holds for every launch of the group; None when nothing is known."""
    rows = [launch.arguments for launch in group]
    known = list(dict.fromkeys(row for row in rows if row is not None))
    if not known or None in rows or len({len(row) for row in known}) != 1:
        return None
    if len(known) == 1:
        return known[0]
    return _rows(known, _Buffers())


class _Buffers:
    """Stand-ins for buffers that differ between launches: the same one where every launch passes the same."""

    def __init__(self) -> None:
        self._numbers = count(-1, -1)
        self._made: dict[tuple[int, ...], Buffer] = {}

    def of(self, column: Sequence[Buffer]) -> Buffer:
        """The buffer that a parameter has in each launch, as one."""
        first = column[0]
        key = tuple(buffer.id for buffer in column)
        if len(set(key)) == 1:
            return first
        if key not in self._made:
            same = len({buffer.bytes for buffer in column}) == 1
            alike = len({buffer.space for buffer in column}) == 1
            self._made[key] = Buffer(
                next(self._numbers),
                first.space if alike else "unknown",
                first.bytes if same else None,
                first.name,
                first.span if len({buffer.span for buffer in column}) == 1 else None,
            )
        return self._made[key]


def _rows(rows: Sequence[Row], buffers: _Buffers) -> Row:
    tried = _tried(rows)
    return tuple(_column(column, tried, buffers) for column in zip(*rows, strict=True))


def _tried(rows: Sequence[Row]) -> tuple[int, ...]:
    """The launches whose numbers are tried: all, or some from the first to the last."""
    found: dict[object, int] = {}
    for number, row in enumerate(rows):
        found.setdefault(tuple(_numbers(row)), number)
    places = list(found.values())
    if len(places) <= MOST_LAUNCHES:
        return tuple(places)
    last = len(places) - 1
    return tuple(places[i * last // (MOST_LAUNCHES - 1)] for i in range(MOST_LAUNCHES))


def _numbers(row: Iterable[Argument]) -> Iterable[object]:
    for argument in row:
        yield argument.value
        yield tuple(_numbers(field for _, field in argument.fields))


def _column(column: Sequence[Argument], tried: tuple[int, ...], buffers: _Buffers) -> Argument:
    """One parameter, as every launch has it."""
    first = column[0]
    if all(replace(a, expression="") == replace(first, expression="") for a in column):
        return first
    if any(a.fields for a in column):
        return Argument(fields=_fields(column, tried, buffers), expression=first.expression)
    passed = [a.buffer for a in column if a.buffer is not None]
    if passed:
        return _pointer(column, passed, buffers)
    if any(a.value is None for a in column):
        return Argument(multiple_of=_divisor(_step(a) for a in column), expression=first.expression)
    values = tuple(column[number].value for number in tried)
    return Argument(
        multiple_of=_divisor(_step(a) for a in column),
        expression=first.expression,
        values=tuple(value for value in values if value is not None),
    )


def _fields(
    column: Sequence[Argument], tried: tuple[int, ...], buffers: _Buffers
) -> tuple[tuple[int, Argument], ...]:
    """The members of a struct that every launch knows something of."""
    rows = [dict(a.fields) for a in column]
    offsets = [at for at in rows[0] if all(at in row for row in rows)]
    return tuple((at, _column([row[at] for row in rows], tried, buffers)) for at in offsets)


def _pointer(column: Sequence[Argument], passed: Sequence[Buffer], buffers: _Buffers) -> Argument:
    """A pointer that differs: into one memory of its own, as far from its start as every launch says."""
    first = column[0]
    offsets = {a.offset for a in column}
    if len(passed) < len(column):  # a null, or a pointer that nobody knows: it may lie as the others do
        apart = math.gcd(*(_offset_step(a) for a in column if a.buffer is not None))
        return Argument(multiple_of=apart or None, expression=first.expression)
    buffer = buffers.of(passed)
    if len(offsets) == 1 and first.offset is not None:
        return Argument(buffer=buffer, offset=first.offset, expression=first.expression)
    step = _divisor(_offset_step(a) for a in column)
    return Argument(buffer=buffer, multiple_of=step, expression=first.expression)


def _offset_step(argument: Argument) -> int:
    return argument.offset if argument.offset is not None else argument.multiple_of or 1


def _step(argument: Argument) -> int:
    """What divides an integer argument; 1 for what is none."""
    if isinstance(argument.value, int) and not isinstance(argument.value, bool):
        return argument.value
    return 1 if argument.value is not None else argument.multiple_of or 1


def _divisor(steps: Iterable[int]) -> int | None:
    found = math.gcd(*steps)
    return found if found > 1 else None
