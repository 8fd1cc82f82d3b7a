"""
## What it does
Finds reads of shared-memory elements that no thread of the block has written: neither before the read nor, in
another thread, before the next barrier. An atomic that adds to such an element also reads it. Names a thread
and an element, and how many elements of the array were written.

## Why it costs
Shared memory is not cleared when a block starts: it holds what the previous block or kernel left there. The
result changes from run to run, and is often right by chance during testing.

## Example
```cuda
__shared__ int total;
atomicAdd(&total, in[i]);  // never set to zero
```

## Instead
```cuda
__shared__ int total;
if (threadIdx.x == 0) total = 0;
__syncthreads();
atomicAdd(&total, in[i]);
```

## Limits
- The access must be certain, its address known, and its value must go back into the element or reach a store
  to global memory by arithmetic or shuffles; values used only in branches or comparisons do not count.
- Silent for partially written elements, and for arrays that may be written at unknown addresses, by calls
  without a visible body, inline assembly, truncated loops or branches not reached.
- Where arguments are not known, all valuations must agree; without a launch, several shapes must, and no
  element may be written.
- In the last block of an unknown size, a warning that states the condition (`n % 256 != 0`), if what is read
  there reaches global memory.

## Source
000 'Shared memory': its lifetime is that of the block, and it has no initial value.
"""

from collections.abc import Iterator

from cudalint.rule.empty_reads import used
from cudalint.rule.findings import Finding
from cudalint.rule.related import at_spans
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import Standing
from cudalint.settings.severity import Severity
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.empty_reads import EmptyRead
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.pattern import guessed

RULE = Rule(
    code="CU207",
    name="uninitialised-shared-read",
    severity=Severity.ERROR,
    summary="a thread reads an element of shared memory that no thread has written",
    guides=("000",),
)


def check(
    kernel: KernelFacts, empty: tuple[EmptyRead, ...], accesses: tuple[Access, ...], context: Context
) -> Iterator[Finding]:
    """One finding for each array of the kernel, at the first such read, with the number of others."""
    arrays: dict[str, list[EmptyRead]] = {}
    for read in used(kernel, context):
        arrays.setdefault(read.array, []).append(read)
    for reads in arrays.values():
        yield _finding(
            sorted(reads, key=lambda r: (bool(r.remainder), r.span.path, r.span.line, r.span.column))
        )


def _finding(reads: list[EmptyRead]) -> Finding:
    read, remainder = reads[0], reads[0].remainder
    verb = "updates" if read.operation == "atomic" else "reads"
    shape = f"{read.configuration.note()}, blockIdx {read.reader.block}"
    return RULE.finding(
        read.span,
        f"thread {read.reader} {verb} `{read.index}`, which no thread has written{_share(read)}"
        + (f", {remainder.unless}" if remainder else ""),
        notes=(f"{len(reads) - 1} more such reads of this array",) if len(reads) > 1 else (),
        help="initialise every element that is read, then `__syncthreads()`",
        kernel=read.kernel,
        evidence={
            "index": read.index,
            "thread": list(read.reader.thread),
            "written": read.written,
            "elements": read.elements,
            "reads": len(reads),
        },
        related=at_spans(read.fills, "other elements are written here"),
        severity=Severity.WARNING if remainder else Severity.ERROR,
        condition=remainder.condition if remainder else None,
        standing=Standing((shape,), sure=remainder is None and not guessed(read.configuration)),
    )


def _share(read: EmptyRead) -> str:
    """How much of the array was written before."""
    if read.written == 0:
        return ", nor any other element of the array" if read.elements > 1 else ""
    return f" ({read.written} of {read.elements} elements have been written)"
