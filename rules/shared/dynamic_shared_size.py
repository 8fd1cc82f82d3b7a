"""
## What it does
Finds launches that give a kernel no dynamic shared memory, or less than its threads surely access of it.

## Why it costs
`extern __shared__` has the size that the launch's third argument says, and 0 bytes without one. An access
beyond it stops the kernel with cudaErrorIllegalAddress, or goes unseen for a while: the hardware gives memory
out in pieces of 128 bytes, so that a few bytes too many hit nothing that is checked.

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
The third argument is a number of bytes, for all that the kernel keeps in dynamic shared memory together.

## Limits
Speaks only of sizes that are known. How much a kernel needs is taken from a run of it on the launch's block:
of accesses that threads surely make, under conditions and at places that hang on known numbers only. Where
the launch gives nothing at all, one access that some thread surely makes is enough. Silent where a condition
that is the same for all threads and not known, such as `if (use_tile)`, stands before the access.

## Source
001 'Shared Memory' (the array that is turned round in dynamic shared memory). What happens was tried on an
H200: with 768 of 1,024 bytes, and with none, the kernel ends with cudaErrorIllegalAddress.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from cudalint.host.facts import LaunchFact
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.simt.facts.bounds.reach import DynamicReach

RULE = Rule(
    code="CU203",
    name="dynamic-shared-size",
    severity=Severity.ERROR,
    summary="a launch gives less dynamic shared memory than the kernel accesses",
    guides=("001",),
)


def check(launch: LaunchFact, reaches: tuple[DynamicReach, ...], context: Context) -> Iterator[Finding]:
    """A finding where the kernel surely reaches beyond what the launch gives it."""
    given = launch.dynamic_shared_bytes
    if not launch.reached or given is None:
        return
    reach = _reach(launch, context)
    if reach is None or (given and reach.bytes <= given):
        return
    x, y, z = reach.thread.thread
    if reach.bytes:
        what = f"thread ({x}, {y}, {z}) accesses `{reach.index}`, which ends at byte {reach.bytes:,}"
        help_ = f"pass {reach.bytes:,} bytes as the launch's third argument"
    else:
        what = f"`{reach.expression}` accesses it"
        help_ = "pass the number of bytes as the launch's third argument"
    yield RULE.finding(
        launch.span,
        f"launch with {given:,} bytes of dynamic shared memory: {what}",
        notes=(f"counted for {reach.configuration.describe()}",) if reach.bytes else (),
        help=help_,
        kernel=launch.name,
        evidence={"given": given, "needed": reach.bytes},
        related=(Related(reach.span, f"`{reach.expression}` here"),),
    )


def _reach(launch: LaunchFact, context: Context) -> DynamicReach | None:
    """How far the kernel goes on this launch's block; on any other, only that it goes there at all."""
    kernel = next((kernel for kernel in context.kernels if kernel.function.key == launch.key), None)
    reaches = kernel.of(DynamicReach) if kernel is not None else ()
    for reach in reaches:
        if reach.configuration.origin == "launch" and reach.configuration.block == launch.block:
            return reach
    anywhere = not launch.dynamic_shared_bytes and bool(reaches)
    return replace(reaches[0], bytes=0) if anywhere else None
