"""Accesses whose lanes the compiler may group into other requests than the iterations and arms of the source.

- A loop whose trip count differs between lanes of a warp: the compiler unrolls it by four with a remainder
  loop, so that lanes of different iterations share a request.
- Both arms of a condition that splits warps end in a store to the same place: it becomes one store after
  them. Both values of a conditional expression are loads: they become one, of either's place.
- What is loaded before such a condition and used in one arm only: it is loaded there, by the arm's lanes.
- The mask of a warp's call names lanes that do not come: those that did are not sure to be with them again.
- On lines where a function of the library reads a table: its loads are requests of the line, too.

Their number stays, but it is a bounded one. Seen of nvcc 13.0 in the fixtures whose requests were counted.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from cudalint.analyses.kernel_queries import reachable
from cudalint.cuda.maths import base
from cudalint.gpu.functions import reads_table
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.types import Scalar
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.warp_calls import WarpCall
from cudalint.simt.interpret.skipped_iterations import may_wait
from cudalint.source.span import Span

_SPLITTING = ("divergent", "data-dependent")
_SCALING = ("*", "/", "<<", ">>")
_IDLE = 0.01  # share of the iterations; less is the edge of the data
_WORD = 4  # bytes of a bank
_PLACES = (e.Index, e.Dereference, e.Member)


def bounded(
    unit: Unit,
    function: Function,
    branches: tuple[Branch, ...],
    calls: tuple[WarpCall, ...],
    found: list[Access],
) -> list[Access]:
    """The accesses, with those that are regrouped no longer exact."""
    if not any(access.transactions.certainty == "exact" for access in found):
        return found
    if any(call.fault is not None and call.fault.kind == "absent" for call in calls):
        return [_bounded(access) for access in found]
    split = {branch.span: branch for branch in branches if branch.divergence in _SPLITTING}
    loops: list[Span] = []
    places: set[Span] = set()
    tables: set[tuple[str, int]] = set()
    for one in reachable(unit, function):
        for node in find(one.body, s.Loop, s.Block, e.Conditional, e.Call):
            match node:
                case s.Loop() if _parts(unit, node, split):
                    loops.append(node.span)
                case s.Block() if split:
                    places.update(_moved(node, split))
                case e.Conditional() if node.condition.span in split:
                    places.update(_chosen(node))
                case e.Call() if _reads_table(node):
                    tables.add((node.span.path, node.span.line))

    def regrouped(access: Access) -> bool:
        spans = (access.span, access.attributed_to)
        beside = access.space == "global" and access.operation == "load"
        return (
            access.span in places
            or any(_holds(loop, at) for loop in loops for at in spans)
            or (beside and any((at.path, at.line) in tables for at in spans))
        )

    return [_bounded(access) if regrouped(access) else access for access in found]


def _bounded(access: Access) -> Access:
    """Its number is one between the fewest seen and each lane's own transactions."""
    counted = access.transactions
    if counted.certainty != "exact":
        return access
    words = -(-access.bytes // _WORD) if access.space == "shared" else 1
    most = max(counted.upper or 0.0, float(32 * words))
    return replace(access, transactions=replace(counted, certainty="bounded", upper=most))


def _chosen(node: e.Conditional) -> tuple[Span, ...]:
    """Of a conditional expression that is one of two loads."""
    arms = [node.then, node.otherwise]
    for at, arm in enumerate(arms):
        while isinstance(arm, e.Cast):
            arm = arm.operand
        arms[at] = arm
    return tuple(arm.span for arm in arms) if all(isinstance(arm, _PLACES) for arm in arms) else ()


def _reads_table(node: e.Call) -> bool:
    size = max((a.type.bytes for a in node.arguments if isinstance(a.type, Scalar)), default=0)
    return reads_table(base(node.name), size)


def _holds(loop: Span, at: Span) -> bool:
    inside = (loop.line, loop.column) <= (at.line, at.column) <= (loop.end_line, loop.end_column)
    return inside and loop.path == at.path


def _parts(unit: Unit, loop: s.Loop, split: dict[Span, Branch]) -> bool:
    """Whether lanes of a warp have different trip counts in the loop, and it may be unrolled in part:
    not where that is forbidden, nor round another loop or a barrier.
    """
    branch = split.get(loop.condition.span) if loop.condition is not None else None
    if branch is None or loop.unroll == 1 or not _counts(loop):
        return False
    if branch.loop.idle is not None and branch.loop.idle <= _IDLE:
        return False
    return not may_wait(unit, loop.body) and not find(loop.body, s.Loop)


def _counts(loop: s.Loop) -> bool:
    """Whether the trip count is known on entry: not where something is halved or doubled."""
    return not (isinstance(loop.step, e.Assign) and loop.step.operator in _SCALING)


def _moved(block: s.Block, split: dict[Span, Branch]) -> Iterator[Span]:
    """Accesses that a split condition of the block moves, by their places."""
    for at, statement in enumerate(block.body):
        if not isinstance(statement, s.If) or statement.condition.span not in split:
            continue
        first, second = _last_store(statement.then), _last_store(statement.otherwise)
        if first and second and render(first.target) == render(second.target):
            yield first.target.span
            yield second.target.span
        yield from _sunk(block.body, at, statement)


def _last_store(arm: s.Statement | None) -> e.Assign | None:
    """The store that an arm ends with."""
    while isinstance(arm, s.Block) and arm.body:
        arm = arm.body[-1]
    if isinstance(arm, s.Evaluate) and isinstance(arm.expression, e.Assign):
        target = arm.expression.target
        return None if isinstance(target, e.VariableReference) else arm.expression
    return None


def _sunk(body: tuple[s.Statement, ...], at: int, split: s.If) -> Iterator[Span]:
    """Places of the loads right before the condition that only one of its arms uses."""
    for index in range(at - 1, -1, -1):
        before = body[index]
        if not isinstance(before, s.Declare):
            return
        if before.initial is None:
            continue
        number = before.variable.id
        arms = [split.then, split.otherwise] if split.otherwise is not None else [split.then]
        elsewhere = (*body[index + 1 : at], split.condition, *body[at + 1 :])
        used = [arm for arm in arms if _uses(arm, number)]
        if len(used) == 1 and not any(_uses(node, number) for node in elsewhere):
            yield from (node.span for node in find(before.initial, *_PLACES))


def _uses(node: e.Expression | s.Statement, variable: int) -> bool:
    return any(part.variable.id == variable for part in find(node, e.VariableReference))
