"""
## What it does
Finds loads through the read-only path (`__ldg`, or a kernel parameter that is `const __restrict__`) of bytes
that the same kernel writes: through the same pointer, or through another one that the launch passes the same
buffer.

## Why it costs
The read-only path has a cache that does not see writes of the running kernel, and the compiler takes for
granted that nobody makes any. A load after the write may return the old value, with a barrier between as well
as without.

## Example
```cuda
data[i] = 2.0f * data[i];
__syncthreads();
out[i] = __ldg(&data[i - 1]);  // may be what it was before
```

## Instead
```cuda
data[i] = 2.0f * data[i];
__syncthreads();
out[i] = data[i - 1];
```
Where a launch passes one buffer for two parameters, leave out `__restrict__`, or write to a second buffer.

## Limits
Silent where the places are not known, and where each load surely ends before the write of the same bytes
begins: by the same thread, before a barrier of the block, or of the grid. So an elementwise kernel may work
in place. Does not look at texture fetches: which memory a texture is bound to is not followed.

## Source
000 section 9.2 (the texture cache, which these loads go through, is not kept coherent with writes); CUDA C++
Programming Guide, 'Read-Only Data Cache Load Function'.
"""

from collections.abc import Iterator

from cudalint.rule.findings import Confidence, Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.stale_reads import StaleRead

RULE = Rule(
    code="CU113",
    name="stale-read-only-load",
    severity=Severity.ERROR,
    summary="a load through the read-only path of memory that the same kernel writes",
    guides=("000 9.2",),
)


def check(kernel: KernelFacts, stale: tuple[StaleRead, ...], context: Context) -> Iterator[Finding]:
    """One finding for each such load that is there under every number tried."""
    for read in stale:
        if read.certain and read.span.path in context.lines:
            yield _finding(read)


def _finding(stale: StaleRead) -> Finding:
    same = stale.reader == stale.writer
    who = "the same thread" if same else f"thread {stale.writer} of block {stale.writer.block}"
    return RULE.finding(
        stale.span,
        f"`{stale.index}` is loaded through the read-only path ({stale.path}), and this kernel writes it",
        notes=(
            f"thread {stale.reader} of block {stale.reader.block} loads `{stale.expression}`; {who} writes"
            f" `{stale.written}` at line {stale.write.line}: the same bytes",
            "the read-only cache does not see writes of the kernel that runs",
            f"seen for {stale.configuration.describe()}",
        ),
        help="load it with a plain access"
        if stale.path == "__ldg"
        else "leave out `__restrict__`, or let the launch pass two buffers",
        kernel=stale.kernel,
        evidence={
            "path": stale.path,
            "index": stale.index,
            "reader": list(stale.reader.thread),
            "writer": list(stale.writer.thread),
        },
        related=(Related(stale.write, "written here"),),
        confidence=Confidence.HIGH if stale.configuration.origin != "usual shape" else Confidence.MEDIUM,
    )
