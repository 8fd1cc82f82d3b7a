"""Uses of removed and deprecated CUDA functions and fields, and the findings about them."""

from collections.abc import Iterator

from cudalint.cuda.old_api import Row
from cudalint.ir.expressions import Call, Member
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find
from cudalint.rule.findings import Edit, Finding, Fix
from cudalint.rule.rule import Context, Rule
from cudalint.source.conditions import for_a_release
from cudalint.source.span import Span


def uses(function: Function, context: Context) -> Iterator[Call | Member]:
    """Calls of functions without a body in the unit, and accesses to fields."""
    if function.body is None:
        return
    for node in find(function.body, Call, Member):
        if isinstance(node, Call) and _own(node, context.unit):
            continue
        yield node


def _own(call: Call, unit: Unit) -> bool:
    known = unit.functions.get(call.key or "")
    return known is not None and known.body is not None


def old(rule: Rule, row: Row, span: Span, context: Context, named: str) -> Iterator[Finding]:
    """The finding about one use; none in code under a condition on the CUDA release. named: how the message
    names it.
    """
    if for_a_release(context.lines.get(span.path, ()), span.line):
        return
    edit = _renaming(row, span, context)
    evidence = {"name": row.name, "deprecated": row.deprecated or "", "removed": row.removed or ""}
    yield rule.finding(
        span,
        f"{named} is {_since(row)}",
        notes=(row.note,) if row.note else (),
        help=row.help,
        evidence={key: value for key, value in evidence.items() if value},
        fix=Fix((edit,), safe=True) if edit else None,
    )


def _since(row: Row) -> str:
    if row.removed and row.deprecated:
        return f"removed in CUDA {row.removed} (deprecated since {row.deprecated})"
    if row.removed:
        return f"removed in CUDA {row.removed}"
    return (
        f"deprecated since CUDA {row.deprecated}"
        if row.deprecated
        else "deprecated (still present in CUDA 13.0)"
    )


def _renaming(row: Row, span: Span, context: Context) -> Edit | None:
    """Replaces the old name, if the source spells it at the span (not in the body of a macro)."""
    if row.same is None or not context.text(span).startswith(row.name):
        return None
    end = span.column + len(row.name)
    return Edit(Span(span.path, span.line, span.column, span.line, end), row.same)
