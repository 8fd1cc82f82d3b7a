"""Which pointers and references of a kernel name objects of one thread only: its local variables, what it is
handed by value, and their members.
"""

from collections.abc import Container, Iterator

from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.once import once
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Array, Pointer, Reference
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find

_Name = int | str  # a variable by its number, or what the function with this key returns
_OBJECT, _ADDRESS = False, True


@once
def private_names(unit: Unit, kernel: Function) -> frozenset[_Name]:
    """The pointers, references, `this` and results of functions that are bound to private objects wherever
    the
    kernel and what it calls bind them.
    """
    bound: dict[_Name, list[tuple[e.Expression, bool]]] = {}
    for name, value, address in _bindings(unit, kernel):
        bound.setdefault(name, []).append((value, address))
    for parameter in kernel.parameters:
        bound.pop(parameter.id, None)
    names = set(bound)
    while wrong := [n for n in names if not all(_is_private(unit, names, v, a) for v, a in bound[n])]:
        names.difference_update(wrong)
    return frozenset(names)


def is_private(unit: Unit, kernel: Function, node: e.Expression) -> bool:
    """Whether an lvalue in the kernel, or in what it calls, is a part of a private object."""
    return _is_private(unit, private_names(unit, kernel), node, _OBJECT)


def _bindings(unit: Unit, kernel: Function) -> Iterator[tuple[_Name, e.Expression, bool]]:
    """(name, what it is bound to, whether that is an address) of everything that binds one."""
    for function in reachable(unit, kernel):
        for node in find(function.body, s.Declare, e.Assign, s.Return, e.Call, e.Construct):
            match node:
                case s.Declare(variable=variable, initial=initial) if initial is not None:
                    yield from _bound(variable, initial)
                case e.Assign(target=e.VariableReference(variable=variable), value=value, operator=None):
                    if isinstance(variable.type, Pointer):
                        yield variable.id, value, _ADDRESS
                case s.Return(value=value) if value is not None:
                    if isinstance(function.returns, Pointer | Reference):
                        yield function.key, value, isinstance(function.returns, Pointer)
                case e.Call() | e.Construct() if (called := unit.defined(node.key)) is not None:
                    made = node.receiver if isinstance(node, e.Call) else node
                    if called.this is not None and made is not None:
                        yield called.this.id, made, _OBJECT
                    for parameter, argument in zip(called.parameters, node.arguments, strict=False):
                        yield from _bound(parameter, argument)


def _bound(variable: e.Variable, value: e.Expression) -> Iterator[tuple[_Name, e.Expression, bool]]:
    if isinstance(variable.type, Pointer | Reference):
        yield variable.id, value, isinstance(variable.type, Pointer)


def _is_private(unit: Unit, names: Container[_Name], node: e.Expression, address: bool) -> bool:
    """Whether an lvalue, or what an address points to, is private, if the names are."""
    while True:
        match node:
            case e.VariableReference(variable=variable):
                if isinstance(variable.type, Reference) or (address and not isinstance(variable.type, Array)):
                    return variable.id in names
                return variable.storage in ("local", "parameter")
            case e.Cast(operand=operand):
                node = operand
            case e.AddressOf(operand=operand):
                node, address = operand, _OBJECT
            case e.Dereference(pointer=pointer):
                node, address = pointer, _ADDRESS
            case e.Index(base=base) if not (address and isinstance(node.type, Pointer)):
                node, address = base, isinstance(base.type, Pointer)
            case e.Member(base=base) if not (address and isinstance(node.type, Pointer)):
                node, address = base, _OBJECT
            case e.Binary(left=left, right=right) if address:
                node = left if isinstance(left.type, Pointer | Array) else right
            case e.Conditional(then=then, otherwise=otherwise):
                return all(_is_private(unit, names, arm, address) for arm in (then, otherwise))
            case e.Call(key=key):
                called = unit.defined(key)
                if address or (called is not None and isinstance(called.returns, Reference)):
                    return called is not None and called.key in names
                return called is not None
            case e.Construct() | e.InitList() | e.Lambda():
                return not address
            case _:
                return False
