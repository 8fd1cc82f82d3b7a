"""
## What it does
Finds calls of mathematical functions in device code that run in double though a float, or an integer, goes in
and a float is made of the result, or it is compared with one: `fmin(x, 1.0)`, `pow(x, 3)`, `sqrt(n)`.

## Why it costs
In C++ `fmin`, `pow` and the others are overloaded: with only floats the float function is called. One
argument that is a double or an integer is enough to choose the double function, and then each float is
converted, the function runs in double, and its result is converted back. On an H200, which does double at
half the rate of float, `fmax` takes ten times as long or more in double, `exp` 7 times, `log` 4 times, `pow`
and `sqrt` 3 times and `sin` twice. GPUs for graphics have one double unit for 32 or 64 float units.

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

## Limits
Silent where a cast asks for double (`sin((double)x)`), where an argument is a double by itself, where the
result is kept, compared or added to as a double, in host code, and for constant arguments and for locals that
are set once to a constant, which the compiler folds. Where a literal inside an argument is the cause
(`sqrt(1.0 - x * x)`) CU601 speaks, and of powers that have a cheaper form CU606 does. Silent where the call
cannot be felt: where loops nest deeper elsewhere in the function or in what it calls, in a branch that one
thread takes, and in functions called from such places only. In a template it speaks only where every
instantiation has the call.

The fix adds `f` to the literals, or to the function's name where an integer is the cause. It is safe for
functions that return one of their arguments or an exactly rounded result, with literals that a float holds
exactly; elsewhere the last bits of the result may differ.

## Source
004 'Runtime math: double literals and functions'; times measured on an H200 with nvcc 13.0.
"""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.analyses.dead import settled
from cudalint.analyses.device_code import Body, DeviceCode
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
from cudalint.gpu.rates import fp64_ratio
from cudalint.ir.expressions import Binary, Call, Cast, Expression, Literal
from cudalint.ir.render import render
from cudalint.ir.walk import walk
from cudalint.rule.findings import Edit, Finding, Fix
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.weight import minor
from cudalint.source.span import Span

RULE = Rule(
    code="CU602",
    name="double-math-call",
    severity=Severity.WARNING,
    summary="a math function runs in double though a float goes in and comes out",
    fixes=("safe", "unsafe"),
    guides=("004",),
)

# Their float forms give the double result rounded once.
_EXACT = frozenset(
    "fmin fmax min max fabs abs floor ceil trunc rint nearbyint copysign fdim fmod sqrt".split()
)


class Site(Struct, frozen=True):
    """A call in double that floats or integers go into. clear: a float takes the result, and nothing round
    the call is double for another reason.
    """

    call: Call
    literals: tuple[Literal, ...]
    integers: int
    floats: int
    clear: bool

    @property
    def span(self) -> Span:
        return self.call.span


def check(code: DeviceCode, context: Context) -> Iterator[Finding]:
    """One finding for each call, over all instantiations of the code it stands in."""
    for site, body in code.agreed(_sites):
        if minor(site.call, body, code):
            continue
        yield _finding(site, body.function.name, context)


def _sites(body: Body) -> Iterator[Site]:
    for call in body.of(Call):
        if not pure(call) or not floating(call.type, 8) or power(call, body) is not None:
            continue
        if not all(settled(argument, body) for argument in call.arguments):
            site = _site(call, body)
            if site is not None and end(call, body):
                yield site


def _site(call: Call, body: Body) -> Site | None:
    """The call where nothing in its arguments asks for a double."""
    literals: list[Literal] = []
    integers = floats = single = 0
    for argument in call.arguments:
        if constant(argument) and body.constant(argument) is not None:
            literals += (n for n in walk(argument) if isinstance(n, Literal) and floating(n.type, 8))
        elif _from(argument, 4):
            floats += 1
            single += isinstance(argument, Cast)
        elif whole(argument.type) or (isinstance(argument, Cast) and constant(argument)):
            integers += body.constant(argument) is None
        else:
            return None  # a double, or float arithmetic that a literal made double
    causes = (
        bool(literals)
        or integers
        or any(whole(a.type) for a in call.arguments)
        or single == len(call.arguments)
    )
    if not floats + integers or not causes:
        return None
    return Site(call, tuple(literals), integers, floats, _clear(call, body))


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


def _finding(site: Site, kernel: str, context: Context) -> Finding:
    call, name = site.call, base(site.call.name)
    goes_in = "a float" if site.floats else "an integer"
    conversions = site.floats + site.integers + 1
    notes = [f"{conversions} conversions and a double `{name}` where {goes_in} goes in and no double is kept"]
    ratio = fp64_ratio(context.arch)
    if ratio is not None and ratio > 2:
        notes.append(f"double precision has 1/{ratio} of the rate of float on sm_{context.arch}")
    return RULE.finding(
        call.span,
        f"double math call: `{render(call)}` runs in double, with {conversions} conversions",
        notes=tuple(notes),
        help=_help(site, name),
        kernel=kernel,
        evidence={"conversions": conversions, "function": name},
        fix=_fix(site, name, context),
    )


def _help(site: Site, name: str) -> str:
    if site.literals and not site.integers:
        return f"give `{site.literals[0].spelling or render(site.literals[0])}` the suffix `f`"
    return f"call `{name}f`" if suffixed(name) else "convert the arguments to float"


def _fix(site: Site, name: str, context: Context) -> Fix | None:
    """Suffixes for the literals, or one for the name where an argument is an integer."""
    if not site.clear or not all(suffixable(literal) for literal in site.literals):
        return None
    edits = tuple(Edit(_behind(literal.span), "f") for literal in site.literals)
    if len(site.literals) + site.floats < len(site.call.arguments) or not edits:
        source = call_text.arguments(site.call, context)
        if source is None or source[0] != name or not suffixed(name):
            return None
        edits = (*edits, Edit(call_text.after_name(site.call, source[0]), "f"))
    exact = name in _EXACT and not site.integers
    numbers = [float(n.value) for n in site.literals if isinstance(n.value, int | float)]
    return Fix(edits, safe=exact and all(map(same_as_float, numbers)))


def _behind(span: Span) -> Span:
    return Span(span.path, span.end_line, span.end_column, span.end_line, span.end_column)
