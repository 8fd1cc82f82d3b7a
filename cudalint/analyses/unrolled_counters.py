"""Numbers that unrolling makes constants."""

from cudalint.analyses.device_code import Body
from cudalint.analyses.trip_counts import constant_counter
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.walk import find, walk


def unrolled_counter(node: e.Expression, body: Body) -> bool:
    """Whether the number is made of constants and counters of loops with constant bounds."""
    names = {n.variable.id for n in find(node, e.VariableReference)}
    counters = {
        counter for loop in body.of(s.Loop) if (counter := constant_counter(loop, body.constant)) is not None
    }
    others = (e.Index, e.Dereference, e.Call, e.Member, e.Builtin, e.Unknown)
    return bool(names) and names <= counters and not any(isinstance(n, others) for n in walk(node))
