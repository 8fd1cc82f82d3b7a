"""Whether a size is a number of bytes by its definition: `const size_t line = n * sizeof(float)`."""

from msgspec import Struct

from cudalint.analyses.once import once
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Unit
from cudalint.ir.walk import find, kept


def in_bytes(size: e.Expression, unit: Unit) -> bool:
    """Whether a variable or member is given a value that is made with a sizeof anywhere in the unit."""
    while isinstance(size, e.Cast):
        size = size.operand
    match size:
        case e.VariableReference(variable=variable):
            return variable.id in _sized(unit, unit).variables
        case e.Member(name=name):
            return name in _sized(unit, unit).members
    return False


class _Sized(Struct, frozen=True):
    """What is given values in bytes: variables by their numbers, members by their names."""

    variables: frozenset[int]
    members: frozenset[str]


@once
def _sized(unit: Unit, _: Unit) -> _Sized:
    bodies = (function.body for function in unit.functions.values() if function.body is not None)
    sized = frozenset[int | str]().union(*map(_sized_in, bodies))
    variables = frozenset(name for name in sized if isinstance(name, int))
    return _Sized(variables, frozenset(name for name in sized if isinstance(name, str)))


@kept
def _sized_in(body: s.Block) -> frozenset[int | str]:
    found = map(_given, find(body, s.Declare, e.Assign))
    return frozenset(
        name for name, value in found if value is not None and any(map(is_size, find(value, e.Literal)))
    )


def is_size(node: object) -> bool:
    """Whether a node may be a sizeof: a constant that is not written as a number."""
    return isinstance(node, e.Literal) and node.spelling is None and not node.in_macro


def _given(node: object) -> tuple[int | str, e.Expression | None]:
    """What a declaration or an assignment gives a value to, and that."""
    match node:
        case s.Declare(variable=variable, initial=initial):
            return variable.id, initial
        case e.Assign(target=e.VariableReference(variable=variable), value=value):
            return variable.id, value
        case e.Assign(target=e.Member(name=name), value=value):
            return name, value
    return "", None
