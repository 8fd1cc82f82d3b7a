"""
## What it does
Finds costly values that every thread computes though they depend only on the kernel's arguments, on constants
and on the counter of a loop: the table of them is the same in all threads. Also values that depend on the
thread but not on the block, in a loop, those of an index with few values (`i % 8`), and loops in which all
threads of a block compute the same from memory that the kernel only reads, such as the mean of a row, or with
costly functions of what belongs to the block, such as the loss of a channel integrated over its width; calls
of the program's own costly functions whose arguments an outer loop does not change, or the block does not;
and an index that is put together again from the parts that divisions took another one apart into.

## Why it costs
The compiler cannot move a computation from the kernel to the host. `sincosf` takes 29 instructions on its
shortest way, `powf` 63, and in double they are two to four times as many, at half the rate or less. A loop
over 1,800 angles in each of a million threads computes the same 1,800 sines a million times; a load of a
ready one is one instruction, which all lanes of a warp share.

## Example
```cuda
for (int a = 0; a < angles; ++a) {
    float s, c;
    sincosf(a * step, &s, &c);  // the same in every thread
    sum += x * c + y * s;
}
```

## Instead
```cuda
__constant__ float2 direction[512];  // filled once by the host
for (int a = 0; a < angles; ++a)
    sum += x * direction[a].x + y * direction[a].y;
```
Pass a single value as an argument. A loop that all threads of a block run alike they can share: each takes
every blockDim.x-th element, a reduction follows. Where the host does not know the inputs, let a small kernel
fill the table, or let each block compute it once into shared memory.

## Limits
- Silent where the compiler folds the value, for intrinsics, for float functions under `-use_fast_math`, and
  under an equality (`if (threadIdx.x == 0)`), where few threads compute.
- Memory that a kernel only reads through a pointer is taken for the same in all threads that read it at one
  place; other loaded values are data.
- Loops without calls are reported if they count to an unknown number or from 32 on, and divide or load. A
  loop that fills an array of the thread must compute in floating point, and nothing else may write the array.
- Outside of loops the impact begins at 0. Instruction counts are those of the shortest way through each
  function.

## Source
000 section 11.1 (math functions); instruction counts by nvcc 13.0 for sm_90.
"""

from collections.abc import Iterator
from functools import partial

from msgspec import Struct

from cudalint.analyses.device_code import Body, DeviceCode
from cudalint.analyses.instructions import instructions_of
from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.launch_constants import kernels_of
from cudalint.analyses.launch_invariants import Source
from cudalint.analyses.recomposed import Recomposed, recomposed
from cudalint.analyses.repeated_calls import RepeatedCall, RepeatedCalls, cost_of_body, repeated_calls
from cudalint.analyses.repeated_values import Alike, RepeatedValue, cost_of, repeated_values
from cudalint.cuda.maths import floating
from cudalint.gpu.functions import Instructions
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.types import Pointer
from cudalint.ir.walk import Node, find, walk
from cudalint.rule.findings import Finding, Related
from cudalint.rule.related import repeated
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis
from cudalint.significance.saving import Idle, Saving
from cudalint.significance.statement_costs import statement_cost
from cudalint.source.span import Span

RULE = Rule(
    code="CU612",
    name="launch-invariant-computation",
    severity=Severity.WARNING,
    summary="a costly value that is the same in all threads is computed by each of them",
    guides=("000",),
    speed=True,
)

_DIVISION = 20  # instructions of one by a run-time number of 32 bits
_SPARED = 0.5, 0.95  # of what calls execute, that a table in their place saves
_LOADED = 2  # instructions of a load in its place
_ONE = (1, 1, 1)


class Site(Struct, frozen=True):
    """All such values of a function, those in the most loops first."""

    values: tuple[RepeatedValue, ...]

    @property
    def span(self) -> Span:
        return self.values[0].span


def check(code: DeviceCode, context: Context) -> Iterator[Finding]:
    """One finding per function, over all instantiations of its code."""
    for site, body in code.agreed(partial(_sites, code=code, context=context)):
        yield _finding(site, body, context)
    for calls, body in code.agreed(partial(repeated_calls, code=code)):
        if _is_repeated(calls.calls[0], body, context):
            yield _of_calls(calls, body, context)
    for same, body in code.agreed(recomposed):
        yield _same_index(same, body, context)


def _sites(body: Body, code: DeviceCode, context: Context) -> Iterator[Site]:
    found = [
        one
        for one in repeated_values(body, code)
        if not (context.fast_math and _is_float(one.node)) and _is_repeated(one, body, context)
    ]
    found.sort(key=lambda one: (-one.depth, -_cost(one).all, one.span.line, one.span.column))
    if found:
        yield Site(tuple(found))


def _is_repeated(value: RepeatedValue | RepeatedCall, body: Body, context: Context) -> bool:
    """Whether several threads compute it, or several blocks: not where every launch has but one."""
    keys = {kernel.key for kernel in kernels_of(context.unit, body.function)}
    shapes = [(launch.grid, launch.block) for launch in context.host.launches if launch.key in keys]
    if value.alike is Alike.WITHIN:
        return all(block != _ONE for _, block in shapes)
    alone = value.alike is Alike.BLOCKS
    return not shapes or any(grid != _ONE or (block != _ONE and not alone) for grid, block in shapes)


def _cost(value: RepeatedValue) -> Instructions:
    found = cost_of(value.node) if isinstance(value.node, e.Call) else None
    return found or Instructions(0)


def _saved(value: RepeatedValue) -> Iterator[tuple[Node, Instructions]]:
    if value.loop is None:
        cost = _cost(value)
        yield value.place, Instructions(max(0, cost.all - _LOADED), cost.double, cost.special)
        return
    for node in walk(value.loop.body):
        if isinstance(node, s.Statement):
            yield node, statement_cost(node)


def _finding(site: Site, body: Body, context: Context) -> Finding:
    first = site.values[0]
    saving = Saving(Basis.ISSUE, instructions=tuple(part for value in site.values for part in _saved(value)))
    impact = context.impact_of(saving)
    return RULE.finding(
        first.span,
        f"launch-invariant computation: {first.alike.value} {_what(first)}",
        notes=tuple(_notes(first)),
        help=_help(first),
        kernel=body.function.name,
        evidence={"values": len(site.values), "instructions": _cost(first).all},
        related=(
            *repeated(site.values[1:], lambda one: f"{_what(one)} likewise"),
            *(Related(call.span, "called here") for call in _calls(body, context)),
        ),
        impact=impact,
    )


def _of_calls(calls: RepeatedCalls, body: Body, context: Context) -> Finding:
    """Calls of a function of the program, whose results a table could hold."""
    first, *others = calls.calls
    held = (first.function.body,) if first.function.body is not None else ()
    least, most = _SPARED if calls.every else (0.0, _SPARED[1])
    saving = Saving(Basis.ISSUE, idle=tuple(Idle((one,), one, least, most) for one in held))
    return RULE.finding(
        first.span,
        f"launch-invariant computation: {_again(first)}",
        help="compute the table of its values once: on the host or in a small kernel where it is the same in"
        " all threads, else before the outer loop"
        if first.depth
        else "compute it once, on the host or in a kernel of one thread, and pass the result",
        kernel=body.function.name,
        evidence={"values": len(calls.calls), "instructions": cost_of_body(context.unit, first.function)},
        related=repeated(others, _again),
        impact=context.impact_of(saving),
    )


def _again(one: RepeatedCall) -> str:
    text = f"`{render(one.call)}`"
    if one.again is None:
        return f"{one.alike.value} {text}"
    return f"each iteration of the loop in line {one.again.span.line} computes {text} anew"


def _same_index(same: Recomposed, body: Body, context: Context) -> Finding:
    """An index that is put together again from its parts."""
    count, name = len(same.divisions), same.index.name
    costs = tuple((node, instructions_of(node) or Instructions(_DIVISION)) for node in same.divisions)
    impact = context.impact_of(Saving(Basis.ISSUE, instructions=costs))
    return RULE.finding(
        same.span,
        f"index computed anew: `{render(same.node)}` is `{name}` again",
        notes=(f"{count} division{'s are' if count > 1 else ' is'} needed for nothing else",),
        help=f"use `{name}`",
        kernel=body.function.name,
        evidence={"values": 1, "instructions": sum(cost.all for _, cost in costs)},
        related=repeated(same.divisions, lambda one: f"`{render(one)}`"),
        impact=impact,
    )


def _is_looped(value: RepeatedValue) -> bool:
    """Whether it is computed in each iteration of a loop, of the function or of what calls it."""
    return bool(value.depth or value.source & Source.LOOP)


def _reads(value: RepeatedValue) -> bool:
    """Whether its loop waits for memory; arrays among the arguments are at hand."""
    return value.loop is not None and any(
        isinstance(part.base.type, Pointer) for part in find(value.loop.body, e.Index)
    )


def _calls(body: Body, context: Context) -> list[e.Call]:
    """The calls of a function that is no kernel."""
    if body.function.kernel:
        return []
    return [
        node
        for kernel in kernels_of(context.unit, body.function)
        for function in reachable(context.unit, kernel)
        for node in find(function.body, e.Call)
        if node.key == body.function.key
    ]


def _what(value: RepeatedValue) -> str:
    if value.loop is None:
        return f"`{render(value.node)}`"
    target = value.node.target if isinstance(value.node, e.Assign) else value.node
    return f"the same `{render(target)}` in a loop of its own"


def _is_float(node: e.Expression) -> bool:
    """Whether it is a call of a function in single precision."""
    return isinstance(node, e.Call) and any(floating(part.type, 4) for part in node.arguments)


def _notes(value: RepeatedValue) -> Iterator[str]:
    if value.loop is None:
        cost = f"{_cost(value).all} instructions or more"
        times = "in each iteration" if _is_looped(value) else "in each thread"
        yield f"{cost} {times}; {_made_of(value)}"
    else:
        yield _made_of(value)


def _made_of(value: RepeatedValue) -> str:
    """What it depends on, in words."""
    parts = {
        Source.ARGUMENT: "arguments of the launch",
        Source.BLOCK: "the block",
        Source.THREAD: "the thread of the block",
        Source.FEW: "an index with few values",
        Source.LOOP: "the iteration",
    }
    named = [text for source, text in parts.items() if value.source & source]
    return f"it depends on {' and '.join(named)} only"


def _help(value: RepeatedValue) -> str:
    if value.alike is Alike.WITHIN:
        return "share the loop among the threads: each takes every blockDim.x-th element, then reduce"
    if value.alike is Alike.THREADS and not value.source & Source.LOOP:
        return "compute it once, on the host or in a kernel of one thread, and pass the result"
    where = "`__constant__` or shared memory" if value.alike is Alike.THREADS else "global or shared memory"
    return f"compute the table of its values once, on the host or in a small kernel, and read it from {where}"
