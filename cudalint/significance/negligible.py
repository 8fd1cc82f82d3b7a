"""Accesses that cannot be felt, however they are made: in launches that are over before it matters or that
the program does not measure, where each lane does something far longer besides, beside loops that compute, or
that go round nobody knows how often.
"""

import math
from collections.abc import Iterable, Mapping

from cudalint.analyses.instructions import OPERATIONS, instructions_of, own_cost
from cudalint.analyses.kernel_queries import reachable, tells_blocks_apart
from cudalint.analyses.once import once
from cudalint.analyses.trip_counts import constant_trips
from cudalint.cuda.effects import BLOCK_BARRIERS, QUEUED
from cudalint.gpu.devices import Device
from cudalint.gpu.throughput import issued_per_sector
from cudalint.gpu.throughput import launches as launches_of
from cudalint.host.facts import HostFacts, LaunchFact
from cudalint.host.timing import is_preparation
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, walk
from cudalint.significance.cost import Costs, scales, told_trips
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.launch.configuration import Origin
from cudalint.simt.query.neighbours import ControlContext, stands
from cudalint.source.span import Span

# Operations of a thread for each sector above the ideal that a request of its warp asks for, beside which
# that is a tenth: device memory delivers a sector to each multiprocessor of an H200 in 1.8 clocks (4.8 TB/s,
# 132 of them at 1.98 GHz), in which it issues seven instructions of warps.
_OPERATIONS = 72
_BARRIER = 8.0  # operations: 16 results a clock against 128, as the Programming Guide has it for 7.x and 8.x
_MULTIPROCESSORS = 132  # of the H200 that these rates were measured on


def negligible(
    accesses: Iterable[Access], kernel: KernelFacts, unit: Unit, host: HostFacts, device: Device | None = None
) -> bool:
    """Whether none of the accesses, nor all of them, can be felt, or the program does not measure them."""
    return unmeasured(unit, kernel.function, host) or unfelt(accesses, kernel, unit, host, device)


def unfelt(
    accesses: Iterable[Access], kernel: KernelFacts, unit: Unit, host: HostFacts, device: Device | None = None
) -> bool:
    """Whether none of the accesses, nor all of them, can be felt."""
    found = tuple(accesses)
    if _small(found, kernel, unit, host.launches, device) or _of_one_block(kernel, unit, host.launches):
        return True
    places = stands(unit, kernel.function)
    if _once_beside_loops(found, kernel.function, unit, places):
        return True
    if _outcomputed(found, kernel.function, unit, places, _hiding(device)):
        return True
    long = [places[span] for span in _long(unit, kernel.function) if span in places]
    return all(access.span in places and _outweighed(places[access.span], long) for access in found)


def _of_one_block(kernel: KernelFacts, unit: Unit, launches: Iterable[LaunchFact]) -> bool:
    """Whether one block does all: of a device of which it uses one multiprocessor, CU504 speaks. That is so
    where every launch has one, and where no launch is seen and all blocks would do the same.
    """
    own = [launch for launch in launches if launch.key == kernel.function.key]
    if not own:
        return not tells_blocks_apart(unit, kernel.function)
    return all(launch.grid == (1, 1, 1) for launch in own)


def unmeasured(unit: Unit, function: Function, host: HostFacts) -> bool:
    """Whether the program measures launches, and none of this kernel, or the file launches kernels, and this
    one nowhere that control comes to.
    """
    reached = {launch.key for launch in host.launches if launch.reached and launch.key is not None}
    unused = function.kernel and bool(reached) and function.key not in reached
    return unused or function.key in _preparing(unit, host)


@once
def _preparing(unit: Unit, host: HostFacts) -> frozenset[str]:
    """Kernels all of whose launches the program leaves out of what it measures."""
    spans: dict[str, set[Span]] = {}
    for launch in host.launches:
        if launch.key is not None:
            spans.setdefault(launch.key, set()).add(launch.span)
    return frozenset(key for key, own in spans.items() if all(is_preparation(span, host) for span in own))


def _once_beside_loops(
    accesses: tuple[Access, ...], function: Function, unit: Unit, places: dict[Span, ControlContext]
) -> bool:
    """Whether the accesses are made once, and loops that access memory go round nobody knows how often."""
    stood = [places.get(access.span) for access in accesses]
    own = all(stand is not None and not stand.loops and stand.arms[0] == id(function) for stand in stood)
    return own and open_loops(unit, function)


@once
def open_loops(unit: Unit, function: Function) -> bool:
    """Whether the kernel has a loop of a length that only the run knows, round an access to memory."""
    return any(
        isinstance(node, s.Loop) and is_open(node)
        for current in reachable(unit, function)
        for node in (walk(current.body) if current.body is not None else ())
    )


def is_open(loop: s.Loop) -> bool:
    """Whether a loop is round an access to memory and of a length that only the run knows: not one whose
    counter is halved or doubled, which is short.
    """
    return (
        not constant_trips(loop)
        and not scales(loop)
        and any(isinstance(part, e.Index | e.Dereference) for part in walk(loop.body))
    )


def _small(
    accesses: tuple[Access, ...],
    kernel: KernelFacts,
    unit: Unit,
    launches: tuple[LaunchFact, ...],
    device: Device | None,
) -> bool:
    """Whether in every launch all of it is moved before that matters: by one multiprocessor alone while an
    empty one is made, or, where the file also launches a kernel that goes round nobody knows how often, by
    those that have a block in a tenth of that time.
    """
    shapes = {shape.block for shape in kernel.configurations if shape.origin == Origin.LAUNCH}
    own = [launch for launch in launches if launch.key == kernel.function.key]
    if not own or any(launch.block not in shapes for launch in own):
        return False
    if any(access.weight.sectors is None for access in accesses):
        return False
    loads = sum(access.weight.sectors or 0.0 for access in accesses if access.operation == "load")
    stores = sum(access.weight.sectors or 0.0 for access in accesses if access.operation != "load")
    most = device.multiprocessors if device is not None else _MULTIPROCESSORS
    at_work = min(min(_blocks(launch), most) for launch in own)
    others = {launch.key for launch in launches if launch.reached} - {kernel.function.key}
    long = any(open_loops(unit, unit.functions[key]) for key in others if key in unit.functions)
    return launches_of(loads, stores) < (max(1.0, at_work / 10) if long else 1.0)


def _blocks(launch: LaunchFact) -> int:
    """How many a launch has; 1 where nothing tells."""
    return math.prod(extent or 1 for extent in launch.grid)


def _outcomputed(
    accesses: tuple[Access, ...],
    function: Function,
    unit: Unit,
    places: dict[Span, ControlContext],
    hiding: float,
) -> bool:
    """Whether the kernel, or a round of the loop right round the accesses, computes for long beside them."""
    over: dict[int, float] = {}
    for access in accesses:
        stand = places.get(access.span)
        if stand is None:
            return False
        region = stand.loops[-1] if stand.loops else stand.arms[0]
        over[region] = over.get(region, 0.0) + _over(access) * stand.iterations
    known = _operations(unit, function)
    return sum(over.values()) > 0.0 and all(known[at] >= hiding * part for at, part in over.items())


def outcomputes(
    unit: Unit, function: Function, rounds: Mapping[int, float], sectors: Mapping[int, float], least: float
) -> bool:
    """Whether a thread does `least` operations or more for each of the sectors of L1 that its accesses move,
    in the loops right round them, and in the whole kernel for those that are in none. rounds, sectors: by
    the identity of the loop, 0 for none.
    """
    known = _weighed(unit, function)
    in_loops = sum(part for at, part in sectors.items() if at)
    done = sum(known.get(at, 0.0) * rounds.get(at, 0.0) for at in sectors if at)
    return done >= least * in_loops and known[id(function)] >= least * sectors.get(0, 0.0)


def _hiding(device: Device | None) -> float:
    """Operations of a thread for each excess sector of its warp, compared with which that is a tenth."""
    return 10 * issued_per_sector(device) if device is not None else _OPERATIONS


def _over(access: Access) -> float:
    """Sectors of a request above the ideal."""
    return (access.transactions.per_request or 0.0) - (access.transactions.ideal or 0.0)


@once
def _operations(unit: Unit, function: Function) -> dict[int, float]:
    """Roughly how many operations a thread does in the loops of a function, and at least in an iteration of a
    loop, those of what they call included: by identity, for the kernel and what it calls.
    """
    return _counted(unit, function, Costs(_plain, told_trips, unit.functions))


@once
def _weighed(unit: Unit, function: Function) -> dict[int, float]:
    """The same in instructions, as far as those of divisions and of the mathematics library are known; for
    the kernel also those outside of loops.
    """
    costs = Costs(_instructions, told_trips, unit.functions)
    found = _counted(unit, function, costs)
    outside = costs.of_function(function).instructions.high
    return found | {id(function): found[id(function)] + outside}


def _plain(node: Node) -> float:
    if isinstance(node, e.Call) and node.name in BLOCK_BARRIERS:
        return _BARRIER
    return float(isinstance(node, OPERATIONS))


def _instructions(node: Node) -> float:
    counted = instructions_of(node)
    return max(own_cost(node), counted.all if counted is not None else 0)


def _counted(unit: Unit, function: Function, costs: Costs) -> dict[int, float]:
    found: dict[int, float] = {}
    for current in reachable(unit, function):
        found[id(current)] = costs.of_function(current).looped.high
        for node in walk(current.body) if current.body is not None else ():
            if isinstance(node, s.Loop):
                found[id(node)] = costs.of(node.body).all.low
    return found


@once
def _long(unit: Unit, function: Function) -> tuple[Span, ...]:
    """Where device code asks for memory, gives it back, prints, or launches a grid."""
    return tuple(
        node.span
        for current in reachable(unit, function)
        for node in (walk(current.body) if current.body is not None else ())
        if isinstance(node, e.Launch) or (isinstance(node, e.Call) and node.name in QUEUED)
    )


def _outweighed(stand: ControlContext, long: list[ControlContext]) -> bool:
    """Whether each lane that comes to a place does one of these as often, or more often."""
    return any(
        one.arms == stand.arms[: len(one.arms)] and stand.loops == one.loops[: len(stand.loops)]
        for one in long
    )
