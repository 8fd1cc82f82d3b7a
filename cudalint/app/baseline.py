"""`--baseline`: the findings that a code base had when it began to be linted, which are not reported again.

A finding is known by its rule, its file, its kernel and the text of its line: it stays known where lines
move, and is new again where its own line changes. One that holds on several lines is known where all of
them are.
"""

import json
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

from cudalint.errors import UsageError
from cudalint.rule.findings import Finding
from cudalint.source.span import Span
from cudalint.source.text import Sources, printable, read_bytes

DEFAULT = "cudalint-baseline.json"
_VERSION = 1


def new(findings: tuple[Finding, ...], file: str, sources: Sources) -> tuple[Finding, ...]:
    """The findings without those of the baseline, each of which counts once."""
    left = Counter(_read(file))
    unknown: set[int] = set()  # indices of findings
    for index in sorted(range(len(findings)), key=lambda index: _order(findings[index])):
        keys = Counter(key for key, _ in _keys(findings[index], file, sources))
        if all(left[key] >= count for key, count in keys.items()):
            left -= keys
        else:
            unknown.add(index)
    return tuple(finding for index, finding in enumerate(findings) if index in unknown)


def _order(finding: Finding) -> tuple[str, int, int]:
    return finding.span.path, finding.span.line, finding.span.column


def write(findings: tuple[Finding, ...], file: str, sources: Sources, version: str) -> None:
    """Make the findings the baseline. UsageError where the file cannot be written."""
    rows = [
        {
            "path": _relative(span.path, file),
            "line": span.line,
            "code": finding.code,
            "kernel": finding.kernel,
            "message": printable(finding.message),
            "fingerprint": key,
        }
        for finding in findings
        for key, span in _keys(finding, file, sources)
    ]
    rows.sort(key=lambda row: (row["path"], row["line"], row["code"], row["fingerprint"]))
    document = {"version": _VERSION, "tool": {"name": "cudalint", "version": version}, "findings": rows}
    try:
        Path(file).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"--write-baseline {file}: cannot be written: {error.strerror or error}") from None


def _read(file: str) -> list[str]:
    """The fingerprints of a baseline."""
    try:
        document: Any = json.loads(read_bytes(file))
        if document["version"] != _VERSION:
            raise UsageError(
                f"--baseline {file}: has version {document['version']}, not {_VERSION}; write it anew with "
                "--write-baseline"
            )
        return [str(row["fingerprint"]) for row in document["findings"]]
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(f"--baseline {file}: {reason}; make it with --write-baseline") from None
    except (ValueError, KeyError, TypeError):
        raise UsageError(f"--baseline {file}: is no baseline; make it with --write-baseline") from None


def _keys(finding: Finding, file: str, sources: Sources) -> list[tuple[str, Span]]:
    """(fingerprint, place) of every line where the finding holds."""
    spans = {(s.path, s.line): s for s in (finding.span, *(place.span for place in finding.repeats))}
    return [(_fingerprint(finding, span, file, sources), span) for span in spans.values()]


def _fingerprint(finding: Finding, span: Span, file: str, sources: Sources) -> str:
    text = "".join(sources.line(span.path, span.line).split())
    parts = (finding.code, _relative(span.path, file), finding.kernel, text)
    return sha256("\0".join(parts).encode("utf-8", errors="surrogateescape")).hexdigest()[:24]


def _relative(path: str, file: str) -> str:
    """The path as seen from the folder of the baseline, so that it holds from every working directory."""
    whole, folder = Path(path).resolve(), Path(file).resolve().parent
    return whole.relative_to(folder).as_posix() if whole.is_relative_to(folder) else printable(path)
