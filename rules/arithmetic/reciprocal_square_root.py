"""
## What it does
Finds divisions by a square root in device code, `1 / sqrt(x)`, `y / sqrt(x)` and `sqrt(1 / x)`, where
`rsqrt` gives the quotient at once.

## Why it costs
The hardware computes the reciprocal of a square root, and nvcc builds the root out of it and then divides
by that, with a way round for each. It keeps to that although `rsqrtf` is there, because the last bit may
differ: only `-use_fast_math` makes it change over. nvcc 13.0 for sm_90 makes 101 instructions of
`1.0f / sqrtf(x)` and 4 of `rsqrtf(x)`, 119 of `1.0 / sqrt(x)` and 49 of `rsqrt(x)`, slow paths included. On
an H200 the float quotient takes 4.6 times as long and the double one 2.3 times.

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

## Limits
Silent in host code, where the root is kept in a variable first or computed for another place of the function
too, so that only the division would go, in a branch that a constant never takes, under a root of constants,
and for floats where the command in compile_commands.json or a file for make, CMake or Meson next to the
source or above it asks for `-use_fast_math`: the counts are for a build without. Silent where the division
cannot be felt: where loops nest deeper elsewhere in the function or in what it calls, in a branch that one
thread takes, and in functions that are called from such places only. Divisions by the same root, with nothing
between that changes it, are one finding: the compiler computes the root once; so are those that one macro
writes. In a template it speaks only where every instantiation has the division.

The fix of `1 / sqrt(x)` is safe, as the result is no less accurate: `rsqrtf` is off by 1.51 units in the last
place at most and `1.0f / sqrtf(x)` by 1.49 (over all normal floats), `rsqrt` by 0.51 where `1.0 / sqrt(x)` is
off by up to 1.50. The last bit can differ. With another numerator one more rounding comes in, and for
`sqrt(1 / x)` very small and infinite numbers differ, so there the fix is unsafe.

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
from cudalint.analyses.roots import Root, reciprocal_root
from cudalint.cuda.maths import floating
from cudalint.fixing import call_text
from cudalint.ir.expressions import Assign, Binary, Call, Cast, Expression
from cudalint.ir.render import render
from cudalint.ir.walk import Node
from cudalint.rule.findings import Edit, Finding, Fix, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.weight import minor
from cudalint.source.span import Span

RULE = Rule(
    code="CU605",
    name="reciprocal-square-root",
    severity=Severity.NOTE,
    summary="a division by a square root where rsqrt gives the quotient at once",
    fixes=("safe", "unsafe"),
    guides=("000",),
)

# Instructions by nvcc 13.0 for sm_90, slow paths included: the division and what replaces it.
_FLOAT = {True: (101, 4), False: (156, 6)}
_DOUBLE = {True: (119, 49), False: (170, 50)}
_MOST_RELATED = 8


class Site(Struct, frozen=True):
    """A division, and others by the same root, which the compiler computes once."""

    root: Root
    again: tuple[Root, ...]

    @property
    def span(self) -> Span:
        return self.root.span


def check(code: DeviceCode, context: Context) -> Iterator[Finding]:
    """One finding for each division, over all instantiations of the code it stands in."""
    for site, body in code.agreed(_sites):
        root = site.root
        if not (context.fast_math and floating(root.type, 4)) and not minor(root.node, body, code):
            yield _finding(site, body, context)


def _sites(body: Body) -> Iterator[Site]:
    groups: list[list[Root]] = []
    for root in sorted(_roots(body), key=lambda root: (root.span.line, root.span.column)):
        same = next((group for group in groups if computed_before(group[0].call, root.call, body)), None)
        if same is None:
            groups.append([root])
        else:
            same.append(root)
    for first, *more in groups:
        yield Site(first, tuple(more))


def _roots(body: Body) -> Iterator[Root]:
    candidates: list[Expression] = [*body.of(Binary), *body.of(Assign), *body.of(Call)]
    for node in candidates:
        root = reciprocal_root(node, body)
        if root is None or dead(node, body) or settled(root.inside or root.call.arguments[0], body):
            continue
        if root.inside or not _shared(root.call, body):
            yield root


def _shared(call: Call, body: Body) -> bool:
    """Whether the root itself is computed for another place too, so that only the division would go."""
    return any(
        other is not call and (computed_before(call, other, body) or computed_before(other, call, body))
        for other in body.of(Call)
        if other.name == call.name and not _below_a_bar(other, body)
    )


def _below_a_bar(call: Call, body: Body) -> bool:
    """Whether the call is a divisor as well."""
    below: Node = call
    for above in body.ancestors(call):
        if not isinstance(above, Cast):
            return isinstance(above, Binary) and above.operator == "/" and above.right is below
        below = above
    return False


def _finding(site: Site, body: Body, context: Context) -> Finding:
    root = site.root
    single = floating(root.type, 4)
    name = "rsqrtf" if root.call.name == "sqrtf" else "rsqrt"  # which is overloaded as `sqrt` is
    instead = f"{name}({render(root.inside or root.call.arguments[0])})"
    build = " without -use_fast_math" if single else ""
    told = f"takes a root and a division{build}, with `{name}` a product"
    notes = [f"on an H200 it takes more than {'4 times' if single else 'twice'} as long by itself"]
    evidence: dict[str, int] = {}
    if root.one or not _constant(root, body):
        cost, cheaper = (_FLOAT if single else _DOUBLE)[root.one]
        told = f"takes about {cost} instructions{build}, with `{name}` {cheaper}"
        notes.insert(0, "counted with nvcc 13.0 for sm_90, slow paths included")
        evidence = {"instructions": cost, "instead": cheaper}
    if site.again:
        notes.append("the compiler keeps the root for the other divisions by it")
    return RULE.finding(
        root.span,
        f"reciprocal square root: `{render(root.node)}` {told}",
        notes=tuple(notes),
        help=f"write `{instead}`" if root.one else f"multiply by `{instead}`",
        kernel=body.function.name,
        evidence=evidence,
        related=tuple(Related(more.span, "the same root") for more in site.again[:_MOST_RELATED]),
        fix=_fix(site, name, context),
    )


def _constant(root: Root, body: Body) -> bool:
    """Whether the numerator may be a constant, of which the compiler makes less."""
    return isinstance(root.node, Binary) and settled(root.node.left, body)


def _fix(site: Site, name: str, context: Context) -> Fix | None:
    """`rsqrt` in place of the quotients, where all of them are written out."""
    fixes = [_rewritten(root, name, context) for root in (site.root, *site.again)]
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
    if source is None:
        return None
    made, called = f"{name}({source[1][0]})", context.text(root.call.span)
    if root.one and re.fullmatch(rf"1(?:\.0*)?f?\s*/\s*{re.escape(called)}", text):
        return Fix((Edit(root.span, made),), safe=True)
    above = root.node.left if isinstance(root.node, Binary) else None
    if root.one or above is None:
        return None
    before = _between(above.span, root.call.span)
    if not floating(above.type, 4 if floating(root.type, 4) else 8) or context.text(before).strip() != "/":
        return None
    return Fix((Edit(before, " * "), Edit(root.call.span, made)), safe=False)


def _between(first: Span, second: Span) -> Span:
    return Span(first.path, first.end_line, first.end_column, second.line, second.column)
