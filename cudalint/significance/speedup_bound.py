"""How much faster a kernel can get at most when one thing in it is mended: Amdahl's law on what it asks of
the part of the device that the thing keeps busy. Always told with that condition, and only where the numbers
are exact: how often a loop runs may hang on what nobody knows.
"""

from typing import Any

from msgspec import Struct

from cudalint.analyses.instructions import cost
from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.static_shared import sized_by_library
from cudalint.cuda.assembly import may_access
from cudalint.cuda.effects import accesses_unseen
from cudalint.cuda.spaces import Space
from cudalint.gpu.speedup import amdahl
from cudalint.ir.statements import Loop, Opaque
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import walk
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.pattern import Site

_WORTH = 1.1  # times


class Gain(Struct, frozen=True):
    """At most so many times as fast, where the kernel waits for nothing but `what`, of which it asks the part
    (0..1) here.
    """

    times: float
    part: float
    what: str

    @property
    def note(self) -> str:
        return (
            f"mended, the kernel is up to {self.times:.3g} times as fast: that is if it waits for nothing but"
            f" {self.what}, of which {self.part:.0%} are these"
        )


def notes(gain: Gain | None) -> tuple[str, ...]:
    """What a finding says of it."""
    return () if gain is None else (gain.note,)


def facts(gain: Gain | None) -> dict[str, Any]:
    """Its number, for a finding's evidence."""
    return {} if gain is None else {"up_to": round(gain.times, 2)}


def of_sectors(site: Site, kernel: KernelFacts, unit: Unit) -> Gain | None:
    """What ideal sectors at the site can give a kernel."""
    return _of_accesses(site, kernel, unit, ("global", "local"), "sectors")


def of_wavefronts(site: Site, kernel: KernelFacts, unit: Unit) -> Gain | None:
    """What accesses without bank conflicts at the site can give."""
    if sized_by_library(unit, kernel.function):
        return None  # what the library does there is not counted
    return _of_accesses(site, kernel, unit, ("shared",), "wavefronts of shared memory")


def _of_accesses(
    site: Site, kernel: KernelFacts, unit: Unit, spaces: tuple[Space, ...], what: str
) -> Gain | None:
    """Where each of the kernel's accesses to the spaces is made as often as all others, and all are known."""
    if _others(kernel, unit, spaces):
        return None
    counted = [access for access in kernel.accesses if access.space in spaces]
    numbers = [access.transactions for access in counted]
    if len({access.requests for access in counted}) != 1 or any(n.certainty != "exact" for n in numbers):
        return None
    whole = sum(n.per_request or 0.0 for n in numbers)
    mine = sum(access.transactions.per_request or 0.0 for access in site.accesses)
    ideal = sum(access.transactions.ideal or 0.0 for access in site.accesses)
    if not 0 < ideal < mine <= whole:
        return None
    return _worth(mine / whole, mine / ideal, what)


def _others(kernel: KernelFacts, unit: Unit, spaces: tuple[Space, ...]) -> bool:
    """Whether inline assembly, or a call that cannot be seen into, may access memory of the spaces, too."""
    return any(accesses_unseen(reason) for reason, _ in kernel.modelling.unknowns) or any(
        isinstance(node, Opaque) and any(may_access(node.text, space) for space in spaces)
        for current in reachable(unit, kernel.function)
        for node in (walk(current.body) if current.body is not None else ())
    )


def of_arms(branch: Branch, one: int, two: int, function: Function, unit: Unit) -> Gain | None:
    """What warps that stay together can give, where now every warp runs both arms, of so many operations of
    the source. Only in kernels without loops and calls, which tell how often the rest is run.
    """
    body, split = function.body, branch.split
    if body is None or split is None or branch.divergent_warps != 1.0 or len(reachable(unit, function)) > 1:
        return None
    if any(isinstance(node, Loop) for node in walk(body)):
        return None
    taken = split[0] / sum(split)
    together = taken * one + (1 - taken) * two
    whole = cost(body)
    if not 0 < together < one + two <= whole:
        return None
    return _worth((one + two) / whole, (one + two) / together, "its instructions (operations of the source)")


def _worth(part: float, times: float, what: str) -> Gain | None:
    gained = amdahl(part, times)
    return Gain(gained, part, what) if gained >= _WORTH else None
