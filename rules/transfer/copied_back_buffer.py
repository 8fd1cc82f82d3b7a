"""
## What it does
Finds loops whose iterations read one device array, write another, and then copy the second over the first:
by `cudaMemcpy` on the device, or by a kernel that does nothing but copy elements. Also kernels that exchange
the elements of two arrays.

## Why it costs
The copy reads and writes device memory once more than the work needs, and it is one more launch. A step of a
stencil that is bound by memory reads a field and writes it: with the copy it moves twice as much, and took
1.56 times as long on an H200. Two pointers that change places move nothing.

## Example
```cuda
for (int step = 0; step < steps; ++step) {
    diffuse<<<grid, block>>>(after, now, n);
    cudaMemcpy(now, after, n * sizeof(float), cudaMemcpyDeviceToDevice);
}
```

## Instead
```cuda
for (int step = 0; step < steps; ++step) {
    diffuse<<<grid, block>>>(after, now, n);
    std::swap(now, after);
}
```
What the kernels leave untouched, such as a border, both arrays need before the loop. In a CUDA graph record
two steps, one for each direction.

## Limits
- Not reported where other work of the loop writes the old array, or reads the new one before it is written
  again: both have to hold the data then.
- Not reported for copies of a part of an array, under a condition, in loops with code that cannot be seen,
  and where an array is reached through a struct or a kernel hands its pointer on.
- Not reported where one line makes several copies in an iteration, and another one of them needs both arrays.
- A kernel counts as a copy where each element goes to the place with its own number, and it does nothing
  else.

## Source
000 section 9.2 (global memory bandwidth): what need not be moved is the cheapest access.
"""

from collections.abc import Iterator

from cudalint.host.facts import HostCall, HostFacts
from cudalint.host.query.copies_back import CopyBack, copies_back
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.host_saving import without
from cudalint.significance.impact import Basis, Impact
from cudalint.source.span import Span

RULE = Rule(
    code="CU715",
    name="copied-back-buffer",
    severity=Severity.WARNING,
    summary="a loop copies what it wrote over what it read, where two pointers could change places",
    guides=("000",),
    speed=True,
)


def check(host: HostFacts, context: Context) -> Iterator[Finding]:
    """One finding per copy, where it is written."""
    seen: set[Span] = set()
    for found in copies_back(host, context.unit):
        if found.call.span not in seen:
            seen.add(found.call.span)
            saved = without([found.call.span])
            yield _finding(found, context.calls_impact(found.call, saved, Basis.TRANSFERS))


def _finding(found: CopyBack, impact: Impact) -> Finding:
    call, loop = found.call, found.loop
    exchanged = found.roles is None
    joined = "with" if exchanged else "into"
    names = ", ".join(f"`{pair.new.name}` {joined} `{pair.old.name}`" for pair in found.pairs)
    sizes = [
        pair.new.bytes * (2 if pair.exchange else 1) for pair in found.pairs if pair.new.bytes is not None
    ]
    total = sum(sizes) if len(sizes) == len(found.pairs) else None
    often = f" ({loop.count:,} iterations)" if loop.count is not None else ""
    by = f"the kernel `{call.name}`" if call.kind == "launch" else f"`{call.name}`"
    moved = f"{total:,} bytes are read and written" if total is not None else "all of it is read and written"
    return RULE.finding(
        call.span,
        f"copied back: every iteration of a loop{often} {'exchanges' if exchanged else 'copies'} {names}",
        notes=(f"{by} only moves what the next iteration could read where it is: {moved}",),
        help="let the pointers change places after each iteration (`std::swap`), and set what the kernels "
        "leave untouched in both arrays before the loop",
        evidence={"bytes": total, "rounds": loop.count, "arrays": len(found.pairs)},
        related=(
            *_roles(found.roles),
            Related(loop.span, "in every iteration of this loop"),
        ),
        impact=impact,
    )


def _roles(roles: tuple[HostCall, HostCall] | None) -> tuple[Related, ...]:
    if roles is None:
        return ()
    writer, reader = roles
    return Related(writer.span, "written here"), Related(reader.span, "the old data is read here")
