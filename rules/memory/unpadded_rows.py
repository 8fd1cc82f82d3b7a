"""
## What it does
Finds accesses to two-dimensional arrays from cudaMalloc whose row length is not a multiple of 32 bytes, where
the warps of every row access consecutive elements: most rows start inside a sector.

## Why it costs
Global memory is accessed in sectors of 32 bytes. A warp's 32 consecutive floats are 4 sectors where its row
starts at a sector, else 5. With rows of 1,001 floats, seven of eight rows do not: 4.9 sectors/request on
average, a fifth of which is moved twice or unused. Caches hide most of it: on an H200 a pass over rows of
1,001 floats took 1.01 times as long as one over rows padded to 1,008, which is why the rule is opt-in.

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
- Reported only where every launch passes known buffers and the row length is known, if only of the program
  as it is run without words, or as a Makefile runs it. Rows are recognised by threadIdx.y or by a loop over
  rows.
- Silent for slabs of several shorter rows (three-dimensional arrays), for rows that all start at the same
  offset in a sector (CU102), and where lanes are not neighbours (CU101, CU103).
- L1 may serve the sector that two neighbouring warps share from one transfer: DRAM traffic may be lower.
- Padding to the length in the help aligns every row only if a warp's first element in a row is aligned.

## Source
001 (cudaMallocPitch pads rows so that each starts aligned).
"""

from collections.abc import Iterator

from cudalint.host.facts import Buffer
from cudalint.host.walks import run_of
from cudalint.rule.findings import Confidence, Finding
from cudalint.rule.related import at_spans, same_pattern
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import on_access
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis, Impact
from cudalint.significance.saving import Saving
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.accesses.as_run import AccessAsRun
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.pattern import (
    FEW_LANES,
    SECTOR,
    Pattern,
    Site,
    classify,
    evidence,
    guessed_rows,
    in_excess,
    never_run,
    per_request,
    strides,
)
from cudalint.source.span import Span

RULE = Rule(
    code="CU115",
    name="unpadded-rows",
    severity=Severity.NOTE,
    summary="rows whose length is not a multiple of 32 bytes start inside a sector",
    guides=("001",),
    default=False,
    speed=True,
)

_ROW = 128  # bytes, at least: a 4-byte word for each lane

_SAME = 0.01
_PADDED = ("cudaMallocPitch", "cudaMalloc3D", "cuMemAllocPitch")


def check(
    kernel: KernelFacts, accesses: tuple[Access, ...], as_run: tuple[AccessAsRun, ...], context: Context
) -> Iterator[Finding]:
    """One finding for each row length: one cause for all arrays that have it. Row lengths that the command
    line says are those of the program as it is run.
    """
    found = list(_of(kernel, accesses, "", context))
    yield from found
    if not found:
        yield from _of(kernel, tuple(one.access for one in as_run), run_of(context.host), context)


def _of(kernel: KernelFacts, accesses: tuple[Access, ...], run: str, context: Context) -> Iterator[Finding]:
    """run: whose sizes these are, where not those of every run."""
    groups: dict[int, list[Access]] = {}
    allocations: dict[int, dict[Span, None]] = {}
    for access in accesses:
        pitch = _pitch(access)
        if pitch and not _is_slab(pitch, kernel) and access.span.path in context.lines:
            buffers = _buffers(kernel, context, access.buffer)
            if buffers and all(_is_plainly_allocated(buffer, context) for buffer in buffers):
                groups.setdefault(pitch, []).append(access)
                spans = (buffer.span for buffer in buffers if buffer.span is not None)
                allocations.setdefault(pitch, {}).update(dict.fromkeys(spans))
    for pitch, wasteful in groups.items():
        worst = max(wasteful, key=lambda access: access.transactions.per_request or 0.0)
        site = Site(worst, tuple(wasteful))
        saving = Saving(Basis.SECTORS, excess=site.accesses, again=site.accesses)
        impact = context.impact(saving, kernel)
        yield _finding(site, pitch, kernel.name, impact, tuple(allocations[pitch]), run)


def _pitch(access: Access) -> int:
    """Bytes from row to row, where warps with consecutive elements waste sectors because of it; else 0."""
    if access.space != "global" or strides(access) != (access.bytes,) or access.lanes.active < FEW_LANES:
        return 0
    if access.basis.data_dependent or never_run(access) or guessed_rows(access.configuration):
        return 0
    if not _known(access) or not in_excess(access.transactions):
        return 0
    if access.layout.offset is not None or classify(access) != Pattern.UNKNOWN:
        return 0
    for step in (access.layout.row_stride, access.layout.step_stride):
        if step is not None and abs(step) >= _ROW and step % SECTOR:
            return abs(step)
    return 0


def _known(access: Access) -> bool:
    """Whether its number does not depend on unknown sizes; it may differ between blocks, as rows do."""
    means = [mean for trial in access.trials for mean in trial.per_request if mean is not None]
    return bool(means) and max(means) <= min(means) * (1 + _SAME)


def _is_slab(pitch: int, kernel: KernelFacts) -> bool:
    """Whether a pitch spans several rows: some access steps by a divisor of it that is a row as well."""
    steps = {
        abs(step)
        for access in kernel.accesses
        if access.space == "global"
        for step in (access.layout.row_stride, access.layout.step_stride)
        if step is not None
    }
    return any(SECTOR < step < pitch and pitch % step == 0 for step in steps)


def _buffers(kernel: KernelFacts, context: Context, name: str) -> tuple[Buffer, ...]:
    """The allocations that launches pass for a parameter; () where one of them is not known."""
    places = [at for at, parameter in enumerate(kernel.function.parameters) if parameter.name == name]
    buffers: dict[int, Buffer] = {}
    for launch in context.host.launches:
        if launch.key != kernel.function.key:
            continue
        if not places or launch.arguments is None or places[0] >= len(launch.arguments):
            return ()
        buffer = launch.arguments[places[0]].buffer
        if buffer is None:
            return ()
        buffers[buffer.id] = buffer
    return tuple(buffers.values())


def _is_plainly_allocated(buffer: Buffer, context: Context) -> bool:
    """Whether the buffer is device memory allocated without a pitch."""
    return buffer.space == "device" and not any(
        call.kind == "allocate" and call.name in _PADDED and call.span == buffer.span
        for call in context.host.calls
    )


def _finding(
    site: Site, pitch: int, kernel: str, impact: Impact, allocations: tuple[Span, ...], run: str
) -> Finding:
    access = site.worst
    padded = -(-pitch // SECTOR) * SECTOR
    return RULE.finding(
        access.span,
        f"rows of {pitch:,} bytes: {per_request(access, 'sectors')}, most rows start inside a sector",
        notes=(
            f"the row length is {pitch % SECTOR} bytes more than a multiple of {SECTOR} bytes",
            *((f"sizes of {run}",) if run else ()),
        ),
        help=f"allocate `{access.buffer}` with cudaMallocPitch, or pad its rows to {padded:,} bytes",
        kernel=kernel,
        evidence={**evidence(access), "pitch": pitch, "padded": padded},
        impact=impact,
        confidence=Confidence.MEDIUM if run else None,
        related=(*at_spans(allocations, "allocated here"), *same_pattern(site)),
        standing=on_access(access),
    )
