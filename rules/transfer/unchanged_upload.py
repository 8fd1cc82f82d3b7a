"""
## What it does
Finds loops that copy the same host data to the same device memory in every iteration, although neither side
has changed since the copy before: the host does not write the source in the loop, and no kernel, copy or
memset of the loop writes the destination. Memory that each iteration allocates anew counts too. Also copies
to the device of an array that a kernel of the same iteration overwrites before anything reads it.

## Why it costs
The bus is the slowest part of the path: 55 GB/s for pinned memory on PCIe 5, 15 GB/s for pageable memory,
where device memory moves 4,800 GB/s (H200). A table of 96 MiB that is uploaded for each of 1,000 scenarios
takes 1.8 s of bus time; uploaded once, 2 ms.

## Example
```cuda
for (int step = 0; step < steps; ++step) {
    cudaMemcpy(table, host_table, bytes, cudaMemcpyHostToDevice);  // the same bytes again
    work<<<grid, block>>>(data, table, step);
}
```

## Instead
```cuda
cudaMemcpy(table, host_table, bytes, cudaMemcpyHostToDevice);
for (int step = 0; step < steps; ++step) {
    work<<<grid, block>>>(data, table, step);
}
```

## Limits
- A pointer parameter to const is not written; any other pointer of a kernel may be, unless its body shows
  that it only reads through it.
- Not reported where the loop runs code that cannot be seen, where the copy is under a condition, and where
  its place in either buffer is not known.
- Not reported in captured graphs, for copies of 64 bytes or less, and where the loop calls a library that may
  write the data.
- An array counts as overwritten if the kernel only stores to it, each thread the element of its own number,
  and as many bytes as were copied are copied back to the host later.
- Where a kernel of the loop writes the device copy, CU705 reports the upload.
- A benchmark that repeats a whole run, upload included, is reported too.

## Source
000 'Data transfer between host and device': minimise transfers, keep data on the device.
"""

from collections.abc import Iterator

from cudalint.host.facts import HostFacts
from cudalint.host.query.needless_uploads import NeedlessUpload, needless_uploads
from cudalint.host.query.unchanged_uploads import Upload, unchanged_uploads
from cudalint.host.walks import holds
from cudalint.rule.findings import Confidence, Finding, Related
from cudalint.rule.host_callers import called_at
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.host_saving import without, without_one
from cudalint.significance.impact import Impact
from cudalint.significance.thresholds import SCALAR_BYTES
from cudalint.source.span import Span

RULE = Rule(
    code="CU713",
    name="unchanged-upload",
    severity=Severity.WARNING,
    summary="a loop uploads data that has not changed since the last iteration",
    guides=("000",),
    speed=True,
)


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding per copy, where it is written."""
    seen: set[Span] = set()
    for upload in unchanged_uploads(host, context.unit):
        call = upload.call
        small = call.bytes is not None and call.bytes <= SCALAR_BYTES.value
        if not small and not upload.restores:
            yield _finding(upload, context.calls_impact(call, without_one(call)), context)
            seen.add(call.span)
    for needless in needless_uploads(host, context.unit):
        call = needless.call
        if call.span not in seen and (call.bytes is None or call.bytes > SCALAR_BYTES.value):
            seen.add(call.span)
            yield _needless_finding(needless, context.calls_impact(call, without([call.span])))


def _needless_finding(needless: NeedlessUpload, impact: Impact) -> Finding:
    call, launch, loop = needless.call, needless.launch, needless.loop
    name = call.host_name or (call.source.name if call.source is not None else "") or "the data"
    return RULE.finding(
        call.span,
        f"needless upload: `{name}` is copied to the device, where `{launch.name}` overwrites it unread",
        notes=("each thread stores its element, and none loads what was copied",),
        help="do not copy it: the kernel writes all of it",
        confidence=Confidence.MEDIUM,
        condition="the launch covers all that is copied" if call.bytes is None else None,
        evidence={"bytes": call.bytes, "rounds": loop.count, "host": name},
        related=(
            Related(launch.span, "overwritten here"),
            Related(loop.span, "in every iteration of this loop"),
        ),
        impact=impact,
    )


def _finding(upload: Upload, impact: Impact, context: Context) -> Finding:
    call, loop = upload.call, upload.loop
    name = call.host_name or (call.source.name if call.source is not None else "") or "the data"
    size = f"{call.bytes:,} bytes" if call.bytes is not None else "the same bytes"
    often = f" ({loop.count:,} iterations)" if loop.count is not None else ""
    why = "the host has not written them since the last copy, and no kernel writes what it copied"
    if not upload.fresh:
        why = "neither the host nor the device has written them since the last copy"
    return RULE.finding(
        call.span,
        f"unchanged upload: `{name}` is copied to the device in every iteration of a loop{often}",
        notes=(f"{size} again: {why}",),
        help="allocate the buffer and copy it once, before the loop"
        if upload.fresh
        else "copy it once, before the loop",
        evidence={"bytes": call.bytes, "rounds": loop.count, "host": name},
        related=(
            Related(loop.span, "in every iteration of this loop"),
            Related(upload.launches[0].span, "uses the device copy, which is still valid"),
            *(() if holds(loop.span, call.span) else called_at(call.came_by, context, loop.span)),
        ),
        impact=impact,
    )
