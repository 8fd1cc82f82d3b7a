"""
## What it does
Finds launches with several times more blocks than the guard at the kernel's start lets do anything, those of
whose blocks half or more store nothing, because conditions keep all of their threads from it, and those whose
blocks all do the same, because the kernel never asks for their number on an axis of the grid.

## Why it costs
Every block is launched, even if its threads end at once: on an H200 a block of up to 512 threads that returns
at its guard takes 157 clocks of a multiprocessor, so a million of them take .6 ms. The usual causes are a
product that is counted twice and a division by the block size that is left out. Where fewer blocks than
multiprocessors have work, the idle ones cost more. A sum of 256 MiB to which 524,288 blocks of 128 threads
add by one atomic each took 970 us on an H200, of 2,112 blocks 65 us; 4,096 blocks that all add up one row 22
us, one of them 4.5 us.

## Example
```cuda
__global__ void scale(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] *= 2.0f;
}
scale<<<n, 256>>>(a, n);  // n blocks of 256 threads for n elements
```

## Instead
```cuda
scale<<<(n + 255) / 256, 256>>>(a, n);
```

## Limits
- Sizes that the command line may change are those of the Makefile's run, else of one without words, and the
  finding says so. Where nobody knows the size that a launch passes and takes for its grid, one is chosen.
- Reported from two times as many blocks on; with a chosen size, and for kernels that loop with the size of
  the grid, from 64 times.
- Blocks that store nothing: silent where a thread or block is chosen by its number, fewer than one in 64
  stores, or unknown numbers or data decide.
- Blocks that do the same: silent for kernels that store to what they read, use atomics, print, or call
  unseen code.

## Source
001 'Handling Arbitrary Vector Sizes'; times measured on an H200.
"""

from collections.abc import Iterator
from math import prod

from msgspec.structs import replace

from cudalint.analyses.ending_atomics import ending_atomics
from cudalint.analyses.grid_stride import has_grid_stride
from cudalint.analyses.idle_blocks import guards, idle_from
from cudalint.analyses.idle_share import idle_share
from cudalint.analyses.repeated_blocks import repeated_axes
from cudalint.gpu.capabilities import limits
from cudalint.host.facts import HostFacts, LaunchFact
from cudalint.host.shape import blocks, threads
from cudalint.host.walks import run_of
from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.ir.render import render
from cudalint.ir.unit import Function
from cudalint.rule.findings import Confidence, Finding, Related
from cudalint.rule.grids import ALONE, grid_helpers, longest, passed_numbers, shared_out
from cudalint.rule.rule import Context, Rule
from cudalint.rule.texts import listed
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Impact
from cudalint.significance.launching import more_multiprocessors
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.query.pattern import FEW_LANES

RULE = Rule(
    code="CU511",
    name="oversized-grid",
    severity=Severity.WARNING,
    summary="several times more blocks than have work",
    guides=("001",),
    speed=True,
    made=False,
)

_TIMES = 2  # as many blocks as have work
_MOST_IDLE = 63 / 64  # of the blocks; where fewer store anything, the others may be there for their load
_CHOSEN = "with sizes chosen for what nobody knows"
_MOST_ASIDE = 65535  # blocks in y or z, that a grid can have
_WAVES = 4  # times as many blocks as are resident
_ENDS = 16384  # blocks, whose atomics take 10 us one after the other
_LOOPED = 64  # of a loop with the size of the grid, which any grid fits: threads given as blocks


def check(
    host: HostFacts, accesses: tuple[Access, ...], branches: tuple[Branch, ...], context: Context
) -> Iterator[Finding]:
    """A finding for each launch in the source, at its most oversized axis."""
    seen = set()
    passed = {
        (launch.span, axis)  # the grid is a number that the kernel is handed
        for launch in host.launches
        for axis, position in enumerate(launch.as_passed)
        if position is not None
    }
    for launches, sizes, least in (
        (host.launches, "", _TIMES),
        (host.defaults, f"sizes of {run_of(host)}", _TIMES),
        (host.trials, _CHOSEN, _LOOPED),
    ):
        for launch in launches:
            kernel = context.unit.defined(launch.key)
            if kernel is None or launch.span in seen or launch.span.path not in context.lines:
                continue
            if launch.reached and None not in (*launch.grid, *launch.block):
                axes = {axis for axis in range(3) if (launch.span, axis) in passed or sizes != _CHOSEN}
                found = next(_judge(launch, kernel, axes, sizes, least, branches, context), None)
                if found is None and sizes != _CHOSEN:
                    found = _of_share(launch, kernel, sizes, context)
                    found = found or _of_repeats(launch, kernel, sizes, accesses, context)
                    found = found or _of_ends(launch, kernel, sizes, context)
                if found is not None:
                    seen.add(launch.span)
                    yield found


def _judge(
    launch: LaunchFact,
    kernel: Function,
    axes: set[int],
    sizes: str,
    least: int,
    branches: tuple[Branch, ...],
    context: Context,
) -> Iterator[Finding]:
    """axes: of the grid that count; sizes: whose they are, where not those of every run. least: times as many
    blocks as have work.
    """
    x, y, z = (extent or 0 for extent in launch.grid)
    a, b, c = (extent or 0 for extent in launch.block)
    known = passed_numbers(launch, kernel)
    total = blocks(launch)
    for guard in guards(kernel):
        for axis, extent in enumerate((x, y, z)):
            first = idle_from(context.unit, kernel, guard, axis, (x, y, z), (a, b, c), known)
            if (
                axis not in axes
                or first is None
                or extent < (_LOOPED if guard.loop else least) * first
                or not total
            ):
                continue
            name, times = "xyz"[axis], extent / first
            idle = total // extent * (extent - first)
            impact, few = _lost(launch, kernel, total - idle, branches, context)
            yield RULE.finding(
                launch.span,
                f"oversized grid: {extent:,} blocks in {name}, {first:,} of them with work",
                notes=(
                    f"`{render(guard.node)}` at line {guard.node.span.line} keeps out all threads of the"
                    f" other {extent - first:,}",
                    *few,
                    *((sizes,) if sizes else ()),
                ),
                help=f"launch {first:,} blocks in {name}: the grid is {_factor(times)} too large"
                + ", or let several threads share the work that one has" * bool(few),
                kernel=launch.name,
                evidence={"blocks": extent, "working": first, "axis": name},
                impact=impact,
                confidence=Confidence.MEDIUM if sizes else None,
                related=grid_helpers(launch, context.unit),
            )
            return


def _lost(
    launch: LaunchFact, kernel: Function, working: int, branches: tuple[Branch, ...], context: Context
) -> tuple[Impact, tuple[str, ...]]:
    """What the idle blocks cost, or what the others do by leaving multiprocessors idle, with a note of that:
    blocks of a large grid count as a small one where so few of them have work.
    """
    impact = context.idle_blocks_impact((blocks(launch) or 0) - working, launch)
    available = context.target.multiprocessors
    if not working < available <= (blocks(launch) or 0):
        return impact, ()
    loop = longest(launch, branches, kernel)
    trips = loop.trips[0] if loop is not None and loop.trips is not None else 1
    change = more_multiprocessors(
        working / available, shared_out(kernel, max(1, trips)), launch.stream in ALONE
    )
    spread = context.launch_impact(change, replace(launch, grid=(working, 1, 1)))
    if spread.middle <= impact.middle:
        return impact, ()
    return spread, (f"these leave {available - working} of {available} multiprocessors idle",)


def _of_share(launch: LaunchFact, kernel: Function, sizes: str, context: Context) -> Finding | None:
    """The finding for blocks that conditions anywhere in the kernel keep from storing."""
    x, y, z = (extent or 0 for extent in launch.grid)
    a, b, c = (extent or 0 for extent in launch.block)
    total = blocks(launch)
    if not total or 0 in (a, b, c):
        return None
    found = idle_share(context.unit, kernel, (x, y, z), (a, b, c), passed_numbers(launch, kernel))
    if found is None or not 1 / _TIMES <= found.share <= _MOST_IDLE or _is_equality(found.condition):
        return None
    idle = round(total * found.share)
    return RULE.finding(
        launch.span,
        f"oversized grid: {100 * found.share:.0f}% of {total:,} blocks store nothing",
        notes=(
            f"`{render(found.condition)}` at line {found.condition.span.line} keeps out all threads of many"
            " of them",
            *((sizes,) if sizes else ()),
        ),
        help="launch blocks only for what is stored, and add its start to their numbers",
        kernel=launch.name,
        evidence={"blocks": total, "working": total - idle, "axis": ""},
        impact=context.idle_blocks_impact(idle, launch),
        confidence=Confidence.MEDIUM if sizes else None,
        related=grid_helpers(launch, context.unit),
    )


def _of_repeats(
    launch: LaunchFact, kernel: Function, sizes: str, accesses: tuple[Access, ...], context: Context
) -> Finding | None:
    """The finding for blocks that all do the same."""
    extents = dict(zip("xyz", (extent or 1 for extent in launch.grid), strict=True))
    axes = [axis for axis in repeated_axes(context.unit, kernel) if extents[axis] > 1]
    own = [one for one in accesses if one.kernel == launch.name and one.space != "shared"]
    stored = {one.buffer for one in own if one.operation == "store" and one.space == "global"}
    apart = stored.isdisjoint(one.buffer for one in own if one.operation != "store") and "" not in stored
    if not axes or not stored or not apart or not _is_modelled(kernel, context):
        return None
    total, times = blocks(launch) or 0, prod(extents[axis] for axis in axes)
    if total < context.target.multiprocessors or max(extents["y"], extents["z"]) > _MOST_ASIDE:
        return None
    axes.sort()
    named = listed([f"`blockIdx.{axis}`" for axis in axes])
    return RULE.finding(
        launch.span,
        f"oversized grid: {times:,} blocks{f' in {axes[0]}' if len(axes) == 1 else ''} do the same work",
        notes=(
            f"`{kernel.name}` never asks for {named}: each of them stores the same to the same places",
            *((sizes,) if sizes else ()),
        ),
        help=f"launch one block in {' and '.join(axes)}, or let each take a part of the work",
        kernel=launch.name,
        evidence={"blocks": total, "working": total // times, "axis": "".join(axes)},
        impact=context.repeated_blocks_impact(total - total // times, launch),
        confidence=Confidence.MEDIUM if sizes else None,
        related=grid_helpers(launch, context.unit),
    )


def _of_ends(launch: LaunchFact, kernel: Function, sizes: str, context: Context) -> Finding | None:
    """The finding for many blocks of a kernel that any grid fits, each of which ends with an atomic on an
    address that all share.
    """
    total, size = blocks(launch) or 0, threads(launch) or 0
    if not size or not has_grid_stride(context.unit, kernel):
        return None
    held = limits(context.arch)
    enough = context.target.multiprocessors * min(held.max_blocks_per_sm, held.max_threads_per_sm // size)
    atomics = {call.span: call for call in ending_atomics(context.unit, kernel)}
    run = next((one for one in context.kernels if one.function.key == kernel.key), None)
    made = [one for one in run.accesses if one.span in atomics] if run is not None else []
    ended = [one for one in made if one.space == "global" and one.lanes.active < FEW_LANES]
    if not ended or not enough or total < max(_ENDS, _WAVES * enough):
        return None
    whole = all(_is_integer(atomics[one.span]) for one in ended)
    impact = context.ending_atomics_impact(enough, launch, whole)
    if any(one.basis.data_dependent for one in ended):
        impact = replace(impact, low=0.0)
    first = ended[0].span
    return RULE.finding(
        launch.span,
        f"oversized grid: each of {total:,} blocks ends with an atomic on the same address",
        notes=(
            f"`{render(atomics[first])}` at line {first.line}: they queue, .7 to 1.9 ns each (H200)",
            *((sizes,) if sizes else ()),
        ),
        help=f"launch about {enough:,} blocks, as many as are resident: the kernel's loop steps by the"
        " size of the grid",
        kernel=launch.name,
        evidence={"blocks": total, "working": enough, "axis": ""},
        impact=impact,
        confidence=Confidence.MEDIUM if sizes else None,
        related=(
            Related(first, "one atomic for each block"),
            *grid_helpers(launch, context.unit),
        ),
    )


def _is_integer(atomic: e.Call) -> bool:
    """Whether it works on an integer."""
    kind = atomic.arguments[-1].type
    return isinstance(kind, t.Scalar) and kind.kind in ("signed", "unsigned")


def _is_modelled(kernel: Function, context: Context) -> bool:
    """Whether every access of the kernel is known."""
    return any(one.modelled for one in context.kernels if one.function.key == kernel.key)


def _is_equality(condition: e.Expression) -> bool:
    """Whether one thread or block is chosen by its number."""
    return isinstance(condition, e.Binary) and condition.operator in ("==", "!=")


def _factor(times: float) -> str:
    return f"{times:,.0f} times" if times >= 10 else f"{times:.1f} times"
