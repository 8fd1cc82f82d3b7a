"""
## What it does
Finds managed memory (cudaMallocManaged, `__managed__`) of 1 MiB or more that kernels access
after the host, without cudaMemPrefetchAsync or cudaMemAdvise.

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
- Not reported where the size is unknown or the host accesses are in unseen code.
- Not reported for memory that the analysed host code prefetches or advises anywhere; attaching it to a stream
  moves nothing.
- Work of a library (cuBLAS and the like) counts as a kernel that is handed the buffer.
- Not reported for `--arch` below sm_60: those devices have no page faults and migrate everything at each
  launch.
- Systems with coherent host and device memory do not migrate.

## Source
001 'Unified Memory'; the CUDA programming guide, 'Unified Memory Programming'.
"""

from collections.abc import Iterator

from cudalint.host.facts import HostFacts
from cudalint.host.query.migrations import Migration, migrations
from cudalint.host.walks import walks
from cudalint.rule.findings import Confidence, Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis, Impact
from cudalint.significance.thresholds import MANAGED_BYTES

RULE = Rule(
    code="CU711",
    name="managed-without-prefetch",
    severity=Severity.NOTE,
    summary="host and kernels access managed memory alternately without a prefetch",
    confidence=Confidence.MEDIUM,
    guides=("001",),
    speed=True,
)

_EXAMPLE = 64 << 20  # bytes, where the size is not known
_FAULTING, _PREFETCHED = 8.5e6, 48e6  # bytes a millisecond that arrive at a kernel (H200, PCIe 5)


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding per launch that buffers have to migrate for."""
    if context.arch < 60:
        return
    for calls in walks(host):
        groups: dict[tuple[str, int], list[Migration]] = {}
        for migration in migrations(host, calls):
            if migration.buffer.bytes is not None and migration.buffer.bytes < MANAGED_BYTES.value:
                continue
            groups.setdefault((migration.launch.span.path, migration.launch.span.line), []).append(migration)
        for group in groups.values():
            yield _finding(group, context)


def _finding(found: list[Migration], context: Context) -> Finding:
    first = found[0]
    buffers = list({migration.buffer.span: migration for migration in found}.values())
    total = sum(migration.buffer.bytes or 0 for migration in buffers)
    unknown = any(migration.buffer.bytes is None for migration in buffers)
    changes = max(migration.changes for migration in buffers)
    known = [migration.buffer.name for migration in buffers if migration.buffer.name not in ("", "temporary")]
    names = ", ".join(f"`{name}`" for name in known) + ", " * bool(known)
    size = "of a size that is not known" if unknown else f"{total / (1 << 20):,.0f} MiB"
    moved = _EXAMPLE if unknown else total
    now, then = moved / _FAULTING, moved / _PREFETCHED
    return RULE.finding(
        first.launch.span,
        f"`{first.launch.name}` migrates managed memory by page faults: {names}{size}",
        notes=(
            "the host accesses it, then the device: each page migrates at its first access"
            if changes == 1
            else f"host and device access it alternately ({changes} changes of side in the source)",
            f"{moved:,} bytes take {now:.2g} ms by page faults, {then:.2g} ms by prefetch (H200, PCIe 5)",
        ),
        help="call cudaMemPrefetchAsync before the launch, on its stream",
        condition=f"the buffers have at least {int(MANAGED_BYTES.value):,} bytes" if unknown else None,
        evidence={"bytes": None if unknown else total, "buffers": len(buffers), "changes": changes},
        related=(Related(first.touch.span, "accessed by the host here"),),
        impact=_impact(context.seconds(first.launch), now / 1e3, then / 1e3),
    )


def _impact(kernel: tuple[float, float], now: float, then: float) -> Impact:
    """Of the kernel with its migration, and of the way back that the fix may leave as it is. kernel: its
    seconds, least and most; now, then: of the data.
    """
    least, most = kernel
    return Impact((now - then) / (2 * now + most), (now - then) / (now + least), Basis.TRANSFERS)
