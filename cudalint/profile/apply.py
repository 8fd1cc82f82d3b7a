"""Findings with what a profile says of their kernels."""

from collections.abc import Iterable

from msgspec.structs import replace

from cudalint.profile.read import Measured, base_name
from cudalint.rule.findings import Finding, Profiled
from cudalint.significance.impact import Basis

# Nsight Compute's rules, by their identifiers, and the cost that each of them sees.
_SEEN = {
    "UncoalescedGlobalAccess": (Basis.SECTORS, Basis.LINES),
    "MemoryCacheAccessPattern": (Basis.SECTORS, Basis.LINES),
    "UncoalescedSharedAccess": (Basis.WAVEFRONTS,),
    "SharedMemoryConflicts": (Basis.WAVEFRONTS,),
    "ThreadDivergence": (Basis.DIVERGENCE,),
    "LaunchConfiguration": (Basis.IDLE, Basis.WAVES),
    "WorkloadImbalance": (Basis.IDLE, Basis.WAVES),
    "Occupancy": (Basis.OCCUPANCY,),
    "AchievedOccupancy": (Basis.OCCUPANCY,),
    "TheoreticalOccupancy": (Basis.OCCUPANCY,),
    "FPInstructions": (Basis.DOUBLE,),
    "HighPipeUtilization": (Basis.DOUBLE, Basis.ISSUE),
    "IssueSlotUtilization": (Basis.LATENCY,),
}


def profiled(findings: Iterable[Finding], kernels: tuple[Measured, ...]) -> tuple[Finding, ...]:
    """Each finding about a kernel with the kernel's share of the measured time, 0 where it was not run, and
    the rules of the profiler that see the cost that the finding states.
    """
    whole = sum(kernel.seconds for kernel in kernels)
    known = {kernel.name: kernel for kernel in kernels}
    return tuple(_with(finding, known, whole) if finding.kernel else finding for finding in findings)


def _with(finding: Finding, known: dict[str, Measured], whole: float) -> Finding:
    kernel = known.get(base_name(finding.kernel))
    if kernel is None:
        return replace(finding, profile=Profiled(0.0))
    basis = finding.impact.basis if finding.impact is not None else None
    confirming = tuple(rule for rule in kernel.rules if basis in _SEEN.get(rule, ()))
    return replace(finding, profile=Profiled(kernel.seconds / whole, confirming))
