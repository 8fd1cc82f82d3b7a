"""What the server asks the engine about one open document."""

from pathlib import Path

from msgspec import Struct

from cudalint.advise.card import Card
from cudalint.engine import engine
from cudalint.engine.analysis import deduplicated
from cudalint.engine.discovery import Candidate, Plan, excluded
from cudalint.engine.editing import Editing, Part
from cudalint.engine.includers import includers
from cudalint.engine.touched import Edited
from cudalint.inspect.explanation import distinct
from cudalint.report.explain import render
from cudalint.rule.findings import Finding
from cudalint.rule.ranking import by_impact
from cudalint.server.moved import between, exactly, in_place
from cudalint.settings import config
from cudalint.settings.location import Place
from cudalint.source.text import printable, shown, split

_units: dict[str, tuple[str, ...]] = {}  # the units of a document, as when all of it was linted last


class Analysis(Struct, frozen=True):
    """What is known of one version of a document. path: as findings have it. base: the version before that
    was judged last, where this one was not; None where it was.
    """

    path: str
    text: str
    findings: tuple[Finding, ...] = ()
    cards: tuple[Card, ...] = ()
    base: "Analysis | None" = None

    @property
    def judged(self) -> "Analysis":
        """The version that was judged last."""
        return self.base or self

    @property
    def lines(self) -> tuple[str, ...]:
        return split(self.text)

    def at(self, line: int) -> tuple[Finding, ...]:
        """The findings of a line (from 1)."""
        return tuple(f for f in self.findings if f.span.path == self.path and f.span.line == line)


def lint(path: str, text: str) -> Analysis:
    """Lint the text as if it were the file, with the configuration of the file. UsageError where that is
    wrong.
    """
    _units.pop(path, None)
    name, plan = shown(path), _plan(path)
    if plan is None:
        return Analysis(name, text)
    run = engine.lint(plan, jobs=1, texts={name: text}, advise=True, try_fixes=True)
    cards = tuple(card for result in run.results for card in result.cards)
    return Analysis(name, text, run.findings, cards)


def moved(text: str, before: Analysis) -> Analysis:
    """What was found before an edit, at its new lines: all that there is where the edit leaves the code as it
    is. Of lines that it changes in number, nothing is known.
    """
    exact = exactly(before.path, before.text, text)
    move = exact or in_place(between(before.path, before.lines, split(text)))
    findings = tuple(found for f in before.findings if (found := move.finding(f)) is not None)
    same = exact is not None and all(map(_as_whole, before.findings, findings))
    same = same and len(findings) == len(before.findings) and before.base is None
    cards = tuple(move.cards(before.cards))
    return Analysis(before.path, text, findings, cards, None if same else before.judged)


def _as_whole(before: Finding, after: Finding) -> bool:
    """Whether a finding lost nothing when it was moved."""
    return (before.fix is None) == (after.fix is None) and len(before.related) == len(after.related)


def relint(path: str, text: str, before: Analysis, editing: Editing) -> Analysis | None:
    """What an edit changes at once: the functions that it belongs to are judged anew, all else is as it was
    when it was judged last, at its new lines. Where their kernels take longer than somebody waits, what was
    found on lines that are as before stays, too. None where nothing can be told: nothing was known, or no
    text to parse.
    """
    plan, before = _plan(path), before.judged
    if plan is None or not before.text:
        return None
    move = between(before.path, before.lines, split(text))
    part = editing.part(plan.candidates, text, Edited(before.path, move.edited))
    if part is None:
        return None
    new = {(finding.code, finding.span.line) for finding in part.findings}
    there = (move.finding(finding) for finding in before.findings)
    kept = [f for f in there if f is not None and _stays(f, move.path, part, new)]
    findings = by_impact(deduplicated([*part.findings, *kept]))
    cards = [c for c in move.cards(before.cards) if not (c.path == move.path and part.holds(c.line))]
    return Analysis(before.path, text, findings, (*cards, *part.cards))


def follow(path: str, text: str, editing: Editing) -> None:
    """Have the worker know a text in which nothing is to be judged."""
    plan, behind = _plan(path), len(split(text)) + 1
    if plan is not None:
        editing.part(plan.candidates, text, Edited(shown(path), (behind, behind)))


def ready(path: str, text: str, editing: Editing) -> None:
    """Have at hand what the answer to the next edit takes."""
    plan = _plan(path)
    if plan is not None:
        editing.ready(plan.candidates, text, shown(path))


def _stays(finding: Finding, path: str, part: Part, new: set[tuple[str, int]]) -> bool:
    """Whether a finding of the text before is still said."""
    if finding.span.path != path or not part.holds(finding.span.line):
        return True
    return (part.hasty or finding.code in part.unasked) and (finding.code, finding.span.line) not in new


def explain(path: str, text: str, line: int) -> str:
    """The numbers of the accesses of a line, with the picture of their lanes; '' where it has none."""
    plan = _plan(path)
    if plan is None:
        return ""
    name = shown(path)
    run = engine.lint(plan, jobs=1, texts={name: text}, explain=Place(name, line))
    kernels = distinct(tuple(table for result in run.results for table in result.explanation))
    return printable(render({"path": name, "line": line, "kernels": kernels})) if kernels else ""


def _plan(path: str) -> Plan | None:
    """The document, or the units that it is part of; None where the configuration excludes it."""
    settings = config.for_path(path)
    if excluded(Path(path), settings):
        return None
    units = _units[path] = _units.get(path) or includers(path) or (path,)
    return Plan(tuple(Candidate(shown(unit), config.for_path(unit), False) for unit in units), (), ())
