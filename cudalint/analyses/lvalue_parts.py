"""Small questions about lvalues and pointers, asked where the arrays of a thread are followed."""

from collections.abc import Iterator

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Array, Pointer, Type
from cudalint.ir.walk import children


def operands(node: e.Expression) -> Iterator[e.Expression]:
    for child in children(node):
        if not isinstance(child, s.Statement):
            yield child


def written_root(node: e.Expression) -> e.Variable | None:
    while True:
        match node:
            case e.Index(base=base) | e.Member(base=base):
                node = base
            case e.Dereference(pointer=inner) | e.Cast(operand=inner):
                node = inner
            case e.VariableReference(variable=variable):
                return variable
            case _:
                return None


def is_pointer(type: Type) -> bool:
    return isinstance(type, Pointer | Array)
