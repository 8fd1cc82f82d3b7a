"""Algorithms of Thrust in a loop that the host waits for, although it only queues more work after them."""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.cuda.thrust import ALGORITHMS, TEMPORARY
from cudalint.host.facts import HostCall, HostFacts, Rounds
from cudalint.host.query.needless_waits import first_of_loops, host_is_busy, is_timed, stays_on_the_device
from cudalint.host.walks import round_of
from cudalint.ir import expressions as e
from cudalint.ir.unit import Unit

_ONLY_QUEUED = ALGORITHMS - TEMPORARY - {"copy", "copy_n"}  # a copy may go to the host


class AlgorithmWait(Struct, frozen=True):
    """The first algorithm of a loop that waits, and what else waits or is launched in an iteration."""

    call: HostCall
    others: tuple[HostCall, ...]
    loop: Rounds


def algorithm_waits(host: HostFacts, unit: Unit) -> Iterator[AlgorithmWait]:
    """Where nothing in an iteration needs the wait, and something is queued besides."""
    for calls, index, loop in first_of_loops(host, lambda calls, index: _waits(calls[index])):
        call = calls[index]
        before, after = round_of(calls, index)
        round_ = [*before, call, *after]
        others = tuple(one for one in (*before, *after) if one.kind == "launch" or _waits(one))
        if not others or not all(_is_harmless(one, loop, unit) for one in round_):
            continue
        alone = len({one.stream for one in (call, *others)}) == 1 and call.stream != "unknown"
        if alone and not host_is_busy(round_, loop, host) and is_timed(calls, call, host):
            yield AlgorithmWait(call, others, loop)


def _waits(call: HostCall) -> bool:
    """Whether a call is of an algorithm that only queues work, by a policy that waits for it."""
    node = call.expression
    if call.kind != "library" or not call.blocking or not isinstance(node, e.Call) or call.captured:
        return False
    return node.qualified.startswith("thrust::") and node.name in _ONLY_QUEUED


def _is_harmless(call: HostCall, loop: Rounds, unit: Unit) -> bool:
    """Whether a call in an iteration neither needs the wait nor makes it superfluous."""
    if call.kind == "host-work":
        return not call.unseen
    if call.conditions != loop.conditions:
        return False
    if call.kind == "library":
        return _waits(call) and call.host_space == "device"
    return call.kind == "launch" and stays_on_the_device(call, unit)
