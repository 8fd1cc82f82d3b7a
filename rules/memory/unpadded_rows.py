"""
## What it does
Finds accesses to two-dimensional arrays from cudaMalloc whose rows are not a multiple of 32 bytes long, where
the warps of every row read or write neighbouring elements: most rows start inside a sector.

## Why it costs
Global memory moves in sectors of 32 bytes. A warp's 32 neighbouring floats are 4 sectors where its row starts
at a sector, else 5. With rows of 1,001 floats seven rows of eight do not: 4.9 sectors a request on average,
so a fifth of what is moved is moved twice or not used.

## Example
```cuda
cudaMalloc(&a, 1001 * height * sizeof(float));
a[y * 1001 + x] *= 2.0f;
```

## Instead
```cuda
size_t pitch;
cudaMallocPitch(&a, &pitch, 1001 * sizeof(float), height);
float *row = (float *)((char *)a + y * pitch);
row[x] *= 2.0f;
```
Or make the width a multiple of 8 floats (4 doubles, 32 bytes) and leave the rest of a row unused.

## Limits
Speaks only where the launch tells the width and the buffer, and the model counts more sectors than the ideal
with certainty; a width that only the run knows may be a multiple. The rows are found by threadIdx.y or a loop
that goes from row to row. Silent where what a step goes over is a slab of several shorter rows (an array of
three dimensions), where all rows start at the same place in a sector (CU102 speaks) and where the lanes are
not neighbours (CU101, CU103). The L1 cache serves the shared sector of two neighbouring warps from one
transfer if it still has it, so DRAM may see less than the number says. Opt-in: it was measured and not found
to be slower. On an H200 a pass over rows of 1,001 floats took 1.01 times as long as one over rows padded to
1,008. The padding that the help names puts every row on a sector only where the first element that a warp
takes of it lies on one.

## Source
001 (cudaMallocPitch pads rows so that each starts aligned).
"""

from collections.abc import Iterator

from cudalint.host.facts import Buffer
from cudalint.rule.access_notes import also, confidence
from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.thresholds import PADDED_ROW
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.pattern import (
    FEW_LANES,
    SECTOR,
    Pattern,
    Site,
    amount,
    classify,
    evidence,
    guessed_rows,
    in_excess,
    more,
    never_run,
    number,
    standing,
    strides,
    tried,
)

RULE = Rule(
    code="CU115",
    name="unpadded-rows",
    severity=Severity.NOTE,
    summary="rows that are no multiple of 32 bytes long start inside a sector",
    guides=("001",),
    default=False,
)

_SAME = 0.01
_PADDED = ("cudaMallocPitch", "cudaMalloc3D", "cuMemAllocPitch")


def check(kernel: KernelFacts, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """One finding for each length of rows: the arrays that have it have one cause."""
    groups: dict[int, list[Access]] = {}
    for access in accesses:
        pitch = _pitch(access)
        if pitch and not _is_slab(pitch, kernel) and access.span.path in context.lines:
            buffer = _buffer(kernel, context, access.buffer)
            if buffer is not None and _plainly_allocated(buffer, context):
                groups.setdefault(pitch, []).append(access)
    for pitch, found in groups.items():
        worst = max(found, key=lambda access: access.transactions.per_request or 0.0)
        yield _finding(Site(worst, tuple(found)), pitch, kernel.name)


def _pitch(access: Access) -> int:
    """Bytes from row to row, where warps of neighbouring elements waste sectors for them; else 0."""
    if access.space != "global" or strides(access) != (access.bytes,) or access.active_lanes < FEW_LANES:
        return 0
    if access.data_dependent or never_run(access) or guessed_rows(access.configuration):
        return 0
    if not _known(access) or not in_excess(access.transactions):
        return 0
    if access.offset is not None or classify(access) != Pattern.UNKNOWN:
        return 0
    for step in (access.row_stride, access.step_stride):
        if step is not None and abs(step) >= PADDED_ROW.value and step % SECTOR:
            return abs(step)
    return 0


def _known(access: Access) -> bool:
    """Whether its number hangs on no size that nobody knows; between blocks it differs, as rows do."""
    means = [mean for trial in access.trials for mean in trial.per_request if mean is not None]
    return bool(means) and max(means) <= min(means) * (1 + _SAME)


def _is_slab(pitch: int, kernel: KernelFacts) -> bool:
    """Whether what is so long is several rows: some access steps by a whole part of it that is a row, too."""
    steps = {
        abs(step)
        for access in kernel.accesses
        if access.space == "global"
        for step in (access.row_stride, access.step_stride)
        if step is not None
    }
    return any(SECTOR < step < pitch and pitch % step == 0 for step in steps)


def _buffer(kernel: KernelFacts, context: Context, name: str) -> Buffer | None:
    """The one allocation that every launch passes for a parameter."""
    places = [at for at, parameter in enumerate(kernel.function.parameters) if parameter.name == name]
    found: dict[int, Buffer] = {}
    for launch in context.host.launches:
        if launch.key != kernel.function.key:
            continue
        if not places or launch.arguments is None or places[0] >= len(launch.arguments):
            return None
        buffer = launch.arguments[places[0]].buffer
        if buffer is None:
            return None
        found[buffer.id] = buffer
    return next(iter(found.values())) if len(found) == 1 else None


def _plainly_allocated(buffer: Buffer, context: Context) -> bool:
    """Whether device memory without a pitch is what was allocated."""
    return buffer.space == "device" and not any(
        call.kind == "allocate" and call.name in _PADDED and call.span == buffer.span
        for call in context.host.calls
    )


def _finding(site: Site, pitch: int, kernel: str) -> Finding:
    access = site.worst
    ideal = number(access.transactions.ideal or 0.0)
    padded = -(-pitch // SECTOR) * SECTOR
    return RULE.finding(
        access.span,
        f"rows of {pitch:,} bytes: {amount(access.transactions)} sectors a request{tried(access)},"
        f" ideal {ideal}, since most rows start inside a sector",
        notes=(
            f"{pitch:,} is {pitch % SECTOR} more than a multiple of {SECTOR}",
            *more(site),
            *standing(access),
        ),
        help=f"allocate `{access.buffer}` with cudaMallocPitch, or pad its rows to {padded:,} bytes",
        kernel=kernel,
        evidence={**evidence(access), "pitch": pitch, "padded": padded},
        related=also(site),
        confidence=confidence(access),
    )
