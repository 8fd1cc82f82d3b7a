"""Copies to the device that a loop repeats though nothing has changed since: neither what they read on the
host nor what they wrote on the device.
"""

from collections.abc import Iterator, Sequence
from itertools import takewhile

from msgspec import Struct
from msgspec.structs import replace

from cudalint.analyses.pointees import acts_by_itself, part_effects
from cudalint.host.facts import HostCall, HostFacts, Place, Rounds
from cudalint.host.handed_pointers import handed_pointers
from cudalint.host.walks import rounds_by_id, walks
from cudalint.ir.unit import Unit
from cudalint.source.span import Span

_WORK = ("launch", "library")  # what may run on the device between two copies
_ASKS = (
    "cudaGet",
    "cudaDeviceGet",
    "cudaFunc",
    "cudaOccupancy",
    "cudaMemGetInfo",
    "cudaEventElapsed",
    "nvtx",
)


class Upload(Struct, frozen=True):
    """A copy that a loop repeats. work: launches and calls of libraries between two of them. writers: those
    that have written the copy on the device meanwhile; a library may have. fresh: it goes to memory that
    every iteration allocates.
    """

    call: HostCall
    loop: Rounds
    work: tuple[HostCall, ...]
    writers: tuple[HostCall, ...]
    fresh: bool


_Key = tuple[Span, tuple[Span, ...], int]  # the copy, the calls that lead there, and the depth of the loop


def unchanged_uploads(host: HostFacts, unit: Unit) -> Iterator[Upload]:
    """Where that holds whenever the copy is made again; in the innermost loop of those of which it holds. Of
    several ways to it, one on which the copy on the device is written.
    """
    rounds = rounds_by_id(host)
    found: dict[_Key, Upload] = {}
    needed: set[_Key] = set()
    for calls in walks(host):
        before: dict[object, HostCall] = {}  # the last copy, by place, source and destination
        for call in calls:
            if not _uploads(call):
                continue
            key = call.span, call.came_by, call.loops[0], call.source
            slot = (*key, call.destination)  # of a ring
            last = before.get(slot) or _of_memory_made_since(before.get(key), call, calls)
            before[key] = before[slot] = call
            depth = _common_depth(last, call) if last is not None else 0
            loop = rounds.get(call.loops[depth - 1]) if depth else None
            if last is None or loop is None or call.conditions != loop.conditions:
                continue
            place = call.span, call.came_by, depth
            between = list(calls[last.order + 1 : call.order])
            work = tuple(other for other in between if other.kind in _WORK)
            fresh = last.destination != call.destination
            if not _is_same(last, call) or (fresh and not _are_alike(last, call)):
                needed.add(place)
            elif work and not any(may_change(other, last, unit, launched=False) for other in between):
                writers = tuple(other for other in work if may_change(other, last, unit))
                if all(other.kind == "library" or is_written(other, last, unit) for other in writers):
                    upload = Upload(call, loop, work, writers, fresh)
                    found[place] = _joined(found.get(place), upload)
            elif any(is_written(other, last, unit) for other in between):
                needed.add(place)
    innermost: dict[Span, Upload] = {}
    left = [place for place in found if place not in needed]
    for place in sorted(left, key=lambda place: (place[2], bool(found[place].writers))):
        innermost[place[0]] = found[place]
    yield from innermost.values()


def _common_depth(one: HostCall, other: HostCall) -> int:
    """How many of the loops round them two calls share."""
    pairs = zip(one.loops, other.loops, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _of_memory_made_since(
    last: HostCall | None, call: HostCall, calls: Sequence[HostCall]
) -> HostCall | None:
    """The copy before, where what this one goes to was allocated in between."""
    if last is None:
        return None
    between = calls[last.order + 1 : call.order]
    made = any(one.kind == "allocate" and one.destination == call.destination for one in between)
    return last if made else None


def _joined(one: Upload | None, other: Upload) -> Upload:
    """The first repetition; what holds in any of them holds for it."""
    if one is None:
        return other
    return replace(one, writers=one.writers or other.writers, fresh=one.fresh or other.fresh)


def _uploads(call: HostCall) -> bool:
    """A copy to the device in a loop."""
    known = call.kind == "copy" and call.direction == "HtoD" and None not in (call.source, call.destination)
    return known and not call.captured and bool(call.loops)


def _is_same(last: HostCall, call: HostCall) -> bool:
    """Whether a copy moves the same bytes as the one before, and the host wrote none of them meanwhile."""
    sizes = (last.bytes, last.sample) == (call.bytes, call.sample)
    places = [_place(c.source_place) for c in (last, call)] + [
        _place(c.destination_place) for c in (last, call)
    ]
    same = None not in places and places[0] == places[1] and places[2] == places[3]
    return sizes and same and last.source == call.source and last.written == call.written


def _are_alike(last: HostCall, call: HostCall) -> bool:
    """Whether one call has allocated both destinations, in one size."""
    one, other = last.destination, call.destination
    assert one is not None and other is not None
    return one.span is not None and (one.span, one.bytes, one.form) == (other.span, other.bytes, other.form)


def _place(place: Place | None) -> int | None:
    return None if place is None else place.offset if place.offset is not None else place.near


def is_written(other: HostCall, call: HostCall, unit: Unit) -> bool:
    """Whether a kernel is known to be handed a buffer of the copy that it may write."""
    assert call.source is not None and call.destination is not None
    ids = (call.source.id, call.destination.id)
    return other.kind == "launch" and _writes(other, ids, unit, doubt=False)


def may_change(other: HostCall, call: HostCall, unit: Unit, launched: bool = True) -> bool:
    """Whether a call may write what a copy reads or has written. launched: on the device, too."""
    assert call.source is not None and call.destination is not None
    ids = (call.source.id, call.destination.id)
    if other.unseen or other.name == "cudaSetDevice":
        return True
    if other.kind in ("copy", "memset"):
        same = (other.span, other.source, other.destination) == (call.span, call.source, call.destination)
        return not same and (other.destination is None or other.destination.id in ids)
    if other.kind == "launch":
        return launched and _writes(other, ids, unit)
    if other.kind == "library":
        return ids[0] in other.arguments or (launched and _may_be_handed(other, ids[1]))
    if other.kind == "other":
        return not other.name.startswith(_ASKS)
    return other.kind == "free" and other.destination is not None and other.destination.id == ids[0]


def _may_be_handed(library: HostCall, buffer: int) -> bool:
    """Whether a library's call gets a buffer, or a table of pointers that may lead there."""
    by_table = library.name.removesuffix("_64").endswith("Batched")
    return buffer in library.arguments or (by_table and "Strided" not in library.name)


def _writes(other: HostCall, ids: tuple[int, ...], unit: Unit, doubt: bool = True) -> bool:
    """Whether a kernel may write one of the buffers: through any pointer that is not to const. doubt: what
    points nobody knows where may point to them.
    """
    fact = other.launch
    function = unit.functions.get(fact.key or "") if fact is not None else None
    if fact is None or function is None or function.body is None or fact.arguments is None:
        return doubt
    written = part_effects(function)[1] if acts_by_itself(function, unit) else None
    for index, (argument, parameter) in enumerate(zip(fact.arguments, function.parameters, strict=False)):
        for offset, kind, part in handed_pointers(argument, parameter, unit):
            held = {b.id for b in (part.buffer, *part.among) if b is not None}
            opaque = doubt and part is argument and not held
            reads = kind.const or (written is not None and (index, offset) not in written)
            if not reads and (opaque or held.intersection(ids)):
                return True
    return False
