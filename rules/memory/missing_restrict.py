"""
## What it does
Finds pointer parameters that a kernel only reads, without `__restrict__`, where a loop loads through them and
stores through another pointer. Opt-in: only the author can make the promise.

## Why it costs
The compiler must assume that the store changes what the next iteration loads, so it keeps their order: the
loads of each iteration wait until those of the previous one have returned. With `__restrict__` it moves the
loads of four iterations ahead of their stores, and a value that two iterations use is loaded once. Measured
on an H200, for a loop over the rows of a matrix with one thread per column: 1.62 ms become .24 ms with 16,384
threads, .46 ms become .14 ms with 65,536, and .18 ms become .15 ms with a million, which hide the latency
anyway.

## Example
```cuda
__global__ void scale(const float *in, float *out, int columns, int rows)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; j < rows; j++)
        out[j * columns + i] = 2.0f * in[j * columns + i];
}
```

## Instead
```cuda
__global__ void scale(const float *__restrict__ in, float *__restrict__ out, int columns, int rows)
```
This promises that nothing the kernel writes is read through the parameter: only where no launch passes
overlapping memory.

## Limits
- Silent where either pointer already has `__restrict__`, where a launch passes one buffer for both, for loops
  without a constant step (a grid-stride loop), which the compiler does not unroll, and for loops with a
  barrier.
- The fix adds `__restrict__` to parameters that point to const. It is unsafe: callers in other files may pass
  overlapping memory.

## Source
000 (`__restrict__` and the read-only cache); timings on an H200.
"""

import re
from collections.abc import Iterator

from msgspec import Struct

from cudalint.analyses.kernel_queries import lvalues
from cudalint.analyses.updates import Sources, touches_nothing
from cudalint.host.aliases import one_buffer
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.types import Pointer
from cudalint.ir.walk import walk
from cudalint.rule.findings import Edit, Finding, Fix, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.source.span import Span

RULE = Rule(
    code="CU110",
    name="missing-restrict",
    severity=Severity.NOTE,
    summary="loads of a loop wait for its stores because a read-only parameter lacks `__restrict__`",
    fixes=("unsafe",),
    default=False,
    guides=("000",),
)

_DECLARATION = re.compile(r"[^()\[\]]*\*\s*(?:const\s+)?(\w+)")


class _Loop(Struct, frozen=True):
    """A loop whose stores may alias its loads."""

    loop: s.Loop
    loads: dict[int, list[e.Expression]]  # by the parameter that they go through
    stored: dict[int, e.Expression]  # a store that may alias them, by parameter


def check(kernel: KernelFacts, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """One finding per kernel, at the first such parameter."""
    function = kernel.function
    readable = {p.id: p for p in function.parameters if isinstance(p.type, Pointer) and not p.type.restrict}
    written = {a.buffer for a in accesses if a.operation != "load"}
    lost = any(a.operation != "load" and not a.buffer for a in accesses)
    for p in list(readable.values()):
        const = isinstance(p.type, Pointer) and p.type.const
        if p.name in written or p.type.volatile or (lost and not const):  # type: ignore[union-attr]
            del readable[p.id]
    if not readable or function.body is None or function.extent.path not in context.lines:
        return
    made = {a.span for a in accesses if a.space == "global"}
    sources = Sources(function)
    loops = [
        aliasing
        for loop in walk(function.body)
        if isinstance(loop, s.Loop) and _unrolls(loop)
        if (aliasing := _look(loop, set(readable), sources, made, kernel, context)) is not None
    ]
    if loops:
        yield _finding(loops, readable, kernel, context)


def _unrolls(loop: s.Loop) -> bool:
    """Whether the compiler may interleave several iterations: a constant step and nothing that waits."""
    step = loop.step
    if not isinstance(step, e.Assign) or step.operator not in ("+", "-"):
        return False
    value = step.value
    while isinstance(value, e.Cast):
        value = value.operand
    if not isinstance(value, e.Literal):
        return False
    for node in walk(loop.body):
        if isinstance(node, s.Loop | s.Break | s.Return | s.Opaque):
            return False
        if isinstance(node, e.Call) and not (node.receiver is None and touches_nothing(node.name)):
            return False
    return True


def _look(
    loop: s.Loop,
    readable: set[int],
    sources: Sources,
    made: set[Span],
    kernel: KernelFacts,
    context: Context,
) -> _Loop | None:
    """The loads of a loop through those parameters, and for each a store through another pointer."""
    loads: dict[int, list[e.Expression]] = {}
    stores: list[tuple[e.Variable, e.Expression]] = []
    for lvalue, operation in lvalues(loop.body):
        root, restricted = sources.of(lvalue)
        if root is None or lvalue.span not in made or restricted:
            continue
        if operation == "load" and root.id in readable:
            loads.setdefault(root.id, []).append(lvalue)
        elif operation == "store" and root.storage in ("parameter", "device", "managed"):
            stores.append((root, lvalue))
    parameters = {p.id: p for p in kernel.function.parameters}
    stored: dict[int, e.Expression] = {}
    for number in loads:
        pairs = [(parameters[number], root) for root, _ in stores]
        if stores and not any(one_buffer(kernel.function, pair, context.host) for pair in pairs):
            stored[number] = stores[0][1]
    kept = {number: through for number, through in loads.items() if number in stored}
    return _Loop(loop, kept, stored) if kept else None


def _finding(
    loops: list[_Loop], readable: dict[int, e.Variable], kernel: KernelFacts, context: Context
) -> Finding:
    chosen = [p for number, p in readable.items() if any(number in aliasing.loads for aliasing in loops)]
    first = next(aliasing for aliasing in loops if chosen[0].id in aliasing.loads)
    count = len({load.span for aliasing in loops for loads in aliasing.loads.values() for load in loads})
    names = ", ".join(f"`{p.name}`" for p in chosen)
    line = first.loop.span.line
    edits = tuple(edit for p in chosen if (edit := _edit(p, context)) is not None)
    stored = first.stored[chosen[0].id]
    waits = f"{count} loads in a loop wait" if count > 1 else "a load in a loop waits"
    return RULE.finding(
        chosen[0].span,
        f"{names} {'are' if len(chosen) > 1 else 'is'} read-only but not `__restrict__`: {waits} for the"
        " stores of the previous iteration",
        notes=(f"the store to `{render(stored)}` in the loop at line {line} may alias what is loaded",),
        help="declare read-only parameters `const` and `__restrict__` if no launch passes overlapping memory",
        kernel=kernel.name,
        evidence={"parameters": len(chosen), "loads": count, "loop": line},
        related=(
            Related(first.loads[chosen[0].id][0].span, "loaded here"),
            Related(stored.span, "stored here"),
        ),
        fix=Fix(edits, safe=False) if len(edits) == len(chosen) else None,
    )


def _edit(parameter: e.Variable, context: Context) -> Edit | None:
    """Inserts `__restrict__` before the name of a plainly declared parameter that points to const."""
    span = parameter.span
    match = _DECLARATION.fullmatch(context.text(span)) if span.line == span.end_line else None
    if match is None or match[1] != parameter.name:
        return None
    if not isinstance(parameter.type, Pointer) or not parameter.type.const:
        return None
    column = span.column + match.start(1)
    return Edit(Span(span.path, span.line, column, span.line, column), "__restrict__ ")
