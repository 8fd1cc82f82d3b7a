"""
## What it does
Finds data that a block writes to global memory and publishes to other blocks through a counter or a flag,
with no memory fence between the two: the block that arrives last, or that waits for the flag, may read stale
data.

## Why it costs
Writes of one thread may become visible to other blocks in any order; neither `__syncthreads()` nor relaxed
atomics change that. The result is right almost always, and wrong once in a while.

## Example
```cuda
if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    last = atomicAdd(&done, 1) == gridDim.x - 1;  // may become visible before the sum
}
__syncthreads();
if (last)
    total = add_up(partial);
```

## Instead
```cuda
if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(&done, 1) == gridDim.x - 1;
}
```
An acquire-release update does the same: `cuda::atomic_ref` with `memory_order_acq_rel`. Or use the grid
barrier of a cooperative launch instead of the counter.

## Limits
- Reported only where one kernel contains, at known addresses, the write, the update after it, and a read of
  the same bytes by another block: under a condition on the update's result, or after a loop that waits for
  the flag.
- Not reported where inline assembly or a call that cannot be analysed is in between, or for data written by
  atomics.
- `volatile` data is reported too: volatile accesses to different addresses are not ordered for other blocks.

## Source
CUDA C++ Programming Guide, 'Memory Fence Functions'.
"""

from collections.abc import Iterator

from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import on_shape
from cudalint.settings.severity import Severity
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.unfenced_publish import UnfencedPublish

RULE = Rule(
    code="CU309",
    name="missing-fence",
    severity=Severity.ERROR,
    summary="data is published to other blocks by a flag or counter with no memory fence in between",
)


def check(kernel: KernelFacts, published: tuple[UnfencedPublish, ...], context: Context) -> Iterator[Finding]:
    """One finding for each write that is published without a fence."""
    for publish in published:
        if publish.certain and publish.write.path in context.lines:
            yield _finding(publish)


def _finding(publish: UnfencedPublish) -> Finding:
    reader = "is in the last block to arrive" if publish.how == "last" else "has waited for the update"
    return RULE.finding(
        publish.flag,
        f"missing fence between the write of `{publish.index}` and the update that publishes it",
        notes=(
            f"thread {publish.writer} of block {publish.writer.block} writes `{publish.written}` at line"
            f" {publish.write.line}, and its block publishes it by `{publish.flagged}`",
            f"thread {publish.reader} of block {publish.reader.block} {reader} and reads the same bytes,"
            f" `{publish.loaded}` at line {publish.read.line}",
            "without a fence, other blocks may see the update before the write",
        ),
        help="call `__threadfence()` between the write and the update",
        kernel=publish.kernel,
        evidence={
            "how": publish.how,
            "index": publish.index,
            "writer": list(publish.writer.block),
            "reader": list(publish.reader.block),
        },
        related=(
            Related(publish.write, "written here"),
            Related(publish.read, "read by another block here"),
        ),
        standing=on_shape(publish.configuration),
    )
