"""
## What it does
Finds arithmetic in device code that an unsuffixed literal promotes to double: `x * 0.5` with a float `x`, or
with an integer one, as in `float y = pixel / 255.0`.

## Why it costs
A floating-point literal without a suffix is a double. The float operand is converted, the operation runs in
double precision and the result is converted back: three instructions instead of one. On an H200 one
conversion takes as long as 8 float operations. Graphics GPUs have one FP64 unit per 32 or 64 FP32 units; even
at half rate, the conversions and the wider registers remain.

nvcc avoids the double by itself for a single operation: for the sum, difference, product, quotient or
comparison of one float and a literal that a float represents exactly (`1.0 / x`, `x * 0.5`), rounded to float
at once. With one more operation in double (`x * 0.5 + y`, `s += x * 0.5`) or a literal such as 0.1,
everything stays double.

## Example
```cuda
float foo = bar * 0.123;
```

## Instead
```cuda
float foo = bar * 0.123f;
```
The fix adds `f` to every literal in the chain of operations. It is safe where a float holds every literal
exactly, unless a math function takes the result (`log(1.0 + x)` would lose small x). It is unsafe elsewhere:
the literal itself changes in its last bits, as `0.1` does, and with it the result.

## Limits
- Of integers alone, reported only where a float takes the result; or, where it is compared or becomes an
  integer again, if all of them have at most 16 bits.
- Not reported for what nvcc evaluates in float by itself (see above) or at compile time, in dead branches, or
  where the other operand or the use of the result is double.
- In templates, reported only if the operand is a float in every instantiation.
- A literal in a macro is reported once, without a fix; for a system macro such as `M_PI` the help is a cast.

## Source
000 section 11.1 (arithmetic instructions); 004 'Runtime math: double literals'.
"""

import re
from collections.abc import Iterator

from msgspec import Struct

from cudalint.analyses.dead import dead, folded
from cudalint.analyses.device_code import Body, DeviceCode
from cudalint.analyses.widened import (
    ARITHMETIC,
    COMPARISONS,
    constant,
    end,
    narrowed,
    same_as_float,
    suffixable,
    widened_float,
)
from cudalint.cuda.maths import floating, whole
from cudalint.gpu.functions import DIVISION, Instructions
from cudalint.gpu.rates import conversion_ratio
from cudalint.ir.expressions import Assign, Binary, Call, Cast, Expression, Literal, Unary
from cudalint.ir.render import render
from cudalint.ir.unit import Function
from cudalint.ir.walk import find
from cudalint.rule.findings import Edit, Finding, Fix
from cudalint.rule.macros import definition
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis
from cudalint.significance.saving import Saving
from cudalint.source.span import Span

RULE = Rule(
    code="CU601",
    name="double-literal",
    severity=Severity.WARNING,
    summary="a double literal promotes float arithmetic to double",
    fixes=("safe", "unsafe"),
    guides=("000 11.1", "004"),
    speed=True,
)


_SHORT = 2  # bytes of an integer that a float holds with eight bits to spare
_NAME = re.compile(r"[A-Za-z_]\w*(?:::\w+)*")
_NUMBER = re.compile(r"(?<![\w.])(?:\d+\.|\.\d|\d+[eE])")


class Site(Struct, frozen=True):
    """Literals that widen one operation. end: what becomes of the result, 'float' or 'decision'; called: a
    math function takes it before that; integers: those that are converted, where no float is.
    """

    literals: tuple[Literal, ...]
    operation: Binary | Assign
    end: str
    called: bool
    integers: tuple[Cast, ...] = ()

    @property
    def span(self) -> Span:
        return self.literals[0].span


def check(code: DeviceCode, context: Context) -> Iterator[Finding]:
    """One finding per widened operation, over all instantiations of its code."""
    # A literal in a template is meant double if some instantiation computes in double.
    for site, body in code.agreed(_sites):
        yield _finding(site, body.function, context)


def _sites(body: Body) -> Iterator[Site]:
    """The widened operations of a function's body that stay double and end as something else."""
    operations: list[Binary | Assign] = [*body.of(Binary), *body.of(Assign)]
    for node in operations:
        literals = _widening(node, body)
        end_of = end(node, body) if literals else ""
        if not end_of or _double_already(node, body) or narrowed(node, body):
            continue
        if not folded(node, body) and not dead(node, body):
            yield Site(literals + _outer_literals(node, body), node, end_of, _is_called_with(node, body))
    for node in body.of(Binary):
        integers = _integers(node, body)
        if integers and _needs_no_double(node, integers, body) and not dead(node, body):
            literals = tuple(one for one in find(node, Literal) if floating(one.type, 8))
            yield Site(literals, node, end(node, body), _is_called_with(node, body), integers)


def _integers(node: Binary, body: Body) -> tuple[Cast, ...]:
    """The integers that double literals, and nothing else, make a whole calculation in double of."""
    above = body.parent(node)
    if isinstance(above, Unary) or (isinstance(above, Binary) and above.operator in ARITHMETIC | COMPARISONS):
        return ()  # part of a larger one
    sides = (node.left, node.right) if node.operator in COMPARISONS else (node,)
    if not all(map(constant, sides)) or not any(floating(one.type, 8) for one in find(node, Literal)):
        return ()
    casts = (one for one in find(node, Cast) if whole(one.operand.type) and floating(one.type, 8))
    return tuple(one for one in casts if body.constant(one) is None)


def _needs_no_double(node: Binary, integers: tuple[Cast, ...], body: Body) -> bool:
    """Whether a float takes the result, or the integers are so short that it tells the same numbers apart."""
    becomes = end(node, body)
    return becomes == "float" or (becomes == "decision" and all(_short(one.operand) for one in integers))


def _short(node: Expression) -> bool:
    """Whether an integer has 16 bits at most, or is a sum or difference of such."""
    match node:
        case Cast(operand=operand, implicit=True):
            return _short(operand)
        case Binary(operator="+" | "-", left=left, right=right):
            return _short(left) and _short(right)
        case _:
            return whole(node.type) and node.type.bytes <= _SHORT


def _is_called_with(node: Binary | Assign, body: Body) -> bool:
    """Whether arithmetic on the result ends in the argument of a function."""
    above = next((one for one in body.ancestors(node) if not isinstance(one, Binary | Cast | Unary)), None)
    return isinstance(above, Call)


def _outer_literals(node: Binary | Assign, body: Body) -> tuple[Literal, ...]:
    """The literals of enclosing operations, which keep them double when the first ones are fixed."""
    found: tuple[Literal, ...] = ()
    for above in body.ancestors(node):
        if isinstance(above, Binary):
            found += _widening(above, body)
        elif not isinstance(above, Cast | Unary):
            break
    return found


def _double_already(node: Binary | Assign, body: Body) -> bool:
    """Whether another literal has made the float side double, so that this one adds nothing."""
    sides = (node.value,) if isinstance(node, Assign) else (node.left, node.right)
    parts = [part for side in sides for part in find(side, Binary)]
    return any(_widening(part, body) and not folded(part, body) for part in parts)


def _widening(node: Binary | Assign, body: Body) -> tuple[Literal, ...]:
    """The double literals on one side of an operation whose other side is a widened float."""
    match node:
        case Binary(operator=operator, left=left, right=right) if operator in ARITHMETIC | COMPARISONS:
            if widened_float(left):
                return _literals(right, body)
            return _literals(left, body) if widened_float(right) else ()
        case Assign(operator=operator, target=target, value=value) if operator in ARITHMETIC:
            return _literals(value, body) if floating(target.type, 4) else ()
        case _:
            return ()


def _literals(node: Expression, body: Body) -> tuple[Literal, ...]:
    """The double literals of an operand made of nothing else but integers and what the compiler folds with
    them; () for any other operand.
    """
    if not constant(node) and not (floating(node.type, 8) and body.constant(node) is not None):
        return ()
    return tuple(n for n in find(node, Literal) if floating(n.type, 8))


def _value(literal: Literal) -> float:
    return literal.value if isinstance(literal.value, float) else 0.0


def _finding(site: Site, function: Function, context: Context) -> Finding:
    first = site.literals[0]
    text = first.spelling or render(first)
    operator = f"{site.operation.operator}{'=' if isinstance(site.operation, Assign) else ''}"
    of = "arithmetic of integers" if site.integers else f"this float `{operator}`"
    how = "integers are converted, all" if site.integers else f"the float operand is converted, `{operator}`"
    fix = _fix(site)
    rounded = site.end == "float" and not site.called
    back = ", the result is rounded back to float" if rounded else ""
    conversions = (len(site.integers) or 1) + rounded
    bound_notes, bound_evidence = _bound(conversions, context.arch)
    saved = ((site.operation, _saved(site, conversions)),)
    written = " and ".join(f"`{literal.spelling}f`" for literal in site.literals)
    return RULE.finding(
        first.span,
        f"double literal: `{text}` promotes {of} to double",
        notes=(
            f"{how} runs in double{back}",
            *bound_notes,
        ),
        help=f"write {written}" if fix is not None else _by_hand(first, function, context),
        kernel=function.name,
        evidence={
            "exact": all(same_as_float(_value(literal)) for literal in site.literals),
            **bound_evidence,
        },
        fix=fix,
        impact=context.impact_of(Saving(Basis.DOUBLE, instructions=saved)),
    )


def _saved(site: Site, conversions: int) -> Instructions:
    """What the same in float leaves out: conversions of the slow kind, and all that is done in double."""
    parts = find(site.operation, Binary) if site.integers else (site.operation,)
    divisions = sum(part.operator == "/" and floating(part.type, 8) for part in parts)
    plain = sum(part.operator in ARITHMETIC and floating(part.type, 8) for part in parts) - divisions
    more = divisions * (DIVISION[8].all - DIVISION[4].all)
    return Instructions(conversions + more, max(1, plain) + divisions * DIVISION[8].double, conversions)


def _by_hand(literal: Literal, function: Function, context: Context) -> str:
    """What to do about a literal of a macro, or of a constant, that may stand where no edit reaches it."""
    name = context.text(literal.span)
    if not _NAME.fullmatch(name) or _has_number(definition(literal.span, context), context):
        return "add the suffix `f` to the literal"
    own = next((one.partition(" = ")[0] for one in function.assumed if one.endswith(" = float")), "")
    if own:
        return f"write `{own}({name})`"
    in_template = ", or cast to the template's type" if "float" in function.template_arguments else ""
    return f"write `(float){name}`{in_template}"


def _has_number(place: tuple[str, int] | None, context: Context) -> bool:
    """Whether a macro's definition has a number in its first line."""
    return place is not None and _NUMBER.search(context.lines[place[0]][place[1] - 1]) is not None


def _bound(conversions: int, arch: int) -> tuple[tuple[str, ...], dict[str, int]]:
    """The upper bound of what the conversions cost, as note and evidence; empty if the rate is unknown."""
    each = conversion_ratio(arch)
    if each is None:
        return (), {}
    most = conversions * each
    note = (
        f"up to {most}x as long as in float on sm_{arch} if arithmetic is the bottleneck: a conversion takes"
        f" as long as {each} float operations"
    )
    return (note,), {"up_to": most}


def _fix(site: Site) -> Fix | None:
    """Adds the suffix, where every literal is one token of the source as it stands."""
    if any(not suffixable(literal) for literal in site.literals):
        return None
    exact = all(same_as_float(_value(literal)) for literal in site.literals)
    edits = tuple(Edit(_after(literal.span), "f") for literal in site.literals)
    held = all(_short(one.operand) for one in site.integers)
    return Fix(edits, safe=exact and held and not site.called)


def _after(span: Span) -> Span:
    return Span(span.path, span.end_line, span.end_column, span.end_line, span.end_column)
