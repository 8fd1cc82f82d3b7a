"""Expressions of host code: their values, and the places that lvalues name."""

from collections.abc import Callable
from functools import reduce
from typing import Any

from msgspec.structs import replace

from cudalint.host import calls, clocks, closures, containers, copied_pointers, host_accesses, launches
from cudalint.host.arithmetic import beside, binary, element_bytes, inside, moved, overflow, tight, unary
from cudalint.host.conditions import learn, takes_the_less, takes_turns
from cudalint.host.facts import HostOverflow
from cudalint.host.machine import Machine, OutOfBudget
from cudalint.host.memory import EMPTY, LOST, ZERO
from cudalint.host.stored import read, write
from cudalint.host.values import (
    UNKNOWN,
    Address,
    Aggregate,
    Callee,
    Handle,
    Moment,
    Somewhere,
    Unknown,
    Value,
    candidates,
    convert,
    least,
    merge,
    sample_of,
    truth,
)
from cudalint.ir import expressions as e
from cudalint.ir import ranges
from cudalint.ir import types as t
from cudalint.ir.layout import members

_ORDERINGS = ("<", "<=", ">", ">=")
_MOST_ELEMENTS = 256  # of a brace list that are evaluated
_OWN = ("local", "parameter")
_GLOBAL = ("global", "constant", "device", "managed", "texture")


def evaluate(m: Machine, node: e.Expression) -> Value:
    """The value of an expression; its side effects happen in `m.state` and `m.log`."""
    m.steps += 1
    if m.steps > m.last_step:
        raise OutOfBudget
    return _EVALUATE[type(node)](m, node)


def value_and_place(m: Machine, node: e.Expression) -> tuple[Value, Value]:
    """Both what an expression holds and where it is (Unknown for what has no place), evaluated once."""
    if _is_lvalue(m, node):
        place = locate(m, node)
        if not isinstance(node, e.VariableReference) or node.variable.storage == "managed":
            host_accesses.expression(m, node, place)
        return read(m, place, node.type), place
    if isinstance(node, e.Call):
        value = _result(m, node)
        return (_held(m, node, value), value) if _stands_for_place(m, node, value) else (value, UNKNOWN)
    if isinstance(node, e.Conditional):
        return _chosen(m, node)
    return evaluate(m, node), UNKNOWN


def _chosen(m: Machine, node: e.Conditional) -> tuple[Value, Value]:
    """The value of `c ? a : b`, and where it is, if both are somewhere: the choice is another name of one."""
    m.step()
    places: list[Value] = []

    def go(m: Machine, arm: e.Expression) -> Value:
        value, place = value_and_place(m, arm)
        places.append(place)
        return value

    value = _conditional(m, node, go)
    return value, reduce(merge, places) if all(candidates(place) for place in places) else UNKNOWN


def _is_lvalue(m: Machine, node: e.Expression) -> bool:
    match node:
        case e.VariableReference() | e.Index() | e.Dereference():
            return True
        case e.Member(base=e.Call() as call):
            return calls.returns_reference(m, call)
        case e.Member(base=base):
            return _is_lvalue(m, base)
    return False


def locate(m: Machine, node: e.Expression) -> Value:
    """The place an lvalue names: an Address, Somewhere or Unknown. A value with no place gets a temporary."""
    m.step()
    if type(node) is e.VariableReference:
        return variable_place(m, node.variable)
    match node:
        case e.Member(base=base, offset=offset):
            place = locate(m, base)
            return moved(place, offset, 1) if isinstance(place, Address) else beside(place, offset, 1)
        case e.Index(base=base, index=index):
            pointer = evaluate(m, base)
            if isinstance(pointer, Aggregate):
                pointer = temporary(m, base, pointer)
            return inside(_element(pointer, evaluate(m, index), element_bytes(base.type)), pointer, base.type)
        case e.Dereference(pointer=pointer):
            return _pointee(evaluate(m, pointer))
        case e.Cast(operand=operand):
            return locate(m, operand)
        case e.Assign():
            return assign(m, node)[1]
        case e.Conditional():
            return _conditional(m, node, locate)
        case e.Call():
            value = _result(m, node)
            if calls.returns_reference(m, node):
                return value if isinstance(value, (Address, Somewhere)) else UNKNOWN
            return temporary(m, node, value)
        case e.Binary(operator=",", left=left, right=right):
            evaluate(m, left)
            return locate(m, right)
    return temporary(m, node, evaluate(m, node))


def temporary(m: Machine, node: e.Expression, value: Value) -> Address:
    place = m.allocate(node, "pageable", node.type.bytes or None, "temporary")
    if isinstance(value, Unknown) and isinstance(node.type, t.Record):
        value = Aggregate((), UNKNOWN)  # no part of it is known
    m.state.store(place, value, node.type.bytes)
    return place


def _element(pointer: Value, index: Value, size: int) -> Value:
    match pointer:
        case Address():
            return moved(pointer, index, size)
        case Somewhere():
            return beside(pointer, index, size)
    return UNKNOWN


def _pointee(pointer: Value) -> Value:
    return pointer if isinstance(pointer, (Address, Somewhere)) else UNKNOWN


def variable_place(m: Machine, variable: e.Variable) -> Value:
    """Where a variable lives; a reference is where it was bound to."""
    bound = m.state.bindings.get(variable.id)
    if bound is not None:
        return bound
    known = m.places.get(variable.id)
    if known is not None:
        return known
    if isinstance(variable.type, t.Reference):
        return UNKNOWN
    number = m.variable(variable)
    if variable.storage in _GLOBAL and number not in m.state.objects:
        initialise_global(m, variable, number)
    elif variable.const and variable.initial is not None and number not in m.state.objects:
        m.state.objects[number] = EMPTY
        write(m, Address(number, 0), evaluate(m, variable.initial), variable.type)
    place = Address(number, 0)
    if variable.storage in _OWN and not variable.const:
        m.places[variable.id] = place
    return place


def initialise_global(m: Machine, variable: e.Variable, number: int) -> None:
    """A global's contents when its entry point starts: the initialiser's, unless something changes them."""
    variable = m.unit.variables.get(variable.id, variable)
    trusted = variable.const or (m.in_main and not m.lossy) or variable.id not in m.dirty_globals
    m.state.objects[number] = LOST
    if not trusted or variable.storage not in ("global", "constant"):
        return
    if variable.initial is not None:
        m.state.objects[number] = EMPTY
        value = evaluate(m, variable.initial)
        write(m, Address(number, 0), convert(value, variable.type), variable.type)
    elif m.in_main and not variable.extern and not m.lossy:
        m.state.objects[number] = EMPTY if isinstance(variable.type, (t.Array, t.Record)) else ZERO


# --- one function a node type ---


def _literal(m: Machine, node: e.Literal) -> Value:
    return UNKNOWN if node.value is None else node.value


def _lvalue(m: Machine, node: e.Expression) -> Value:
    place = locate(m, node)
    host_accesses.expression(m, node, place)
    return read(m, place, node.type)


def _member(m: Machine, node: e.Member) -> Value:
    if _is_lvalue(m, node) or isinstance(node.type, t.Array):
        return _lvalue(m, node)
    base = evaluate(m, node.base)
    if isinstance(base, Aggregate):
        inner = tuple((k - node.offset, v) for k, v in base.cells if k >= node.offset)
        if isinstance(node.type, t.Record):
            return Aggregate(inner, base.default)
        return dict(inner).get(0, base.default)
    return read(m, base, node.type) if isinstance(base, Address) else UNKNOWN


def _unary(m: Machine, node: e.Unary) -> Value:
    value = evaluate(m, node.operand)
    if isinstance(value, Moment) and node.operator == "-":
        return clocks.negated(value)
    return unary(node.operator, value, node.type)


def _binary(m: Machine, node: e.Binary) -> Value:
    if node.operator in ("&&", "||"):
        return _logical(m, node)
    left = evaluate(m, node.left)
    right = evaluate(m, node.right)
    if node.operator in _ORDERINGS:
        m.note_comparison(left, right)
    if isinstance(left, Moment) or isinstance(right, Moment):
        return clocks.combined(m, node.operator, left, right) or UNKNOWN
    value = binary(node.operator, left, right, node.type, node.left.type, node.right.type)
    if isinstance(left, int) and isinstance(right, int) and not m.unreached:
        _note_overflow(m, node, left, right)
    return value


def _note_overflow(m: Machine, node: e.Binary, left: int, right: int) -> None:
    exact = overflow(node.operator, left, right, node.type)
    if exact is not None:
        m.overflows.setdefault(id(node), HostOverflow(node, exact, m.function, node.span))
    near = tight(node.operator, left, right, node.type)
    if near is not None and ((known := m.tight.get(id(node))) is None or known.value < near):
        m.tight[id(node)] = HostOverflow(node, near, m.function, node.span)


def _logical(m: Machine, node: e.Binary) -> Value:
    left = truth(evaluate(m, node.left))
    short = node.operator == "||"
    if left is short:
        return short
    if left is not None:
        right = truth(evaluate(m, node.right))
        return UNKNOWN if right is None else right
    before = m.state.copy()
    with m.under_condition(node):
        right = truth(evaluate(m, node.right))
    m.state = m.merge(before, m.state)
    return short if right is short else UNKNOWN


def assign(m: Machine, node: e.Assign) -> tuple[Value, Value]:
    """Do an assignment: the expression's value, and the target's place."""
    if isinstance(node.target, e.VariableReference) and isinstance(node.target.type, t.Reference):
        value, place = value_and_place(m, node.value)  # `[&x = y]`
        m.state.bindings[node.target.variable.id] = place
        return value, place
    if node.operator is None:
        value, place = _initialised(m, node)
        value = named(m, place, value, node.target)
        value = convert(value, node.target.type)
        host_accesses.expression(m, node.target, place, write=True)
        write(m, place, value, node.target.type)
        return value, place
    place = locate(m, node.target)
    host_accesses.expression(m, node.target, place)
    host_accesses.expression(m, node.target, place, write=True)
    old = read(m, place, node.target.type)
    operand = evaluate(m, node.value)
    if isinstance(old, Moment) or isinstance(operand, Moment):
        value = clocks.combined(m, node.operator or "+", old, operand) or UNKNOWN
    else:
        value = _compound(node, old, operand)
    if m.muted and node.operator == "+" and isinstance(place, Address) and isinstance(value, int | Unknown):
        m.counted.add(place)
    write(m, place, value, node.target.type)
    return (old if node.result == "old" else value), place


def _initialised(m: Machine, node: e.Assign) -> tuple[Value, Value]:
    """What is assigned, and where."""
    if isinstance(node.target.type, t.Record):
        place = locate(m, node.target)
        if isinstance(place, Address) and place.offset is not None:
            return evaluate_into(m, node.value, place), place
        return evaluate(m, node.value), place
    value = evaluate(m, node.value)
    return value, locate(m, node.target)


def named(m: Machine, place: Value, value: Value, target: e.Expression) -> Value:
    """Allocations are called after the first variable or member that holds them."""
    if isinstance(value, Address) and isinstance(place, Address):
        m.name_buffer(value.object, place.object, target.name if isinstance(target, e.Member) else "")
    return value


def _compound(node: e.Assign, old: Value, operand: Value) -> Value:
    """`old op operand`, as the target's type holds it."""
    target, computed = node.target.type, node.computed or node.target.type
    if isinstance(target, t.Scalar):
        old = convert(old, computed)
    new = binary(node.operator or "+", old, operand, computed, target, node.value.type)
    return convert(new, target)


def _assign(m: Machine, node: e.Assign) -> Value:
    return assign(m, node)[0]


def _conditional(m: Machine, node: e.Conditional, go: Callable[[Machine, e.Expression], Value]) -> Value:
    outcome = evaluate(m, node.condition)
    known = truth(outcome)
    if known is None and takes_turns(m, node, outcome):
        known = bool(sample_of(outcome))
    if known is not None:
        return go(m, node.then if known else node.otherwise)
    before = m.state.copy()
    with m.under_condition(node, True):
        learn(m, node.condition, True, locate, evaluate)
        then = go(m, node.then)
    after = m.state
    m.state = before
    with m.under_condition(node, False):
        learn(m, node.condition, False, locate, evaluate)
        otherwise = go(m, node.otherwise)
    m.state = m.merge(after, m.state)
    found = merge(otherwise, then) if sample_of(outcome) == 0 else merge(then, otherwise)
    if not isinstance(found, Unknown) or not takes_the_less(node):
        return found
    samples = [sample for one in (then, otherwise) if (sample := sample_of(one)) is not None]
    found = replace(found, sample=min(samples)) if samples else found
    return found if found.most else least(found, (then, otherwise))


def _choose(m: Machine, node: e.Conditional) -> Value:
    return _conditional(m, node, evaluate)


def _cast(m: Machine, node: e.Cast) -> Value:
    value = evaluate(m, node.operand)
    match node.type:
        case t.Record(name=name) if name in launches.DIM3 and not isinstance(value, Aggregate):
            return launches.dim3((value,))
        case t.Scalar(kind="bool") if isinstance(node.operand.type, (t.Record, t.Array)):
            return UNKNOWN
        case t.Scalar() if isinstance(value, Unknown) and isinstance(node.operand.type, t.Scalar):
            narrow = node.type.kind == "float" or node.operand.type.kind == "float"
            return UNKNOWN if narrow else convert(value, node.type)
        case t.Scalar():
            return value if isinstance(value, (Address, Somewhere, Handle)) else convert(value, node.type)
    return value


def _address(m: Machine, node: e.AddressOf) -> Value:
    if isinstance(node.operand, e.FunctionReference):
        return Callee(node.operand.key, node.operand.name)
    return locate(m, node.operand)


def _construct(m: Machine, node: e.Construct) -> Value:
    return calls.construct(m, node, tuple(value_and_place(m, a) for a in node.arguments), None)


def evaluate_into(m: Machine, node: e.Expression, place: Address) -> Value:
    """The value of an initialiser: an object is made where it stays."""
    if not isinstance(node, e.Construct):
        value, origin = value_and_place(m, node)
        containers.take(m, node, origin)
        return value
    m.step()
    return calls.construct(m, node, tuple(value_and_place(m, a) for a in node.arguments), place)


def _call(m: Machine, node: e.Call) -> Value:
    value = _result(m, node)
    return _held(m, node, value) if _stands_for_place(m, node, value) else value


def _held(m: Machine, node: e.Call, place: Value) -> Value:
    """What the place holds that a call returns a reference to."""
    host_accesses.expression(m, node, place)
    return read(m, place, node.type)


def _stands_for_place(m: Machine, node: e.Call, value: Value) -> bool:
    return isinstance(value, (Address, Somewhere)) and calls.returns_reference(m, node)


def _result(m: Machine, node: e.Call) -> Value:
    """What a call hands back: a value, or the place that a returned reference names."""
    receiver = value_and_place(m, node.receiver) if node.receiver is not None else None
    target = evaluate(m, node.target) if node.target is not None else None
    arguments = tuple(value_and_place(m, a) for a in node.arguments)
    known = copied_pointers.bound(m, node, arguments)
    if known is not None:
        again = value_and_place(m, node.arguments[known])
        arguments = (*arguments[:known], again, *arguments[known + 1 :])
    return calls.call(m, node, receiver, target, arguments)


def _init_list(m: Machine, node: e.InitList) -> Value:
    cells: list[tuple[int, Value]] = []
    for offset, type_, element in _placed(m, node):
        value = convert(evaluate(m, element), type_)
        if isinstance(value, Aggregate):
            cells.extend((offset + k, v) for k, v in value.cells)
        else:
            cells.append((offset, value))
    return Aggregate(tuple(cells), 0)


def _placed(m: Machine, node: e.InitList) -> list[tuple[int, t.Type, e.Expression]]:
    """Each element with its byte offset and type."""
    if not isinstance(node.type, t.Array | t.Record):
        return [(0, node.type, x) for x in node.elements[:1]]
    elements = node.elements[:_MOST_ELEMENTS]
    parts = members(m.unit, node.type, least=len(elements))
    return [(offset, kind, x) for (offset, kind), x in zip(parts, elements, strict=False)]


def _launch(m: Machine, node: e.Launch) -> Value:
    grid = evaluate(m, node.grid)
    block = evaluate(m, node.block)
    shared = evaluate(m, node.shared) if node.shared is not None else 0
    stream = evaluate(m, node.stream) if node.stream is not None else 0
    arguments = None
    if node.arguments is not None:
        arguments = tuple(value_and_place(m, a) for a in node.arguments)
    kernel = evaluate(m, node.kernel) if node.kernel is not None else UNKNOWN
    launches.launch(m, node, kernel, grid, block, shared, stream, arguments)
    return 0


def _ranged(m: Machine, node: e.Unknown) -> Value:
    """What a range-based for goes through: the host accesses all that the object points to."""
    for operand in node.operands:
        value = value_and_place(m, operand)[0]
        if isinstance(operand.type, t.Opaque) or containers.container(operand.type) == ("std", "array"):
            continue  # not known, or its elements are its own
        held = [cell for _, cell in value.cells] if isinstance(value, Aggregate) else [value]
        for cell in held:
            host_accesses.ranged(m, operand, cell, node.reason)
            if node.reason != ranges.READ:
                m.forget_numbers(cell)
    return UNKNOWN


def _unknown(m: Machine, node: e.Unknown) -> Value:
    if node.reason in ranges.ALL:
        return _ranged(m, node)
    m.host_work(node.reason, node.span, unseen=True)
    for operand in node.operands:
        value, place = value_and_place(m, operand)
        m.forget(value)
        if candidates(place) and not isinstance(operand.type, (t.Array, t.Pointer)):
            write(m, place, UNKNOWN, operand.type)
    m.state.dead |= node.reason == "throw"
    return UNKNOWN


_EVALUATE: dict[type, Callable[[Machine, Any], Value]] = {
    e.Literal: _literal,
    e.VariableReference: _lvalue,
    e.FunctionReference: lambda m, n: Callee(n.key, n.name),
    e.Builtin: lambda m, n: UNKNOWN,
    e.Unary: _unary,
    e.Binary: _binary,
    e.Assign: _assign,
    e.Conditional: _choose,
    e.Cast: _cast,
    e.Index: _lvalue,
    e.Dereference: _lvalue,
    e.AddressOf: _address,
    e.Member: _member,
    e.Call: _call,
    e.Construct: _construct,
    e.InitList: _init_list,
    e.Lambda: closures.make,
    e.Launch: _launch,
    e.Unknown: _unknown,
}
