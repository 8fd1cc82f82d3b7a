"""
## What it does
Finds out-of-bounds accesses by the surplus threads of a grid that is rounded up to whole blocks: nothing
keeps the threads past the last element from the access, or a guard that lets one thread too many pass
(`if (i > n) return;`). And accesses beyond the end of a shared array: `tile[threadIdx.x + 2 * halo]` where
the array has room for one halo.

## Why it costs
1,000 elements in blocks of 256 take 4 blocks, 1,024 threads: the last 24 read and write out of bounds.
Allocations are rounded up, so a small overrun mostly goes unnoticed, until it changes another buffer or, at
the end of a mapped page, fails with cudaErrorIllegalAddress. Beyond a shared array lies another one, or the
shared memory of another block.

## Example
```cuda
__global__ void scale(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] *= 2.0f; }
cudaMalloc(&a, 1000 * sizeof(float));
scale<<<(1000 + 255) / 256, 256>>>(a);  // threads 1,000 to 1,023 have no element
```

## Instead
```cuda
__global__ void scale(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] *= 2.0f;
}
scale<<<(1000 + 255) / 256, 256>>>(a, 1000);
```
Or allocate as many elements as the grid has threads.

## Limits
- An error where a thread certainly makes the access and, unless the array is shared, grid, arguments and the
  buffer's size are known; a warning for a run's sizes, or primes for what the command line or a caller
  chooses.
- A guard that thread n passes, and none after it, is a warning if the grid is n rounded up, unless the kernel
  asks for its size, the host compares n, or only loads pass and other accesses stop.
- Otherwise a warning where the kernel indexes a buffer of n elements unconditionally; a caller's buffer is a
  note: it may be padded.
- Silent for buffers padded to the grid, and where no thread stays in bounds.

## Source
001 'Handling Arbitrary Vector Sizes'.
"""

from collections.abc import Iterator

from cudalint.analyses.coverage import is_conditional
from cudalint.analyses.definitions import Definitions, definitions
from cudalint.analyses.passed_guards import passed_guards
from cudalint.cuda.spaces import Space
from cudalint.host.facts import HostFacts, LaunchFact
from cudalint.host.query.unguarded_launches import Unguarded, unguarded
from cudalint.ir.render import render
from cudalint.ir.unit import Function
from cudalint.rule.findings import Confidence, Finding, Related
from cudalint.rule.related import at_spans, repeated
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import Standing
from cudalint.settings.severity import Severity
from cudalint.simt.facts.bounds.off_by_one import OffByOne
from cudalint.simt.facts.bounds.reach import Overrun
from cudalint.simt.facts.kernel import KernelFacts

RULE = Rule(
    code="CU510",
    name="missing-bounds-check",
    severity=Severity.ERROR,
    summary="surplus threads access a buffer out of bounds, or any threads a shared array",
    guides=("001",),
    made=False,
)

_DOES = {"load": "reads", "store": "writes", "atomic": "updates"}


def check(
    host: HostFacts, overruns: tuple[Overrun, ...], passing: tuple[OffByOne, ...], context: Context
) -> Iterator[Finding]:
    """One finding per kernel, which lacks one guard, and one more for its shared arrays."""
    yield from (finding for kernel in context.kernels for finding in _beyond_shared(kernel))
    found = [(kernel, finding) for kernel in context.kernels for finding in _overrun(kernel, context)]
    reported = {kernel.function.key for kernel, finding in found if not finding.evidence["tried"]}
    tried = {kernel.function.key for kernel, _ in found} - reported
    yield from (finding for kernel, finding in found if kernel.function.key in reported)
    read: dict[str, Definitions] = {}
    for launch in host.launches:
        function = context.unit.functions.get(launch.function)
        called = context.unit.functions.get(launch.key or "")
        if function is None or called is None or not launch.reached or called.key in reported:
            continue
        if function.key not in read:
            read[function.key] = definitions(context.unit, function)
        if called.key in tried and is_conditional(context.unit, called):
            continue
        access = unguarded(launch, called, read[function.key])
        if access is not None and (launch.grid[0] is None or not access.exact):
            reported.add(called.key)
            yield _unguarded(access, launch, called)
    yield from (finding for kernel, finding in found if kernel.function.key not in reported)
    yield from (finding for kernel in context.kernels for finding in _off_by_one(kernel))


# --- all numbers are known ---


def _overrun(kernel: KernelFacts, context: Context) -> Iterator[Finding]:
    overruns = _overruns(kernel, "global")
    if not overruns:
        return
    first = overruns[0]
    yield RULE.finding(
        first.span,
        f"missing bounds check: thread {first.thread} of block {_block(first)} {_DOES[first.operation]}"
        f" `{first.buffer}[{first.index}]`, but `{first.buffer}` has {first.elements:,} elements",
        help="guard the access with a comparison of the index with the number of elements",
        kernel=kernel.name,
        evidence={
            "index": first.index,
            "elements": first.elements,
            "bytes": first.bytes,
            "tried": first.tried,
        },
        related=(
            *at_spans(passed_guards(context.unit, kernel.function, first.span), "the thread passes this"),
            *repeated(
                (other for other in overruns[1:] if other.span != first.span),
                lambda other: f"`{other.expression}` is out of bounds too",
            ),
        ),
        severity=Severity.WARNING if first.default or first.tried else None,
        confidence=Confidence.MEDIUM if first.tried else Confidence.HIGH,
        condition=_condition(first),
        standing=Standing((f"grid {_grid(first)}, {first.configuration.note()}",)),
    )


def _beyond_shared(kernel: KernelFacts) -> Iterator[Finding]:
    """One for each array."""
    arrays: dict[str, list[Overrun]] = {}
    for overrun in _overruns(kernel, "shared"):
        arrays.setdefault(overrun.buffer, []).append(overrun)
    for name, (first, *others) in arrays.items():
        yield RULE.finding(
            first.span,
            f"out of bounds: thread {first.thread} of a block {_DOES[first.operation]}"
            f" `{name}[{first.index}]`, but the shared array has {first.elements:,} elements",
            help=f"give `{name}` as many elements as the block stores and reads, or guard the access",
            kernel=kernel.name,
            evidence={"index": first.index, "elements": first.elements, "bytes": first.bytes},
            related=repeated(
                (other for other in others if other.span != first.span),
                lambda other: f"`{other.expression}` is out of bounds too",
            ),
            standing=Standing((first.configuration.note(),)),
        )


def _overruns(kernel: KernelFacts, space: Space) -> list[Overrun]:
    """Those of a space in the order of the source; of buffers where other threads stay inside."""
    found = (one for one in kernel.of(Overrun) if one.space == space and (one.inside or space == "shared"))
    return sorted(found, key=lambda one: (one.span.line, one.span.column))


def _condition(overrun: Overrun) -> str | None:
    if overrun.tried:
        return f"for sizes such as {overrun.elements:,} elements"
    return "with the default sizes of the command line" if overrun.default else None


def _block(overrun: Overrun) -> str:
    x, y, z = overrun.thread.block
    return f"({x}, {y}, {z})"


def _grid(overrun: Overrun) -> str:
    x, y, z = overrun.configuration.grid
    return f"{x}x{y}x{z}" if z != 1 else f"{x}x{y}" if y != 1 else f"{x}"


# --- one thread too many ---


def _off_by_one(kernel: KernelFacts) -> Iterator[Finding]:
    """One for each axis."""
    by_axis: dict[int, list[OffByOne]] = {}
    for passing in sorted(kernel.of(OffByOne), key=lambda one: (one.span.line, one.span.column)):
        by_axis.setdefault(passing.axis, []).append(passing)
    for axis, (first, *others) in by_axis.items():
        thread = f"thread `{first.count}`" + (f" on axis {'xyz'[axis]}" if len(by_axis) > 1 or axis else "")
        blocks = f"`{first.per}`" if isinstance(first.per, str) else first.per
        yield RULE.finding(
            first.span,
            f"bounds check off by one: {thread} {_DOES[first.operation]} `{first.expression}`,"
            f" but the grid covers `{first.count}` elements",
            notes=(
                f"`{first.count}` is rounded up to whole blocks of {blocks}: the thread exists unless it"
                " is a multiple, and its element would be left out if it is",
            ),
            help=f"compare the index with `<` (or return at `>=`): the last element is `{first.count} - 1`",
            kernel=kernel.name,
            evidence={"count": first.count, "per": first.per, "axis": "xyz"[axis]},
            related=(
                *repeated(
                    (other for other in others if other.span != first.span),
                    lambda other: f"`{other.expression}` is accessed by it too",
                ),
                Related(first.launched, "launched here"),
            ),
            severity=Severity.WARNING,
            confidence=Confidence.MEDIUM,
            condition=f"{_bracketed(first.count)} % {first.per} != 0",
            standing=Standing((first.configuration.note(),)),
        )


def _bracketed(count: str) -> str:
    return count if count.replace(".", "").isidentifier() else f"({count})"


# --- the size is arbitrary ---


def _unguarded(found: Unguarded, launch: LaunchFact, kernel: Function) -> Finding:
    quotient, parameter = found.quotient, found.parameter.name
    count = render(quotient.count).replace("this->", "")
    per = str(quotient.per or render(quotient.division.right))
    elements = f"its {count} elements" if found.exact else f"`{count}` elements"
    padded = f"whoever calls may have padded `{parameter}` to whole blocks: nothing here says so"
    return RULE.finding(
        found.access.span,
        f"missing bounds check: unless `{count}` is a multiple of {per}, threads of the last block access"
        f" `{parameter}` beyond {elements}",
        notes=(
            f"line {launch.span.line} rounds the grid up to whole blocks of {per}, and `{kernel.name}`"
            " does not guard against the surplus threads",
            *(() if found.exact else (padded,)),
        ),
        help=f"pass `{count}` to the kernel and guard the access with it",
        kernel=kernel.name,
        severity=Severity.WARNING if found.exact else Severity.NOTE,
        confidence=Confidence.MEDIUM,
        condition=f"{_bracketed(count)} % {per} != 0",
        evidence={"count": count, "per": per},
        related=(Related(launch.span, "launched here"),),
    )
