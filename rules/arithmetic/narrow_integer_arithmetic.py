"""
## What it does
Finds loops of device code that sum products of bytes and load each byte separately.

## Why it costs
Since compute capability 6.1 `__dp4a` multiplies four pairs of bytes and adds the products to an int in one
instruction. nvcc 13.0 forms it from four iterations by itself, but still loads the bytes one by one: for
sm_90, eight loads and six packing instructions precede each `__dp4a`, where two 4-byte loads would do.

Older guides also advise against sums and counters of type `char` or `short`. nvcc 13.0 compiles them like an
`int`, with at most one more instruction per iteration, so they are not reported.

## Example
```cuda
for (int k = 0; k < n; ++k)
    sum += a[k] * b[k];  // signed char a[], b[]
```

## Instead
```cuda
for (int k = 0; k < n / 4; ++k)
    sum = __dp4a(a4[k], b4[k], sum);  // int a4[], b4[]: four bytes each
```

## Limits
- Opt-in: the data must be 4-byte aligned, which the source rarely shows.
- Not reported outside loops or for `--arch` below sm_61.
- Not reported where the loop counter is multiplied in the subscript: the bytes are not contiguous.

## Source
000 section 11.1 (type conversion); 004 'Instruction throughput'; instruction counts by nvcc 13.0.88.
"""

from collections.abc import Iterator

from cudalint.analyses.device_code import Body, DeviceCode
from cudalint.cuda.maths import whole
from cudalint.ir.expressions import Assign, Binary, Cast, Dereference, Expression, Index, VariableReference
from cudalint.ir.render import render
from cudalint.ir.statements import Loop
from cudalint.ir.walk import find
from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity

RULE = Rule(
    code="CU609",
    name="narrow-integer-arithmetic",
    severity=Severity.NOTE,
    summary="a byte dot product loads one byte at a time where `__dp4a` takes four",
    default=False,
    guides=("000", "004"),
)

_DOT_PRODUCT_ARCH = 61


def check(code: DeviceCode, context: Context) -> Iterator[Finding]:
    """One finding per sum, over all instantiations of its code."""
    if context.arch < _DOT_PRODUCT_ARCH:
        return
    for update, body in code.agreed(_sums):
        yield RULE.finding(
            update.span,
            f"byte products: `{render(update)}` loads one byte at a time",
            notes=(
                "nvcc forms `__dp4a` from four iterations, but loads and packs their eight bytes one by one",
            ),
            help="load four bytes as one int and call `__dp4a`",
            kernel=body.function.name,
            evidence={"products": 4, "bytes": 1},
        )


def _sums(body: Body) -> Iterator[Assign]:
    for update in body.of(Assign):
        loop = next(body.loops(update), None)
        if loop is None or update.operator != "+" or not isinstance(update.target, VariableReference):
            continue
        if whole(update.target.type) and _product(update.value, loop):
            yield update


def _product(node: Expression, loop: Loop) -> bool:
    """Whether it is the product of two bytes that are contiguous across iterations."""
    while isinstance(node, Cast):
        node = node.operand
    if not isinstance(node, Binary) or node.operator != "*":
        return False
    return all(_byte(side) and not _strided(side, loop) for side in (node.left, node.right))


def _byte(node: Expression) -> bool:
    while isinstance(node, Cast):
        node = node.operand
    return isinstance(node, Index | Dereference) and whole(node.type) and node.type.bytes == 1


def _strided(node: Expression, loop: Loop) -> bool:
    """Whether the address multiplies the loop counter, so that iterations are not contiguous."""
    step = loop.step
    counter = step.target if isinstance(step, Assign) else None
    if not isinstance(counter, VariableReference):
        return False
    products = [part for part in find(node, Binary) if part.operator in ("*", "<<")]
    names = [n for part in products for n in find(part, VariableReference)]
    return any(name.variable == counter.variable for name in names)
