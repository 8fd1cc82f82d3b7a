"""Fixes that have to prove themselves: applied to the text and linted, each alone.

One is kept where its finding is gone, nothing else is found that was not before, and every thread comes to
the barriers that it writes. Where one barrier shows the need of another (a loop that fills and uses a tile
needs two), what is then proposed is tried together with it. A trial costs runs of the kernels that the text
belongs to, so it is made only for those who will see the fix.
"""

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from cudalint.engine.analysis import Task, analyse
from cudalint.fixing.fixes import edited
from cudalint.rule.findings import Edit, Finding, Fix
from cudalint.rule.outcome import UnitResult
from cudalint.source.span import Span
from cudalint.source.text import decode, read_bytes, shown

_ROUNDS = 4
_BLOCK_BARRIER = "__syncthreads();"

Key = tuple[object, ...]


class Trial(Struct, frozen=True):
    """A finding of a file whose fix is on trial. before: how often what was found there; status: of the
    file.
    """

    task: Task
    finding: Finding
    before: tuple[tuple[Key, int], ...]
    status: str


def trials(result: UnitResult, task: Task) -> list[Trial]:
    """One for each finding of a file that needs it."""
    asked = [finding for finding in result.findings if finding.fix is not None and finding.fix.on_trial]
    found = []
    for finding in asked:
        one = task.settings.each()[0] if not finding.archs else replace(task.settings, arch=finding.archs[0])
        there = [other for other in result.findings if not other.archs or one.arch in other.archs]
        before = tuple(Counter(map(_key, there)).items())
        own = replace(task, settings=replace(one, further_archs=()))
        found.append(Trial(own, finding, before, result.outcome.status))
    return found


def settled(results: list[UnitResult], fixes: list[Fix | None]) -> list[UnitResult]:
    """The results with what became of the fixes, in the order of their trials; those without one are gone."""
    left = iter(fixes)
    return [
        replace(result, findings=tuple(_settled(finding, left) for finding in result.findings))
        for result in results
    ]


def _settled(finding: Finding, left: Iterator[Fix | None]) -> Finding:
    waits = finding.fix is not None and finding.fix.on_trial
    return replace(finding, fix=next(left, None)) if waits else finding


def tried(trial: Trial) -> Fix | None:
    """The fix, with all that it takes; None where it does not hold."""
    fix, path = trial.finding.fix, shown(trial.task.path)
    text = trial.task.text if trial.task.text is not None else decode(read_bytes(trial.task.path))
    inserted = _ordered(fix.edits) if fix is not None else ()
    for _ in range(_ROUNDS):
        if not inserted or any(edit.span.path != path for edit in inserted):
            return None
        lines = inserted[0].span.line, inserted[-1].span.line + len(inserted) - 1
        result = analyse(replace(trial.task, text=edited(text, inserted), tried=lines))
        if result.outcome.status != trial.status or not _all_come(result, inserted):
            return None
        worse = _worse(trial, result.findings)
        if not worse:
            return Fix(_with_line_ends(inserted, text), safe=False)
        more = _more(worse, inserted)
        if more is None:
            return None
        inserted = more
    return None


def _key(finding: Finding) -> Key:
    """What a finding is about, wherever it stands: of races the array, the kind and the direction."""
    evidence = finding.evidence
    array = str(evidence.get("index", "")).partition("[")[0]
    return finding.code, finding.kernel, array, evidence.get("kind"), evidence.get("next_round")


def _worse(trial: Trial, findings: tuple[Finding, ...]) -> list[Finding]:
    """Findings of kernels that should be gone, and those that were not there."""
    allowed = Counter(dict(trial.before))
    allowed[_key(trial.finding)] -= 1
    found = Counter(map(_key, findings))
    return [one for one in findings if one.kernel and found[_key(one)] > allowed[_key(one)]]


def _all_come(result: UnitResult, inserted: tuple[Edit, ...]) -> bool:
    """Whether all threads of a block come to each of the new barriers, as far as they are of a block."""
    reached: dict[int, set[str]] = {}
    for kernel in result.inspection:
        for barrier in kernel["barriers"]:
            if barrier["path"] == shown(result.path):
                reached.setdefault(barrier["line"], set()).add(barrier["reached_by"])
    return all(
        reached.get(edit.span.line + above) == {"all"}
        for above, edit in enumerate(inserted)
        if edit.text.strip() == _BLOCK_BARRIER
    )


def _more(worse: list[Finding], inserted: tuple[Edit, ...]) -> tuple[Edit, ...] | None:
    """The lines with those that the findings of the changed text propose; None where that is no way on."""
    found = {edit.span.line: edit for edit in inserted}
    for finding in worse:
        if finding.fix is None or not finding.fix.on_trial:
            return None
        for edit in finding.fix.edits:
            line = _line_before_insertion(edit.span.line, inserted)
            span = Span(edit.span.path, line, 1, line, 1)
            if found.setdefault(line, Edit(span, edit.text)).text != edit.text:
                return None
    return _ordered(tuple(found.values())) if len(found) > len(inserted) else None


def _line_before_insertion(line: int, inserted: tuple[Edit, ...]) -> int:
    """The number that a line of the changed text had before: each edit is one line more."""
    return line - sum(edit.span.line + above < line for above, edit in enumerate(inserted))


def _ordered(edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    return tuple(sorted(edits, key=lambda edit: edit.span.line))


def _with_line_ends(edits: tuple[Edit, ...], text: str) -> tuple[Edit, ...]:
    """The edits with the line ends of the file."""
    if "\r\n" not in text:
        return edits
    return tuple(Edit(edit.span, edit.text.replace("\n", "\r\n")) for edit in edits)
