"""How often a block loads the same bytes of global memory: what its warps ask for in all their requests,
against the different bytes of it.

What the lanes of one request share is merged by the hardware and counts once; what a thread loads again from
the same address may stay in a register and counts once, too. So the number is a lower bound.
"""

from collections import Counter
from typing import ClassVar

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from cudalint.cuda.spaces import Operation, Space
from cudalint.cuda.warp import WARP
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.simt.facts.accesses.complete import complete
from cudalint.simt.facts.fact import Fact, KernelRuns
from cudalint.simt.launch.configuration import Configuration
from cudalint.simt.launch.kernel_run import Run
from cudalint.simt.threads.watchers import AccessEvent, Watcher, granule
from cudalint.simt.values.different import different
from cudalint.simt.values.lanes import BY_BLOCK, BY_WARP
from cudalint.simt.values.memory import Memory
from cudalint.simt.values.samples import Samples
from cudalint.source.span import Span

_MOST = 1024  # executions of loads that are looked at in a block
_LEAST = 2.0  # requests per byte: fewer are what tiles share at their edges
_HELD = 64  # requests of a block whose values its threads are taken to hold
_WARP_BIT = 44  # above the bytes of any object
_GROWN = 0.75  # of the number that the second half adds to
_BELOW = 1 << 43  # so that places before the start of an object count, too


class Reread(Struct, frozen=True):
    """A load of bytes that its block loads repeatedly, there or elsewhere, from memory that the kernel never
    writes; the numbers of the run with the fewest repetitions.
    """

    span: Span
    buffer: str
    times: float  # requests of the block per byte that it loads here
    warps: int  # of the block that load here
    bytes: int  # different ones, in the iterations that were run
    configuration: Configuration
    object_bytes: int = 0  # of all the memory that it is in; 0: nobody knows
    fixed: bool = False  # all blocks that were run load the same bytes
    growing: bool = False  # the number grows with iterations of which nobody knows how many there are
    share: float = (
        1.0  # of the requests made here, those for such bytes; a function may load other things, too
    )
    calls: tuple[Span, ...] = ()  # of the kernel's, by which it comes to such bytes

    @property
    def spare(self) -> float:
        """The part of the requests made here that repeats what the block has loaded."""
        return self.share * (1 - 1 / self.times)


class _Block(Struct):
    """What one block loads of one object. places: by place of the source, what each request of a warp asks
    for, in granules; held: by thread, what the first requests gave, -1 for nothing.
    """

    threads: int  # of a block, in whole warps
    seen: set[int] = field(default_factory=set)
    places: dict[Span, list[np.ndarray]] = field(default_factory=dict)
    warps: dict[Span, set[int]] = field(default_factory=dict)
    moved: set[Span] = field(default_factory=set)  # where another block loads something else
    held: list[np.ndarray] = field(default_factory=list)

    def add(self, span: Span, lanes: np.ndarray, threads: np.ndarray) -> None:
        """One execution. lanes: granules, by lane and piece of its element; threads: that load them."""
        key = hash((lanes.tobytes(), threads.tobytes()))
        if key in self.seen or len(self.seen) >= _MOST:
            return
        self.seen.add(key)
        fresh = self._fresh(lanes[:, 0], threads)
        if not fresh.any():
            return
        lanes, rows = lanes[fresh], threads[fresh] // WARP
        found = different((rows[:, None] << _WARP_BIT) + lanes)
        self.places.setdefault(span, []).append(found & ((1 << _WARP_BIT) - 1))
        self.warps.setdefault(span, set()).update(different(rows).tolist())

    def _fresh(self, first: np.ndarray, threads: np.ndarray) -> np.ndarray:
        """Which of them do not hold it already. Where all threads load, they hold all of it or none."""
        fresh = np.ones(len(threads), dtype=bool)
        if self.held and len(threads) < self.threads:
            fresh = ~(np.array(self.held)[:, threads] == first).any(axis=0)
        if len(self.held) < _HELD:
            given = np.full(self.threads, -1, dtype=np.int64)
            given[threads] = first
            self.held.append(given)
        return fresh

    def grows(self, span: Span, times: float) -> bool:
        """Whether the first half of what is executed loads a byte less often, as windows that move on do."""
        halves = {place: parts[: -(-len(parts) // 2)] for place, parts in self.places.items()}
        return _times(halves)[span][0] < _GROWN * times

    def times(self) -> dict[Span, tuple[float, int]]:
        """(requests per granule, different granules) of each load."""
        return _times(self.places)


def _times(places: dict[Span, list[np.ndarray]]) -> dict[Span, tuple[float, int]]:
    """(requests per granule, different granules) of each load."""
    own = {span: different(np.concatenate(parts)) for span, parts in places.items()}
    asked = [part for parts in places.values() for part in parts]
    known, counts = np.unique(np.concatenate(asked), return_counts=True)
    return {
        span: (float(counts[np.searchsorted(known, found)].mean()), len(found)) for span, found in own.items()
    }


class Rereads(Watcher):
    """The watcher of one run. loose: objects, by number, of which not all loads have known places; stored:
    that stores without a place may change; unknown: these may be any. within: loops that are run, by
    identity; loops: those that each load stands in; asked: requests of each load, by object; calls:
    of the kernel's, by which each load comes to each object.
    """

    on_untaken_paths: ClassVar[bool] = True

    memories: dict[int, Memory] = field(default_factory=dict)
    blocks: dict[tuple[int, int], _Block] = field(default_factory=dict)  # by object and sample
    loose: set[int] = field(default_factory=set)
    stored: set[int] = field(default_factory=set)
    unknown: bool = False
    within: list[int] = field(default_factory=list)
    loops: dict[Span, set[int]] = field(default_factory=dict)
    asked: dict[Span, Counter[int]] = field(default_factory=dict)
    calls: dict[tuple[Span, int], list[Span]] = field(default_factory=dict)

    def enter_loop(self, node: s.Loop) -> None:
        self.within.append(id(node))

    def leave_loop(self, cut: bool) -> None:
        self.within.pop()

    def access(self, event: AccessEvent) -> None:
        memory = event.memory
        if event.operation != "load" or memory.space != "global":
            return
        warps = int(np.count_nonzero(event.mask.reshape(-1, WARP).any(axis=1)))
        self.asked.setdefault(event.node.span, Counter())[memory.number] += warps
        if memory.written or memory.host:
            return
        if event.free & (BY_WARP | BY_BLOCK) or event.volatile:
            self.loose.add(memory.number)
            return
        self.memories[memory.number] = memory
        self._called(event)
        self.loops.setdefault(event.node.span, set()).update(self.within)
        size = granule(memory)
        pieces = np.arange(max(1, event.width // size))
        addresses = event.each
        for sample in looked_at(self.samples):
            here = slice(sample * self.samples.padded, (sample + 1) * self.samples.padded)
            active = np.nonzero(event.sure[here])[0]
            if len(active):
                block = self.blocks.setdefault((memory.number, sample), _Block(self.samples.padded))
                first = (addresses[here][active] - memory.base) // size + _BELOW
                block.add(event.node.span, first[:, None] + pieces, active)
                if event.node.span not in block.moved and moves(self.samples, addresses, sample, active):
                    block.moved.add(event.node.span)

    def _called(self, event: AccessEvent) -> None:
        known = self.calls.setdefault((event.node.span, event.memory.number), [])
        if event.call is not None and event.call not in known:
            known.append(event.call)

    def lost(
        self, node: e.Expression, operation: Operation, space: Space | None, memory: Memory | None
    ) -> None:
        if operation == "load" or space == "shared":
            return
        if memory is not None:
            self.stored.add(memory.number)
        else:
            self.unknown = True

    def unseen(self) -> None:
        self.unknown = True

    def repeated(self, configuration: Configuration, open_: frozenset[int]) -> dict[Span, Reread]:
        """The loads of what the kernel never writes that repeat under both valuations, in all their calls;
        of a load that several objects go through, those that repeat. open_: loops, by identity, of which
        nobody knows how many iterations they make.
        """
        found: dict[tuple[Span, int], Reread] = {}
        other: set[tuple[Span, int]] = set()
        for (number, _), block in self.blocks.items():
            memory = self.memories[number]
            changed = memory.written or self.unknown or number in self.stored
            lost = number in self.loose or (changed and not memory.read_only)
            for span, (times, places) in block.times().items():
                here = span, number
                if lost or times < _LEAST:
                    other.add(here)
                elif here not in found or times < found[here].times:
                    size = places * granule(memory)
                    warps = len(block.warps[span])
                    fixed = span not in block.moved
                    growing = bool(self.loops[span] & open_) and block.grows(span, times)
                    found[here] = Reread(
                        span, memory.name, times, warps, size, configuration, memory.bytes, fixed, growing
                    )
        return self._by_place({here: one for here, one in found.items() if here not in other})

    def _by_place(self, found: dict[tuple[Span, int], Reread]) -> dict[Span, Reread]:
        """One for each load: of the objects that repeat there, the one that does so least."""
        places: dict[Span, list[int]] = {}
        for span, number in found:
            places.setdefault(span, []).append(number)
        shown: dict[Span, Reread] = {}
        for span, numbers in places.items():
            asked = self.asked[span]
            share = sum(asked[number] for number in numbers) / max(1, asked.total())
            least = min((found[span, number] for number in numbers), key=lambda one: one.times)
            calls = (call for number in numbers for call in self.calls[span, number])
            shown[span] = replace(least, share=share, calls=tuple(dict.fromkeys(calls)))
        return shown


def looked_at(samples: Samples) -> tuple[int, ...]:
    """A block that is none of the grid's first ones, under the first and the last valuation."""
    blocks = len(samples.blocks)
    inner = min(1, blocks - 1)
    return tuple(sorted({inner, (samples.valuations - 1) * blocks + inner}))


def moves(samples: Samples, addresses: np.ndarray, sample: int, active: np.ndarray) -> bool:
    """Whether the same threads of the first block ask for other places. active: threads of the sample."""
    start = sample - sample % len(samples.blocks)
    one, other = (addresses[number * samples.padded + active] for number in (start, sample))
    return bool((one != other).any())


def _repeated(run: Run) -> dict[Span, Reread]:
    sites = run.machine.recorder.branches.values()
    loops = (site for site in sites if site.kind == "loop" and (site.free or site.unknown or site.uncounted))
    return run.seen(Rereads).repeated(run.plan.configuration, frozenset(id(site.statement) for site in loops))


def _conclude(kernel: KernelRuns) -> tuple[tuple[Reread, ...]]:
    """What every run shows, as in the one that shows it least; what none comes to, as a run shows it that is
    sent there.
    """
    if not kernel.ended or not kernel.runs:
        return ((),)
    tables = [_repeated(run) for run in kernel.runs]
    spans = [span for span in tables[0] if all(span in table for table in tables)]
    found = {span: min((table[span] for table in tables), key=lambda one: one.times) for span in spans}
    met = {
        span for run in kernel.runs for block in run.seen(Rereads).blocks.values() for span in block.places
    }
    for run in kernel.once(complete).irregular:
        if run.machine.contents is None:
            sent = _repeated(run)
            found |= {span: one for span, one in sent.items() if span not in met}
    return (tuple(found.values()),)


FACT = Fact(of=(Reread,), conclude=_conclude, watch=(Rereads,))
