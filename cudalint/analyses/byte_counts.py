"""Whether a size is a number of bytes by its definition: `const size_t line = n * sizeof(float)`."""

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Unit
from cudalint.ir.walk import walk


def in_bytes(size: e.Expression, unit: Unit) -> bool:
    """Whether a variable or member is given a value that is made with a sizeof anywhere in the unit."""
    while isinstance(size, e.Cast):
        size = size.operand
    if not isinstance(size, e.VariableReference | e.Member):
        return False
    bodies = (function.body for function in unit.functions.values() if function.body is not None)
    given = (value for body in bodies for node in walk(body) if (value := _given(node, size)) is not None)
    return any(is_size(part) for value in given for part in walk(value))


def is_size(node: object) -> bool:
    """Whether a node may be a sizeof: a constant that is not written as a number."""
    return isinstance(node, e.Literal) and node.spelling is None and not node.in_macro


def _given(node: object, size: e.VariableReference | e.Member) -> e.Expression | None:
    """What a declaration or an assignment gives to the variable or to a member of that name."""
    match node, size:
        case s.Declare(variable=variable, initial=initial), e.VariableReference(variable=wanted):
            return initial if variable == wanted else None
        case e.Assign(target=e.VariableReference(variable=variable), value=value), e.VariableReference():
            return value if variable == size.variable else None
        case e.Assign(target=e.Member(name=name), value=value), e.Member(name=wanted_name):
            return value if name == wanted_name else None
    return None
