"""
## What it does
Finds launches that pass a kernel no dynamic shared memory, or less than its threads certainly access.

## Why it costs
`extern __shared__` has the size of the launch's third argument, and 0 bytes without one. An access beyond it
fails with cudaErrorIllegalAddress, or goes unnoticed for a while: shared memory is allocated in units of 128
bytes, so a few bytes too many hit nothing that is checked.

## Example
```cuda
__global__ void turn(int *d, int n)
{
    extern __shared__ int s[];
    s[threadIdx.x] = d[threadIdx.x];
    __syncthreads();
    d[threadIdx.x] = s[n - 1 - threadIdx.x];
}
turn<<<1, 256>>>(d, 256);  // no third argument
turn<<<1, 256, 256>>>(d, 256);  // elements, not bytes
```

## Instead
```cuda
turn<<<1, 256, 256 * sizeof(int)>>>(d, 256);
```
The third argument is in bytes, for everything that the kernel keeps in dynamic shared memory.

## Limits
- Silent where the size passed is not known, but for what a program has without words on its command line.
- The size needed comes from a run of the kernel with the launch's block, and counts only accesses that
  threads certainly make at known addresses. Where the launch passes nothing at all, one such access is
  enough.
- Silent where the access is under a uniform condition of unknown value, such as `if (use_tile)`.

## Source
001 'Shared Memory' (the array that is reversed in dynamic shared memory). Verified on an H200: with 768 of
1,024 bytes, and with none, the kernel ends with cudaErrorIllegalAddress.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from cudalint.analyses.size_places import size_places
from cudalint.host.facts import LaunchFact
from cudalint.rule.findings import Finding, Related
from cudalint.rule.related import at_spans
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import NOTHING, on_shape
from cudalint.settings.severity import Severity
from cudalint.simt.facts.bounds.reach import DynamicReach
from cudalint.simt.launch.configuration import Origin
from cudalint.source.span import Span

RULE = Rule(
    code="CU203",
    name="dynamic-shared-size",
    severity=Severity.ERROR,
    summary="a launch passes less dynamic shared memory than the kernel accesses",
    guides=("001",),
)


def check(launch: LaunchFact, reaches: tuple[DynamicReach, ...], context: Context) -> Iterator[Finding]:
    """A finding where the kernel certainly accesses more than the launch passes."""
    if not launch.reached:
        return
    reach, given = _reach(launch, context), launch.dynamic_shared_bytes
    if not _exceeds(reach, given):
        reach = _by_default(launch, context)
        given = reach.configuration.dynamic_shared_bytes if reach is not None else None
    if reach is None or given is None or not _exceeds(reach, given):
        return
    x, y, z = reach.thread.thread
    if reach.bytes:
        what = f"thread ({x}, {y}, {z}) accesses `{reach.index}`, which ends at byte {reach.bytes:,}"
        help_ = f"pass {reach.bytes:,} bytes as the launch's third argument"
    else:
        what = f"the kernel accesses `{reach.expression}`"
        help_ = "pass the number of bytes as the launch's third argument"
    yield RULE.finding(
        launch.span,
        f"launch passes {given:,} bytes of dynamic shared memory, but {what}",
        help=help_,
        kernel=launch.name,
        evidence={"given": given, "needed": reach.bytes},
        related=(
            Related(reach.span, f"`{reach.expression}` accessed here"),
            *at_spans(_computed(launch, context), "the size comes from here"),
        ),
        severity=Severity.WARNING if reach.default else None,
        condition="with the default sizes of the command line" if reach.default else None,
        standing=on_shape(reach.configuration) if reach.bytes else NOTHING,
    )


def _reach(launch: LaunchFact, context: Context) -> DynamicReach | None:
    """How far the kernel accesses with this launch's block; with any other, only that it does at all."""
    kernel = next((kernel for kernel in context.kernels if kernel.function.key == launch.key), None)
    reaches = kernel.of(DynamicReach) if kernel is not None else ()
    for reach in (one for one in reaches if not one.default):
        if reach.configuration.origin == Origin.LAUNCH and reach.configuration.block == launch.block:
            return reach
    anywhere = not launch.dynamic_shared_bytes and bool(reaches)
    return replace(reaches[0], bytes=0) if anywhere else None


def _exceeds(reach: DynamicReach | None, given: int | None) -> bool:
    return reach is not None and given is not None and (not given or reach.bytes > given)


def _by_default(launch: LaunchFact, context: Context) -> DynamicReach | None:
    """How far the kernel accesses as this launch starts it where nothing stands on the command line."""
    kernel = next((kernel for kernel in context.kernels if kernel.function.key == launch.key), None)
    reaches = kernel.of(DynamicReach) if kernel is not None else ()
    found = (one for one in reaches if one.default and one.configuration.where == launch.span)
    return next((one for one in found if _exceeds(one, one.configuration.dynamic_shared_bytes)), None)


def _computed(launch: LaunchFact, context: Context) -> tuple[Span, ...]:
    """The lines where the size is computed, but for the launch's own."""
    places = size_places(context.unit, launch.expression, context.unit.functions.get(launch.function))
    return tuple(one for one in places if one.line != launch.span.line)
