"""
## What it does
Finds updates of one element of global memory in a loop, `a[i] += x` or `a[i] = a[i] * x`, whose index does
not change in the loop, where the compiler has to leave the store inside.

## Why it costs
A sum in a register is written to memory once, behind the loop. The compiler makes that of an update in memory
only where nothing else in the loop may touch the element and every iteration makes the update. A load through
another pointer may touch it, as far as the compiler knows, unless one of the two is `__restrict__` (the types
of what they point to do not help). So each iteration stores the element, and the loads of the next one wait
behind that store. On an H200 a loop of 64 iterations that adds the rows of a matrix takes .251 ms so, and
.136 ms with a register, or with a `__restrict__` on either pointer: 1.85 times as long.

## Example
```cuda
for (int j = 0; j < rows; j++)
    sum[i] += in[j * columns + i];
```

## Instead
```cuda
float total = sum[i];
for (int j = 0; j < rows; j++)
    total += in[j * columns + i];
sum[i] = total;
```

## Limits
Silent where the compiler does this by itself: all other accesses of the loop are to shared or constant memory
or through pointers that `__restrict__` keeps apart, and no condition stands before the update. Silent where
an equality stands before it (`if (kind[j] == WALL)`), for few iterations may make such an update, and where
other accesses of the kernel, such as those of a loop inside, are ten times as much. Silent too
where it may be wrong: volatile memory, atomics, barriers, fences, inline assembly or calls that are handed
pointers in the loop, another element of the same array in the loop, a launch that passes one buffer for both
pointers. The index has to consist of what the loop surely does not change; an index that is loaded is none.
Silent for kernels that the program leaves out of what it measures, while it measures others, and for those
that a file launches nowhere while it launches others.

## Source
002 'Global Memory' (keep what is used again in registers); the PTX that nvcc 13.0 makes of 24 such loops, and
timings on an H200.
"""

from collections.abc import Iterator

from cudalint.analyses.updates import Update, updates
from cudalint.host.aliases import one_buffer
from cudalint.ir.render import render
from cudalint.rule.findings import Confidence, Finding
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.negligible import unmeasured
from cudalint.significance.thresholds import ACCUMULATOR_TRIPS, SECTOR_SHARE
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.pattern import guessed, standing

RULE = Rule(
    code="CU108",
    name="global-accumulator",
    severity=Severity.WARNING,
    summary="a loop updates one element of global memory in every iteration",
    guides=("002",),
)


def check(
    kernel: KernelFacts, accesses: tuple[Access, ...], branches: tuple[Branch, ...], context: Context
) -> Iterator[Finding]:
    """One finding for each element and loop."""
    if unmeasured(context.unit, kernel.function, context.host):
        return
    stores = {
        access.span: access
        for access in accesses
        if access.operation == "store" and access.space == "global" and access.step_stride == 0
    }
    if not stores:
        return
    seen: set[tuple[str, int]] = set()
    for update in updates(context.unit, kernel.function):
        access = stores.get(update.assign.target.span)
        if access is None or access.volatile or access.span.path not in context.lines:
            continue
        if access.share < SECTOR_SHARE.value:
            continue
        key = render(update.assign.target), update.loop.span.line
        trips = _trips(kernel, update)
        partners = update.partners
        if key in seen or (trips is not None and trips < ACCUMULATOR_TRIPS.value):
            continue
        if partners is not None and one_buffer(kernel.function, partners, context.host):
            continue
        seen.add(key)
        yield _finding(access, update, trips, kernel.name)


def _trips(kernel: KernelFacts, update: Update) -> int | None:
    """How often the loop goes round, where the program tells."""
    condition = update.loop.condition
    if condition is None:
        return None
    found = {
        branch.trips
        for branch in kernel.branches
        if branch.kind == "loop" and branch.span == condition.span and branch.trips is not None
    }
    if len(found) != 1:
        return None
    least, most = next(iter(found))
    return least if least == most else None


def _finding(access: Access, update: Update, trips: int | None, kernel: str) -> Finding:
    target, line = render(update.assign.target), update.loop.span.line
    why = (
        f"the compiler leaves the store in the loop, for `{render(update.other)}` may be the same memory"
        if update.other is not None
        else "the compiler leaves the store in the loop, for it is made under a condition"
    )
    when = "over and over in" if update.under else "in each iteration of"
    return RULE.finding(
        update.assign.span,
        f"`{target}` is stored to global memory {when} the loop at line {line}: its address does not change"
        " there",
        notes=(why, *standing(access)),
        help=f"update a local variable in the loop and store it to `{target}` once behind it",
        kernel=kernel,
        evidence={
            "stride": 0,
            "bytes": access.bytes,
            "loop": line,
            "because": "alias" if update.other is not None else "condition",
        },
        confidence=Confidence.MEDIUM if guessed(access.configuration) else Confidence.HIGH,
    )
