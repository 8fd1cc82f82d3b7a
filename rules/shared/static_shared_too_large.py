"""
## What it does
Finds kernels whose shared arrays of fixed size together exceed 48 KiB (16 KiB below sm_20).

## Why it costs
The kernel does not compile: ptxas reports 'uses too much shared data'. Newer architectures have more shared
memory (up to 227 KiB per block on sm_90), but only for dynamic shared memory, which the launch requests. The
compiler adds up all arrays, including those in scopes that are never live together and those of inlined
functions.

## Example
```cuda
__global__ void blend(float *out, const float *in)
{
    __shared__ float a[8192];  // 32 KiB
    __shared__ float b[8192];  // 64 KiB together
```

## Instead
```cuda
    extern __shared__ float storage[];
    float *a = storage, *b = storage + 8192;
// host: once, before the first launch
cudaFuncSetAttribute(blend, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
blend<<<grid, block, 65536>>>(out, in);
```
Two arrays that are not live together can also share memory, with a barrier in between.

## Limits
- Counts only arrays that the kernel, or a function that it calls, reads; the compiler drops the others.
- Of templates that nothing instantiates, only arrays whose size their arguments have no part in count.
- Silent for sizes that a library decides.

## Source
001 'Shared Memory'; the tables of technical specifications (48 KiB of static shared memory since 2.0). That
ptxas counts all scopes and drops what is never read was verified with CUDA 13.0.
"""

from collections.abc import Iterator

from cudalint.analyses.static_shared import sized_by_library, static_shared
from cudalint.gpu.capabilities import limits
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.simt.facts.kernel import KernelFacts

RULE = Rule(
    code="CU202",
    name="static-shared-too-large",
    severity=Severity.ERROR,
    summary="the shared arrays of a kernel exceed the limit of static shared memory",
    guides=("001",),
)


def check(kernel: KernelFacts, context: Context) -> Iterator[Finding]:
    """A finding where the arrays together exceed the limit."""
    function = kernel.function
    if function.dependent:
        return
    arrays = static_shared(context.unit, function)
    if function.assumed:  # the arguments that cudalint chose must have no part in their sizes
        arrays = tuple(array for array in arrays if array.span in function.sized)
    total = sum(array.type.bytes for array in arrays)
    limit = limits(context.arch).shared_per_block
    if total <= limit or sized_by_library(context.unit, function):
        return
    yield RULE.finding(
        function.span,
        f"static shared memory too large: {total:,} bytes per block, the limit is {limit:,}",
        notes=("the kernel does not compile: ptxas reports that it uses too much shared data",),
        help="use dynamic shared memory (`extern __shared__`) and cudaFuncSetAttribute, or smaller arrays",
        kernel=kernel.name,
        evidence={"bytes": total, "limit": limit, "arrays": len(arrays)},
        related=tuple(Related(array.span, f"`{array.name}`: {array.type.bytes:,} bytes") for array in arrays),
    )
