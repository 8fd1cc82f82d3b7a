"""What a statement does to variables, as far as it decides which iterations the compiler can tell apart."""

from collections.abc import Iterator

from cudalint.analyses.trip_counts import uncast
from cudalint.cuda.maths import whole
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Scalar
from cudalint.ir.walk import Node, find, walk


def changed(node: s.Loop) -> frozenset[int]:
    """Variables that a loop assigns or declares."""
    found = set()
    for part in find(node, s.Declare, e.Assign):
        if isinstance(part, s.Declare):
            found.add(part.variable.id)
        elif isinstance(part, e.Assign):
            target = uncast(part.target)
            if isinstance(target, e.VariableReference):
                found.add(target.variable.id)
    return frozenset(found)


def breaks(node: s.Loop) -> bool:
    """Whether a `break` stands in the loop."""
    return bool(find(node.body, s.Break))


def leaves(node: s.Statement) -> bool:
    """Whether control never comes to the end of the statement."""
    if isinstance(node, s.Block):
        return bool(node.body) and leaves(node.body[-1])
    return isinstance(node, s.Return | s.Break | s.Continue)


def assigned(node: Node) -> Iterator[e.Variable]:
    """Scalars that a statement assigns, but for those that it declares."""
    declared = {part.variable.id for part in find(node, s.Declare)}
    for part in find(node, e.Assign):
        target = uncast(part.target)
        variable = target.variable if isinstance(target, e.VariableReference) else None
        if variable is not None and variable.id not in declared and isinstance(variable.type, Scalar):
            yield variable


def carried(node: s.Loop) -> tuple[e.Variable, ...]:
    """Scalars that a round of the loop makes from what they were before, but for those that go to and fro."""
    found: dict[int, e.Variable] = {}
    declared = {part.variable.id for part in find(node.body, s.Declare)}
    for root in (node.condition, node.step, node.body):
        for part in find(root, e.Assign):
            target = uncast(part.target)
            if not isinstance(target, e.VariableReference) or target.variable.id in declared:
                continue
            if isinstance(target.variable.type, Scalar) and goes_on(
                part, _reads(part.value, target.variable)
            ):
                found[target.variable.id] = target.variable
    return tuple(found.values())


def goes_on(node: e.Assign, reads: bool) -> bool:
    """Whether an assignment takes its target on from what it was, but to and fro. reads: the value does."""
    if node.operator is not None:
        return node.operator != "^"
    value = uncast(node.value)
    if isinstance(value, e.Unary) or (isinstance(value, e.Binary) and value.operator in ("-", "^", "==")):
        return False
    return reads


def _reads(value: e.Expression, variable: e.Variable) -> bool:
    return any(part.variable == variable for part in find(value, e.VariableReference))


def changes_slowly(node: s.Loop) -> bool:
    """Whether integers that the rounds of a loop carry on may lead to numbers that change after many rounds
    only: by what is left of a quotient, or by what is chosen or set after asking for them. What is no integer
    and never made one leads to no place.
    """
    carried_on = {variable.id for variable in carried(node) if whole(variable.type)}
    rounded = {
        inner.variable.id
        for part in find(node.body, e.Cast)
        if whole(part.type)
        for inner in find(part.operand, e.VariableReference)
    }
    return any(_is_slow(part, carried_on, rounded) for part in walk(node.body))


def _is_slow(node: Node, carried_on: set[int], rounded: set[int]) -> bool:
    match node:
        case e.Binary(operator="/" | ">>", left=left, type=kind) if whole(kind):
            return _names(left, carried_on)
        case e.Conditional(condition=condition):
            return _names(condition, carried_on)
        case s.If(condition=condition):
            return _names(condition, carried_on) and any(
                _counts(uncast(part.target), rounded) for part in find(node, e.Assign)
            )
    return False


def _counts(target: e.Expression, rounded: set[int]) -> bool:
    """Whether it is a variable that may lead to places."""
    if not isinstance(target, e.VariableReference):
        return False
    kind = target.variable.type
    return not isinstance(kind, Scalar) or whole(kind) or target.variable.id in rounded


def _names(node: Node, variables: set[int]) -> bool:
    return any(part.variable.id in variables for part in find(node, e.VariableReference))
