"""Copies on the device, in a loop, of what an iteration has written over what it read: two pointers that
change places do the same.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

from msgspec import Struct

from cudalint.analyses.plain_copies import plain_copies
from cudalint.analyses.pointees import acts_by_itself, effects
from cudalint.host.facts import Buffer, HostCall, HostFacts, Rounds
from cudalint.host.walks import QUEUED, round_of, rounds_by_id, uses, walks
from cudalint.ir import types as t
from cudalint.ir.unit import Function, Unit


class CopyBack(Struct, frozen=True):
    """A copy or a launch that only copies. pairs: what it copies into, and from; writer: the first launch of
    an iteration that writes what the first pair is copied from; reader: one that reads what it goes to.
    """

    call: HostCall
    loop: Rounds
    pairs: tuple[tuple[Buffer, Buffer], ...]
    writer: HostCall
    reader: HostCall


def copies_back(host: HostFacts, unit: Unit) -> Iterator[CopyBack]:
    """Where no other work of the loop writes the old data, or reads the new one between the copy and its next
    writing.
    """
    rounds = rounds_by_id(host)
    for calls in walks(host):
        for index, call in enumerate(calls):
            loop = rounds.get(call.loop_id)
            pairs = _pairs(call, unit)
            if loop is None or not pairs or call.conditions != loop.conditions:
                continue
            before, after = round_of(calls, index)
            following = [other for other in chain(after, before) if other.kind in QUEUED or other.unseen]
            roles = [_roles(old, new, following, loop, unit) for old, new in pairs]
            if None not in roles and roles[0] is not None:
                yield CopyBack(call, loop, pairs, *roles[0])


def _pairs(call: HostCall, unit: Unit) -> tuple[tuple[Buffer, Buffer], ...]:
    """Whole buffers that a call copies into, and from."""
    if call.kind == "copy" and call.direction == "DtoD" and call.rows is None:
        found = [(call.destination, call.source)]
    else:
        found = _copied_by_kernel(call, unit)
    whole = [(to, by) for to, by in found if to is not None and by is not None and to.id != by.id]
    fits = all(to.bytes == by.bytes and (call.bytes or by.bytes) == by.bytes for to, by in whole)
    return tuple(whole) if fits and len(whole) == len(found) else ()


def _copied_by_kernel(call: HostCall, unit: Unit) -> list[tuple[Buffer | None, Buffer | None]]:
    fact, kernel = call.launch, _kernel(call, unit)
    if fact is None or fact.arguments is None or kernel is None:
        return []
    given = fact.arguments
    copies = plain_copies(unit, kernel)
    ends = {place for one in copies for place in (one.destination, one.source)}
    if any(given[place].offset != 0 for place in ends):
        return []
    return [(given[one.destination].buffer, given[one.source].buffer) for one in copies]


def _kernel(call: HostCall, unit: Unit) -> Function | None:
    kernel = unit.functions.get(call.launch.key or "") if call.launch is not None else None
    return kernel if kernel is not None and kernel.body is not None else None


def _roles(
    old: Buffer, new: Buffer, following: Sequence[HostCall], loop: Rounds, unit: Unit
) -> tuple[HostCall, HostCall] | None:
    """The first launch after the copy that writes the new data, and one that reads the old one."""
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
    read, written = effects(kernel)
    reads: set[int] = set()
    writes: set[int] = set()
    for place, (argument, parameter) in enumerate(zip(fact.arguments, kernel.parameters, strict=False)):
        held = {buffer.id for buffer in argument.buffers}
        if held and not isinstance(parameter.type, t.Pointer):
            return None  # in a struct: which member is used is not looked at
        reads |= held if place in read else set()
        writes |= held if place in written else set()
    return frozenset(reads), frozenset(writes)
