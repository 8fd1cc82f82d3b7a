"""Conditions after which a thread goes on as if they had not been met: both arms lead to the same place, and
leave no number behind that an address could be made of.
"""

from collections.abc import Iterator

from cudalint.analyses.definitions import equal
from cudalint.analyses.kernel_queries import root_of
from cudalint.analyses.once import once
from cudalint.analyses.trip_counts import uncast
from cudalint.analyses.varying import private
from cudalint.cuda import effects
from cudalint.cuda.maths import base, floating
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import VOID, Reference
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, find, walk


@once
def rejoins(unit: Unit, node: s.If | e.Conditional) -> bool:
    """Whether nothing after the statement or the expression hangs on its condition, but for what is in memory
    and for numbers with a fraction.
    """
    if isinstance(node, e.Conditional) and not floating(node.type) and not _picks(node):
        return False
    own = {part.variable.id for part in find(node, s.Declare)}
    return not any(_stays(unit, part, own) for part in walk(node))


@once
def gives_no_place(unit: Unit, function: Function) -> bool:
    """Whether nothing after a call hangs on what the function asks in between, but for what is in memory and
    for numbers with a fraction.
    """
    if function.body is None or not _gives_no_number(function):
        return False
    own = {one.id for one in function.parameters if not isinstance(one.type, Reference)}
    parts = [part for part in walk(function.body) if not isinstance(part, s.Return | s.Break | s.Continue)]
    own |= {part.variable.id for part in parts if isinstance(part, s.Declare)}
    return not any(_stays(unit, part, own) or _sets_own_object(part, function) for part in parts)


def _gives_no_number(function: Function) -> bool:
    """Whether the result, if any, is no number that the model makes addresses of."""
    if floating(function.returns) or function.returns == VOID or function.body is None:
        return True
    results = (part.value for part in find(function.body, s.Return))
    return all(value is not None and isinstance(uncast(value), e.Index | e.Dereference) for value in results)


def _sets_own_object(node: Node, function: Function) -> bool:
    """Whether a method writes to its object, which may be private."""
    if function.this is None or not isinstance(node, e.Assign):
        return False
    return root_of(node.target) in (None, function.this)


def _picks(node: e.Conditional) -> bool:
    """Whether the value is one of the numbers that are compared, as of `a < b ? a : b`: it stands on whatever
    the condition does.
    """
    condition = uncast(node.condition)
    if not isinstance(condition, e.Binary) or condition.operator not in ("<", "<=", ">", ">="):
        return False
    values = list(_values(node))
    compared = (uncast(part) for part in (condition.left, condition.right))
    return all(
        isinstance(part, e.Literal) or any(equal(part, value) for value in values) for part in compared
    )


def _values(node: e.Expression) -> Iterator[e.Expression]:
    """What a conditional expression may be, through those in it."""
    bare = uncast(node)
    if isinstance(bare, e.Conditional):
        yield from _values(bare.then)
        yield from _values(bare.otherwise)
    else:
        yield bare


def _stays(unit: Unit, node: Node, own: set[int]) -> bool:
    """Whether it leaves something behind. own: variables that end with the arms."""
    match node:
        case s.Return() | s.Break() | s.Continue() | s.Opaque() | e.Unknown() | e.Lambda():
            return True
        case e.Assign(target=target):
            variable = private(target)
            return variable is not None and variable.id not in own and not floating(target.type)
        case e.Call(key=key) if key in unit.functions:
            function = unit.functions[key or ""]
            changes = any(isinstance(p.type, Reference) and not p.type.const for p in function.parameters)
            return changes or node.receiver is not None or any(map(_lends, node.arguments))
        case e.Call(name=name):
            known = base(name) or effects.is_pure(name) or name in effects.LOADS
            return not (known or name.startswith(effects.ATOMIC_PREFIXES))
    return False


def _lends(node: e.Expression) -> bool:
    while isinstance(node, e.Cast):
        node = node.operand
    return isinstance(node, e.AddressOf) and private(node.operand) is not None
