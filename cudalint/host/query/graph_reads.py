"""Loops that launch a graph in every iteration and wait for the few bytes that it fetches, to decide whether
to go on.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from cudalint.host.captures import is_of
from cudalint.host.facts import HostCall, HostFacts, Rounds, Use
from cudalint.host.query.unwaited_work import recorded
from cudalint.host.walks import QUEUED, round_of, rounds_by_id, walks


class GraphRead(Struct, frozen=True):
    """The wait, the launch of the graph, and the copy in it that the host looks at in the loop."""

    wait: HostCall
    launch: HostCall
    copy: HostCall
    loop: Rounds


def graph_reads(host: HostFacts, most: float) -> Iterator[GraphRead]:
    """Where all that the graph brings to the host are copies of at most `most` bytes, and nothing else in the
    iteration waits or may: the number of iterations is not known, or a break ends it.
    """
    rounds, graphs = rounds_by_id(host), recorded(host)
    for calls in walks(host):
        for index, call in enumerate(calls):
            loop = rounds.get(call.loop_id)
            if loop is None or not _launches(call) or call.conditions != loop.conditions:
                continue
            nodes = [n for name, held in graphs.items() if is_of(name, call.graph) for n in held]
            fetched = [node for node in nodes if node.direction == "DtoH"]
            small = all(node.bytes is not None and 0 < node.bytes <= most for node in fetched)
            copy = next((node for node in fetched if _is_looked_at(node, call, host.uses)), None)
            before, after = round_of(calls, index)
            wait = next((other for other in after if other.kind == "synchronise"), None)
            if not small or copy is None or wait is None or (loop.count is not None and not loop.exits):
                continue
            rest = [other for other in (*before, *after) if other is not wait]
            if _waits_for(wait, call, loop) and all(_is_queued(other, loop) for other in rest):
                yield GraphRead(wait, call, copy, loop)


def _launches(call: HostCall) -> bool:
    return call.name == "cudaGraphLaunch" and bool(call.graph) and not call.captured


def _is_looked_at(copy: HostCall, launch: HostCall, used: Sequence[Use]) -> bool:
    """Whether the host reads in the loop what a copy of the graph fetches."""
    return copy.destination is not None and any(
        use.buffer == copy.destination.id
        and not use.write
        and use.function == launch.function
        and use.loops[: launch.loop] == launch.loops
        for use in used
    )


def _waits_for(wait: HostCall, launch: HostCall, loop: Rounds) -> bool:
    """Whether a call waits for the graph in every iteration."""
    every = wait.conditions == loop.conditions and not wait.unseen and "Event" not in wait.name
    return every and wait.stream in ("", launch.stream)


def _is_queued(other: HostCall, loop: Rounds) -> bool:
    """Whether a call of the iteration does not block, nor may, or stands in a branch."""
    if other.conditions != loop.conditions:
        return True
    plain = other.kind == "host-work" or _launches(other) or other.kind == "event-record"
    return not other.unseen and (plain or (other.kind in QUEUED and not other.blocking))
