"""Calls of CUDA's own functions in the code of a function, and what is said of one that is old."""

from collections.abc import Iterator

from cudalint.cuda.old_api import Row
from cudalint.ir.expressions import Call, Member
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import walk
from cudalint.rule.findings import Edit, Finding, Fix
from cudalint.rule.rule import Context, Rule
from cudalint.source.conditions import for_a_release
from cudalint.source.span import Span


def uses(function: Function, context: Context) -> Iterator[Call | Member]:
    """Calls of functions that have no body in the unit, and fields that are read or written; without those
    that stand in code for one release of CUDA.
    """
    if function.body is None:
        return
    for node in walk(function.body):
        if not isinstance(node, Call | Member):
            continue
        if isinstance(node, Call) and _own(node, context.unit):
            continue
        yield node


def _own(call: Call, unit: Unit) -> bool:
    known = unit.functions.get(call.key or "")
    return known is not None and known.body is not None


def old(rule: Rule, row: Row, span: Span, context: Context, named: str, what: str) -> Iterator[Finding]:
    """The finding about one use; none in code that only one release of CUDA is given. named: how messages
    name it; what: 'gone' or how the old form is called.
    """
    if for_a_release(context.lines.get(span.path, ()), span.line):
        return
    edit = _renaming(row, span, context)
    evidence = {"name": row.name, "deprecated": row.deprecated or "", "removed": row.removed or ""}
    yield rule.finding(
        span,
        f"{named} is {_since(row, what)}",
        notes=(row.note,) if row.note else (),
        help=row.help,
        evidence={key: value for key, value in evidence.items() if value},
        fix=Fix((edit,), safe=True) if edit else None,
    )


def _since(row: Row, what: str) -> str:
    if row.removed and row.deprecated:
        return f"{what} since CUDA {row.removed} (deprecated since {row.deprecated})"
    if row.removed:
        return f"{what} since CUDA {row.removed}"
    return f"deprecated since CUDA {row.deprecated}" if row.deprecated else "deprecated (still in CUDA 13.0)"


def _renaming(row: Row, span: Span, context: Context) -> Edit | None:
    """The other name in the place of the old one, where the source spells it (a macro's body is left)."""
    if row.same is None or not context.text(span).startswith(row.name):
        return None
    end = span.column + len(row.name)
    return Edit(Span(span.path, span.line, span.column, span.line, end), row.same)
