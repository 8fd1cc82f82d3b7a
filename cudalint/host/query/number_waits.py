"""Loops that wait in every iteration for a number that the host only looks at after the loop."""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from cudalint.cuda.thrust import NUMBERS
from cudalint.host.facts import HostCall, HostFacts, Rounds
from cudalint.host.walks import holds, home, rounds_by_id, times, walks
from cudalint.ir import expressions as e
from cudalint.ir.unit import Unit
from cudalint.ir.walk import find
from cudalint.source.span import Span


class NumberWait(Struct, frozen=True):
    """A call whose result only the code after the loop reads. use: the one of the last iteration, or a sum
    over all.
    """

    call: HostCall
    loop: Rounds
    use: Literal["last", "each"]


def number_waits(host: HostFacts, unit: Unit, trips: float) -> Iterator[NumberWait]:
    """Where the call is made in every iteration of a loop of at least so many, or of an unknown number."""
    rounds = rounds_by_id(host)
    seen: set[Span] = set()
    for calls in walks(host):
        for call in calls:
            loop = rounds.get(call.loop_id)
            if loop is None or call.span in seen or not _waits(call) or call.conditions != loop.conditions:
                continue
            seen.add(call.span)
            often = times(call, rounds)
            use = _use(call, loop, unit)
            if use is not None and (often is None or often >= trips):
                yield NumberWait(call, loop, use)


def _waits(call: HostCall) -> bool:
    """Whether an algorithm of Thrust hands the host a number."""
    node = call.expression
    named = isinstance(node, e.Call) and node.qualified.startswith("thrust::") and node.name in NUMBERS
    return named and call.kind == "library" and call.blocking


def _use(call: HostCall, loop: Rounds, unit: Unit) -> Literal["last", "each"] | None:
    """What becomes of the number, where it goes to a variable that the loop reads nowhere else."""
    function = unit.functions.get(home(unit, loop.span))
    if function is None or function.body is None or not holds(loop.span, call.span):
        return None
    made = [one for one in find(function.body, e.Assign) if one.value is call.expression or _is_of(one, call)]
    if len(made) != 1 or not isinstance(made[0].target, e.VariableReference):
        return None
    variable = made[0].target.variable
    uses = [one for one in find(function.body, e.VariableReference) if one.variable.id == variable.id]
    inside = [one for one in uses if holds(loop.span, one.span)]
    local = variable.span is not None and holds(loop.span, variable.span)
    if local or len(inside) != 1 or len(uses) == len(inside) or made[0].operator not in (None, "+"):
        return None
    return "last" if made[0].operator is None else "each"


def _is_of(assign: e.Assign, call: HostCall) -> bool:
    """Whether what is assigned is what the call returns, converted."""
    value = assign.value
    while isinstance(value, e.Cast):
        value = value.operand
    return isinstance(value, e.Call) and value.span == call.span
