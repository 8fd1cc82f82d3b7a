"""Graphs that a loop makes anew in every iteration, and those that it leaves behind there."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from cudalint.host.facts import HostCall, HostFacts, Rounds
from cudalint.host.query.loop_handles import goes_to_array
from cudalint.host.walks import rounds_by_id, times, walks
from cudalint.source.span import Span

_MADE = {  # with what destroys it
    "cudaStreamEndCapture": "cudaGraphDestroy",
    "cudaGraphCreate": "cudaGraphDestroy",
    "cudaGraphClone": "cudaGraphDestroy",
    "cudaGraphInstantiate": "cudaGraphExecDestroy",
    "cudaGraphInstantiateWithFlags": "cudaGraphExecDestroy",
    "cudaGraphInstantiateWithParams": "cudaGraphExecDestroy",
}

_POSITIONS = {"cudaStreamEndCapture": 1}  # of the argument that it is made in; 0 for others


class LoopGraph(Struct, frozen=True):
    """The call that makes a graph ready to be launched, and its only launch of the same iteration."""

    loop: Rounds
    made: HostCall
    launch: HostCall


class LeftGraph(Struct, frozen=True):
    """The call that makes a graph, and what should destroy it in the same loop."""

    loop: Rounds
    made: HostCall
    gone: str


def loop_graphs(host: HostFacts, trips: float) -> Iterator[LoopGraph]:
    """Where a loop of at least so many iterations, or of an unknown number, makes a graph for each launch of
    one.
    """
    rounds = rounds_by_id(host)
    for calls in walks(host):
        for made, loop in _in_loops(calls, rounds):
            often = times(made, rounds)
            if not made.name.startswith("cudaGraphInstantiate") or (often is not None and often < trips):
                continue
            launches = [one for one in calls if one.name == "cudaGraphLaunch" and loop.loop_id in one.loops]
            own = [one for one in launches if (one.loops, one.turns) == (made.loops, made.turns)]
            if len(own) == 1 and own[0].order > made.order and all(o.loops == made.loops for o in launches):
                yield LoopGraph(loop, made, own[0])


def left_graphs(host: HostFacts) -> Iterator[LeftGraph]:
    """Where nothing in the loop destroys one, nor may."""
    rounds = rounds_by_id(host)
    for calls in walks(host):
        for made, loop in _in_loops(calls, rounds):
            inside = [other for other in calls if loop.loop_id in other.loops]
            gone = _MADE.get(made.name)
            if gone and not any(other.unseen or other.name == gone for other in inside):
                yield LeftGraph(loop, made, gone)


def _in_loops(calls: Sequence[HostCall], rounds: dict[int, Rounds]) -> Iterator[tuple[HostCall, Rounds]]:
    """The calls of every iteration that make a graph which none is kept beside, each with its loop."""
    turns: dict[tuple[Span, int], set[int]] = {}
    for call in calls:
        turns.setdefault((call.span, call.loop_id), set()).add(call.iteration)
    for call in calls:
        loop = rounds.get(call.loop_id)
        if loop is None or loop.count == 1 or call.name not in _MADE or call.conditions != loop.conditions:
            continue
        kept = goes_to_array(call, _POSITIONS.get(call.name, 0))
        if len(turns[call.span, call.loop_id]) > 1 and not kept:
            yield call, loop
