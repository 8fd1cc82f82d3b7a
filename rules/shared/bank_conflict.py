"""
## What it does
Finds shared-memory accesses where lanes of a warp need different words of the same bank.

## Why it costs
Shared memory has 32 banks of 4 bytes. One wavefront serves one word of each bank, however many lanes want
that word. When n different words are in one bank, the request takes n wavefronts. The column of a 32x32 float
tile is in one bank: 32 wavefronts instead of 1.

## Example
```cuda
__shared__ float tile[32][32];
out[i] = tile[threadIdx.x][threadIdx.y];  // 32-way
```

## Instead
```cuda
__shared__ float tile[32][33];
out[i] = tile[threadIdx.x][threadIdx.y];  // neighbouring rows start in different banks
```
An odd number of elements between neighbouring lanes never conflicts, for elements of 4, 8 or 16 bytes. Where
padding takes too much memory, swap the indices or swizzle them (`column ^ row`).

## Limits
- Silent where addresses depend on unknown data, a two-dimensional block or a template argument is assumed,
  calls of one function differ, or some sizes tried do not reach the access.
- Silent where the excess is less than 5% of the kernel's sectors and wavefronts, with fewer than 8 active
  lanes, and where the compiler merges neighbouring elements into a wide access without conflict.
- Silent for atomics on one address, and for 2-way conflicts between rows of threads that no padding improves.
- The ways are those of the worst request, the wavefronts a mean.
- Silent for kernels that the file does not launch or time while it launches or times others.

## Source
000 section 9.2 (shared memory, C = A times its transpose); 001 'Shared memory'; 004 'Shared Memory: Bank
conflicts'.
"""

from collections.abc import Iterator

from cudalint.analyses.static_shared import shared_rows
from cudalint.rule.findings import Finding
from cudalint.rule.related import same_pattern
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import on_access
from cudalint.settings.severity import Severity
from cudalint.significance import speedup_bound
from cudalint.significance.excess import wasted
from cudalint.significance.negligible import unmeasured
from cudalint.significance.thresholds import (
    CONFLICT_EXCESS,
    CONFLICT_SHARE,
    CONFLICT_SHARE_OF_GUESS,
    CONFLICT_SLIGHT,
)
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.bank_conflicts import Merged, groups, merged, padding, rows_meet, spacing, worst_ways
from cudalint.simt.query.pattern import (
    FEW_LANES,
    Site,
    amount,
    chosen_size,
    depends_on_sizes,
    evidence,
    guessed,
    guessed_rows,
    lowest,
    never_run,
    number,
)
from cudalint.simt.requests.transactions import BANK_BYTES

RULE = Rule(
    code="CU201",
    name="bank-conflict",
    severity=Severity.WARNING,
    summary="lanes of a warp need different words of the same shared-memory bank",
    guides=("000 9.2", "001", "004"),
)

# Bounds further apart than this are too vague to report.
_WIDEST_RANGE = 2


def check(kernel: KernelFacts, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """One finding for each shared array and distance between lanes with conflicts."""
    if unmeasured(context.unit, kernel.function, context.host):
        return
    if chosen_size(kernel.function):
        return
    groups: dict[tuple[str, str | int, int | None], list[Access]] = {}
    for access in sorted(accesses, key=lambda a: (a.span.path, a.span.line, a.span.column)):
        if _conflicts(access) and not _merges(access, kernel) and not _calls_differ(access, kernel):
            array = access.buffer or access.span.line
            groups.setdefault((access.span.path, array, access.layout.lane_stride), []).append(access)
    for group in groups.values():
        worst = max(group, key=_ways)
        if wasted(group) < (
            CONFLICT_SHARE_OF_GUESS.value if guessed(worst.configuration) else CONFLICT_SHARE.value
        ):
            continue
        rows = shared_rows(context.unit, kernel.function, worst.buffer)
        pad = padding(worst, kernel.accesses, *rows) if rows is not None else None
        if pad is not None or not _slight(worst):
            yield _finding(worst, group, kernel, pad, context)


def _merges(access: Access, kernel: KernelFacts) -> bool:
    """Whether the compiler may merge it into wide accesses without conflict."""
    return any(wide.wavefronts <= wide.ideal for wide in merged(access, kernel.accesses))


def _slight(access: Access) -> bool:
    """Whether two rows of threads overlap by a word or so: the price of a padding that is there for another
    access.
    """
    return rows_meet(access) and _ways(access) <= CONFLICT_SLIGHT.value


def _conflicts(access: Access) -> bool:
    fewest, ideal = lowest(access.transactions), access.transactions.ideal
    if access.space != "shared" or access.basis.data_dependent or fewest is None or not ideal:
        return False
    if never_run(access) or guessed_rows(access.configuration) or not _always_run(access):
        return False
    if access.lanes.active < FEW_LANES or (access.operation == "atomic" and access.layout.uniform):
        return False
    if (access.transactions.upper or fewest) > _WIDEST_RANGE * fewest:
        return False  # it depends on what is passed more than on how the code is written
    return fewest >= max(ideal, groups(access)) * CONFLICT_EXCESS.value


def _always_run(access: Access) -> bool:
    """Whether some shape reaches the access with all sizes tried: else some sizes do not fit, and the others
    need not be those that are passed.
    """
    return not access.trials or any(None not in trial.per_request for trial in access.trials)


def _calls_differ(access: Access, kernel: KernelFacts) -> bool:
    """Whether calls of the access's function have different numbers: then its own is a mean."""
    counts = {
        other.transactions.per_request
        for other in kernel.all_of(Access)
        if (other.span, other.operation) == (access.span, access.operation)
        and other.transactions.per_request is not None
    }
    return bool(counts) and max(counts) > min(counts) * CONFLICT_EXCESS.value


def _ways(access: Access) -> float:
    return (access.transactions.per_request or 0.0) / (access.transactions.ideal or 1.0)


def _finding(
    access: Access,
    accesses: list[Access],
    kernel: KernelFacts,
    pad: int | None,
    context: Context,
) -> Finding:
    site = Site(access, tuple(accesses))
    mean, most = round(_ways(access)), worst_ways(access)
    ways = max(2, mean, most)
    wide = next(merged(access, kernel.accesses), None)
    count = amount(access.transactions) if wide is None else number(access.transactions.per_request or 0.0)
    bound = speedup_bound.of_wavefronts(site, kernel, context.unit) if wide is None else None
    sizes = ", depends on sizes" if depends_on_sizes(access) else ""
    facts = {**evidence(access), **speedup_bound.facts(bound), "ways": ways}
    if pad is not None:
        facts["padding"] = pad
    return RULE.finding(
        access.span,
        f"{'up to ' if most > mean else ''}{ways}-way bank conflict: {count} wavefronts per shared"
        f" {site.operation} (ideal {number(access.transactions.ideal or 0.0)}{sizes})",
        notes=(
            _reason(access),
            *_widened(wide),
            *speedup_bound.notes(bound),
        ),
        help=_help(access, pad, kernel, context),
        kernel=kernel.name,
        evidence=facts,
        related=same_pattern(site),
        standing=on_access(access),
    )


def _widened(wide: Merged | None) -> tuple[str, ...]:
    """The note on a compiler that merges neighbouring elements into one access."""
    if wide is None:
        return ()
    return (
        f"if the compiler merges neighbouring elements into {wide.bytes}-byte accesses: {wide.wavefronts}"
        f" wavefronts (ideal {wide.ideal})",
    )


def _reason(access: Access) -> str:
    if rows_meet(access) and access.configuration is not None:
        row = access.configuration.block[0]
        return f"a warp covers {max(1, 32 // row)} rows of {row} threads, whose words are in the same banks"
    if access.layout.lane_stride:
        words = number(abs(access.layout.lane_stride) / BANK_BYTES)
        return (
            f"neighbouring lanes of `{access.expression}` are {words} words apart; shared memory has 32 banks"
        )
    return f"lanes of `{access.expression}` need different words of the same banks"


def _help(access: Access, pad: int | None, kernel: KernelFacts, context: Context) -> str:
    if pad is not None:
        elements = f"{pad} element{'s' if pad > 1 else ''}"
        return f"pad the rows of `{access.buffer}` by {elements}, which removes this conflict"
    if rows_meet(access):
        return "make blockDim.x a multiple of 32, or choose a row pitch that puts them in different banks"
    extra = spacing(access)
    if extra is not None:
        unit, apart = max(access.bytes, BANK_BYTES), abs(access.layout.lane_stride or 0) + extra
        return (
            f"place neighbouring lanes {apart} bytes apart, {extra} more than now{_odd(apart, unit)}: this"
            f" removes the conflict{_interleaved(access, kernel)}"
        )
    if shared_rows(context.unit, kernel.function, access.buffer) is not None:  # but no padding helps
        return "spread the lanes of a warp over the banks: swap indices, or swizzle the column"
    return "spread the lanes of a warp over the banks: swap indices, pad rows, or swizzle the column"


def _odd(apart: int, unit: int) -> str:
    return f" (an odd number of {unit}-byte words)" if apart % unit == 0 and apart // unit % 2 else ""


def _interleaved(access: Access, kernel: KernelFacts) -> str:
    """The alternative where all accesses to the array have the same lane stride."""
    distances = {abs(a.layout.lane_stride or 0) for a in kernel.accesses if a.buffer == access.buffer}
    return (
        "; or let neighbouring lanes access neighbouring words"
        if access.buffer and len(distances) == 1
        else ""
    )
