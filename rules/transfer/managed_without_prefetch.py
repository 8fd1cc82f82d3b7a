"""
## What it does
Finds managed memory (cudaMallocManaged, `__managed__`) of 1 MiB or more that host and kernels access
alternately, without cudaMemPrefetchAsync or cudaMemAdvise.

## Why it costs
Managed pages migrate on access. A kernel that touches pages resident on the host faults on each of them until
the driver has migrated it: thousands of page faults of tens of microseconds each, where one bulk transfer
would do. On an H200 with PCIe 5, a kernel that increments 16 MiB took 2.1 ms after the host had written them,
0.39 ms with a prefetch, 0.014 ms with the data resident; for 256 MiB it was 31, 5.5 and 0.19 ms. Each change
between host and device costs that again.

## Example
```cuda
float *a;
cudaMallocManaged(&a, bytes);
for (int i = 0; i < n; ++i) a[i] = i;
work<<<grid, block>>>(a);  // faults for every page
cudaDeviceSynchronize();
float first = a[0];
```

## Instead
```cuda
cudaMemLocation here = {cudaMemLocationTypeDevice, device};
cudaMemPrefetchAsync(a, bytes, here, 0, stream);  // CUDA 12 and before: (a, bytes, device, stream)
work<<<grid, block, 0, stream>>>(a);
```
Keep data that only one side uses for long in memory of that side, and copy single values that the host reads.

## Limits
- Opt-in: in real code, two of three findings were of no use (a warm-up launch, a demonstration of page
  faults).
- Not reported where the size is unknown or the host accesses are in unseen code.
- Not reported for memory that the analysed host code prefetches or advises anywhere.
- Not reported for `--arch` below sm_60: those devices have no page faults and migrate everything at each
  launch.
- Systems with coherent host and device memory do not migrate.

## Source
001 'Unified Memory'; the CUDA programming guide, 'Unified Memory Programming'.
"""

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from cudalint.host.facts import Buffer, HostAccess, HostCall, HostFacts
from cudalint.host.walks import walks
from cudalint.rule.findings import Confidence, Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.thresholds import MANAGED_BYTES

RULE = Rule(
    code="CU711",
    name="managed-without-prefetch",
    severity=Severity.NOTE,
    summary="host and kernels access managed memory alternately without a prefetch",
    confidence=Confidence.MEDIUM,
    default=False,
    guides=("001",),
)

_HINTS = ("cudaMemPrefetch", "cudaMemAdvise", "cudaStreamAttachMemAsync", "cuMemPrefetch", "cuMemAdvise")
_FAULTING, _PREFETCHED = 8.5e6, 48e6  # bytes a millisecond that arrive at a kernel (H200, PCIe 5)


class Migration(Struct, frozen=True):
    """A host access and the launch after it, with the number of changes between host and device in all."""

    buffer: Buffer
    touch: HostAccess
    launch: HostCall
    changes: int


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding per launch that buffers have to migrate for."""
    if context.arch < 60:
        return
    for calls in walks(host):
        hinted = {number for call in calls if call.name.startswith(_HINTS) for number in call.arguments}
        touched: dict[int, list[HostAccess]] = {}
        for access in host.accesses:
            if access.function == calls[0].function and access.buffer.space == "managed":
                touched.setdefault(access.buffer.id, []).append(access)
        migrations = [
            migration
            for number, accesses in touched.items()
            if number not in hinted and (accesses[0].buffer.bytes or 0) >= MANAGED_BYTES.value
            for migration in _migrations(accesses, calls)
        ]
        groups: dict[tuple[str, int], list[Migration]] = {}
        for migration in migrations:
            groups.setdefault((migration.launch.span.path, migration.launch.span.line), []).append(migration)
        for group in groups.values():
            yield _finding(group)


def _migrations(accesses: list[HostAccess], calls: tuple[HostCall, ...]) -> Iterator[Migration]:
    """The first launch that a buffer migrates for, if it also migrates back."""
    buffer = accesses[0].buffer
    sides: list[HostAccess | HostCall] = []
    events: list[tuple[int, int, HostAccess | HostCall]] = [(a.order, 0, a) for a in accesses]
    events += [(call.order, 1, call) for call in calls if _uses(call, buffer)]
    for _, _, event in sorted(events, key=lambda event: event[:2]):
        if not sides or type(sides[-1]) is not type(event):
            sides.append(event)
    for touch, launch in pairwise(sides):
        if isinstance(touch, HostAccess) and isinstance(launch, HostCall) and len(sides) > 2:
            if launch.kind == "launch":
                yield Migration(buffer, touch, launch, len(sides) - 1)
            return


def _uses(call: HostCall, buffer: Buffer) -> bool:
    """Whether a call makes the device access a buffer."""
    if call.kind == "launch":
        return buffer.id in call.arguments
    return (
        call.kind in ("copy", "memset") and call.destination is not None and call.destination.id == buffer.id
    )


def _finding(migrations: list[Migration]) -> Finding:
    first = migrations[0]
    migrations = list({migration.buffer.span: migration for migration in migrations}.values())
    total = sum(migration.buffer.bytes or 0 for migration in migrations)
    changes = max(migration.changes for migration in migrations)
    known = [
        migration.buffer.name for migration in migrations if migration.buffer.name not in ("", "temporary")
    ]
    names = ", ".join(f"`{name}`" for name in known) + ", " * bool(known)
    now, then = total / _FAULTING, total / _PREFETCHED
    return RULE.finding(
        first.launch.span,
        f"`{first.launch.name}` migrates managed memory by page faults: {names}{total / (1 << 20):,.0f} MiB",
        notes=(
            f"host and device access it alternately ({changes} changes of side in the source)",
            f"{total:,} bytes take {now:.2g} ms by page faults, {then:.2g} ms by prefetch (H200, PCIe 5)",
        ),
        help="call cudaMemPrefetchAsync before the launch, on its stream",
        evidence={"bytes": total, "buffers": len(migrations), "changes": changes},
        related=(Related(first.touch.span, "accessed by the host here"),),
    )
