"""What a branch costs whose warps diverge: the instructions that they issue with lanes missing."""

from msgspec.structs import replace

from cudalint.analyses.arms import cases
from cudalint.analyses.instructions import instructions_of
from cudalint.analyses.kernel_queries import nodes_by_span
from cudalint.cuda.warp import WARP
from cudalint.gpu.functions import Instructions
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Unit
from cudalint.ir.walk import find
from cudalint.significance.impact import Basis
from cudalint.significance.saving import Idle, Saving
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.kernel import KernelFacts

_MOST = (WARP - 1) / WARP  # of the instructions of a way that one lane of a warp takes


_Node = s.If | s.Loop | s.Switch | e.Conditional


def branch_nodes(
    branch: Branch, kernel: KernelFacts, unit: Unit
) -> list[s.If | s.Loop | s.Switch | e.Conditional]:
    """The branch in the code of the kernel and of what it calls."""
    return [
        node
        for node in nodes_by_span(unit, kernel.function).get(branch.statement, ())
        if isinstance(node, s.If | s.Loop | s.Switch | e.Conditional)
    ]


def of_branches(branches: tuple[Branch, ...], kernel: KernelFacts, unit: Unit) -> Saving:
    """What full warps save in the ways of these branches, or in the iterations of these loops."""
    idle: list[Idle] = []
    instructions: list[tuple[e.Expression, Instructions]] = []
    for branch in branches:
        for node in branch_nodes(branch, kernel, unit):
            if isinstance(node, e.Conditional):
                instructions.append(
                    (node, Instructions(int(_MOST * max(branch.cost.then, branch.cost.otherwise))))
                )
            else:
                idle += _idle(branch, node, unit)
    return Saving(Basis.DIVERGENCE, instructions=tuple(instructions), idle=tuple(idle))


def of_scattered(branch: Branch, kernel: KernelFacts, unit: Unit) -> Saving:
    """What neighbouring lanes save in its place: idle lanes, and the division that its condition needs."""
    divisions = [
        (part, count)
        for node in branch_nodes(branch, kernel, unit)
        if isinstance(node, s.If)
        for part in find(node.condition, e.Binary)
        if part.operator in ("%", "/")
        if (count := instructions_of(part)) is not None
    ]
    return replace(of_branches((branch,), kernel, unit), instructions=tuple(divisions))


def _idle(branch: Branch, node: s.If | s.Loop | s.Switch, unit: Unit) -> list[Idle]:
    """Counted lanes where the thread index decides (of loops, also in iterations that were not run); else at
    most one lane that takes the longer way while the others wait.
    """
    match node:
        case s.If(then=then, otherwise=otherwise):
            ways = tuple(way for way in (then, otherwise) if way is not None)
        case s.Loop(body=body):
            ways = (body,)
        case s.Switch(body=cases):
            ways = tuple(cases)
    if branch.divergence == "divergent":
        idle = branch.loop.idle if isinstance(node, s.Loop) else None
        return [Idle(ways, node, idle, idle)]
    if isinstance(node, s.Switch):
        return _of_cases(node, unit)
    if len(ways) != 2:
        return [Idle(ways, node, 0.0, _MOST)]
    longer, shorter = ways if branch.cost.then >= branch.cost.otherwise else ways[::-1]
    return [Idle((longer,), node, 0.0, _MOST), Idle((shorter,), node, 0.0, 1 - _MOST)]


def _of_cases(node: s.Switch, unit: Unit) -> list[Idle]:
    """One lane takes the longest case, the others share the rest of them evenly."""
    each = sorted(cases(unit, node).items(), key=lambda case: case[1], reverse=True)
    starts = sorted(start for start, _ in each)
    ends = dict(zip(starts, [*starts[1:], len(node.body)], strict=True))
    others = sum(1 for _, cost in each[1:] if cost)
    most = {start: 1 - _MOST / others if others else 0.0 for start, _ in each[1:]} | {each[0][0]: _MOST}
    return [Idle(node.body[start : ends[start]], node, 0.0, part) for start, part in most.items()]
