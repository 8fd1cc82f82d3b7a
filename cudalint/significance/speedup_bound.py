"""An upper bound on a kernel's speedup from fixing one finding: Amdahl's law on the sectors, wavefronts or
instructions of the kernel. Reported only where all counts are exact.
"""

from typing import Any

from msgspec import Struct

from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.static_shared import sized_by_library
from cudalint.cuda.assembly import may_access
from cudalint.cuda.effects import accesses_unseen
from cudalint.cuda.spaces import Space
from cudalint.gpu.speedup import amdahl
from cudalint.ir.statements import Opaque
from cudalint.ir.unit import Unit
from cudalint.ir.walk import walk
from cudalint.significance.thresholds import SPEEDUP
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.pattern import Site


class SpeedupBound(Struct, frozen=True):
    """An upper bound on the speedup of a kernel that is limited by one kind of work."""

    times: float  # the speedup
    part: float  # of the kernel's work of this kind that is done here, 0 to 1
    what: str  # the kind of work, as a clause: 'sectors are moved'

    @property
    def note(self) -> str:
        share = f"{self.part:.0%} of its {self.what} here"
        return f"fixing it makes the kernel up to {self.times:.3g}x faster ({share})"


def notes(bound: SpeedupBound | None) -> tuple[str, ...]:
    """The note of a finding."""
    return () if bound is None else (bound.note,)


def facts(bound: SpeedupBound | None) -> dict[str, Any]:
    """The number for a finding's evidence."""
    return {} if bound is None else {"up_to": round(bound.times, 2)}


def of_sectors(site: Site, kernel: KernelFacts, unit: Unit) -> SpeedupBound | None:
    """The bound with ideal sectors at the site."""
    return _of_accesses(site, kernel, unit, ("global", "local"), "sectors are moved")


def of_wavefronts(site: Site, kernel: KernelFacts, unit: Unit) -> SpeedupBound | None:
    """The bound without bank conflicts at the site."""
    if sized_by_library(unit, kernel.function):
        return None  # the library's own accesses are not counted
    return _of_accesses(site, kernel, unit, ("shared",), "shared-memory wavefronts are spent")


def _of_accesses(
    site: Site, kernel: KernelFacts, unit: Unit, spaces: tuple[Space, ...], what: str
) -> SpeedupBound | None:
    """The bound where all accesses to the spaces have exact counts and are executed equally often."""
    if _others(kernel, unit, spaces):
        return None
    counted = [access for access in kernel.accesses if access.space in spaces]
    numbers = [access.transactions for access in counted]
    if len({access.weight.requests for access in counted}) != 1 or any(
        n.certainty != "exact" for n in numbers
    ):
        return None
    whole = sum(n.per_request or 0.0 for n in numbers)
    mine = sum(access.transactions.per_request or 0.0 for access in site.accesses)
    ideal = sum(access.transactions.ideal or 0.0 for access in site.accesses)
    if not 0 < ideal < mine <= whole:
        return None
    return _worth(mine / whole, mine / ideal, what)


def _others(kernel: KernelFacts, unit: Unit, spaces: tuple[Space, ...]) -> bool:
    """Whether inline assembly, or a call without a visible body, may also access memory of the spaces."""
    return any(accesses_unseen(reason) for reason, _ in kernel.modelling.unknowns) or any(
        isinstance(node, Opaque) and any(may_access(node.text, space) for space in spaces)
        for current in reachable(unit, kernel.function)
        for node in (walk(current.body) if current.body is not None else ())
    )


def _worth(part: float, times: float, what: str) -> SpeedupBound | None:
    total = amdahl(part, times)
    return SpeedupBound(total, part, what) if total >= SPEEDUP.value else None
