"""Races in a log of accesses to one object: two threads touch the same bytes, one of them writes, and nothing
orders them.

Threads of a block are ordered by the block's barriers, those of a warp also by the warp's, those of different
blocks only by barriers of the grid. Candidates are found with sorted keys (interval, bytes); the few that
are left are judged pair by pair.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

import numpy as np
from msgspec import Struct

from cudalint.cuda.warp import WARP
from cudalint.simt.threads.logged import Event, in_doubt, offsets, place_of
from cudalint.simt.values.different import different
from cudalint.simt.values.lanes import BY_BLOCK, BY_WARP
from cudalint.simt.values.memory import Memory
from cudalint.simt.values.samples import Samples
from cudalint.source.span import Span

_KEYS = 3  # places looked at for each access and valuation: the first, one between and the last
_ENTRIES = 48  # accesses of one place that are paired
_TRIES = 24  # pairs of two accesses in the source that are judged under one valuation
_PIECES = 64  # parts of an access that are told apart


class Conflict(Struct, frozen=True):
    """first and second, in the order of the run, are (event, lane); byte is the offset in the object.

    doubtful: one side's access hangs on data that the model does not have.
    """

    memory: Memory
    byte: int
    valuation: int
    first: tuple[Event, int]
    second: tuple[Event, int]
    kind: str
    same_warp: bool
    same_block: bool
    doubtful: bool


class _Entries(Struct, frozen=True):
    """Accesses to single granules: key (interval and place), lane, and the number of the event."""

    key: np.ndarray
    lane: np.ndarray
    event: np.ndarray

    def only(self, which: np.ndarray | slice) -> "_Entries":
        return _Entries(self.key[which], self.lane[which], self.event[which])


class _Clashes(Struct, frozen=True):
    """The stores, in the order of their keys, and the loads of some events, and those that clash."""

    stores: _Entries
    loads: _Entries
    clashing: tuple[_Entries, ...]


Apart = dict[tuple[object, ...] | None, list[Event]]  # by `_touched`; the events keep identities theirs
Groups = Callable[[Event], np.ndarray]  # a number for each sample's interval
Judge = Callable[[Event, int, Event, int], bool]  # whether nothing orders two accesses
# The number of the event, in the order of the run; lane, party, in doubt, warp, access in the source.
_Entry = tuple[int, int, int, bool, int, int]


def within_blocks(
    events: list[Event], samples: Samples, most: int, lockstep: bool, apart: Apart | None = None
) -> list[Conflict]:
    """Conflicts between threads of one block. most: offsets beyond it, in bytes, are not followed. apart:
    what loops come by again is not compared again where no thread met another.
    """
    touched = _touched(events) if apart is not None else None
    if apart is not None and touched in apart:
        return []

    def judge(a: Event, first: int, b: Event, second: int) -> bool:
        if first // WARP != second // WARP:
            return not (a.free | b.free) & BY_WARP
        if a.collective or b.collective:
            return False
        if a is b:
            return True
        return not lockstep and bool(a.warp_interval[first // WARP] == b.warp_interval[second // WARP])

    def group(event: Event) -> np.ndarray:
        return np.asarray(np.arange(samples.count, dtype=np.int64) + samples.count * event.interval)

    clashing = _clashes(events, samples, most, group, np.arange(samples.lanes))
    if clashing is None and apart is not None and touched is not None:
        apart[touched] = events
    return _conflicts(clashing, events, samples, np.arange(samples.lanes), judge)


def _touched(events: list[Event]) -> tuple[object, ...] | None:
    """What tells whether threads meet: by identity, what each event touches; None where some events are of
    another interval.
    """
    if any(event.interval is not events[0].interval for event in events):
        return None
    return tuple(
        part
        for event in events
        for part in (
            event.operation == "load",
            id(event.addresses) if isinstance(event.addresses, np.ndarray) else (event.addresses,),
            id(event.mask),
            event.width,
            event.parts,
        )
    )


def between_blocks(
    events: list[Event], samples: Samples, most: int, blocks: np.ndarray, alike: bool = False
) -> list[Conflict]:
    """Conflicts between threads of different blocks; blocks: the number of each sample's block. alike: the
    blocks do the same, so that the same thread of another block stores the same.
    """
    if len(different(blocks)) == 1:
        return []

    def judge(a: Event, first: int, b: Event, second: int) -> bool:
        if alike and a is b and first % samples.padded == second % samples.padded:
            return False
        return not (a.free | b.free) & (BY_WARP | BY_BLOCK)

    def group(event: Event) -> np.ndarray:
        valuation = np.arange(samples.count, dtype=np.int64) // len(samples.blocks)
        return np.asarray(valuation + samples.valuations * event.grid_interval)

    who = blocks[samples.sample]
    return _conflicts(_clashes(events, samples, most, group, who), events, samples, who, judge)


def _clashes(
    events: list[Event], samples: Samples, most: int, group: Groups, who: np.ndarray
) -> _Clashes | None:
    """The places where a party touches what another writes; None where there are none. who: by lane, which
    party it belongs to.
    """
    granule = _granule(events)
    stores = _entries([ev for ev in events if ev.operation != "load"], events, samples, most, granule, group)
    loads = _entries([ev for ev in events if ev.operation == "load"], events, samples, most, granule, group)
    if not len(stores.key):
        return None
    order = np.argsort(stores.key, kind="stable")
    key, lane = stores.key[order], stores.lane[order]
    starts = np.flatnonzero(np.r_[True, key[1:] != key[:-1]])
    keys, parties = key[starts], who[lane]
    low, high = np.minimum.reduceat(parties, starts), np.maximum.reduceat(parties, starts)
    written = np.repeat(np.arange(len(starts)), np.diff(np.r_[starts, len(key)]))
    read = np.minimum(np.searchsorted(keys, loads.key), len(keys) - 1)
    read[keys[read] != loads.key] = -1
    own, others = (
        (low[at] != who[of]) | (high[at] != who[of]) for at, of in ((written, lane), (read, loads.lane))
    )
    others &= read >= 0
    if not np.count_nonzero(own) and not np.count_nonzero(others):
        return None
    stores = stores.only(order)
    clashing = (
        *_clashing(stores.only(own), written[own], who, low, high),
        *_clashing(loads.only(others), read[others], who, low, high),
    )
    return _Clashes(stores, loads, clashing)


def _conflicts(
    clashes: _Clashes | None, events: list[Event], samples: Samples, who: np.ndarray, judge: Judge
) -> list[Conflict]:
    """who: by lane, which party it belongs to; only different parties can be in conflict."""
    if clashes is None:
        return []
    site = _sites(events)
    chosen = _chosen(clashes.clashing, site, samples)
    found: dict[tuple[int, int, int, bool, bool], Conflict] = {}
    tried: dict[tuple[int, int, int, bool, bool], int] = {}
    for writes, reads in _by_key(clashes.stores, clashes.loads, chosen):
        if not len(reads.key) and _settles(writes, events):
            continue
        valuation = int(samples.valuation[writes.lane[0]])
        for one, other in _pairs(_few(writes, events, who, site), _few(reads, events, who, site)):
            key = one[5], other[5], valuation, one[4] == other[4], one[3] or other[3]
            times = tried.get(key, 0)
            if times >= _TRIES:
                continue
            tried[key] = times + 1
            clash = _conflict(events, samples, valuation, one, other, judge)
            if clash is not None:
                found[key], tried[key] = clash, _TRIES
    return list(found.values())


def _conflict(
    events: list[Event], samples: Samples, valuation: int, one: _Entry, other: _Entry, judge: Judge
) -> Conflict | None:
    """The conflict of two entries, in the order of the run; None where they are none."""
    (early, first, _, doubt, *_), (late, second, _, other_doubt, *_) = one, other
    a, b = events[early], events[late]
    if not (judge(a, first, b, second) and _matters(a, first, b, second)):
        return None
    return Conflict(
        a.memory,
        max(place_of(a, first), place_of(b, second)),
        valuation,
        (a, first),
        (b, second),
        "read-write" if "load" in (a.operation, b.operation) else "write-write",
        first // WARP == second // WARP,
        bool(samples.sample[first] == samples.sample[second]),
        doubt or other_doubt,
    )


def _clashing(
    entries: _Entries, place: np.ndarray, who: np.ndarray, low: np.ndarray, high: np.ndarray
) -> tuple[_Entries, _Entries]:
    """Entries at whose place another party writes: in another warp, and in the same one.

    place: where in low and high, the first and the last party that write there.
    """
    warp = who[entries.lane] // WARP
    far = (low[place] // WARP != warp) | (high[place] // WARP != warp)
    return entries.only(far), entries.only(~far)


def _granule(events: list[Event]) -> int:
    """The most bytes that every access is a whole number of, at whole numbers of."""
    granule = 0
    for event in events:
        granule = math.gcd(granule, event.width, *(edge for part in event.parts or () for edge in part))
        if isinstance(event.addresses, np.ndarray):
            while granule > 1 and bool((event.addresses[event.mask] & (granule & -granule) - 1).any()):
                granule //= 2
            odd = granule // (granule & -granule)
            if odd > 1:
                granule = math.gcd(granule, int(np.gcd.reduce(offsets(event)[event.mask])))
        else:
            granule = math.gcd(granule, int(offsets(event)))
    return max(granule, 1)


def _entries(
    some: list[Event], events: list[Event], samples: Samples, most: int, granule: int, group: Groups
) -> _Entries:
    """The entries of some of the events; `event` counts in the list of all."""
    numbers = {id(event): number for number, event in enumerate(events)}
    keys, lanes, which = [], [], []
    span = most // granule + 1
    for event in some:
        lane = np.flatnonzero(event.mask)
        places = offsets(event)
        offset = places[lane] if places.ndim else np.full(len(lane), places)
        inside = (offset >= 0) & (offset + event.width <= most)
        lane, offset = lane[inside], offset[inside]
        start = group(event)[samples.sample[lane]] * span + offset // granule
        for piece in _pieces(event, granule):
            keys.append(start + piece)
            lanes.append(lane)
            which.append(np.full(len(lane), numbers[id(event)], dtype=np.int64))
    if not keys:
        none = np.zeros(0, dtype=np.int64)
        return _Entries(none, none, none)
    return _Entries(np.concatenate(keys), np.concatenate(lanes), np.concatenate(which))


def _pieces(event: Event, granule: int) -> Iterator[int]:
    """The granules of an access that count, by their number."""
    for start, width in event.parts if event.parts is not None else ((0, event.width),):
        yield from range(start // granule, min(_PIECES, (start + width) // granule))


def _sites(events: list[Event]) -> list[int]:
    """By event, a number for its access in the source."""
    places: dict[tuple[int, str], int] = {}
    return [places.setdefault((id(event.node), event.operation), len(places)) for event in events]


def _chosen(candidates: tuple[_Entries, ...], sites: list[int], samples: Samples) -> np.ndarray:
    """The keys that are looked at: a few for each access in the source and each valuation."""
    site = np.array(sites, dtype=np.int64)
    keys = []
    for entries in candidates:
        label = site[entries.event] * samples.valuations + samples.valuation[entries.lane]
        order = np.argsort(label, kind="stable")
        bounds = [*np.flatnonzero(np.diff(label[order], prepend=-1)), len(order)]
        for start, end in pairwise(bounds):
            parts = [(end - start) * part // _KEYS for part in range(_KEYS)]
            keys += [entries.key[order[at]] for at in (*(start + part for part in parts), end - 1)]
    return different(np.array(keys, dtype=np.int64))


def _by_key(stores: _Entries, loads: _Entries, chosen: np.ndarray) -> Iterator[tuple[_Entries, _Entries]]:
    """The stores and the loads of each chosen key."""
    return zip(_parts(stores, chosen), _parts(loads, chosen), strict=True)


def _parts(entries: _Entries, chosen: np.ndarray) -> Iterator[_Entries]:
    """The entries of each chosen key."""
    some = entries.only(np.isin(entries.key, chosen))
    some = some.only(np.argsort(some.key, kind="stable"))
    starts = np.searchsorted(some.key, chosen)
    ends = np.searchsorted(some.key, chosen, side="right")
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        yield some.only(slice(start, end))


def _few(entries: _Entries, events: list[Event], who: np.ndarray, site: list[int]) -> list[_Entry]:
    """Of each event two lanes of every warp, _ENTRIES at most."""
    warp = entries.event * len(who) + entries.lane // WARP
    order = warp.argsort(kind="stable")
    sorted_ = warp[order]
    first = np.ones(len(order), dtype=bool)
    first[1:] = sorted_[1:] != sorted_[:-1]
    second = ~first
    second[1:] &= first[:-1]
    chosen = np.sort(order[first | second])[:_ENTRIES]
    numbers, lanes = entries.event[chosen].tolist(), entries.lane[chosen].tolist()
    return [
        (number, lane, party, in_doubt(events[number], lane), lane // WARP, site[number])
        for number, lane, party in zip(numbers, lanes, who[lanes].tolist(), strict=True)
    ]


def _pairs(stores: list[_Entry], loads: list[_Entry]) -> Iterator[tuple[_Entry, _Entry]]:
    """The entries of one place, a write and another, that are of different parties and not both in doubt, in
    the order of the run.
    """
    for number, one in enumerate(stores):
        party, doubt = one[2], one[3]
        for other in (*stores[number + 1 :], *loads):
            if other[2] != party and not (doubt and other[3]):
                yield (one, other) if one < other else (other, one)


def _settles(writes: _Entries, events: list[Event]) -> bool:
    """Whether a place that nobody reads holds one value in the end, in whatever order it is written: what
    each of its writers stores there last.
    """
    order = np.lexsort((writes.event, writes.lane))
    ends = np.flatnonzero(np.diff(writes.lane[order], append=-1))
    lanes, numbers = writes.lane[order[ends]], writes.event[order[ends]]  # each lane's last
    first = int(writes.lane[0])
    event = events[int(numbers[np.searchsorted(lanes, first)])]
    return all(
        _ends_alike(event, first, events[number], lanes[numbers == number])
        for number in different(numbers).tolist()
    )


def _ends_alike(event: Event, first: int, other: Event, lanes: np.ndarray) -> bool:
    """Whether these lanes store the same value as the first one does, at the same place."""
    value = _at(event.value, first)
    if value is None or other.value is None or other.operation != "store" or other.counting:
        return False
    if other.width != event.width or (other.doubt is not None and bool(other.doubt[lanes].any())):
        return False
    places = np.broadcast_to(offsets(other), other.mask.shape)[lanes]
    values = np.broadcast_to(other.value, other.mask.shape)[lanes]
    return (
        bool((places == place_of(event, first)).all() and (values == value).all())
        and not _apart_by(event, other, WARP, BY_WARP, first, lanes)
        and not _apart_by(event, other, len(event.mask) // len(event.interval), BY_BLOCK, first, lanes)
    )


def _matters(a: Event, first: int, b: Event, second: int) -> bool:
    """Whether two accesses to one place by different threads are a race, if nothing orders them.

    Two atomics are none, nor two writes of one value, nor reading what the reader has itself just set to the
    same value, or, in global memory, sets then: the lanes of a warp do the same at one place. Nor is an
    atomic and a plain read: the read sees the word before it or after.
    """
    kinds = {a.operation, b.operation}
    if "atomic" in kinds and (len(kinds) == 1 or ("load" in kinds and a.memory.space == "global")):
        return False
    if kinds == {"store"}:
        return _lost(a, first, b, second) or _different(a, first, b, second)
    if kinds == {"store", "load"}:
        store, reader = (a, second) if a.operation == "store" else (b, first)
        writer = first + second - reader
        if _lost(a, first, b, second) and a.memory is b.memory:
            return True
        if store is b and not (a.memory.space == "global" and _alone(a, b, writer // WARP)):
            return True
        if _stores_there(store, reader, writer) and _from_one_place(store, reader, store, writer):
            return False
        return not _set_by(store, reader, writer) or _told_apart(a, first, b, second)
    return True


def _lost(a: Event, first: int, b: Event, second: int) -> bool:
    """Whether an update is lost that counts on from what the place held: the lanes of a warp that run in step
    make it once between them, and may be meant to.
    """
    together = first // WARP == second // WARP and not (a.by_data or b.by_data)
    return (a.counting or b.counting) and not together


def _alone(a: Event, b: Event, warp: int) -> bool:
    """Whether all lanes that the warp has there make both accesses, at one place."""
    lanes = slice(warp * WARP, (warp + 1) * WARP)
    if not np.array_equal(a.mask[lanes], b.mask[lanes]):
        return False
    places = (offsets(event) for event in (a, b))
    return all(at.ndim == 0 or len(different(at[lanes][a.mask[lanes]])) == 1 for at in places)


def _at(values: np.ndarray | float | None, lane: int) -> float | None:
    return values[lane].item() if isinstance(values, np.ndarray) else values


def _different(a: Event, first: int, b: Event, second: int) -> bool:
    """Whether two stores write different values; what is not known of one and the same store is none."""
    if _from_one_place(a, first, b, second):
        return False
    one, other = _at(a.value, first), _at(b.value, second)
    if one is not None and other is not None:
        return one != other or _told_apart(a, first, b, second)
    return a.node is not b.node or a.differs


def _from_one_place(a: Event, first: int, b: Event, second: int) -> bool:
    """Whether both store what they loaded from one place."""
    one, other = _at(a.origin, first), _at(b.origin, second)
    return one is not None and one == other


def _told_apart(a: Event, first: int, b: Event, second: int) -> bool:
    """Whether equal numbers are only equal because one number stands for what each block or warp has."""
    per_block = len(a.mask) // len(a.interval)
    return _apart_by(a, b, WARP, BY_WARP, first, second) or _apart_by(
        a, b, per_block, BY_BLOCK, first, second
    )


def _apart_by(a: Event, b: Event, lanes: int, free: int, first: int, others: np.ndarray | int) -> bool:
    """Whether some of the others are in another warp or block, of so many lanes, each of which has a value of
    its own.
    """
    if not (a.value_free | b.value_free) & free:
        return False
    return bool(np.any(np.not_equal(first // lanes, others // lanes)))


def _set_by(store: Event, reader: int, writer: int) -> bool:
    """Whether the reader itself made this very store, of the same value to the same place."""
    return _stores_there(store, reader, writer) and _one_value(store, reader, writer)


def _stores_there(store: Event, other: int, writer: int) -> bool:
    """Whether another thread makes the store, too, at the writer's place."""
    return bool(store.mask[other]) and place_of(store, other) == place_of(store, writer)


def _one_value(store: Event, other: int, writer: int) -> bool:
    """Whether the two threads are known to store the same."""
    return _at(store.value, other) is not None and _at(store.value, other) == _at(store.value, writer)


def is_scratch(found: Conflict) -> bool:
    """Whether each of the two threads stores something of its own where they meet."""
    sides = (found.first, found.second)
    return any(
        store.operation == "store"
        and _stores_there(store, other, writer)
        and not _one_value(store, other, writer)
        for (store, writer), (_, other) in (sides, sides[::-1])
    )


def sites(conflicts: Iterable[Conflict]) -> dict[tuple[Span, str, Span, str], list[Conflict]]:
    """Conflicts by the two accesses in the source."""
    grouped: dict[tuple[Span, str, Span, str], list[Conflict]] = {}
    for found in conflicts:
        (a, _), (b, _) = found.first, found.second
        grouped.setdefault((a.node.span, a.operation, b.node.span, b.operation), []).append(found)
    return grouped
