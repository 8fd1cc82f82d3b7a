"""What Thrust's vectors on the device do where they are made and where they end: each allocates its memory,
fills it, waits, and frees it.
"""

from msgspec.structs import replace

from cudalint.host.facts import Buffer
from cudalint.host.launches import stream_name
from cudalint.host.machine import Machine
from cudalint.host.values import Address, Value, sample_of
from cudalint.host.vector_copies import has_own_allocator
from cudalint.ir import expressions as e
from cudalint.ir import types as t

_NAME = "thrust::device_vector"  # as the calls are told


def made(m: Machine, node: e.Construct, storage: Address, room: Value | None) -> None:
    """A vector with elements is made, which nobody has looked into; of one without any, nothing is done."""
    name = node.type.name if isinstance(node.type, t.Record) else ""
    if not node.arguments:
        return
    written, buffer = node.arguments[0].type, m.buffer(storage)
    counted, copied = (
        isinstance(written, t.Scalar),
        isinstance(written, t.Record) and "vector<" in written.name,
    )
    own = has_own_allocator(name.partition("<")[2])  # it may keep memory
    if own or not (counted or copied) or buffer is None:
        m.host_work(name, node.span, unseen=True)
    if own or buffer is None:
        return
    m.record_with(
        m.call("allocate", _NAME, node.span),
        blocking=True,
        bytes=buffer.bytes,
        sample=sample_of(room) if room is not None else None,
        destination=buffer,
    )
    if counted:
        filled = m.call("memset", _NAME, node.span, stream_name(m, 0))
        m.record_with(filled, blocking=True, bytes=buffer.bytes, destination=buffer)


def ended(m: Machine, held: Value, variable: e.Variable) -> None:
    """A vector goes out of scope."""
    known = m.buffer(held)
    if known is not None and known.span is not None and _allocated(m, known):
        freed = replace(known, name=variable.name)
        m.record_with(m.call("free", _NAME, known.span), blocking=True, destination=freed)


def _allocated(m: Machine, buffer: Buffer) -> bool:
    """Whether the memory is what the vector was made with."""
    made = (call for call in reversed(m.log.calls) if call.kind == "allocate" and call.name == _NAME)
    return any(call.destination is not None and call.destination.id == buffer.id for call in made)
