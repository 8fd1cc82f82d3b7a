"""
## What it does
Finds calls of `pow` and `powf` in device code whose exponent is a whole number up to 6, a half, a quarter or
a third, or whose base is 2 or 10.

## Why it costs
`pow` takes any two numbers: it splits the base into exponent and mantissa, takes a logarithm to more digits
than the result has, multiplies, and raises again, with a way round for negative bases, zeros and infinities.
nvcc 13.0 drops some of these cases for a constant exponent and does not fold the call, not even for 2. For
sm_90 it makes 77 instructions of `powf(x, 2.0f)` and 198 of `pow(x, 2.0)`, up to 10 more for an odd or a
broken exponent; `x * x` is one. On an H200 a
multiprocessor needs 0.30 ns for each such `powf` and 0.98 ns for each `pow`, against 0.04 ns for `sqrtf` and
0.11 ns for `sqrt`, 0.02 ns for `rsqrtf` and for `exp2f`, 0.03 ns for `exp10f` and 0.07 ns for `cbrtf`.

`pow(x, 2)` and `pow(x, 2.0)` with a float `x` are calls of the double function.

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

## Limits
Silent in host code, where base and exponent are both constants or may become such (a variable that is set
once, the counter of a loop that may be unrolled), for exponents that only the run knows, for `__powf`, where
the cheaper form still takes two thirds of the instructions (`1.0f / x`), and for the float function where the
command in compile_commands.json or a file for make, CMake or Meson next to the source or above it asks for
`-use_fast_math`, with which it is three instructions: the counts are for a build without. Silent where the
call cannot be felt: where loops nest deeper elsewhere in the function or in what it calls, in a branch that
one thread takes, and in functions that are called from such places only. A call that repeats an earlier one
of the same function, with nothing between that changes the argument, stands with the first: the compiler
computes it once. In a template it speaks only where every instantiation has the call.

The fix is safe for a square of a variable: the product is rounded once and is nearer to the truth. The other
fixes are unsafe: a cube is rounded twice (1.3 units in the last place at most, 0.9 for `powf`), `exp2f` and
`exp10f` are off by up to 2 units where `powf` is off by 1, `sqrt(-0.0)` is `-0.0`, and `cbrt` takes negative
numbers, for which `pow` gives NaN. `cbrtf(x)` is the better third power: `powf(x, 1.0f / 3.0f)` takes the
nearest float to a third, which is up to 15 units off. There is no fix where the base is an expression,
where a macro writes the call, or where more double arithmetic hangs on the result.

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
from cudalint.analyses.widened import rounded
from cudalint.cuda.maths import floating
from cudalint.fixing import call_text
from cudalint.ir.expressions import Call, Expression, VariableReference
from cudalint.ir.render import render
from cudalint.rule.findings import Edit, Finding, Fix, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.loop_work import unrolled_counter
from cudalint.significance.weight import minor
from cudalint.source.span import Span

RULE = Rule(
    code="CU606",
    name="expensive-pow",
    severity=Severity.WARNING,
    summary="pow with an exponent or a base that has a cheaper form",
    fixes=("safe", "unsafe"),
    guides=("000",),
)


_MOST_RELATED = 8


class Site(Struct, frozen=True):
    """A power, and the same power further on, for which the compiler has the result already."""

    power: Power
    again: tuple[Power, ...]

    @property
    def span(self) -> Span:
        return self.power.call.span


def check(code: DeviceCode, context: Context) -> Iterator[Finding]:
    """One finding for each number that is computed, over all instantiations of the code it stands in."""
    for site, body in code.agreed(_sites):
        call = site.power.call
        if not (context.fast_math and floating(call.type, 4)) and not minor(call, body, code):
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
    """Whether the cheaper form saves much, of a number that the compiler cannot know."""
    cheaper = found.way.single if floating(found.call.type, 4) else found.way.double
    if 3 * cheaper > 2 * found.instructions:
        return False
    return not settled(found.varying, body) and not unrolled_counter(found.varying, body)


def _finding(site: Site, body: Body, context: Context) -> Finding:
    found = site.power
    single = floating(found.call.type, 4)
    cost, cheaper = found.instructions, found.way.single if single else found.way.double
    name = render(found.varying) if isinstance(found.varying, VariableReference) else "x"
    instead = found.way.text.format(x=name, f=_suffix(found))
    build = " without -use_fast_math" if single else ""
    notes = ["counted with nvcc 13.0 for sm_90, slow paths included"]
    if not single and floating(found.varying.type, 4):
        notes.append("the other argument makes this float power double")
    if site.again:
        notes.append("the compiler keeps the result for the same call further on")
    holds = "" if name == render(found.varying) else f", with `{render(found.varying)}` in a variable x"
    return RULE.finding(
        found.call.span,
        f"expensive pow: `{render(found.call)}` takes about {cost} instructions{build}, `{instead}`"
        f" {cheaper}",
        notes=tuple(notes),
        help=f"write `{instead}`{holds}",
        kernel=body.function.name,
        evidence={
            "exponent" if found.exponent else "base": f"{found.number:g}",
            "instructions": cost,
            "instead": cheaper,
        },
        related=tuple(Related(more.call.span, "the same call") for more in site.again[:_MOST_RELATED]),
        fix=_fix(site, body, context),
    )


def _fix(site: Site, body: Body, context: Context) -> Fix | None:
    """The cheaper form in place of the call and of its repetitions, where it can be had for all of them."""
    edits = [_edit(found, body, context) for found in (site.power, *site.again)]
    safe = site.power.exponent and site.power.number == 2.0
    return Fix(tuple(edit for edit in edits if edit is not None), safe=safe) if all(edits) else None


def _edit(found: Power, body: Body, context: Context) -> Edit | None:
    """The cheaper form in place of one call, where its type and its operands are clear."""
    source = call_text.arguments(found.call, context)
    if source is None or not floating(found.varying.type):
        return None
    single = floating(found.call.type, 4)
    if not single and floating(found.varying.type, 4) and not rounded(found.call, body):
        return None  # a float form would change what the arithmetic round it is done in
    text = source[1][0 if found.exponent else 1]
    if found.way.text.count("{x}") > 1 and not _plain(found.varying, text):
        return None
    if found.number < 0 and "/" in found.way.text:
        return None
    made = found.way.text.format(x=text, f=_suffix(found))
    place = made if "*" not in made else call_text.in_place(made, found.call, body, context)
    return Edit(found.call.span, place)


def _suffix(found: Power) -> str:
    """Of the function to call: `pow` becomes a name that is overloaded like it."""
    return "f" if found.call.name == "powf" else ""


def _plain(node: Expression, text: str) -> bool:
    """Whether the operand may be written twice."""
    return isinstance(node, VariableReference) and node.variable.name == text and not node.variable.volatile
