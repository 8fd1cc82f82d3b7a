"""Which barriers of a kernel matter, by running it on several shapes and arguments."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field

from cudalint.host.facts import LaunchFact
from cudalint.ir.unit import Function, Unit
from cudalint.simt.launch.configure import Plan
from cudalint.source.span import Span
from tools.interpreter import trials
from tools.interpreter.conflicts import Pair, without
from tools.interpreter.trials import Outcome

_WORK = 1_200_000  # accesses and iterations of one instance of a kernel


@dataclass
class Evidence:
    """What runs show of one barrier: pairs of accesses that conflict without it, of threads of different
    warps (apart) or only of one warp (together), and how many whole runs came to it.
    """

    apart: set[Pair] = field(default_factory=set)
    together: set[Pair] = field(default_factory=set)
    whole: int = 0


@dataclass
class Judgement:
    """What runs show of a kernel: its barriers, its own conflicts, and why runs ended early."""

    barriers: dict[Span, Evidence] = field(default_factory=dict)
    own: set[Pair] = field(default_factory=set)
    stops: Counter[str] = field(default_factory=Counter)
    work: int = 0

    def all_matter(self, wanted: Collection[Span]) -> bool:
        return all(span in self.barriers and self.barriers[span].apart for span in wanted)

    def reason(self) -> str:
        """Why nothing is known of a barrier."""
        return self.stops.most_common(1)[0][0] if self.stops else "not reached"


def judged(
    unit: Unit, function: Function, launches: tuple[LaunchFact, ...], wanted: Collection[Span]
) -> Judgement:
    """Run a kernel until every wanted barrier is known to matter, all trials are done, or enough work is."""
    found = Judgement()
    plans = trials.shapes(function, launches) if wanted else ()
    if plans and plans[0].configuration.origin == "usual shape":
        plans = (_fitting(unit, function, plans, found),)
    for plan in plans:
        for trial in range(len(trials.TRIALS)):
            for outcome in trials.outcomes(unit, function, plan, trial):
                if found.work > _WORK or found.all_matter(wanted):
                    return found
                found.work += outcome.work
                _take(found, outcome, wanted)
    return found


def _fitting(unit: Unit, function: Function, plans: tuple[Plan, ...], found: Judgement) -> Plan:
    """Of shapes nobody tells, the first on which the kernel runs without conflicts."""
    for plan in plans:
        if found.work > _WORK // 2:
            break
        outcome = next(trials.outcomes(unit, function, plan, 0))
        found.work += outcome.work
        if outcome.stopped in ("", "too long") and not outcome.own.apart:
            return plan
    return plans[0]


def _take(found: Judgement, outcome: Outcome, wanted: Collection[Span]) -> None:
    run, spans, own = outcome.run, outcome.program.spans, outcome.own
    found.own |= own.apart
    if outcome.stopped:
        found.stops[outcome.stopped] += 1
    for number in sorted(frozenset().union(*run.closed)):
        evidence = found.barriers.setdefault(spans[number], Evidence())
        evidence.whole += not outcome.stopped
        if spans[number] in wanted and not evidence.apart:
            missing = without(run, number)
            evidence.apart |= missing.apart - own.apart
            evidence.together |= missing.together - own.together - own.apart
