"""
## What it does
Finds calls of `pow` and `powf` in device code with a cheaper equivalent: an integer exponent up to 6, an
exponent of 1/2, 1/3 or 1/4, or base 2 or 10.

## Why it costs
`pow` handles any two numbers: it takes a logarithm in extended precision, multiplies, and exponentiates, with
slow paths for negative bases, zeros and infinities. nvcc 13.0 drops some of these for a constant exponent but
does not replace the call, not even for 2. For sm_90 `powf(x, 2.0f)` compiles to 77 instructions and
`pow(x, 2.0)` to 198, up to 10 more for an odd or fractional exponent; `x * x` is one. On an H200 a
multiprocessor takes 0.30 ns per `powf` and 0.98 ns per `pow`, but 0.04 ns per `sqrtf`, 0.11 ns per `sqrt`,
0.02 ns per `rsqrtf` or `exp2f`, 0.03 ns per `exp10f` and 0.07 ns per `cbrtf`.

`pow(x, 2)` and `pow(x, 2.0)` with a float `x` call the double function.

## Example
```cuda
float r2 = powf(dx, 2.0f) + powf(dy, 2.0f);
float level = powf(10.0f, decibel);
```

## Instead
```cuda
float r2 = dx * dx + dy * dy;
float level = exp10f(decibel);
```
The fix is safe for the square of a variable, which is rounded once. The others are unsafe: a cube is off by
up to 1.3 ulp (`powf`: 0.9), `exp2f` and `exp10f` by 2 ulp (`powf`: 1), `sqrt(-0.0)` is `-0.0`, and `cbrt`
accepts negative numbers, for which `pow` returns NaN. `cbrtf(x)` is the more accurate cube root:
`powf(x, 1.0f / 3.0f)` is off by up to 15 ulp.

## Limits
- Not reported for constant operands, including constants after loop unrolling, and for run-time exponents.
- Not reported for `__powf`, for `powf` if the build uses `-use_fast_math`, and where the replacement takes
  more than two thirds of the instructions (`1.0f / x`).
- Repeated calls with the same arguments are one finding.
- In templates, reported only if every instantiation has the call.
- No fix where the base is an expression, in macros, or where the result feeds more double arithmetic.

## Source
000 section 11.1 (exponents with cheaper forms); instruction counts by nvcc 13.0.88, times and errors measured
on an H200.
"""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.analyses.dead import settled
from cudalint.analyses.device_code import Body, DeviceCode
from cudalint.analyses.powers import Power, power
from cudalint.analyses.repeated import computed_before
from cudalint.analyses.unrolled_counters import unrolled_counter
from cudalint.analyses.widened import rounded
from cudalint.cuda.maths import floating
from cudalint.fixing import call_text
from cudalint.gpu.functions import Instructions
from cudalint.ir.expressions import Call, Expression, VariableReference
from cudalint.ir.render import render
from cudalint.rule.findings import Edit, Finding, Fix
from cudalint.rule.related import repeated
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis
from cudalint.significance.saving import Saving
from cudalint.source.span import Span

RULE = Rule(
    code="CU606",
    name="expensive-pow",
    severity=Severity.WARNING,
    summary="pow with a constant exponent or base that has a cheaper equivalent",
    fixes=("safe", "unsafe"),
    guides=("000",),
    speed=True,
)


class Site(Struct, frozen=True):
    """A power, and later calls for the same power, for which the compiler reuses the result."""

    power: Power
    repeats: tuple[Power, ...]

    @property
    def span(self) -> Span:
        return self.power.call.span


def check(code: DeviceCode, context: Context) -> Iterator[Finding]:
    """One finding per distinct power, over all instantiations of its code."""
    for site, body in code.agreed(_sites):
        call = site.power.call
        if not (context.fast_math and floating(call.type, 4)):
            yield _finding(site, body, context)


def _sites(body: Body) -> Iterator[Site]:
    firsts: list[tuple[Power, list[Power]]] = []
    for call in body.of(Call):
        found = power(call, body)
        if found is None or not _worthwhile(found, body):
            continue
        before = next((more for one, more in firsts if computed_before(one.call, call, body)), None)
        if before is None:
            firsts.append((found, []))
        else:
            before.append(found)
    for one, more in firsts:
        yield Site(one, tuple(more))


def _worthwhile(found: Power, body: Body) -> bool:
    """Whether the cheaper form saves a third or more, for an operand that is not a compile-time constant."""
    cheaper = found.way.single if floating(found.call.type, 4) else found.way.double
    if 3 * cheaper > 2 * found.instructions:
        return False
    return not settled(found.varying, body) and not unrolled_counter(found.varying, body)


def _finding(site: Site, body: Body, context: Context) -> Finding:
    found = site.power
    single = floating(found.call.type, 4)
    cost, cheaper = found.instructions, found.way.single if single else found.way.double
    saved = Instructions(cost - cheaper, 0 if single else (cost - cheaper) // 2)
    name = render(found.varying) if isinstance(found.varying, VariableReference) else "x"
    instead = found.way.text.format(x=name, f=_suffix(found))
    build = " without -use_fast_math" if single else ""
    notes = ["instructions counted with nvcc 13.0 for sm_90, including slow paths"]
    if not single and floating(found.varying.type, 4):
        notes.append("the constant selects the double overload for a float argument")
    if site.repeats:
        notes.append("the compiler reuses the result for the identical calls below")
    holds = "" if name == render(found.varying) else f" with x = `{render(found.varying)}`"
    return RULE.finding(
        found.call.span,
        f"expensive pow: `{render(found.call)}` takes about {cost} instructions{build},"
        f" `{instead}` takes {cheaper}",
        notes=tuple(notes),
        help=f"write `{instead}`{holds}",
        kernel=body.function.name,
        evidence={
            "exponent" if found.exponent else "base": f"{found.number:g}",
            "instructions": cost,
            "instead": cheaper,
        },
        related=repeated((more.call for more in site.repeats), "identical call"),
        fix=_fix(site, body, context),
        impact=context.impact_of(Saving(Basis.ISSUE, instructions=((found.call, saved),))),
    )


def _fix(site: Site, body: Body, context: Context) -> Fix | None:
    """The cheaper form for the call and its repeats, if every one of them can be replaced."""
    edits = [_edit(found, body, context) for found in (site.power, *site.repeats)]
    safe = site.power.exponent and site.power.number == 2.0
    return Fix(tuple(edit for edit in edits if edit is not None), safe=safe) if all(edits) else None


def _edit(found: Power, body: Body, context: Context) -> Edit | None:
    """The cheaper form for one call, if its type and its operands are clear."""
    source = call_text.arguments(found.call, context)
    if source is None or not floating(found.varying.type):
        return None
    single = floating(found.call.type, 4)
    if not single and floating(found.varying.type, 4) and not rounded(found.call, body):
        return None  # a float result would change the type of the surrounding arithmetic
    text = source[1][0 if found.exponent else 1]
    if found.way.text.count("{x}") > 1 and not _plain(found.varying, text):
        return None
    if found.number < 0 and "/" in found.way.text:
        return None
    made = found.way.text.format(x=text, f=_suffix(found))
    place = made if "*" not in made else call_text.in_place(made, found.call, body, context)
    return Edit(found.call.span, place)


def _suffix(found: Power) -> str:
    """The suffix of the replacement: `pow` is replaced by an overloaded name, `powf` by a float function."""
    return "f" if found.call.name == "powf" else ""


def _plain(node: Expression, text: str) -> bool:
    """Whether the operand may be written twice."""
    return isinstance(node, VariableReference) and node.variable.name == text and not node.variable.volatile
