"""What one node of the source costs: operations, and instructions where they are known.

The one table for all who count work: the warp model while it runs a kernel, branches for the length of their
sides, and significance/ for the cost of a place.
"""

from cudalint.cuda import effects
from cudalint.cuda.maths import base, floating, whole
from cudalint.gpu.functions import DIVISION, Instructions, instructions
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Type
from cudalint.ir.walk import Node, children, kept

OPERATIONS = (e.Binary, e.Assign, e.Call, e.Index, e.Dereference, e.Conditional)
SINGLE = (e.Binary, e.Assign, e.Unary, e.Index, e.Dereference)  # nodes that count for one operation
CALL = 20  # operations that a call counts for whose body is not counted
LOOPED = 10  # iterations that a loop counts for
# Operations of a side of a branch that nvcc predicates: about seven instructions, each of two or three nodes.
PREDICATED = 14
# Operations that each case of a switch takes besides its own: nvcc 13.0 predicates none, and makes two or
# three jumps and comparisons of each.
CASE = 4
_FUSED = ("+", "-")
_OPERATORS = ("+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "<", "<=", ">", ">=", "==", "!=")
_WHOLE_DIVISION = 20  # instructions of a 32-bit division by a run-time number; nvcc 13.0, sm_90


def cost(node: Node | None) -> int:
    """Operations in a statement or expression: arithmetic, assignments, accesses and calls, loops ten times.

    A function of the mathematics library and a division of integers count as eight: they compile to 8 to 40
    instructions; one of 64 bits, which is a subroutine of a hundred, as forty.
    """
    if node is None:
        return 0
    return _of_statement(node) if isinstance(node, s.Statement) else _whole(node)


@kept
def _of_statement(node: s.Statement) -> int:
    return _whole(node)


def _whole(node: Node) -> int:
    inner = sum(map(cost, children(node)))
    return own_cost(node) + inner * (LOOPED if isinstance(node, s.Loop) else 1)


def own_cost(node: Node) -> int:
    """Operations of a node without those below it."""
    if not isinstance(node, OPERATIONS):
        return 0
    if isinstance(node, e.Call) and effects.is_long(node.name):
        return 8
    if isinstance(node, e.Binary | e.Assign) and node.operator in ("/", "%") and divides(node):
        return 8 if node.type.bytes <= 4 else 40
    return 1


def divides(node: e.Binary | e.Assign) -> bool:
    """Whether it is a division of integers by a number that is not constant."""
    match node:
        case (
            e.Binary(operator="/" | "%", right=right, type=type)
            | e.Assign(operator="/" | "%", value=right, type=type)
        ):
            return whole(type) and not is_constant(right)
        case _:
            return False


def narrows(node: e.Assign) -> bool:
    """Whether `target op= value` computes in double and rounds the result to float."""
    return node.operator is not None and floating(node.target.type, 4) and floating(node.value.type, 8)


def instructions_of(node: object) -> Instructions | None:
    """Those of an expression without the ones below it; None: not known."""
    match node:
        case e.Binary(operator=operator, left=left, right=right) if operator in _OPERATORS:
            if is_constant(left) and is_constant(right):
                return Instructions(0)
            return _arithmetic(operator, left, right, left.type)
        case e.Assign(operator=operator, target=target, value=value) if operator is not None:
            return _arithmetic(operator, target, value, value.type if narrows(node) else target.type)
        case e.Index() | e.Dereference():
            return Instructions(1)
        case e.Call():
            return _call(node)
        case _:
            return Instructions(0)


def _arithmetic(operator: str, left: e.Expression, right: e.Expression, type: Type) -> Instructions:
    if floating(type):
        if operator == "/" and not is_constant(right):
            return DIVISION.get(type.bytes, Instructions(1))
        fused = operator in _FUSED and (_product(left) or _product(right))
        return Instructions(0) if fused else Instructions(1, int(floating(type, 8)))
    if operator in ("/", "%") and whole(type) and not is_constant(right):
        return Instructions(_WHOLE_DIVISION)
    return Instructions(1)


def _product(node: e.Expression) -> bool:
    """Whether a sum takes the product into one operation with it."""
    return isinstance(node, e.Binary) and node.operator == "*" and floating(node.type)


def is_constant(node: e.Expression) -> bool:
    """Whether the expression holds literals and operators only, so that the compiler folds it."""
    while isinstance(node, e.Unary | e.Cast):
        node = node.operand
    if isinstance(node, e.Binary):
        return is_constant(node.left) and is_constant(node.right)
    return isinstance(node, e.Literal)


def _call(node: e.Call) -> Instructions | None:
    """A function with a body is counted as it is run; of the others the library's are known, and an intrinsic
    is taken for one instruction.
    """
    name = base(node.name)
    if not name:
        return Instructions(1)
    size = max((a.type.bytes for a in node.arguments if floating(a.type)), default=4)
    return instructions(name, size)
