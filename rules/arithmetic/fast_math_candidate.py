"""
## What it does
Lists float functions and divisions of device code that have a faster, less accurate intrinsic:
`__sinf` for `sinf`, `__fdividef` for `/`. Of divisions in double precision it lists those by arguments of the
launch, by a value that the loop round them does not change, and by one that the function has divided by
before; in both precisions those by constants. For all of these a multiplication by the reciprocal does.

## Why it costs
The accurate functions reduce their argument, handle special values and round carefully; the intrinsics are
one or two special function unit (SFU) instructions and a multiplication. On an H200 `__sinf` and `__cosf`
take an eighth of the time of `sinf` and `cosf`, `__powf` a sixth, `__logf` less than a fifth, `__fdividef`
less than half of a division, and `__expf` and `__tanf` two thirds of `expf` and `tanf`; on an H100 `__log2f`
and `__log10f` less than a third, `__tanhf` less than half and `__exp10f` three quarters. For `x / 255.0f`
nvcc 13.0 compiles 11 instructions, for `x / 255.0` in double 17, eight of them in FP64; for `x / 4` one. A
loop of `(x + 3) / 255` took 8.9 times as long on an H100 as one of `(x + 3) * (1 / 255.0f)`, in double 11.

## Example
```cuda
for (int k = 0; k < n; ++k)
    sum += a[k] * sinf(w * k);
```

## Instead
```cuda
for (int k = 0; k < n; ++k)
    sum += a[k] * __sinf(w * k);  // if an absolute error of 2^-21 is acceptable
```
`-use_fast_math` does this for a whole file, including square roots and divisions, and flushes denormals to
zero.

## Limits
- A note: the source does not say which accuracy is required.
- Errors: `__sinf` and `__cosf` 2^-21 between -pi and pi and more outside, `__expf` 2 ulp and more for large
  arguments, `__logf` 2^-21 near 1, `__tanhf` 2^-11 relative; `__fdividef` returns 0 for divisors above
  2^126.
- One finding per function and precision; the product with a reciprocal may differ in the last bit.
- `__tanhf` is one instruction from compute capability 7.5 on.
- Not reported for divisors that differ from call to call but are constants in each, for results that nobody
  uses, where CU605 or CU606 knows a cheaper form of the same accuracy, for functions in double, and in
  builds with `-use_fast_math`.

## Source
000 section 11.1 (math functions, `-use_fast_math`); 002 'Instruction optimisation'; CUDA C++ Programming
Guide, intrinsic functions; times measured on an H200 with nvcc 13.0, of divisions by constants by
`experiments/host_calls.cu`.
"""

from collections.abc import Iterator, Mapping

from cudalint.analyses.device_code import Body, DeviceCode
from cudalint.analyses.invariant_divisors import constant_divisors, invariant_divisors
from cudalint.analyses.powers import power
from cudalint.analyses.repeated_divisors import repeated_divisors
from cudalint.analyses.roots import reciprocal_root
from cudalint.analyses.unused import is_unused
from cudalint.cuda.maths import base, floating, pure
from cudalint.gpu.functions import DIVISION, Instructions, instructions
from cudalint.ir.expressions import Binary, Call, Cast, Expression
from cudalint.ir.render import render
from cudalint.rule.findings import Finding
from cudalint.rule.related import repeated
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis
from cudalint.significance.saving import Saving

RULE = Rule(
    code="CU608",
    name="fast-math-candidate",
    severity=Severity.NOTE,
    summary="a float function or a division that has a faster, less accurate form",
    guides=("000", "002"),
    speed=True,
)

_INTRINSIC = 3  # instructions
# The time of each operation relative to its intrinsic, measured on an H200; of the second ones on an H100.
_H100 = {"log2": 3.8, "log10": 3.5, "tanh": 2.3, "exp10": 1.3}
_TIMES = {"sin": 8.2, "cos": 8.2, "pow": 6.1, "log": 5.5, "/": 2.3, "tan": 1.5, "exp": 1.4} | _H100
_TANH = 75  # compute capability from which on there is an instruction for it, times ten
# By bytes of the operands: what a division by a constant takes more than a product, as nvcc 13.0 compiles it.
_BY_CONSTANT = {4: Instructions(10), 8: Instructions(16, 7, 1)}
_BOTH = "sincos"  # its intrinsic has not been timed alone


def check(code: DeviceCode, context: Context) -> Iterator[Finding]:
    """One finding per function with such operations in float, and one with such divisions in double."""
    for body in code.bodies:
        divisions = [
            node
            for node in invariant_divisors(body, code)
            if not (_has_exact_form(node, body) or is_unused(node, body, code))
        ]
        if divisions:
            yield _by_reciprocal(divisions, body.function.name, context)
        yield from _by_one_divisor(body, divisions, code, context)
        constants = [
            node
            for node in constant_divisors(body)
            if not (context.fast_math and floating(node.type, 4)) and not is_unused(node, body, code)
        ]
        if constants:
            yield _by_constant(constants, body.function.name, context)
        if context.fast_math:
            continue
        found = [
            node
            for node in _operations(body, context.arch)
            if not (_has_exact_form(node, body) or is_unused(node, body, code))
        ]
        if found:
            worst = sorted(found, key=_rank)
            yield _finding(worst, body.function.name, context)


def _operations(body: Body, arch: int) -> Iterator[Call | Binary]:
    names = _TIMES.keys() - ({"tanh"} if arch < _TANH else set())
    for call in body.of(Call):
        if (pure(call) and base(call.name) in names and floating(call.type, 4)) or _is_both(call):
            yield call
    for node in body.of(Binary):
        if node.operator == "/" and floating(node.type, 4) and not body.is_constant(node.right):
            yield node


def _rank(node: Call | Binary) -> tuple[float, int]:
    """The one first that takes longest compared with its intrinsic."""
    return -_TIMES.get(_name(node), _TIMES["sin"]), node.span.line


def _is_both(call: Call) -> bool:
    return base(call.name) == _BOTH and bool(call.arguments) and floating(call.arguments[0].type, 4)


def _has_exact_form(node: Call | Binary, body: Body) -> bool:
    """Whether a form without loss of accuracy is cheaper, which CU605 and CU606 report."""
    return (power(node, body) if isinstance(node, Call) else reciprocal_root(node, body)) is not None


def _name(node: Call | Binary) -> str:
    return base(node.name) if isinstance(node, Call) else "/"


def _fast(node: Call | Binary) -> str:
    return f"__{base(node.name)}f" if isinstance(node, Call) else "__fdividef"


def _saved(node: Call | Binary) -> Instructions:
    """What the operation takes more than the intrinsic: a multiplication and a special function."""
    counted = instructions(_name(node), 4) if isinstance(node, Call) else DIVISION[4]
    return Instructions(max(0, counted.all - _INTRINSIC) if counted is not None else 0)


def _by_reciprocal(found: list[Binary], function: str, context: Context) -> Finding:
    """The finding for divisions in double by arguments of the launch."""
    each = DIVISION[8]
    more = Instructions(each.all - 1, each.double - 1, each.special)
    help = f"compute `1 / {_operand(found[0])}` once, on the host, and multiply: the last bit may differ"
    return _as_product(found, {8: more}, "launch-invariant value", help, function, context)


def _by_one_divisor(
    body: Body, reported: list[Binary], code: DeviceCode, context: Context
) -> Iterator[Finding]:
    """The findings for other divisions in double that a reciprocal would serve several of."""
    known = {id(node) for node in reported}
    repeated_ = repeated_divisors(body, code.unit)
    each = DIVISION[8]
    more = {8: Instructions(each.all - 1, each.double - 1, each.special)}
    for divisor, where, found in (
        ("value that the loop does not change", "before the loop", repeated_.in_loop),
        ("value that is divided by before", "once", repeated_.again),
    ):
        divisions = [
            node
            for node in found
            if id(node) not in known and not _has_exact_form(node, body) and not is_unused(node, body, code)
        ]
        if divisions:
            help = f"compute `1 / {_operand(divisions[0])}` {where} and multiply: the last bit may differ"
            yield _as_product(divisions, more, divisor, help, body.function.name, context)


def _by_constant(found: list[Binary], function: str, context: Context) -> Finding:
    """The finding for divisions by constants."""
    one = "1.0f" if floating(found[0].type, 4) else "1.0"
    help = f"multiply by `({one} / {_operand(found[0])})`, a constant as well: the last bit may differ"
    return _as_product(found, _BY_CONSTANT, "constant", help, function, context)


def _as_product(
    found: list[Binary],
    more: Mapping[int, Instructions],
    divisor: str,
    help: str,
    function: str,
    context: Context,
) -> Finding:
    """Of divisions for which a product does. more: what each takes more, by the bytes of its operands."""
    first, count = found[0], len(found)
    saved = tuple((node, more[node.type.bytes]) for node in found)
    basis = Basis.DOUBLE if floating(first.type, 8) else Basis.ISSUE
    return RULE.finding(
        first.span,
        f"division by a {divisor}: `{render(first)}` takes {more[first.type.bytes].all + 1} instructions",
        notes=(f"{count} such division{'s' if count > 1 else ''} in `{function}`; a product takes 1",),
        help=help,
        kernel=function,
        evidence={"operations": count, "times": None},
        condition="a difference in the last bit is acceptable",
        impact=context.impact_of(Saving(basis, instructions=saved)),
        related=repeated(found[1:], lambda node: f"`{render(node)}` likewise"),
    )


def _operand(division: Binary) -> str:
    below: Expression = division.right
    while isinstance(below, Cast) and below.implicit:
        below = below.operand
    text = render(below)
    return f"({text})" if isinstance(below, Binary) else text


def _finding(found: list[Call | Binary], kernel: str, context: Context) -> Finding:
    first, count = found[0], len(found)
    saved = tuple((node, _saved(node)) for node in found)
    times, device = _TIMES.get(_name(first)), "H100" if _name(first) in _H100 else "H200"
    cost = f"{times:g}x as long as" if times else f"{_saved(first).all} instructions more than"
    return RULE.finding(
        first.span,
        f"fast-math candidate: `{render(first)}` takes {cost} `{_fast(first)}`",
        notes=(f"{count} such operation{'s' if count > 1 else ''} in `{kernel}`; measured on an {device}",),
        help=f"if the lower accuracy is acceptable, write `{_fast(first)}` or build with -use_fast_math",
        kernel=kernel,
        evidence={"operations": count, "times": f"{times:g}" if times else None},
        condition=f"the accuracy of `{_fast(first)}` is enough",
        impact=context.impact_of(Saving(Basis.ISSUE, instructions=saved)),
        related=repeated(found[1:], lambda node: f"`{render(node)}`: `{_fast(node)}`"),
    )
