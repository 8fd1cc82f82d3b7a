"""Queued work that may still use memory when the host accesses it."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from cudalint.host.captures import is_of
from cudalint.host.facts import Argument, HostAccess, HostCall, HostFacts, Place
from cudalint.host.waits import may_have_waited
from cudalint.ir import expressions as e
from cudalint.ir.unit import Unit

Uses = dict[tuple[str, str], frozenset[str]]  # 'read', 'written', by kernel key and buffer
Graphs = Mapping[str, Sequence[HostCall]]  # what is recorded into each, in any case


class Unwaited(Struct, frozen=True):
    """Work that an access does not wait for, and whether it 'reads' or 'writes' the memory, '' for neither.
    node: of a graph, the recorded call that does so.
    """

    work: HostCall
    what: str
    node: HostCall | None = None


def recorded(host: HostFacts) -> Graphs:
    """What the graphs of a program hold: not what only stands there under a condition."""
    found: dict[str, list[HostCall]] = {}
    begun: dict[str, tuple[int, ...]] = {}
    for call in host.calls:
        if call.captured and call.graph in begun:
            if call.conditions == begun[call.graph]:
                found[call.graph].append(call)
        elif call.graph and call.name.startswith("cudaStreamBeginCapture"):
            begun[call.graph] = call.conditions
            found.setdefault(call.graph, [])
    return found


def unwaited_work(
    calls: Sequence[HostCall], access: HostAccess, uses: Uses, unit: Unit, graphs: Graphs
) -> Unwaited | None:
    """The latest work that an access does not wait for."""
    launch: HostCall | None = None
    for work in reversed(calls[: access.order]):
        if work.captured or work.conditions != access.conditions[: len(work.conditions)]:
            continue
        what, node = _does(work, access, uses, unit), None
        if work.graph:
            what, node = _of_graph(work, access, uses, unit, graphs)
        if what and not may_have_waited(calls, work, access.order):
            return Unwaited(work, what, node)
        if launch is None and work.kind == "launch":
            launch = work
    if access.buffer.space != "managed" or launch is None or may_have_waited(calls, launch, access.order):
        return None
    return Unwaited(launch, "")


def _does(work: HostCall, access: HostAccess, uses: Uses, unit: Unit) -> str:
    return _of_copy(work, access) or _of_kernel(work, access, uses, unit)


def _of_graph(
    work: HostCall, access: HostAccess, uses: Uses, unit: Unit, graphs: Graphs
) -> tuple[str, HostCall | None]:
    """What a graph does with the bytes of an access, and the node that does it: each that may be launched."""
    found: tuple[str, HostCall | None] = "", None
    for name in graphs:
        if is_of(name, work.graph):
            nodes = ((_does(node, access, uses, unit), node) for node in graphs[name])
            found = next((one for one in nodes if one[0]), ("", None))
            if not found[0]:
                return found
    return found


def _of_copy(work: HostCall, access: HostAccess) -> str:
    """What an asynchronous copy does with the bytes of an access that has to wait for it; '' for nothing."""
    if work.kind != "copy" or work.blocking:
        return ""
    if work.destination is not None and work.destination.id == access.buffer.id:
        return "writes" if _meet(work.destination_place, work, access) else ""
    if work.source is not None and work.source.id == access.buffer.id and access.write:
        return "reads" if _meet(work.source_place, work, access) else ""
    return ""


def _meet(place: Place | None, work: HostCall, access: HostAccess) -> bool:
    """Whether the access is surely among the bytes of a copy, or at the start of one of unknown size."""
    if place is not None and place.offset == 0 and _is_whole(work, access):
        return True
    if access.offset is None or place is None or place.offset is None:
        return False
    return _inside(place.offset, work.bytes, access.offset)


def _is_whole(work: HostCall, access: HostAccess) -> bool:
    """Whether a copy has all bytes of the buffer, as far as anything says how many either has."""
    buffer = access.buffer
    known = work.bytes is not None or buffer.bytes is not None
    return work.bytes == buffer.bytes if known else work.form == buffer.form


def _inside(start: int, size: int | None, offset: int) -> bool:
    """Whether an offset is among bytes, or at the start of unknown many."""
    return offset == start if size is None else start <= offset < start + size


def _of_kernel(work: HostCall, access: HostAccess, uses: Uses, unit: Unit) -> str:
    """What a kernel does with the buffer of an access that has to wait for it; '' for nothing."""
    launch = work.launch
    if work.kind != "launch" or launch is None or launch.key not in unit.functions:
        return ""
    names = {access.buffer.name} if access.variable else set()
    parameters = unit.functions[launch.key].parameters
    nodes = launch.expression.arguments or ()
    for argument, node, parameter in zip(launch.arguments or (), nodes, parameters, strict=False):
        if _given(argument, node, access):
            names.add(parameter.name)
    how = {use for name in names for use in uses.get((launch.key, name), ())}
    if "written" in how:
        return "writes"
    return "reads" if "read" in how and access.write else ""


def _given(argument: Argument, node: e.Expression, access: HostAccess) -> bool:
    """Whether a kernel is given the bytes of an access: the whole buffer, or the member that they are in."""
    if argument.buffer is None or argument.buffer.id != access.buffer.id:
        return False
    while isinstance(node, e.Cast):
        node = node.operand
    if isinstance(node, e.AddressOf) and isinstance(node.operand, e.Member):
        start, offset = argument.offset, access.offset
        return start is not None and offset is not None and _inside(start, node.operand.type.bytes, offset)
    return argument.offset == 0
