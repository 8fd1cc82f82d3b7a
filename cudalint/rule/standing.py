"""What a finding stands on that is not written at its place: the launch shape, and what was assumed.

A rule hands it to `Rule.finding`, which puts its notes after those of the rule, and lowers the confidence
where something of it is a guess.
"""

from msgspec import Struct

from cudalint.rule.texts import listed
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.launch.configuration import Configuration
from cudalint.simt.query.pattern import guessed


class Standing(Struct, frozen=True):
    notes: tuple[str, ...] = ()
    sure: bool = True  # no part of it is a guess


NOTHING = Standing()  # what the source says at the place is enough


def on_shape(configuration: Configuration | None, sure: bool = True) -> Standing:
    """One launch shape. sure: whether everything else that the finding depends on is known."""
    if configuration is None:
        return Standing((), sure)
    return Standing((configuration.note(),), sure and not guessed(configuration))


def on_access(access: Access, sure: bool = True) -> Standing:
    """The launch shape of an access's number, or all shapes where each has its own number, and what was
    assumed. sure: as of `on_shape`.
    """
    if access.configuration is None:
        return Standing((), sure)
    assumed = f", assuming {', '.join(access.basis.assumed)}" if access.basis.assumed else ""
    return Standing(
        (f"{_shapes(access, access.configuration)}{assumed}",), sure and not guessed(access.configuration)
    )


def _shapes(access: Access, configuration: Configuration) -> str:
    counted = [trial for trial in access.trials if any(n is not None for n in trial.per_request)]
    if len({trial.per_request for trial in counted}) <= 1:
        return configuration.note()
    shapes: dict[str, list[str]] = {}
    for trial in counted:
        shapes.setdefault(trial.configuration.given_by, []).append(trial.configuration.extents)
    return ", ".join(f"block {listed(own)} ({source})" for source, own in shapes.items())
