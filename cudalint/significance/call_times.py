"""How long a call of the host takes: itself, and the work that it queues.

Copies go by their bytes over the link, kernels by the roofline of their launch. What is not known (a size,
how busy memory is) is an end of what may be: `Assumed` says which end is taken.
"""

from collections.abc import Mapping

import numpy as np
from msgspec import Struct

from cudalint.analyses.once import once
from cudalint.gpu.throughput import Throughput
from cudalint.host.facts import PINNED, Buffer, HostCall, HostFacts, LaunchFact
from cudalint.host.shape import as_run, blocks, threads
from cudalint.host.timeline import Cost, Costs, Engine
from cudalint.host.walks import GUESSED
from cudalint.ir.unit import Unit
from cudalint.significance import roofline, saving
from cudalint.significance.unknowns import UNKNOWNS
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.workload import Workload

# Measured on one H200 with PCIe 5; the pages of the rules on copies tell how.
_PINNED = 55e9  # bytes a second over the link
_PAGEABLE = 8e9, 19e9  # the same, staged, at least and at most (H100 and H200 of several hosts)
_COHERENT = 8.0  # times that: NVLink-C2C, 450 GB/s in each direction as published
_INSIDE = 1.6e12  # bytes a second of a copy inside the device: each is read and written
_QUEUED = 2.2e-6  # seconds of the host for a call that queues work
_COPY = 1.5e-6  # seconds of a copy of a few bytes
_WAIT = 4.0e-6  # seconds of the host for a wait, besides the wait itself
_BLOCKED = (0.0, 8e-6)  # seconds of the host to be woken by a blocking copy: at least, at most
_ALLOCATION = 6e-6, 45e-6  # of cudaMalloc and of cudaFree: from memory that is mapped already, and to map it
_MAPPED = 1e-6 / (2 << 20)  # seconds more for each byte of either, by 2 MiB at a time
_TEMPORARY = 2e-6, 37e-6  # the same of Thrust's own memory: from pages that are held anyway, and alone
_PINNING = 300e-6  # of cudaMallocHost and of cudaFreeHost, of a small buffer
_CREATION = 1.5e-6  # of a stream
_OTHER = 0.5e-6  # events, and what else returns at once
_ROOM = 1024  # threads for each multiprocessor, half of what it holds
_LIBRARY = 20  # times the time that its data takes, what a call of a library takes at most
_BLOCK = 256  # threads of a block, where the source does not say
_BY_HOST = 4e9  # bytes a second that a loop of the host works through: chosen, not measured
_WORD = 4  # bytes of an element, where the kernel does not say


class Assumed(Struct, frozen=True):
    """What is taken where the source does not say. size: bytes of a copy or a buffer; scale: times the size
    that the program has without words on its command line, where that is known; slow: what kernels take,
    from the least that the roofline allows (0) to the most (1); link: times the rate of PCIe 5; host: what
    the host takes for copies and allocations, from the least (0) to the most (1).
    """

    size: int
    scale: float
    slow: float
    link: float = 1.0
    host: float = 0.5

    def taken(self, ends: tuple[float, float]) -> float:
        """Seconds of the host."""
        least, most = ends
        return least + (most - least) * self.host


class Program(Struct, frozen=True):
    """What the costs of a program's calls rest on."""

    host: HostFacts
    kernels: tuple[KernelFacts, ...]
    unit: Unit
    rates: Throughput

    def sizes(self) -> dict[int, int]:
        """Bytes of buffers that hang on what nobody knows, by a sample of it."""
        made = [call for call in self.host.calls if call.kind == "allocate"]
        return {
            call.destination.id: call.sample
            for call in made
            if call.destination is not None and call.bytes is None and call.sample is not None
        }


_TOLD = 4096  # calls whose costs are kept
_USUAL = Assumed(4 << 20, 1.0, 0.5, host=0.0)
_SIZES, _SCALES = (64 << 10, 64 << 20), (1 / 16, 4.0)
HOSTS = 16  # draws
_FEW = 0.9  # of the hosts are linked by PCIe


def _drawn() -> list[Assumed]:
    draws = np.stack([row[:HOSTS, 0] for row in (UNKNOWNS.far, UNKNOWNS.missed, UNKNOWNS.apart)], axis=1)
    others = np.stack([row[:HOSTS, 0] for row in (UNKNOWNS.filled, UNKNOWNS.compiled)], axis=1)
    return [
        Assumed(
            size=int(_SIZES[0] * (_SIZES[1] / _SIZES[0]) ** size),
            scale=_SCALES[0] * (_SCALES[1] / _SCALES[0]) ** scale,
            slow=slow,
            link=1.0 if link < _FEW else _COHERENT,
            host=host,
        )
        for (size, scale, slow), (link, host) in zip(draws.tolist(), others.tolist(), strict=True)
    ]


_CORNERS = [
    Assumed(size, scale, slow, link, host)
    for size, scale in zip(_SIZES, _SCALES, strict=True)
    for slow in (0.0, 1.0)
    for link, host in ((1.0, 0.0), (1.0, 1.0), (_COHERENT, 0.0))
]


def ends(program: Program) -> list[Costs]:
    """What each call costs, in each draw of what the source does not say, then with all of it at an end."""
    if not _kept or not _same(_kept[0][0], program):
        _kept[:] = [(program, [costs(program, one) for one in (*_drawn(), *_CORNERS)])]
    return _kept[0][1]


_kept: list[tuple[Program, list[Costs]]] = []  # of the program that was asked about last


def _same(one: Program, other: Program) -> bool:
    parts = ((one.host, other.host), (one.kernels, other.kernels), (one.unit, other.unit))
    return all(mine is theirs for mine, theirs in parts) and one.rates == other.rates


def costs(program: Program, assumed: Assumed) -> Costs:
    """What each call costs under one assumption."""
    kernels = {kernel.function.key: kernel for kernel in program.kernels}
    sizes, rates = program.sizes(), program.rates
    known: dict[object, Cost] = {}
    told: dict[int, tuple[HostCall, Cost]] = {}

    def of(call: HostCall) -> Cost:
        launch = call.launch
        if call.kind != "launch" or launch is None:
            if id(call) not in told:
                if len(told) >= _TOLD:
                    told.clear()
                told[id(call)] = call, _of_call(call, rates, assumed)
            return told[id(call)][1]
        if launch not in known:
            kernel = kernels.get(launch.key or "")
            grid = _grid(launch, program, assumed, sizes)
            seconds, sure = kernel_seconds(launch, kernel, program, assumed, sizes)
            room = rates.multiprocessors * _ROOM
            engine: Engine = "kernels" if grid * (threads(launch) or _BLOCK) >= room else ""
            known[launch] = Cost(_QUEUED, max(seconds, rates.launch), engine, sure)
        return known[launch]

    return of


def usual(program: Program) -> Costs:
    """Costs for a picture: kernels take the geometric mean of their ends, the host as little as it may."""
    return costs(program, _USUAL)


def _of_call(call: HostCall, rates: Throughput, assumed: Assumed) -> Cost:
    moved = _bytes(call.bytes, call.sample, assumed)
    sure = call.bytes is not None
    match call.kind:
        case "copy" if call.direction == "HtoD":
            return Cost(_issue(call, assumed), _COPY + moved / _link(call, assumed), "HtoD", sure)
        case "copy" if call.direction == "DtoH":
            return Cost(_issue(call, assumed), _COPY + moved / _link(call, assumed), "DtoH", sure)
        case "copy":
            return Cost(_QUEUED, _COPY + moved / _INSIDE, "", sure)
        case "memset":
            return Cost(_QUEUED, _COPY + moved / rates.dram, "", sure)
        case "library":
            once = assumed.size / rates.dram
            whole = assumed.size // _WORD >= rates.multiprocessors * _ROOM
            seconds = once * _LIBRARY**assumed.slow
            fills = (
                whole and assumed.slow <= 0.5
            )  # one that takes long for its data may leave room for others
            return Cost(2 * _QUEUED, max(seconds, rates.launch), "kernels" if fills else "", False)
        case "synchronise":
            return Cost(_WAIT)
        case "allocate" | "free":
            return _of_memory(call, assumed)
        case "stream-create" | "stream-destroy":
            return Cost(_CREATION)
        case "host-work":
            return Cost(_OTHER + _of_host(call, rates, assumed), known=False)
    return Cost(_OTHER)


def _of_host(call: HostCall, rates: Throughput, assumed: Assumed) -> float:
    """Seconds of code that was not run, which may queue work, and of a loop that works through data."""
    if call.unseen:
        return assumed.slow * _LIBRARY * assumed.size / rates.dram
    return assumed.slow * assumed.size / _BY_HOST if call.name == "loop" else 0.0


def _of_memory(call: HostCall, assumed: Assumed) -> Cost:
    """Of memory that is made or given back: a call that waits for the device gives it back after that."""
    if "Async" in call.name:
        return Cost(_OTHER)
    if call.destination is None and call.name.startswith("thrust::"):
        return Cost(assumed.taken(_TEMPORARY))
    known = call.bytes if call.destination is None else call.destination.bytes
    mapped = _bytes(known, call.sample, assumed) * _MAPPED
    seconds = _PINNING if "Host" in call.name else assumed.taken(_ALLOCATION) + mapped
    return Cost(_OTHER, seconds) if call.kind == "free" and call.blocking else Cost(seconds)


def _bytes(known: int | None, sample: int | None, assumed: Assumed) -> float:
    if known is not None:
        return float(known)
    guessed = sample is None or sample < GUESSED
    return float(assumed.size) if guessed or sample is None else sample * assumed.scale


def _link(call: HostCall, assumed: Assumed) -> float:
    staged = _PAGEABLE[0] * (_PAGEABLE[1] / _PAGEABLE[0]) ** (1 - assumed.host)
    return (_PINNED if call.host_space in PINNED else staged) * assumed.link


def _issue(call: HostCall, assumed: Assumed) -> float:
    """Seconds of the host for a copy, besides the copy."""
    return _QUEUED + (assumed.taken(_BLOCKED) if call.blocking else 0.0)


def kernel_seconds(
    launch: LaunchFact,
    kernel: KernelFacts | None,
    program: Program,
    assumed: Assumed,
    sizes: Mapping[int, int],
) -> tuple[float, bool]:
    """Of one launch, and whether its shape is known and its kernel was run."""
    rates, count = program.rates, _grid(launch, program, assumed, sizes)
    touched = [_bytes(one.bytes, sizes.get(one.id), assumed) for one in _buffers(launch)]
    works = () if kernel is None else [w for w in kernel.of(Workload) if not w.forced]
    mine = [work for work in works if work.configuration.block == launch.block] or works
    if kernel is None or not mine:
        once = (sum(touched) or assumed.size) / rates.dram
        return once * _LIBRARY**assumed.slow, False
    least, most = [], []
    for work in mine:
        short, long = _clocks(work, kernel, program)
        turns = _turns(work, count, rates) / rates.clock
        least.append(short * turns)
        most.append(long * turns)
    return min(least) ** (1 - assumed.slow) * max(most) ** assumed.slow, blocks(launch) is not None


def _turns(work: Workload, blocks_: float, rates: Throughput) -> float:
    """How often the device is filled with blocks. Those that share out the iterations of a loop fill it with
    as many as it holds, each with the less to do.
    """
    held = roofline.resident(work, rates) * rates.multiprocessors
    return work.shared_out / held if work.shared_out else max(1.0, blocks_ / held)


def _clocks(work: Workload, kernel: KernelFacts, program: Program) -> tuple[float, float]:
    """Of as many blocks as run at a time: at least, where parts overlap, and at most, where they do not."""
    known = _found(program.unit, work)
    if program.rates not in known:
        ends = []
        for end, pick in ((roofline.slow_memory, np.min), (roofline.fast_memory, np.max)):
            given = end(work, program.rates)
            each = saving.clocks(work, kernel, program.unit, program.rates, given)
            ends.append(float(pick(roofline.time(each, work, given, program.rates))))
        known[program.rates] = ends[0], ends[1]
    return known[program.rates]


@once
def _found(unit: Unit, work: Workload) -> dict[Throughput, tuple[float, float]]:
    """What `_clocks` has found so far."""
    return {}


def _grid(launch: LaunchFact, program: Program, assumed: Assumed, sizes: Mapping[int, int]) -> float:
    """Blocks of a launch; where nobody knows, those of the program as it is run, or else a thread for each
    element of its largest buffer.
    """
    known = blocks(launch)
    if known is None:
        known = blocks(as_run(launch, program.host.defaults))
        if known is not None:
            return max(1.0, known * assumed.scale)
    touched = [_bytes(one.bytes, sizes.get(one.id), assumed) for one in _buffers(launch)]
    threaded = max(touched, default=float(assumed.size)) / (_WORD * (threads(launch) or _BLOCK))
    return known or max(1.0, threaded)


def _buffers(launch: LaunchFact) -> list[Buffer]:
    return [one.buffer for one in launch.arguments or () if one.buffer is not None]
