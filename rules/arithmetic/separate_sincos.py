"""
## What it does
Finds `sin` and `cos` of the same argument in device code, which `sincos` computes together; for a multiple of
pi in double, `sincospi`.

## Why it costs
Both functions reduce the argument to one eighth of the circle and both evaluate the two polynomials. nvcc
13.0 shares only the first steps of two calls: for sm_90 `sinf(x)` and `cosf(x)` take 175 instructions,
`sincosf` takes 142. On an H200 the two calls take 1.5x as long as `sincosf`, 1.4x in double, and `sinpi(x)`
and `cospi(x)` take 1.3x as long as `sincospi`, 1.2x in float.

A factor of pi has to be undone by the argument reduction, after it was rounded. `sincospi(x)` reduces `x`
itself, which is exact: sine and cosine of `3.141592653589793 * x` in double take 1.5x as long, and their
error grows with `x`.

## Example
```cuda
re = r * cos(phase);
im = r * sin(phase);
```

## Instead
```cuda
double s, c;
sincos(phase, &s, &c);
re = r * c;
im = r * s;
```

## Limits
- Both calls must be in the same branch and loop, with nothing in between that changes the argument.
- Not reported for `__sinf`, `__cosf` and constant arguments, nor for a lone sine of a multiple of pi.
- Float calls are reported only if the build is known not to use `-use_fast_math`: from compile_commands.json,
  or from make, CMake or Meson files beside or above the source.
- In templates, reported only if every instantiation has both calls.
- No fix: `sincos` needs two new variables.

## Source
000 section 11.1 (math functions); instruction counts by nvcc 13.0.88, times measured on an H200.
"""

from collections.abc import Iterator
from math import isclose, pi

from msgspec import Struct

from cudalint.analyses.dead import settled
from cudalint.analyses.device_code import Body, DeviceCode
from cudalint.analyses.repeated import same_argument
from cudalint.cuda.maths import base, floating, pure
from cudalint.gpu.functions import Instructions, instructions
from cudalint.ir import expressions as e
from cudalint.ir.render import render
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis
from cudalint.significance.saving import Saving
from cudalint.source.span import Span

RULE = Rule(
    code="CU607",
    name="separate-sincos",
    severity=Severity.NOTE,
    summary="sin and cos of the same argument computed separately",
    guides=("000",),
    speed=True,
)

_OTHER = {"sin": "cos", "cos": "sin", "sinpi": "cospi", "cospi": "sinpi"}
_MULTIPLES = (1.0, 2.0, 4.0, 0.5, 0.25, 8.0, 1 / 180, 1 / 90)
_WRITTEN = 5e-6  # a pi of six digits
_DEPTH = 3

# Slowdown measured on an H200, by function suffix: of `sin` and `cos`, of a multiple of pi (double only), and
# of `sinpi` and `cospi`.
_TIMES = {"f": 1.5, "": 1.4}
_TIMES_OF_PI = 1.5
_TIMES_BY_PI = {"f": 1.2, "": 1.3}


class Site(Struct, frozen=True):
    """A sine or cosine, the call of the other one, and whether the argument is a multiple of pi."""

    call: e.Call
    other: e.Call
    pi: bool

    @property
    def span(self) -> Span:
        return self.call.span


def check(code: DeviceCode, context: Context) -> Iterator[Finding]:
    """One finding per pair, over all instantiations of its code."""
    for site, body in code.agreed(_sites):
        known = context.fast_math is False or floating(site.call.type, 8)
        if known:
            yield _finding(site, body.function.name, context)


def _sites(body: Body) -> Iterator[Site]:
    calls = [call for call in body.of(e.Call) if pure(call) and base(call.name) in _OTHER]
    taken: set[int] = set()
    for number, call in enumerate(calls):
        if id(call) in taken:
            continue
        same = [c for c in calls[number + 1 :] if id(c) not in taken and _same_number(call, c, body)]
        taken.update(id(c) for c in same)  # the compiler computes each of them once
        other = next((c for c in same if base(c.name) != base(call.name)), None)
        if other is not None and not settled(call.arguments[0], body):
            yield Site(call, other, _helped_by_pi(call) and _of_pi(call.arguments[0], body))


def _helped_by_pi(call: e.Call) -> bool:
    """Whether `sincospi` is faster with any build options."""
    return base(call.name) in ("sin", "cos") and floating(call.type, 8)


def _same_number(one: e.Call, two: e.Call, body: Body) -> bool:
    """Whether the second call is of the same number, be it the other function or the same."""
    return base(two.name) in (base(one.name), _OTHER[base(one.name)]) and same_argument(one, two, body)


def _of_pi(node: e.Expression, body: Body, depth: int = _DEPTH) -> bool:
    """Whether the number is something that varies times a multiple of pi."""
    if body.constant(node) is not None:
        return False
    match node:
        case e.Cast(operand=operand) | e.Unary(operator="-" | "+", operand=operand):
            return _of_pi(operand, body, depth)
        case e.Binary(operator="*" | "/" as operator, left=left, right=right):
            factors = (left, right) if operator == "*" else (left,)
            return any(_is_pi(body.constant(side)) or _of_pi(side, body, depth) for side in factors)
        case e.VariableReference(variable=variable) if depth and variable.id in body.once:
            return _of_pi(body.once[variable.id], body, depth - 1)
        case _:
            return False


def _is_pi(number: float | None) -> bool:
    return number is not None and any(isclose(abs(number) / pi, m, rel_tol=_WRITTEN) for m in _MULTIPLES)


def _saved(call: e.Call, other: e.Call, times: float) -> Instructions:
    """What two calls, which take so many times as long as one for both results, have more than it."""
    size = 4 if floating(call.type, 4) else 8
    one, two = (instructions(base(each.name), size) or Instructions(0) for each in (call, other))
    more = 1 - 1 / times
    return Instructions(round(more * (one.all + two.all)), round(more * (one.double + two.double)))


def _finding(site: Site, kernel: str, context: Context) -> Finding:
    call, other = site.call, site.other
    argument, suffix = render(call.arguments[0]), "f" if floating(call.type, 4) else ""
    by_pi = base(call.name).endswith("pi")
    better = ("sincospi" if site.pi or by_pi else "sincos") + suffix
    times = _TIMES_BY_PI[suffix] if by_pi else _TIMES_OF_PI if site.pi else _TIMES[suffix]
    build = " without -use_fast_math" if suffix and not by_pi else ""
    without = " without the factor pi" if site.pi else ""
    return RULE.finding(
        call.span,
        f"separate sin and cos: `{call.name}` and `{other.name}` of `{argument}` take {times}x as long"
        f" as `{better}`{build}",
        notes=("the two calls share most of their work; time measured on an H200",),
        help=f"call `{better}`{without}",
        kernel=kernel,
        evidence={"pi": site.pi},
        related=(Related(other.span, f"the other call: `{render(other)}`"),),
        impact=context.impact_of(Saving(Basis.ISSUE, instructions=((other, _saved(call, other, times)),))),
    )
