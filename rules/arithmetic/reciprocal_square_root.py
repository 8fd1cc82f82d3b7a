"""
## What it does
Finds divisions by a square root in device code, `1 / sqrt(x)`, `y / sqrt(x)` and `sqrt(1 / x)`, that `rsqrt`
computes directly, also where a function of the project returns the root; and those by `hypot`, `norm3d` and
`norm4d`, for which there are `rhypot`, `rnorm3d` and `rnorm4d`.

## Why it costs
The hardware computes the reciprocal square root; nvcc derives the square root from it and then divides by
that, each with a slow path. It does not use `rsqrtf` unless `-use_fast_math` is given, because the last bit
may differ. nvcc 13.0 for sm_90 compiles `1.0f / sqrtf(x)` to 101 instructions and `rsqrtf(x)` to 4,
`1.0 / sqrt(x)` to 119 and `rsqrt(x)` to 49, including slow paths. On an H200 the quotient takes 4.6x as long
in float and 2.3x in double, that by `hypotf` 2.1x as `rhypotf`, that by `norm3df` 1.8x as `rnorm3df`.

## Example
```cuda
float inverse = 1.0f / sqrtf(dx * dx + dy * dy);
force = mass / sqrtf(r2);
```

## Instead
```cuda
float inverse = rsqrtf(dx * dx + dy * dy);
force = mass * rsqrtf(r2);
```
The fix is unsafe, because results may change in the last bit: the maximum error is 1.51 ulp for `rsqrtf` and
1.49 for `1.0f / sqrtf(x)`, 0.51 for `rsqrt` and 1.50 for `1.0 / sqrt(x)`. Other numerators add a rounding,
and `sqrt(1 / x)` differs for very small and infinite numbers.

## Limits
- Not reported where the square root itself is also used: only the division would be saved. A comparison to a
  constant does not count, because the square may be compared.
- Not reported for constant arguments, in dead branches, and for float if the build uses `-use_fast_math`.
- Divisions by the same root are one finding, because the compiler computes the root once.
- In templates, reported only if every instantiation has the division.

## Source
000 section 11.1 (reciprocal square root); instruction counts by nvcc 13.0.88, times and errors measured on an
H200.
"""

import re
from collections.abc import Iterator

from msgspec import Struct

from cudalint.analyses.dead import dead, settled
from cudalint.analyses.device_code import Body, DeviceCode
from cudalint.analyses.repeated import computed_before
from cudalint.analyses.roots import RECIPROCALS, Root, only_divides, reciprocal_root
from cudalint.cuda.maths import base, floating
from cudalint.fixing import call_text
from cudalint.gpu.functions import DIVISION, Instructions
from cudalint.ir.expressions import Assign, Binary, Call, Expression
from cudalint.ir.render import render
from cudalint.rule.findings import Edit, Finding, Fix
from cudalint.rule.related import repeated
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis
from cudalint.significance.saving import Saving
from cudalint.source.span import Span

RULE = Rule(
    code="CU605",
    name="reciprocal-square-root",
    severity=Severity.NOTE,
    summary="a division by a square root that rsqrt computes directly",
    fixes=("unsafe",),
    guides=("000",),
    speed=True,
)

# Instructions by nvcc 13.0 for sm_90, including slow paths: the division and its replacement.
_FLOAT = {True: (101, 4), False: (156, 6)}
_DOUBLE = {True: (119, 49), False: (170, 50)}

# By the function without its `f`: what the quotient takes, in float and in double.
_SLOWER = {
    "sqrt": ("more than 4x as long", "more than 2x as long"),
    "hypot": ("2.1x as long", "1.9x as long"),
    "norm3d": ("1.8x as long", "1.4x as long"),
    "norm4d": ("longer", "longer"),
}

# What is saved on the fast way: the division by `gpu/functions.py`, its multiplication aside.
_SAVED = {True: Instructions(DIVISION[4].all - 1, 0, 1), False: Instructions(DIVISION[8].all - 1, 7)}


class Site(Struct, frozen=True):
    """A division, and others by the same square root, which the compiler computes once."""

    root: Root
    repeats: tuple[Root, ...]

    @property
    def span(self) -> Span:
        return self.root.span


def check(code: DeviceCode, context: Context) -> Iterator[Finding]:
    """One finding per square root that is divided by, over all instantiations of its code."""
    for site, body in code.agreed(_sites):
        root = site.root
        if not (context.fast_math and floating(root.type, 4)):
            yield _finding(site, body, context)


def _sites(body: Body) -> Iterator[Site]:
    groups: list[list[Root]] = []
    for root in sorted(_roots(body), key=lambda root: (root.span.line, root.span.column)):
        same = next((group for group in groups if _is_same(group[0].call, root.call, body)), None)
        if same is None:
            groups.append([root])
        else:
            same.append(root)
    for first, *more in groups:
        yield Site(first, tuple(more))


def _is_same(one: Call, two: Call, body: Body) -> bool:
    return one is two or computed_before(one, two, body)


def _roots(body: Body) -> Iterator[Root]:
    candidates: list[Expression] = [*body.of(Binary), *body.of(Assign), *body.of(Call)]
    for node in candidates:
        root = reciprocal_root(node, body)
        if root is None or dead(node, body) or _known(root, body):
            continue
        if root.inside or not _root_is_used(root.call, body):
            yield root


def _known(root: Root, body: Body) -> bool:
    """Whether the compiler may know the number under the root."""
    under = (root.inside,) if root.inside is not None else root.call.operands
    return bool(under) and all(settled(part, body) for part in under)


def _root_is_used(call: Call, body: Body) -> bool:
    """Whether the root is also used elsewhere, so that only the division would be saved."""
    return any(
        other is not call and (computed_before(call, other, body) or computed_before(other, call, body))
        for other in body.of(Call)
        if other.name == call.name and not only_divides(other, body)
    )


def _finding(site: Site, body: Body, context: Context) -> Finding:
    root, name = site.root, _reciprocal(site.root)
    single, square = floating(root.type, 4), base(root.root.name) == "sqrt"
    build = " without -use_fast_math" if single else ""
    taken = "a square root" if square else f"`{root.root.name}`"
    comparison = f"takes {taken} and a division{build}, with `{name}` a multiplication"
    notes = [f"takes {_SLOWER[base(root.root.name)][0 if single else 1]} on an H200"]
    evidence: dict[str, int] = {}
    if root.helper:
        notes.insert(0, f"`{root.helper}` returns `{render(root.root)}`")
    if square and (root.one or not _constant(root, body)):
        cost, cheaper = (_FLOAT if single else _DOUBLE)[root.one]
        comparison = f"takes about {cost} instructions{build}, with `{name}` {cheaper}"
        notes.insert(0, "instructions counted with nvcc 13.0 for sm_90, including slow paths")
        evidence = {"instructions": cost, "instead": cheaper}
    if site.repeats:
        notes.append("the compiler reuses the square root for the other divisions by it")
    return RULE.finding(
        root.span,
        f"reciprocal square root: `{render(root.node)}` {comparison}",
        notes=tuple(notes),
        help=_help(root, name),
        kernel=body.function.name,
        evidence=evidence,
        related=repeated(site.repeats, "same square root"),
        fix=_fix(site, name, context),
        impact=context.impact_of(Saving(Basis.ISSUE, instructions=((root.node, _SAVED[single]),))),
    )


def _reciprocal(root: Root) -> str:
    """The function that gives the reciprocal; of these only `rsqrt` has an overload for floats."""
    name = RECIPROCALS[base(root.root.name)]
    overloaded = name == "rsqrt" and not root.root.name.endswith("f")
    return f"{name}f" if floating(root.type, 4) and not overloaded else name


def _help(root: Root, name: str) -> str:
    under = (root.inside,) if root.inside is not None else root.root.arguments
    instead = f"`{name}({', '.join(map(render, under))})`"
    if root.helper:
        return f"multiply by the result of a function like `{root.helper}` that returns {instead}"
    return f"write {instead}" if root.one else f"multiply by {instead}"


def _constant(root: Root, body: Body) -> bool:
    """Whether the numerator may be a constant, which takes fewer instructions."""
    return isinstance(root.node, Binary) and settled(root.node.left, body)


def _fix(site: Site, name: str, context: Context) -> Fix | None:
    """`rsqrt` in place of the quotients, if none of them comes from a macro."""
    fixes = [_rewritten(root, name, context) for root in (site.root, *site.repeats)]
    known = [fix for fix in fixes if fix is not None]
    if len(known) < len(fixes):
        return None
    return Fix(tuple(edit for fix in known for edit in fix.edits), safe=all(fix.safe for fix in known))


def _rewritten(root: Root, name: str, context: Context) -> Fix | None:
    text = context.text(root.span)
    if root.inside is not None:
        inner = context.text(root.inside.span)
        pattern = rf"(?:std::|::)?{root.call.name}\s*\(\s*1(?:\.0*)?f?\s*/\s*{re.escape(inner)}\s*\)"
        whole = inner and re.fullmatch(pattern, text)
        return Fix((Edit(root.span, f"{name}({inner})"),), safe=False) if whole else None
    source = call_text.arguments(root.call, context)
    if root.helper or source is None or not root.span.contains(root.call.span):
        return None
    made, called = f"{name}({', '.join(source[1])})", context.text(root.call.span)
    if root.one and re.fullmatch(rf"1(?:\.0*)?f?\s*/\s*{re.escape(called)}", text):
        return Fix((Edit(root.span, made),), safe=False)
    above = root.node.left if isinstance(root.node, Binary) else None
    if root.one or above is None:
        return None
    before = _between(above.span, root.call.span)
    if not floating(above.type, 4 if floating(root.type, 4) else 8) or context.text(before).strip() != "/":
        return None
    return Fix((Edit(before, " * "), Edit(root.call.span, made)), safe=False)


def _between(first: Span, second: Span) -> Span:
    return Span(first.path, first.end_line, first.end_column, second.line, second.column)
