"""Findings caused by the body of a macro are one finding, however often the macro is expanded.

The body is one piece of source, like that of a template: one edit fixes every expansion. The span of such a
finding is the whole expansion.
"""

import re
from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context
from cudalint.source.span import Span

_MOST_RELATED = 8
_NAME = re.compile(r"([A-Za-z_]\w*)\s*(\(.*\))?", re.DOTALL)

_Place = tuple[str, int]


def together(findings: Iterable[Finding], context: Context, codes: frozenset[str]) -> tuple[Finding, ...]:
    """The findings in order, those of one macro merged at its first expansion. codes: of the rules that read
    the source, not what happens when it runs.
    """
    groups: dict[Any, list[Finding]] = {}
    for number, finding in enumerate(findings):
        written = finding.code in codes and finding.fix is None
        body = definition(finding.span, context) if written else None
        same = (finding.code, body, msgspec.json.encode(finding.evidence)) if body else number
        groups.setdefault(same, []).append(finding)
    return tuple(_one(group, context) for group in groups.values())


def _one(group: list[Finding], context: Context) -> Finding:
    first, *more = group
    if not more:
        return first
    name = context.text(first.span).partition("(")[0].strip()
    places = f"{len(more)} more place{'s' if len(more) > 1 else ''}"
    others = tuple(Related(other.span, f"`{name}` expanded here") for other in more)
    return replace(
        first,
        notes=(
            *first.notes,
            f"in the body of macro `{name}`, also expanded at {places}",
        ),
        related=(first.related + others)[:_MOST_RELATED],
    )


def definition(span: Span, context: Context) -> _Place | None:
    """Path and line where the project defines the macro expanded at the span; None for other spans."""
    match = _NAME.fullmatch(context.text(span))
    if match is None or not _closed(match.group(2) or "()"):
        return None
    pattern = re.compile(rf"\s*#\s*define\s+{match.group(1)}\b")
    nearest: _Place | None = None
    for path, lines in context.lines.items():
        own = path == span.path
        for number, line in enumerate(lines, 1):
            if (
                match.group(1) in line
                and pattern.match(line)
                and (nearest is None or (own and number < span.line))
            ):
                nearest = path, number
    return nearest


def _closed(text: str) -> bool:
    """Whether the parenthesis that opens the text is closed by its last character."""
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if not depth:
            return place == len(text) - 1
    return False
