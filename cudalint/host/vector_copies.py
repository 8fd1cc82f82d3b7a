"""Copies between vectors of the host and of the device, as Thrust makes them: the host waits for each."""

from msgspec.structs import replace

from cudalint.host.copies import held, place_of
from cudalint.host.describe import render
from cudalint.host.facts import MemorySpace
from cudalint.host.launches import stream_name
from cudalint.host.machine import Machine
from cudalint.host.values import UNKNOWN, Address, Aggregate, Value
from cudalint.ir import expressions as e
from cudalint.ir import types as t

Pair = tuple[Value, Value]  # an argument's value and its place

_CONTAINERS = ("std::vector<", "thrust::host_vector<", "thrust::device_vector<")
_ON_DEVICE = "thrust::device_vector<"
_VERB = {"operator=": "the assignment", "copy": "thrust::copy"}


def allocates(type_: t.Type) -> bool:
    """Whether it is the allocator that a constructor is given by default."""
    return isinstance(type_, t.Record) and type_.name.startswith("std::allocator<")


def has_own_allocator(arguments: str) -> bool:
    """Whether a template argument after the first, of a class that holds elements, is not the library's."""
    depth = 0
    for at, sign in enumerate(arguments):
        depth += (sign in "<(") - (sign in ">)")
        if sign == "," and not depth:
            return not arguments[at + 1 :].lstrip().startswith("std::")
    return False


def is_assignment(node: e.Call, arguments: tuple[Pair, ...]) -> bool:
    """Whether all elements of another vector are copied: that is a call of its own."""
    return node.name == "operator=" and len(arguments) == 1 and isinstance(arguments[0][0], Aggregate)


def record(
    m: Machine,
    node: e.Call | e.Construct,
    written: e.Expression,
    origin: Value,
    target: Value,
    all_: bool = False,
) -> bool:
    """Log the copy of what is written from one storage to another; whether one of them is on the device.
    all_: it is of all elements, though by iterators. Of a vector that is one of several, the type says where
    its elements are.
    """
    name = written.type.name if isinstance(written.type, t.Record) else ""
    vector = name.startswith(_CONTAINERS)
    known = isinstance(origin, Address)
    on_device = m.space(origin) == "device" if known else name.startswith(_ON_DEVICE)
    sides = ["D" if here else "H" for here in (on_device, m.space(target) == "device")]
    if "D" not in sides or not (known or vector) or not isinstance(target, Address):
        return False
    direction = "to".join(sides)
    source, destination = m.buffer(origin), m.buffer(target)
    whole = all_ or vector
    host: Value = {"HtoD": origin, "DtoH": target}.get(direction, UNKNOWN)
    call = m.call(
        "copy",
        _VERB.get(node.name, node.name) if isinstance(node, e.Call) else "the constructor",
        node.span,
        stream_name(m, 0),
    )
    m.record_with(
        replace(
            call, blocking=direction != "DtoD", direction=direction, source=source, destination=destination
        ),
        bytes=source.bytes if source is not None and whole else None,
        form=source.form if source is not None and whole else None,
        host_space=m.space(host) if known or host is not origin else _space(name),
        host_name=render(written),
        source_place=place_of(origin),
        destination_place=place_of(target),
        written=m.state.writes.get(origin.object, 0) if isinstance(origin, Address) else 0,
        held=held(m, origin) if direction == "HtoD" else None,
    )
    m.state.forget(target.object)
    if direction == "DtoH":
        m.watched.add(target.object)
    return True


def _space(name: str) -> MemorySpace:
    """Where a vector of the host that is one of several has its elements, by its type."""
    return "host" if has_own_allocator(name.partition("<")[2]) else "pageable"
