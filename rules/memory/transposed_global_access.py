"""
## What it does
Finds accesses in which the fastest thread index walks the slow dimension of an array: neighbouring lanes
are a whole row apart, while a loop or threadIdx.y walks along the row.

## Why it costs
Every lane touches a sector of its own: 32 sectors a request where 4 would carry 32 floats. The elements
that came along belong to other requests, which may find them in the cache or fetch them again.

## Example
```cuda
int row = blockIdx.x * blockDim.x + threadIdx.x;
for (int k = 0; k < 1024; ++k) {
    sum += matrix[row * 1024 + k];  // 32 sectors a request, ideal 4
}
```

## Instead
```cuda
int column = blockIdx.x * blockDim.x + threadIdx.x;
for (int k = 0; k < 1024; ++k) {
    sum += matrix[k * 1024 + column];
}
```
Exchange the roles of the indices, store the matrix the other way round, or copy a tile to shared memory
with neighbouring lanes on neighbouring elements and read it there in the other direction.

## Limits
A row has to be at least 128 bytes; for shorter ones CU101 speaks. Silent when all of it fits one sector, and
where the sectors above the ideal are less than a tenth of all that the kernel asks for: a store after a long
loop (iterations count as often as the launch says, and as many where it does not). Arrays with rows of as
many elements are one finding, at the access that wastes most. Silent where a number of the template had to be
chosen, and where lanes are a quotient apart that only the run knows: a part of the work, not a row. Silent
where threads stand in rows and the program launches the kernel with a block that could not be read. Silent
where launches are so small, or what the threads do besides so long, that no access can be felt: see CU101.

## Source
000 section 9.2 (C = A times its transpose).
"""

from collections.abc import Iterator

from cudalint.analyses.quotient_strides import quotient_stride
from cudalint.rule.access_notes import also, confidence
from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance import speedup_bound
from cudalint.significance.negligible import negligible
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.pattern import (
    Pattern,
    Site,
    amount,
    causes,
    chosen_number,
    evidence,
    more,
    number,
    run_time,
    standing,
    strides,
    tried,
    useful_share,
)

RULE = Rule(
    code="CU103",
    name="transposed-global-access",
    severity=Severity.WARNING,
    summary="the fastest thread index walks the slow dimension of an array",
    guides=("000 9.2",),
)


def check(kernel: KernelFacts, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """One finding for all buffers that are walked the wrong way with rows of one length."""
    if chosen_number(kernel.function):
        return
    for site in causes(accesses, Pattern.TRANSPOSED):
        access = site.worst
        if run_time(strides(access)) and quotient_stride(kernel.function, access.span):
            continue
        if not negligible(site.accesses, kernel, context.unit, context.host):
            yield _finding(site, kernel, context)


def _finding(site: Site, kernel: KernelFacts, context: Context) -> Finding:
    access = site.worst
    ideal = number(access.transactions.ideal or 0.0)
    gained = speedup_bound.of_sectors(site, kernel, context.unit)
    return RULE.finding(
        access.span,
        f"transposed global {site.operation}: {amount(access.transactions)} sectors a request{tried(access)},"
        f" ideal {ideal} ({_pitch(access)} between neighbouring lanes)",
        notes=(
            f"threadIdx.x selects the row of `{access.expression}` and {_walker(access)} walks along it:"
            f" {useful_share(access)} of what a request moves is used",
            *speedup_bound.notes(gained),
            *more(site),
            *standing(access),
        ),
        help="let threadIdx.x walk along the row, or go through a tile in shared memory",
        kernel=kernel.name,
        evidence={**evidence(access), **speedup_bound.facts(gained)},
        related=also(site),
        confidence=confidence(access),
    )


def _pitch(access: Access) -> str:
    seen = strides(access)
    if run_time(seen):
        return "a row of run-time length"
    return f"{seen[0]} bytes" if len(seen) == 1 else f"rows of {seen[0]} bytes and more"


def _walker(access: Access) -> str:
    by_row = access.row_stride is not None and abs(access.row_stride) == access.bytes
    return "threadIdx.y" if by_row else "the loop"
