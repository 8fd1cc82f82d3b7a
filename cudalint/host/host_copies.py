"""Copies between two buffers of the host: memcpy and memmove, as calls with what they read and write."""

from cudalint.host.copies import place_of
from cudalint.host.machine import Machine
from cudalint.host.values import Value
from cudalint.ir import expressions as e

NAMES = ("memcpy", "memmove")


def record(m: Machine, node: e.Call, values: tuple[Value, ...]) -> None:
    """Log one that moves what a copy from the device has brought; its destination is watched from then on."""
    destination, source, size = values
    to, origin = m.buffer(destination), m.buffer(source)
    if to is None or origin is None or origin.id not in m.watched or m.state.dead or m.muted:
        m.host_work(node.name, node.span)
        return
    m.watched.add(to.id)
    m.record_with(
        m.call("host-work", node.name, node.span),
        bytes=size if isinstance(size, int) else None,
        source=origin,
        destination=to,
        source_place=place_of(source),
        destination_place=place_of(destination),
    )
