"""Conditions that constants alone decide: what template arguments leave of `if (traits::back() && last)`."""

from cudalint.analyses.trip_counts import HOLDS
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Pointer, Scalar
from cudalint.ir.unit import Unit
from cudalint.ir.walk import walk

_DEPTH = 4  # calls that stand in each other


def decided(unit: Unit, node: e.Expression, depth: int = _DEPTH) -> bool | None:
    """The outcome of a condition, whatever else it asks; None where a thread, an argument or data decides."""
    match node:
        case e.Unary(operator="!", operand=operand):
            told = decided(unit, operand, depth)
            return None if told is None else not told
        case e.Binary(operator="&&" | "||" as operator, left=left, right=right):
            sides = (decided(unit, left, depth), decided(unit, right, depth))
            settles = operator == "||"
            if settles in sides:
                return settles
            return None if None in sides else not settles
        case e.Binary(operator=operator, left=left, right=right) if operator in HOLDS:
            one, two = _number(unit, left, depth), _number(unit, right, depth)
            return None if one is None or two is None else HOLDS[operator](one, two)
    held = _number(unit, node, depth)
    return None if held is None else held != 0


def passed_over(unit: Unit, node: s.Switch) -> tuple[s.Statement, ...]:
    """The statements of a switch over a constant that are never run."""
    number = _number(unit, node.subject, _DEPTH)
    if number is None:
        return ()
    begin = next((case.index for case in node.cases if case.value == number), None)
    if begin is None:
        begin = next((case.index for case in node.cases if case.value is None), len(node.body))
    end = begin
    while end < len(node.body) and not isinstance(node.body[end], s.Break | s.Return):
        end += 1
    return (*node.body[:begin], *node.body[end + 1 :])


def same_always(unit: Unit, key: str | None, depth: int = _DEPTH) -> bool:
    """Whether a function returns the same for the same arguments: it reads nothing but those and its own."""
    function = unit.functions.get(key or "")
    if function is None or function.body is None or depth == 0:
        return False
    for part in walk(function.body):
        match part:
            case e.VariableReference(variable=variable):
                if variable.storage not in ("local", "parameter"):
                    return False
            case e.Dereference(pointer=pointer):
                if not (isinstance(pointer, e.VariableReference) and pointer.variable.name == "this"):
                    return False
            case e.Call(key=called):
                if not same_always(unit, called, depth - 1):
                    return False
            case e.Unknown() | s.Opaque():
                return False
            case e.Index(base=base) if isinstance(base.type, Pointer):
                return False
    return True


def _number(unit: Unit, node: e.Expression, depth: int) -> int | None:
    """The integer that an expression always is."""
    match node:
        case e.Literal(value=bool() | int() as value):
            return int(value)
        case e.Cast(operand=operand, type=Scalar(kind="bool" | "signed" | "unsigned" as kind, bytes=size)):
            held = _number(unit, operand, depth)
            if kind == "bool" and held is not None:
                return int(held != 0)
            return held if held is not None and 0 <= held < 1 << (8 * size - 1) else None
        case e.Call(key=str(key), arguments=()) if depth:
            function = unit.functions.get(key)
            body = function.body.body if function is not None and function.body is not None else ()
            if len(body) == 1 and isinstance(body[0], s.Return) and body[0].value is not None:
                return _number(unit, body[0].value, depth - 1)
    return None
