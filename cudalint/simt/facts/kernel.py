"""What the warp model knows of a kernel after running it. Plain frozen data; rules and `inspect` read it."""

from typing import Any, TypeVar

from msgspec import Struct

from cudalint.ir.unit import Function
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.barriers import Barrier
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.races.race import Race
from cudalint.simt.launch.configuration import Configuration
from cudalint.simt.launch.parameters import Parameter

Part = TypeVar("Part")


class Modelling(Struct, frozen=True):
    """How completely a kernel was modelled."""

    failure: str = ""  # why it could not be run, or not to its end
    unknowns: tuple[tuple[str, int], ...] = ()  # reasons for unknown values, with counts
    work: int = 0  # of its regular runs, see budget.py
    budget_spent: bool = False


class KernelFacts(Struct, frozen=True):
    """One kernel (one instantiation) with the requested facts."""

    name: str
    function: Function
    configurations: tuple[Configuration, ...]  # that it was run with
    facts: dict[type, tuple[Any, ...]]  # by the type of their parts
    modelling: Modelling = Modelling()
    parameters: tuple[tuple[Parameter, ...], ...] = ()  # at the start of each run, as `configurations`
    assumptions: tuple[str, ...] = ()  # those that bear on the kernel

    def of(self, kind: type[Part]) -> tuple[Part, ...]:
        """The parts of a fact at their own place, from regular runs. Raises LookupError if the fact was not
        requested.
        """
        return tuple(part for part in self.all_of(kind) if getattr(part, "own", True))

    def all_of(self, kind: type[Part]) -> tuple[Part, ...]:
        """All parts, also those attributed to the line of an inlined call, and branches on forced paths."""
        found = self.facts.get(kind)
        if found is None:
            raise LookupError(f"{kind.__name__} was not requested: name it among the parameters of `check`")
        return found

    @property
    def modelled(self) -> bool:
        """Whether it ran to its end or its budget, and every access in it has a record."""
        return not self.modelling.failure

    @property
    def accesses(self) -> tuple[Access, ...]:
        return self.of(Access)

    @property
    def branches(self) -> tuple[Branch, ...]:
        return self.of(Branch)

    @property
    def barriers(self) -> tuple[Barrier, ...]:
        return self.of(Barrier)

    @property
    def races(self) -> tuple[Race, ...]:
        return self.of(Race)
