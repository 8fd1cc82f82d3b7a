"""
## What it does
Finds `__mul24` and `__umul24` in device code.

## Why it costs
On devices of compute capability 1.x a product of 24 bits was one instruction and one of 32 bits was four.
Since 2.0 it is the other way round: the hardware multiplies 32 bits, and 24 have to be cut out of each
operand first. For sm_90 nvcc 13.0 makes 5 instructions of `__mul24(a, b)`, 3 of `__umul24(a, b)` and 1 of
`a * b`, which takes an addition along: the index below is 4 instructions longer than without. Where one
factor is a constant, or known to fit (a `short`, a mask, sums of such), only the other is cut out: 3
instructions, 2 without a sign.

## Example
```cuda
int i = __mul24(blockIdx.x, blockDim.x) + threadIdx.x;
```

## Instead
```cuda
int i = blockIdx.x * blockDim.x + threadIdx.x;
```

## Limits
One finding for each file, at its first call that costs more than `*`; the others stand with it, and the
number is that of the first. Silent for a product of two constants, which is folded, for one whose factors are
known to fit, for one of which only 24 bits are needed (by a further `__mul24`, a mask, a `short`), since nvcc
then cuts nothing out, and for `--arch` below 20. The fix is unsafe: where an operand is beyond 24 bits the
result changes, to the product. There is none for a call that a macro writes: mend the macro.

## Source
004 'Instruction throughput: integer multiplication'; CUDA C++ Programming Guide, integer intrinsics;
instruction counts by nvcc 13.0.88.
"""

from collections.abc import Iterator

from cudalint.analyses.device_code import Body, DeviceCode
from cudalint.analyses.low_bits import bounds, needed
from cudalint.cuda.maths import whole
from cudalint.fixing import call_text
from cudalint.ir.expressions import Call, Cast, Expression
from cudalint.ir.render import render
from cudalint.ir.types import INT, UINT, Type
from cudalint.rule.findings import Edit, Finding, Fix, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.source.span import Span

RULE = Rule(
    code="CU611",
    name="mul24",
    severity=Severity.NOTE,
    summary="a 24-bit multiplication, which is slower than one of 32 bits since compute capability 2.0",
    fixes=("unsafe",),
    guides=("004",),
)

_NAMES = frozenset(("__mul24", "__umul24", "mul24", "umul24"))
_FIRST_ARCH = 20
_BITS = 24
_WHOLE = 1 << _BITS
# Instructions that cut a factor to 24 bits, unsigned or not, by nvcc 13.0 for sm_90.
_CUT = {True: 1, False: 2}
_MOST_RELATED = 8


def check(code: DeviceCode, context: Context) -> Iterator[Finding]:
    """One finding for each file with such calls."""
    if context.arch < _FIRST_ARCH:
        return
    files: dict[str, dict[Span, tuple[Call, Body]]] = {}
    for body in code.bodies:
        for call in body.of(Call):
            if _run_time(call, body) and any(_cut(call, body, code)):
                files.setdefault(call.span.path, {}).setdefault(call.span, (call, body))
    for found in files.values():
        calls = sorted(found.values(), key=lambda one: (one[0].span.line, one[0].span.column))
        first = next((at for at, (call, body) in enumerate(calls) if _whole_result(call, body)), None)
        if first is not None:
            ordered = (calls[first], *calls[:first], *calls[first + 1 :])
            yield _finding(ordered[0][1], tuple(call for call, _ in ordered), context, code)


def _run_time(call: Call, body: Body) -> bool:
    """Whether the call multiplies: a power of two is a shift, with `*` as well."""
    if call.name not in _NAMES or all(body.constant(argument) is not None for argument in call.arguments):
        return False
    return not any(factor > 0 and int(factor).bit_count() == 1 for factor in _factors(call, body))


def _factors(call: Call, body: Body) -> list[float]:
    """The constants that are multiplied."""
    return [held for argument in call.arguments if (held := body.constant(argument)) is not None]


def _cut(call: Call, body: Body, code: DeviceCode) -> Iterator[Expression]:
    """The factors of which 24 bits have to be cut out, the same one once."""
    least, most = (0, _WHOLE - 1) if call.type == UINT else (-_WHOLE // 2, _WHOLE // 2 - 1)
    for argument in {render(argument): argument for argument in call.arguments}.values():
        low, high = bounds(argument, body, code)
        if body.constant(argument) is None and (low < least or most < high):
            yield argument


def _whole_result(call: Call, body: Body) -> bool:
    """Whether more than 24 bits of the result are needed: these do not depend on what would be cut off."""
    return needed(call, body, _NAMES, _BITS)


def _cost(call: Call, body: Body, code: DeviceCode) -> int:
    """The instructions of one call."""
    return 1 + len(list(_cut(call, body, code))) * _CUT[call.type == UINT]


def _finding(body: Body, calls: tuple[Call, ...], context: Context, code: DeviceCode) -> Finding:
    first, more, cost = calls[0], len(calls) - 1, _cost(calls[0], body, code)
    notes = ["since compute capability 2.0 the hardware multiplies 32 bits; 24 have to be cut out first"]
    if more:
        notes.append(f"{more} more call{'s' if more > 1 else ''} in the file")
    return RULE.finding(
        first.span,
        f"24-bit multiplication: `{render(first)}` takes {cost} instructions, `*` takes 1",
        notes=tuple(notes),
        help="write `*`",
        kernel=body.function.name,
        evidence={"calls": len(calls), "instructions": cost},
        related=tuple(Related(call.span, "the same") for call in calls[1 : 1 + _MOST_RELATED]),
        fix=_fix(calls, context),
    )


def _fix(calls: tuple[Call, ...], context: Context) -> Fix | None:
    """Products in place of all calls, where each is written out and none stands in another."""
    edits: list[Edit] = []
    for call in calls:
        source = call_text.arguments(call, context)
        if source is None or not all(whole(argument.type) for argument in call.arguments):
            return None
        product = " * ".join(call_text.operand(text) for text in source[1])
        edits.append(Edit(call.span, f"{_cast(call)}({product})"))
    inside = any(_holds(a.span, b.span) for a in calls for b in calls if a is not b)
    return None if inside else Fix(tuple(edits), safe=False)


def _cast(call: Call) -> str:
    """What makes the product the type that the call has: nothing where it has it by itself."""
    types = [_given(argument).type for argument in call.arguments]
    if any(type.bytes > INT.bytes for type in types):
        found: Type | None = None
    else:
        found = UINT if any(type == UINT for type in types) else INT
    return "" if found == call.type else "(unsigned)" if call.type == UINT else "(int)"


def _given(node: Expression) -> Expression:
    """The argument before it was converted to the parameter's type."""
    return node.operand if isinstance(node, Cast) and node.implicit else node


def _holds(outer: Span, inner: Span) -> bool:
    begin, end = (outer.line, outer.column), (outer.end_line, outer.end_column)
    return begin <= (inner.line, inner.column) and (inner.end_line, inner.end_column) <= end
