"""Loops that do nothing but launch kernels: what the host spends on launching is all that it does there."""

from collections.abc import Iterator
from itertools import groupby

from msgspec import Struct

from cudalint.host.facts import Argument, HostCall, HostFacts, Rounds
from cudalint.host.timing import measured
from cudalint.host.walks import rounds_by_id, walks

_QUEUED = ("launch", "memset")


class LaunchingLoop(Struct, frozen=True):
    """A loop whose calls are launches that the host need not decide on, with those of one iteration. chained:
    it was seen to go on, and all iterations queue on one stream.
    """

    loop: Rounds
    launches: tuple[HostCall, ...]
    chained: bool


def launching_loops(host: HostFacts, least: float) -> Iterator[LaunchingLoop]:
    """Each such loop of at least so many iterations."""
    rounds = rounds_by_id(host)
    for calls in walks(host):
        for number in dict.fromkeys(call.loop_id for call in calls if call.kind == "launch"):
            loop = rounds.get(number)
            inside = [call for call in calls if number in call.loops]
            if loop is None or (loop.count is not None and loop.count < least):
                continue
            if all(_goes_on(call, loop) for call in inside) and not _is_touched(host, inside):
                iterations = [list(run) for _, run in groupby(inside, key=lambda call: call.iteration)]
                if not _is_repeat(calls, iterations, host):
                    launches = tuple(call for call in iterations[0] if call.kind == "launch")
                    chained = (
                        len(iterations) > 1 and len({call.stream for call in inside if call.stream}) == 1
                    )
                    yield LaunchingLoop(loop, launches, chained)


def _goes_on(call: HostCall, loop: Rounds) -> bool:
    """Whether a call of the loop itself queues work, or the host does something short."""
    if call.kind == "host-work":
        return not call.unseen and call.name != "loop"
    own = call.loop_id == loop.loop_id and call.conditions == loop.conditions
    return own and call.kind in _QUEUED and not call.captured and not call.blocking


def _is_touched(host: HostFacts, inside: list[HostCall]) -> bool:
    """Whether the host accesses memory of the device between the calls."""
    first, last = inside[0], inside[-1]
    return any(
        access.function == first.function and first.order < access.order <= last.order
        for access in host.accesses
    )


def _is_repeat(calls: tuple[HostCall, ...], iterations: list[list[HostCall]], host: HostFacts) -> bool:
    """Whether a loop repeats just the same launches to measure them, or to warm up for that."""
    told = [[(call.span, _plain(call)) for call in one if call.kind == "launch"] for one in iterations]
    same = all(one == told[0] for one in told)
    first, last = iterations[0][0].order, iterations[-1][-1].order
    if not same:
        return False
    parts = measured(calls, host.intervals)
    whole = any(start <= first and last < stop for start, stop in parts)
    each = any(first <= start < stop <= last + 1 for start, stop in parts)
    timed = {c.name for c in calls if c.kind == "launch" and any(a <= c.order < b for a, b in parts)}
    return whole or each or all(call.name in timed for call in iterations[0] if call.kind == "launch")


def _plain(call: HostCall) -> tuple[Argument, ...] | None:
    return call.launch.arguments if call.launch is not None else None
