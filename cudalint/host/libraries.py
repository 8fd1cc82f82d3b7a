"""Libraries that work on the device: cuBLAS, cuFFT, cuRAND, cuSPARSE, cuSOLVER, cuDNN, CUB and others.

A handle works on the stream that it was given last, on the default stream before. A call of it queues work
there; one that returns a number to the host waits for it.
"""

import re

from cudalint.analyses.cuda_reach import LIBRARIES, is_device_wide
from cudalint.host.algorithms import work
from cudalint.host.call_arguments import Arguments
from cudalint.host.handles import named
from cudalint.host.launches import stream_name
from cudalint.host.machine import Machine
from cudalint.host.values import UNKNOWN, Address, Handle, Value, candidates
from cudalint.ir import expressions as e
from cudalint.ir import types as t

_HOUSEKEEPING = re.compile(r"Create|Destroy|Set[A-Z]|Get[A-Z]|Plan|Init|Version")
_CREATES = re.compile(r"[a-z]+(?:Dn|Sp)?Create(?:Generator)?|cufftPlan(?:1d|2d|3d|Many)")
SEARCHES = re.compile(r"AlgoGetHeuristic|_v7$|FindConvolution\w+Algorithm")  # for the best algorithm
_SETS_STREAM = re.compile(r"[a-z]+(?:Dn|Sp)?SetStream")
_NUMBER = "[SDCZ]dot[uc]?|(?:S|D|Sc|Dz)(?:nrm2|asum)|I[sdcz]am(?:ax|in)"
_TO_HOST = re.compile(rf"cublas(?:{_NUMBER})(?:_64)?")
_HANDLE_BYTES = 8
_ON_DEVICE = 1  # CUBLAS_POINTER_MODE_DEVICE
_SHARED = ("device", "managed")  # spaces where results are not the host's


def computes(name: str) -> bool:
    """Whether a function of a library does work on the device: it neither makes, plans, sets nor asks."""
    return LIBRARIES.fullmatch(name) is not None and _HOUSEKEEPING.search(name) is None


def call(m: Machine, node: e.Call, values: tuple[Value, ...]) -> Value:
    """The effects of a call of such a library, and its status."""
    name = node.name.removesuffix("_v2")
    first = values[0] if values else UNKNOWN
    if _CREATES.fullmatch(name) and isinstance(first, Address):
        made = Handle("library", named(m, node, first, "library"))
        m.library_streams.pop(made.name, None)
        m.results_on_device.discard(made.name)
        m.state.store(first, made, _HANDLE_BYTES)
        _record(m, node, values[1:], "other")
    elif isinstance(first, Handle) and first.kind == "library":
        _with_handle(m, node, name, first.name, values[1:])
    else:
        for value in values:
            m.forget(value)
        _record(m, node, values, "other")
    return 0 if isinstance(node.type, t.Scalar) else UNKNOWN


def device_wide(m: Machine, node: e.Call, arguments: Arguments) -> Value:
    """An algorithm of CUB is queued on the stream that it is handed. Without temporary storage it says only
    how much of that it needs.
    """
    values = tuple(value for value, _ in arguments)
    if len(values) > 1 and isinstance(node.arguments[0].type, t.Pointer):
        size = arguments[1][1]
        if isinstance(size, Address):
            m.state.store(size, UNKNOWN, 8)
        if values[0] == 0:
            return 0
    work(m, node, arguments)
    for value in values:
        if m.space(value) not in _SHARED:
            m.forget_numbers(value)
    streams = [value for value in values if isinstance(value, Handle) and value.kind == "stream"]
    _record(m, node, values, "library", stream_name(m, streams[-1] if streams else 0))
    return 0


def _with_handle(m: Machine, node: e.Call, name: str, handle: str, values: tuple[Value, ...]) -> None:
    given = values[0] if values else UNKNOWN
    if _SETS_STREAM.fullmatch(name):
        m.library_streams[handle] = stream_name(m, given)
    elif name == "cublasSetPointerMode":
        m.results_on_device.discard(handle)
        if given == _ON_DEVICE:
            m.results_on_device.add(handle)
    elif computes(name):
        for value in values:
            if m.space(value) not in _SHARED:
                m.forget_numbers(value)
        stream = m.library_streams.get(handle, stream_name(m, 0))
        waits = _TO_HOST.fullmatch(name) is not None and handle not in m.results_on_device
        _record(m, node, values, "library", stream, waits)
    else:
        for value in values:
            m.forget_numbers(value)
        if SEARCHES.search(name):
            m.host_work(node.name, node.span)


def _record(
    m: Machine,
    node: e.Call,
    values: tuple[Value, ...],
    kind: str,
    stream: str = "unknown",
    waits: bool = False,
) -> None:
    touched = sorted({number for value in values for number in candidates(value)})
    name = node.qualified if is_device_wide(node) else node.name
    made = m.call(kind, name, node.span, stream)
    m.record_with(made, expression=node, arguments=tuple(touched), blocking=waits)
