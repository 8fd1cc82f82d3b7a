"""Shared arrays whose elements no two threads share: which thread uses each element, in one run."""

from typing import ClassVar

import numpy as np
from msgspec import Struct, field

from cudalint.analyses.kernel_queries import is_volatile
from cudalint.analyses.trip_counts import unrolled
from cudalint.cuda.spaces import Operation, Space
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.simt.facts.accesses.complete import never_seen
from cudalint.simt.facts.empty_reads import EmptyRead
from cudalint.simt.facts.fact import Fact, KernelRuns
from cudalint.simt.launch.configuration import Configuration
from cudalint.simt.launch.kernel_run import Run
from cudalint.simt.threads.watchers import AccessEvent, Watcher, granule
from cudalint.simt.values.different import different
from cudalint.simt.values.memory import Memory
from cudalint.source.span import Span

_MOST = 1 << 18  # bytes of one object
_NOBODY = -1
_REGISTERS = 128  # bytes of a thread that may well stay in registers: 32 of 255


class PrivateArray(Struct, frozen=True):
    """A shared array whose elements are each used by one thread only: one element per thread, or several that
    constants tell apart.
    """

    span: Span  # of its declaration
    name: str
    kernel: str
    bytes: int
    threads: int  # of a block that use it
    each: int  # elements of one thread, at most
    uses: tuple[Span, ...]  # places that access it
    configuration: Configuration


# An access, by identity and the calls that lead to it, of an object, by number, in iterations written out.
_Use = tuple[int, int, tuple[Span | None, ...], tuple[int, ...]]


class _Array(Struct):
    """One shared object."""

    memory: Memory
    owner: np.ndarray  # lane by sample and granule
    reads: set[Span] = field(default_factory=set)  # places in the source
    writes: set[Span] = field(default_factory=set)

    @property
    def element(self) -> int:
        """Bytes of an element."""
        return max(self.memory.element, granule(self.memory))

    def each(self) -> int:
        """The most bytes that one thread has."""
        own = self.owner[self.owner != _NOBODY]
        return int(np.bincount(own).max()) * granule(self.memory) if len(own) else 0


class Owners(Watcher):
    """The watcher of one run. shared: objects, by number, with an element that
    several threads may use."""

    in_other_shapes: ClassVar[bool] = True
    arrays: dict[int, _Array] = field(default_factory=dict)
    shared: set[int] = field(default_factory=set)
    unknown: bool = False
    moving: set[int] = field(default_factory=set)  # objects with an access that goes to different places
    _written_out: list[bool] = field(default_factory=list)  # of the loops round it, which are unrolled
    _loops: list[set[_Use]] = field(default_factory=list)  # that other iterations may do elsewhere
    _places: dict[_Use, np.ndarray | int] = field(default_factory=dict)  # where it went before

    def access(self, touch: AccessEvent) -> None:
        memory = touch.memory
        if memory.space != "shared" or memory.number in self.shared:
            return
        self._follow(touch)
        plain = memory.own and 0 < memory.bytes <= _MOST
        if not plain or touch.free or touch.operation == "atomic" or is_volatile(touch.node):
            self.shared.add(memory.number)
            return
        found = self.arrays.get(memory.number)
        if found is None:
            shape = (self.samples.count, -(-memory.bytes // granule(memory)))
            found = self.arrays[memory.number] = _Array(memory, np.full(shape, _NOBODY, dtype=np.int32))
        (found.reads if touch.operation == "load" else found.writes).add(touch.node.span)
        if not self._owned(found, touch):
            self.shared.add(memory.number)

    def _follow(self, touch: AccessEvent) -> None:
        """An access that goes where it went before does so in the iterations that are not run, too. In a loop
        that the compiler writes out, each iteration has an access of its own.
        """
        rounds = zip(self._written_out, touch.moment.iterations, strict=True)
        copies = tuple(iteration.number for written_out, iteration in rounds if written_out)
        use = id(touch.node), touch.memory.number, touch.way, copies
        before = self._places.get(use)
        self._places[use] = touch.addresses
        moved = before is not None and not np.array_equal(before, touch.addresses)
        if moved:
            self.moving.add(touch.memory.number)
        for inside in self._loops:
            if before is None:
                inside.add(use)
            elif not moved:
                inside.discard(use)

    def _owned(self, found: _Array, touch: AccessEvent) -> bool:
        """Enter an access; whether every element is still one thread's."""
        size = granule(found.memory)
        lane = np.flatnonzero(touch.mask)
        offset = touch.offsets(lane)
        if not len(lane) or offset.min() < 0 or offset.max() + touch.width > found.memory.bytes:
            return not len(lane)
        sample, first = self.samples.sample[lane], offset // size
        for piece in range(-(-touch.width // size)):
            at = first + piece
            old = found.owner[sample, at]
            if ((old != _NOBODY) & (old != lane)).any():
                return False
            found.owner[sample, at] = lane
            if (found.owner[sample, at] != lane).any():
                return False
        return True

    def lost(
        self, node: e.Expression, operation: Operation, space: Space | None, memory: Memory | None
    ) -> None:
        if space == "global":
            return
        if memory is None:
            self.unknown = True
        else:
            self.shared.add(memory.number)

    def unseen(self) -> None:
        self.unknown = True

    def enter_loop(self, node: s.Loop) -> None:
        self._loops.append(set())
        self._written_out.append(unrolled(node))

    def leave_loop(self, cut: bool) -> None:
        inside = self._loops.pop()
        self._written_out.pop()
        if cut:
            self.shared |= self.moving | {use[1] for use in inside}

    def private(self) -> dict[int, _Array]:
        """By number, the objects that are written and read, one element by one thread."""
        return {
            number: array
            for number, array in self.arrays.items()
            if number not in self.shared and array.reads and array.writes and self._one_each(array)
        }

    def _one_each(self, array: _Array) -> bool:
        """Whether no thread has more than one element, or few that the compiler can tell apart: an index that
        varies may be why there are more.
        """
        several = array.memory.number not in self.moving
        return 0 < array.each() <= max(array.element, _REGISTERS * several)


def _conclude(kernel: KernelRuns) -> tuple[tuple[PrivateArray, ...]]:
    """The arrays that every run shows to be private, where every access was seen."""
    held = {span for run in kernel.runs for span in run.machine.recorder.reused}
    unclear = not kernel.ended or not kernel.runs or kernel.of(EmptyRead)
    if unclear or any(access.span not in held for access in never_seen(kernel)):
        return ((),)
    found = _private(kernel.runs)
    if found and not kernel.given:
        again = _private([*kernel.runs, *kernel.others])
        found = {number: one for number, one in found.items() if number in again}
    return (_facts(kernel, found),)


def _facts(kernel: KernelRuns, found: dict[int, tuple[Run, _Array]]) -> tuple[PrivateArray, ...]:
    return tuple(_fact(kernel, variable, run, array) for variable, (run, array) in found.items())


def _private(runs: list[Run]) -> dict[int, tuple[Run, _Array]]:
    """By variable, the arrays that are private in every run that uses them, as in the first one."""
    found: dict[int, tuple[Run, _Array]] = {}
    other: set[int] = set()
    for run in runs:
        seen = run.seen(Owners)
        if run.failure or run.machine.state.stopped or seen.unknown:
            return {}
        private = seen.private()
        for variable, memory in run.machine.state.named.items():
            if not isinstance(variable, int) or memory.space != "shared":
                continue
            if memory.number in private:
                found.setdefault(variable, (run, private[memory.number]))
            else:
                other.add(variable)
    return {variable: one for variable, one in found.items() if variable not in other}


def _fact(kernel: KernelRuns, variable: int, run: Run, array: _Array) -> PrivateArray:
    owner = array.owner
    return PrivateArray(
        span=kernel.unit.variables[variable].span,
        name=array.memory.name,
        kernel=kernel.function.name,
        bytes=array.memory.bytes,
        each=-(-array.each() // array.element),
        threads=int(max(len(different(row[row != _NOBODY])) for row in owner)),
        uses=tuple(sorted(array.reads | array.writes, key=lambda span: (span.path, span.line, span.column))),
        configuration=run.plan.configuration,
    )


FACT = Fact(of=(PrivateArray,), conclude=_conclude, needs=(EmptyRead,), watch=(Owners,))
