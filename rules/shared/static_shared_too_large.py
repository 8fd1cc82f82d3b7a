"""
## What it does
Finds kernels whose shared arrays of fixed size are together larger than 48 KiB (16 KiB below sm_20).

## Why it costs
The kernel does not compile: ptxas reports 'uses too much shared data'. Later architectures have more (up to
227 KiB a block on sm_90), but give it only to dynamic shared memory, which the launch asks for. The compiler
adds all arrays up, those in scopes that are never alive together and those of the functions it inlines too.

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
Two arrays that are not alive together can also be one that is used twice, with a barrier between.

## Limits
Counts arrays that the kernel, or a function that it calls, reads; the compiler drops the others. Silent on
templates that nothing instantiates, whose sizes are a guess.

## Source
001 'Shared Memory'; the tables of technical specifications (48 KiB of static shared memory since 2.0). That
ptxas counts all scopes and drops what is never read was tried with CUDA 13.0.
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
    summary="the shared arrays of a kernel are larger than static shared memory can be",
    guides=("001",),
)


def check(kernel: KernelFacts, context: Context) -> Iterator[Finding]:
    """A finding where the arrays together are beyond the limit."""
    function = kernel.function
    if function.dependent or function.assumed:
        return
    arrays = static_shared(context.unit, function)
    total = sum(array.type.bytes for array in arrays)
    limit = limits(context.arch).shared_per_block
    if total <= limit or sized_by_library(context.unit, function):
        return
    yield RULE.finding(
        function.span,
        f"static shared memory too large: {total:,} bytes a block, at most {limit:,} are possible",
        notes=("the kernel does not compile: ptxas refuses more static shared memory",),
        help="hand the memory over with the launch (`extern __shared__`) after cudaFuncSetAttribute has"
        " allowed it, or use smaller arrays",
        kernel=kernel.name,
        evidence={"bytes": total, "limit": limit, "arrays": len(arrays)},
        related=tuple(Related(array.span, f"`{array.name}`: {array.type.bytes:,} bytes") for array in arrays),
    )
