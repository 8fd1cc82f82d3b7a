"""Copies to the device, and memsets there, in a loop of what a kernel overwrites before anything reads it."""

from collections.abc import Iterator
from math import prod

from msgspec import Struct

from cudalint.analyses.overwritten import Overwritten, overwritten
from cudalint.host.facts import HostCall, HostFacts, LaunchFact, Rounds
from cudalint.host.walks import QUEUED, rounds_by_id, uses, walks
from cudalint.ir.unit import Unit


class NeedlessUpload(Struct, frozen=True):
    """A copy to the device or a memset, and the launch that then stores all of it without having read it."""

    call: HostCall
    launch: HostCall
    loop: Rounds


def needless_uploads(host: HostFacts, unit: Unit) -> Iterator[NeedlessUpload]:
    """Where the same number of bytes comes back to the host later: the array is the kernel's output."""
    rounds = rounds_by_id(host)
    for calls in walks(host):
        for index, call in enumerate(calls):
            loop = rounds.get(call.loop_id)
            if loop is None or not (_uploads(call) or _fills(call)) or call.conditions != loop.conditions:
                continue
            launch = _next_use(calls[index + 1 :], call)
            if launch is None or (launch.loops, launch.turns) != (call.loops, call.turns):
                continue
            whole = launch.conditions == call.conditions and _overwrites(launch, call, unit)
            if whole and any(_returns(other, call) for other in calls[launch.order + 1 :]):
                yield NeedlessUpload(call, launch, loop)


def _uploads(call: HostCall) -> bool:
    """A copy to the start of one known buffer of the device."""
    return call.kind == "copy" and call.direction == "HtoD" and _is_at_start(call)


def _fills(call: HostCall) -> bool:
    """A memset of one known buffer of the device, from its start."""
    known = call.destination is not None and call.destination.space == "device"
    return call.kind == "memset" and known and _is_at_start(call)


def _is_at_start(call: HostCall) -> bool:
    at_start = call.destination_place is not None and call.destination_place.offset == 0
    return call.destination is not None and at_start and call.rows is None and not call.captured


def _next_use(later: tuple[HostCall, ...], call: HostCall) -> HostCall | None:
    """The launch that is the next to use what was copied; None where something else may be."""
    assert call.destination is not None
    for other in later:
        if other.unseen or other.kind in ("free", "other"):
            return None
        if other.kind in QUEUED and uses(other, call.destination):
            return other if other.kind == "launch" else None
    return None


def _overwrites(launch: HostCall, call: HostCall, unit: Unit) -> bool:
    fact = launch.launch
    kernel = unit.functions.get(fact.key or "") if fact is not None else None
    if fact is None or kernel is None or kernel.body is None or fact.arguments is None:
        return False
    number = call.destination.id if call.destination is not None else -1
    passed = [i for i, argument in enumerate(fact.arguments) if number in {b.id for b in argument.buffers}]
    if len(passed) != 1 or fact.arguments[passed[0]].offset != 0:
        return False
    written = (one for one in overwritten(unit, kernel) if one.position == passed[0])
    return any(_holds(one, fact, call) for one in written)


def _holds(written: Overwritten, fact: LaunchFact, call: HostCall) -> bool:
    """Whether the elements are no fewer than were copied; where neither number is known, they may be."""
    assert fact.arguments is not None
    sizes = [fact.arguments[i].value for i in written.bounds if i < len(fact.arguments)]
    known = [size for size in sizes if isinstance(size, int)]
    if len(known) < len(written.bounds):
        return call.bytes is None
    return call.bytes is not None and prod(known) * written.element >= call.bytes


def _returns(other: HostCall, call: HostCall) -> bool:
    """Whether a call copies the same bytes of the buffer to the host."""
    sizes = (other.bytes, other.sample, other.form) == (call.bytes, call.sample, call.form)
    return other.kind == "copy" and other.direction == "DtoH" and other.source == call.destination and sizes
