"""What the rounds of a loop do to a number: nothing, or the same in each of them."""

from cudalint.analyses.device_code import Body
from cudalint.cuda.maths import base
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.walk import find, kept

_DEPTH = 4


def varies(node: e.Expression, loop: s.Loop, body: Body, depth: int = _DEPTH) -> bool:
    """Whether rounds of the loop may see different numbers, memory read at one address left out."""
    changed = _changed(loop)
    for part in find(node, e.Unknown, e.Call, e.VariableReference):
        match part:
            case e.Unknown():
                return True
            case e.Call(name=name) if not base(name):
                return True
            case e.VariableReference(variable=variable) if variable.id in changed:
                start = body.once.get(variable.id)
                if start is None or not depth or varies(start, loop, body, depth - 1):
                    return True
    return False


def steps(node: e.Expression, loop: s.Loop, body: Body, depth: int = _DEPTH) -> bool:
    """Whether every round adds the same to the number, or to one that it is a quotient or remainder of."""
    if not varies(node, loop, body):
        return True
    match node:
        case e.Cast(operand=operand) | e.Unary(operator="-" | "+", operand=operand):
            return steps(operand, loop, body, depth)
        case e.Binary(operator="+" | "-", left=left, right=right):
            return steps(left, loop, body, depth) and steps(right, loop, body, depth)
        case e.Binary(operator="*", left=left, right=right):
            fixed, other = (right, left) if varies(left, loop, body) else (left, right)
            return not varies(fixed, loop, body) and steps(other, loop, body, depth)
        case e.Binary(operator="/" | "%", left=left, right=right):
            return not varies(right, loop, body) and steps(left, loop, body, depth)
        case e.VariableReference(variable=variable) if depth and variable.id in body.once:
            return steps(body.once[variable.id], loop, body, depth - 1)
        case e.VariableReference(variable=variable):
            return _counts(variable, loop, body)
        case _:
            return False


def _counts(variable: e.Variable, loop: s.Loop, body: Body) -> bool:
    """Whether one assignment, which every round runs, adds to the variable: `i += n`, `i = (i + 1) % n`."""
    parts = (loop.condition, loop.body, loop.step)
    sets = [at for part in parts for at in find(part, e.Assign) if _is(at.target, variable)]
    lent = any(_is(at.operand, variable) for part in parts for at in find(part, e.AddressOf))
    if len(sets) != 1 or lent:
        return False
    (assign,) = sets
    inner = [at for at in body.ancestors(assign) if isinstance(at, s.If | s.Loop | s.Switch)]
    if not inner or inner[0] is not loop:
        return False
    if assign.operator is not None:
        return assign.operator in ("+", "-") and not varies(assign.value, loop, body)
    match _bare(assign.value):
        case e.Binary(operator="%", left=left, right=right) if not varies(right, loop, body):
            return _sum(_bare(left), variable, loop, body)
        case value:
            return _sum(value, variable, loop, body)


def _sum(node: e.Expression, variable: e.Variable, loop: s.Loop, body: Body) -> bool:
    """Whether the number is the variable and something that the loop does not change."""
    if not isinstance(node, e.Binary) or node.operator not in ("+", "-"):
        return False
    left, right = _bare(node.left), _bare(node.right)
    if _is(left, variable):
        return not varies(right, loop, body)
    return node.operator == "+" and _is(right, variable) and not varies(left, loop, body)


def _bare(node: e.Expression) -> e.Expression:
    while isinstance(node, e.Cast):
        node = node.operand
    return node


def _is(node: e.Expression, variable: e.Variable) -> bool:
    return isinstance(node, e.VariableReference) and node.variable.id == variable.id


@kept
def _changed(loop: s.Loop) -> frozenset[int]:
    """Variables that the rounds of the loop set or declare."""
    found: set[int] = set()
    parts = (loop.condition, loop.body, loop.step)
    for node in (node for part in parts for node in find(part, e.Assign, e.AddressOf, s.Declare)):
        match node:
            case e.Assign(target=e.VariableReference(variable=variable)):
                found.add(variable.id)
            case e.AddressOf(operand=e.VariableReference(variable=variable)):
                found.add(variable.id)
            case s.Declare(variable=variable):
                found.add(variable.id)
    return frozenset(found)
