"""
## What it does
Finds loops of device code with a 32-bit unsigned counter that is combined with another run-time value in a
subscript.

## Why it costs
Unsigned arithmetic wraps at 32 bits by definition, so `offset + i` has to be recomputed and widened to 64
bits for each address. Signed overflow is undefined, so the compiler may keep one 64-bit address, increment it
and unroll further. nvcc 13.0 for sm_90 takes 5.0 instructions per load of `in[offset + i]` with an unsigned
`i` and 2.4 with a signed one, 4.3 and 3.3 for `in[i * stride]`.

## Example
```cuda
for (unsigned i = 0; i < n; ++i)
    sum += in[offset + stride * i];
```

## Instead
```cuda
for (int i = 0; i < n; ++i)
    sum += in[offset + stride * i];
```
The other operands of the subscript have to be signed too.

## Limits
- Opt-in: it matters only in loops bound by instruction issue, not by memory.
- Not reported for `in[i]` and for constant offsets and factors: nvcc generates similar code for both.
- Not reported for constant trip counts, 64-bit counters, and shared and local arrays (32-bit addresses).
- Not reported for `--arch` sm_100 and up, where nvcc unrolls both loops by 16 and the difference is small.

## Source
000 section 11.1 (signed loop counters); instruction counts by nvcc 13.0.88.
"""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.analyses.device_code import Body, DeviceCode
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.types import UINT, Pointer
from cudalint.ir.walk import find
from cudalint.rule.findings import Finding
from cudalint.rule.related import elsewhere
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.source.span import Span

RULE = Rule(
    code="CU604",
    name="unsigned-loop-counter",
    severity=Severity.NOTE,
    summary="an unsigned loop counter in subscript arithmetic",
    default=False,
    guides=("000",),
)


_UNROLLED_ALIKE = 100  # from here on nvcc unrolls both loops by 16


class Site(Struct, frozen=True):
    """A loop counter and the subscripts that use it in their arithmetic."""

    counter: e.Variable
    span: Span
    subscripts: tuple[e.Index, ...]


def check(code: DeviceCode, context: Context) -> Iterator[Finding]:
    """One finding per loop, over all instantiations of its code."""
    if context.arch >= _UNROLLED_ALIKE:
        return
    for site, body in code.agreed(_sites):
        first, count = site.subscripts[0], len(site.subscripts)
        yield RULE.finding(
            site.span,
            f"unsigned loop counter: loading `{render(first)}` takes 4 to 5 instructions, 2 to 3 with"
            f" a signed `{site.counter.name}`",
            notes=(
                "unsigned arithmetic wraps at 32 bits, so each address is recomputed (counted for sm_90)",
            ),
            help=f"make `{site.counter.name}` and the other operands of the subscript int",
            kernel=body.function.name,
            evidence={"subscripts": count},
            related=elsewhere(site.subscripts[1:], lambda node: f"`{render(node)}`"),
        )


def _sites(body: Body) -> Iterator[Site]:
    for loop in body.of(s.Loop):
        counter = _counter(loop)
        if counter is None or _unrolled(loop, body):
            continue
        found = tuple(
            node
            for node in body.of(e.Index)
            if next(body.loops(node), None) is loop and _in_arithmetic(node, counter, body)
        )
        if found:
            yield Site(counter, loop.span, found)


def _counter(loop: s.Loop) -> e.Variable | None:
    """The unsigned variable that the loop steps."""
    step = loop.step
    if isinstance(step, e.Assign) and step.operator in ("+", "-") and step.target.type == UINT:
        return step.target.variable if isinstance(step.target, e.VariableReference) else None
    return None


def _unrolled(loop: s.Loop, body: Body) -> bool:
    """Whether the loop bound is a constant, so that the compiler may unroll it completely."""
    condition = loop.condition
    if not isinstance(condition, e.Binary):
        return False
    return any(body.constant(side) is not None for side in (condition.left, condition.right))


def _in_arithmetic(node: e.Index, counter: e.Variable, body: Body) -> bool:
    """Whether the subscript of a pointer combines the counter with another run-time value."""
    if not isinstance(node.base.type, Pointer):
        return False
    for part in find(node.index, e.Binary):
        if part.operator in ("+", "-", "*") and part.type == UINT:
            for one, other in ((part.left, part.right), (part.right, part.left)):
                if _holds(one, counter) and not _holds(other, counter) and body.constant(other) is None:
                    return True
    return False


def _holds(node: e.Expression, counter: e.Variable) -> bool:
    return any(n.variable == counter for n in find(node, e.VariableReference))
