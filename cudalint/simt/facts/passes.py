"""Loads of what their own threads have loaded or stored before, in a loop that has ended since: a row that a
block sums up and then goes through again. No register holds the values until then.
"""

from typing import TypeAlias

import numpy as np
from msgspec import Struct, field

from cudalint.analyses.trip_counts import repeats, unrolled
from cudalint.cuda.spaces import Operation, Space
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.simt.facts.fact import Fact, KernelRuns
from cudalint.simt.facts.rereads import looked_at, moves
from cudalint.simt.launch.configuration import Configuration
from cudalint.simt.launch.kernel_run import Run
from cudalint.simt.threads.watchers import AccessEvent, Watcher, granule
from cudalint.simt.values.different import different
from cudalint.simt.values.lanes import BY_BLOCK, BY_WARP
from cudalint.simt.values.memory import Memory
from cudalint.source.span import Span

_MOST = 256  # accesses of a loop, and of loads after it, that are looked at in a block
_LEAST = 0.5  # of what a load asks for; less is the rim of something else
_THREAD_BIT = 44  # above the granules of any object
_BELOW = 1 << 43  # so that places before the start of an object count, too
_Key: TypeAlias = tuple[int, int]  # an object and a sample
_Place: TypeAlias = tuple[Span, tuple[Span | None, ...]]  # a load, and the calls that lead to it
_Elements: TypeAlias = "np.ndarray[tuple[int], np.dtype[np.int64]]"  # granules by thread, as one number each


class Pass(Struct, frozen=True):
    """A load in a later loop of what the same threads have had."""

    span: Span
    buffer: str
    before: Span  # where they loaded or stored it
    stored: bool
    share: float  # of what it loads, by all calls that lead to it; the least of all that was tried
    configuration: Configuration
    host: bool = False  # over the bus: memory of the host


class _Access(Struct, frozen=True):
    """Where elements were accessed."""

    span: Span
    stored: bool


_Accessed: TypeAlias = dict[_Key, dict[_Access, list[_Elements]]]


class _Met(Struct):
    """What one load of one object asked for in one block, and how much of it its threads had had before."""

    before: _Access | None = None
    had: int = 0
    asked: int = 0


class Passes(Watcher):
    """The watcher of one run. loops: what those round the current place have accessed; ended: what those did
    that have ended; whole: that together, by whatever access; seen: accesses since a loop began or ended;
    stores: all that were made; changed: objects that other blocks, atomics or stores without a place may
    change; unknown: all may be.
    """

    memories: dict[int, Memory] = field(default_factory=dict)
    loops: list[_Accessed | None] = field(default_factory=list)  # None: written out by the compiler
    ended: _Accessed = field(default_factory=dict)
    whole: dict[_Key, list[_Elements]] = field(default_factory=dict)
    met: dict[_Place, dict[_Key, _Met]] = field(default_factory=dict)
    seen: dict[tuple[Span, int, int], AccessEvent] = field(default_factory=dict)
    stores: dict[_Key, list[_Elements]] = field(default_factory=dict)
    changed: set[int] = field(default_factory=set)
    unknown: bool = False

    def enter_loop(self, node: s.Loop) -> None:
        self.loops.append({} if repeats(node) and not unrolled(node) else None)
        self.seen.clear()

    def leave_loop(self, cut: bool) -> None:
        self.seen.clear()
        for key, accessed in (self.loops.pop() or {}).items():
            for access, parts in accessed.items():
                elements = different(np.concatenate(parts))
                threads = elements >> _THREAD_BIT
                if not np.count_nonzero(threads[1:] == threads[:-1]):
                    continue  # a register holds one of each thread
                self.ended.setdefault(key, {}).setdefault(access, []).append(elements)
                self.whole.setdefault(key, []).append(elements)

    def access(self, event: AccessEvent) -> None:
        memory, stores = event.memory, event.operation != "load"
        if memory.space != "global" or event.volatile:
            return
        if event.operation == "atomic" or (stores and not self._followed(event)):
            self.changed.add(memory.number)
        elif self._followed(event):
            self.memories[memory.number] = memory
            self._look(event, _Access(event.node.span, stores))

    def _followed(self, event: AccessEvent) -> bool:
        """Whether it is known what each thread accesses, and there is room to note it."""
        return not event.free & (BY_WARP | BY_BLOCK) and len(self.seen) < _MOST

    def _look(self, event: AccessEvent, access: _Access) -> None:
        same = access.span, id(event.addresses), id(event.mask)
        if same in self.seen:
            return
        self.seen[same] = event
        inside = next((loop for loop in reversed(self.loops) if loop is not None), None)
        addresses = event.each
        for sample in looked_at(self.samples):
            here = slice(sample * self.samples.padded, (sample + 1) * self.samples.padded)
            threads = np.nonzero(event.sure[here])[0]
            places = (addresses[here][threads] - event.memory.base) // granule(event.memory) + _BELOW
            elements, key = (threads << _THREAD_BIT) + places, (event.memory.number, sample)
            if not len(elements):
                continue
            if access.stored:
                self.stores.setdefault(key, []).append(elements)
                if len(self.samples.blocks) > 1 and not moves(self.samples, addresses, sample, threads):
                    self.changed.add(event.memory.number)
            if inside is not None:
                if not access.stored:
                    self._meet((access.span, event.way), key, elements)
                inside.setdefault(key, {}).setdefault(access, []).append(elements)

    def _meet(self, place: _Place, key: _Key, elements: _Elements) -> None:
        met = self.met.setdefault(place, {}).setdefault(key, _Met())
        if met.asked >= _MOST * self.samples.padded:
            return
        met.asked += len(elements)
        had = _count(_joined(self.whole[key]), elements) if key in self.whole else 0
        if had and met.before is None:
            ended = self.ended[key].items()
            met.before = next(access for access, parts in ended if _count(_joined(parts), elements))
        met.had += had

    def lost(
        self, node: e.Expression, operation: Operation, space: Space | None, memory: Memory | None
    ) -> None:
        if operation == "load" or space == "shared":
            return
        if memory is not None:
            self.changed.add(memory.number)
        else:
            self.unknown = True

    def unseen(self) -> None:
        self.unknown = True

    def stays(self, memory: Memory) -> bool:
        """Whether the object holds what a thread last knew of it: nobody but that thread stores there."""
        if memory.read_only or not (memory.written or self.unknown or memory.number in self.changed):
            return True
        if self.unknown or memory.number in self.changed:
            return False
        made = (parts for (number, _), parts in self.stores.items() if number == memory.number)
        return all(_is_private(different(np.concatenate(parts))) for parts in made)


def _joined(parts: list[_Elements]) -> _Elements:
    """The different elements of all parts, which become one."""
    if len(parts) > 1:
        parts[:] = [different(np.concatenate(parts))]
    return parts[0]


def _count(known: _Elements, elements: _Elements) -> int:
    """How many of the elements are known; known: ascending."""
    at = np.minimum(np.searchsorted(known, elements), len(known) - 1)
    return int(np.count_nonzero(known[at] == elements))


def _is_private(elements: _Elements) -> bool:
    """Whether no two threads have the same one."""
    return len(different(elements & ((1 << _THREAD_BIT) - 1))) == len(elements)


def _passes(run: Run) -> dict[Span, Pass]:
    """Of one run: of what the kernel never writes, and of what its threads read back of their own stores."""
    watcher = run.seen(Passes)
    loads: dict[Span, list[dict[_Key, _Met]]] = {}
    for (span, _), objects in watcher.met.items():
        loads.setdefault(span, []).append(objects)
    found: dict[Span, Pass] = {}
    for span, calls in loads.items():
        again = [objects for objects in calls if _all_again(objects, watcher)]
        asked = sum(met.asked for objects in calls for met in objects.values())
        share = sum(met.had for objects in again for met in objects.values()) / asked
        (number, _), first = next(iter(again[0].items())) if again else ((0, 0), _Met())
        if first.before is not None:
            memory, shape = watcher.memories[number], run.plan.configuration
            before = first.before
            found[span] = Pass(span, memory.name, before.span, before.stored, share, shape, memory.host)
    return found


def _all_again(objects: dict[_Key, _Met], watcher: Passes) -> bool:
    """Whether most of what one call loads was had before, of each object."""
    return all(
        met.before is not None and met.had >= _LEAST * met.asked and watcher.stays(watcher.memories[number])
        for (number, _), met in objects.items()
    )


def _conclude(kernel: KernelRuns) -> tuple[tuple[Pass, ...]]:
    """What every run shows, as in the one that shows it least."""
    if not kernel.ended or not kernel.runs:
        return ((),)
    tables = [_passes(run) for run in kernel.runs]
    spans = [span for span in tables[0] if all(span in table for table in tables)]
    return (tuple(min((table[span] for table in tables), key=lambda one: one.share) for span in spans),)


FACT = Fact(of=(Pass,), conclude=_conclude, watch=(Passes,))
