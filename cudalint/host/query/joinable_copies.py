"""Copies of a loop that move neighbouring pieces from one buffer to another: one copy could replace them."""

from itertools import pairwise

from cudalint.host.facts import HostCall, Place, Rounds
from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.ir.render import render
from cudalint.ir.walk import walk

_WORKS = ("launch", "library", "other", "synchronise", "memset")
LEAST = 3  # copies that show a distance
_SIMPLE = (e.Literal, e.VariableReference, e.Cast, e.Unary, e.Binary, e.Member, e.AddressOf)


def are_one(copies: list[HostCall], loop: Rounds) -> bool:
    """Whether copies of one call and loop move neighbouring pieces of one buffer to another."""
    first = copies[0]
    if any(_ends(c) != _ends(first) or (c.bytes, c.sample) != (first.bytes, first.sample) for c in copies):
        return False
    sources, targets = [c.source_place for c in copies], [c.destination_place for c in copies]
    if all(_strides(places, size_of(first)) for places in (sources, targets)):
        return True
    known = first.bytes is not None and all(_advances(places, first.bytes) for places in (sources, targets))
    return known and _is_linear(first, loop)


def are_mirrored(copies: list[HostCall]) -> bool:
    """Whether copies of one call keep two buffers of one size alike: each moves a piece to where it is in the
    other one, by a number that comes from nobody knows where.
    """
    first = copies[0]
    if any((_ends(c), c.bytes) != (_ends(first), first.bytes) for c in copies):
        return False
    pairs = [(c.source_place, c.destination_place) for c in copies]
    at = [source.near for source, target in pairs if source is not None and source == target]
    if _follow(copies, at):
        return True
    known = [near for near in at if near is not None]
    told = len(set(known)) == len(copies) or _are_listed(copies, at)
    return len(copies) >= LEAST and told and _are_alike(first)


def _follow(copies: list[HostCall], at: list[int | None]) -> bool:
    """Whether pieces of several sizes, each at the same place in both buffers, follow one another."""
    sizes = [copy.sample for copy in copies]
    if len(at) < len(copies) or len(set(sizes)) < LEAST - 1 or not _is_one_offset(copies[0]):
        return False
    pieces = pairwise(zip(at, sizes, strict=True))
    return all(a is not None and size and a + size == b for (a, size), (b, _) in pieces)


def _are_listed(copies: list[HostCall], at: list[int | None]) -> bool:
    """Whether a list that nobody knows gives each piece its place, written once for both buffers, and its
    size.
    """
    forms = {copy.form for copy in copies}
    return len(at) == len(forms) == len(copies) and None not in forms and _is_one_offset(copies[0])


def _is_one_offset(call: HostCall) -> bool:
    """Whether both pointers are written with the same number of elements from the start."""
    if not isinstance(call.expression, e.Call):
        return False
    to, source = (_offset(argument) for argument in call.expression.arguments[:2])
    return to is not None and source is not None and render(to) == render(source)


def _offset(node: e.Expression) -> e.Expression | None:
    """What is added to a buffer's pointer, in elements."""
    while isinstance(node, e.Cast):
        node = node.operand
    match node:
        case e.Binary(operator="+", left=left, right=right):
            return right if isinstance(left.type, t.Pointer | t.Array) else left
        case e.AddressOf(operand=e.Index(index=index)):
            return index
        case e.AddressOf(operand=e.Call(name="operator[]", arguments=(index,))):
            return index
    return None


def _are_alike(call: HostCall) -> bool:
    """Whether both buffers of a copy have one size."""
    assert call.source is not None and call.destination is not None
    sizes = [(b.bytes, b.form) for b in (call.source, call.destination)]
    return sizes[0] == sizes[1] != (None, None)


def size_of(call: HostCall) -> int:
    """Bytes of a copy, or of its sample."""
    return call.bytes if call.bytes is not None else call.sample or 1


def _strides(places: list[Place | None], size: int) -> bool:
    """Whether places that a loop computes move on by one distance that is no less than the size."""
    at = [place.offset if place.offset is not None else place.near for place in places if place is not None]
    known = [offset for offset in at if offset is not None]
    if len(known) < max(len(places), LEAST):
        return False
    steps = {b - a for a, b in pairwise(known)}
    return len(steps) == 1 and steps.pop() >= size


def _ends(call: HostCall) -> tuple[int, int]:
    assert call.source is not None and call.destination is not None
    return call.source.id, call.destination.id


def _advances(places: list[Place | None], size: int) -> bool:
    """Whether places move on by one distance that is no less than the size."""
    known = [place.offset for place in places if place is not None and place.offset is not None]
    if len(known) > 1:
        steps = {b - a for a, b in pairwise(known)}
        return len(steps) == 1 and steps.pop() >= size
    return all(place is not None and place.offset is None and place.step >= size for place in places)


def _is_linear(call: HostCall, loop: Rounds) -> bool:
    """Whether both pointers are plain arithmetic, written in the loop: no table of places, no call."""
    if not isinstance(call.expression, e.Call):
        return False
    span = call.expression.span
    if span.path != loop.span.path or not loop.span.line <= span.line <= loop.span.end_line:
        return False
    return all(_is_plain(argument) for argument in call.expression.arguments[:2])


def _is_plain(node: e.Expression) -> bool:
    while isinstance(node, (e.Cast, e.AddressOf)):
        node = node.operand
    return all(isinstance(n, _SIMPLE) for part in _parts(node) for n in walk(part))


def _parts(node: e.Expression) -> tuple[e.Expression, ...]:
    """What an element is found by: a pointer or a vector, and the index."""
    match node:
        case e.Index(base=base, index=index):
            return base, index
        case e.Call(name="operator[]", receiver=receiver, arguments=(index,)) if receiver is not None:
            return receiver, index
    return (node,)


def is_worked_on(calls: tuple[HostCall, ...], copy: HostCall) -> bool:
    """Whether the loop launches kernels, or runs code that may: the pieces may be needed one by one."""
    inside = (other for other in calls if other.loops[: copy.loop] == copy.loops)
    return any(other.unseen or other.kind in _WORKS for other in inside)
