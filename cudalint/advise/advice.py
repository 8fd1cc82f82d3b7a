"""Cards and findings put together, in the order of what is to be done first."""

from collections.abc import Iterable

from msgspec.structs import replace

from cudalint.advise.card import Card, Change, Gain, Stage
from cudalint.advise.cards import base
from cudalint.rule.findings import Finding
from cudalint.rule.related import other_lines
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis

_PARALLEL = (Basis.IDLE, Basis.WAVES, Basis.OCCUPANCY)
_LAUNCH = "CU5"  # rules about launches


def change(finding: Finding) -> Change:
    """A finding as a part of the answer."""
    impact = finding.impact
    return Change(
        stage=_stage(finding),
        code=finding.code,
        name=finding.name,
        severity=finding.severity.value,
        path=finding.span.path,
        line=finding.span.line,
        column=finding.span.column,
        kernel=base(finding.kernel),
        message=finding.message,
        help=finding.help,
        notes=(*finding.notes, *other_lines(finding)),
        condition=finding.condition,
        gain=None
        if impact is None
        else Gain(round(impact.low, 4), round(impact.high, 4), impact.basis.value, impact.whole),
        profile=finding.profile,
    )


def _stage(finding: Finding) -> Stage:
    """What is wrong comes up when a kernel is assessed; of what costs time, launches are the second step, all
    else is the third; the rest is to be looked at before the code is used.
    """
    if finding.impact is not None:
        launch = finding.impact.basis in _PARALLEL or finding.code.startswith(_LAUNCH)
        return "parallelise" if launch else "optimise"
    return "assess" if finding.severity is Severity.ERROR else "deploy"


def ranked(findings: Iterable[Finding]) -> tuple[Change, ...]:
    """Errors first, as the speed of a wrong kernel is of no use; then by the share that a fix saves, in the
    middle of its interval: of the kernel, with a profile of the time of all kernels; then what states none.
    """
    return tuple(sorted(map(change, findings), key=_order))


def _order(one: Change) -> tuple[object, ...]:
    wrong = one.stage == "assess"
    middle = (one.gain.low + one.gain.high) / 2 if one.gain is not None else 0.0
    middle *= one.profile.share if one.profile is not None else 1.0
    return not wrong, one.gain is None, -middle, one.path, one.line, one.column, one.code


def together(cards: Iterable[Card], changes: tuple[Change, ...]) -> tuple[Card, ...]:
    """Each kernel once, with its findings: a header's kernels come with every unit that includes it."""
    found: dict[tuple[str, int, str], Card] = {}
    for card in cards:
        name = card.path, card.line, card.kernel
        if name not in found or (found[name].failure and not card.failure):
            found[name] = card
    return tuple(
        replace(card, changes=tuple(one for one in changes if _concerns(one, card)))
        for _, card in sorted(found.items())
    )


def _concerns(one: Change, card: Card) -> bool:
    """Whether the finding is in code that the kernel executes, or at a launch of it."""
    if any(code.holds(one) for code in card.functions):
        return True
    launched = any(one.path == launch.path for launch in card.launches)
    return one.kernel == card.kernel and (launched or one.path == card.path)
