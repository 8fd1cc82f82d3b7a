"""Loops that do nothing but launch kernels: what the host spends on launching is all that it does there."""

from collections.abc import Iterator
from itertools import groupby
from math import prod

from msgspec import Struct
from msgspec.structs import replace

from cudalint.host.facts import Argument, HostCall, HostFacts, Rounds
from cudalint.host.timing import measured
from cudalint.host.walks import rounds_by_id, walks
from cudalint.source.span import Span

_QUEUED = ("launch", "memset")


class LaunchingLoop(Struct, frozen=True):
    """A loop whose calls are launches that the host need not decide on, with those of one iteration. inner:
    loops in it that make them, where it is a nest; its count is of all of them together. chained: it was seen
    to go on, and all iterations queue on one stream.
    """

    loop: Rounds
    launches: tuple[HostCall, ...]
    chained: bool
    inner: tuple[Rounds, ...] = ()


def launching_loops(host: HostFacts, least: float) -> Iterator[LaunchingLoop]:
    """Each such loop of at least so many iterations; of a nest, the innermost loops that have as many."""
    rounds = rounds_by_id(host)
    for calls in walks(host):
        nests = [_nest(call, rounds, least) for call in calls if call.kind == "launch"]
        for nest in {(nest[0].loop_id, _spans(nest)): nest for nest in nests if nest}.values():
            loop, *inner = nest
            inside = [call for call in calls if loop.loop_id in call.loops]
            if not all(_goes_on(call, nest, rounds) for call in inside) or _is_touched(host, inside):
                continue
            depth = inside[0].loops.index(loop.loop_id) + 1
            iterations = [list(run) for _, run in groupby(inside, key=lambda call: call.turns[:depth])]
            if not _is_repeat(calls, iterations, host):
                launches = {call.span: call for call in reversed(iterations[0]) if call.kind == "launch"}
                chained = len(iterations) > 1 and len({call.stream for call in inside if call.stream}) == 1
                made = tuple(sorted(launches.values(), key=lambda call: call.order))
                whole = replace(loop, count=_together(nest, rounds))
                yield LaunchingLoop(whole, made, chained, tuple(inner))


def _nest(call: HostCall, rounds: dict[int, Rounds], least: float) -> tuple[Rounds, ...]:
    """The loops round a launch, from the innermost on, until they make enough iterations, outermost first.
    Nothing of a loop that nobody knows the length of goes outward: it may be long enough by itself.
    """
    often = 1
    nest: tuple[Rounds, ...] = ()
    for depth in range(len(call.loops) - 1, -1, -1):
        loop = rounds.get(call.loops[depth])
        if loop is None:
            return ()
        nest = (loop, *nest)
        if loop.count is None:
            return nest if len(nest) == 1 else ()
        often *= loop.count
        if often >= least:
            return nest
    return ()


def _together(nest: tuple[Rounds, ...], rounds: dict[int, Rounds]) -> int | None:
    """The iterations of a nest, where each of its loops always has as many."""
    counts = [{one.count for one in rounds.values() if one.span == loop.span} for loop in nest]
    known = [one for found in counts if len(found) == 1 for one in found if one is not None]
    return prod(known) if len(known) == len(nest) else None


def _spans(nest: tuple[Rounds, ...]) -> tuple[Span, ...]:
    """Where the loops stand: each iteration of a loop goes through inner loops with numbers of their own."""
    return tuple(loop.span for loop in nest)


def _goes_on(call: HostCall, nest: tuple[Rounds, ...], rounds: dict[int, Rounds]) -> bool:
    """Whether a call of the innermost loop itself queues work, or the host does something short."""
    if call.kind == "host-work":
        return not call.unseen and call.name != "loop"
    around = [rounds[number] for number in call.loops[-len(nest) :] if number in rounds]
    own = _spans(tuple(around)) == _spans(nest) and call.conditions == nest[0].conditions
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
