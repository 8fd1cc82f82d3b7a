"""Suppression comments: which findings they silence, and which of them silenced nothing."""

from collections.abc import Iterable, Mapping

from cudalint.rule.findings import Finding
from cudalint.rule.outcome import SuppressionUse, UnitResult, UnusedSuppression
from cudalint.rule.related import without
from cudalint.source.span import Span
from cudalint.source.suppressions import Suppression


def covers(suppression: Suppression, code: str, span: Span) -> bool:
    """Whether the comment silences the code at the place: it names the code, or none at all."""
    place = suppression.span
    named = not suppression.codes or any(names(word, code) for word in suppression.codes)
    if place.path != span.path or not named:
        return False
    match suppression.scope:
        case "file":
            return True
        case "next-line":
            return span.line == place.end_line + 1
        case _:
            return span.line == place.line


def names(word: str, code: str) -> bool:
    """Whether a word of a comment names the code: it is the code, or begins it (CU1)."""
    return word == code or (word.startswith("CU") and len(word) < len(code) and code.startswith(word))


def apply(
    findings: Iterable[Finding], suppressions: tuple[Suppression, ...]
) -> tuple[tuple[Finding, ...], tuple[SuppressionUse, ...]]:
    """The findings that stay, each at the places where no comment silences it, and what each suppression
    silenced.
    """
    kept: list[Finding] = []
    used: list[set[str]] = [set() for _ in suppressions]
    for finding in findings:
        silenced: set[Span] = set()
        for span in (finding.span, *(place.span for place in finding.repeats)):
            silencers = [n for n, item in enumerate(suppressions) if covers(item, finding.code, span)]
            for number in silencers:
                used[number].add(finding.code)
            silenced |= {span} if silencers else set()
        left = without(finding, silenced) if silenced else finding
        kept += [left] if left is not None else []
    uses = tuple(SuppressionUse(s, frozenset(u)) for s, u in zip(suppressions, used, strict=True))
    return tuple(kept), uses


def unused(results: Iterable[UnitResult], known: Mapping[str, bool]) -> tuple[UnusedSuppression, ...]:
    """Suppressions that silenced nothing in any unit, as far as their codes were looked for or are not among
    the known codes of rules at all. known: the codes, and whether each is on by default. A beginning of codes
    was looked for where all of them were that are on by default.

    A unit that was not modelled whole says nothing: the finding may only have been lost.
    """
    used: dict[Suppression, set[str]] = {}
    looked_for: dict[Suppression, set[str]] = {}
    uncertain: set[str] = set()
    for result in results:
        if result.outcome.status != "ok":
            uncertain |= {result.path, *result.headers}
        for use in result.suppressions:
            used.setdefault(use.suppression, set()).update(use.used)
            looked_for.setdefault(use.suppression, set()).update(result.enabled)
    found = [
        _unused(item, codes, looked_for[item], known)
        for item, codes in used.items()
        if item.span.path not in uncertain
    ]
    return tuple(item for item in found if item is not None)


def _unused(
    item: Suppression, used: set[str], looked_for: set[str], known: Mapping[str, bool]
) -> UnusedSuppression | None:
    if not item.codes:
        return None if used or not item.native else UnusedSuppression(item, ())
    named = {word: [code for code in known if names(word, code)] for word in item.codes}
    unknown = tuple(word for word in item.codes if item.native and not named[word])

    def idle_word(word: str) -> bool:
        needed = [code for code in named[word] if known[code]] or named[word]
        return not used.intersection(named[word]) and bool(needed) and looked_for.issuperset(needed)

    idle = tuple(word for word in item.codes if word in unknown or idle_word(word))
    if not idle:
        return None
    return UnusedSuppression(item, () if idle == item.codes else idle, unknown)
