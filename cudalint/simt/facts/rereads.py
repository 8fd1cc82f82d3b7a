"""How often a block loads the same bytes: loads of global memory in loops whose warps ask for what other
warps of the block ask for in the same iteration, in one run.

What the lanes of one request share is merged by the hardware and counts once.
"""

import numpy as np
from msgspec import Struct, field

from cudalint.cuda.spaces import Operation, Space
from cudalint.cuda.warp import WARP
from cudalint.ir import expressions as e
from cudalint.simt.facts.fact import Fact, KernelRuns
from cudalint.simt.launch.configuration import Configuration
from cudalint.simt.requests.transactions import distinct
from cudalint.simt.threads.watchers import AccessEvent, Watcher
from cudalint.simt.values.lanes import BY_BLOCK, BY_WARP
from cudalint.simt.values.memory import Memory
from cudalint.source.span import Span

_EACH = 2  # executions of a load that are looked at
_WIDEST = 64  # bytes of one


class Reread(Struct, frozen=True):
    """A load in a loop that several warps of a block make of the same bytes per iteration, from memory that
    the kernel never writes; the numbers of the run with the fewest repetitions.
    """

    span: Span
    buffer: str
    times: float  # requests per byte of a block in one iteration
    warps: int  # of the block that load
    bytes: int  # distinct bytes per iteration
    configuration: Configuration


class Loads(Struct):
    """A load in a loop."""

    node: e.Expression
    memory: Memory
    looked: int = 0
    times: float | None = None  # fewest requests per byte of a block in one iteration; None if unknown
    warps: int = 0  # of the block that load
    bytes: int = 0  # distinct bytes


class Rereads(Watcher):
    """The watcher of one run. written: objects, by number, that are written at places that are not known;
    unknown: anything may be.
    """

    loads: dict[int, Loads] = field(default_factory=dict)
    written: set[int] = field(default_factory=set)
    unknown: bool = False
    _depth: int = 0

    def access(self, touch: AccessEvent) -> None:
        memory = touch.memory
        if not self._depth or touch.operation != "load" or memory.space != "global" or memory.written:
            return
        if memory.host:  # another matter: host_reads.py
            return
        loads = self.loads.setdefault(id(touch.node), Loads(touch.node, memory))
        if loads.looked >= _EACH or touch.width > _WIDEST:
            return
        loads.looked += 1
        found = [self._count(touch, sample) for sample in self._looked_at()]
        if loads.memory is not memory or touch.free & (BY_WARP | BY_BLOCK) or None in found:
            loads.looked, loads.times = _EACH, None
            return
        for times, warps, size in (one for one in found if one is not None):
            if loads.times is None or times < loads.times:
                loads.times, loads.warps, loads.bytes = times, warps, size

    def _looked_at(self) -> tuple[int, ...]:
        """A block that is none of the grid's first ones, under the first and the last valuation."""
        blocks = len(self.samples.blocks)
        inner = min(1, blocks - 1)
        return tuple(sorted({inner, (self.samples.valuations - 1) * blocks + inner}))

    def _count(self, touch: AccessEvent, sample: int) -> tuple[float, int, int] | None:
        """(how often a byte is loaded, by how many warps, different bytes) in one block."""
        here = slice(sample * self.samples.padded, (sample + 1) * self.samples.padded)
        on = touch.mask[here]
        if touch.doubt is not None:
            on = on & ~touch.doubt[here]
        rows = on.reshape(-1, WARP)
        warps = int(rows.any(axis=1).sum())
        if not warps:
            return None
        if not isinstance(touch.addresses, np.ndarray):
            return float(warps), warps, touch.width
        lanes = touch.addresses[here]
        asked = int(distinct(lanes.reshape(-1, WARP), rows).sum())
        different = len(np.unique(lanes[on]))
        return asked / different, warps, different * touch.width

    def lost(self, operation: Operation, space: Space | None, memory: Memory | None) -> None:
        if operation == "load" or space == "shared":
            return
        if memory is not None:
            self.written.add(memory.number)
        else:
            self.unknown = True

    def unseen(self) -> None:
        self.unknown = True

    def enter_loop(self) -> None:
        self._depth += 1

    def leave_loop(self, cut: bool) -> None:
        self._depth -= 1

    def repeated(self, least: float) -> dict[Span, Loads]:
        """By place, the loads of what the kernel never writes that repeat so often, in all of the place's
        calls.
        """
        found: dict[Span, Loads] = {}
        other: set[Span] = set()
        for loads in () if self.unknown else self.loads.values():
            span = loads.node.span
            kept = loads.times is not None and loads.times >= least
            if not kept or loads.memory.written or loads.memory.number in self.written:
                other.add(span)
            else:
                found.setdefault(span, loads)
        return {span: loads for span, loads in found.items() if span not in other}


_LEAST = 2.0


def rereads(runs: list[tuple[Rereads, Configuration]]) -> tuple[Reread, ...]:
    """What every run shows, as in the one that shows it least."""
    if not runs:
        return ()
    tables = [(seen.repeated(_LEAST), configuration) for seen, configuration in runs]
    first, *rest = [table for table, _ in tables]
    return tuple(
        _fact(*min(((table[span], shape) for table, shape in tables), key=lambda one: one[0].times or 0.0))
        for span in first
        if all(span in table for table in rest)
    )


def _fact(loads: Loads, configuration: Configuration) -> Reread:
    name, times = loads.memory.name, loads.times or 0.0
    return Reread(loads.node.span, name, times, loads.warps, loads.bytes, configuration)


def _conclude(kernel: KernelRuns) -> tuple[tuple[Reread, ...]]:
    seen = [(run.seen(Rereads), run.plan.configuration) for run in kernel.runs]
    return (rereads(seen) if kernel.whole else (),)


FACT = Fact(of=(Reread,), conclude=_conclude, watch=(Rereads,))
