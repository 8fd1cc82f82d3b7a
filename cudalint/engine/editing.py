"""What an edit changes at once: only the kernels that it belongs to are run, by a worker that stays."""

from msgspec import Struct
from msgspec.structs import replace

from cudalint.advise.card import Card
from cudalint.engine import analysis, architectures, work
from cudalint.engine.adjusted import adjusted
from cudalint.engine.analysis import Task
from cudalint.engine.discovery import Candidate
from cudalint.engine.touched import Lines
from cudalint.engine.work import Job
from cudalint.engine.workers import Pool
from cudalint.rule.findings import Finding
from cudalint.rule.outcome import UnitResult


class Part(Struct, frozen=True):
    """What is found in some lines of a file, and nothing of the others. hasty: there may be more in them."""

    lines: tuple[Lines, ...]
    findings: tuple[Finding, ...]
    cards: tuple[Card, ...]  # of the kernels in them
    hasty: bool = False

    def holds(self, line: int) -> bool:
        return any(first <= line <= last for first, last in self.lines)


class Editing:
    """A worker process that has all in memory, for one edit after another."""

    def __init__(self) -> None:
        self._pool: Pool[Job, UnitResult] = Pool(work.analysed, work.lost, work.limits, 1, lasting=True)

    def part(self, candidate: Candidate, text: str, edited: Lines) -> Part | None:
        """What is found in the functions that the edited lines of a text belong to; None where the text could
        not be parsed, and everything may be different.
        """
        analysis.preload()
        tasks = [
            Task(candidate.path, each, text, advise=True, edited=edited) for each in candidate.settings.each()
        ]
        results = self._pool.run([Job(task) for task in tasks])
        if any(result.outcome.status == "failed" for result in results):
            return None
        (result,) = architectures.together(tasks, results)
        lines = tuple(dict.fromkeys(pair for one in results for pair in one.touched))
        found = adjusted(result.findings, lambda path: candidate.settings)
        hasty = any(one.hasty for one in results)
        own = Part(lines, tuple(_settled(finding) for finding in found), result.cards, hasty)
        inside = (f for f in own.findings if f.span.path == candidate.path and own.holds(f.span.line))
        return replace(own, findings=tuple(inside))

    def close(self) -> None:
        """End the worker: what it holds in memory may be out of date."""
        self._pool.close()


def _settled(finding: Finding) -> Finding:
    """The finding without a fix that needs a trial: that waits for the lint of the whole file."""
    on_trial = finding.fix is not None and finding.fix.on_trial
    return replace(finding, fix=None) if on_trial else finding
