"""From what runs saw of the calls of warps to facts: which of them are wrong, with a pair of lanes to show
it.
"""

from typing import Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from cudalint.analyses.kernel_queries import reachable
from cudalint.cuda.effects import SHUFFLES
from cudalint.cuda.warp import WARP
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, children, kept
from cudalint.simt.facts.fact import GIVEN, Fact, KernelRuns
from cudalint.simt.launch.configuration import Configuration, Origin
from cudalint.simt.launch.kernel_run import Run, RunMode, run_plan
from cudalint.simt.launch.parameters import Parameter
from cudalint.simt.launch.ragged import Remainder
from cudalint.simt.threads.warp_calls import WarpCalls, WarpSite
from cudalint.simt.values.different import different
from cudalint.simt.values.lanes import Bools
from cudalint.simt.values.samples import Samples
from cudalint.simt.values.thread import Thread
from cudalint.source.span import Span

_GIVEN = (Origin.LAUNCH, Origin.ASSUMPTION, Origin.COLLECTIVE)  # where the number of threads is the program's
_MOST_SIZES = 3


class WarpFault(Struct, frozen=True):
    """A mismatch between the mask of a warp intrinsic and the lanes that reach it.

    'unnamed': the caller is not in its own mask; 'absent': a lane named in the mask has not exited and does
    not reach the call; 'empty': the caller reads from a lane that provides no value.
    """

    kind: Literal["unnamed", "absent", "empty"]
    mask: int
    here: int  # the lanes that reach the call, as a mask
    thread: Thread  # a caller
    lane: int
    other: Thread | None  # the lane at fault; None if the block has no such thread
    other_lane: int
    left: bool  # the other has exited
    certain: bool  # under every valuation
    condition: str  # at which the lanes diverge
    cause: Span | None  # of that condition
    sizes: tuple[str, ...]  # valuations that show it, as 'n = 4107'
    configuration: Configuration
    remainder: Remainder | None = None  # of the size that it depends on, where that ends in such a block
    by_data: bool = False  # made-up data show it


class WarpCall(Struct, frozen=True):
    """A vote, shuffle, match or warp barrier."""

    span: Span
    name: str
    expression: str
    kernel: str
    full: bool  # all 32 lanes of every warp that reaches it certainly do, in every run
    partial: bool = False  # in some run, a thread of such a warp certainly does not
    width: int | None = None  # of a shuffle, if known
    fault: WarpFault | None = None


def _conclude(kernel: KernelRuns) -> tuple[tuple[WarpCall, ...]]:
    found = _warp_calls(kernel.unit, kernel.function, [*kernel.runs, *kernel.ragged])
    return (_decided_by_data(kernel, found),)


def _decided_by_data(kernel: KernelRuns, calls: tuple[WarpCall, ...]) -> tuple[WarpCall, ...]:
    """The calls, with what made-up data shows of those whose lanes data decides: named lanes that are not
    there.
    """
    open = {call.span for call in calls if call.fault is None and not (call.full or call.partial)}
    if not open or kernel.runs[0].plan.configuration.origin not in GIVEN:
        return calls
    how = RunMode(arbitrary=True, uncounted=True)
    done = run_plan(kernel.unit, kernel.function, kernel.runs[0].plan, kernel.options, how)
    if done.failure:
        return calls
    shown = {
        call.span: replace(call.fault, certain=False, by_data=True, sizes=())
        for call in _warp_calls(kernel.unit, kernel.function, [done])
        if call.fault is not None and call.fault.kind == "absent"
    }
    return tuple(replace(c, fault=shown[c.span]) if c.span in open & shown.keys() else c for c in calls)


def _warp_calls(unit: Unit, function: Function, runs: list[Run]) -> tuple[WarpCall, ...]:
    """Every such call that a run came to; a fault in one run wins, a certain one most of all."""
    best: dict[object, WarpCall] = {}
    used = {
        call.span
        for callee in reachable(unit, function)
        if callee.body is not None
        for call in _used(callee.body)
    }
    for run in runs:
        for site in run.machine.warps.sites.values():
            call = _call(run, site, function.name, site.node.span in used)
            old = best.get(call.span)
            if old is None or _weight(call) > _weight(old):
                best[call.span] = call
    sites: dict[Span, list[WarpSite]] = {}
    for run in runs:
        for site in run.machine.warps.sites.values():
            sites.setdefault(site.node.span, []).append(site)
    calls = (_of_all_runs(call, sites[call.span]) for call in best.values())
    return tuple(sorted(calls, key=lambda c: (c.span.path, c.span.line, c.span.column)))


def _of_all_runs(call: WarpCall, mine: list[WarpSite]) -> WarpCall:
    """The call with what every run says of the lanes that come."""
    return replace(call, full=all(s.full for s in mine), partial=any(s.partial for s in mine))


def _weight(call: WarpCall) -> tuple[bool, bool, bool]:
    """A fault that the end of a size explains goes before one of a few sizes, if the lanes part there."""
    fault = call.fault
    if fault is None:
        return False, False, False
    ends = fault.remainder is not None and fault.remainder.comparison == fault.condition
    return True, fault.certain, ends


def _call(run: Run, site: WarpSite, kernel: str, used: bool) -> WarpCall:
    node = site.node
    return WarpCall(
        span=node.span,
        name=node.name,
        expression=render(node),
        kernel=kernel,
        full=site.full,
        width=site.width,
        fault=_fault(run, site, used),
    )


def _fault(run: Run, site: WarpSite, used: bool) -> WarpFault | None:
    """What one run shows to be wrong; nothing where the shape of the block is a guess."""
    samples, origin = run.machine.state.samples, run.plan.configuration.origin
    if site.mask is None or site.chance or origin == Origin.USUAL:
        return None
    if site.unnamed.any():
        lane = int(site.unnamed.argmax())
        return _warp_fault(run, site, "unnamed", site.unnamed, lane, lane)
    missing = _missing(site, run.machine.warps)
    if missing.any() and not run.failure and not run.machine.state.stopped:
        first = missing & ~site.came if site.came is not None else missing
        other = int((first if first.any() else missing).argmax())
        warp = other - other % WARP
        caller = warp + int(site.here[warp : warp + WARP].argmax())
        return _warp_fault(run, site, "absent", missing, caller, other)
    if not (site.empty.any() and used and site.taken is not None):
        return None
    taker, giver = site.taken
    if not samples.everyone[giver] and origin not in _GIVEN:
        return None
    return _warp_fault(run, site, "empty", site.empty, taker, giver)


def _missing(site: WarpSite, calls: WarpCalls) -> Bools:
    """Lanes that were named and not there, and made fewer calls of that name than one that was there."""
    times = calls.times[site.node.name]
    most = np.where(site.here, times, 0).reshape(-1, WARP).max(axis=1).repeat(WARP)
    return np.asarray(site.absent & (times < most))


def _warp_fault(run: Run, site: WarpSite, kind: str, lanes: Bools, caller: int, other: int) -> WarpFault:
    samples = run.machine.state.samples
    shown, met = _valuations(samples, lanes), _valuations(samples, site.here)
    certain = run.ragged is None and bool((shown | ~met).all())
    remainder = run.ragged.of(different(samples.sample[lanes])) if run.ragged is not None else None
    first = caller - caller % WARP
    came = site.here if site.came is None else site.came
    here = sum(1 << at for at in range(WARP) if came[first + at])
    there = bool(samples.everyone[other])
    return WarpFault(
        kind=kind,  # type: ignore[arg-type]
        mask=site.mask or 0,
        here=here,
        thread=_thread(samples, caller),
        lane=caller % WARP,
        other=_thread(samples, other) if there else None,
        other_lane=other % WARP,
        left=site.left is not None and bool(site.left[other]),
        certain=certain,
        condition=render(site.condition) if site.condition is not None and there else "",
        cause=site.condition.span if site.condition is not None and there else None,
        sizes=() if certain else _sizes(int(shown.argmax()), run.parameters),
        configuration=run.plan.configuration,
        remainder=remainder,
    )


def _valuations(samples: Samples, lanes: Bools) -> Bools:
    """The valuations in which any of the lanes is."""
    return np.asarray(lanes.reshape(samples.valuations, -1).any(axis=1))


def _sizes(valuation: int, parameters: tuple[Parameter, ...]) -> tuple[str, ...]:
    """The valuations of unknown parameters."""
    numbers = [
        f"{p.name} = {p.tried[valuation]:g}"
        for p in parameters
        if len(p.tried) > valuation and not p.pointer and len(set(p.tried)) > 1
    ]
    return tuple(numbers[:_MOST_SIZES])


def _thread(samples: Samples, lane: int) -> Thread:
    return Thread(samples.thread_of(lane), samples.block_of(lane))


# --- use ---


@kept
def _used(body: s.Block) -> list[e.Call]:
    return _used_calls(body)


def _used_calls(node: Node, used: bool = False) -> list[e.Call]:
    """Shuffles whose result is computed with where they stand, or spread over a whole warp. One that is only
    kept in a variable may be dropped by the lanes that it means nothing for.
    """
    found: list[e.Call] = []
    match node:
        case e.Call(name=name, arguments=arguments) if name in SHUFFLES:
            if used or SHUFFLES[name] == "index":
                found.append(node)
            return found + [call for part in arguments for call in _used_calls(part, True)]
        case e.Assign(operator=operator, value=value, target=target):
            return _used_calls(target) + _used_calls(value, operator is not None)
        case e.Cast():
            pass
        case e.Conditional(condition=condition, then=then, otherwise=otherwise):
            return _used_calls(condition, True) + _used_calls(then) + _used_calls(otherwise)
        case e.Unary() | e.Binary() | e.Call():
            used = True
        case _:
            used = False
    for part in children(node):
        found += _used_calls(part, used)
    return found


FACT = Fact(of=(WarpCall,), conclude=_conclude)
