"""Floating-point operations as the source writes them."""

from cudalint.analyses.executed_with import roots
from cudalint.analyses.instructions import is_constant
from cudalint.cuda.maths import base, floating
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.walk import kept, walk

_ARITHMETIC = ("+", "-", "*", "/")
_FUSED = ("fma", "__fma_rn", "__fmaf_rn")


@kept
def float_operations(node: s.Statement) -> int:
    """Those of one execution of the expressions that are executed with the statement itself: a sum, product
    or quotient is one, a fused multiply-add two, a call of the mathematics library one. Indices count none.
    """
    found = [part for root, home in roots(node) if home is node for part in walk(root)]
    return sum(map(_operations, found))


def _operations(node: object) -> int:
    match node:
        case e.Binary(operator=operator, left=left, right=right) if operator in _ARITHMETIC:
            return int(floating(node.type) and not (is_constant(left) and is_constant(right)))
        case e.Assign(operator=operator, target=target) if operator is not None:
            return int(operator.removesuffix("=") in _ARITHMETIC and floating(target.type))
        case e.Call(name=name) if floating(node.type):
            return 2 if name in _FUSED or base(name) == "fma" else int(bool(base(name)))
        case _:
            return 0
