"""Elements that the iterations of a loop touch side by side: in a loop over i, `p[i * 7 + 5]` is never
`p[i * 7 + 6]` of another iteration. nvcc 13 loads ahead of such stores where i moves by a constant (SASS).
"""

from collections.abc import Iterator

from msgspec import Struct, field

from cudalint.analyses.definitions import Definitions
from cudalint.analyses.trip_counts import step_of, uncast
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.walk import find


class _Place(Struct):
    """The element number `offset` from where the `others` lead, and `scale` elements further for each step of
    the counter.
    """

    scale: int = 0
    offset: int = 0
    others: list[str] = field(default_factory=list)


def never_meet(
    one: e.Expression, other: e.Expression, loop: s.Loop, moving: set[int], own: Definitions
) -> bool:
    """Whether what an iteration touches at one place is surely not what any touches at the other. moving: the
    variables that an iteration changes.
    """
    step = step_of(loop.step)
    if step is None or one.type.bytes != other.type.bytes:
        return False
    by = uncast(step[2])
    first, second = (_place(node, step[0], moving, own) for node in (one, other))
    if first is None or second is None or not isinstance(by, e.Literal) or not isinstance(by.value, int):
        return False
    apart = first.scale * by.value
    alike = first.scale == second.scale and sorted(first.others) == sorted(second.others)
    return alike and apart != 0 and (first.offset - second.offset) % apart != 0


def _place(node: e.Expression, counter: e.Variable, moving: set[int], own: Definitions) -> _Place | None:
    if not isinstance(node, e.Index):
        return None
    place = _Place()
    for part in (*_terms(node.base, own), *_terms(node.index, own)):
        scaled, whole = _scaled(part)
        if isinstance(part, e.Literal) and isinstance(part.value, int):
            place.offset += part.value
        elif isinstance(scaled, e.VariableReference) and scaled.variable == counter:
            place.scale += whole
        elif any(n.variable.id in moving for n in find(part, e.VariableReference)):
            return None
        else:
            place.others.append(render(part))
    return place


def _terms(node: e.Expression, own: Definitions) -> Iterator[e.Expression]:
    """What is added up, behind variables that stand for a sum."""
    bare = uncast(node)
    made = own.only(bare.variable) if isinstance(bare, e.VariableReference) else None
    if made is not None:
        yield from _terms(made, own)
    elif isinstance(bare, e.Binary) and bare.operator == "+":
        yield from _terms(bare.left, own)
        yield from _terms(bare.right, own)
    else:
        yield bare


def _scaled(node: e.Expression) -> tuple[e.Expression, int]:
    """A term as an expression times a number."""
    if isinstance(node, e.Binary) and node.operator == "*":
        for whole, rest in ((node.left, node.right), (node.right, node.left)):
            factor = uncast(whole)
            if isinstance(factor, e.Literal) and isinstance(factor.value, int):
                return uncast(rest), factor.value
    return node, 1
