"""
## What it does
Finds pointer parameters that a kernel only reads, without `__restrict__`, where a loop loads through them and
stores through another pointer. Off unless selected: the promise is the author's to make.

## Why it costs
As far as the compiler knows, the store may change what the next iteration loads, so it keeps their order: the
loads of each iteration wait until those of the one before have come back. With `__restrict__` it moves the
loads of four iterations in front of their stores, and a value that two iterations use is loaded once.
Measured on an H200, for a loop that goes down the rows of a matrix with a thread for each column: 1.62 ms
become .24 ms with 16,384 threads, .46 ms become .14 ms with 65,536, and .18 ms become .15 ms with a million,
which hide the delay among themselves.

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
It is a promise that nothing the kernel writes is read through the parameter: only where no launch passes
overlapping memory.

## Limits
Silent where one of the two pointers has `__restrict__` already, which is enough for the order; where a launch
passes one buffer for both; for loops whose step is no constant (a grid-stride loop), which the compiler does
not unroll, so that there is nothing to move; and for loops with a barrier. The fix puts `__restrict__` before
the name of each such parameter that points to const; it is unsafe, because callers that cudalint does not see
may pass overlapping memory.

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
    summary="loads of a loop wait for its stores, because a parameter that is only read lacks `__restrict__`",
    fixes=("unsafe",),
    default=False,
    guides=("000",),
)

_DECLARATION = re.compile(r"[^()\[\]]*\*\s*(?:const\s+)?(\w+)")


class _Loop(Struct, frozen=True):
    """A loop with what it loads through which parameter, and a store of it that may change that."""

    loop: s.Loop
    loads: dict[int, list[e.Expression]]
    stored: dict[int, e.Expression]


def check(kernel: KernelFacts, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """One finding for the kernel, at the first of its parameters."""
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
    found = [
        one
        for loop in walk(function.body)
        if isinstance(loop, s.Loop) and _unrolls(loop)
        if (one := _look(loop, set(readable), sources, made, kernel, context)) is not None
    ]
    if found:
        yield _finding(found, readable, kernel, context)


def _unrolls(loop: s.Loop) -> bool:
    """Whether the compiler may put several iterations side by side: a constant step, nothing that waits."""
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
    kept = {number: found for number, found in loads.items() if number in stored}
    return _Loop(loop, kept, stored) if kept else None


def _finding(
    found: list[_Loop], readable: dict[int, e.Variable], kernel: KernelFacts, context: Context
) -> Finding:
    chosen = [p for number, p in readable.items() if any(number in one.loads for one in found)]
    first = next(one for one in found if chosen[0].id in one.loads)
    count = len({load.span for one in found for loads in one.loads.values() for load in loads})
    names = ", ".join(f"`{p.name}`" for p in chosen)
    line = first.loop.span.line
    edits = tuple(edit for p in chosen if (edit := _edit(p, context)) is not None)
    stored = first.stored[chosen[0].id]
    return RULE.finding(
        chosen[0].span,
        f"{names}: only read, but without `__restrict__` {count} load{'s' if count > 1 else ''} in a loop"
        " must wait for the stores of the iteration before",
        notes=(
            f"in the loop at line {line} the compiler has to expect that `{render(stored)}` changes them",
        ),
        help="declare what is only read `const` and `__restrict__`, if no launch passes overlapping memory",
        kernel=kernel.name,
        evidence={"parameters": len(chosen), "loads": count, "loop": line},
        related=(
            Related(first.loads[chosen[0].id][0].span, "loaded here"),
            Related(stored.span, "stored here"),
        ),
        fix=Fix(edits, safe=False) if len(edits) == len(chosen) else None,
    )


def _edit(parameter: e.Variable, context: Context) -> Edit | None:
    """`__restrict__` before the parameter's name, where its declaration is plain and points to const."""
    span = parameter.span
    match = _DECLARATION.fullmatch(context.text(span)) if span.line == span.end_line else None
    if match is None or match[1] != parameter.name:
        return None
    if not isinstance(parameter.type, Pointer) or not parameter.type.const:
        return None
    column = span.column + match.start(1)
    return Edit(Span(span.path, span.line, column, span.line, column), "__restrict__ ")
