"""Calls of a program's own costly functions that give the same numbers again and again: in all threads, in
all blocks, or in every round of an outer loop. The arguments tell, whatever other calls of the function pass.
"""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.analyses.device_code import Body, DeviceCode
from cudalint.analyses.instructions import instructions_of
from cudalint.analyses.kernel_queries import is_memory, reachable
from cudalint.analyses.launch_constants import kernels_of
from cudalint.analyses.launch_invariants import Sources, sources
from cudalint.analyses.once import once
from cudalint.analyses.repeated_values import (
    Alike,
    alike_of,
    cost_of,
    is_for_few,
    repeated_values,
    source_of,
)
from cudalint.analyses.stepping import varies
from cudalint.analyses.trip_counts import constant_trips, counter, unrolled
from cudalint.analyses.varying import private
from cudalint.cuda import effects
from cudalint.cuda.maths import base
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Scalar
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, children, find, walk
from cudalint.source.span import Span

_COSTLY = 40  # instructions of a call from which on a table of its results is worth it
_ROUNDS = 4  # of a loop from which on what it repeats is worth a table


class RepeatedCall(Struct, frozen=True):
    """A call of `function`. again: the loop each of whose rounds computes the same; None: all threads do, or
    all blocks, as `alike` tells.
    """

    call: e.Call
    function: Function
    depth: int
    again: s.Loop | None
    alike: Alike = Alike.THREADS

    @property
    def span(self) -> Span:
        return self.call.span


class RepeatedCalls(Struct, frozen=True):
    """Those of one function that another one makes, in the most loops first. every: it makes no others, and
    nobody else calls it.
    """

    calls: tuple[RepeatedCall, ...]
    every: bool

    @property
    def span(self) -> Span:
        return self.calls[0].span


def repeated_calls(body: Body, code: DeviceCode) -> Iterator[RepeatedCalls]:
    """One for each function that is called so."""
    own = [call for call in body.of(e.Call) if call.key in body.callees]
    if not own:
        return
    known = [sources(code.unit, kernel) for kernel in kernels_of(code.unit, body.function)]
    for key in dict.fromkeys(call.key for call in own):
        called = body.callees[key or ""]
        if not known or not _is_costly(code.unit, called.function) or _is_told(called, code):
            continue
        mine = [call for call in own if call.key == key]
        found = [one for call in mine if (one := _repeated(call, called.function, body, known)) is not None]
        if found:
            found.sort(key=lambda one: (-one.depth, one.span.line, one.span.column))
            others = sum(1 for other in code.bodies for call in other.of(e.Call) if call.key == key)
            yield RepeatedCalls(tuple(found), len(found) == others)


def _is_told(called: Body, code: DeviceCode) -> bool:
    """Whether most of what the function computes is the same for all who call it."""
    told = {id(part) for value in repeated_values(called, code) for part in walk(value.loop or value.node)}
    costs = [cost_of(call) for call in called.of(e.Call) if base(call.name) and id(call) not in told]
    return bool(told) and sum(cost.all for cost in costs if cost is not None) < _COSTLY


def _repeated(call: e.Call, function: Function, body: Body, known: list[Sources]) -> RepeatedCall | None:
    """A table of its values would have to be kept: the compiler moves none of it out of a loop by itself.
    Outside of loops only what all threads compute counts.
    """
    inside = list(body.loops(call))
    if (
        not inside
        and not is_for_few(call, body)
        and alike_of(source_of(call.arguments, known)) is Alike.THREADS
    ):
        return RepeatedCall(call, function, 0, None)
    changing = [
        loop
        for at, loop in enumerate(inside)
        if any(_varies(part, loop, body, _counted(inside[:at])) for part in call.arguments)
    ]
    if is_for_few(call, body) or not changing:
        return None
    alike = alike_of(source_of(call.arguments, known))
    if alike is Alike.BLOCKS:
        return RepeatedCall(call, function, len(inside), None, alike)
    if all(map(unrolled, changing)):
        return None
    if alike is Alike.THREADS:
        return RepeatedCall(call, function, len(inside), None)
    if any(find(node, e.Index, e.Dereference) for node in call.arguments):
        return None
    first = next(at for at, loop in enumerate(inside) if loop in changing and not unrolled(loop))
    for at, loop in enumerate(inside[first + 1 :], first + 1):
        inner = _counted(inside[:at])
        limits = (part for one in inside[:at] for part in _limits(one))
        steady = not any(_varies(part, loop, body, inner) for part in limits)
        if loop not in changing and steady and (constant_trips(loop) or _ROUNDS) >= _ROUNDS:
            return RepeatedCall(call, function, len(inside), loop)
    return None


def _counted(loops: list[s.Loop]) -> frozenset[int]:
    """The variables, by id, that these loops count with."""
    return frozenset(own.variable.variable.id for one in loops if (own := counter(one)) is not None)


def _varies(node: Node, loop: s.Loop, body: Body, counters: frozenset[int]) -> bool:
    """Whether rounds of a loop see different numbers, where loops inside it count alike in each."""
    names = find(node, e.VariableReference)
    return any(varies(name, loop, body) for name in names if name.variable.id not in counters)


def _limits(loop: s.Loop) -> list[Node]:
    return [part for part in (loop.initial, loop.condition, loop.step) if part is not None]


def cost_of_body(unit: Unit, function: Function) -> int:
    """Instructions of the calls of the mathematics library and of the divisions that it holds, as often as
    loops of a known length repeat them.
    """
    return sum(
        _cost_below(current.body, 1) for current in reachable(unit, function) if current.body is not None
    )


def _cost_below(node: Node, times: int) -> int:
    if isinstance(node, s.Loop):
        times *= constant_trips(node) or 1
    return times * _own_cost(node) + sum(_cost_below(child, times) for child in children(node))


def _own_cost(node: Node) -> int:
    match node:
        case e.Call(name=name) if base(name):
            count = cost_of(node)
        case e.Binary(operator="/"):
            count = instructions_of(node)
        case _:
            count = None
    return 0 if count is None else count.all


@once
def _is_costly(unit: Unit, function: Function) -> bool:
    """Whether it makes one number of its arguments alone, in many instructions."""
    if not all(isinstance(one.type, Scalar) for one in function.parameters) or function.this is not None:
        return False
    for current in reachable(unit, function):
        for node in find(
            current.body,
            s.Opaque,
            e.Unknown,
            e.Builtin,
            e.Lambda,
            e.Construct,
            e.Dereference,
            e.Assign,
            e.Index,
            e.VariableReference,
            e.Call,
        ):
            match node:
                case s.Opaque() | e.Unknown() | e.Builtin() | e.Lambda() | e.Dereference():
                    return False
                case e.Construct(key=key) if key is not None and key not in unit.functions:
                    return False
                case e.Assign(target=target) if private(target) is None:
                    return False
                case e.Index() if is_memory(node):
                    return False
                case e.VariableReference(variable=variable):
                    if variable.storage not in ("local", "parameter") and not variable.const:
                        return False
                case e.Call(name=name, key=key) if key not in unit.functions:
                    if not base(name) and not effects.is_pure(name):
                        return False
    return cost_of_body(unit, function) >= _COSTLY
