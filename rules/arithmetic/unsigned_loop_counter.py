"""
## What it does
Finds loops of device code whose counter is a 32-bit unsigned number that is added to, or multiplied by,
another run-time number to make a subscript.

## Why it costs
Unsigned arithmetic wraps at 32 bits by the rules of the language, so `offset + i` has to be computed anew
and widened to 64 bits for each address. Signed arithmetic must not overflow, so the compiler may keep one
64-bit address and add to it, and unrolls further. nvcc 13.0 for sm_90 makes 5.0 instructions for each load of
`in[offset + i]` with an unsigned `i` and 2.4 with a signed one, and 4.3 against 3.3 for `in[i * stride]`.

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
The other numbers of the subscript have to be signed too.

## Limits
Opt-in: it matters only in loops that are short of instructions, not of memory. Silent for `in[i]` and for
constants beside the counter, of which nvcc makes about the same code either way (2.8 against 2.4, and 4.0 for
both), for loops that end at a constant, for 64-bit counters, for shared and local arrays, whose addresses
have 32 bits, and from compute capability 10.0 on, where nvcc unrolls both loops by 16 and the gap is small.

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
from cudalint.ir.walk import walk
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.source.span import Span

RULE = Rule(
    code="CU604",
    name="unsigned-loop-counter",
    severity=Severity.NOTE,
    summary="an unsigned loop counter in the arithmetic of a subscript",
    default=False,
    guides=("000",),
)


_UNROLLED_ALIKE = 100  # from here on nvcc unrolls both loops by 16


class Site(Struct, frozen=True):
    """A loop's counter and the subscripts that it is reckoned into."""

    counter: e.Variable
    span: Span
    subscripts: tuple[e.Index, ...]


def check(code: DeviceCode, context: Context) -> Iterator[Finding]:
    """One finding for each loop, over all instantiations of the code it stands in."""
    if context.arch >= _UNROLLED_ALIKE:
        return
    for site, body in code.agreed(_sites):
        first, count = site.subscripts[0], len(site.subscripts)
        yield RULE.finding(
            site.span,
            f"unsigned loop counter: with `{site.counter.name}` a load of `{render(first)}` takes 4 to 5"
            " instructions, signed 2 to 3",
            notes=("it wraps at 32 bits, so each address is computed anew; counted for sm_90",),
            help=f"make `{site.counter.name}`, and what is added to it, an int",
            kernel=body.function.name,
            evidence={"subscripts": count},
            related=tuple(Related(node.span, f"`{render(node)}`") for node in site.subscripts[1:]),
        )


def _sites(body: Body) -> Iterator[Site]:
    for loop in body.of(s.Loop):
        counter = _counter(loop)
        if counter is None or _unrolled(loop, body):
            continue
        found = tuple(
            node
            for node in body.of(e.Index)
            if next(body.loops(node), None) is loop and _reckoned(node, counter, body)
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
    """Whether the loop ends at a constant, so that the compiler may write its rounds out."""
    condition = loop.condition
    if not isinstance(condition, e.Binary):
        return False
    return any(body.constant(side) is not None for side in (condition.left, condition.right))


def _reckoned(node: e.Index, counter: e.Variable, body: Body) -> bool:
    """Whether the counter meets another run-time number in the subscript of a pointer."""
    if not isinstance(node.base.type, Pointer):
        return False
    for part in walk(node.index):
        if isinstance(part, e.Binary) and part.operator in ("+", "-", "*") and part.type == UINT:
            for one, other in ((part.left, part.right), (part.right, part.left)):
                if _holds(one, counter) and not _holds(other, counter) and body.constant(other) is None:
                    return True
    return False


def _holds(node: e.Expression, counter: e.Variable) -> bool:
    return any(isinstance(n, e.VariableReference) and n.variable == counter for n in walk(node))
