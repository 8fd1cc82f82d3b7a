"""Waits in every iteration of a loop that only the buffer needs which the host fills for the next upload."""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.host.facts import PINNED, Buffer, HostAccess, HostCall, HostFacts, Rounds
from cudalint.host.query.needless_waits import first_waits, is_timed
from cudalint.host.walks import round_of


class StagingWait(Struct, frozen=True):
    """A call that waits in every iteration for the launches behind an upload of what the host fills."""

    call: HostCall
    upload: HostCall
    launches: tuple[HostCall, ...]
    loop: Rounds


def staging_waits(host: HostFacts) -> Iterator[StagingWait]:
    """The first wait of each loop in which the host fills pinned memory, uploads it and launches kernels, all
    on one stream, and fetches nothing.
    """
    for calls, index, loop in first_waits(host):
        found = _staged(calls, index, loop, host.accesses)
        if found is not None and is_timed(calls, calls[index], host):
            yield found


def _staged(
    calls: tuple[HostCall, ...], index: int, loop: Rounds, accesses: tuple[HostAccess, ...]
) -> StagingWait | None:
    call, (before, after) = calls[index], round_of(calls, index)
    uploads = [one for one in before if _uploads(one)]
    launches = tuple(one for one in before if one.kind == "launch")
    queued = [*uploads, *launches]
    work = [one for one in (*before, *after) if one not in queued]
    plain = all(one.kind == "host-work" and not one.unseen for one in work)
    if not uploads or not launches or not plain or call.captured:
        return None
    if any(one.conditions != loop.conditions for one in (call, *queued)):
        return None
    streams = {one.stream for one in queued}
    if len(streams) != 1 or (call.stream and call.stream not in streams):
        return None
    sources = [one.source for one in uploads if one.source is not None]
    touched = [one for one in accesses if one.function == call.function and _in_round(one, before, call)]
    filled = [one for one in touched if one.write and _is_of(one, sources)]
    if not filled or len(filled) < len(touched) or queued[-1].kind != "launch":
        return None
    return StagingWait(call, uploads[0], launches, loop)


def _uploads(call: HostCall) -> bool:
    known = call.kind == "copy" and call.direction == "HtoD" and call.source is not None
    return known and not call.blocking and call.host_space in PINNED


def _in_round(access: HostAccess, before: list[HostCall], call: HostCall) -> bool:
    return before[0].order <= access.order <= call.order


def _is_of(access: HostAccess, buffers: list[Buffer]) -> bool:
    return any(access.buffer.id == one.id for one in buffers)
