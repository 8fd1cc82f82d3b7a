"""
## What it does
Finds reads of elements of shared memory that no thread of the block has written by then: neither before the
read nor, in another thread, up to the next barrier. An atomic that adds to such an element reads it, too.
Names a thread and an element, and says how many elements of the array were written.

## Why it costs
Shared memory is not cleared when a block starts: it holds what the block before has left there, or another
kernel. The result changes from run to run, and is often right by chance while one is testing.

## Example
```cuda
__shared__ int total;
atomicAdd(&total, in[i]);  // nobody has set it to zero
```

## Instead
```cuda
__shared__ int total;
if (threadIdx.x == 0) total = 0;
__syncthreads();
atomicAdd(&total, in[i]);
```

## Limits
An access counts where it is surely made, at a place that is known, and where what it reads surely counts: it
is stored to global memory, by itself or in a sum, a product and the like, by every thread that loads it, or
goes back into the element itself. A warp that loads more elements than there are warps, and drops those too
many in its shuffles, is not told, nor is a value that a branch or a comparison takes. An access of which a
part is written does not count. Silent for arrays that something unknown may have written: a
store at a place that hangs on data, a call that cannot be seen into, inline assembly, a loop that the model
cuts short, a branch that no run took. Where the program does not tell the numbers that a launch passes, it
has to be so for all that are tried, and where it does not tell the shape, for several quite different ones
and an array that nobody writes at all. Reads past the end of the array are another matter.

## Source
000 'Shared memory': its lifetime is that of the block, and it has no initial value.
"""

from collections.abc import Iterator

from cudalint.analyses.device_code import Body, device_code
from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.results import at, kept
from cudalint.rule.findings import Confidence, Finding
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.empty_reads import EmptyRead
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.source.span import Span

RULE = Rule(
    code="CU207",
    name="uninitialised-shared-read",
    severity=Severity.ERROR,
    summary="an element of shared memory is read that no thread has written",
    guides=("000",),
)


def check(
    kernel: KernelFacts, empty: tuple[EmptyRead, ...], accesses: tuple[Access, ...], context: Context
) -> Iterator[Finding]:
    """One finding for each array of the kernel, at the first such read; the others are counted."""
    arrays: dict[str, list[EmptyRead]] = {}
    for read in _counting(kernel, context):
        arrays.setdefault(read.index.partition("[")[0], []).append(read)
    for reads in arrays.values():
        yield _finding(sorted(reads, key=lambda r: (r.span.path, r.span.line, r.span.column)))


def _counting(kernel: KernelFacts, context: Context) -> Iterator[EmptyRead]:
    """The reads whose value surely counts."""
    if not kernel.of(EmptyRead):
        return
    keys = {function.key for function in reachable(context.unit, kernel.function)}
    bodies = [body for body in device_code(context.unit, context.code).bodies if body.function.key in keys]
    written = {a.span for a in kernel.accesses if a.space == "global" and a.operation != "load"}
    for read in kernel.of(EmptyRead):
        if read.operation == "atomic" or _counts(read.span, bodies, written):
            yield read


def _counts(span: Span, bodies: list[Body], written: set[Span]) -> bool:
    for body in bodies:
        load = at(span, body)
        if load is not None:
            return kept(load, body, written.__contains__)
    return False


def _finding(reads: list[EmptyRead]) -> Finding:
    read = reads[0]
    verb = "updates" if read.operation == "atomic" else "reads"
    notes = [f"seen for {read.configuration.describe()}, block {read.reader.block}"]
    if len(reads) > 1:
        notes.append(f"{len(reads) - 1} more such reads of this array")
    return RULE.finding(
        read.span,
        f"thread {read.reader} {verb} `{read.index}`, which no thread has written{_share(read)}",
        notes=tuple(notes),
        help="write every element that is read, then `__syncthreads()`",
        kernel=read.kernel,
        evidence={
            "index": read.index,
            "thread": list(read.reader.thread),
            "written": read.written,
            "elements": read.elements,
            "reads": len(reads),
        },
        confidence=Confidence.MEDIUM if read.configuration.origin == "usual shape" else Confidence.HIGH,
    )


def _share(read: EmptyRead) -> str:
    """How much of the array was written by then."""
    if read.written == 0:
        return ", nor any other element" if read.elements > 1 else ""
    return f"; by then {read.written} of {read.elements} elements are written"
