"""Loops that wait in every iteration for a number that the host only looks at after the loop."""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from cudalint.analyses.trip_counts import uncast
from cudalint.cuda.thrust import NUMBERS
from cudalint.host.facts import HostCall, HostFacts, Rounds
from cudalint.host.walks import holds, home, rounds_by_id, times, walks
from cudalint.ir import expressions as e
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find
from cudalint.source.span import Span


class NumberWait(Struct, frozen=True):
    """A call whose result only the code after the loop reads. use: the one of the last iteration, or a sum or
    a row of all.
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
    """Whether an algorithm of Thrust or a function of cuBLAS hands the host a number."""
    node = call.expression
    if not isinstance(node, e.Call) or call.kind != "library" or not call.blocking:
        return False
    return is_cublas(call) or (node.qualified.startswith("thrust::") and node.name in NUMBERS)


def is_cublas(call: HostCall) -> bool:
    """Whether the number is one of cuBLAS, which is put where the last argument points to."""
    return call.name.startswith("cublas")


def _use(call: HostCall, loop: Rounds, unit: Unit) -> Literal["last", "each"] | None:
    """What becomes of the number, where it goes to a variable that the loop reads nowhere else."""
    function = unit.functions.get(home(unit, loop.span))
    if function is None or function.body is None or not holds(loop.span, call.span):
        return None
    found = _pointed(call) if is_cublas(call) else _assigned(call, function)
    if found is None:
        return None
    variable, use = found
    uses = [one for one in find(function.body, e.VariableReference) if one.variable.id == variable.id]
    inside = [one for one in uses if holds(loop.span, one.span)]
    local = variable.span is not None and holds(loop.span, variable.span)
    return None if local or len(inside) != 1 or len(uses) == len(inside) else use


def _assigned(call: HostCall, function: Function) -> tuple[e.Variable, Literal["last", "each"]] | None:
    """The variable that takes what is returned."""
    made = [one for one in find(function.body, e.Assign) if one.value is call.expression or _is_of(one, call)]
    if len(made) != 1 or not isinstance(made[0].target, e.VariableReference):
        return None
    if made[0].operator not in (None, "+"):
        return None
    return made[0].target.variable, "last" if made[0].operator is None else "each"


def _pointed(call: HostCall) -> tuple[e.Variable, Literal["last", "each"]] | None:
    """The variable that the last argument is the address of, or the one that leads to an element."""
    match uncast(call.expression.arguments[-1]) if isinstance(call.expression, e.Call) else None:
        case e.AddressOf(operand=e.VariableReference(variable=variable)):
            return variable, "last"
        case e.AddressOf(operand=e.Index(base=base)) | e.Binary(operator="+", left=base):
            base = uncast(base)
            return (base.variable, "each") if isinstance(base, e.VariableReference) else None
    return None


def _is_of(assign: e.Assign, call: HostCall) -> bool:
    """Whether what is assigned is what the call returns, converted."""
    value = uncast(assign.value)
    return isinstance(value, e.Call) and value.span == call.span
