"""
## What it does
Finds loads through the read-only cache (`__ldg`, or a kernel parameter that is `const __restrict__`) of bytes
that the same kernel writes: through the same pointer, or through another one to which the launch passes the
same buffer.

## Why it costs
The read-only cache is not coherent with writes of the running kernel, and the compiler assumes that there are
none. A load after the write may return the old value, even with a barrier in between.

## Example
```cuda
data[i] = 2.0f * data[i];
__syncthreads();
out[i] = __ldg(&data[i - 1]);  // may return the old value
```

## Instead
```cuda
data[i] = 2.0f * data[i];
__syncthreads();
out[i] = data[i - 1];
```
Where a launch passes one buffer for two parameters, remove `__restrict__`, or write to a second buffer.

## Limits
- Silent where the addresses are not known. Where a launch passes one buffer for two parameters, a warning if
  the addresses meet for some sizes that it passes.
- Silent where each load certainly completes before the write of the same bytes starts: in the same thread, or
  before a barrier of the block or grid. So an elementwise kernel may work in place.
- Texture fetches are not analysed: the memory that a texture is bound to is not tracked.

## Source
000 section 9.2 (the texture cache, which these loads go through, is not kept coherent with writes); CUDA C++
Programming Guide, 'Read-Only Data Cache Load Function'.
"""

from collections.abc import Iterator

from cudalint.rule.findings import Finding, Related
from cudalint.rule.related import at_spans
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import on_shape
from cudalint.settings.severity import Severity
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.stale_reads import StaleRead

RULE = Rule(
    code="CU113",
    name="stale-read-only-load",
    severity=Severity.ERROR,
    summary="a load through the read-only cache of memory that the same kernel writes",
    guides=("000 9.2",),
)


def check(kernel: KernelFacts, stale: tuple[StaleRead, ...], context: Context) -> Iterator[Finding]:
    """One finding for each such load that occurs under every valuation, or for some sizes that are passed."""
    for read in stale:
        if (read.certain or read.sizes) and read.span.path in context.lines:
            yield _finding(read)


def _finding(stale: StaleRead) -> Finding:
    same = stale.reader == stale.writer
    who = "the same thread" if same else f"thread {stale.writer} of block {stale.writer.block}"
    return RULE.finding(
        stale.span,
        f"`{stale.index}` is loaded through the read-only cache ({stale.path}), but this kernel writes it",
        notes=(
            f"thread {stale.reader} of block {stale.reader.block} loads `{stale.expression}`; {who} writes"
            f" the same bytes (`{stale.written}` at line {stale.write.line})",
            "the read-only cache is not coherent with writes of the running kernel",
        ),
        help="use a plain load"
        if stale.path == "__ldg"
        else "remove `__restrict__`, or pass two different buffers",
        kernel=stale.kernel,
        evidence={
            "path": stale.path,
            "index": stale.index,
            "reader": list(stale.reader.thread),
            "writer": list(stale.writer.thread),
        },
        severity=Severity.WARNING if stale.sizes else None,
        condition=f"for some values of {' and '.join(stale.sizes)}" if stale.sizes else None,
        related=(Related(stale.write, "written here"), *at_spans(stale.calls, "called here")),
        standing=on_shape(stale.configuration),
    )
