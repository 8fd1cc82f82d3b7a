"""What rules about the run itself are asked about, and what one unit's analysis hands back."""

from typing import Any

from msgspec import Struct

from cudalint.host.facts import TextLaunch
from cudalint.ir.unit import Problem, Undecided
from cudalint.rule.findings import Finding
from cudalint.source.span import Span
from cudalint.source.suppressions import Suppression

CAUSES = "causes"  # in the evidence of findings that are one a run for each cause


class FileOutcome(Struct, frozen=True):
    """What became of one file. status: ok, degraded or failed. kernels: definitions in it. lost: kernels that
    were not modelled, with the reason. rule_errors: rules that could not be applied. undecided: regions of
    which nothing is said. bounded: kernels whose budget was spent.
    """

    path: str
    status: str
    reason: str | None = None
    problems: tuple[Problem, ...] = ()
    kernels: int = 0
    lost: tuple[tuple[str, str], ...] = ()
    rule_errors: tuple[str, ...] = ()
    undecided: tuple[Undecided, ...] = ()
    bounded: tuple[str, ...] = ()

    @property
    def lost_kernels(self) -> tuple[str, ...]:
        """The kernels that were not analysed, templates without arguments among them."""
        templates = (problem.kernel for problem in self.problems if problem.template)
        return tuple(dict.fromkeys((*(name for name, _ in self.lost), *templates)))


class UnusedSuppression(Struct, frozen=True):
    """A suppression comment, or some of its codes, that silenced nothing. codes empty: the whole comment.
    unknown: words in it that name no rule.
    """

    suppression: Suppression
    codes: tuple[str, ...]
    unknown: tuple[str, ...] = ()


class SuppressionUse(Struct, frozen=True):
    """A suppression of one file and the codes of findings it silenced in one unit."""

    suppression: Suppression
    used: frozenset[str]


class KernelCount(Struct, frozen=True):
    """A kernel of the source for `--statistics`. unknowns: reasons with counts. modelled: some instantiation
    was.
    """

    path: str
    line: int
    name: str
    modelled: bool
    failure: str
    unknowns: tuple[tuple[str, int], ...]


class UnitResult(Struct, frozen=True):
    """The analysis of one unit. `inspection` holds the kernels' facts in the form of `inspect`, when asked
    for, `streams` the timelines of its loops, `explanation` the facts of one line, `silence` why rules are
    silent there, `cards` what `advise` says of each kernel. below: findings whose impact is below
    `--min-impact`. arch: what it was modelled for, '' when it was not; archs: all of them, where the results
    for several were put together. contradictions: assumptions that a launch contradicts, in words.
    touched: first and last lines of what an edit belongs to, where only that was asked about; hasty: of a
    kernel in them not all was run; unasked: codes of rules that were not asked, since they are about host
    code that was judged before. elsewhere: what the text of the project told of launches, by kernel and
    the file that it stands in.
    """

    path: str
    outcome: FileOutcome
    findings: tuple[Finding, ...] = ()
    suppressions: tuple[SuppressionUse, ...] = ()
    headers: tuple[str, ...] = ()
    kernels: tuple[KernelCount, ...] = ()
    inspection: tuple[dict[str, Any], ...] = ()
    streams: tuple[dict[str, Any], ...] = ()
    explanation: tuple[dict[str, Any], ...] = ()
    cards: tuple[Any, ...] = ()
    silence: dict[str, Any] | None = None
    enabled: frozenset[str] = frozenset()
    below: tuple[Finding, ...] = ()
    contradictions: tuple[str, ...] = ()
    arch: str = ""
    archs: tuple[str, ...] = ()
    touched: tuple[tuple[int, int], ...] = ()
    hasty: bool = False
    unasked: frozenset[str] = frozenset()
    elsewhere: tuple[tuple[str, str, tuple[TextLaunch, ...]], ...] = ()


def start_of(path: str) -> Span:
    """The first character of a file: where a finding about the whole file stands."""
    return Span(path, 1, 1, 1, 1)
