"""
## What it does
Finds loops that copy the same host data to the same device memory in every iteration, although neither side
has changed since the copy before: the host does not write the source in the loop, and no kernel, copy or
memset of the loop writes the destination. Memory that each iteration allocates anew counts too. Also copies
to the device of an array that a kernel of the same iteration overwrites before anything reads it, and memsets
of one. And copies of memory that nothing was stored in since it was allocated, or that holds one value
throughout (calloc, a new std::vector, memset, std::fill, a loop that stores a constant), to what kernels
write. And copies of data that another buffer on the device holds already.

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
- A pointer parameter to const is not written; any other may be, unless the kernel's body shows that it only
  reads.
- Silent where the loop runs unseen code or a library that may write the data, for conditional copies, unknown
  places, captured graphs, and up to 64 bytes.
- Overwritten: each thread only stores its own element, and as many bytes are copied back later.
- Where a kernel writes the device copy, CU705 reports the upload, unless of one value.
- One value, or nothing: outside of loops from 64 MiB on; silent where kernels only read it, or unseen code
  may store.
- A benchmark that repeats a whole run is reported too.

## Source
000 'Data transfer between host and device': minimise transfers, keep data on the device.
"""

from collections.abc import Iterator

from cudalint.host.facts import HostCall, HostFacts, Rounds
from cudalint.host.query.needless_uploads import NeedlessUpload, needless_uploads
from cudalint.host.query.plain_uploads import PlainUpload, plain_uploads
from cudalint.host.query.second_uploads import SecondUpload, second_uploads
from cudalint.host.query.unchanged_uploads import Upload, unchanged_uploads
from cudalint.host.walks import holds, run_of
from cudalint.rule.findings import Confidence, Finding, Related
from cudalint.rule.host_callers import called_at
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.host_saving import on_device, without, without_one
from cudalint.significance.impact import Impact
from cudalint.significance.thresholds import SCALAR_BYTES, UPLOADED_ONCE
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
        if not small and not upload.writers:
            yield _finding(upload, context.calls_impact(call, without_one(call)), context)
            seen.add(call.span)
    for plain in plain_uploads(host, context.unit):
        call = plain.call
        if call.span not in seen and _is_large(call, plain.loop):
            seen.add(call.span)
            yield _plain_finding(plain, context, run_of(host))
    for second in second_uploads(host, context.unit):
        call = second.call
        if call.span not in seen and _is_large(call, second.loop):
            seen.add(call.span)
            yield _second_finding(second, context, run_of(host))
    for needless in needless_uploads(host, context.unit):
        call = needless.call
        if call.span not in seen and (call.bytes is None or call.bytes > SCALAR_BYTES.value):
            seen.add(call.span)
            yield _needless_finding(needless, context.calls_impact(call, without([call.span])))


def _is_large(call: HostCall, loop: Rounds | None) -> bool:
    """Whether the bytes of the copies may count: of one that is made once they have to be known."""
    size = call.bytes if call.bytes is not None else call.as_run
    if loop is not None and loop.count != 1:
        return size is None or size > SCALAR_BYTES.value
    return size is not None and size >= UPLOADED_ONCE.value


def _second_finding(second: SecondUpload, context: Context, run: str) -> Finding:
    """run: whose size it is where the command line decides it."""
    call, first = second.call, second.first
    size = call.bytes if call.bytes is not None else call.as_run
    name = f"`{call.host_name}`" if call.host_name else "memory"
    there = f"`{first.destination.name}`" if first.destination is not None else "a buffer"
    note = "the bytes" if size is None else f"{size:,} bytes"
    whose = (f"size of {run}",) if call.bytes is None and size is not None else ()
    return RULE.finding(
        call.span,
        f"uploaded twice: {name} is copied to the device, where {there} already holds the same",
        notes=(f"{note} cross the bus again; neither side has changed since the first copy", *whose),
        help="copy it with cudaMemcpyDeviceToDevice from the first buffer, or let the kernels share that",
        evidence={"bytes": size, "host": call.host_name},
        related=(Related(first.span, "the first copy"),),
        impact=context.calls_impact(call, on_device([call.span])),
    )


def _plain_finding(plain: PlainUpload, context: Context, run: str) -> Finding:
    """run: whose size it is where the command line decides it."""
    call, value = plain.call, plain.held.value
    name = f"`{call.host_name}`" if call.host_name else "memory"
    size = call.bytes if call.bytes is not None else call.as_run
    change = without([call.span]) if value is None else on_device([call.span])
    what = "nothing was stored in it" if value is None else f"it holds {value:.7g} throughout"
    if not plain.alike:
        what = "it holds one value throughout"
    by_bytes = plain.alike and (value == 0 or (isinstance(value, int) and value == -1))
    fill = "cudaMemset" if by_bytes else "a kernel that fills the buffer"
    note = "the bytes" if size is None else f"{size:,} bytes"
    whose = (f"size of {run}",) if call.bytes is None and size is not None else ()
    related = (Related(plain.loop.span, "in every iteration of this loop"),) if plain.loop is not None else ()
    made = call.source.span if call.source is not None else None
    return RULE.finding(
        call.span,
        f"needless upload: {name} is copied to the device although {what}",
        notes=(f"{note} cross the bus, which say nothing that the device does not know", *whose),
        help="do not copy it; what the device reads before it writes it was never set"
        if value is None
        else f"{fill} does it on the device, without the bus",
        evidence={"bytes": size, "value": value},
        related=(*((Related(made, "allocated here"),) if made is not None else ()), *related),
        impact=context.calls_impact(call, change),
    )


def _needless_finding(needless: NeedlessUpload, impact: Impact) -> Finding:
    call, launch, loop = needless.call, needless.launch, needless.loop
    side = call.destination if call.kind == "memset" else call.source
    name = call.host_name or (side.name if side is not None else "") or "the data"
    what = f"needless upload: `{name}` is copied to the device, where `{launch.name}` overwrites it unread"
    done, stored = "copy", "copied"
    if call.kind == "memset":
        what = f"needless memset: `{name}` is set, and `{launch.name}` overwrites it unread"
        done, stored = "set", "set"
    return RULE.finding(
        call.span,
        what,
        notes=(f"each thread stores its element, and none loads what was {stored}",),
        help=f"do not {done} it: the kernel writes all of it",
        confidence=Confidence.MEDIUM,
        condition=f"the launch covers all that is {stored}" if call.bytes is None else None,
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
            Related(upload.work[0].span, "uses the device copy, which is still valid"),
            *(() if holds(loop.span, call.span) else called_at(call.came_by, context, loop.span)),
        ),
        impact=impact,
    )
