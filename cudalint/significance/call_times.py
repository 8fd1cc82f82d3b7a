"""How long a call of the host takes: itself, and the work that it queues.

Copies go by their bytes over the link, kernels by the roofline of their launch. What is not known (a size,
how busy memory is) is an end of what may be: `Assumed` says which end is taken.
"""

from collections.abc import Iterable

import numpy as np
from msgspec import Struct

from cudalint.gpu.throughput import Throughput
from cudalint.host.facts import PINNED, Buffer, HostCall, LaunchFact
from cudalint.host.shape import blocks, threads
from cudalint.host.timeline import Cost, Costs, Engine
from cudalint.ir.unit import Unit
from cudalint.significance import roofline, saving
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.workload import Workload

# Measured on one H200 with PCIe 5; the pages of the rules on copies tell how.
_PINNED, _PAGEABLE = 55e9, 15e9  # bytes a second over the link
_INSIDE = 1.6e12  # bytes a second of a copy inside the device: each is read and written
_QUEUED = 2.2e-6  # seconds of the host for a call that queues work
_COPY = 1.5e-6  # seconds of a copy of a few bytes
_WAIT = 3.2e-6  # seconds of the host for a wait, besides the wait itself
_ALLOCATION = 30e-6  # of cudaMalloc and of cudaFree
_PINNING = 300e-6  # of cudaMallocHost and of cudaFreeHost, of a small buffer
_CREATION = 1.5e-6  # of a stream
_OTHER = 0.5e-6  # events, and what else returns at once
_ROOM = 1024  # threads for each multiprocessor, half of what it holds
_WORD = 4  # bytes of an element, where the kernel does not say


class Assumed(Struct, frozen=True):
    """What is taken where the source does not say. size: bytes of a copy or a buffer; slow: kernels take the
    longest that the roofline allows, else the shortest.
    """

    size: int
    slow: bool


USUAL = (Assumed(4 << 20, False), Assumed(4 << 20, True))  # for pictures: between the two
EXTREMES = tuple(Assumed(size, slow) for size in (64 << 10, 64 << 20) for slow in (False, True))


def costs(kernels: Iterable[KernelFacts], unit: Unit, rates: Throughput, assumed: Assumed) -> Costs:
    """What each call costs under one assumption."""
    known = {kernel.function.key: kernel for kernel in kernels}
    sizes: dict[object, tuple[float, bool]] = {}

    def of(call: HostCall) -> Cost:
        if call.kind != "launch" or call.launch is None:
            return _of_call(call, rates, assumed)
        if call.launch not in sizes:
            sizes[call.launch] = kernel_seconds(
                call.launch, known.get(call.launch.key or ""), unit, rates, assumed
            )
        seconds, sure = sizes[call.launch]
        engine: Engine = "kernels" if _fills(call.launch, rates) else ""
        return Cost(_QUEUED, max(seconds, rates.launch), engine, sure)

    return of


def usual(kernels: Iterable[KernelFacts], unit: Unit, rates: Throughput) -> Costs:
    """Costs for a picture: the geometric mean of the two ends where a size is not known."""
    fast, slow = (costs(kernels, unit, rates, end) for end in USUAL)

    def of(call: HostCall) -> Cost:
        one, other = fast(call), slow(call)
        between = float(np.sqrt(one.device * other.device))
        return Cost(one.host, between, one.engine, one.known)

    return of


def _of_call(call: HostCall, rates: Throughput, assumed: Assumed) -> Cost:
    size = call.bytes if call.bytes is not None else call.sample
    moved = float(size if size is not None else assumed.size)
    sure = call.bytes is not None
    match call.kind:
        case "copy" if call.direction == "HtoD":
            return Cost(_QUEUED, _COPY + moved / _link(call), "HtoD", sure)
        case "copy" if call.direction == "DtoH":
            return Cost(_QUEUED, _COPY + moved / _link(call), "DtoH", sure)
        case "copy":
            return Cost(_QUEUED, _COPY + moved / _INSIDE, "", sure)
        case "memset":
            return Cost(_QUEUED, _COPY + moved / rates.dram, "", sure)
        case "synchronise":
            return Cost(_WAIT)
        case "allocate" | "free":
            if "Async" in call.name:
                return Cost(_OTHER)
            return Cost(_PINNING if "Host" in call.name else _ALLOCATION)
        case "stream-create" | "stream-destroy":
            return Cost(_CREATION)
        case "host-work":
            return Cost(_OTHER, known=False)
    return Cost(_OTHER)


def _link(call: HostCall) -> float:
    return _PINNED if call.host_space in PINNED else _PAGEABLE


def kernel_seconds(
    launch: LaunchFact, kernel: KernelFacts | None, unit: Unit, rates: Throughput, assumed: Assumed
) -> tuple[float, bool]:
    """Of one launch, and whether its shape is known and its kernel was run. A grid that is not known is taken
    to have a thread for each element of its largest buffer.
    """
    size = max(threads(launch) or 256, 1)
    grid = blocks(launch)
    count = grid if grid else max(1, _largest(launch, assumed) // (_WORD * size))
    works = () if kernel is None else [w for w in kernel.of(Workload) if not w.forced]
    mine = [work for work in works if work.configuration.block == launch.block] or works
    if kernel is None or not mine:
        once = _touched(launch, assumed) / rates.dram
        return (20 * once if assumed.slow else once), False
    end = roofline.fast_memory if assumed.slow else roofline.slow_memory
    found = []
    for work in mine:
        given = end(work, rates)
        clocks = roofline.time(saving.clocks(work, kernel, unit, rates, given), work, given, rates)
        turns = max(1.0, count / (roofline.resident(work, rates) * rates.multiprocessors))
        found += [float(number) * turns / rates.clock for number in (np.min(clocks), np.max(clocks))]
    return (max(found) if assumed.slow else min(found)), grid is not None


def _fills(launch: LaunchFact, rates: Throughput) -> bool:
    """Whether its blocks may leave no room for those of another kernel."""
    grid, size = blocks(launch), threads(launch)
    return grid is None or size is None or grid * size >= rates.multiprocessors * _ROOM


def _buffers(launch: LaunchFact) -> list[Buffer]:
    return [one.buffer for one in launch.arguments or () if one.buffer is not None]


def _largest(launch: LaunchFact, assumed: Assumed) -> int:
    sizes = [buffer.bytes for buffer in _buffers(launch) if buffer.bytes is not None]
    return max(sizes, default=assumed.size)


def _touched(launch: LaunchFact, assumed: Assumed) -> int:
    sizes = [buffer.bytes if buffer.bytes is not None else assumed.size for buffer in _buffers(launch)]
    return sum(sizes) or assumed.size
