"""Kernels of which one block does the work and all others leave at once."""

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function
from cudalint.ir.walk import walk


def goes_on_alone(kernel: Function) -> bool:
    """Whether it starts with `if (blockIdx.x != one) return;`, or is all in `if (blockIdx.x == one)`."""
    body = kernel.body.body if kernel.body is not None else ()
    match body:
        case (s.If(condition=condition, then=then, otherwise=None), *rest):
            return (
                _is_one_block(condition, "!=")
                if _leaves(then)
                else not rest and _is_one_block(condition, "==")
            )
    return False


def _leaves(node: s.Statement) -> bool:
    match node:
        case s.Return() | s.Block(body=(s.Return(),)):
            return True
    return False


def _is_one_block(condition: e.Expression, operator: str) -> bool:
    """Whether the block's number is compared with one number, the same in all threads."""
    match condition:
        case e.Binary(operator=found, left=left, right=right) if found == operator:
            pairs = ((left, right), (right, left))
            return any(_is_block(one) and not _has_builtin(other) for one, other in pairs)
    return False


def _is_block(node: e.Expression) -> bool:
    while isinstance(node, e.Cast):
        node = node.operand
    return isinstance(node, e.Builtin) and node.name == "blockIdx"


def _has_builtin(node: e.Expression) -> bool:
    return any(isinstance(part, e.Builtin) and part.name in ("blockIdx", "threadIdx") for part in walk(node))
