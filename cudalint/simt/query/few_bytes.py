"""Kernels whose threads load one element of each array and end: as many bytes are in flight as threads are
resident, few of a device's bandwidth.
"""

from collections.abc import Sequence

from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.trip_counts import repeats
from cudalint.cuda.effects import WAITING
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import walk
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.query.pattern import never_run

_MOST = 8  # bytes of a lane and load: wider ones are vectors


def single_loads(unit: Unit, kernel: Function, accesses: Sequence[Access]) -> tuple[Access, ...]:
    """The loads of global memory of a kernel in which each lane accesses one element of each array, next to
    its neighbour's, and nothing else; () for other kernels.
    """
    made = [access for access in accesses if access.space != "constant"]
    if not made or not all(map(_is_single, made)) or not _runs_through(unit, kernel):
        return ()
    return tuple(access for access in made if access.operation == "load")


def _is_single(access: Access) -> bool:
    return (
        access.space == "global"
        and access.operation != "atomic"
        and access.bytes <= _MOST
        and not access.element.volatile
        and access.layout.lane_strides == (access.bytes,)
        and access.transactions.certainty == "exact"
        and not access.basis.data_dependent
        and bool(access.weight.requests)
        and not never_run(access)
    )


def _runs_through(unit: Unit, kernel: Function) -> bool:
    """Whether the kernel executes everything once and waits for nobody."""
    for function in reachable(unit, kernel):
        for node in walk(function.body) if function.body is not None else ():
            if isinstance(node, s.Loop) and repeats(node):
                return False
            if isinstance(node, s.Opaque) or (isinstance(node, e.Call) and node.name in WAITING):
                return False
    return True
