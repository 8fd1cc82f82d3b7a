"""
## What it does
Finds `__mul24` and `__umul24` in device code.

## Why it costs
On compute capability 1.x a 24-bit multiplication was one instruction and a 32-bit one was four. Since 2.0 the
hardware multiplies 32 bits, and `__mul24` first truncates each operand to 24 bits. For sm_90 nvcc 13.0
compiles `__mul24(a, b)` to 5 instructions, `__umul24(a, b)` to 3 and `a * b` to 1, which also fuses with an
addition: the index below takes 4 instructions more than with `*`. A factor that is constant or known to fit
(a `short`, a mask) is not truncated: 3 instructions, 2 unsigned.

## Example
```cuda
int i = __mul24(blockIdx.x, blockDim.x) + threadIdx.x;
```

## Instead
```cuda
int i = blockIdx.x * blockDim.x + threadIdx.x;
```
The fix is unsafe: it changes the result where an operand exceeds 24 bits.

## Limits
- One finding per file, at the first call that costs more than `*`; the number of instructions is that call's.
- Not reported for two constants, where both factors are known to fit in 24 bits, and where only 24 bits of
  the result are used (by another `__mul24`, a mask, a `short`).
- Not reported for `--arch` below sm_20.
- No fix for a call in a macro.

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
from cudalint.rule.findings import Edit, Finding, Fix
from cudalint.rule.related import repeated
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.source.span import Span

RULE = Rule(
    code="CU611",
    name="mul24",
    severity=Severity.NOTE,
    summary="24-bit multiplication, slower than 32-bit since compute capability 2.0",
    fixes=("unsafe",),
    guides=("004",),
)

_NAMES = frozenset(("__mul24", "__umul24", "mul24", "umul24"))
_FIRST_ARCH = 20
_BITS = 24
_WHOLE = 1 << _BITS
# Instructions that truncate a factor to 24 bits, by whether it is unsigned (nvcc 13.0, sm_90).
_TRUNCATION = {True: 1, False: 2}


def check(code: DeviceCode, context: Context) -> Iterator[Finding]:
    """One finding per file with such calls."""
    if context.arch < _FIRST_ARCH:
        return
    files: dict[str, dict[Span, tuple[Call, Body]]] = {}
    for body in code.bodies:
        for call in body.of(Call):
            if _run_time(call, body) and any(_truncated(call, body, code)):
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


def _truncated(call: Call, body: Body, code: DeviceCode) -> Iterator[Expression]:
    """The distinct factors that have to be truncated to 24 bits."""
    least, most = (0, _WHOLE - 1) if call.type == UINT else (-_WHOLE // 2, _WHOLE // 2 - 1)
    for argument in {render(argument): argument for argument in call.arguments}.values():
        low, high = bounds(argument, body, code)
        if body.constant(argument) is None and (low < least or most < high):
            yield argument


def _whole_result(call: Call, body: Body) -> bool:
    """Whether more than 24 bits of the result are used."""
    return needed(call, body, _NAMES, _BITS)


def _cost(call: Call, body: Body, code: DeviceCode) -> int:
    """The instructions of one call."""
    return 1 + len(list(_truncated(call, body, code))) * _TRUNCATION[call.type == UINT]


def _finding(body: Body, calls: tuple[Call, ...], context: Context, code: DeviceCode) -> Finding:
    first, more, cost = calls[0], len(calls) - 1, _cost(calls[0], body, code)
    notes = [
        "since compute capability 2.0 the hardware multiplies 32 bits; `__mul24` truncates its operands first"
    ]
    if more:
        notes.append(f"{more} more call{'s' if more > 1 else ''} in this file")
    return RULE.finding(
        first.span,
        f"24-bit multiplication: `{render(first)}` takes {cost} instructions, `*` takes 1",
        notes=tuple(notes),
        help="write `*`",
        kernel=body.function.name,
        evidence={"calls": len(calls), "instructions": cost},
        related=repeated(calls[1:], "24-bit multiplication"),
        fix=_fix(calls, context),
    )


def _fix(calls: tuple[Call, ...], context: Context) -> Fix | None:
    """`*` in place of all calls, if none comes from a macro and none is nested in another."""
    edits: list[Edit] = []
    for call in calls:
        source = call_text.arguments(call, context)
        if source is None or not all(whole(argument.type) for argument in call.arguments):
            return None
        product = " * ".join(call_text.operand(text) for text in source[1])
        edits.append(Edit(call.span, f"{_cast(call)}({product})"))
    inside = any(a.span.contains(b.span) for a in calls for b in calls if a is not b)
    return None if inside else Fix(tuple(edits), safe=False)


def _cast(call: Call) -> str:
    """The cast that gives the product the type of the call; '' where the types agree."""
    types = [_given(argument).type for argument in call.arguments]
    if any(type.bytes > INT.bytes for type in types):
        found: Type | None = None
    else:
        found = UINT if any(type == UINT for type in types) else INT
    return "" if found == call.type else "(unsigned)" if call.type == UINT else "(int)"


def _given(node: Expression) -> Expression:
    """The argument before it was converted to the parameter's type."""
    return node.operand if isinstance(node, Cast) and node.implicit else node
