"""What a kernel itself checks before it does anything with its parameters: what they are multiples of."""

import math

from cudalint.analyses.definitions import definitions
from cudalint.analyses.divisibility import bare, divisions
from cudalint.analyses.once import once
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit

_ASSUMES = ("__builtin_assume",)
_ENDS = ("__assert_fail", "__trap", "__builtin_unreachable", "abort")


@once
def checked_multiples(unit: Unit, function: Function) -> dict[int, int]:
    """What divides integer parameters, by identity, in whatever of the kernel is worth a look: what an assert
    demands, or a return at once where it is not so.
    """
    known = definitions(unit, function)
    found: dict[int, int] = {}
    for statement in function.body.body if function.body is not None else ():
        for condition, outcome in _demands(statement):
            for number, by, mask in divisions(condition, outcome):
                whole = known.constant(by)
                if not isinstance(number, e.VariableReference) or number.variable.storage != "parameter":
                    continue
                if whole is not None and whole + mask > 1 and number.variable.id not in known.changed:
                    found[number.variable.id] = math.lcm(found.get(number.variable.id, 1), whole + mask)
    return found


def _demands(statement: s.Statement) -> list[tuple[e.Expression, bool]]:
    """The conditions, with their outcomes, that the rest of the body is run under."""
    match statement:
        case s.If(condition=condition, then=then, otherwise=None) if _ends(then):
            return [(condition, False)]
        case s.Evaluate(expression=expression):
            match bare(expression):
                case e.Conditional(condition=asserted, otherwise=otherwise) if _is_end(otherwise):
                    return [(asserted, True)]
                case e.Call(name=name, arguments=(assumed,)) if name in _ASSUMES:
                    return [(assumed, True)]
    return []


def _ends(node: s.Statement) -> bool:
    match node:
        case s.Return():
            return True
        case s.Block(body=body):
            return bool(body) and _ends(body[-1])
        case s.Evaluate(expression=expression):
            return _is_end(expression)
    return False


def _is_end(node: e.Expression) -> bool:
    inner = bare(node)
    return isinstance(inner, e.Call) and inner.name in _ENDS
