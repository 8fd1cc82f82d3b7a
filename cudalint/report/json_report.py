"""The JSON contract."""

import json
import math
from typing import Any

from cudalint.report.content import Content
from cudalint.report.fingerprint import Fingerprints
from cudalint.rule.findings import Finding, Fix, Profiled
from cudalint.significance.impact import Impact
from cudalint.source.span import Span
from cudalint.source.text import printable


def render(content: Content) -> str:
    """The whole report as one JSON document."""
    prints = Fingerprints()
    document = {
        "version": 1,
        "tool": {"name": "cudalint", "version": content.version},
        "arch": content.arch,
        "archs": list(content.archs),
        "findings": [table(item, content, prints) for item in content.findings],
        "files": [
            {"path": f.path, "status": f.status, "reason": f.reason}
            | ({"lost": list(f.lost)} if f.lost else {})
            | ({"bounded": list(f.bounded)} if f.bounded else {})
            for f in content.files
        ],
    }
    return dump(document)


def dump(document: Any) -> str:
    """Indented JSON; numpy numbers as plain ones, infinities and NaN as null."""
    try:
        text = json.dumps(document, indent=2, ensure_ascii=False, default=plain, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(document), indent=2, ensure_ascii=False, default=plain)
    return printable(text) + "\n"


def _finite(value: Any) -> Any:
    if hasattr(value, "tolist"):
        value = value.tolist()
    match value:
        case float() if not math.isfinite(value):
            return None
        case dict():
            return {key: _finite(item) for key, item in value.items()}
        case list() | tuple():
            return [_finite(item) for item in value]
        case _:
            return value


def plain(value: Any) -> Any:
    """A JSON value for what the json module cannot encode: numpy scalars and arrays, sets, records."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, set | frozenset):
        return sorted(value)
    return str(value)


def table(item: Finding, content: Content, prints: Fingerprints) -> dict[str, Any]:
    """A finding with the keys of the contract."""
    lines = content.sources.lines(item.span.path)
    return {
        "code": item.code,
        "name": item.name,
        "severity": item.severity.value,
        "confidence": item.confidence.value,
        **place(item.span),
        "kernel": item.kernel,
        "archs": list(item.archs or content.archs),
        "message": item.message,
        "notes": list(item.notes),
        "help": item.help,
        "evidence": item.evidence,
        "impact": impact(item.impact),
        "condition": item.condition,
        "profile": profile(item.profile),
        "related": [
            {
                "path": other.span.path,
                "line": other.span.line,
                "column": other.span.column,
                "message": other.message,
                "same": other.same,
            }
            for other in item.related
        ],
        "fix": _fix(item.fix),
        "fingerprint": prints.finding(item.code, item.span.path, lines, item.span.line),
    }


def impact(found: Impact | None) -> dict[str, Any] | None:
    """An impact with the keys of the contract; None where speed is not the matter."""
    if found is None:
        return None
    return {"low": round(found.low, 4), "high": round(found.high, 4), "basis": found.basis.value}


def profile(found: Profiled | None) -> dict[str, Any] | None:
    """What a profile says, with the keys of the contract; None where none is given."""
    return None if found is None else {"share": round(found.share, 4), "confirmed_by": list(found.rules)}


def place(span: Span) -> dict[str, Any]:
    """Path and range of a span, with the keys of the contract."""
    return {
        "path": span.path,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def _fix(fix: Fix | None) -> dict[str, Any] | None:
    if fix is None:
        return None
    return {"safe": fix.safe, "edits": [{**place(edit.span), "text": edit.text} for edit in fix.edits]}
