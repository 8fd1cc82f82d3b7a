"""The facts of one kernel that a test writes down."""

from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.host.facts import HostFacts
from cudalint.host.model import run as host
from cudalint.ir.unit import Unit
from cudalint.settings import assume
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.model import ModelOptions, run


def facts(code: str, *assumptions: str) -> KernelFacts:
    """The model's facts of the only kernel in the code, for 64 threads a block unless assumed otherwise."""
    unit = load("kernel.cu", LoadOptions(text=code))
    options = ModelOptions(assumptions=assume.parse_all(("blockDim.x == 64", *assumptions)))
    (found,) = run(unit, HostFacts((), (), ()), options)
    assert found.modelled, found.failure
    return found


def modelled(code: str) -> tuple[Unit, KernelFacts]:
    """The unit, and the facts of its only kernel as its launches run it."""
    unit = load("kernel.cu", LoadOptions(text=code))
    (found,) = run(unit, host(unit), ModelOptions())
    assert found.modelled, found.failure
    return unit, found
