"""Whether the host's code looks after the rest of a division, or after what the number is."""

from collections.abc import Iterator

from cudalint.analyses.definitions import Definitions, place, reads, same
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, find, walk

_READ_IN = frozenset("atoi atol atoll strtol strtoul strtoll strtoull stoi stol stoul stoull".split())


def is_anybodys(variable: e.Variable, known: Definitions) -> bool:
    """Whether the variable may have any number: a parameter of a function that the file does not call, or
    what the command line says.
    """
    if variable.id in known.changed:
        return False
    values = [_bare(value) for value in known.values.get(variable.id, [])]
    if variable.storage == "parameter":
        return not values and not _is_called(known.function, known.unit)
    asked = [value for value in values if isinstance(value, e.Call) and value.name in _READ_IN]
    return bool(asked) and all(isinstance(value, e.Literal) or value in asked for value in values)


def is_any_objects(member: e.Member, per: int | None, known: Definitions) -> bool:
    """Whether the member of an object that the function is given may have any number: the function does not
    change or look after it, no host code of the file takes the rest of a division by as much, and whoever
    makes the object is not in the file, or reads numbers in.
    """
    found = place(member)
    if found is None or not _is_given(found[0], known) or per is None:
        return False
    own = known.function.body
    if any(_looks_after_member(node, member) for node in (walk(own) if own is not None else ())):
        return False
    hosts = [function for function in known.unit.functions.values() if function.host]
    nodes = [node for each in hosts if each.body is not None for node in walk(each.body)]
    closed = any(function.name == "main" for function in hosts)
    read_in = any(isinstance(node, e.Call) and node.name in _READ_IN for node in nodes)
    return (read_in or not closed) and not any(_takes_rest(node, per, known) for node in nodes)


def _is_given(variable: e.Variable, known: Definitions) -> bool:
    """Whether the variable is the object of a method, a parameter that the function leaves as it is, or what
    a function of the file gave.
    """
    this = known.function.this
    if this is not None and variable.id == this.id:
        return True
    made = known.only(variable)
    if isinstance(made, e.Call) and made.key in known.unit.functions:
        return True
    return is_kept_parameter(variable, known)


def is_kept_parameter(variable: e.Variable, known: Definitions) -> bool:
    """Whether it is a parameter that the function leaves as it is."""
    changed = variable.id in known.changed or variable.id in known.values
    return variable.storage == "parameter" and not changed


def _looks_after_member(node: Node, member: e.Member) -> bool:
    """Whether a statement or an expression sets the member, subtracts from it or compares it."""
    match node:
        case e.Assign(target=target):
            return same(target, member)
        case e.Binary(operator="-", left=left, right=right):
            return _reads_member(left, member) and not isinstance(_bare(right), e.Literal)
        case s.If(condition=condition) | e.Conditional(condition=condition):
            return _reads_member(condition, member)
    return False


def _reads_member(node: Node, member: e.Member) -> bool:
    return any(same(part, member) for part in find(node, e.Member))


def _takes_rest(node: Node, per: int, known: Definitions) -> bool:
    """`x % per`, or `x & (per - 1)`."""
    if not isinstance(node, e.Binary) or node.operator not in ("%", "&"):
        return False
    number = known.constant(node.right)
    if number is None:
        return not isinstance(_bare(node.right), e.Literal)
    return number == per if node.operator == "%" else number == per - 1


def is_looked_after(variable: e.Variable, function: Function, asks: frozenset[int] = frozenset()) -> bool:
    """Whether the function divides the variable with a rest, subtracts from it, or asks how large it is.
    asks: nodes that do so to round the grid up, by identity.
    """
    nodes = walk(function.body) if function.body is not None else ()
    return any(_looks_after(node, variable) for node in nodes if id(node) not in asks)


def is_divided_up(variable: e.Variable, function: Function) -> bool:
    """Whether the function takes a rest of the variable, or subtracts what it does not write as a number."""
    return any(_looks_after(node, variable) for node in find(function.body, e.Binary))


def is_rest_taken(count: e.Expression, number: int, known: Definitions) -> bool:
    """Whether the function takes the rest of a division of the count, or of that number."""
    variables = [node.variable for node in find(count, e.VariableReference)]
    body = known.function.body
    return any(is_looked_after(variable, known.function) for variable in variables) or any(
        node.operator == "%" and known.constant(node.left) == number for node in find(body, e.Binary)
    )


def _looks_after(node: Node, variable: e.Variable) -> bool:
    match node:
        case e.Binary(operator="%" | "&", left=left):
            return reads(left, variable)
        case e.Binary(operator="-", left=left, right=right):
            return reads(left, variable) and not isinstance(_bare(right), e.Literal)
        case s.If(condition=condition) | e.Conditional(condition=condition):
            return reads(condition, variable)
        case s.Loop(condition=condition) if condition is not None and reads(condition, variable):
            return not _counts_from_zero(node)
    return False


def _counts_from_zero(node: s.Loop) -> bool:
    return any(isinstance(start, e.Literal) for start in _starts(node.initial))


def _starts(initial: s.Statement | None) -> Iterator[e.Expression]:
    match initial:
        case s.Declare(initial=value) if value is not None:
            yield _bare(value)
        case s.Evaluate(expression=e.Assign(value=value)):
            yield _bare(value)
        case s.Block(body=body):
            for statement in body:
                yield from _starts(statement)


def _is_called(function: Function, unit: Unit) -> bool:
    return any(
        node.key == function.key
        for other in unit.functions.values()
        if other.body is not None and other.host
        for node in find(other.body, e.Call, e.FunctionReference)
    )


def _bare(node: e.Expression) -> e.Expression:
    while isinstance(node, e.Cast):
        node = node.operand
    return node
