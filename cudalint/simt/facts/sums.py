"""Numbers of all samples of a run, added up by valuation."""

import numpy as np

from cudalint.simt.facts.accesses.weights import per_valuation
from cudalint.simt.launch.kernel_run import Run

NEAR = 0.01  # numbers so close are one: the last warps of odd sizes make the difference


def by_valuation(run: Run, numbers: np.ndarray) -> np.ndarray:
    """Weighted sums over the blocks, one a valuation."""
    return per_valuation(run.machine.state.samples, run.plan.configuration.grid, numbers)
