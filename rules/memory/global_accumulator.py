"""
## What it does
Finds updates of one element of global memory in a loop, `a[i] += x` or `a[i] = a[i] * x`, whose index does
not change in the loop, where the compiler cannot move the store out of the loop.

## Why it costs
A sum in a register is written to memory once, after the loop. The compiler turns an update in memory into
that only where nothing else in the loop may access the element and every iteration makes the update. A load
through another pointer may alias it, unless one of the two is `__restrict__` (different element types do not
help). So each iteration stores the element, and the loads of the next iteration wait for that store. On an
H200 a loop of 64 iterations that adds up the rows of a matrix takes .251 ms this way, and .136 ms with a
register or with `__restrict__` on either pointer: 1.85 times as long.

## Example
```cuda
for (int j = 0; j < rows; j++)
    sum[i] += in[j * columns + i];
```

## Instead
```cuda
float total = sum[i];
for (int j = 0; j < rows; j++)
    total += in[j * columns + i];
sum[i] = total;
```

## Limits
- Silent where the compiler keeps the element in a register: no aliasing access, no condition around the
  update, and no function that makes it through a pointer of a struct (`sink.add(row, x)`, `view[row] += x`).
- Silent under an equality (`if (kind[j] == WALL)`), which few iterations may satisfy.
- L2 may take the stores while other warps work: the impact begins at 0.
- Silent where a register could change the result: volatile memory, atomics, barriers, fences, inline assembly
  or calls with a result that write memory in the loop, other elements of the array, a launch that passes one
  buffer for both pointers.
- Silent for an index that is loaded or may change in the loop.

## Source
002 'Global Memory' (keep what is used again in registers); the PTX that nvcc 13.0 generates for 24 such
loops, and timings on an H200.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from cudalint.analyses.updates import Update, updates
from cudalint.host.aliases import one_buffer
from cudalint.ir.render import render
from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import on_access
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis, Impact
from cudalint.significance.saving import Removed, Saving
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.trips import one_count

RULE = Rule(
    code="CU108",
    name="global-accumulator",
    severity=Severity.WARNING,
    summary="a loop stores to the same element of global memory in every iteration",
    guides=("002",),
    speed=True,
)


def check(
    kernel: KernelFacts, accesses: tuple[Access, ...], branches: tuple[Branch, ...], context: Context
) -> Iterator[Finding]:
    """One finding for each element and loop."""
    stores = {
        access.span: access
        for access in accesses
        if access.operation == "store" and access.space == "global" and access.layout.step_stride == 0
    }
    if not stores:
        return
    seen: set[tuple[str, int]] = set()
    for update in updates(context.unit, kernel.function):
        access = stores.get(update.assign.target.span)
        if access is None or access.element.volatile or access.span.path not in context.lines:
            continue
        key = render(update.assign.target), update.loop.span.line
        trips = one_count(branches, update.loop)
        partners = update.partners
        if key in seen:
            continue
        if partners is not None and one_buffer(kernel.function, partners, context.host):
            continue
        seen.add(key)
        spared = 1 - 1 / trips if trips else 1.0  # of the stores, and of the loads before them
        made = (one for one in kernel.accesses if one.span == access.span)
        removed = tuple(Removed(one, spared) for one in made if one is access or not update.called)
        impact = context.impact(Saving(Basis.SECTORS, removed=removed), kernel)
        yield _finding(access, update, kernel.name, replace(impact, low=0.0))


def _finding(access: Access, update: Update, kernel: str, impact: Impact) -> Finding:
    target, line = render(update.assign.target), update.loop.span.line
    why = _why(update)
    because = "call" if update.called else "alias" if update.other is not None else "condition"
    when = "repeatedly in" if update.under else "in each iteration of"
    return RULE.finding(
        update.assign.span,
        f"`{target}` is stored to global memory {when} the loop at line {line}, always at the same address",
        notes=(why,),
        help=f"accumulate in a register, store to `{target}` once after the loop",
        kernel=kernel,
        evidence={
            "stride": 0,
            "bytes": access.bytes,
            "loop": line,
            "because": because,
        },
        impact=impact,
        standing=on_access(access),
    )


def _why(update: Update) -> str:
    if update.called:
        return "the compiler keeps it in the loop: a function makes it through a pointer of a struct"
    if update.other is not None:
        return f"the compiler keeps the store in the loop: `{render(update.other)}` may alias it"
    return "the compiler keeps the store in the loop: it is conditional"
