"""Barriers of a block right after another one: whatever the rest of the kernel does, they order nothing."""

from collections.abc import Iterator

from cudalint.analyses.kernel_queries import reachable
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Scalar
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find, walk
from cudalint.source.span import Span

_REGISTERS = e.Literal | e.VariableReference | e.Builtin | e.Unary | e.Binary | e.Cast | e.Conditional


def repeated_barriers(unit: Unit, kernel: Function) -> Iterator[Span]:
    """The later one of each two with no more than declarations of numbers in registers between them."""
    for function in reachable(unit, kernel):
        for node in find(function.body, s.Block):
            yield from _in_a_row(node)


def _in_a_row(block: s.Block) -> Iterator[Span]:
    after_one = False
    for statement in block.body:
        match statement:
            case s.Evaluate(expression=e.Call(name="__syncthreads", span=span)):
                if after_one:
                    yield span
                after_one = True
            case s.Declare() if _is_private(statement):
                pass
            case _:
                after_one = False


def _is_private(declared: s.Declare) -> bool:
    """Whether it declares a number, or computes one from other variables alone."""
    parts = walk(declared.initial) if declared.initial is not None else ()
    return isinstance(declared.variable.type, Scalar) and all(
        isinstance(part, _REGISTERS)
        and not (isinstance(part, e.VariableReference) and part.variable.storage == "shared")
        for part in parts
    )
