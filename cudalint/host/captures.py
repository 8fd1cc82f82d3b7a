"""Work that is recorded into graphs, and the graphs that run it: by the place of the recording, and by the
iteration that it is made in.
"""

from cudalint.host.machine import Machine
from cudalint.host.values import Handle, Value
from cudalint.ir import expressions as e

_ONE_OF_SEVERAL = "[?]"  # ends the name of one of several graphs of one place


def begin(m: Machine, node: e.Call, stream: str) -> None:
    """From here on what is queued becomes nodes of a graph."""
    place = (node.span, tuple((frame.site, frame.this) for frame in m.frames))
    number = m.graphs.setdefault(place, len(m.graphs) + 1)
    turn = ",".join(map(str, m.iterations))
    m.recording = f"graph {number}" + f"[{turn}]" * bool(turn)
    m.captures.add(stream)


def end(m: Machine) -> Handle | None:
    """The graph that holds what was recorded."""
    made = Handle("graph", m.recording) if m.recording else None
    stop(m)
    return made


def stop(m: Machine) -> None:
    m.captures.clear()
    m.recording = ""


def note_result(m: Machine, number: int) -> None:
    """A copy fills memory of the host: where it is recorded, each launch of its graph does."""
    if m.recording:
        m.results.setdefault(m.recording, set()).add(number)


def launched(m: Machine, value: Value) -> str:
    """The name of the graph that is launched, '' where nobody knows it; what it fills is not known now."""
    if not isinstance(value, Handle) or value.kind != "graph":
        return ""
    for name, numbers in m.results.items():
        if is_of(name, value.name):
            for number in numbers:
                m.state.forget(number)
    return value.name


def is_of(name: str, graph: str) -> bool:
    """Whether a recording is the graph of that name, or may be."""
    several = graph.endswith(_ONE_OF_SEVERAL) and name.partition("[")[0] == graph.removesuffix(
        _ONE_OF_SEVERAL
    )
    return name == graph or several
