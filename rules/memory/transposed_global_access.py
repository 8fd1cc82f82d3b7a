"""
## What it does
Finds accesses where the fastest thread index walks the slow dimension of an array: neighbouring lanes are a
whole row apart, while a loop, threadIdx.y or a block index walks along the row.

## Why it costs
Every lane touches a sector of its own: 32 sectors/request where 4 would hold 32 floats. The other bytes of
each sector belong to other requests, which either hit in the cache or fetch them again.

## Example
```cuda
int row = blockIdx.x * blockDim.x + threadIdx.x;
for (int k = 0; k < 1024; ++k) {
    sum += matrix[row * 1024 + k];  // 32 sectors/request (ideal 4)
}
```

## Instead
```cuda
int column = blockIdx.x * blockDim.x + threadIdx.x;
for (int k = 0; k < 1024; ++k) {
    sum += matrix[k * 1024 + column];
}
```
Swap the roles of the indices, store the matrix transposed, or copy a tile to shared memory with coalesced
loads and read it there along the other dimension.

## Limits
- Rows shorter than 128 bytes are reported as CU101.
- L1 may keep the sectors until the walk along the row has used them: how many it keeps is one of the unknowns
  of the impact, but where blocks walk.
- Where nothing names a template argument, the condition says what was assumed.
- Silent where the lane stride is a quotient known only at run
  time (a chunk of work, not a row), and where the launched block shape could not be read and the number of
  threads per row matters.

## Source
000 section 9.2 (C = A times its transpose).
"""

from collections.abc import Iterator

from cudalint.analyses.quotient_strides import quotient_stride
from cudalint.rule.findings import Finding
from cudalint.rule.related import same_pattern
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import on_access
from cudalint.settings.severity import Severity
from cudalint.significance.excess import causes
from cudalint.significance.impact import Basis, Impact
from cudalint.significance.saving import Saving
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.passed import far_apart, passed_stride
from cudalint.simt.query.pattern import (
    GRID_AXES,
    Pattern,
    Site,
    chosen,
    evidence,
    per_request,
    run_time,
    strides,
    useful_share,
    walker,
)

RULE = Rule(
    code="CU103",
    name="transposed-global-access",
    severity=Severity.WARNING,
    summary="the fastest thread index walks the slow dimension of an array",
    guides=("000 9.2",),
    speed=True,
)


def check(kernel: KernelFacts, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """One finding for all buffers that are accessed transposed with the same row length."""
    for site in causes(accesses, Pattern.TRANSPOSED):
        access = site.worst
        if run_time(strides(access)) and quotient_stride(kernel.function, access.span):
            continue
        by_blocks = walker(access) in GRID_AXES  # whose sectors no L1 keeps for each other
        saving = Saving(Basis.SECTORS, excess=site.accesses, again=() if by_blocks else site.accesses)
        passed = passed_stride(access, kernel, context.unit) if by_blocks else None
        yield _finding(site, kernel, context.impact(saving, kernel), passed)


def _finding(site: Site, kernel: KernelFacts, impact: Impact, passed: str | None) -> Finding:
    """passed: the argument that is the row's length, where nothing in the kernel shows that it is a long
    one.
    """
    access = site.worst
    length = passed and far_apart(access, passed)
    return RULE.finding(
        access.span,
        f"transposed global {site.operation}: {per_request(access, 'sectors')}, {_pitch(access)}",
        notes=(
            f"threadIdx.x selects the row of `{access.expression}` and {walker(access)} walks along it:"
            f" {useful_share(access)} of the bytes moved are used",
        ),
        help="let threadIdx.x walk along the row, or transpose a tile through shared memory",
        kernel=kernel.name,
        evidence=evidence(access),
        impact=impact,
        condition=", ".join(filter(None, (length, chosen(kernel.function)))) or None,
        related=same_pattern(site),
        standing=on_access(access),
    )


def _pitch(access: Access) -> str:
    seen = strides(access)
    if run_time(seen):
        return "neighbouring lanes one row apart"
    return f"lane stride {seen[0]} bytes{'' if len(seen) == 1 else ' or more'}"
