"""The two models on one unit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cudalint.engine.elsewhere.launches import Elsewhere
from cudalint.engine.subjects import Wanted
from cudalint.host.facts import HostFacts
from cudalint.ir.unit import Unit
from cudalint.settings.assume import Assumption
from cudalint.settings.config import arch_number
from cudalint.simt.facts.kernel import KernelFacts

if TYPE_CHECKING:
    from cudalint.engine.held import Held


def run_host(unit: Unit, held: Held) -> HostFacts:
    from cudalint.buildfiles.run_lines import run_line
    from cudalint.host.model import run

    return held.run_host(unit, lambda whole: run(whole, run_line(whole.path)))


def run_simt(
    unit: Unit,
    host: HostFacts,
    assumptions: tuple[Assumption, ...],
    wanted: Wanted,
    elsewhere: Elsewhere,
    made_up: bool,
    hasty: bool,
) -> tuple[KernelFacts, ...]:
    """made_up, hasty: see ModelOptions."""
    from cudalint.simt.model import ModelOptions, listed, run

    if not wanted.kernels:
        return listed(unit, host)

    options = ModelOptions(arch_number(unit.arch), made_up, assumptions, hasty=hasty)
    return run(unit, host, options, wanted.facts, lambda one: elsewhere.launches(one.name, one.extent.path))
