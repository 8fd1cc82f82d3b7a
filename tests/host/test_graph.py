"""The graph of host calls against a simulation in which one call takes very long."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from cudalint.host.facts import HostCall
from cudalint.host.graph import can_overlap, finished, order, waits_for
from cudalint.source.span import Span

HERE = Span("a.cu", 1, 1, 1, 2)
KINDS = {"a": "blocking", "b": "blocking", "c": "non-blocking"}
LONG = 1000


def call(kind: str, stream: str = "default", event: str = "", blocking: bool = False) -> HostCall:
    return HostCall(kind, kind, HERE, "main", 0, stream, blocking=blocking, event=event)


streams = st.sampled_from(["default", "a", "b", "c"])
calls = st.lists(
    st.one_of(
        st.builds(call, st.sampled_from(["launch", "copy"]), streams),
        st.builds(call, st.just("copy"), st.just("default"), blocking=st.just(True)),
        st.builds(call, st.just("event-record"), streams, st.sampled_from(["e", "f"])),
        st.builds(call, st.just("event-wait"), streams, st.sampled_from(["e", "f"])),
        st.builds(call, st.just("synchronise"), st.sampled_from(["a", "b", "c", ""]), blocking=st.just(True)),
        st.builds(call, st.just("synchronise"), st.just(""), st.sampled_from(["e", "f"]), st.just(True)),
    ),
    min_size=2,
    max_size=8,
)


def holds_up(program: list[HostCall], i: int, j: int) -> bool:
    """Whether call i has to wait for the earlier call j, by the rules of streams and events."""
    this, other = program[i], program[j]
    if other.kind == "synchronise":
        return False
    records = [k for k in range(i) if program[k].kind == "event-record" and program[k].event == this.event]
    if this.kind == "synchronise":
        return (
            j == records[-1]
            if this.event and records
            else not this.event and this.stream in ("", other.stream)
        )
    if this.kind == "event-wait" and records[-1:] == [j]:
        return True
    streams = (this.stream, other.stream)
    legacy = "default" in streams and any(KINDS.get(stream) == "blocking" for stream in streams)
    return this.stream == other.stream or legacy


def simulate(program: list[HostCall], slow: int) -> tuple[list[int], list[int], list[int]]:
    """Times at which calls are issued, start and are done when one takes LONG and all others nothing."""
    issue: list[int] = []
    start: list[int] = []
    done: list[int] = []
    now = 0
    for i, this in enumerate(program):
        issue.append(now)
        start.append(max([now] + [done[j] for j in range(i) if holds_up(program, i, j)]))
        done.append(start[i] + (LONG if i == slow else 0))
        if this.blocking:
            now = done[i]
    return issue, start, done


@given(calls)
def test_a_call_waits_exactly_where_a_slow_one_holds_it_up(program):
    graph = order(program, KINDS)
    for slow in range(len(program)):
        issue, start, done = simulate(program, slow)
        for i in range(slow + 1, len(program)):
            assert waits_for(graph, i, slow) == (start[i] >= done[slow])
            assert (slow in finished(graph, i)) == (issue[i] >= done[slow])
            assert can_overlap(graph, i, slow) == (start[i] < done[slow])


def test_an_unknown_stream_orders_nothing():
    program = [call("launch", "a"), replace(call("launch"), stream="unknown"), call("launch", "a")]
    graph = order(program, KINDS)
    assert can_overlap(graph, 0, 1)
    assert can_overlap(graph, 1, 2)
    assert waits_for(graph, 2, 0)
