"""Waits of the host, in every iteration of a loop, that only keep work of one stream behind another's."""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.host.facts import HostCall, HostFacts, Rounds
from cudalint.host.query.needless_waits import first_waits, host_is_busy, is_timed
from cudalint.host.walks import QUEUED, footprint, round_of

_BESIDE = ("launch", "memset", "copy", "event-record", "event-wait", "host-work")


class OrderingWait(Struct, frozen=True):
    """A wait, the last work that it waits for, and the work of another stream that is queued after it."""

    call: HostCall
    work: HostCall
    behind: HostCall
    loop: Rounds


def ordering_waits(host: HostFacts) -> Iterator[OrderingWait]:
    """The first wait of each loop, where the host neither fetched anything before it nor touches memory of
    CUDA's in the loop: an event that the other stream waits for does the same.
    """
    for calls, index, loop in first_waits(host):
        call = calls[index]
        before, after = round_of(calls, index)
        plain = all(_is_beside(other, loop) for other in (*before, *after))
        if not plain or call.captured or call.conditions != loop.conditions:
            continue
        queued = [one for one in before if one.kind in QUEUED]
        fetched = any(one.kind == "copy" and one.direction != "HtoD" for one in queued)
        if fetched or not is_timed(calls, call, host) or host_is_busy([*before, call, *after], loop, host):
            continue
        behind = _behind(queued, [one for one in after if one.kind in QUEUED])
        if behind is not None:
            yield OrderingWait(call, *behind, loop)


def _is_beside(other: HostCall, loop: Rounds) -> bool:
    """Whether a call of the iteration is made in each, and neither waits nor may."""
    plain = other.kind in _BESIDE and not other.blocking and not other.unseen
    return plain and other.conditions == loop.conditions and "unknown" not in other.stream


def _behind(before: list[HostCall], after: list[HostCall]) -> tuple[HostCall, HostCall] | None:
    """The last work before the wait and the first after it, if they are of two streams and use a buffer in
    common.
    """
    if not before or not after or before[-1].stream == after[0].stream:
        return None
    one, other = footprint(before[-1]), footprint(after[0])
    return (before[-1], after[0]) if one and other and one & other else None
