"""Expressions of a symbolic run."""

from collections.abc import Callable
from typing import Any

import z3

from cudalint.ir import expressions as e
from cudalint.ir.layout import leaves, members
from cudalint.ir.types import BOOL, LONG, VOID, Array, Record, Reference, Scalar, Type
from cudalint.ir.types import Pointer as PointerType
from cudalint.prove import arithmetic
from cudalint.prove.arithmetic import actual, binary, compare, is_float, is_integer
from cudalint.prove.data import NARROWED, WHOLE
from cudalint.prove.machine import Left, Machine, returns_reference, shifted
from cudalint.prove.memory import element_layout, read, write
from cudalint.prove.values import (
    TRUE,
    Aggregate,
    Number,
    Object,
    Pointer,
    Term,
    Value,
    negate,
    number,
    truth,
    truth_number,
    whole_of,
)

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


def evaluate(m: Machine, node: e.Expression) -> Value:
    """The value of an expression where the run stands."""
    m.step()
    if m.path is None:
        return m.unknown_value("not reached", node.type)
    return _EVALUATE[type(node)](m, node)


def numeric(m: Machine, node: e.Expression) -> Number:
    """The value of a scalar expression."""
    value = evaluate(m, node)
    return value if isinstance(value, Number) else m.unknown("value that is not a number", node.type)


def condition(m: Machine, node: e.Expression) -> Term:
    """The truth of an expression."""
    value = evaluate(m, node)
    if isinstance(value, Number):
        if is_float(node.type):
            return FLOAT_TRUTH(value.term)
        return truth(actual(value, node.type))
    if isinstance(value, Pointer) and value.targets:
        return TRUE
    return m.doubt("condition on a pointer")


FLOAT_TRUTH = z3.Function("true!", z3.IntSort(), z3.BoolSort())


# --- places ---


def place(m: Machine, node: e.Expression) -> Pointer:
    """The address of an lvalue; a temporary gets storage of its own."""
    match node:
        case e.VariableReference(variable=variable):
            return variable_place(m, variable)
        case e.Member(base=base, offset=offset):
            return shifted(place(m, base), number(offset))
        case e.Index(base=base, index=index):
            return _index_place(m, base, index, node.type)
        case e.Dereference(pointer=pointer):
            return pointer_value(m, pointer)
        case e.Cast(operand=operand) if isinstance(operand.type, Array | Record) or operand.type == node.type:
            return place(m, operand)
        case e.Assign():
            evaluate(m, node)
            with m.quietly():
                return place(m, node.target)
        case e.Binary(operator=","):
            evaluate(m, node.left)
            return place(m, node.right)
        case e.Conditional():
            return _conditional_place(m, node)
        case e.Call() if returns_reference(m.unit, node):
            found = m.run_call(m, node)
            return found if isinstance(found, Pointer) else Pointer((), "a returned reference")
    value = evaluate(m, node)
    memory = m.private("temporary")
    write(m, whole_of(memory), value, node.type, node)
    return whole_of(memory)


def variable_place(m: Machine, variable: e.Variable) -> Pointer:
    """Where a variable lives."""
    if variable.id in m.bound:
        return m.bound[variable.id]
    if variable.storage in ("local", "parameter"):
        if isinstance(variable.type, Reference):
            return Pointer((), "a reference without a known target")
        if variable.id not in m.variables:
            m.variables[variable.id] = m.private(variable.name)
        return whole_of(m.variables[variable.id])
    return whole_of(static_object(m, variable))


def static_object(m: Machine, variable: e.Variable) -> Object:
    """The object of a shared, device or constant variable. All `extern __shared__` arrays are one."""
    element, shape = element_layout(variable.type)
    initial, size = variable.initial is not None, variable.type.bytes
    match variable.storage:
        case "shared" if variable.extern:
            return m.object("shared memory sized by the launch", "shared", element)
        case "shared":
            return m.object(f"{variable.name}#{variable.id}", "shared", element, shape, size)
        case "constant" | "texture":
            return m.object(f"{variable.name}#{variable.id}", "constant", element, shape, size, initial)
    space = "constant" if variable.const and variable.storage == "global" else "global"
    return m.object(f"{variable.name}#{variable.id}", space, element, shape, size, initial)


def _index_place(m: Machine, base: e.Expression, index: e.Expression, element: Type) -> Pointer:
    start = place(m, base) if isinstance(base.type, Array) else pointer_value(m, base)
    position = actual(numeric(m, index), index.type)
    return moved(start, position, element.bytes)


def moved(start: Pointer, position: Number, size: int) -> Pointer:
    """`start + position` elements of `size` bytes."""
    if size <= 0 and position.constant != 0:
        return Pointer((), "a pointer to a type of unknown size")
    return shifted(start, binary("*", position, number(size), LONG))


def pointer_value(m: Machine, node: e.Expression) -> Pointer:
    """The value of a pointer expression."""
    value = evaluate(m, node)
    return value if isinstance(value, Pointer) else Pointer((), "a number used as a pointer")


def _conditional_place(m: Machine, node: e.Conditional) -> Pointer:
    test = condition(m, node.condition)
    chosen = _branches(m, test, lambda: place(m, node.then), lambda: place(m, node.otherwise))
    return chosen if isinstance(chosen, Pointer) else Pointer((), "one of several places")


# --- values ---


def _literal(m: Machine, node: e.Literal) -> Value:
    if isinstance(node.type, PointerType) and not node.value:
        return number(0)
    if isinstance(node.value, bool | int) and not is_float(node.type):
        return number(int(node.value))
    if isinstance(node.value, int | float):
        return Number(z3.Int(f"g!float {float(node.value)!r}"))
    if node.value is None:
        return number(0)
    return Pointer((), "a string")


def _lvalue(m: Machine, node: e.Expression) -> Value:
    return read(m, place(m, node), node.type, node)


def _variable(m: Machine, node: e.VariableReference) -> Value:
    variable = node.variable
    if variable.const and variable.initial is not None and not isinstance(variable.type, Array | Record):
        return evaluate(m, variable.initial)
    return read(m, variable_place(m, variable), node.type, node)


def _member(m: Machine, node: e.Member) -> Value:
    if isinstance(node.base, e.Call | e.Construct | e.InitList | e.Conditional) and not isinstance(
        node.type, Array | Record
    ):
        whole_ = evaluate(m, node.base)
        if isinstance(whole_, Aggregate):
            part = whole_.parts.get(node.offset)
            return part if part is not None else m.unknown_value("field", node.type)
    return _lvalue(m, node)


def _builtin(m: Machine, node: e.Builtin) -> Value:
    return m.extents[f"{node.name}.{node.axis}"] if node.axis else number(32)


def _unary(m: Machine, node: e.Unary) -> Value:
    if node.operator == "!":
        return truth_number(negate(condition(m, node.operand)))
    value = numeric(m, node.operand)
    if node.operator == "+":
        return value
    if not is_integer(node.type):
        return opaque_result(m, node.operator, [value], node.type)
    return arithmetic.negative(value) if node.operator == "-" else arithmetic.inverted(value)


def opaque_result(m: Machine, name: str, values: list[Number], type: Type) -> Number:
    """A function of the arguments that is not looked into: equal arguments give equal results."""
    sorts = [z3.IntSort()] * (len(values) + 1)
    term = z3.Function(f"op!{name}!{len(values)}!{type.bytes}", *sorts)(*(v.term for v in values))
    if isinstance(type, Scalar) and is_integer(type):
        low, high = arithmetic.limits(type)
        m.fact(z3.And(term >= low, term <= high), term)
        return Number(term, low, high)
    return Number(term)


def _binary(m: Machine, node: e.Binary) -> Value:
    operator = node.operator
    if operator in ("&&", "||"):
        return _logical(m, node)
    if operator == ",":
        evaluate(m, node.left)
        return evaluate(m, node.right)
    left, right = evaluate(m, node.left), evaluate(m, node.right)
    return combined(m, operator, left, right, node)


def combined(m: Machine, operator: str, left: Value, right: Value, node: e.Binary) -> Value:
    """An operator on two values."""
    if isinstance(left, Pointer) or isinstance(right, Pointer):
        return _with_pointer(m, operator, left, right, node)
    if not isinstance(left, Number) or not isinstance(right, Number):
        return m.unknown_value("operator on aggregates", node.type)
    kind = node.left.type
    if operator in _COMPARISONS:
        if not is_integer(kind):
            return truth_number(_float_comparison(operator, left, right))
        return truth_number(compare(operator, actual(left, kind), actual(right, node.right.type)))
    if not is_integer(node.type):
        return opaque_result(m, operator, [left, right], node.type)
    if operator in ("<<", ">>"):
        return binary(operator, left, actual(right, node.right.type), kind)
    return binary(operator, left, right, node.type)


def _float_comparison(operator: str, left: Number, right: Number) -> Term:
    function = z3.Function(f"cmp!{operator}", z3.IntSort(), z3.IntSort(), z3.BoolSort())
    return function(left.term, right.term)


def element_size(type: Type) -> int:
    """Bytes that adding one moves a pointer. `void` counts as one byte (GNU)."""
    if isinstance(type, PointerType):
        return 1 if type.pointee == VOID else type.pointee.bytes
    return 1


def _with_pointer(m: Machine, operator: str, left: Value, right: Value, node: e.Binary) -> Value:
    if isinstance(left, Pointer) and isinstance(right, Number) and operator in ("+", "-"):
        by = actual(right, node.right.type)
        return moved(left, arithmetic.negative(by) if operator == "-" else by, element_size(node.left.type))
    if isinstance(right, Pointer) and isinstance(left, Number) and operator == "+":
        return moved(right, actual(left, node.left.type), element_size(node.right.type))
    if isinstance(left, Pointer) and isinstance(right, Pointer):
        return _pointers(m, operator, left, right, node)
    pointer = left if isinstance(left, Pointer) else right
    if operator in ("==", "!=") and isinstance(pointer, Pointer) and pointer.targets:
        return truth_number(z3.BoolVal(operator == "!="))  # not null
    return m.unknown("comparison of pointers", node.type)


def _pointers(m: Machine, operator: str, left: Pointer, right: Pointer, node: e.Binary) -> Value:
    one = len(left.targets) == len(right.targets) == 1
    if not one or left.targets[0].object is not right.targets[0].object:
        return m.unknown("comparison of pointers", node.type)
    a, b = left.targets[0].offset, right.targets[0].offset
    if operator == "-":
        gap = binary("-", a, b, LONG)
        return binary("/", gap, number(max(1, element_size(node.left.type))), LONG)
    return (
        truth_number(compare(operator, a, b))
        if operator in _COMPARISONS
        else m.unknown("pointers", node.type)
    )


def _logical(m: Machine, node: e.Binary) -> Value:
    left = condition(m, node.left)
    wanted = left if node.operator == "&&" else negate(left)
    short = number(0 if node.operator == "&&" else 1)
    value = _branches(m, wanted, lambda: truth_number(condition(m, node.right)), lambda: short)
    return value if isinstance(value, Number) else m.unknown("condition", BOOL)


def _conditional(m: Machine, node: e.Conditional) -> Value:
    test = condition(m, node.condition)
    return _branches(m, test, lambda: evaluate(m, node.then), lambda: evaluate(m, node.otherwise))


def _branches(m: Machine, test: Term, then: Callable[[], Value], otherwise: Callable[[], Value]) -> Value:
    """Both sides, each where its condition holds; the values put together."""
    if z3.is_true(test):
        return then()
    if z3.is_false(test):
        return otherwise()
    if m.path is None:
        return m.unknown("not reached")
    path, env = m.path, m.env
    ways: list[Left] = []
    for side, make in ((test, then), (negate(test), otherwise)):
        m.path, m.env = (*path, side), dict(env)
        value = make()
        if m.path is not None:
            ways.append(Left(m.path, m.env, value))
    found = m.merge(ways)
    if len(ways) == 2 and all(len(way.path) == len(path) + 1 for way in ways):
        m.path = path
    return found if found is not None else m.unknown("not reached")


def _assign(m: Machine, node: e.Assign) -> Value:
    target = node.target.type
    if node.operator is None:
        value = evaluate(m, node.value)
        where = place(m, node.target)
        if isinstance(value, Number):
            value = converted(m, value, node.value.type, target)
        write(m, where, value, target, node.target)
        return value
    where = place(m, node.target)
    old = read(m, where, target, node.target)
    operand = evaluate(m, node.value)
    new = _updated(m, node, old, operand)
    write(m, where, new, target, node.target)
    return old if node.result == "old" else new


def _updated(m: Machine, node: e.Assign, old: Value, operand: Value) -> Value:
    target, kind = node.target.type, node.value.type
    if isinstance(old, Pointer) and isinstance(operand, Number):
        by = actual(operand, kind)
        return moved(old, arithmetic.negative(by) if node.operator == "-" else by, element_size(target))
    if not isinstance(old, Number) or not isinstance(operand, Number) or node.operator is None:
        return m.unknown_value("operator on aggregates", target)
    computed = node.computed or target
    left = converted(m, old, target, computed)
    if not is_integer(computed):
        made = opaque_result(m, node.operator, [left, operand], computed)
    else:
        right = actual(operand, kind) if node.operator in ("<<", ">>") else operand
        made = binary(node.operator, left, right, computed)
    return converted(m, made, computed, target)


def converted(m: Machine, value: Number, source: Type, target: Type) -> Number:
    """A number as another scalar type holds it."""
    if source == target or not isinstance(target, Scalar) or not isinstance(source, Scalar):
        return value
    if is_integer(source) and is_integer(target):
        return arithmetic.convert(value, source, target)
    if target.kind == "bool":
        return truth_number(FLOAT_TRUTH(value.term))
    if is_integer(target) or is_integer(source):
        if is_float(target) and value.constant is not None:
            return Number(z3.Int(f"g!float {float(value.constant)!r}"))
        name = WHOLE if is_float(target) else f"{source.name}>{target.name}"
        return opaque_result(m, name, [value], target)
    return value if target.bytes >= source.bytes else opaque_result(m, NARROWED, [value], target)


def _cast(m: Machine, node: e.Cast) -> Value:
    operand = node.operand
    if isinstance(operand.type, Array) and not isinstance(node.type, Scalar):
        return place(m, operand)
    value = evaluate(m, operand)
    if isinstance(value, Pointer):
        _reinterpreted(m, value, operand.type, node.type)
    if isinstance(value, Number):
        if isinstance(node.type, PointerType):
            return value if value.constant == 0 else Pointer((), "a number used as a pointer")
        return converted(m, value, operand.type, node.type)
    if isinstance(value, Pointer) and is_integer(node.type):
        if node.type == BOOL and value.targets:
            return number(1)
        return m.unknown("address as a number", node.type)
    return value


def _reinterpreted(m: Machine, pointer: Pointer, source: Type, target: Type) -> None:
    """A private variable that is looked at as another type has no known contents any more."""
    if not isinstance(source, PointerType) or not isinstance(target, PointerType):
        return
    if source.pointee == target.pointee or target.pointee == VOID:
        return
    for found in pointer.targets:
        if found.object.space == "local":
            m.forget(found.object)


def _address_of(m: Machine, node: e.AddressOf) -> Value:
    return place(m, node.operand)


def _init_list(m: Machine, node: e.InitList) -> Value:
    if not isinstance(node.type, Array | Record):
        return evaluate(m, node.elements[0]) if node.elements else number(0)
    parts: dict[int, Number | Pointer] = {}
    for position, (start, kind) in enumerate(members(m.unit, node.type, least=len(node.elements))):
        if position < len(node.elements):
            element = node.elements[position]
            value = evaluate(m, element)
            if isinstance(value, Aggregate):
                parts.update({start + at: part for at, part in value.parts.items()})
            else:
                parts[start] = converted(m, value, element.type, kind) if isinstance(value, Number) else value
        else:
            parts.update({at: _zero(leaf) for at, leaf in leaves(m.unit, kind, start)})
    return Aggregate(parts)


def _zero(type: Type) -> Number:
    return Number(z3.Int("g!float 0.0")) if is_float(type) else number(0)


def _unknown(m: Machine, node: e.Unknown) -> Value:
    for operand in node.operands:
        evaluate(m, operand)
    m.lose(node.reason, node.span)
    return m.unknown_value(node.reason, node.type)


def _call(m: Machine, node: e.Call) -> Value:
    value = m.run_call(m, node)
    if isinstance(value, Pointer) and returns_reference(m.unit, node):
        return read(m, value, node.type, node)
    return value


def _construct(m: Machine, node: e.Construct) -> Value:
    return m.run_call(m, node)


def _launch(m: Machine, node: e.Launch) -> Value:
    m.lose("launch from device code", node.span)
    return m.unknown("launch from device code")


def _function(m: Machine, node: e.FunctionReference) -> Value:
    return Pointer((), "a function pointer")


_EVALUATE: dict[type, Callable[[Machine, Any], Value]] = {
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
    e.AddressOf: _address_of,
    e.Member: _member,
    e.Call: _call,
    e.Construct: _construct,
    e.InitList: _init_list,
    e.Lambda: lambda m, node: Aggregate({}),
    e.Launch: _launch,
    e.Unknown: _unknown,
}
