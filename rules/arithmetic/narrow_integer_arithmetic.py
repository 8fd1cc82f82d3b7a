"""
## What it does
Finds arithmetic on 8- and 16-bit integers in loops of device code: sums and counters that are kept in a
`char` or `short`, and sums of products of bytes.

## Why it costs
The hardware computes in 32 bits, so a narrow variable has to be cut to its width after each update. Of a
`short` sum or counter nvcc 13.0 for sm_90 makes one instruction more a round than of an `int`; of `unsigned
char` it often makes none, as the cut is folded into another one. So the advice of the older guides is worth
little.

What is worth something today: since compute capability 6.1 `__dp4a` multiplies four bytes by four and adds
the products to an int in one instruction, where four loads, four products and four conversions stand now.

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
Keep sums and counters in an `int`, and narrow them when they are stored.

## Limits
Opt-in. Silent outside loops, for elements of arrays that are stored narrow, and for bit operations. Of
products it speaks only for `--arch` 61 and up.

## Source
000 section 11.1 (type conversion); 004 'Instruction throughput'; instruction counts by nvcc 13.0.88.
"""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.findings import Finding, Severity
from cudalint.ir.device import Body, DeviceCode
from cudalint.ir.expressions import Assign, Binary, Cast, Dereference, Expression, Index, VariableReference
from cudalint.ir.maths import whole
from cudalint.ir.render import render, type_name
from cudalint.ir.source import Span
from cudalint.ir.walk import walk
from cudalint.rule import Context, Rule

RULE = Rule(
    code="CU609",
    name="narrow-integer-arithmetic",
    severity=Severity.NOTE,
    summary="a loop computes in char or short, or sums products of bytes",
    default=False,
    guides=("000", "004"),
)

_ARITHMETIC = ("+", "-", "*")
_DOT_PRODUCT_ARCH = 61


class Site(Struct, frozen=True):
    """An update in a loop. product: it adds a product of two bytes."""

    update: Assign
    product: bool

    @property
    def span(self) -> Span:
        return self.update.span


def check(code: DeviceCode, context: Context) -> Iterator[Finding]:
    """One finding for each update, over all instantiations of the code it stands in."""
    for site, body in code.agreed(_sites):
        if site.product and context.arch < _DOT_PRODUCT_ARCH:
            continue
        yield _finding(site, body.function.name)


def _sites(body: Body) -> Iterator[Site]:
    for update in body.of(Assign):
        if not isinstance(update.target, VariableReference) or not any(body.loops(update)):
            continue
        if _narrow(update):
            yield Site(update, False)
        elif update.operator == "+" and whole(update.target.type) and _product(update.value):
            yield Site(update, True)


def _narrow(update: Assign) -> bool:
    """Whether a narrow variable is computed from itself."""
    target = update.target
    if not isinstance(target, VariableReference) or not whole(target.type) or not _small(target):
        return False
    if update.operator is not None:
        return update.operator in _ARITHMETIC
    value = update.value.operand if isinstance(update.value, Cast) else update.value
    again = any(isinstance(n, VariableReference) and n.variable == target.variable for n in walk(value))
    return isinstance(value, Binary) and value.operator in _ARITHMETIC and again


def _small(node: Expression) -> bool:
    return node.type.bytes in (1, 2) and type_name(node.type) != "bool"


def _product(node: Expression) -> bool:
    """Whether the number is the product of two bytes out of memory."""
    while isinstance(node, Cast):
        node = node.operand
    return isinstance(node, Binary) and node.operator == "*" and _byte(node.left) and _byte(node.right)


def _byte(node: Expression) -> bool:
    while isinstance(node, Cast):
        node = node.operand
    return isinstance(node, Index | Dereference) and whole(node.type) and node.type.bytes == 1


def _finding(site: Site, kernel: str) -> Finding:
    text = render(site.update)
    if site.product:
        return RULE.finding(
            site.update.span,
            f"products of bytes one by one: `{text}`; `__dp4a` adds 4 products in one instruction",
            notes=("four loads of bytes become one of 32 bits as well",),
            help="load four bytes as an int and call `__dp4a`",
            kernel=kernel,
            evidence={"products": 4, "bytes": 1},
        )
    name = type_name(site.update.target.type)
    return RULE.finding(
        site.update.span,
        f"narrow arithmetic: `{text}` in {name} takes up to 1 instruction more a round than in int",
        notes=("the hardware computes in 32 bits and cuts the result to its width each time",),
        help="keep it in an int, and narrow it when it is stored",
        kernel=kernel,
        evidence={"instructions": 1, "bytes": site.update.target.type.bytes},
    )
