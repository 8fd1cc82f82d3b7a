"""Code with what references stand for in their place: local references, those of called functions, whose
bodies then stand where they are called, and the places that functions return. Places in it keep the spans of
the source.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from cudalint.analyses.kernel_queries import is_memory
from cudalint.analyses.once import once
from cudalint.analyses.trip_counts import uncast
from cudalint.analyses.varying import private
from cudalint.cuda.maths import pure
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Pointer, Record, Reference, Scalar
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, find, kept, rebuilt, walk

_DEPTH = 3  # calls in each other
_STEADY = (e.Literal, e.Builtin, e.Unary, e.Binary, e.Cast)
_LONGEST = 64  # parts of the arguments of a call, which the value may repeat


class _Given(Struct, frozen=True):
    """By the id of a variable: what a reference stands for, what a pointer points to, and what a value is. A
    place is accessed where it is named, a value was made where it is passed.
    """

    lvalues: Mapping[int, e.Expression] = field(default_factory=dict)
    pointees: Mapping[int, e.Expression] = field(default_factory=dict)
    values: Mapping[int, e.Expression] = field(default_factory=dict)

    def of(self, node: Node) -> e.Expression | None:
        found = None
        match node:
            case e.VariableReference(variable=variable):
                if variable.id in self.values:
                    return self.values[variable.id]
                found = self.lvalues.get(variable.id)
            case e.Dereference(pointer=e.VariableReference(variable=variable)):
                found = self.pointees.get(variable.id)
        return replace(found, span=node.span) if found is not None else None


class _Called(Struct, frozen=True):
    """A statement that calls a function of the unit, which returns at its end. statement: what it does with
    the result, where it does anything.
    """

    call: e.Call
    function: Function
    body: s.Block
    statement: s.Evaluate | s.Declare | None = None


def seen_through(unit: Unit, function: Function, loop: s.Loop) -> s.Loop:
    """A loop of the function; itself where there is nothing to see through."""
    known = _loops(unit, function)
    if id(loop) not in known:
        known[id(loop)] = loop, _loop(unit, function, loop)
    return known[id(loop)][1]


@once
def _loops(unit: Unit, function: Function) -> dict[int, tuple[s.Loop, s.Loop]]:
    """Those that were seen through so far, by identity."""
    return {}


def _loop(unit: Unit, function: Function, loop: s.Loop) -> s.Loop:
    lvalues = _referents(unit, function)
    nodes = find(loop.body, s.Evaluate, s.Declare, e.Call)
    if not lvalues and not any(_called(unit, node) or _returned(unit, node) for node in nodes):
        return loop
    return replace(loop, body=_seen(unit, loop.body, _Given(lvalues), _DEPTH))


@once
def _referents(unit: Unit, function: Function) -> dict[int, e.Expression]:
    """What the references of a function to memory stand for, by the variable."""
    return {
        node.variable.id: named
        for node in find(function.body, s.Declare)
        if isinstance(node.variable.type, Reference)
        if node.initial is not None
        if is_memory(named := _seen(unit, node.initial, _Given(), _DEPTH))
    }


@once
def inlined(unit: Unit, function: Function) -> Function:
    """The function with its calls seen through; itself where there is nothing to see through."""
    if function.body is None or not find(function.body, e.Call):
        return function
    return replace(function, body=_seen(unit, function.body, _Given(), _DEPTH))


def maths_in_place(unit: Unit, function: Function) -> Function:
    """The function with the calls of the maths library in the place of those that do nothing but return one;
    itself where there are none.
    """
    calls = find(function.body, e.Call)
    if function.body is None or not any(isinstance(_returned(unit, call), e.Call) for call in calls):
        return function
    return replace(function, body=_maths(unit, function.body))


def _maths(unit: Unit, node: Node) -> Any:
    made = rebuilt(node, lambda part: _maths(unit, part))
    returned = _returned(unit, made) if isinstance(made, e.Call) else None
    if not isinstance(made, e.Call) or not isinstance(returned, e.Call) or not pure(returned):
        return made
    value = _seen(unit, returned, _arguments(made, unit.functions[made.key or ""]), _DEPTH)
    return replace(value, span=made.span)


def body_of(unit: Unit, call: e.Call) -> s.Block | None:
    """The body that a call runs, with what it is passed for its parameters; None where that is not seen."""
    function = unit.functions.get(call.key or "")
    if function is None or function.body is None or len(function.parameters) != len(call.arguments):
        return None
    body: s.Block = _seen(unit, function.body, _arguments(call, function), _DEPTH)
    return body


def _seen(unit: Unit, node: Node, given: _Given, depth: int) -> Any:
    """A node with all that is below it."""
    if isinstance(node, s.Statement) and not _concerns(node, given, depth):
        return node
    found = given.of(node)
    if found is not None:
        return found
    made = rebuilt(node, lambda part: _seen(unit, part, given, depth))
    if not depth or not isinstance(made, e.Call | s.Evaluate | s.Declare):
        return made
    returned = _returned(unit, made)
    if returned is not None and isinstance(made, e.Call):
        function = unit.functions[made.key or ""]
        value = _seen(unit, returned, _arguments(made, function), depth - 1)
        return replace(value, span=node.span) if isinstance(function.returns, Reference) else value
    called = _called(unit, made)
    return made if called is None else _in_place(unit, called, depth - 1)


def _concerns(node: s.Statement, given: _Given, depth: int) -> bool:
    """Whether there may be anything to see through."""
    known = (given.lvalues, given.pointees, given.values)
    return (depth > 0 and bool(find(node, e.Call))) or not all(map(_names(node).isdisjoint, known))


@kept
def _names(node: s.Statement) -> frozenset[int]:
    return frozenset(part.variable.id for part in find(node, e.VariableReference))


def _returned(unit: Unit, node: Node) -> e.Expression | None:
    """The place or the number that a call stands for: of a function which does nothing but return it."""
    function = unit.defined(node.key) if isinstance(node, e.Call) else None
    if not isinstance(node, e.Call) or function is None or function.body is None:
        return None
    match function.body.body:
        case (s.Return(value=value),) if isinstance(function.returns, Reference | Pointer | Scalar | Record):
            parts = [part for operand in node.operands for part in walk(operand)]
            plain = not any(isinstance(part, e.Assign | e.Lambda) for part in parts)
            whole = len(function.parameters) == len(node.arguments)
            plain = plain and not any(map(_promises, function.parameters))
            return value if whole and plain and len(parts) <= _LONGEST else None
    return None


def _arguments(call: e.Call, function: Function) -> _Given:
    """What the call passes for each parameter, and what `this` points to."""
    given = list(zip(function.parameters, call.arguments, strict=True))
    this = function.this
    return _Given(
        {parameter.id: argument for parameter, argument in given if isinstance(parameter.type, Reference)},
        {this.id: call.receiver} if this is not None and call.receiver is not None else {},
        {
            parameter.id: argument
            for parameter, argument in given
            if not isinstance(parameter.type, Reference)
        },
    )


def _called(unit: Unit, node: Node) -> _Called | None:
    call = _call_of(node)
    function = unit.functions.get(call.key or "") if call is not None else None
    if call is None or function is None or function.body is None:
        return None
    if len(function.parameters) != len(call.arguments):
        return None
    used = not isinstance(node, s.Evaluate) or node.expression is not call
    body = _to_its_result(function.body) if used else _to_its_end(function.body)
    statement = node if used and isinstance(node, s.Evaluate | s.Declare) else None
    return None if body is None else _Called(call, function, body, statement)


def _call_of(node: Node) -> e.Call | None:
    """The call that a statement consists of, or whose number it assigns to something."""
    match node:
        case s.Evaluate(expression=e.Call() as call):
            return call
        case s.Evaluate(expression=e.Assign(value=value)) | s.Declare(initial=value) if value is not None:
            value = uncast(value)
            return value if isinstance(value, e.Call) and isinstance(value.type, Scalar) else None
    return None


def _to_its_end(body: s.Block) -> s.Block | None:
    """The body of a function that leaves at its end only, whose result is not used."""
    match body.body:
        case (*before, s.Return(value=value)):
            last = () if value is None else (s.Evaluate(value, value.span),)
            body = s.Block((*before, *last), body.span)
    return None if find(body, s.Return) else body


def _to_its_result(body: s.Block) -> s.Block | None:
    """The body of a function that returns a number at its end only and changes nothing but variables of its
    own, with the number as its last statement.
    """
    match body.body:
        case (*before, s.Return(value=value)) if value is not None and before:
            own = all(private(one.target) is not None for one in find(body, e.Assign))
            if own and not any(find(one, s.Return) for one in before):
                return s.Block((*before, s.Evaluate(value, value.span)), body.span)
    return None


def _with_result(statement: s.Evaluate | s.Declare, result: e.Expression) -> s.Statement:
    """The statement with the number in the place of the call."""
    match statement:
        case s.Evaluate(expression=e.Assign() as assign):
            return replace(statement, expression=replace(assign, value=result))
        case s.Declare():
            return replace(statement, initial=result)
    return statement


def _in_place(unit: Unit, called: _Called, depth: int) -> s.Block:
    """The body of the function, after its parameters have got their values."""
    call, function = called.call, called.function
    lvalues: dict[int, e.Expression] = {}
    pointees: dict[int, e.Expression] = {}
    values: dict[int, e.Expression] = {}
    declared: list[s.Statement] = []
    changes = find(called.body, e.Assign, e.AddressOf)
    written = {variable.id for variable in map(_written, changes) if variable is not None}
    if function.this is not None and call.receiver is not None:
        pointees[function.this.id] = call.receiver
    for parameter, argument in zip(function.parameters, call.arguments, strict=True):
        if isinstance(parameter.type, Reference):
            lvalues[parameter.id] = argument
        elif isinstance(argument, e.AddressOf):
            pointees[parameter.id] = argument.operand
        elif parameter.id not in written and _is_steady(argument) and not _promises(parameter):
            values[parameter.id] = argument
        else:
            declared.append(s.Declare(parameter, argument, argument.span))
    body: s.Block = _seen(unit, called.body, _Given(lvalues, pointees, values), depth)
    inside = body.body
    if called.statement is not None and isinstance(inside[-1], s.Evaluate):
        inside = (*inside[:-1], _with_result(called.statement, inside[-1].expression))
    return s.Block((*declared, *inside), call.span)


def _written(node: Node) -> e.Variable | None:
    """The variable of its own that a part of a function may change."""
    match node:
        case e.Assign(target=target) | e.AddressOf(operand=target):
            return private(target)
    return None


def _promises(parameter: e.Variable) -> bool:
    """Whether the function says that nothing else reaches what the parameter points to."""
    return isinstance(parameter.type, Pointer) and parameter.type.restrict


def _is_steady(node: e.Expression) -> bool:
    """Whether it is made of numbers and variables of the thread: they stay as they are in the function."""
    return all(
        isinstance(part, _STEADY)
        or (isinstance(part, e.VariableReference | e.Member) and private(part) is not None)
        for part in walk(node)
    )
