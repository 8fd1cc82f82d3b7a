"""A launch whose grid is rounded up from numbers that nobody knows, with small numbers for them: a few
blocks, of which the last one is not full.
"""

from collections.abc import Hashable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from cudalint.analyses.definitions import Definitions, place
from cudalint.analyses.remainders import is_looked_after
from cudalint.host.facts import Argument, LaunchFact
from cudalint.host.rounding import Quotient, quotients
from cudalint.ir import expressions as e
from cudalint.ir.layout import leaves, part_name
from cudalint.ir.types import Record
from cudalint.ir.unit import Function
from cudalint.ir.walk import find

_PRIMES = (23, 29, 37, 31, 41, 43)  # for factors and terms
_TRIES = len(_PRIMES)
_FULL_BLOCKS = 2  # of an extent that is one number, before the last one
_BLOCKS = 2  # of an extent that is not computed from such numbers

Block = tuple[int, int, int]
Place = tuple[Hashable, tuple[str, ...]]  # a variable, by its id, and the members read of it


class ChosenLaunch(Struct, frozen=True):
    """counts: the numbers that the extents of the grid are rounded up from, with their values; each leaves
    the last block some threads, and neither one nor all but one. given_block: the launch does not tell the
    block.
    """

    launch: LaunchFact
    counts: tuple[tuple[Quotient, int], ...]
    given_block: bool = False


def with_chosen_sizes(
    launch: LaunchFact, known: Definitions, kernel: Function, block: Block | None = None
) -> ChosenLaunch | None:
    """The launch with numbers for the sizes of its grid; None where no extent is such a quotient, or the host
    code looks after the remainder. block: the extents where the launch does not tell them.
    """
    extents = tuple(launch.block[at] or (block[at] if block else None) for at in range(3))
    found = [
        replace(one, per=one.per or extents[one.axis])
        for one in quotients(launch, known)
        if one.direction == "up" and launch.grid[one.axis] is None and extents[one.axis] is not None
    ]
    if not found or None in extents or launch.arguments is None:
        return None
    given, launch = None in launch.block, replace(launch, block=extents)
    if any(_is_looked_after(one, known) for one in found):
        return None
    for turn in range(_TRIES):
        chosen = _chosen(found, known, turn)
        values = [(one, _value(one.count, known, chosen)) for one in found]
        counts = tuple((one, count) for one, count in values if count is not None and _is_ragged(one, count))
        if len(counts) == len(found):
            return ChosenLaunch(_with(launch, counts, known, chosen, kernel), counts, given)
    return None


def _is_ragged(quotient: Quotient, count: int) -> bool:
    assert quotient.per is not None
    return 1 < count % quotient.per < quotient.per - 1


def _is_looked_after(quotient: Quotient, known: Definitions) -> bool:
    read = find(quotient.count, e.VariableReference)
    return any(is_looked_after(node.variable, known.function, quotient.asks) for node in read)


def _chosen(found: list[Quotient], known: Definitions, turn: int) -> dict[Place, int]:
    """A number for each variable that the counts are computed from."""
    places = dict.fromkeys(place for one in found for place in _places(one.count, known))
    chosen = {place: _PRIMES[(number + turn) % _TRIES] for number, place in enumerate(places)}
    for one in found:
        divisor = _steady(known.resolve(one.division.right), known)
        if divisor is not None and one.per is not None:
            chosen[divisor] = one.per
    for one in found:
        alone = _steady(known.resolve(one.count), known)
        if alone is not None and one.per is not None:
            chosen[alone] = _FULL_BLOCKS * one.per + one.per // 2 + 1 + one.axis + turn
    return chosen


def _places(node: e.Expression, known: Definitions) -> Iterator[Place]:
    found = known.resolve(node)
    if isinstance(found, e.Binary):
        yield from _places(found.left, known)
        yield from _places(found.right, known)
    elif isinstance(found, e.Cast):
        yield from _places(found.operand, known)
    elif (own := _steady(found, known)) is not None:
        yield own


def _steady(node: e.Expression, known: Definitions) -> Place | None:
    """The place that the expression reads, if the function sets it once at most."""
    read = place(node)
    if read is None:
        return None
    variable, members = read
    values = known.values.get(variable.id, [])
    most = 0 if variable.storage == "parameter" else 1
    if variable.id in known.changed or len(values) > most:
        return None
    return variable.id, members


def _value(node: e.Expression, known: Definitions, chosen: dict[Place, int]) -> int | None:
    """The number of an expression with the chosen ones; None for other arithmetic than sums and products."""
    number = known.constant(node)
    if number is not None:
        return number
    found = known.resolve(node)
    match found:
        case e.Cast(operand=operand):
            return _value(operand, known, chosen)
        case e.Binary(operator="+" | "-" | "*" as operator, left=left, right=right):
            a, b = _value(left, known, chosen), _value(right, known, chosen)
            if a is None or b is None:
                return None
            return a + b if operator == "+" else a - b if operator == "-" else a * b
    own = _steady(found, known)
    return None if own is None else chosen.get(own)


def _with(
    launch: LaunchFact,
    counts: tuple[tuple[Quotient, int], ...],
    known: Definitions,
    chosen: dict[Place, int],
    kernel: Function,
) -> LaunchFact:
    extents = {one.axis: -(-count // (one.per or 1)) for one, count in counts}
    grid = tuple(
        _BLOCKS if extent is None and axis not in extents else extents.get(axis, extent)
        for axis, extent in enumerate(launch.grid)
    )
    arguments = tuple(
        _passed(argument, expression, parameter, known, chosen)
        for argument, expression, parameter in zip(
            launch.arguments or (), launch.expression.arguments or (), kernel.parameters, strict=False
        )
    )
    return replace(launch, grid=grid, arguments=arguments)


def _passed(
    argument: Argument,
    expression: e.Expression,
    parameter: e.Variable,
    known: Definitions,
    chosen: dict[Place, int],
) -> Argument:
    """The argument, with the number that it has then: itself, or those of its members."""
    if isinstance(parameter.type, Record):
        whole = _steady(known.resolve(expression), known)
        return argument if whole is None else _with_members(argument, parameter.type, whole, known, chosen)
    if argument.value is not None:
        return argument
    value = _value(expression, known, chosen)
    return argument if value is None else replace(argument, value=value)


def _with_members(
    argument: Argument, kind: Record, whole: Place, known: Definitions, chosen: dict[Place, int]
) -> Argument:
    fields = dict(argument.fields)
    for at, _ in leaves(known.unit, kind):
        members = tuple(part_name(known.unit, kind, at).lstrip(".").split("."))
        value = chosen.get((whole[0], (*whole[1], *members)))
        if value is not None:
            fields[at] = Argument(value=value)
    return replace(argument, fields=tuple(sorted(fields.items(), key=lambda item: item[0])))
