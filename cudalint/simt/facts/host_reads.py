"""How often a kernel loads the same bytes of host memory that it reaches over the bus, in one run.

Loads of one place are looked at together. What the threads of a block ask for in one iteration counts once,
and so does what they ask for again in the next one: it is in a register or in the first-level cache.
"""

import numpy as np
from msgspec import Struct, field

from cudalint.ir import expressions as e
from cudalint.ir.render import render
from cudalint.simt.facts.fact import Fact, KernelRuns
from cudalint.simt.launch.configuration import Configuration
from cudalint.simt.threads.watchers import AccessEvent, Watcher
from cudalint.simt.values.different import different
from cudalint.simt.values.lanes import BY_BLOCK, BY_WARP
from cudalint.simt.values.memory import Memory
from cudalint.source.span import Span

_EACH = 256  # executions of a load that are looked at
_FEW_BYTES = 128  # a parameter, or a flag that is waited for


class HostRead(Struct, frozen=True):
    """A load of mapped host memory, and how often it loads the same bytes."""

    span: Span
    expression: str
    buffer: str
    times: float  # loads of a byte by the blocks run, at least; once per block and iteration
    configuration: Configuration


class _Loads(Struct):
    """The loads of one place."""

    node: e.Expression
    memory: Memory
    executed: int = 0
    last: np.ndarray | int = 0
    places: list[np.ndarray] = field(default_factory=list)  # addresses, once per block and execution

    def times(self) -> float:
        """How often each address is loaded; 0 if there are only a few."""
        many = len(different(np.concatenate(self.places))) if self.places else 0
        asked = sum(len(some) for some in self.places)
        return asked / many if many * self.node.type.bytes >= _FEW_BYTES else 0.0


class HostReads(Watcher):
    """The watcher of one run."""

    loads: dict[int, _Loads] = field(default_factory=dict)

    def access(self, touch: AccessEvent) -> None:
        if not touch.memory.host or touch.operation != "load" or touch.free & (BY_WARP | BY_BLOCK):
            return
        loads = self.loads.setdefault(id(touch.node), _Loads(touch.node, touch.memory))
        loads.executed += 1
        if loads.executed > _EACH or (loads.executed > 1 and np.array_equal(loads.last, touch.addresses)):
            return
        loads.last = touch.addresses
        on = touch.mask if touch.doubt is None else touch.mask & ~touch.doubt
        addresses = np.broadcast_to(np.asarray(touch.addresses), on.shape)
        for block in range(len(self.samples.blocks)):  # of the first valuation
            here = slice(block * self.samples.padded, (block + 1) * self.samples.padded)
            if on[here].any():
                loads.places.append(different(addresses[here][on[here]]))


def host_reads(runs: list[tuple[HostReads, Configuration]]) -> tuple[HostRead, ...]:
    """The places that load host memory, each as in the run that shows the fewest loads of a byte."""
    found: dict[Span, HostRead] = {}
    for seen, configuration in runs:
        for loads in seen.loads.values():
            span, times = loads.node.span, loads.times()
            if span not in found or times < found[span].times:
                found[span] = HostRead(span, render(loads.node), loads.memory.name, times, configuration)
    return tuple(found.values())


def _conclude(kernel: KernelRuns) -> tuple[tuple[HostRead, ...]]:
    return (host_reads([(run.seen(HostReads), run.plan.configuration) for run in kernel.runs]),)


FACT = Fact(of=(HostRead,), conclude=_conclude, watch=(HostReads,))
