"""Members that say how much of an array beside them is used: `for (i = 0; i < rows.dims; ++i) rows.sizes[i]`
of `int sizes[8]` has no more than eight dimensions.
"""

from collections.abc import Iterator

from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.once import once
from cudalint.analyses.trip_counts import first_of, step_of, uncast, variable_of
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Array, Record
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find

Member = tuple[str, int]  # the name of a record and the offset of a member


@once
def array_lengths(unit: Unit, function: Function) -> dict[Member, int]:
    """The most that integer members can be, as the kernel and what it calls step through arrays by them."""
    found: dict[Member, int] = {}
    for one in reachable(unit, function):
        for loop in find(one.body, s.Loop) if one.body is not None else ():
            for member, most in _told(loop):
                found[member] = min(found.get(member, most), most)
    return found


def _told(loop: s.Loop) -> Iterator[tuple[Member, int]]:
    step = step_of(loop.step)
    if step is None or not isinstance(loop.condition, e.Binary):
        return
    counter = step[0]
    first = first_of(loop)
    ends = [loop.condition.left, loop.condition.right]
    if first is not None and first[0] == counter:
        ends.append(first[1])
    extents = [
        node.base.type.count
        for node in find(loop.body, e.Index)
        if variable_of(node.index) == counter and isinstance(node.base.type, Array) and node.base.type.count
    ]
    if extents:
        for end in ends:
            yield from ((member, min(extents)) for member in _members(end))


def _members(node: e.Expression) -> Iterator[Member]:
    """The members that an end may be, or is but for a constant."""
    match uncast(node):
        case e.Binary(operator="+" | "-", left=left, right=right) if isinstance(uncast(right), e.Literal):
            yield from _members(left)
        case e.Conditional(then=then, otherwise=otherwise):
            yield from _members(then)
            yield from _members(otherwise)
        case e.Member(base=base, offset=offset) if isinstance(base.type, Record):
            yield base.type.name, offset
