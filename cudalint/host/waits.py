"""Where the host may have waited for the device: told generously, so that what is left has surely no wait."""

from collections.abc import Sequence

from cudalint.host.facts import PINNED, HostCall

_GOES_ON = frozenset(
    """cudaSetDevice cudaGetDevice cudaGetDeviceCount cudaGetDeviceProperties cudaDeviceGetAttribute
    cudaDeviceGetStreamPriorityRange cudaDeviceSetCacheConfig cudaFuncSetAttribute cudaFuncSetCacheConfig
    cudaFuncGetAttributes cudaMemAdvise cudaEventElapsedTime cudaGraphLaunch cudaLaunchHostFunc
    cudaStreamAddCallback cudaStreamBeginCapture cudaStreamEndCapture cudaGetSymbolAddress cudaMemGetInfo
    cudaGetSymbolSize cudaBindTexture cudaUnbindTexture cudaCreateTextureObject cudaDestroyTextureObject
    cudaOccupancyMaxActiveBlocksPerMultiprocessor cudaOccupancyMaxPotentialBlockSize cudaRuntimeGetVersion
    cudaDriverGetVersion cudaPointerGetAttributes cudaGetErrorString cudaGetErrorName cudaGetLastError
    cudaPeekAtLastError cudaEventCreate cudaEventCreateWithFlags cudaEventDestroy""".split()
)  # calls that return at once, whatever the device does
_SHARED = ("default", "per-thread", "unknown")


def may_have_waited(calls: Sequence[HostCall], work: HostCall, order: int) -> bool:
    """Whether the host may have waited for the work of a call by the time it comes to the call at `order`.

    calls: those of one walk, in order.
    """
    return any(may_wait_for(calls, call, work) for call in calls[work.order + 1 : order])


def may_wait_for(calls: Sequence[HostCall], call: HostCall, work: HostCall) -> bool:
    """Whether a call, itself, may wait for queued work of its time."""
    if call.unseen:
        return True
    match call.kind:
        case "synchronise":
            return _covers(calls, call, work)
        case "copy":
            return call.blocking or (call.direction != "DtoD" and call.host_space not in PINNED)
        case "memset":
            return call.blocking
        case "allocate" | "free":
            return "Async" not in call.name
        case "other" | "library":
            return call.name not in _GOES_ON and not call.name.endswith("Async")
    return False


def _covers(calls: Sequence[HostCall], wait: HostCall, work: HostCall) -> bool:
    """Whether a synchronisation may be one for that work: not one for another stream, or an older event."""
    if "Event" in wait.name:
        records = [c for c in calls[: wait.order] if c.kind == "event-record" and c.event == wait.event]
        return not wait.event or "?" in wait.event or not records or records[-1].order >= work.order
    if "Stream" not in wait.name or wait.stream == work.stream:
        return True
    if any(stream in _SHARED or "?" in stream for stream in (wait.stream, work.stream)):
        return True
    return any(call.kind == "event-wait" for call in calls[work.order : wait.order])
