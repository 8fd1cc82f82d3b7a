"""
## What it does
Finds sums of products of bytes in loops of device code that load each byte by itself.

## Why it costs
Since compute capability 6.1 `__dp4a` multiplies four bytes by four and adds the products to an int in one
instruction. nvcc 13.0 makes it of four rounds by itself, but the bytes come one by one: for sm_90 eight loads
and six instructions that pack them stand before each, where two loads of an int would do.

Older guides advise against sums and counters in a `char` or `short`. nvcc 13.0 makes the same of them as of
an `int`, or one instruction more a round, so nothing is said of them.

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
Opt-in: the bytes have to begin at a multiple of four. Silent outside loops, where the loop's counter is
multiplied in a subscript, as such bytes do not lie together, and below `--arch` 61.

## Source
000 section 11.1 (type conversion); 004 'Instruction throughput'; instruction counts by nvcc 13.0.88.
"""

from collections.abc import Iterator

from cudalint.analyses.device_code import Body, DeviceCode
from cudalint.cuda.maths import whole
from cudalint.ir.expressions import Assign, Binary, Cast, Dereference, Expression, Index, VariableReference
from cudalint.ir.render import render
from cudalint.ir.statements import Loop
from cudalint.ir.walk import walk
from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity

RULE = Rule(
    code="CU609",
    name="narrow-integer-arithmetic",
    severity=Severity.NOTE,
    summary="a loop loads byte by byte what `__dp4a` takes four of",
    default=False,
    guides=("000", "004"),
)

_DOT_PRODUCT_ARCH = 61


def check(code: DeviceCode, context: Context) -> Iterator[Finding]:
    """One finding for each sum, over all instantiations of the code it stands in."""
    if context.arch < _DOT_PRODUCT_ARCH:
        return
    for update, body in code.agreed(_sums):
        yield RULE.finding(
            update.span,
            f"products of bytes: `{render(update)}` loads them one by one",
            notes=("nvcc makes `__dp4a` of four such rounds, but packs eight loaded bytes for each",),
            help="load four bytes as an int and call `__dp4a`",
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
    """Whether the number is the product of two bytes, each followed in memory by that of the next round."""
    while isinstance(node, Cast):
        node = node.operand
    if not isinstance(node, Binary) or node.operator != "*":
        return False
    return all(_byte(side) and not _spread(side, loop) for side in (node.left, node.right))


def _byte(node: Expression) -> bool:
    while isinstance(node, Cast):
        node = node.operand
    return isinstance(node, Index | Dereference) and whole(node.type) and node.type.bytes == 1


def _spread(node: Expression, loop: Loop) -> bool:
    """Whether the loop's counter is multiplied on the way to the byte, which makes rounds lie apart."""
    step = loop.step
    counter = step.target if isinstance(step, Assign) else None
    if not isinstance(counter, VariableReference):
        return False
    products = [part for part in walk(node) if isinstance(part, Binary) and part.operator in ("*", "<<")]
    names = [n for part in products for n in walk(part) if isinstance(n, VariableReference)]
    return any(name.variable == counter.variable for name in names)
