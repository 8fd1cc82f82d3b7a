"""
## What it does
Finds managed memory (cudaMallocManaged, `__managed__`) that the host and kernels touch in turn, 1 MiB or
more, with neither cudaMemPrefetchAsync nor cudaMemAdvise for it.

## Why it costs
Managed pages move when they are touched. A kernel that comes to pages of the host stops at each of them
until the driver has brought it: thousands of faults, each some tens of microseconds, where one copy would
do. On an H200 behind PCIe 5 a kernel that adds 1 to 16 MiB took 2.1 milliseconds when the host had written
them before, 0.39 with a prefetch in front, 0.014 when they were there already; for 256 MiB it was 31, 5.5
and 0.19. Each change of sides costs that again.

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
Data that only one side needs for long belongs into memory of that side; for a few values that the host
reads, copy those.

## Limits
Off unless selected: of three findings on real code two were of no use, a launch for warming up and a program
that shows what faults cost.
Silent where the size is not known, where the host's touches are in code that cannot be seen, for memory
that is prefetched or advised anywhere in the program's walk, and for `--arch` below 60: such devices have
no page faults and move everything at each launch. Systems whose GPU and host share memory coherently do not
migrate.

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
    summary="host and kernels touch managed memory in turn without a prefetch",
    confidence=Confidence.MEDIUM,
    default=False,
    guides=("001",),
)

_HINTS = ("cudaMemPrefetch", "cudaMemAdvise", "cudaStreamAttachMemAsync", "cuMemPrefetch", "cuMemAdvise")
_FAULTING, _PREFETCHED = 8.5e6, 48e6  # bytes a millisecond that arrive at a kernel (H200, PCIe 5)


class Turn(Struct, frozen=True):
    """A change of sides: the host's touch, the launch after it, and how often the sides change in all."""

    buffer: Buffer
    touch: HostAccess
    launch: HostCall
    changes: int


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding for each launch that buffers have to move for."""
    if context.arch < 60:
        return
    for calls in walks(host):
        hinted = {number for call in calls if call.name.startswith(_HINTS) for number in call.arguments}
        touched: dict[int, list[HostAccess]] = {}
        for access in host.accesses:
            if access.function == calls[0].function and access.buffer.space == "managed":
                touched.setdefault(access.buffer.id, []).append(access)
        turns = [
            turn
            for number, accesses in touched.items()
            if number not in hinted and (accesses[0].buffer.bytes or 0) >= MANAGED_BYTES.value
            for turn in _turns(accesses, calls)
        ]
        groups: dict[tuple[str, int], list[Turn]] = {}
        for turn in turns:
            groups.setdefault((turn.launch.span.path, turn.launch.span.line), []).append(turn)
        for group in groups.values():
            yield _finding(group)


def _turns(accesses: list[HostAccess], calls: tuple[HostCall, ...]) -> Iterator[Turn]:
    """The first launch that a buffer moves to, where it moves back too."""
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
                yield Turn(buffer, touch, launch, len(sides) - 1)
            return


def _uses(call: HostCall, buffer: Buffer) -> bool:
    """Whether a call makes the device touch a buffer."""
    if call.kind == "launch":
        return buffer.id in call.arguments
    return (
        call.kind in ("copy", "memset") and call.destination is not None and call.destination.id == buffer.id
    )


def _finding(turns: list[Turn]) -> Finding:
    first = turns[0]
    turns = list({turn.buffer.span: turn for turn in turns}.values())
    total = sum(turn.buffer.bytes or 0 for turn in turns)
    changes = max(turn.changes for turn in turns)
    known = [turn.buffer.name for turn in turns if turn.buffer.name not in ("", "temporary")]
    names = ", ".join(f"`{name}`" for name in known) + ", " * bool(known)
    now, then = total / _FAULTING, total / _PREFETCHED
    return RULE.finding(
        first.launch.span,
        f"`{first.launch.name}` faults managed memory in page by page: {names}{total / (1 << 20):,.0f} MiB",
        notes=(
            f"the host and the device touch it in turn ({changes} changes of side in the code as it stands)",
            f"faults bring {total:,} bytes in some {now:.2g} ms, a prefetch in {then:.2g} ms (H200, PCIe 5)",
        ),
        help="call cudaMemPrefetchAsync before the launch, on its stream",
        evidence={"bytes": total, "buffers": len(turns), "changes": changes},
        related=(Related(first.touch.span, "the host touches it here"),),
    )
