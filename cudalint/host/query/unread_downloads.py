"""Copies to the host that a loop repeats though nothing looks at what they fetch before the next one does."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from cudalint.host.facts import HostCall, HostFacts, Rounds, Use
from cudalint.host.walks import holds, rounds_by_id, uses, walks
from cudalint.source.span import Span

_LEAST = 2  # copies that show that the next one goes to the same place


class UnreadDownload(Struct, frozen=True):
    """The first such copy of a loop. The host looks at what the last one fetched, after the loop."""

    call: HostCall
    loop: Rounds


def unread_downloads(host: HostFacts) -> Iterator[UnreadDownload]:
    """Where every copy of the loop goes to one place, and the loop runs no code that cannot be seen. What a
    helper fetches does not count: it is for whoever calls the helper.
    """
    rounds = rounds_by_id(host)
    for calls in walks(host):
        found: dict[tuple[Span, tuple[Span, ...], tuple[int, ...]], list[HostCall]] = {}
        for call in calls:
            loop = rounds.get(call.loop_id)
            own = loop is not None and holds(loop.span, call.span)
            if own and call.kind == "copy" and call.direction == "DtoH":
                found.setdefault((call.span, call.came_by, call.loops), []).append(call)
        for copies in found.values():
            loop = rounds[copies[0].loop_id]
            inside = [other for other in calls if other.loops[: copies[0].loop] == copies[0].loops]
            if _are_unread(copies, loop) and _is_left_alone(copies[0], inside, host.uses):
                yield UnreadDownload(copies[0], loop)


def _are_unread(copies: Sequence[HostCall], loop: Rounds) -> bool:
    """Whether copies fetch the same number of bytes into one place, which is read behind the loop alone."""
    first = copies[0]
    ends = {(c.destination, c.destination_place, c.bytes, c.sample, c.form) for c in copies}
    place = first.destination_place
    if len(copies) < _LEAST or len(ends) > 1 or place is None or place.offset is None:
        return False
    every = all(c.conditions == loop.conditions and not c.captured for c in copies)
    return every and all(c.read_at is not None and c.read_in[: c.loop] != c.loops for c in copies)


def _is_left_alone(call: HostCall, inside: Sequence[HostCall], used: Sequence[Use]) -> bool:
    """Whether nothing else in the loop may touch what is fetched, and something is launched there."""
    held = call.destination
    if held is None or not any(other.kind == "launch" for other in inside):
        return False
    for other in inside:
        moves = other.kind in ("copy", "launch", "memset", "host-work") and other.span != call.span
        if other.unseen or (moves and other.kind != "host-work" and uses(other, held)):
            return False
        if moves and held in (other.source, other.destination):
            return False
    return not any(
        use.buffer == held.id and use.function == call.function and use.loops[: call.loop] == call.loops
        for use in used
    )
