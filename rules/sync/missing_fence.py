"""
## What it does
Finds data that a block writes to global memory and hands to other blocks by a counter or a flag there, with
no fence between the two: the block that finds itself the last to count, or that waits for the flag, may read
what the memory held before.

## Why it costs
Writes of one thread may become visible to other blocks in any order. `__syncthreads()` and atomics without an
order do not change that. The sum of the partial results is then right nearly always, and wrong now and then.

## Example
```cuda
if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    last = atomicAdd(&done, 1) == gridDim.x - 1;  // may be seen before the sum is
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
An update with an order does the same: `cuda::atomic_ref` with `memory_order_acq_rel`, or a grid barrier of a
cooperative launch instead of the counter.

## Limits
Speaks only where all three are in one kernel and have known places: the write, the update after it, and the
read of another block's bytes under a condition on the update's result or after a loop that waits for the
word. Silent where inline assembly or a call that cannot be seen into stands between, and for data written by
atomics. That data is volatile does not help: volatile accesses to different places are not ordered either.

## Source
CUDA C++ Programming Guide, 'Memory Fence Functions'.
"""

from collections.abc import Iterator

from cudalint.rule.findings import Confidence, Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.unfenced_publish import UnfencedPublish

RULE = Rule(
    code="CU309",
    name="missing-fence",
    severity=Severity.ERROR,
    summary="data goes to another block by a flag or counter with no memory fence between",
)


def check(kernel: KernelFacts, published: tuple[UnfencedPublish, ...], context: Context) -> Iterator[Finding]:
    """One finding for each write that a word hands over unfenced."""
    for told in published:
        if told.certain and told.write.path in context.lines:
            yield _finding(told)


def _finding(told: UnfencedPublish) -> Finding:
    knows = "finds that it is the last to come" if told.how == "last" else "has waited for the word to change"
    return RULE.finding(
        told.flag,
        f"no fence between the write of `{told.index}` and the update that hands it to another block",
        notes=(
            f"thread {told.writer} of block {told.writer.block} writes `{told.written}` at line"
            f" {told.write.line}, and its block makes the update `{told.flagged}`",
            f"thread {told.reader} of block {told.reader.block} {knows}, and reads `{told.loaded}` at line"
            f" {told.read.line}: the same bytes",
            "other blocks may see the update before the write",
            told.configuration.note(),
        ),
        help="put a `__threadfence()` between the write and the update",
        kernel=told.kernel,
        evidence={
            "how": told.how,
            "index": told.index,
            "writer": list(told.writer.block),
            "reader": list(told.reader.block),
        },
        related=(
            Related(told.write, "the data is written here"),
            Related(told.read, "and read by another block here"),
        ),
        confidence=Confidence.HIGH if told.configuration.origin != "usual shape" else Confidence.MEDIUM,
    )
