"""What an edit changes at once: only the kernels that it belongs to are run, by a worker that stays."""

import os
from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from cudalint.advise.card import Card
from cudalint.engine import analysis, architectures, work
from cudalint.engine.adjusted import adjusted
from cudalint.engine.analysis import Task, deduplicated
from cudalint.engine.discovery import Candidate
from cudalint.engine.touched import Edited, Lines
from cudalint.engine.work import Job
from cudalint.engine.workers import Pool
from cudalint.rule.findings import Finding
from cudalint.rule.outcome import UnitResult
from cudalint.settings.config import Settings
from cudalint.source.text import display_path


class Part(Struct, frozen=True):
    """What is found in some lines of a file, and nothing of the others. hasty: there may be more in them;
    unasked: likewise of these codes.
    """

    lines: tuple[Lines, ...]
    findings: tuple[Finding, ...]
    cards: tuple[Card, ...]  # of the kernels in them
    hasty: bool = False
    unasked: frozenset[str] = frozenset()

    def holds(self, line: int) -> bool:
        return any(first <= line <= last for first, last in self.lines)


class Editing:
    """A worker process that has all in memory, for one edit after another."""

    def __init__(self) -> None:
        self._pool: Pool[Job, UnitResult] = Pool(work.analysed, work.lost, work.limits, 1, lasting=True)

    def part(self, units: tuple[Candidate, ...], text: str, edited: Edited) -> Part | None:
        """What is found in the functions that the edited lines of a text belong to, as the units see it that
        hold them: the file itself, or those that include it. None where the text could not be parsed, and
        everything may be different. edited.path: as findings have it.
        """
        analysis.preload()
        tasks = [task for unit in units for task in _tasks(unit, text, edited)]
        results = self._pool.run([Job(task) for task in tasks])
        if any(result.outcome.status == "failed" for result in results):
            return None
        merged = architectures.together(tasks, results)
        lines = tuple(dict.fromkeys(pair for one in results for pair in one.touched))
        settings = {unit.path: unit.settings for unit in units}
        found = [f for one in merged for f in adjusted(one.findings, _always(settings[one.path]))]
        cards = tuple(card for one in merged for card in one.cards)
        hasty, unasked = any(one.hasty for one in results), {c for one in results for c in one.unasked}
        own = Part(lines, tuple(_settled(f) for f in found), cards, hasty, frozenset(unasked))
        inside = (f for f in own.findings if f.span.path == edited.path and own.holds(f.span.line))
        return replace(own, findings=tuple(deduplicated(list(inside))))

    def ready(self, units: tuple[Candidate, ...], text: str, path: str) -> None:
        """Have the worker hold what an edit of a text needs. path: as findings have it."""
        analysis.preload()
        self._pool.run([Job(task) for unit in units for task in _tasks(unit, text, Edited(path))])

    def close(self) -> None:
        """End the worker: what it holds in memory may be out of date."""
        self._pool.close()


def _tasks(unit: Candidate, text: str, edited: Edited) -> Iterator[Task]:
    """One an architecture."""
    own = unit.path == edited.path
    unsaved = () if own else ((os.path.abspath(edited.path), text),)
    there = replace(edited, path=display_path(edited.path, os.getcwd()))
    for each in unit.settings.each():
        yield Task(unit.path, each, text if own else None, advise=True, edited=there, unsaved=unsaved)


def _always(settings: Settings) -> Callable[[str], Settings]:
    return lambda _: settings


def _settled(finding: Finding) -> Finding:
    """The finding without a fix that needs a trial: that waits for the lint of the whole file."""
    on_trial = finding.fix is not None and finding.fix.on_trial
    return replace(finding, fix=None) if on_trial else finding
