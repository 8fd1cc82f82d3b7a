"""Conflicts of a block's run, per barrier interval, and those that would be there without a barrier.

A conflict: two threads touch the same bytes, one of them writes, not both by atomics, and not both the same
value. Threads of one warp are kept apart: between them a warp operation orders too.
"""

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from cudalint.source.span import Span
from tools.interpreter.memory import GLOBAL
from tools.interpreter.program import Site
from tools.interpreter.threads import WARP, Interval

Pair = tuple[str, Span, Span]  # the space, and the two places, in order
_MANY = object()  # several values were written


@dataclass(frozen=True)
class Conflicts:
    """Pairs of accesses that conflict: of threads of different warps, and those of one warp only."""

    apart: frozenset[Pair]
    together: frozenset[Pair]


# Accesses to a cell, by place and by stretch between warp operations: the threads, as bits, and the
# value where all wrote the same.
Cell = dict[int, list[Any]]
Cells = dict[int, Cell]
_PLACES = 20  # bits of an access's number that are its place


@dataclass
class Found:
    """Conflicts on their way. done: pairs of places that need no second look, by space."""

    sites: list[Site]
    apart: set[Pair] = field(default_factory=set)
    together: set[Pair] = field(default_factory=set)
    done: set[tuple[bool, int, int]] = field(default_factory=set)

    def compare(self, address: int, one: Cell, other: Cell) -> None:
        """Every access of one with every access of the other."""
        shared = address >> 32 < GLOBAL
        for first, (early, wrote) in one.items():
            a = first & (1 << _PLACES) - 1
            for second, (late, written) in other.items():
                b = second & (1 << _PLACES) - 1
                threads = early | late
                if not threads & threads - 1 or (shared, a, b) in self.done:
                    continue
                kinds = self.sites[a].kind, self.sites[b].kind
                if kinds in (("read", "read"), ("atomic", "atomic")):
                    self.done.add((shared, a, b))
                    continue
                if kinds == ("write", "write") and wrote == written and wrote is not _MANY:
                    continue
                self._take(shared, a, b, threads, first >> _PLACES == second >> _PLACES)

    def _take(self, shared: bool, a: int, b: int, threads: int, unordered: bool) -> None:
        apart = _lowest(threads) // WARP != (threads.bit_length() - 1) // WARP
        if not apart and not unordered:
            return
        first, second = sorted((self.sites[a].span, self.sites[b].span), key=_order)
        (self.apart if apart else self.together).add(("shared" if shared else "global", first, second))
        if apart:
            self.done.add((shared, a, b))

    def conflicts(self) -> Conflicts:
        return Conflicts(frozenset(self.apart), frozenset(self.together - self.apart))


def _lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1


def _order(span: Span) -> tuple[str, int, int, int, int]:
    return span.path, span.line, span.column, span.end_line, span.end_column


@dataclass
class Trace:
    """A block's intervals as cells, by address. closed: the barriers that each ended with."""

    sites: list[Site]
    cells: list[Cells]
    closed: list[frozenset[int]]


def trace(sites: list[Site], intervals: Iterable[Interval]) -> Trace:
    """The intervals of a run; the last may be cut short."""
    kept = list(intervals)
    granules = _granules(sites, kept)
    return Trace(sites, [_cells(sites, i, granules) for i in kept], [i.closed for i in kept])


def _granules(sites: list[Site], intervals: list[Interval]) -> dict[int, int]:
    found: dict[int, int] = {}
    seen: set[tuple[int, int]] = set()
    for interval in intervals:
        for _, log in interval.logs:
            seen.update((event[0], event[1]) for event in log if event is not None)
    for site, address in seen:
        number = address >> 32
        found[number] = math.gcd(found.get(number, 0), sites[site].size, address & 0xFFFFFFFF)
    return found


def _cells(sites: list[Site], interval: Interval, granules: dict[int, int]) -> Cells:
    cells: Cells = defaultdict(dict)
    for rank, log in interval.logs:
        bit, epoch = 1 << rank, 0
        for event in log:
            if event is None:
                epoch += 1 << _PLACES
                continue
            site, address, value = event
            step = granules[address >> 32]
            for at in range(address, address + max(1, sites[site].size), step):
                _put(cells[at], site + epoch, bit, value)
    return cells


def _put(cell: Cell, access: int, threads: int, value: Any) -> None:
    held = cell.get(access)
    if held is None:
        cell[access] = [threads, value]
        return
    held[0] |= threads
    if held[1] is not value and held[1] != value:
        held[1] = _MANY


def conflicts(run: Trace) -> Conflicts:
    """Those of the kernel as it is."""
    found = Found(run.sites)
    for cells in run.cells:
        for address, cell in cells.items():
            found.compare(address, cell, cell)
    return found.conflicts()


def without(run: Trace, barrier: int) -> Conflicts:
    """Those between intervals that only this barrier keeps apart."""
    found = Found(run.sites)
    seen: Cells = {}
    for number, cells in enumerate(run.cells):
        if number and run.closed[number - 1] != {barrier}:
            seen = {}
        last = run.closed[number] != {barrier}
        for address, cell in cells.items():
            before = seen.get(address)
            if before is not None:
                found.compare(address, before, cell)
            if not last:
                _add(seen.setdefault(address, {}), cell)
    return found.conflicts()


def _add(before: Cell, cell: Cell) -> None:
    for access, (threads, value) in cell.items():
        _put(before, access, threads, value)
