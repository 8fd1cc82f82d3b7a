"""Copies on the device, in a loop, of what an iteration has written over what it read, and kernels that
exchange the elements of two arrays: two pointers that change places do the same.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

from msgspec import Struct

from cudalint.analyses.plain_copies import plain_copies
from cudalint.analyses.pointees import acts_by_itself, part_effects
from cudalint.host.facts import Buffer, HostCall, HostFacts, Rounds
from cudalint.host.handed_pointers import handed_pointers
from cudalint.host.walks import QUEUED, round_of, rounds_by_id, uses, walks
from cudalint.ir.unit import Function, Unit
from cudalint.source.span import Span


class CopyBack(Struct, frozen=True):
    """A copy or a launch that only copies. pairs: what it copies into, and from. roles: of the first pair,
    the first launch of an iteration that writes what is copied from, and one that reads what it goes to; None
    where the two are exchanged.
    """

    call: HostCall
    loop: Rounds
    pairs: tuple["Pair", ...]
    roles: tuple[HostCall, HostCall] | None


class Pair(Struct, frozen=True):
    """Two buffers, of which the second is copied into the first. exchange: and the first into the second."""

    old: Buffer
    new: Buffer
    exchange: bool = False


def copies_back(host: HostFacts, unit: Unit) -> Iterator[CopyBack]:
    """Where no other work of the loop writes the old data, or reads the new one between the copy and its next
    writing. A line that makes several copies in an iteration has to do so by each of them.
    """
    rounds = rounds_by_id(host)
    for calls in walks(host):
        found: dict[tuple[Span, tuple[int, ...], tuple[int, ...]], list[CopyBack | None]] = {}
        for index, call in enumerate(calls):
            if call.loop_id in rounds and call.kind in ("copy", "launch"):
                one = _copy_back(calls, index, rounds[call.loop_id], unit)
                found.setdefault((call.span, call.loops, call.turns), []).append(one)
        for group in found.values():
            whole = [one for one in group if one is not None]
            yield from whole if len(whole) == len(group) else ()


def _copy_back(calls: tuple[HostCall, ...], index: int, loop: Rounds, unit: Unit) -> CopyBack | None:
    call = calls[index]
    pairs = _pairs(call, unit)
    if not pairs or call.conditions != loop.conditions:
        return None
    before, after = round_of(calls, index)
    following = [other for other in chain(after, before) if other.kind in QUEUED or other.unseen]
    roles = [_roles(pair, following, loop, unit) for pair in pairs]
    if all(one.exchange or role is not None for one, role in zip(pairs, roles, strict=True)):
        return CopyBack(call, loop, pairs, None if pairs[0].exchange else roles[0])
    return None


def _pairs(call: HostCall, unit: Unit) -> tuple[Pair, ...]:
    """Whole buffers that a call copies into, and from."""
    if call.kind == "copy" and call.direction == "DtoD" and call.rows is None:
        ends = [(call.destination, call.source, False)]
    else:
        ends = _copied_by_kernel(call, unit)
    whole = [
        Pair(to, by, both) for to, by, both in ends if to is not None and by is not None and to.id != by.id
    ]
    fits = all(p.old.bytes == p.new.bytes and (call.bytes or p.new.bytes) == p.new.bytes for p in whole)
    return tuple(whole) if fits and len(whole) == len(ends) else ()


def _copied_by_kernel(call: HostCall, unit: Unit) -> list[tuple[Buffer | None, Buffer | None, bool]]:
    fact, kernel = call.launch, _kernel(call, unit)
    if fact is None or fact.arguments is None or kernel is None:
        return []
    given = fact.arguments
    copies = plain_copies(unit, kernel)
    ends = {place for one in copies for place in (one.destination, one.source)}
    if any(given[place].offset != 0 for place in ends):
        return []
    return [(given[one.destination].buffer, given[one.source].buffer, one.exchange) for one in copies]


def _kernel(call: HostCall, unit: Unit) -> Function | None:
    kernel = unit.functions.get(call.launch.key or "") if call.launch is not None else None
    return kernel if kernel is not None and kernel.body is not None else None


def _roles(
    pair: Pair, following: Sequence[HostCall], loop: Rounds, unit: Unit
) -> tuple[HostCall, HostCall] | None:
    """The first launch after the copy that writes the new data, and one that reads the old one."""
    old, new = pair.old, pair.new
    writer = reader = None
    for other in following:
        if other.unseen:
            return None
        if not (uses(other, old) or uses(other, new)):
            continue
        done = _effects(other, unit)
        if done is None or old.id in done[1]:
            return None
        if writer is None and (new.id in done[0] or (new.id in done[1] and other.kind != "launch")):
            return None
        if writer is None and new.id in done[1] and other.conditions == loop.conditions:
            writer = other
        if other.kind == "launch" and old.id in done[0]:
            reader = other
    return (writer, reader) if writer is not None and reader is not None else None


def _effects(call: HostCall, unit: Unit) -> tuple[frozenset[int], frozenset[int]] | None:
    """Ids of the buffers that a call reads, and that it writes; None where that is not known."""
    if call.kind in ("copy", "memset"):
        sides = [frozenset({side.id} if side is not None else ()) for side in (call.source, call.destination)]
        return sides[0], sides[1]
    fact, kernel = call.launch, _kernel(call, unit)
    if fact is None or fact.arguments is None or kernel is None or not acts_by_itself(kernel, unit):
        return None
    read, written = part_effects(kernel)
    reads: set[int] = set()
    writes: set[int] = set()
    for place, (argument, parameter) in enumerate(zip(fact.arguments, kernel.parameters, strict=False)):
        told: set[int] = set()
        for at, _, part in handed_pointers(argument, parameter, unit):
            held = {buffer.id for buffer in (part.buffer, *part.among) if buffer is not None}
            told |= held
            reads |= held if (place, at) in read else set()
            writes |= held if (place, at) in written else set()
        if any(buffer.id not in told for buffer in argument.buffers):
            return None  # in a part of a struct that nobody knows
    return frozenset(reads), frozenset(writes)
