"""
## What it does
Finds memory that a kernel never writes and of which a block loads each byte several times: a matrix row that
every row of threads reads again, a list that every thread scans, the neighbours of a stencil, the windows of
a filter, a struct of constants. The number is counted from the lane addresses of a whole block; bytes that
the lanes of one request share count once, and so does what a thread loads from one address again.

Also finds loops that load what an earlier loop of the same thread has loaded or stored: a row that is summed
up and then normalised. No register holds so many values until then.

## Why it costs
Each of these requests goes through the L1 cache and waits for it. A tile that the block loads once into
shared memory is read with less latency, and leaves L1 to other data. From sm_70 on, L1 and shared memory are
one unit, which takes part of the gain; what is left was measured on an H200, with blocks of 256 threads
unless stated otherwise:

| loop | from global memory | from shared memory |
|---|---|---|
| C = AB, 4096 x 4096, blocks of 32 x 32 | 22.5 ms | 15.4 ms with both tiles |
| the same, blocks of 16 x 16 | 25.2 ms | 16.9 ms |
| C = AB with 32 columns of A, 32 x 32 | 2.81 ms | 2.23 ms |
| all pairs, 1 operation each | 3.98 ms | 1.54 ms |
| all pairs, 8 multiply-adds each | 8.47 ms | 6.13 ms |
| all pairs, 32 multiply-adds each | 21.4 ms | 19.3 ms |
| a table of 64 floats by all threads | .165 ms | .130 ms |
| a table of 16 floats by all threads | .067 ms | .071 ms |
| the nearest of 32 centres in 16 dimensions | .187 ms | .186 ms |
| 3 x 3 window of an image | .258 ms | .427 ms |
| 11 x 11 window of an image | 1.30 ms | 1.22 ms |
| all pairs, 1 difference each | .317 ms | .196 ms |
| the same and 1 `__sinf` each | .555 ms | .549 ms |
| the same and 2 `__sinf` each | 1.08 ms | 1.10 ms |
| two lists, a sine and a cosine for both | 1.63 ms | 1.63 ms |
| all pairs of `float4`, 1 `rsqrtf` each | 1.12 ms | .864 ms |

Most is gained where a loop does little for each load; nothing where it executes one special function
(`__sinf`, a division) for every four bytes loaded. L1 serves small windows (3 x 3) better than a tile
does, so the impact begins at 0.

## Example
```cuda
for (int k = 0; k < n; k++)
    sum += a[row * n + k] * b[k * n + column];  // block 32x32: each byte of b is loaded by 32 warps
```

## Instead
```cuda
__shared__ float ta[32][32], tb[32][32];
for (int k = 0; k < n; k += 32) {
    ta[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    tb[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int i = 0; i < 32; i++)
        sum += ta[threadIdx.y][i] * tb[i][threadIdx.x];
    __syncthreads();
}
```
For a product of large matrices a library (cuBLAS, CUTLASS) also uses the tensor cores.

## Limits
- Reported from two loads per byte on: less is the rim that tiles share.
- Silent where addresses depend on loaded data, and where the buffer is volatile or the kernel may write it.
- One finding for each kernel, at the load that repeats most.
- A tile needs barriers that all threads of the block reach, and fits only if it is small enough.
- Does not count what other blocks load, which L2 serves.

## Source
000 section 9.2 (shared memory in a matrix product); 002 'Shared Memory'; 004 'Shared Memory'; timings on an
H200.
"""

from collections.abc import Iterator
from math import prod

from cudalint.analyses.shared_quotients import shared_by
from cudalint.ir.render import render
from cudalint.rule.findings import Finding, Related
from cudalint.rule.related import at_spans, elsewhere, repeated
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import on_shape
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis, Impact
from cudalint.significance.saving import Removed, Saving
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.passes import Pass
from cudalint.simt.facts.rereads import Reread
from cudalint.simt.query.pattern import SECTOR, guessed, number
from cudalint.simt.query.staging import staged
from cudalint.source.span import Span

RULE = Rule(
    code="CU107",
    name="redundant-global-load",
    severity=Severity.WARNING,
    summary="a block loads the same bytes of global memory repeatedly",
    guides=("000 9.2", "002", "004"),
    speed=True,
)

_CONSTANT_BYTES = 4096  # that the parameters of a kernel may take


def check(
    kernel: KernelFacts,
    rereads: tuple[Reread, ...],
    passes: tuple[Pass, ...],
    accesses: tuple[Access, ...],
    context: Context,
) -> Iterator[Finding]:
    """One finding for the kernel, with all that its blocks load repeatedly, and one for further passes."""
    loads = {
        access.span: access
        for access in accesses
        if (access.operation, access.space) == ("load", "global") and access.span.path in context.lines
    }
    again = {one.span: one for one in rereads if one.span in loads}
    if again:
        yield from _by_block(kernel, loads, again, context)
    further = [one for one in passes if one.span in loads and one.span not in again and not one.host]
    if further:
        yield _by_thread(further, loads, kernel, context)


def _by_block(
    kernel: KernelFacts, loads: dict[Span, Access], again: dict[Span, Reread], context: Context
) -> Iterator[Finding]:
    removed = [Removed(loads[span], one.spare, again="block") for span, one in again.items()]
    walked = [access for span, access in loads.items() if span not in again and _walks_sectors(access)]
    removed += [Removed(access, 1 - _step(access) / SECTOR, again="block") for access in walked]
    impact = context.impact(Saving(Basis.SECTORS, removed=tuple(removed)), kernel)
    stages = staged(kernel, context.unit)
    yield _finding(loads, again, walked, stages, kernel, impact)


def _by_thread(
    further: list[Pass], loads: dict[Span, Access], kernel: KernelFacts, context: Context
) -> Finding:
    """Of the loads that come again in later loops; placed at the one that has most to load."""
    removed = tuple(Removed(loads[one.span], one.share, again="block") for one in further)
    impact = context.impact(Saving(Basis.SECTORS, removed=removed), kernel)
    first, *others = sorted(further, key=lambda one: (-loads[one.span].weight.share, one.span.line))
    had = "stored" if first.stored else "loaded"
    load = f"`{loads[first.span].expression}`"
    return RULE.finding(
        first.span,
        f"redundant global load: each thread loads {load} again, which it {had} in an earlier loop"
        f" (line {first.before.line})",
        notes=(
            "registers do not hold what a whole loop loads: the values come from the caches or memory again",
        ),
        help="keep the values of a short row in registers, those of a long one in shared memory; or compute"
        " what both loops need in one pass",
        kernel=kernel.name,
        evidence={"share": first.share, "loads": len(further)},
        impact=impact,
        related=(
            Related(first.before, f"{had} here first"),
            *repeated(
                others, lambda one: f"`{loads[one.span].expression}` again, from line {one.before.line}"
            ),
        ),
        standing=on_shape(first.configuration),
    )


def _step(access: Access) -> int:
    return abs(access.layout.step_stride or 0)


def _walks_sectors(access: Access) -> bool:
    """Whether each request fetches one element for many lanes, and the next iteration the next one: the same
    sector is requested again until all of it is used.
    """
    one_element = access.layout.uniform or access.layout.lane_strides == (0,)
    return one_element and 0 < _step(access) < SECTOR


def _finding(
    loads: dict[Span, Access],
    again: dict[Span, Reread],
    walked: list[Access],
    stages: frozenset[Span],
    kernel: KernelFacts,
    impact: Impact,
) -> Finding:
    """stages: loads whose values are kept in shared memory."""
    tiles = {loads[span].buffer for span in stages if span in loads}
    span, most = max(
        again.items(),
        key=lambda pair: ((pair[1].times - 1) * pair[1].bytes, pair[0] not in stages, -pair[0].line),
    )
    times = _times(most)
    divisor = _divisor(kernel, span)
    block = f"a block of {_size(most)} threads" if guessed(most.configuration) else "a block"
    return RULE.finding(
        span,
        f"redundant global load: {block} loads the same bytes of `{most.buffer}` {times} times",
        notes=(
            f"{_warps(most)} `{most.buffer}`, which the kernel never writes",
            *((_grown(most),) if most.growing else ()),
        ),
        help=_help(most, loads[span], tiles if span not in stages else set(), divisor is not None),
        kernel=kernel.name,
        evidence={"times": number(most.times), "warps": most.warps, "bytes": most.bytes},
        impact=impact,
        condition=_condition(most, divisor),
        related=(
            *at_spans(most.calls if most.share < 1 else (), "called here"),
            *repeated(
                (loads[other] for other in again if other != span),
                lambda load: f"`{load.expression}`: {_times(again[load.span])} loads per byte",
            ),
            *elsewhere(
                walked,
                lambda load: f"`{load.expression}`: {load.bytes} of a sector's {SECTOR} bytes per request",
            ),
        ),
        standing=on_shape(most.configuration),
    )


def _times(reread: Reread) -> str:
    """The number, where it is one of the program, not of how many iterations were tried."""
    return "several" if reread.growing else str(number(reread.times))


def _grown(reread: Reread) -> str:
    return f"{number(reread.times)} times in as many iterations as were tried; the number grows with them"


def _divisor(kernel: KernelFacts, span: Span) -> str | None:
    """What the launch passes, nobody knows how large, for threads to divide by on the way to the index."""
    found = shared_by(kernel.function, span)
    name = render(found) if found is not None else ""
    values = (value for passed in kernel.parameters for value in passed)
    return name if any(value.name == name and len(set(value.tried)) > 1 for value in values) else None


def _condition(reread: Reread, divisor: str | None) -> str | None:
    """divisor: what the threads divide by to get one index for several of them."""
    if divisor is not None:
        return f"{divisor} is {prod(reread.configuration.block)} or more"
    return "the loop makes several iterations" if reread.growing else None


def _size(reread: Reread) -> str:
    return "x".join(str(side) for side in reread.configuration.block if side > 1)


def _warps(reread: Reread) -> str:
    return "1 warp of the block loads" if reread.warps == 1 else f"{reread.warps} warps of the block load"


def _help(reread: Reread, load: Access, tiles: set[str], divided: bool) -> str:
    """What fits: the tile that there is, constant memory for the same few bytes in all blocks, or a tile.
    divided: all blocks load the same only because of the divisor that was tried.
    """
    if reread.buffer in tiles:
        return f"the block stages `{reread.buffer}` in shared memory: read it from there"
    one_element = load.layout.uniform or load.layout.lane_strides == (0,)
    size = reread.object_bytes if load.layout.step_stride else reread.bytes
    if one_element and reread.fixed and not divided and 0 < size <= _CONSTANT_BYTES:
        return f"pass `{reread.buffer}` by value or in constant memory, where it does not change in a launch"
    return "load a tile into shared memory once per block, then `__syncthreads()`, and read it from there"
