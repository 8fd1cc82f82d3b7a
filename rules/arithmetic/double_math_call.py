"""
## What it does
Finds math calls in device code that run in double although the arguments are floats or integers and the
result is used as a float: `fmin(x, 1.0)`, `pow(x, 3)`, `sqrt(n)`.

## Why it costs
In C++ `fmin`, `pow` and the others are overloaded. One double or integer argument selects the double
overload: each float is converted, the function runs in double, and the result is converted back. `norm3d`,
`norm4d`, `rnorm3d`, `rnorm4d` and `rhypot` have no overload for floats, only a form with an `f`. On an H200,
with FP64 at half the FP32 rate, `fmax` takes 10x as long or more in double, `exp` 7x, `log` 4x, `pow` and
`sqrt` 3x, `norm3d`, `rhypot` and `sin` 2x. Graphics GPUs have one FP64 unit per 32 or 64 FP32 units.

## Example
```cuda
float y = fmin(x, 1.0);
float z = pow(x, 3.5);
```

## Instead
```cuda
float y = fminf(x, 1.0f);
float z = powf(x, 3.5f);
```
The fix adds `f` to the literals, or to the function name where an integer selects the overload. It is safe
for functions that return an argument or a correctly rounded result and for literals exact in float;
otherwise the last bits may change.

## Limits
- Not reported where double is intended: a cast (`sin((double)x)`), a double argument, a result used as
  double. A local variable that is double only by its declaration counts as a float if all its uses are
  arguments of such calls; so do the parameters of `double decay(double x)`, if all calls on the device pass
  floats and use the result as a float, and the double members that it reads, if the code puts only floats
  there and never asks for `<double>`.
- Not reported for calls that the compiler evaluates.
- A literal inside an argument's arithmetic is CU601, a power with a cheaper form CU606.
- In templates, reported only if every instantiation has the call.

## Source
004 'Runtime math: double literals and functions'; times measured on an H200 with nvcc 13.0.
"""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.analyses.dead import settled
from cudalint.analyses.device_code import Body, DeviceCode
from cudalint.analyses.double_helpers import double_helpers
from cudalint.analyses.powers import power
from cudalint.analyses.widened import (
    ARITHMETIC,
    constant,
    end,
    rounded,
    same_as_float,
    suffixable,
    widened_float,
)
from cudalint.cuda.maths import base, floating, pure, suffixed, whole
from cudalint.fixing import call_text
from cudalint.gpu.functions import Instructions, instructions
from cudalint.ir.expressions import (
    Binary,
    Call,
    Cast,
    Expression,
    Literal,
    Unary,
    Variable,
    VariableReference,
)
from cudalint.ir.render import render
from cudalint.ir.unit import Function
from cudalint.ir.walk import find
from cudalint.rule.findings import Edit, Finding, Fix
from cudalint.rule.related import at_spans
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis
from cudalint.significance.saving import Saving
from cudalint.significance.statement_costs import UNKNOWN_DOUBLE
from cudalint.source.span import Span

RULE = Rule(
    code="CU602",
    name="double-math-call",
    severity=Severity.WARNING,
    summary="a math function runs in double on float arguments for a float result",
    fixes=("safe", "unsafe"),
    guides=("004",),
    speed=True,
)

# Their float versions return the double result rounded once.
_EXACT = frozenset(
    "fmin fmax min max fabs abs floor ceil trunc rint nearbyint copysign fdim fmod sqrt".split()
)


class Site(Struct, frozen=True):
    """A call in double with float or integer arguments. declared: the arguments that are double by their
    declaration alone; clear: the result is used as a float, and nothing around the call is double for
    another reason. calls: of the function around it, where that is double by its declaration alone.
    """

    call: Call
    literals: tuple[Literal, ...]
    integers: int
    floats: int
    declared: tuple[Variable, ...]
    clear: bool
    calls: tuple[Call, ...] = ()

    @property
    def span(self) -> Span:
        return self.call.span


def check(code: DeviceCode, context: Context) -> Iterator[Finding]:
    """One finding per call, over all instantiations of its code."""
    helpers = double_helpers(code)
    for site, body in code.agreed(lambda body: _sites(body, helpers.get(body.function.key, []))):
        yield _finding(site, body.function, context)


def _sites(body: Body, calls: list[Call]) -> Iterator[Site]:
    """calls: of a function that is double by its declaration alone, else none."""
    for call in body.of(Call):
        if not pure(call) or not floating(call.type, 8) or power(call, body) is not None:
            continue
        if all(settled(argument, body) for argument in call.arguments):
            continue
        if calls:
            yield Site(call, (), 0, len(call.arguments), (), False, tuple(calls))
        else:
            site = _site(call, body)
            if site is not None and end(call, body):
                yield site


def _site(call: Call, body: Body) -> Site | None:
    """The call where nothing in its arguments asks for a double."""
    literals: list[Literal] = []
    declared: list[Variable] = []
    integers = floats = widened = constants = 0
    for argument in call.arguments:
        if constant(argument) and body.constant(argument) is not None:
            constants += 1
            literals += (n for n in find(argument, Literal) if floating(n.type, 8))
        elif _from(argument, 4):
            floats += 1
            widened += isinstance(argument, Cast)
        elif (variable := _declared(argument, body)) is not None:
            floats += 1
            declared.append(variable)
        elif whole(argument.type) or (isinstance(argument, Cast) and constant(argument)):
            integers += body.constant(argument) is None
        else:
            return None  # a double, or float arithmetic that a literal made double
    causes = (
        bool(literals or declared)
        or integers
        or any(whole(a.type) for a in call.arguments)
        or widened + constants == len(call.arguments)  # there is no overload for floats
    )
    if not floats + integers or not causes:
        return None
    clear = not declared and _clear(call, body)
    return Site(call, tuple(literals), integers, floats, tuple(declared), clear)


def _declared(argument: Expression, body: Body) -> Variable | None:
    """The variable of an argument `x` or `-x` that always holds one float, and that nothing but math calls
    for float results takes: it is double by its declaration alone.
    """
    while isinstance(argument, Unary) and argument.operator in ("-", "+"):
        argument = argument.operand
    if not isinstance(argument, VariableReference) or argument.variable.id not in body.once:
        return None
    if not (floating(argument.type, 8) and _from(body.once[argument.variable.id], 4)):
        return None
    uses = (one for one in body.of(VariableReference) if one.variable.id == argument.variable.id)
    return argument.variable if all(_only_passed(one, body) for one in uses) else None


def _only_passed(use: Expression, body: Body) -> bool:
    """Whether a use, but for a sign, is an argument of a math call with a float result."""
    parent = body.parent(use)
    while isinstance(parent, Unary) and parent.operator in ("-", "+"):
        parent = body.parent(parent)
    return isinstance(parent, Call) and bool(pure(parent)) and bool(end(parent, body))


def _from(node: Expression, bytes: int) -> bool:
    """Whether a float goes in as it is."""
    if isinstance(node, Cast) and node.implicit and floating(node.type, 8):
        return floating(node.operand.type, bytes)
    return floating(node.type, bytes)


def _clear(call: Call, body: Body) -> bool:
    """Whether float arithmetic is all there is between the call and the float that takes the result."""
    node: Expression = call
    parent = body.parent(node)
    while isinstance(parent, Binary) and parent.operator in ARITHMETIC:
        other = parent.right if parent.left is node else parent.left
        if not (isinstance(other, Cast) and widened_float(other)):
            return False
        node, parent = parent, body.parent(parent)
    return rounded(node, body)


def _finding(site: Site, function: Function, context: Context) -> Finding:
    call, name = site.call, base(site.call.name)
    argument = "a float" if site.floats else "an integer"
    conversions = site.floats + site.integers + 1
    notes = [f"the argument is {argument}, the result is not used as a double"]
    if site.calls:
        notes = [f"`{function.name}` is declared `double`, but all calls pass floats and use floats"]
    notes += [f"`{one.name}` is declared `double`, but holds a float" for one in dict.fromkeys(site.declared)]
    ratio = context.fp64_ratio
    if ratio is not None and ratio > 2:
        notes.append(f"FP64 throughput on sm_{context.arch} is 1/{ratio} of FP32")
    return RULE.finding(
        call.span,
        f"double math call: `{render(call)}` runs in double and needs {conversions} conversions",
        notes=tuple(notes),
        help=_help(site, name, function),
        kernel=function.name,
        evidence={"conversions": conversions, "function": name},
        related=(*at_spans(_declarations(site), "declaration"), *at_spans(_spans(site.calls), "called here")),
        fix=_fix(site, name, context),
        impact=context.impact_of(Saving(Basis.DOUBLE, instructions=((call, _saved(name, conversions)),))),
    )


def _declarations(site: Site) -> tuple[Span, ...]:
    return tuple(dict.fromkeys(one.span for one in site.declared))


def _spans(calls: tuple[Call, ...]) -> tuple[Span, ...]:
    return tuple(dict.fromkeys(one.span for one in calls))


def _saved(name: str, conversions: int) -> Instructions:
    """What the float function has less."""
    double = instructions(name, 8) or UNKNOWN_DOUBLE
    single = instructions(name, 4) or Instructions(double.all)
    more = max(0, double.all - single.all)
    return Instructions(more + conversions, double.double, conversions)


def _help(site: Site, name: str, function: Function) -> str:
    if site.calls:
        return f"declare parameters and result of `{function.name}` as `float`, or add such an overload"
    suffix = ""
    if site.literals and not site.integers:
        suffix = f"add the suffix `f` to `{site.literals[0].spelling or render(site.literals[0])}`"
    if site.declared:
        return f"declare `{site.declared[0].name}` as `float`" + (f" and {suffix}" if suffix else "")
    if suffix:
        return suffix
    return f"call `{name}f`" if suffixed(name) else "cast the arguments to float"


def _fix(site: Site, name: str, context: Context) -> Fix | None:
    """Suffixes for the literals, or one for the name where an argument is an integer."""
    if not site.clear or not all(suffixable(literal) for literal in site.literals):
        return None
    edits = tuple(Edit(_after(literal.span), "f") for literal in site.literals)
    if len(site.literals) + site.floats < len(site.call.arguments) or not edits:
        source = call_text.arguments(site.call, context)
        if source is None or source[0] != name or not suffixed(name):
            return None
        edits = (*edits, Edit(call_text.after_name(site.call, source[0]), "f"))
    exact = name in _EXACT and not site.integers
    numbers = [float(n.value) for n in site.literals if isinstance(n.value, int | float)]
    return Fix(edits, safe=exact and all(map(same_as_float, numbers)))


def _after(span: Span) -> Span:
    return Span(span.path, span.end_line, span.end_column, span.end_line, span.end_column)
