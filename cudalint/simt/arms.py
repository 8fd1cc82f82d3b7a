"""What the ways of a branch hold."""

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Pointer, Scalar
from cudalint.ir.walk import walk
from cudalint.simt.static import cost, is_memory


def arms(statement: e.Expression | s.Statement) -> tuple[int, int]:
    """Operations in each arm; of a switch those of its two longest cases."""
    match statement:
        case s.If(then=then, otherwise=otherwise):
            return cost(then), cost(otherwise)
        case e.Conditional(then=left, otherwise=right):
            return cost(left), cost(right)
        case s.Loop(body=body):
            return cost(body), 0
        case s.Switch():
            first, second, *_ = [*sorted(cases(statement).values(), reverse=True), 0, 0]
            return first, second
        case _:
            return 0, 0


def guarded(statement: e.Expression | s.Statement) -> tuple[int, int]:
    """Operations in each arm that have to stand under the branch."""
    if isinstance(statement, s.If):
        return _arm(statement.then), _arm(statement.otherwise)
    return arms(statement)


def cases(node: s.Switch) -> dict[int, int]:
    """Operations of each case, from its label to the next one, by the index of its first statement."""
    starts = sorted({case.index for case in node.cases})
    ends = [*starts[1:], len(node.body)]
    return {a: sum(cost(b) for b in node.body[a:z]) for a, z in zip(starts, ends, strict=True)}


def _arm(node: s.Statement | None) -> int:
    """Operations of an arm. One that does nothing but store a value is a predicated instruction, and where it
    goes is computed before it without a branch.
    """
    only = node
    while isinstance(only, s.Block) and len(only.body) == 1:
        only = only.body[0]
    match only:
        case s.Evaluate(expression=e.Assign(target=target, value=value)) if is_memory(target):
            return 1 + cost(value) + (cost(target) if _calls(target) else 0)
        case s.Opaque(operands=operands, text=text) if text:
            return text.count(";") + sum(cost(part) for part in operands if _calls(part) or not _place(part))
        case _:
            return cost(node)


def _calls(node: e.Expression) -> bool:
    return any(isinstance(part, e.Call) for part in walk(node))


def _place(node: e.Expression) -> bool:
    """Whether the operand may be an address."""
    kind = node.type
    return isinstance(kind, Pointer) or (isinstance(kind, Scalar) and kind.kind in ("signed", "unsigned"))
