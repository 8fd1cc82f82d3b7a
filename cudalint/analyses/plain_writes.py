"""Functions that write elements alone: no member, pointer, handle or container they are handed changes."""

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import walk

_READS = frozenset(
    """operator[] at front back data size length empty begin end cbegin cend get operator* operator->
    operator++ operator-- operator!= operator== operator<""".split()
)
_DEEPEST = 4  # calls of calls that are looked into


def writes_elements_only(function: Function, unit: Unit, plain: frozenset[str], depth: int = 0) -> bool:
    """Whether all that a body assigns are its own variables and numbers through pointers, and all that it
    calls does so too. plain: functions of the C and C++ library that run no code of the program.
    """
    if function.body is None or depth > _DEEPEST:
        return False
    for node in walk(function.body):
        match node:
            case e.Assign(target=target) if not _is_local(target):
                if not isinstance(target.type, t.Scalar) or isinstance(target, e.Member):
                    return False
            case e.Call():
                if not _is_harmless(node, unit, plain, depth):
                    return False
            case e.Launch() | e.Lambda() | s.Opaque():
                return False
    return True


def _is_local(target: e.Expression) -> bool:
    """Whether it is a variable of the function itself, not one that it was handed by reference."""
    return (
        isinstance(target, e.VariableReference)
        and target.variable.storage == "local"
        and not isinstance(target.variable.type, t.Reference)
    )


def _is_harmless(node: e.Call, unit: Unit, plain: frozenset[str], depth: int) -> bool:
    if node.name in plain or (node.receiver is not None and node.name in _READS):
        return True
    function = unit.defined(node.key)
    return function is not None and writes_elements_only(function, unit, plain, depth + 1)
