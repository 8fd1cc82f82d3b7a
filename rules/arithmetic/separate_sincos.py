"""
## What it does
Finds `sin` and `cos` of the same argument in device code, which `sincos` computes together; for a multiple of
pi in double, `sincospi`. Finds `sin`, `cos` and `sincosf` of a multiple of pi, for which there are `sinpi`,
`cospi` and `sincospif`.

## Why it costs
Both functions reduce the argument to one eighth of the circle and both evaluate the two polynomials. nvcc
13.0 shares only the first steps of two calls: for sm_90 `sinf(x)` and `cosf(x)` take 175 instructions,
`sincosf` takes 142. On an H200 the two calls take 1.5x as long as `sincosf`, 1.4x in double, and `sinpi(x)`
and `cospi(x)` take 1.3x as long as `sincospi`, 1.2x in float.

A factor of pi has to be undone by the argument reduction, after it was rounded. `sincospi(x)` reduces `x`
itself, which is exact: sine and cosine of `3.141592653589793 * x` in double take 1.5x as long, and their
error grows with `x`. `sincosf` of a multiple of pi takes 1.1x as long as `sincospif`, and 6x for arguments
above 105615, where the reduction takes its slow path; `sinf` 1.2x as long as `sinpif`, `sin` 1.1x as `sinpi`.

## Example
```cuda
re = r * cos(phase);
im = r * sin(phase);
sincosf(2.0f * kPi * turns, &s, &c);
```

## Instead
```cuda
double s, c;
sincos(phase, &s, &c);
re = r * c;
im = r * s;
sincospif(2.0f * turns, &s, &c);
```

## Limits
- Both calls must be in the same branch and loop, with nothing in between that changes the argument.
- Silent for `__sinf`, `__cosf` and constant arguments, and for `sincos` of a multiple of pi in double, where
  `sincospi` saves 4%.
- Float calls are not reported if the build uses `-use_fast_math`, and on the condition that it does not where
  no compile_commands.json, make, CMake or Meson file beside or above the source tells.
- The factor is looked for in the argument, the variables that it is made of and, for a parameter, what all
  calls pass.
- In templates, reported only if every instantiation has the calls.
- No fix: `sincos` needs two new variables.

## Source
000 section 11.1 (math functions); instruction counts by nvcc 13.0.88, times measured on an H200.
"""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from cudalint.analyses.dead import settled
from cudalint.analyses.device_code import Body, DeviceCode, body_of
from cudalint.analyses.multiples_of_pi import of_pi
from cudalint.analyses.repeated import same_argument
from cudalint.analyses.seen_through import maths_in_place
from cudalint.cuda.maths import base, floating, pure
from cudalint.gpu.functions import Instructions, instructions
from cudalint.ir import expressions as e
from cudalint.ir.render import render
from cudalint.ir.unit import Unit
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
    summary="sin and cos of the same argument computed separately, or of a multiple of pi",
    guides=("000",),
    speed=True,
)

_OTHER = {"sin": "cos", "cos": "sin", "sinpi": "cospi", "cospi": "sinpi"}

# Slowdown measured on an H200, by function suffix: of `sin` and `cos`, of a multiple of pi (double only), and
# of `sinpi` and `cospi`; of one function of a multiple of pi, for arguments of ordinary size.
_TIMES = {"f": 1.5, "": 1.4}
_TIMES_OF_PI = 1.5
_TIMES_BY_PI = {"f": 1.2, "": 1.3}
_TIMES_ALONE = {"sincosf": 1.1, "sinf": 1.2, "cosf": 1.2, "sin": 1.1, "cos": 1.1}
_CONDITION = "the build does not use -use_fast_math"


class Site(Struct, frozen=True):
    """A sine or cosine, the call of the other one, and whether the argument is a multiple of pi. other: None
    for one function, or `sincos`, of a multiple of pi.
    """

    call: e.Call
    other: e.Call | None
    pi: bool
    second: e.Call | None = None  # where the other one stands in a function of its own: the call of that

    @property
    def span(self) -> Span:
        return self.call.span


def check(code: DeviceCode, context: Context) -> Iterator[Finding]:
    """One finding per pair or multiple of pi, over all instantiations of its code."""
    for site, body in code.agreed(lambda body: _with_wrapped(body, code.unit)):
        if not (context.fast_math and _single(site.call)):
            yield (_alone if site.other is None else _finding)(site, body.function.name, context)


def _with_wrapped(body: Body, unit: Unit) -> Iterator[Site]:
    """Also the pairs of which a function that does nothing else computes the one or the other."""
    yield from _sites(body)
    seen = maths_in_place(unit, body.function)
    if seen.body is not body.function.body:
        made = {call.span: call for call in body.of(e.Call)}
        wrapped = {span for span, call in made.items() if call.key in unit.functions}
        for site in _sites(replace(body_of(unit, seen), expanded=body.expanded, callees=body.callees)):
            if site.other is not None and (site.span in wrapped or site.other.span in wrapped):
                yield replace(site, second=made.get(site.other.span))


def _sites(body: Body) -> Iterator[Site]:
    calls = [call for call in body.of(e.Call) if pure(call) and base(call.name) in _OTHER]
    taken: set[int] = set()
    for number, call in enumerate(calls):
        if id(call) in taken:
            continue
        same = [c for c in calls[number + 1 :] if id(c) not in taken and _same_number(call, c, body)]
        taken.update(id(c) for c in same)  # the compiler computes each of them once
        other = next((c for c in same if base(c.name) != base(call.name)), None)
        if settled(call.arguments[0], body):
            continue
        if other is not None:
            yield Site(call, other, _helped_by_pi(call) and of_pi(call.arguments[0], body))
        elif _precise(call) in _TIMES_ALONE and of_pi(call.arguments[0], body):
            yield Site(call, None, True)
    for call in body.of(e.Call):
        both = base(call.name) == "sincos" and len(call.arguments) == 3 and _precise(call) in _TIMES_ALONE
        if both and of_pi(call.arguments[0], body) and not settled(call.arguments[0], body):
            yield Site(call, None, True)


def _single(call: e.Call) -> bool:
    """Whether it is done in float."""
    return floating(call.arguments[0].type, 4)


def _precise(call: e.Call) -> str:
    """The function as it is called in C: with an `f` for floats."""
    return base(call.name) + ("f" if _single(call) else "")


def _helped_by_pi(call: e.Call) -> bool:
    """Whether `sincospi` is faster with any build options."""
    return base(call.name) in ("sin", "cos") and floating(call.type, 8)


def _same_number(one: e.Call, two: e.Call, body: Body) -> bool:
    """Whether the second call is of the same number, be it the other function or the same."""
    return base(two.name) in (base(one.name), _OTHER[base(one.name)]) and same_argument(one, two, body)


def _saved(times: float, *calls: e.Call) -> Instructions:
    """What the calls, which take so many times as long as one for all their results, have more than it."""
    size = 4 if _single(calls[0]) else 8
    known = [instructions(base(call.name), size) or Instructions(0) for call in calls]
    more = 1 - 1 / times
    return Instructions(
        round(more * sum(one.all for one in known)), round(more * sum(one.double for one in known))
    )


def _condition(call: e.Call, context: Context) -> str | None:
    return _CONDITION if _single(call) and context.fast_math is None else None


def _finding(site: Site, kernel: str, context: Context) -> Finding:
    call, other = site.call, site.other or site.call
    argument, suffix = render(call.arguments[0]), "f" if _single(call) else ""
    by_pi = base(call.name).endswith("pi")
    better = ("sincospi" if site.pi or by_pi else "sincos") + suffix
    times = _TIMES_BY_PI[suffix] if by_pi else _TIMES_OF_PI if site.pi else _TIMES[suffix]
    build = " without -use_fast_math" if suffix and not by_pi else ""
    without = " without the factor pi" if site.pi else ""
    saved = site.second or other, _saved(times, call, other)
    return RULE.finding(
        call.span,
        f"separate sin and cos: `{call.name}` and `{other.name}` of `{argument}` take {times}x as long"
        f" as `{better}`{build}",
        notes=("the two calls share most of their work; time measured on an H200",),
        help=f"call `{better}`{without}",
        kernel=kernel,
        evidence={"pi": site.pi},
        related=(Related(other.span, f"the other call: `{render(other)}`"),),
        condition=None if by_pi else _condition(call, context),
        impact=context.impact_of(Saving(Basis.ISSUE, instructions=(saved,))),
    )


def _alone(site: Site, kernel: str, context: Context) -> Finding:
    """The finding for one function of a multiple of pi."""
    call, name = site.call, _precise(site.call)
    better = f"{base(name)}pi" + ("f" if _single(call) else "")
    build = " without -use_fast_math" if _single(call) else ""
    slow = ", much longer where it is above 105615" if _single(call) else ""
    times, argument = _TIMES_ALONE[name], render(call.arguments[0])
    return RULE.finding(
        call.span,
        f"multiple of pi: `{name}` of `{argument}` takes {times}x as long as `{better}`{build}",
        notes=(
            f"the reduction of the argument divides by pi again{slow}; time measured on an H200",
            f"the rounded factor is an error that grows with the argument; `{better}` reduces it exactly",
        ),
        help=f"call `{better}` without the factor pi",
        kernel=kernel,
        evidence={"pi": True},
        condition=_condition(call, context),
        impact=context.impact_of(Saving(Basis.ISSUE, instructions=((call, _saved(times, call)),))),
    )
