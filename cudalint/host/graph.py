"""What waits for what: a graph of a walk's calls, after the CUDA programming guide's rules for streams.

Every call has three nodes: issue (the host comes to it), start and done (of its work on the device). An edge
says that one surely comes before the other. The host issues calls in order and, where a call blocks it, goes
on when that is done; work of one stream runs in order; work on the legacy default stream waits for the
blocking streams and they for it; an event orders what comes after its wait behind what came before it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from cudalint.host.facts import HostCall

if TYPE_CHECKING:  # imported where it is used: most files have no calls to order
    import networkx as nx

Part = Literal["issue", "start", "done"]
Node = tuple[int, Part]

DEFAULT = "default"
_ON_STREAMS = frozenset(("launch", "library", "copy", "memset", "event-record", "event-wait"))


def order(calls: Sequence[HostCall], kinds: Mapping[str, str]) -> "nx.DiGraph[Node]":
    """The graph of calls as they are issued; nodes are (position in `calls`, part).

    kinds: 'blocking' or 'non-blocking' of each stream by name. The per-thread default stream blocks like one
    of the first kind. A stream or an event that is not known orders nothing.
    """
    import networkx as nx

    graph: nx.DiGraph[Node] = nx.DiGraph()
    for i, earlier in enumerate(awaited(calls, kinds)):
        nx.add_path(graph, [(i, "issue"), (i, "start"), (i, "done")])
        if i:
            graph.add_edge((i - 1, "issue"), (i, "issue"))
            if calls[i - 1].blocking:
                graph.add_edge((i - 1, "done"), (i, "issue"))
        graph.add_edges_from(((other, "done"), (i, "start")) for other in earlier)
    return graph


def awaited(calls: Sequence[HostCall], kinds: Mapping[str, str]) -> Iterator[list[int]]:
    """For each call, in order, the positions of the earlier ones whose work has to be done before its own
    starts, but for those that these wait for.
    """
    last: dict[str, int] = {}  # the newest work of each stream
    records: dict[str, int] = {}  # and the newest record of each event
    for i, call in enumerate(calls):
        yield _awaited(call, kinds, last, records)
        if call.kind in _ON_STREAMS and _is_known(call.stream, kinds):
            last[call.stream] = i
        if call.kind == "event-record" and call.event:
            records[call.event] = i


def _is_known(stream: str, kinds: Mapping[str, str]) -> bool:
    return stream in kinds or stream in (DEFAULT, "per-thread")


def _blocks(stream: str, kinds: Mapping[str, str]) -> bool:
    """Whether the stream and the legacy default stream wait for each other."""
    return stream == "per-thread" or kinds.get(stream) == "blocking"


def _awaited(
    call: HostCall, kinds: Mapping[str, str], last: Mapping[str, int], records: Mapping[str, int]
) -> list[int]:
    """Earlier calls whose work has to be done before this one's starts."""
    if call.kind in ("synchronise", "free"):
        if call.event:
            return [records[call.event]] if call.event in records else []
        if call.kind == "synchronise" and (call.stream or "Event" in call.name):
            return [last[call.stream]] if call.stream in last else []
        return list(last.values()) if call.blocking else []
    if call.kind not in _ON_STREAMS:
        return []
    found = [last[call.stream]] if call.stream in last else []
    if call.stream == DEFAULT:
        found += [i for stream, i in last.items() if _blocks(stream, kinds)]
    elif _blocks(call.stream, kinds) and DEFAULT in last:
        found.append(last[DEFAULT])
    if call.kind == "event-wait" and call.event in records:
        found.append(records[call.event])
    return found


def finished(graph: "nx.DiGraph[Node]", position: int) -> frozenset[int]:
    """Calls whose work is surely done when the host comes to the call at that position."""
    import networkx as nx

    return frozenset(i for i, part in nx.ancestors(graph, (position, "issue")) if part == "done")


def released(graph: "nx.DiGraph[Node]", position: int) -> tuple[frozenset[int], frozenset[int]]:
    """Calls that the host surely comes to only when the work of the call at that position is done, and calls
    whose work surely starts only then.
    """
    import networkx as nx

    after = nx.descendants(graph, (position, "done"))
    issued = frozenset(i for i, part in after if part == "issue")
    return issued, frozenset(i for i, part in after if part == "start")


def done_before(graph: "nx.DiGraph[Node]", position: int) -> frozenset[int]:
    """Calls whose work is surely done when the work of the call at that position starts."""
    import networkx as nx

    return frozenset(i for i, part in nx.ancestors(graph, (position, "start")) if part == "done")


def waits_for(graph: "nx.DiGraph[Node]", later: int, earlier: int) -> bool:
    """Whether one call's work surely starts only when the other's is done."""
    import networkx as nx

    return bool(nx.has_path(graph, (earlier, "done"), (later, "start")))


def can_overlap(graph: "nx.DiGraph[Node]", one: int, other: int) -> bool:
    """Whether nothing keeps the work of two calls from running at the same time."""
    return not waits_for(graph, one, other) and not waits_for(graph, other, one)
