"""Expressions on lane vectors."""

import math
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from cudalint.analyses.trip_counts import harmless
from cudalint.ir import expressions as e
from cudalint.ir.layout import leaves
from cudalint.ir.types import VOID, Array, Pointer, Record, Reference, Scalar, Type
from cudalint.ir.walk import walk
from cudalint.simt.interpret.forced_paths import could_differ, wanted
from cudalint.simt.interpret.machine import (
    Machine,
    blur,
    lose,
    private,
    read_place,
    static_object,
    unwatch,
    watch,
    write_place,
)
from cudalint.simt.values import lanes
from cudalint.simt.values.lanes import UNKNOWN, Bools, Value, unknown
from cudalint.simt.values.memory import Memory
from cudalint.simt.values.state import Aggregate, Place, Result

_PRIVATE = ("local", "parameter")
_ORDER = ("<", "<=", ">", ">=")


def evaluate(m: Machine, node: e.Expression) -> Result:
    """The value of an expression for the active lanes."""
    return _EVALUATE[type(node)](m, node)


def number(m: Machine, node: e.Expression) -> Value:
    """The value of a scalar expression; a record's is unknown."""
    result = _EVALUATE[type(node)](m, node)
    return result if isinstance(result, Value) else unknown("a record where a number is needed")


# --- lvalues ---


def place(m: Machine, node: e.Expression) -> Place:
    """Where an lvalue lives. A temporary gets storage of its own."""
    m.touched.add(node.span)
    match node:
        case e.VariableReference():
            return _variable_place(m, node.variable)
        case e.Member(base=base, offset=offset):
            owner = place(m, base)
            if owner.memory is not None:
                return Place(owner.memory, owner.offset + offset)
            return Place(None, 0, _shifted(cast(Value, owner.address), offset))
        case e.Index(base=base, index=index):
            return _index_place(m, base, index, node.type)
        case e.Dereference(pointer=pointer):
            return pointed(m, number(m, pointer))
        case e.Cast(operand=operand):
            if isinstance(operand.type, Array | Record) or operand.type == node.type:
                return place(m, operand)
        case e.Assign() | e.Conditional():
            if isinstance(node, e.Assign):
                evaluate(m, node)
                return place(m, node.target)
        case e.Binary(operator=","):
            evaluate(m, node.left)
            return place(m, node.right)
        case e.Call():
            from cudalint.simt.interpret.calls import call_place

            found = call_place(m, node)
            if found is not None:
                return found
    return _temporary(m, node)


def _temporary(m: Machine, node: e.Expression) -> Place:
    value = evaluate(m, node)
    memory = m.state.create("temporary", "local", node.type.bytes)
    where = Place(memory, 0)
    write_place(m, where, value, node.type, node)
    return where


def _variable_place(m: Machine, variable: e.Variable) -> Place:
    bound = m.state.bound.get(variable.id)
    if bound is not None:
        return bound
    if variable.storage in _PRIVATE:
        if isinstance(variable.type, Reference):
            return Place(None, 0, unknown("reference without a known target"))
        return Place(private(m, variable), 0)
    if variable.storage == "global" and not isinstance(variable.type, Array):
        return Place(None, 0, unknown("host variable read in device code"))
    memory = static_object(m, variable)
    return Place(None, 0, Value(memory.base))


def _shifted(address: Value, offset: int) -> Value:
    if offset == 0 or address.known is False:
        return address
    return Value(cast(Any, address.data) + offset, address.known, address.free)


def pointed(m: Machine, address: Value) -> Place:
    """The place a pointer names: private when it is one local object at one offset."""
    if address.is_scalar and not isinstance(address.data, float):
        memory = m.state.object_at(int(cast(int, address.data)))
        if memory is not None and memory.space == "local":
            return Place(memory, int(cast(int, address.data)) - memory.base)
    return Place(None, 0, address)


def _index_place(m: Machine, base: e.Expression, index: e.Expression, element: Type) -> Place:
    position = number(m, index)
    size = element.bytes
    if isinstance(base.type, Array):
        owner = place(m, base)
        if owner.memory is not None:
            if position.is_scalar:
                return Place(owner.memory, owner.offset + int(cast(int, position.data)) * size)
            start = Value(owner.memory.base + owner.offset)
        else:
            start = cast(Value, owner.address)
    else:
        start = number(m, base)
    return pointed(m, offset_pointer(start, position, size))


def offset_pointer(start: Value, index: Value, size: int) -> Value:
    """`start + index` elements of `size` bytes; 0 for a type whose size is not known."""
    if size <= 0:
        zero = index.is_scalar and index.known is True and index.data == 0
        return start if zero else unknown("pointer to a type without a known size")
    known = lanes.both_known(start.known, index.known)
    if known is False:
        return Value(
            0, False, why=start.why or index.why or "index depends on data that the model does not have"
        )
    data = cast(Any, start.data) + cast(Any, lanes._as_int(index.data)) * size
    return Value(data, known, start.free | index.free, start.why or index.why)


# --- values ---


def _literal(m: Machine, node: e.Literal) -> Result:
    if isinstance(node.value, str):
        return unknown("string")
    return Value(node.value if node.value is not None else 0)


def _lvalue(m: Machine, node: e.Expression) -> Result:
    where = place(m, node)
    if where.memory is None and id(node) in m.study.loads:  # a stale value makes a loop round it go on
        with m.unwatched():
            return read_place(m, where, node.type, node)
    return read_place(m, where, node.type, node)


def _member(m: Machine, node: e.Member) -> Result:
    if isinstance(node.base, e.Call | e.Construct | e.InitList | e.Conditional) and not isinstance(
        node.type, Array
    ):
        whole = evaluate(m, node.base)
        if isinstance(whole, Aggregate):
            if isinstance(node.type, Record):
                end = node.offset + node.type.bytes
                return Aggregate(
                    {o - node.offset: v for o, v in whole.parts.items() if node.offset <= o < end}
                )
            return whole.parts.get(node.offset, unknown("field without a value"))
        return whole
    return _lvalue(m, node)


def _variable(m: Machine, node: e.VariableReference) -> Result:
    variable = node.variable
    if variable.storage == "global" and variable.initial is not None and variable.const:
        return evaluate(m, variable.initial)
    return read_place(m, _variable_place(m, variable), node.type, node)


def _builtin(m: Machine, node: e.Builtin) -> Result:
    return m.state.samples.builtins[node.name, node.axis]


def _unary(m: Machine, node: e.Unary) -> Result:
    value = number(m, node.operand)
    match node.operator:
        case "-":
            return lanes.negate(value, node.type)
        case "~":
            return lanes.invert(value, node.type)
        case "!":
            return lanes.logical_not(value)
        case _:
            return value


def _harmless(m: Machine, node: e.Expression) -> bool:
    found = m.harmless.get(id(node))
    if found is None:
        found = m.harmless[id(node)] = harmless(node)
    return found


def _binary(m: Machine, node: e.Binary) -> Result:
    operator = node.operator
    if operator in ("&&", "||"):
        return _logical(m, node)
    if operator == ",":
        evaluate(m, node.left)
        return evaluate(m, node.right)
    left, right = number(m, node.left), number(m, node.right)
    if operator in ("<<", ">>") and right.free:
        right = lanes.shift_amount(right, node.type)
    left_pointer = isinstance(node.left.type, Pointer | Array)
    right_pointer = isinstance(node.right.type, Pointer | Array)
    if operator in ("+", "-") and (left_pointer or right_pointer):
        return _pointer_arithmetic(operator, node, left, right, left_pointer, right_pointer)
    if operator == "/" and isinstance(node.type, Scalar) and node.type.kind == "float":
        record_slow_path(m, node, node.right, left, right)
    if operator in _ORDER and not (_explicit(node.left) or _explicit(node.right)):
        left, right = lanes.compared(left, node.left.type), lanes.compared(right, node.right.type)
    return lanes.binary(operator, left, right, node.type)


def _explicit(node: e.Expression) -> bool:
    """Whether the source asks for the type, as where `(unsigned)x < (unsigned)n` asks for both bounds."""
    return isinstance(node, e.Cast) and not node.implicit


def record_slow_path(
    m: Machine, node: e.Expression, divisor: e.Expression, left: Value, right: Value
) -> None:
    """The branch of a division round operands that are very large or small. A power of two multiplies
    instead.
    """
    if left.known is True and right.known is True:
        return
    if isinstance(divisor, e.Literal) and abs(math.frexp(cast(float, divisor.value or 0))[0]) == 0.5:
        return
    unsure = m.state.mask & ~np.asarray(lanes.both_known(left.known, right.known))
    m.recorder.branch(node, m.state.attributed_to(node.span), node, "slow path", False, unsure, m.state.mask)


def _element(type: Type) -> int:
    """Bytes that adding one moves a pointer; 0 where that is not known. `void` counts as one byte (GNU)."""
    if isinstance(type, Pointer):
        return 1 if type.pointee == VOID else type.pointee.bytes
    return type.element.bytes if isinstance(type, Array) else 1


def _pointer_arithmetic(
    operator: str, node: e.Binary, left: Value, right: Value, left_pointer: bool, right_pointer: bool
) -> Value:
    if left_pointer and right_pointer:
        gap = lanes.binary("-", left, right, node.type)
        return lanes.binary("/", gap, Value(_element(node.left.type)), node.type)
    if right_pointer:
        return offset_pointer(right, left, _element(node.right.type))
    if operator == "-":
        right = lanes.negate(right, Scalar("long", "signed", 8))
    return offset_pointer(left, right, _element(node.left.type))


def _logical(m: Machine, node: e.Binary) -> Result:
    """&& and ||: the right side runs in the lanes that the left one leaves open."""
    left = lanes.truth(number(m, node.left))
    if m.targets and _never(m, node, left) and could_differ(left) and wanted(m, node.right):
        left = Value(node.operator == "&&")
    if left.is_scalar and not left.free:
        if bool(left.data) == (node.operator == "||"):
            return left
        m.enter()
        right = lanes.truth(number(m, node.right))
        m.leave()
        return right
    eager = _harmless(m, node.right)
    if not eager or left.known is not True:
        _record_logical(m, node.left, node, left)
    if eager:
        right = lanes.truth(number(m, node.right))
    else:
        right = _under(m, left if node.operator == "&&" else lanes.logical_not(left), node.left, node.right)
    if right.known is not True and node.right.span.line != node.left.span.line:
        _record_logical(m, node.right, node, right)
    return _join_logical(node.operator, left, right)


def _record_logical(m: Machine, condition: e.Expression, node: e.Binary, value: Value) -> None:
    """The branch past the right side, where that has work to do or the data may decide."""
    unsure = None if value.known is True else m.state.mask & ~np.asarray(value.known)
    taken = value.data if isinstance(value.data, np.ndarray) else bool(value.data)
    attributed_to = m.state.attributed_to(condition.span)
    m.recorder.branch(condition, attributed_to, node, "logical", taken, unsure, m.state.mask)


def _never(m: Machine, node: e.Binary, left: Value) -> bool:
    """Whether the left side keeps every lane from the right one."""
    stops = np.asarray(left.data, dtype=bool) == (node.operator == "||")
    return bool((stops & np.asarray(left.known) | ~m.state.mask).all())


def _join_logical(operator: str, left: Value, right: Value) -> Value:
    a, b = np.asarray(left.data, dtype=bool), np.asarray(right.data, dtype=bool)
    ka, kb = np.asarray(left.known), np.asarray(right.known)
    if operator == "&&":
        data, decided = a & b & ka & kb, (ka & ~a) | (kb & ~b)
    else:
        data, decided = (a & ka) | (b & kb), (ka & a) | (kb & b)
    known = (ka & kb) | decided
    free = left.free | right.free
    if data.ndim == 0 and known.ndim == 0:
        return Value(bool(data), bool(known), free, left.why or right.why)
    everywhere: bool | Bools = True if known.all() else False if not known.any() else known
    return Value(data if data.ndim else bool(data), everywhere, free, left.why or right.why)


def _under(m: Machine, condition: Value, whole: e.Expression, node: e.Expression) -> Value:
    """Evaluate for the lanes where the condition, which is `whole` in the source, holds or may hold."""
    state = m.state
    mask, doubt, any_doubt = state.mask, state.doubt, state.any_doubt
    open_lanes = mask & (np.asarray(condition.data, dtype=bool) | ~np.asarray(condition.known))
    if not open_lanes.any():
        return Value(False)
    unsure = mask & ~np.asarray(condition.known)
    state.split(whole, condition)
    state.mask = open_lanes
    journal = None
    if unsure.any():
        state.doubt, state.any_doubt = doubt | unsure, True
        journal = watch(m)
    m.enter()
    value = lanes.truth(number(m, node))
    m.leave()
    state.splits.pop()
    state.mask, state.doubt, state.any_doubt = mask, doubt, any_doubt
    if journal is not None:
        unwatch(m, journal)
        blur(m, journal, unsure, "assigned under a data-dependent condition")
    return value


def _conditional(m: Machine, node: e.Conditional) -> Result:
    condition = lanes.truth(number(m, node.condition))
    if not (_harmless(m, node.then) and _harmless(m, node.otherwise)):
        _record_conditional(m, node, condition)
    if condition.is_scalar and not condition.free:
        m.enter()
        chosen = evaluate(m, node.then if condition.data else node.otherwise)
        m.leave()
        return chosen
    m.state.split(node.condition, condition)
    then = _arm(m, condition, node.then)
    otherwise = _arm(m, lanes.logical_not(condition), node.otherwise)
    m.state.splits.pop()
    return _choose(condition, then, otherwise)


def _record_conditional(m: Machine, node: e.Conditional, condition: Value) -> None:
    unsure = None if condition.known is True else m.state.mask & ~np.asarray(condition.known)
    taken = condition.data if isinstance(condition.data, np.ndarray) else bool(condition.data)
    attributed_to = m.state.attributed_to(node.condition.span)
    m.recorder.branch(node.condition, attributed_to, node, "conditional", taken, unsure, m.state.mask)


def _arm(m: Machine, condition: Value, node: e.Expression) -> Result:
    if _harmless(m, node):
        return evaluate(m, node)
    state = m.state
    mask, doubt, any_doubt = state.mask, state.doubt, state.any_doubt
    state.mask = mask & (np.asarray(condition.data, dtype=bool) | ~np.asarray(condition.known))
    unsure = mask & ~np.asarray(condition.known)
    if not np.count_nonzero(state.mask):
        state.mask = mask
        return UNKNOWN
    if unsure.any():
        state.doubt, state.any_doubt = doubt | unsure, True
    m.enter()
    value = evaluate(m, node)
    m.leave()
    state.mask, state.doubt, state.any_doubt = mask, doubt, any_doubt
    return value


def _choose(condition: Value, then: Result, otherwise: Result) -> Result:
    if isinstance(then, Aggregate) and isinstance(otherwise, Aggregate):
        keys = then.parts.keys() & otherwise.parts.keys()
        return Aggregate(
            {k: cast(Value, _choose(condition, then.parts[k], otherwise.parts[k])) for k in keys}
        )
    if isinstance(then, Aggregate) or isinstance(otherwise, Aggregate):
        return UNKNOWN
    if condition.known is False:
        same = lanes.agree(then, otherwise)
        return then if same is True else unknown(condition.why or "chosen by data")
    chosen = condition.data
    if not isinstance(chosen, np.ndarray) and condition.known is True:
        picked = then if chosen else otherwise
        return Value(picked.data, picked.known, True, picked.why)
    merged = lanes.select(np.asarray(chosen, dtype=bool), then, otherwise)
    if condition.known is not True:
        merged = lanes.forget(merged, ~np.asarray(condition.known), condition.why or "chosen by data")
    return merged


def _assign(m: Machine, node: e.Assign) -> Result:
    if node.operator is None:
        value = evaluate(m, node.value)
        loaded = m.loaded
        where = place(m, node.target)
        if isinstance(value, Value):
            value = lanes.convert(value, node.target.type)
        m.source = loaded if _is_load(node.value) else None
        if where.memory is not None and not in_registers(node.target):
            m.fence()
        if where.address is not None and (m.state.mask & ~np.asarray(where.address.known)).any():
            lost = _private_object(m, node.target)
            if lost is not None:
                lose(m, lost)
                return value
        write_place(m, where, value, node.target.type, node.target)
        m.source = None
        return value
    where = place(m, node.target)
    old = read_place(m, where, node.target.type, node.target)
    operand = number(m, node.value)
    if isinstance(old, Aggregate):
        write_place(m, where, UNKNOWN, node.target.type, node.target)
        return UNKNOWN
    target = node.target.type
    if isinstance(target, Pointer):
        if node.operator == "-":
            operand = lanes.negate(operand, Scalar("long", "signed", 8))
        new = offset_pointer(old, operand, _element(target))
    else:
        wide = node.value.type if _is_wider(node.value.type, target) else target
        new = lanes.convert(lanes.binary(node.operator, lanes.convert(old, wide), operand, wide), target)
    write_place(m, where, new, target, node.target)
    return old if node.result == "old" else new


def _private_object(m: Machine, target: e.Expression) -> Memory | None:
    """The private object that an lvalue with an unknown index lies in."""
    node = target
    while isinstance(node, e.Member | e.Cast | e.Index):
        node, pointer = node.operand if isinstance(node, e.Cast) else node.base, isinstance(node, e.Index)
        if pointer and isinstance(node.type, Pointer):
            if not all(isinstance(part, e.VariableReference | e.Member | e.Cast) for part in walk(node)):
                return None
            start = number(m, node)
            found = m.state.object_at(int(cast(int, start.data))) if start.is_scalar else None
            return found if found is not None and found.space == "local" else None
    if isinstance(node, e.VariableReference) and node.variable.storage in _PRIVATE:
        return place(m, node).memory
    return None


def in_registers(target: e.Expression) -> bool:
    """Whether a local lvalue is one that the compiler keeps in registers: not an element that a pointer
    and a running index name.
    """
    return not isinstance(target, e.Index) or (
        isinstance(target.base.type, Array) or isinstance(target.index, e.Literal)
    )


def _is_load(node: e.Expression) -> bool:
    """Whether the value is what a memory place holds, converted at most."""
    while isinstance(node, e.Cast):
        node = node.operand
    return isinstance(node, e.Index | e.Dereference | e.Member)


def _is_wider(value: Type, target: Type) -> bool:
    if not isinstance(value, Scalar) or not isinstance(target, Scalar):
        return False
    if value.kind == "float" or target.kind == "float":
        return value.kind == "float" and (target.kind != "float" or value.bytes > target.bytes)
    return value.bytes > target.bytes


def _cast(m: Machine, node: e.Cast) -> Result:
    if isinstance(node.operand.type, Array) and not isinstance(node.type, Scalar):
        return address_of(m, node.operand)
    value = evaluate(m, node.operand)
    return lanes.convert(value, node.type) if isinstance(value, Value) else value


def address_of(m: Machine, node: e.Expression) -> Value:
    """The address of an lvalue."""
    where = place(m, node)
    if where.memory is not None:
        return Value(where.memory.base + where.offset)
    return cast(Value, where.address)


def _init_list(m: Machine, node: e.InitList) -> Result:
    parts: dict[int, Value] = {}
    starts: list[tuple[int, Type]]
    if isinstance(node.type, Array):
        size = node.type.element.bytes
        starts = [
            (i * size, node.type.element)
            for i in range(max(len(node.elements), min(node.type.count or 0, 64)))
        ]
    elif isinstance(node.type, Record):
        layout = m.unit.records.get(node.type.name)
        starts = [(f.offset, f.type) for f in layout.fields] if layout else []
    else:
        return evaluate(m, node.elements[0]) if node.elements else Value(0)
    for position, (start, kind) in enumerate(starts):
        if position < len(node.elements):
            put(m, parts, start, kind, evaluate(m, node.elements[position]))
        else:
            for at, _ in leaves(m.unit, kind, start):
                parts[at] = Value(0)
    return Aggregate(parts)


def put(m: Machine, parts: dict[int, Value], start: int, type: Type, value: Result) -> None:
    """Enter a value at an offset of an aggregate under construction."""
    if isinstance(value, Aggregate):
        parts.update({start + at: item for at, item in value.parts.items()})
    elif isinstance(type, Record | Array):
        parts.update({at: unknown("record without fields") for at, _ in leaves(m.unit, type, start)})
    else:
        parts[start] = lanes.convert(value, type)


def _unknown(m: Machine, node: e.Unknown) -> Result:
    for operand in node.operands:
        evaluate(m, operand)
    m.state.note(node.reason)
    m.events.unseen()
    return unknown(node.reason)


def _call(m: Machine, node: e.Call) -> Result:
    from cudalint.simt.interpret.calls import call

    return call(m, node)


def _construct(m: Machine, node: e.Construct) -> Result:
    from cudalint.simt.interpret.calls import construct

    return construct(m, node)


def _lambda(m: Machine, node: e.Lambda) -> Result:
    m.state.named["lambda", id(node)] = m.state.named.get(("lambda", id(node))) or m.state.create(
        "lambda", "local", 0
    )
    return Aggregate({})


def _launch(m: Machine, node: e.Launch) -> Result:
    m.state.note("launch from device code")
    m.events.unseen()
    return unknown("launch from device code")


def _function(m: Machine, node: e.FunctionReference) -> Result:
    return unknown("function pointer")


_EVALUATE: dict[type, Callable[[Machine, Any], Result]] = {
    e.Literal: _literal,
    e.VariableReference: _variable,
    e.FunctionReference: _function,
    e.Builtin: _builtin,
    e.Unary: _unary,
    e.Binary: _binary,
    e.Assign: _assign,
    e.Conditional: _conditional,
    e.Cast: _cast,
    e.Index: _lvalue,
    e.Dereference: _lvalue,
    e.AddressOf: lambda m, node: address_of(m, node.operand),
    e.Member: _member,
    e.Call: _call,
    e.Construct: _construct,
    e.InitList: _init_list,
    e.Lambda: _lambda,
    e.Launch: _launch,
    e.Unknown: _unknown,
}
