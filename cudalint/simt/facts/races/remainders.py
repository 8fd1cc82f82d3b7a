"""Races in code that only some of the sizes tried come to: what is left over after whole tiles."""

import numpy as np

from cudalint.simt.launch.kernel_run import Run
from cudalint.simt.launch.parameters import Parameter
from cudalint.simt.threads.conflicts import Conflict
from cudalint.simt.threads.logged import Event
from cudalint.simt.values.samples import Samples

_LEAST = 2  # valuations that show it


def of_a_remainder(run: Run, conflicts: list[Conflict]) -> tuple[Conflict, str] | None:
    """The first of the conflicts between warps in shared memory that all sizes show with which the program
    comes to one of the two accesses, and when it does.
    """
    samples = run.machine.state.samples
    alike = sorted((found for found in conflicts if _counts(found)), key=lambda found: found.valuation)
    shown = {found.valuation for found in alike}
    missing = set(range(samples.valuations)) - shown
    if len(shown) < _LEAST or not missing:
        return None
    first = alike[0]
    if not any(missing.isdisjoint(_reached(event, samples)) for event, _ in (first.first, first.second)):
        return None
    conditions = (_condition(one, shown, missing, samples.threads) for one in run.parameters)
    condition = next((one for one in conditions if one), "")
    return (first, condition) if condition else None


def _counts(found: Conflict) -> bool:
    return found.memory.space == "shared" and not (found.doubtful or found.same_warp) and found.same_block


def _reached(event: Event, samples: Samples) -> set[int]:
    """The valuations with which some thread makes the access."""
    made = np.broadcast_to(event.mask, (samples.lanes,)).reshape(samples.valuations, -1).any(axis=1)
    return set(np.flatnonzero(made).tolist())


def _condition(one: Parameter, shown: set[int], missing: set[int], threads: int) -> str:
    """What the sizes that show it have in common: no multiple of the threads of a block."""
    if one.pointer or len(one.tried) != len(shown) + len(missing):
        return ""
    rest = {valuation for valuation, number in enumerate(one.tried) if number % threads}
    return f"{one.name} % {threads} != 0" if rest == shown else ""
