"""What a rule says: frozen plain data that workers send back and reports print."""

from enum import StrEnum
from typing import Any

from msgspec import Struct, field

from cudalint.settings.severity import Severity
from cudalint.significance.impact import Impact
from cudalint.source.span import Span


class Confidence(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"


class Edit(Struct, frozen=True):
    """Replace the span's text by `text`; an empty span inserts."""

    span: Span
    text: str


class Fix(Struct, frozen=True):
    """All edits or none. A safe fix never changes what the program computes. on_trial: it is not told before
    linting the changed text has shown that it mends (trials.py).
    """

    edits: tuple[Edit, ...]
    safe: bool
    on_trial: bool = False


class Related(Struct, frozen=True):
    """A further place that belongs to a finding, such as the other thread's access in a race. same: the
    finding holds there just as at its own place, and a comment there silences it there.
    """

    span: Span
    message: str
    same: bool = False


class Profiled(Struct, frozen=True):
    """What a profile says of a finding's kernel. share: of the time of all kernels measured, 0..1. rules: of
    the profiler, that see the same cost.
    """

    share: float
    rules: tuple[str, ...] = ()

    def __str__(self) -> str:
        """'62% of the measured kernel time; confirmed by UncoalescedGlobalAccess'."""
        if not self.share:
            return "this kernel is not in the profile"
        confirmed = f"; confirmed by {', '.join(self.rules)}" if self.rules else ""
        return f"{self.share:.0%} of the measured kernel time{confirmed}"


class Finding(Struct, frozen=True):
    """One thing that is slow or wrong. `message` says what, `notes` say why with the number, `help` what to
    write. archs: the architectures it holds for, none where it holds for all that were asked for. impact:
    None where speed is not the matter. condition: what must hold for it, as an expression of the source or in
    words, where the source does not say ("n % 256 != 0"). profile: of its kernel, where one is given.
    """

    code: str
    name: str
    severity: Severity
    confidence: Confidence
    span: Span
    message: str
    notes: tuple[str, ...] = ()
    help: str = ""
    kernel: str = ""
    evidence: dict[str, Any] = field(default_factory=dict)
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    archs: tuple[str, ...] = ()
    impact: Impact | None = None
    condition: str | None = None
    profile: Profiled | None = None

    @property
    def repeats(self) -> tuple[Related, ...]:
        """The further places where it holds."""
        return tuple(place for place in self.related if place.same)


class FileResult(Struct, frozen=True):
    """What became of one file: ok, degraded (part of it was lost) or failed, with the reason. lost: names of
    the kernels that were not analysed; bounded: of those that were run on until a budget was spent.
    """

    path: str
    status: str
    reason: str | None = None
    lost: tuple[str, ...] = ()
    bounded: tuple[str, ...] = ()
