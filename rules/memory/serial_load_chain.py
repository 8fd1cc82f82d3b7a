"""
## What it does
Finds loops in which each iteration waits for its own load from global memory: the address depends on what
the iteration before has loaded, or a store in between may change what is loaded next, with few warps to hide
it; or the loop adds a number of the launch in unsigned arithmetic (`i += blockDim.x`), which may wrap, so
that the compiler cannot count the iterations and writes out none of them.

## Why it costs
A load from global memory takes 500 to 800 clocks. The compiler starts the loads of several iterations at
once where it may; here each iteration takes the whole latency, and a multiprocessor with few warps has
nothing else to do meanwhile.

Where it writes out none, even many warps have too few bytes in flight. Sums of 512 MiB on an H200:

| warps per multiprocessor | one float per iteration | four at once |
|---|---|---|
| 64 | .211 ms | .128 ms |
| 32 | .381 ms | .157 ms |
| 16 | .732 ms | .252 ms |
| 8 | 1.44 ms | .466 ms |

## Example
```cuda
for (int t = 0; t < steps; t++) {
    state = 0.9f * state + in[t * n + i];
    out[t * n + i] = state;  // may be what the next iteration loads
}
```

## Instead
```cuda
__global__ void filter(float *__restrict__ out, const float *__restrict__ in, int n, int steps)
```
so that loads may overtake stores, or load the elements of several iterations into registers first. A chain of
addresses (`at = next[at]`) has no such fix: let a thread walk several chains side by side, or run more warps.
`const int step = blockDim.x;` makes a step signed: nvcc then starts four loads at once. Or load a `float4`.

## Limits
- Few warps: less than half of what a multiprocessor holds; unsigned steps are reported with more, too. For an
  unknown grid, the finding says for how few blocks it holds; loops that stride by its size are left out.
- Silent for fewer than eight iterations, where need be with the sizes of a run without words on the command
  line.
- Silent for loops that are unrolled, run over the rest of a division (`i = n / 4 * 4 + k`), or that CU108 or
  CU405 reports; for loads that an unrolled inner loop starts ahead of the stores; for stores in loops with
  barriers.
- Not all called functions are looked into.

## Source
000 and 001 (latency and occupancy); Jia and others, arXiv:1804.06826.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from cudalint.analyses.definitions import definitions
from cudalint.analyses.grid_stride import steps_by_grid
from cudalint.analyses.kernel_queries import accessed, root_of
from cudalint.analyses.serial_loads import SerialLoad, serial_loads
from cudalint.analyses.trip_counts import side_by_side
from cudalint.cuda.warp import WARP
from cudalint.gpu.capabilities import limits
from cudalint.gpu.throughput import throughput
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.types import Scalar
from cudalint.ir.walk import walk
from cudalint.rule.findings import Finding, Related
from cudalint.rule.related import repeated
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance import roofline
from cudalint.significance.impact import Basis, Impact
from cudalint.significance.saving import Removed, Saving
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.serial_loops import SerialLoop
from cudalint.simt.facts.workload import Workload
from cudalint.source.span import Span

RULE = Rule(
    code="CU118",
    name="serial-load-chain",
    severity=Severity.WARNING,
    summary="each iteration of a loop waits for its own load",
    guides=("000", "001"),
    speed=True,
)

_FEW = 8  # iterations
_ENOUGH = 0.5  # of the warps that a multiprocessor holds
_SPARED = {"store": 3 / 4, "address": 1 / 2, "step": 3 / 4}  # four iterations at once; two chains


def check(
    kernel: KernelFacts,
    accesses: tuple[Access, ...],
    branches: tuple[Branch, ...],
    alone: tuple[SerialLoop, ...],
    context: Context,
) -> Iterator[Finding]:
    """One finding for the loops with one such load, at the first; none in a loop that one thread should not
    run.
    """
    shared_out = {id(part) for one in alone for part in walk(one.loop)}
    made = {access.span: access for access in accesses if access.space == "global"}
    few = _few_warps(kernel, context) if made else None
    loops: dict[int, list[SerialLoad]] = {}
    for one in serial_loads(context.unit, kernel.function, frozenset(made)):
        reported = one.span.path in context.lines and id(one.loop) not in shared_out
        costs = one.how == "step" or few is not None
        if reported and costs and not _is_short(one, branches) and not _fits_any_grid(one, kernel, context):
            loops.setdefault(id(one.loop), []).append(one)
    alike: dict[tuple[str, str], list[SerialLoad]] = {}
    for first, *rest in loops.values():
        chain = [one for one in (first, *rest) if one.how == first.how]
        alike.setdefault((first.how, render(first.load)), []).extend(chain)
    for chain in alike.values():
        if chain[0].how == "step":
            yield _stepping(chain, made, kernel, context)
        elif few is not None:
            yield _finding(chain, made, few, kernel, context)


def _fits_any_grid(one: SerialLoad, kernel: KernelFacts, context: Context) -> bool:
    """Whether the loop strides by the size of a grid that no one knows: with as many blocks as there is work
    for it makes one iteration.
    """
    unknown = any(work.blocks is None for work in kernel.of(Workload) if not work.forced)
    open_grid = unknown and _fewest_blocks(kernel, context) is None
    return open_grid and steps_by_grid(one.loop, definitions(context.unit, kernel.function))


def _others(chain: list[SerialLoad]) -> list[SerialLoad]:
    """The first load of each further loop."""
    firsts = {id(one.loop): one for one in reversed(chain)}
    return [one for one in firsts.values() if one.loop is not chain[0].loop][::-1]


def _is_short(one: SerialLoad, branches: tuple[Branch, ...]) -> bool:
    """Whether the loop surely makes few iterations."""
    if one.most < _FEW:
        return True
    condition = one.loop.condition
    counts = [
        branch.loop.usual or branch.loop.trips[1]
        for branch in branches
        if branch.kind == "loop" and condition is not None and branch.span == condition.span
        if branch.loop.trips is not None and (branch.loop.usual is not None or not branch.loop.chosen)
    ]
    return bool(counts) and max(counts) < _FEW


def _few_warps(kernel: KernelFacts, context: Context) -> tuple[int, int | None] | None:
    """(warps on a multiprocessor, blocks below which they are so few or None where that is sure); None where
    there are enough.
    """
    rates = throughput(context.target)
    most = int(limits(context.arch).max_warps_per_sm * _ENOUGH)
    found: list[tuple[int, int | None]] = []
    for work in kernel.of(Workload):
        held = roofline.resident(work, rates) * work.warps
        if work.forced:
            continue
        blocks = work.blocks if work.blocks is not None else _fewest_blocks(kernel, context)
        if blocks is not None:
            held = min(held, -(-blocks * work.warps // rates.multiprocessors))
            found.append((held, None))
        else:
            found.append((min(held, most - 1), most * rates.multiprocessors // work.warps))
    return min(found, default=None) if found and min(found)[0] < most else None


def _fewest_blocks(kernel: KernelFacts, context: Context) -> int | None:
    """Of the launches, where they differ but all say their grid."""
    grids = [launch.grid for launch in context.host.launches if launch.key == kernel.function.key]
    known = [x * y * z for x, y, z in grids if x is not None and y is not None and z is not None]
    return min(known) if known and len(known) == len(grids) else None


def _finding(
    chain: list[SerialLoad],
    made: dict[Span, Access],
    few: tuple[int, int | None],
    kernel: KernelFacts,
    context: Context,
) -> Finding:
    first = chain[0]
    warps, blocks = few
    impact = _impact(chain, made, kernel, context)
    line = first.loop.span.line
    if first.store is not None:
        why = f"the store to `{render(first.store)}` at line {first.store.span.line} may alias it"
        help = "load several iterations' elements first"
        if root_of(accessed(first.load)) is not root_of(accessed(first.store)):
            help = f"add `__restrict__` to both pointers, or {help}"
    else:
        why = "its address depends on what the iteration before has loaded"
        help = "walk several chains per thread side by side, or run more warps"
    return RULE.finding(
        first.span,
        f"serial loads: each iteration of the loop at line {line} waits for its load of"
        f" `{render(first.load)}`",
        notes=(why, *((f"{warps} warps per multiprocessor to hide it",) if blocks is None else ())),
        help=help,
        kernel=kernel.name,
        evidence={"how": first.how, "warps": warps if blocks is None else None},
        impact=impact,
        condition=f"the grid has fewer than {blocks:,} blocks" if blocks is not None else None,
        related=(
            *((Related(first.store.span, "may be stored here"),) if first.store is not None else ()),
            *repeated(_others(chain), lambda one: f"the same in the loop at line {one.loop.span.line}"),
        ),
    )


def _stepping(
    chain: list[SerialLoad], made: dict[Span, Access], kernel: KernelFacts, context: Context
) -> Finding:
    """Of loops whose step is a number of the launch."""
    first, *_ = chain
    rates = throughput(context.target)
    held = [roofline.resident(work, rates) * work.warps for work in kernel.of(Workload) if not work.forced]
    bytes = max(held, default=0) * WARP * made[first.span].bytes
    waits = tuple(Removed(made[one.span], _SPARED[one.how]) for one in chain)
    impact = context.impact(Saving(Basis.LATENCY, waits=waits, in_flight="iteration"), kernel)
    bound = _compares_unsigned(first.loop)
    return RULE.finding(
        first.span,
        f"serial loads: each iteration of the loop at line {first.loop.span.line} waits for its load of"
        f" `{render(first.load)}`: its unsigned {'step and bound keep' if bound else 'step keeps'} nvcc from"
        " unrolling it",
        notes=(f"at most {bytes / 1024:.3g} KiB of it are in flight per multiprocessor",),
        help=f"count {'to a signed bound ' if bound else ''}with a signed step (`const int step = ...;`), so"
        " that four iterations are loaded for at once, or load vectors (`float4`)",
        kernel=kernel.name,
        evidence={"how": first.how, "warps": max(held, default=None)},
        impact=impact,
        related=repeated(_others(chain), lambda one: f"the same in the loop at line {one.loop.span.line}"),
    )


def _compares_unsigned(loop: s.Loop) -> bool:
    """Whether the counter is compared as an unsigned number, as what it is compared with makes it."""
    kind = loop.condition.left.type if isinstance(loop.condition, e.Binary) else None
    return isinstance(kind, Scalar) and kind.kind == "unsigned"


def _impact(
    chain: list[SerialLoad], made: dict[Span, Access], kernel: KernelFacts, context: Context
) -> Impact:
    """Loads of a known number of iterations may be started for more of them at once; a chain of addresses has
    no fix that is sure.
    """

    def spared(parts: list[float]) -> Impact:
        waits = (Removed(made[one.span], part) for one, part in zip(chain, parts, strict=True))
        return context.impact(Saving(Basis.LATENCY, waits=tuple(waits)), kernel)

    impact = spared([_SPARED[one.how] for one in chain])
    if chain[0].how == "address":
        return replace(impact, low=0.0)
    return replace(impact, high=spared([1 - 1 / side_by_side(one.loop) for one in chain]).high)
