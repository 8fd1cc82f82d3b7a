"""What kernels do through their pointer parameters, as their bodies say it: read, write or both."""

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.layout import leaves
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find, walk

Part = tuple[int, int]  # a parameter by its position, and the byte offset of a member of it


def effects(function: Function) -> tuple[frozenset[int], frozenset[int]]:
    """Positions of the parameters that a body itself reads through and writes through. What it does through
    copies of a pointer or in functions that it calls is not among them; an atomic update is a write.
    """
    pointers = frozenset(i for i, p in enumerate(function.parameters) if isinstance(p.type, t.Pointer))
    read, written = part_effects(function)
    return frozenset(i for i, _ in read) & pointers, frozenset(i for i, _ in written) & pointers


def part_effects(function: Function) -> tuple[frozenset[Part], frozenset[Part]]:
    """The same, for pointers that are members of parameters too."""
    assert function.body is not None
    places = {p.id: i for i, p in enumerate(function.parameters)}
    read: set[Part] = set()
    written: set[Part] = set()
    targets: set[int] = set()
    for node in find(function.body, e.Assign, e.Call, e.Index, e.Dereference):
        match node:
            case e.Assign(target=target, operator=operator):
                place = _place(target, places)
                if place is not None:
                    written.add(place)
                    if operator is None:
                        targets.add(id(target))
            case e.Call(name=name, arguments=(first, *_)) if name.startswith("atomic"):
                place = _part(first, places)
                if place is not None:
                    written.add(place)
                    targets.update(id(n) for n in walk(first))
            case e.Index() | e.Dereference() if id(node) not in targets:
                place = _place(node, places)
                if place is not None:
                    read.add(place)
    return frozenset(read), frozenset(written)


def only_read(function: Function) -> frozenset[int]:
    """Ids of the pointer parameters that a body reads through and does nothing else with: it neither writes
    through them nor hands them on.
    """
    assert function.body is not None
    written = effects(function)[1]
    found = {
        p.id
        for i, p in enumerate(function.parameters)
        if isinstance(p.type, t.Pointer) and not p.type.volatile and i not in written
    }
    for node in walk(function.body):
        match node:
            case e.Call(arguments=arguments, name=name) if not name.startswith("__ld"):
                handed = list(arguments)
            case s.Declare(variable=variable, initial=value) if value is not None:
                handed = [value] if isinstance(variable.type, t.Pointer | t.Reference) else []
            case e.Assign(value=value):
                handed = [value]
            case e.Lambda() | e.Construct():
                return frozenset()
            case _:
                continue
        found -= {_root(one) for one in handed if not isinstance(one, e.Index | e.Dereference)}
    return frozenset(found)


def _place(node: e.Expression, places: dict[int, int]) -> Part | None:
    """The pointer that an element belongs to."""
    while isinstance(node, e.Member):
        node = node.base
    match node:
        case e.Index(base=base) | e.Dereference(pointer=base):
            return _part(base, places)
    return None


def _part(node: e.Expression, places: dict[int, int]) -> Part | None:
    """The parameter, or the member of one, that a pointer expression starts from."""
    variable, offset = _start(node)
    return (places[variable], offset) if variable in places else None


def _root(node: e.Expression) -> int:
    """The variable that a pointer expression starts from; -1 for none, and for a member of one."""
    return -1 if isinstance(_first(node), e.Member) else _start(node)[0]


def _start(node: e.Expression) -> Part:
    """The id of that variable, or of the one whose member it is, and the member's offset."""
    first, offset = _first(node), 0
    while isinstance(first, e.Member):
        offset += first.offset
        first = first.base
    return (first.variable.id if isinstance(first, e.VariableReference) else -1), offset


def _first(node: e.Expression) -> e.Expression:
    """What a pointer expression starts from."""
    while True:
        match node:
            case e.Cast(operand=inner) | e.AddressOf(operand=inner):
                node = inner
            case e.Binary(operator="+" | "-", left=left, right=right):
                node = left if isinstance(left.type, (t.Pointer, t.Array)) else right
            case e.Index(base=base) if not isinstance(base.type, t.Array):
                node = base
            case _:
                return node


def acts_by_itself(function: Function, unit: Unit) -> bool:
    """Whether a body hands no pointer on, and calls no method of an element that may change it: all that it
    writes it writes itself.
    """
    assert function.body is not None
    for node in walk(function.body):
        if isinstance(node, s.Declare) and isinstance(node.variable.type, t.Pointer | t.Reference):
            return False
        if isinstance(node, e.Call) and not node.name.startswith("atomic"):
            given = (*node.arguments, *((node.receiver,) if node.receiver is not None else ()))
            handed = any(_is_way(argument.type, unit) for argument in given)
            if handed or _may_change_its_object(node, unit):
                return False
    return True


def _is_way(type_: t.Type, unit: Unit) -> bool:
    """Whether others may write through what a value of the type holds."""
    if isinstance(type_, t.Pointer):
        return True
    parts = leaves(unit, type_) if isinstance(type_, t.Record) else []
    return any(isinstance(kind, t.Pointer) and not kind.const for _, kind in parts)


def _may_change_its_object(call: e.Call, unit: Unit) -> bool:
    """Whether it is a method of an element that assigns more than local variables, or is not seen."""
    if not isinstance(call.receiver, e.Index | e.Dereference | e.Member):
        return False
    method = unit.functions.get(call.key or "")
    if method is None or method.body is None:
        return True
    nodes = list(walk(method.body))
    assigned = any(isinstance(n, e.Assign) and not isinstance(n.target, e.VariableReference) for n in nodes)
    return assigned or any(isinstance(n, e.Call) and n.receiver is not None for n in nodes)
