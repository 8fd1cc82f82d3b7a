"""What the configuration says of findings: `per-file-ignores`, `severity` and `min-severity`."""

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from cudalint.engine.discovery import matches
from cudalint.rule import registry
from cudalint.rule.findings import Finding
from cudalint.settings.config import Settings


def adjusted(findings: Iterable[Finding], settings_of: Callable[[str], Settings]) -> list[Finding]:
    """The findings that no pattern ignores, each with the severity that its rule is given, as far as that is
    to be reported. settings_of: those of the unit that a path belongs to.
    """
    found = []
    for finding in findings:
        own = settings_of(finding.span.path)
        if not _ignored(finding, own):
            level = next((s for word, s in reversed(own.severity) if _names(word, finding.code)), None)
            graded = finding if level is None else replace(finding, severity=level)
            if graded.severity.rank >= own.min_severity.rank:
                found.append(graded)
    return found


def _ignored(finding: Finding, settings: Settings) -> bool:
    return any(
        matches((pattern,), finding.span.path, settings.root)
        for pattern, words in settings.per_file_ignores
        if any(_names(word, finding.code) for word in words)
    )


def _names(word: str, code: str) -> bool:
    return code in registry.matching(word)
