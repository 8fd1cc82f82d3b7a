"""SARIF 2.1.0 for GitHub code scanning."""

import zlib
from pathlib import Path
from typing import Any
from urllib.parse import quote

from msgspec.structs import replace

from cudalint.report.content import Content, plural
from cudalint.report.fingerprint import Fingerprints
from cudalint.report.json_report import dump, impact, profile
from cudalint.rule import guides
from cudalint.rule.findings import Confidence, Finding, Fix, Related
from cudalint.rule.pages import category, markdown, page, sections
from cudalint.rule.rule import LoadedRule
from cudalint.settings.severity import Severity
from cudalint.source.span import Span
from cudalint.source.text import printable

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "%SRCROOT%"
_MOST_RESULTS = 25_000  # of a run that code scanning accepts
_MOST_BYTES = 10 * 10**6  # of a log, compressed
_MOST_PLACES = 1000  # of a result
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}
_PROBLEM = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "recommendation"}
_PRECISION = {Confidence.HIGH: "high", Confidence.MEDIUM: "medium"}


def render(content: Content) -> str:
    """The whole report as one SARIF log with one run, within the limits of code scanning: what is over them
    is left out from the end, where findings save least, and a notification says how many.
    """
    most = min(len(content.findings), _MOST_RESULTS)
    while True:
        text = _log(replace(content, findings=content.findings[:most]), len(content.findings) - most)
        if len(text) <= _MOST_BYTES or len(zlib.compress(text.encode("utf-8"))) <= _MOST_BYTES or not most:
            return text
        most //= 2


def _log(content: Content, left_out: int) -> str:
    places = _Places()
    prints = Fingerprints()
    rules = {loaded.rule.code: number for number, loaded in enumerate(content.rules)}
    run = {
        "tool": {
            "driver": {
                "name": "cudalint",
                "version": content.version,
                "semanticVersion": content.version,
                "rules": [_rule(loaded) for loaded in content.rules],
            }
        },
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The top folder of the repository."}}},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(content, places, left_out)],
        "automationDetails": {"id": "cudalint/"},
        "results": [_result(item, rules, content, places, prints) for item in content.findings],
    }
    return dump({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


class _Places:
    """Paths as URIs below the repository's top folder, or the working directory without a repository."""

    def __init__(self) -> None:
        here = Path.cwd()
        self._top = next((p for p in (here, *here.parents) if (p / ".git").exists()), here)

    def uri(self, path: str) -> tuple[str, bool]:
        """The URI, and whether it is relative to the top folder."""
        whole = (Path.cwd() / path).absolute()
        normal = Path(*_normalised(whole.parts))
        try:
            return quote(printable(normal.relative_to(self._top).as_posix())), True
        except ValueError:
            return normal.as_uri(), False

    def artifact(self, path: str) -> dict[str, Any]:
        uri, relative = self.uri(path)
        return {"uri": uri, "uriBaseId": _ROOT} if relative else {"uri": uri}

    def physical(self, span: Span) -> dict[str, Any]:
        return {"artifactLocation": self.artifact(span.path), "region": region(span)}


def _normalised(parts: tuple[str, ...]) -> list[str]:
    """Path parts with '..' resolved by name, symbolic links left alone."""
    found: list[str] = []
    for part in parts:
        if part == ".." and len(found) > 1:
            found.pop()
        else:
            found.append(part)
    return found


def region(span: Span) -> dict[str, int]:
    """A span as a SARIF region: 1-based, the end exclusive."""
    line, column = max(1, span.line), max(1, span.column)
    end_line = max(line, span.end_line)
    end_column = max(1, span.end_column)
    if end_line == line:
        end_column = max(column, end_column)
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def _rule(loaded: LoadedRule) -> dict[str, Any]:
    rule = loaded.rule
    parts = sections(loaded.page)
    text = " ".join((parts.get("What it does") or rule.summary).split())
    address = guides.address(rule.guides)
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": text},
        **({"helpUri": address} if address else {}),
        "help": {"text": page(loaded) or rule.summary, "markdown": markdown(loaded)},
        "defaultConfiguration": {"level": _LEVELS[rule.severity], "enabled": rule.default},
        "properties": {
            "tags": ["cuda", category(loaded), *(["correctness"] if rule.severity is Severity.ERROR else [])],
            "precision": _PRECISION[rule.confidence],
            "problem.severity": _PROBLEM[rule.severity],
        },
    }


def _result(
    item: Finding, rules: dict[str, int], content: Content, places: _Places, prints: Fingerprints
) -> dict[str, Any]:
    lines = content.sources.lines(item.span.path)
    fingerprints = {"cudalint/v1": prints.finding(item.code, item.span.path, lines, item.span.line)}
    line_hash = prints.line(item.span.path, lines, item.span.line)
    if line_hash:
        fingerprints["primaryLocationLineHash"] = line_hash
    location: dict[str, Any] = {"physicalLocation": places.physical(item.span)}
    if item.kernel:
        location["logicalLocations"] = [{"name": item.kernel, "kind": "function"}]
    result: dict[str, Any] = {
        "ruleId": item.code,
        "level": _LEVELS[item.severity],
        "message": {"text": _message(item)},
        "locations": [location],
        "partialFingerprints": fingerprints,
        "properties": {
            "problem.severity": _PROBLEM[item.severity],
            "precision": _PRECISION[item.confidence],
            "evidence": item.evidence,
        },
    }
    if item.impact is not None:
        result["rank"] = round(100 * item.impact.high, 2)
        result["properties"]["impact"] = impact(item.impact)
    if item.condition:
        result["properties"]["condition"] = item.condition
    if item.profile is not None:
        result["properties"]["profile"] = profile(item.profile)
    if item.code in rules:
        result["ruleIndex"] = rules[item.code]
    if item.archs:
        result["properties"]["archs"] = list(item.archs)
    if item.related:
        result["relatedLocations"] = [
            _related(n, other, places) for n, other in enumerate(item.related[:_MOST_PLACES], 1)
        ]
    if item.fix is not None:
        result["fixes"] = [_fix(item, item.fix, places)]
    return result


def _message(item: Finding) -> str:
    """The message with its notes; related places are links to their numbers."""
    parts = [_escaped(item.message)]
    parts += [f"[{_escaped(other.message)}]({n})" for n, other in enumerate(item.related, 1)]
    if item.condition:
        parts.append(f"Holds if {_escaped(item.condition)}")
    if item.impact is not None:
        parts.append(f"Fixing it saves {item.impact}")
    parts += [f"Profile: {item.profile}"] if item.profile is not None else []
    parts += [_escaped(note) for note in item.notes]
    if item.help:
        parts.append(f"Help: {_escaped(item.help)}")
    return "\n".join(parts)


def _escaped(text: str) -> str:
    """Brackets mean links in a SARIF message."""
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def _related(number: int, other: Related, places: _Places) -> dict[str, Any]:
    return {"id": number, "physicalLocation": places.physical(other.span), "message": {"text": other.message}}


def _fix(item: Finding, fix: Fix, places: _Places) -> dict[str, Any]:
    files: dict[str, list[dict[str, Any]]] = {}
    for edit in fix.edits:
        replacement = {"deletedRegion": region(edit.span), "insertedContent": {"text": edit.text}}
        files.setdefault(edit.span.path, []).append(replacement)
    changes = [{"artifactLocation": places.artifact(p), "replacements": r} for p, r in files.items()]
    safety = "safe" if fix.safe else "unsafe: may change results"
    return {"description": {"text": f"{item.help or item.message} ({safety})"}, "artifactChanges": changes}


def _invocation(content: Content, places: _Places, left_out: int) -> dict[str, Any]:
    notes: list[dict[str, Any]] = [
        {
            "level": "error" if file.status == "failed" else "warning",
            "message": {"text": f"{file.path}: {file.reason or file.status}"},
            "locations": [{"physicalLocation": {"artifactLocation": places.artifact(file.path)}}],
        }
        for file in content.files
        if file.status != "ok"
    ]
    if left_out:
        left = f"{plural(left_out, 'result')} {'was' if left_out == 1 else 'were'} left out"
        text = f"{left}, to stay within {_MOST_RESULTS} results and 10 MB"
        notes.append({"level": "warning", "message": {"text": text}})
    return {"executionSuccessful": not content.failed, "toolExecutionNotifications": notes}
