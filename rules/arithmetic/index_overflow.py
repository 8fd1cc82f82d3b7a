"""
## What it does
Finds 32-bit arithmetic of an index or a size whose result 32 bits do not hold: in a kernel for the grid and
the arguments of a launch, in host code for the numbers that the program states. A note says where a product
of sizes in host code is not far from that.

## Why it costs
The result wraps: an `int` beyond 2,147,483,647 becomes negative, and the kernel accesses memory far outside
the array, or the wrong elements of it. An allocation or a grid of a wrapped size is too small. Small inputs
work, so tests pass. Converting the result to `size_t` is too late: one operand must be converted.

## Example
```cuda
__global__ void fill(float *out, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    if (col < n) out[row * n + col] = 1.0f;  // 65,535 * 65,536 exceeds an int
}
fill<<<dim3(65536 / 256, 65536), 256>>>(out, 65536);
```

## Instead
```cuda
    if (col < n) out[size_t(row) * n + col] = 1.0f;
```

## Limits
- Where the command line decides a size, the program is judged as it is run (by the Makefile, else without
  words): a warning. So it is where loaded data or an unknown number decides whether the thread comes there.
- Unknown sizes: only products that the kernel or its launch also computes in 64 bits, a warning with its
  condition. Bytes of an allocation or a copy in 32 bits are a note.
- In host code, products of sizes are a warning beyond 32 bits, a note from a quarter on; silent where a
  comparison, an assertion, `min` or `%` bounds a size.
- Silent for unsigned sums and differences, and where `%` or `&` bounds the result.

## Source
C++ standard, [expr.pre] (signed overflow is undefined) and [basic.fundamental] (unsigned arithmetic is modulo
2^n).
"""

from collections.abc import Iterable, Iterator

from cudalint.analyses.definitions import same
from cudalint.analyses.index_arithmetic import of_sizes
from cudalint.analyses.wide_products import NarrowProduct, widened_at_launch, widened_in_kernel
from cudalint.host.facts import HostFacts, LaunchFact
from cudalint.host.query.narrow_sizes import NarrowSize, narrow_sizes
from cudalint.host.query.tight_products import TightProduct, tight_products
from cudalint.host.walks import holds, run_of
from cudalint.ir import expressions as e
from cudalint.ir.render import render
from cudalint.ir.types import Scalar
from cudalint.ir.unit import Function
from cudalint.rule.findings import Finding, Related
from cudalint.rule.related import repeated
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import on_shape
from cudalint.settings.severity import Severity
from cudalint.simt.facts.index_overflows import IndexOverflow
from cudalint.source.span import Span

RULE = Rule(
    code="CU613",
    name="index-overflow",
    severity=Severity.ERROR,
    summary="32-bit arithmetic of an index or a size overflows",
)

_MOST = (1 << 31) - 1


def check(host: HostFacts, overflows: tuple[IndexOverflow, ...], context: Context) -> Iterator[Finding]:
    """One finding for each expression that overflows in a kernel, and for each in host code."""
    seen: dict[tuple[str, str], list[IndexOverflow | NarrowProduct]] = {}
    for one in overflows:
        seen.setdefault((one.kernel, _what(one.node)), []).append(one)
    for product, kernel in _widened(host, context):
        seen.setdefault((kernel.name, _what(product.node)), []).append(product)
    places: set[tuple[str, int]] = set()
    for (name, _), found in seen.items():
        new = [one for one in found if (one.span.path, one.span.line) not in places]
        new = [one for one in new if one.span.path in context.lines]
        places |= {(one.span.path, one.span.line) for one in new}
        if new:
            first, *rest = sorted(new, key=lambda one: (one.span.line, one.span.column))
            again = repeated([one for one in rest if one.span != first.span], "same pattern")
            yield (
                _in_kernel(first, again, run_of(host))
                if isinstance(first, IndexOverflow)
                else _widened_elsewhere(first, name, again)
            )
    yield from _in_host_code(host, context)
    bytes_ = [one for one in narrow_sizes(host, context.unit) if one.node.span.path in context.lines]
    yield from (_narrow_size(size, context) for size in bytes_)
    for tight in tight_products(host, context.unit):
        span = tight.fact.span
        if span.path in context.lines and not any(holds(one.node.span, span) for one in bytes_):
            yield _tight(tight, places, context)


def _widened(host: HostFacts, context: Context) -> Iterator[tuple[NarrowProduct, Function]]:
    """Products that the kernel itself computes in 64 bits, too, or the code that launches it."""
    for kernel in context.kernels:
        sized = [one for one in host.launches if one.key == kernel.function.key]
        if any(_is_sized(one) for one in sized):
            continue
        for product in widened_in_kernel(context.unit, kernel.function):
            yield product, kernel.function
        for one in sized:
            caller = context.unit.functions.get(one.function)
            if caller is not None:
                for product in widened_at_launch(context.unit, kernel.function, caller, one.expression):
                    yield product, kernel.function


def _is_sized(launch: LaunchFact) -> bool:
    """Whether all its numbers are known: what overflows then is seen when the kernel is run."""
    given = launch.arguments or ()
    return None not in launch.grid and all(
        one.value is not None or one.buffer is not None or one.among for one in given
    )


def _widened_elsewhere(product: NarrowProduct, kernel: str, again: tuple[Related, ...]) -> Finding:
    text, wide = render(product.node), render(product.wide)
    condition = f"{text} > {_MOST:,}"
    return RULE.finding(
        product.node.span,
        f"index overflow: `{text}` is computed in 32 bits",
        notes=(f"line {product.wide.span.line} computes the same product in 64 bits: `{wide}`",),
        help=_help(product.node),
        kernel=kernel,
        related=again,
        evidence={"wide": product.wide.span.line},
        severity=Severity.WARNING,
        condition=condition,
    )


def _in_kernel(one: IndexOverflow, again: tuple[Related, ...], run: str) -> Finding:
    """run: whose sizes decide, where they are of one run only."""
    note = f"thread {one.thread} of block {one.thread.block} computes {one.value:,}"
    return RULE.finding(
        one.node.span,
        f"index overflow: {_what(one.node)}",
        notes=(
            note if one.sure else f"{note} where it comes here",
            *((f"sizes of {run}",) if one.default else ()),
        ),
        help=_help(one.node),
        kernel=one.kernel,
        related=again,
        evidence={"value": one.value},
        severity=None if one.sure and not one.default else Severity.WARNING,
        standing=on_shape(one.configuration, sure=not one.default),
    )


def _in_host_code(host: HostFacts, context: Context) -> Iterator[Finding]:
    found = {id(one.node): one for one in host.overflows if one.span.path in context.lines}
    if not found:
        return
    told = set()
    for key in host.functions:
        function = context.unit.functions.get(key)
        if function is None:
            continue
        feeding = of_sizes(context.unit, function)
        for number in feeding.first(found.keys() & feeding.nodes.keys()):
            one = found[number]
            if one.span not in told:
                told.add(one.span)
                yield RULE.finding(
                    one.span,
                    f"size overflow: {_what(one.node)}",
                    notes=(f"the result is {one.value:,}",),
                    help=_help(one.node),
                    evidence={"value": one.value},
                )


def _narrow_size(size: NarrowSize, context: Context) -> Finding:
    """Of bytes that are computed in 32 bits, whatever the sizes are."""
    node = size.node.operand if isinstance(size.node, e.Cast) else size.node
    kind = size.node.type.name if isinstance(size.node.type, Scalar) else "int"
    most = _MOST if isinstance(size.node.type, Scalar) and size.node.type.kind == "signed" else 2 * _MOST + 1
    text = " ".join(context.text(node.span).split()) or render(node)
    return RULE.finding(
        size.node.span,
        f"size overflow: the bytes `{text}` are kept in `{kind}`",
        notes=(f"a buffer of {(most + 1) >> 30} GiB and more gets another size",),
        help="keep numbers of bytes in `size_t`",
        related=(Related(size.call.span, f"bytes of this {size.call.name}"),),
        evidence={"value": most + 1},
        severity=Severity.NOTE,
        condition=f"{text} > {most:,}",
    )


def _tight(product: TightProduct, told: set[tuple[str, int]], context: Context) -> Finding:
    """Of a size that the run makes: it is no longer the right one if that becomes a little larger. told:
    lines of other findings.
    """
    fact, most = product.fact, product.most
    kind = fact.node.type.name if isinstance(fact.node.type, Scalar) else "int"
    text = " ".join(context.text(fact.span).split()) or render(fact.node)
    indices = [span for span in product.indices if (span.path, span.line) not in told]
    run = f"the run in {fact.run}" if fact.run else "a run without words on the command line"
    return RULE.finding(
        fact.span,
        f"size overflow: `{text}` {'exceeds' if product.exceeds else 'comes near the limit of'} `{kind}`",
        notes=(f"{fact.value:,} in {run}, and `{kind}` holds {most:,}",),
        help=_help(fact.node),
        related=(*_again(product.again, "same size"), *_again(indices, "index of that size")),
        evidence={"value": fact.value},
        severity=Severity.WARNING if product.exceeds else Severity.NOTE,
        condition=None if product.exceeds else _beyond(product, text),
    )


def _again(spans: Iterable[Span], message: str) -> tuple[Related, ...]:
    return tuple(Related(span, message, same=True) for span in spans)


def _beyond(product: TightProduct, text: str) -> str:
    """When it overflows: of a power, beyond which number."""
    first, *rest = product.factors
    if not all(same(first, one) for one in rest):
        return f"{text} > {product.most:,}"
    root = int(product.most ** (1 / len(product.factors)) + 1e-6)
    return f"{render(first)} > {root:,}"


def _what(node: e.Expression) -> str:
    kind = node.type.name if isinstance(node.type, Scalar) else "int"
    if isinstance(node, e.Cast):
        return f"`{render(node.operand)}` does not fit `{kind}`"
    return f"`{render(node)}` exceeds `{kind}`"


def _help(node: e.Expression) -> str:
    match node:
        case e.Cast():
            return "keep the index in 64 bits: `size_t` or `long long`"
        case e.Binary(left=left):
            first = left.operand if isinstance(left, e.Cast) and left.implicit else left
            return f"convert an operand first: `size_t({render(first)}) {node.operator} ...`"
    return "use a 64-bit variable"
