"""Long arms of branches that the same few lanes of every warp take, scattered over it."""

from math import prod

from msgspec import Struct

from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.trip_counts import repeats
from cudalint.cuda import effects
from cudalint.cuda.warp import WARP
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, find
from cudalint.significance.divergence import branch_nodes
from cudalint.significance.thresholds import SCATTERED_ARM
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.pattern import guessed_rows

_TIMES = 4  # the warps that could hold the lanes, those that they are in, at least
_TOGETHER = effects.SHUFFLES.keys() | effects.VOTES | effects.WARP_BARRIERS | effects.WAITING
_TOGETHER |= effects.MATRIX_ACCESSES.keys() | {"mma_sync", "bmma_sync"}


class SparseArm(Struct, frozen=True):
    """An arm that the same scattered lanes of every warp of a block take, once."""

    warps: int  # of a block
    packed: int  # the fewest that hold as many lanes
    lanes: int  # of a warp that take it
    loops: bool  # it has iterations, which others could share


def sparse_arm(branch: Branch, kernel: KernelFacts, unit: Unit) -> SparseArm | None:
    """Of a long arm outside of loops, or with a loop of its own; None where its lanes stand together, are one
    of a warp or many, or work with each other as a warp.
    """
    split, configuration = branch.split, branch.configuration
    one_sided = branch.kind == "if" and not branch.cost.otherwise and not guessed_rows(configuration)
    if split.share != 1.0 or branch.divergence != "divergent" or configuration is None or not one_sided:
        return None
    lanes = [number for number, takes in enumerate(split.lanes) if takes]
    warps = prod(configuration.block) // WARP
    packed = -(-warps * len(lanes) // WARP)
    if len(lanes) < 2 or lanes[-1] - lanes[0] < len(lanes) or warps < _TIMES * packed:
        return None
    if branch.cost.then < SCATTERED_ARM.value:
        return None
    arms = [node.then for node in branch_nodes(branch, kernel, unit) if isinstance(node, s.If)]
    if not arms or any(_work_together(arm, unit) for arm in arms):
        return None
    loops = all(any(repeats(loop) for loop in find(arm, s.Loop)) for arm in arms)
    if _is_in_a_loop(branch, kernel, unit) and not loops:
        return None
    return SparseArm(warps, packed, len(lanes), loops)


def _is_in_a_loop(branch: Branch, kernel: KernelFacts, unit: Unit) -> bool:
    return any(
        node.span.contains(branch.statement)
        for function in reachable(unit, kernel.function)
        if function.body is not None
        for node in find(function.body, s.Loop)
    )


def _work_together(arm: Node, unit: Unit) -> bool:
    """Whether the lanes exchange values or wait for each other in the arm, or in what it calls."""
    calls = list(find(arm, e.Call))
    called: dict[str, Function] = {}
    for call in calls:
        function = unit.functions.get(call.key or "")
        for one in reachable(unit, function) if function is not None else ():
            called[one.key] = one
    for one in called.values():
        calls += find(one.body, e.Call)
    return any(call.name in _TOGETHER for call in calls)
