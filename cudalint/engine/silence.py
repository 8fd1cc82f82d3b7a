"""Why a line draws nothing: every rule is asked, whatever is selected and however little a fix saves. What it
found on the line, or had to look at there, is held against the settings.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cudalint.engine import subjects, suppression
from cudalint.engine.selection import enabled
from cudalint.host.facts import HostCall, LaunchFact
from cudalint.ir.unit import Function
from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context, LoadedRule
from cudalint.settings.config import Settings
from cudalint.settings.location import Place
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.catalogue import facts
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.source.span import Span
from cudalint.source.suppressions import Suppression
from cudalint.source.text import shown

Table = dict[str, Any]

_NAMING = ("expression", "condition", "index", "name")  # attributes that say what a fact is about


def table(
    place: Place,
    rules: tuple[LoadedRule, ...],
    findings: Iterable[Finding],
    comments: tuple[Suppression, ...],
    context: Context,
    settings: Settings,
) -> Table:
    """What stands on the line by kind, and one row for each rule: what it found there and what becomes of
    that, else what it looked at. findings: of all rules, before any is left out.
    """
    kinds = dict.fromkeys(kind for rule in rules for kind in _kinds(rule))
    there = {kind: tuple(_standing(kind, place, context)) for kind in kinds}
    here = [finding for finding in findings if any(place.holds(span) for span in _spans(finding))]
    lines = next((rows for path, rows in context.lines.items() if place.holds(_line(path, place))), ())
    return {
        "path": place.path,
        "line": place.line,
        "text": lines[place.line - 1].strip() if place.line <= len(lines) else "",
        "not_modelled": [
            {"kernel": kernel.name, "reason": kernel.modelling.failure}
            for kernel in there.get(KernelFacts, ())
            if not kernel.modelled
        ],
        "facts": [
            {"kind": _word(kind), "about": list(dict.fromkeys(filter(None, map(_about, items))))}
            for kind, items in there.items()
            if items and _has_places(kind)
        ],
        "rules": [
            _judged(row, rule, _on(place, comments), context, settings)
            for rule in rules
            for row in _rows(rule, [f for f in here if f.code == rule.rule.code], there)
        ],
    }


def _line(path: str, place: Place) -> Span:
    return Span(path, place.line, 1, place.line, 1)


def _spans(finding: Finding) -> tuple[Span, ...]:
    """Its place and those that belong to it."""
    return finding.span, *(related.span for related in finding.related)


def _on(place: Place, comments: tuple[Suppression, ...]) -> tuple[Suppression, ...]:
    """The comments that silence codes on the line."""
    return tuple(
        comment
        for comment in comments
        for code in comment.codes[:1] or ("",)
        if suppression.covers(comment, code, replace(comment.span, line=place.line))
        and shown(comment.span.path) == place.path
    )


# --- what stands on the line ---


def _kinds(rule: LoadedRule) -> tuple[type, ...]:
    """What a rule looks at: the facts that it takes, else its subject."""
    return rule.facts or (rule.subject,)


def _has_places(kind: type) -> bool:
    """Whether its objects stand somewhere, and are not about the whole file."""
    return kind in facts() or kind in (Function, KernelFacts, HostCall, LaunchFact)


def _standing(kind: type, place: Place, context: Context) -> Iterator[Any]:
    """The objects of a kind on the line; all of a kind that is about the whole file."""
    for item in subjects.subjects(kind, context):
        if not _has_places(kind) or any(place.holds(span) for span in _places(item)) or _body(item, place):
            yield item


def _places(item: Any) -> Iterator[Span]:
    """Its spans, and those of its parts."""
    for name in item.__struct_fields__:
        value = getattr(item, name)
        if isinstance(value, Span):
            yield value
        elif isinstance(value, Struct) and isinstance(part := getattr(value, "span", None), Span):
            yield part


def _body(item: Any, place: Place) -> bool:
    """Whether the line is in the function."""
    function = item.function if isinstance(item, KernelFacts) else item
    if not isinstance(function, Function):
        return False
    extent = function.extent
    return place.holds(_line(extent.path, place)) and extent.line <= place.line <= extent.end_line


def _word(kind: type) -> str:
    """'private array' for PrivateArray."""
    if not _has_places(kind):
        return "the whole file"
    return re.sub(r"(?<!^)(?=[A-Z])", " ", kind.__name__.removesuffix("Facts").removesuffix("Fact")).lower()


def _about(item: Any) -> str:
    named = (getattr(item, name, None) for name in _NAMING)
    return next((text for text in named if isinstance(text, str) and text), "")


# --- what becomes of it ---


class _Row(Struct, frozen=True):
    """A finding of the rule on the line, or None and what it looked at there."""

    finding: Finding | None
    kinds: tuple[type, ...] = ()
    unknown: tuple[Access, ...] = ()


def _rows(rule: LoadedRule, mine: list[Finding], there: dict[type, tuple[Any, ...]]) -> list[_Row]:
    if mine:
        return [_Row(finding) for finding in mine]
    seen = tuple(kind for kind in _kinds(rule) if there[kind])
    unknown = tuple(item for item in there.get(Access, ()) if Access in seen and item.basis.unknown)
    return [_Row(None, seen, unknown)]


def _judged(
    row: _Row, rule: LoadedRule, comments: tuple[Suppression, ...], context: Context, settings: Settings
) -> Table:
    finding = row.finding
    if finding is not None:
        why = _why_not(finding, rule, comments, context, settings)
        return _row(rule, "not reported" if why else "reported", why, finding)
    if row.unknown:
        why = "; ".join(
            dict.fromkeys(f"`{a.expression}` has no number: {a.basis.unknown}" for a in row.unknown)
        )
        return _row(rule, "unknown", why)
    if row.kinds:
        return _row(rule, "nothing found", ", ".join(dict.fromkeys(map(_word, row.kinds))))
    return _row(rule, "no fact", ", ".join(map(_word, _kinds(rule))))


def _row(rule: LoadedRule, verdict: str, why: str, finding: Finding | None = None) -> Table:
    return {
        "code": rule.rule.code,
        "name": rule.rule.name,
        "verdict": verdict,
        "why": why,
        "message": finding.message if finding is not None else None,
        "line": finding.span.line if finding is not None else None,
    }


def _why_not(
    finding: Finding,
    rule: LoadedRule,
    comments: tuple[Suppression, ...],
    context: Context,
    settings: Settings,
) -> str:
    """What keeps a finding from being reported; '' where nothing does."""
    why = []
    if rule.rule.code not in enabled(settings):
        why.append("not selected" if rule.rule.default else f"opt-in: --extend-select {rule.rule.code}")
    if finding.impact is not None and finding.impact.high < settings.min_impact:
        why.append(f"below --min-impact {100 * settings.min_impact:g}: fixing it saves {finding.impact}")
    why += [
        f"silenced by the comment on line {comment.span.line}"
        for comment in comments
        if not comment.codes or finding.code in comment.codes
    ]
    if any(region.holds(finding.span) for region in context.unit.undecided):
        why.append("in code that may not be compiled")
    return "; ".join(why)
