"""One mistake planted: whether it is one, and whether a rule reports it."""

import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from msgspec import Struct

from cudalint.engine.analysis import Task, analyse
from cudalint.frontend import UnitFailed, load
from cudalint.frontend.options import LoadOptions
from cudalint.rule.findings import Finding
from cudalint.rule.outcome import UnitResult
from cudalint.settings.config import Settings
from tools.planting import judges
from tools.planting.kind import Kind
from tools.planting.source import Mistake, Source

LIMIT = 3.0  # seconds of CPU time of a file as it is; larger ones are left out
Place = tuple[str, int]  # code and line


class TooLong(BaseException):
    """A file takes longer than its limit."""


class Planted(Struct, frozen=True):
    """A mistake that was tried. state: 'mistake', 'none' (the judge sees none), 'undecided' or 'too long';
    found: the codes that report it; shown: those with the impact that findings are reported from by
    default.
    """

    kind: str
    path: str
    line: int
    state: str
    found: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    seconds: float = 0.0


class Linter:
    """Lints texts of one file with rules of one kind; what it says of the file as it is, is kept."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._path = Path(source.path).resolve()
        self._kept: dict[tuple[str, ...], Counter[Place]] = {}

    def before(self, kind: Kind) -> Counter[Place]:
        if kind.codes not in self._kept:
            with limited(LIMIT):
                result = self._lint(kind, self._source.text)
            self._kept[kind.codes] = Counter(
                place for finding in (*result.findings, *result.below) for place in self._places(finding)
            )
        return self._kept[kind.codes]

    def after(self, kind: Kind, mistake: Mistake, text: str) -> tuple[set[str], set[str]]:
        """(the codes that report the mistake, those of them with impact)."""
        before = self.before(kind)
        with limited(3 * LIMIT):
            result = self._lint(kind, text)
        shown = {f.code for f in result.findings if self._new(f, mistake, before)}
        return shown | {f.code for f in result.below if self._new(f, mistake, before)}, shown

    def _lint(self, kind: Kind, text: str) -> UnitResult:
        return analyse(Task(self._source.path, Settings(select=kind.codes), text))

    def _places(self, finding: Finding) -> set[Place]:
        spans = (finding.span, *(related.span for related in finding.related))
        return {(finding.code, span.line) for span in spans if Path(span.path).resolve() == self._path}

    def _new(self, finding: Finding, mistake: Mistake, before: Counter[Place]) -> bool:
        """Whether it stands near the mistake, and nothing of its rule stood there before."""
        first, last = mistake.lines
        near = finding.kernel in mistake.kernels and bool(finding.kernel)
        places = self._places(finding)
        near = near or any(first <= line <= last for _, line in places)
        return near and (finding.code, finding.span.line) not in before


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise TooLong once the CPU time is used up."""

    def ended(_number: int, _frame: FrameType | None) -> None:
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, ended)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _parses(source: Source, changed: str) -> bool:
    """Whether the changed text is a program: what the compiler rejects needs no rule."""
    try:
        return not load(source.path, LoadOptions(text=changed)).problems
    except UnitFailed:
        return False


def tried(kind: Kind, source: Source, linter: Linter, mistake: Mistake) -> Planted:
    """The mistake judged and linted."""
    started = time.process_time()
    changed = source.changed(mistake)
    try:
        linter.before(kind)
        with limited(2 * LIMIT):
            is_one = judges.judged(kind.judge, source, mistake, changed) if kind.judge else True
            if kind.judge != "rejected" and not _parses(source, changed):
                is_one = False
        state = {True: "mistake", False: "none", None: "undecided"}[is_one]
        found, shown = linter.after(kind, mistake, changed) if is_one else (set[str](), set[str]())
    except TooLong:
        state, found, shown = "too long", set(), set()
    seconds = time.process_time() - started
    return Planted(
        kind.name, source.path, mistake.line, state, tuple(sorted(found)), tuple(sorted(shown)), seconds
    )
