"""CUDA's runtime and driver calls: memory, copies, streams, events and what waits for what."""

from collections.abc import Callable

from cudalint.cuda.warp import WARP
from cudalint.host import captures, handles
from cudalint.host.arithmetic import moved
from cudalint.host.call_arguments import Arguments, form, integer, product, rows, sample, value
from cudalint.host.copies import COPIES, DESCRIBED, copy, copy_described, place_of, stream_of, symbol
from cudalint.host.facts import PINNED, MemorySpace, Stream
from cudalint.host.launches import stream_name
from cudalint.host.machine import Machine
from cudalint.host.values import (
    UNKNOWN,
    Address,
    Aggregate,
    Callee,
    Handle,
    Unknown,
    Value,
    candidates,
)
from cudalint.ir import expressions as e
from cudalint.ir import types as t

PITCH_ALIGNMENT = (
    256  # bytes that divide every pitch: rows of cudaMallocPitch start as aligned as allocations
)
_PITCH = 512  # bytes that divide the pitches that devices since sm_30 hand out (seen on an H200)
_NON_BLOCKING = 1  # cudaStreamNonBlocking
_MAPPED, _WRITE_COMBINED = 2, 4  # flags of cudaHostAlloc

_SETS: dict[str, tuple[tuple[int, ...], int | None]] = {  # factors of the bytes, the stream
    "cudaMemset": ((2,), None),
    "cudaMemsetAsync": ((2,), 3),
    "cudaMemset2D": ((3, 4), None),
    "cudaMemset2DAsync": ((3, 4), 5),
    "cudaMemset3D": ((3, 4, 5), None),
    "cudaMemset3DAsync": ((3, 4, 5), 6),
}

_ALLOCATE: dict[str, tuple[MemorySpace, int]] = {  # the space, the position of the size
    "cudaMalloc": ("device", 1),
    "cudaMallocAsync": ("device", 1),
    "cudaMallocFromPoolAsync": ("device", 1),
    "cudaMallocManaged": ("managed", 1),
    "cudaMallocHost": ("pinned", 1),
    "cudaHostAlloc": ("pinned", 1),
    "cuMemAlloc": ("device", 1),
    "cuMemAllocManaged": ("managed", 1),
    "cuMemAllocHost": ("pinned", 1),
    "cuMemHostAlloc": ("pinned", 1),
}

_STREAMS: dict[str, int | None] = {  # the position of the flags
    "cudaStreamCreate": None,
    "cudaStreamCreateWithFlags": 1,
    "cudaStreamCreateWithPriority": 1,
    "cuStreamCreate": 1,
}

_QUERIES = frozenset(
    "cudaStreamQuery cudaEventQuery cuStreamQuery cuEventQuery cudaStreamIsCapturing".split()
)
_ENQUEUES = frozenset(
    """cudaLaunchHostFunc cudaStreamAddCallback cudaMemPrefetchAsync cuLaunchKernel
    cudaLaunchCooperativeKernelMultiDevice
    cudaLaunchKernelExC cudaLaunchKernelEx cudaLaunchKernel cudaLaunchCooperativeKernel""".split()
)


def call(m: Machine, node: e.Call, arguments: Arguments) -> Value | None:
    """The value and the effects of a call of CUDA's. It is taken to succeed."""
    name = node.name.removesuffix("_v2").removesuffix("_ptsz")
    if name in COPIES:
        copy(m, node, arguments, COPIES[name])
    elif name in DESCRIBED:
        copy_described(m, node, arguments, DESCRIBED[name])
    elif name in _SETS:
        _set(m, node, _spread(arguments) if "3D" in name else arguments, *_SETS[name])
    elif name in _ALLOCATE:
        _allocate(m, node, arguments, *_ALLOCATE[name])
    elif name in _STREAMS:
        _create_stream(m, node, arguments, _STREAMS[name])
    elif name in _OTHER:
        _OTHER[name](m, node, arguments)
    else:
        _unseen(m, node, arguments)
    return UNKNOWN if name in _QUERIES or not isinstance(node.type, t.Scalar) else 0


# --- memory ---


def _allocate(m: Machine, node: e.Call, arguments: Arguments, space: MemorySpace, size: int) -> None:
    holder = value(arguments, 0)
    flags = integer(arguments, 2) if node.name in ("cudaHostAlloc", "cudaMallocHost", "cuMemHostAlloc") else 0
    if space == "pinned":
        space = "unknown" if flags is None and len(arguments) > 2 else _host_space(flags or 0)
    found = m.allocate(node, space, value(arguments, size), "")
    if space in ("pinned", "write-combined"):
        m.fresh.note(found)
    lost = m.lost(holder, found)
    _hand_out(m, holder, found, node)
    m.record_with(
        m.call("allocate", node.name, node.span),
        blocking="Async" not in node.name,
        bytes=integer(arguments, size),
        sample=sample(arguments, (size,)),
        destination=m.buffer(found),
        lost=lost,
        expression=node,
    )


def _host_space(flags: int) -> MemorySpace:
    if flags & _WRITE_COMBINED:
        return "write-combined"
    return "mapped" if flags & _MAPPED else "pinned"


def _hand_out(m: Machine, holder: Value, found: Value, node: e.Call | None = None) -> None:
    """Store a new pointer or handle where the caller wants it."""
    match holder:
        case Address():
            m.state.store(holder, found, 8)
            if isinstance(found, Address):
                member = _member(node.arguments[0]) if node is not None else ""
                m.name_buffer(found.object, holder.object, member)
        case _:
            for number in candidates(holder):
                m.state.store(Address(number, None), found, 8)


def _member(written: e.Expression) -> str:
    """The name of the member that `&object.member` points to; '' for anything else."""
    while isinstance(written, (e.Cast, e.AddressOf)):
        written = written.operand
    return written.name if isinstance(written, e.Member) else ""


def _malloc_pitch(m: Machine, node: e.Call, arguments: Arguments) -> None:
    width, height = integer(arguments, 2), integer(arguments, 3)
    pitch: Value = Unknown(PITCH_ALIGNMENT)
    size: Value | None = None
    if m.sizes is not None and width is not None and height is not None:
        pitch = -(-width // _PITCH) * _PITCH
        size = pitch * height
    found = m.allocate(node, "device", size, "")
    _hand_out(m, value(arguments, 0), found, node)
    _hand_out(m, value(arguments, 1), pitch)
    m.record_with(
        m.call("allocate", node.name, node.span),
        blocking=True,
        destination=m.buffer(found),
        rows=rows(arguments, (2,), ()),
        expression=node,
    )


def _malloc_array(m: Machine, node: e.Call, arguments: Arguments) -> None:
    found = m.allocate(node, "device", None, "")
    _hand_out(m, value(arguments, 0), found, node)
    m.record_with(
        m.call("allocate", node.name, node.span), blocking=True, destination=m.buffer(found), expression=node
    )


def _malloc_3d(m: Machine, node: e.Call, arguments: Arguments) -> None:
    """cudaMalloc3D fills a cudaPitchedPtr: the pointer at 0, the pitch at 8."""
    holder = value(arguments, 0)
    if isinstance(holder, Address) and holder.offset is not None:
        found = m.allocate(node, "device", None, "")
        m.name_buffer(found.object, holder.object, _member(node.arguments[0]))
        m.state.store(holder, Aggregate(((0, found), (8, Unknown(PITCH_ALIGNMENT))), UNKNOWN), 32)
        m.record_with(
            m.call("allocate", node.name, node.span),
            blocking=True,
            destination=m.buffer(found),
            expression=node,
        )


def _free(m: Machine, node: e.Call, arguments: Arguments) -> None:
    target = m.buffer(value(arguments, 0))
    m.freed |= candidates(value(arguments, 0))
    m.frees_unknown |= value(arguments, 0) == UNKNOWN
    asynchronous = node.name == "cudaFreeAsync"
    m.record_with(
        m.call("free", node.name, node.span, stream_of(m, arguments, 1) if asynchronous else ""),
        blocking=not asynchronous,
        destination=target,
        expression=node,
    )


def _register(m: Machine, node: e.Call, arguments: Arguments) -> None:
    """Memory of the host is pinned, or no longer; where nobody knows which, it is known from then on."""
    if node.name != "cudaHostRegister":
        m.set_space(value(arguments, 0), "pageable")
        return
    space: MemorySpace = "mapped" if (integer(arguments, 2) or 0) & _MAPPED else "pinned"
    place = arguments[0][1] if arguments else UNKNOWN
    if isinstance(place, Address) and not candidates(value(arguments, 0)) and not m.conditions:
        m.state.store(place, m.allocate(node, space, value(arguments, 1), ""), 8)
    else:
        m.set_space(value(arguments, 0), space)


def _device_pointer(m: Machine, node: e.Call, arguments: Arguments) -> None:
    _hand_out(m, value(arguments, 0), value(arguments, 1))


def _symbol_address(m: Machine, node: e.Call, arguments: Arguments) -> None:
    _hand_out(m, value(arguments, 0), symbol(arguments, 1))


# --- copies ---


def _spread(arguments: Arguments) -> Arguments:
    """The arguments of a memset in three dimensions, with the numbers that its structures hold."""
    pointer, pitch = _parts(value(arguments, 0), 2)
    given = (pointer, pitch, value(arguments, 1), *_parts(value(arguments, 2), 3))
    return (*((one, UNKNOWN) for one in given), *arguments[3:])


def _parts(structure: Value, count: int) -> list[Value]:
    """The first words of a structure."""
    if not isinstance(structure, Aggregate):
        return [UNKNOWN] * count
    cells = dict(structure.cells)
    return [cells.get(8 * index, structure.default) for index in range(count)]


def _set(
    m: Machine, node: e.Call, arguments: Arguments, factors: tuple[int, ...], stream: int | None
) -> None:
    """A memset is only queued, except by a call without a stream on memory that the host shares."""
    target = value(arguments, 0)
    m.record_with(
        m.call("memset", node.name, node.span, stream_of(m, arguments, stream)),
        blocking=stream is None and m.space(target) in PINNED,
        bytes=product(arguments, factors),
        sample=sample(arguments, factors),
        form=form(arguments, factors),
        destination=m.buffer(target),
        destination_place=place_of(target),
        rows=rows(arguments, factors[:1], (1,)) if "2D" in node.name else None,
        expression=node,
    )
    for number in candidates(target):
        m.state.forget(number)


# --- streams and events ---


def _create_stream(m: Machine, node: e.Call, arguments: Arguments, flags_at: int | None) -> None:
    flags = 0 if flags_at is None else integer(arguments, flags_at)
    kind = "unknown" if flags is None else "non-blocking" if flags & _NON_BLOCKING else "blocking"
    name = handles.named(m, node, value(arguments, 0), kind)
    m.streams[name] = Stream(name, kind, node.span)
    _hand_out(m, value(arguments, 0), Handle("stream", name))
    m.record_with(m.call("stream-create", node.name, node.span, name), expression=node)


def _destroy_stream(m: Machine, node: e.Call, arguments: Arguments) -> None:
    m.record_with(m.call("stream-destroy", node.name, node.span, stream_of(m, arguments, 0)), expression=node)


def _create_event(m: Machine, node: e.Call, arguments: Arguments) -> None:
    event = handles.named(m, node, value(arguments, 0), "event")
    _hand_out(m, value(arguments, 0), Handle("event", event))
    m.record_with(m.call("event-create", node.name, node.span), event=event, expression=node)


def _destroy_event(m: Machine, node: e.Call, arguments: Arguments) -> None:
    m.record_with(m.call("event-destroy", node.name, node.span), event=_event(arguments, 0), expression=node)


def _event(arguments: Arguments, index: int) -> str:
    found = value(arguments, index)
    return found.name if isinstance(found, Handle) and found.kind == "event" else ""


def _record_event(m: Machine, node: e.Call, arguments: Arguments) -> None:
    m.record_with(
        m.call("event-record", node.name, node.span, stream_of(m, arguments, 1)),
        event=_event(arguments, 0),
        expression=node,
    )


def _wait_event(m: Machine, node: e.Call, arguments: Arguments) -> None:
    m.record_with(
        m.call("event-wait", node.name, node.span, stream_of(m, arguments, 0)),
        event=_event(arguments, 1),
        expression=node,
    )


def _synchronise(m: Machine, node: e.Call, arguments: Arguments) -> None:
    """A wait of the host: for a stream, for an event, or for the whole device."""
    stream = stream_of(m, arguments, 0) if "Stream" in node.name else ""
    event = _event(arguments, 0) if "Event" in node.name else ""
    m.record_with(
        m.call("synchronise", node.name, node.span, stream), blocking=True, event=event, expression=node
    )


def _begin_capture(m: Machine, node: e.Call, arguments: Arguments) -> None:
    """The call says which graph, and is not recorded itself."""
    stream = stream_of(m, arguments, 0)
    begun = m.call("other", node.name, node.span, stream)
    captures.begin(m, node, stream)
    m.record_with(begun, expression=node, graph=m.recording)


def _end_capture(m: Machine, node: e.Call, arguments: Arguments) -> None:
    graph = captures.end(m)
    _unseen(m, node, arguments)
    if graph is not None:
        _hand_out(m, value(arguments, 1), graph)


def _instantiate(m: Machine, node: e.Call, arguments: Arguments) -> None:
    """What can be launched stands for the graph that it is made of."""
    _unseen(m, node, arguments)
    graph = value(arguments, 1)
    if isinstance(graph, Handle):
        _hand_out(m, arguments[0][1] if node.name == "cudaGraphExecUpdate" else value(arguments, 0), graph)


def _launch_graph(m: Machine, node: e.Call, arguments: Arguments) -> None:
    graph = captures.launched(m, value(arguments, 0))
    stream = stream_of(m, arguments, 1)
    m.record_with(m.call("other", node.name, node.span, stream), expression=node, graph=graph)


def _elapsed(m: Machine, node: e.Call, arguments: Arguments) -> None:
    _lose(m, value(arguments, 0), node, 0)
    m.record_with(m.call("other", node.name, node.span), event=_event(arguments, 2), expression=node)


# --- the rest ---


def _unseen(m: Machine, node: e.Call, arguments: Arguments) -> None:
    """What it is handed by pointer is an output; device memory is used by what is queued."""
    touched: set[int] = set()
    for index, (found, _) in enumerate(arguments):
        touched |= candidates(found)
        _lose(m, found, node, index)
    stream = ""
    if node.name in _ENQUEUES or node.name.endswith("Async"):
        handles = [v for v, _ in arguments if isinstance(v, Handle) and v.kind == "stream"]
        stream = stream_name(m, handles[0]) if handles else "unknown"
    m.record_with(
        m.call("other", node.name, node.span, stream), expression=node, arguments=tuple(sorted(touched))
    )


def _lose(m: Machine, found: Value, node: e.Call, index: int) -> None:
    """An output of a call is not known afterwards."""
    type_ = node.arguments[index].type if index < len(node.arguments) else t.VOID
    if isinstance(type_, t.Pointer) and type_.const:
        return
    for number in candidates(found):
        pointee = type_.pointee if isinstance(type_, t.Pointer) else t.VOID
        if isinstance(found, Address) and isinstance(pointee, (t.Scalar, t.Pointer)) and pointee.bytes:
            m.state.store(found, UNKNOWN, pointee.bytes)
        elif m.buffers[number].space != "device":
            m.state.forget(number)


def _set_device(m: Machine, node: e.Call, arguments: Arguments) -> None:
    m.record_with(m.call("other", node.name, node.span), expression=node)


def _set_attribute(m: Machine, node: e.Call, arguments: Arguments) -> None:
    """An attribute of a kernel: bytes are its value."""
    kernel, number = value(arguments, 0), value(arguments, 2)
    m.record_with(
        m.call("other", node.name, node.span),
        expression=node,
        bytes=number if isinstance(number, int) else None,
        kernel=kernel.key if isinstance(kernel, Callee) else "",
    )


def _nothing(m: Machine, node: e.Call, arguments: Arguments) -> None:
    return None


# What all devices have from compute capability 2.0 on (CUDA Programming Guide, "Compute Capabilities").
_EVERY_DEVICE = {"warpSize": WARP, "maxThreadsPerBlock": 1024}
_ATTRIBUTES = {10: WARP, 1: 1024}  # cudaDevAttrWarpSize, cudaDevAttrMaxThreadsPerBlock


def _properties(m: Machine, node: e.Call, arguments: Arguments) -> None:
    _unseen(m, node, arguments)
    place, layout = value(arguments, 0), m.unit.records.get("cudaDeviceProp")
    for member in layout.fields if layout is not None and isinstance(place, Address) else ():
        if member.name in _EVERY_DEVICE and isinstance(place, Address):
            m.state.store(moved(place, member.offset, 1), _EVERY_DEVICE[member.name], 4)


def _attribute(m: Machine, node: e.Call, arguments: Arguments) -> None:
    _unseen(m, node, arguments)
    place, known = value(arguments, 0), _ATTRIBUTES.get(integer(arguments, 1) or 0)
    if isinstance(place, Address) and known is not None:
        m.state.store(place, known, 4)


_OTHER: dict[str, Callable[[Machine, e.Call, Arguments], None]] = {
    "cudaGetDeviceProperties": _properties,
    "cudaDeviceGetAttribute": _attribute,
    "cudaMallocPitch": _malloc_pitch,
    "cudaMalloc3D": _malloc_3d,
    "cudaMallocArray": _malloc_array,
    "cudaMalloc3DArray": _malloc_array,
    "cudaFree": _free,
    "cudaFreeAsync": _free,
    "cudaFreeHost": _free,
    "cudaFreeArray": _free,
    "cuMemFree": _free,
    "cudaHostRegister": _register,
    "cudaHostUnregister": _register,
    "cudaHostGetDevicePointer": _device_pointer,
    "cudaGetSymbolAddress": _symbol_address,
    "cudaStreamDestroy": _destroy_stream,
    "cuStreamDestroy": _destroy_stream,
    "cudaEventCreate": _create_event,
    "cudaEventCreateWithFlags": _create_event,
    "cuEventCreate": _create_event,
    "cudaEventRecord": _record_event,
    "cuEventRecord": _record_event,
    "cudaEventRecordWithFlags": _record_event,
    "cudaStreamWaitEvent": _wait_event,
    "cuStreamWaitEvent": _wait_event,
    "cudaDeviceSynchronize": _synchronise,
    "cudaThreadSynchronize": _synchronise,
    "cuCtxSynchronize": _synchronise,
    "cudaStreamSynchronize": _synchronise,
    "cuStreamSynchronize": _synchronise,
    "cudaEventSynchronize": _synchronise,
    "cuEventSynchronize": _synchronise,
    "cudaEventElapsedTime": _elapsed,
    "cudaStreamBeginCapture": _begin_capture,
    "cudaStreamBeginCaptureToGraph": _begin_capture,
    "cudaStreamEndCapture": _end_capture,
    "cudaGraphInstantiate": _instantiate,
    "cudaGraphInstantiateWithFlags": _instantiate,
    "cudaGraphClone": _instantiate,
    "cudaGraphExecUpdate": _instantiate,
    "cudaGraphLaunch": _launch_graph,
    "cudaGetLastError": _nothing,
    "cudaPeekAtLastError": _nothing,
    "cudaGetErrorString": _nothing,
    "cudaGetErrorName": _nothing,
    "cudaSetDevice": _set_device,
    "cudaFuncSetAttribute": _set_attribute,
    "cudaEventDestroy": _destroy_event,
    "cuEventDestroy": _destroy_event,
}
