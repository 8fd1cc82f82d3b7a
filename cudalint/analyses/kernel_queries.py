"""What can be told of a kernel without running it: accesses that no run reached, costs, axes."""

from collections.abc import Iterator

from cudalint.analyses.once import once
from cudalint.cuda.indices import tells_blocks, tells_threads
from cudalint.cuda.spaces import Operation, Space
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Array, Pointer
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, children, find, kept, walk
from cudalint.source.span import Span


@kept
def named(body: s.Block) -> tuple[str, ...]:
    """Keys of the functions that a body calls or names, in source order."""
    nodes = find(body, e.Call, e.Construct, e.Lambda, e.FunctionReference)
    return tuple(dict.fromkeys(node.key for node in nodes if node.key is not None))


@once
def reachable(unit: Unit, function: Function) -> tuple[Function, ...]:
    """The function and every function it calls or names, directly or not, whose body is known."""
    seen: dict[str, Function] = {function.key: function}
    stack = [function]
    while stack:
        current = stack.pop()
        if current.body is None:
            continue
        for key in named(current.body):
            if key not in seen and key in unit.functions:
                seen[key] = unit.functions[key]
                stack.append(unit.functions[key])
    return tuple(seen.values())


@once
def nodes_by_span(unit: Unit, function: Function) -> dict[Span, list[Node]]:
    """The nodes of the function and of all that it calls, by where they stand, in the order of a walk."""
    found: dict[Span, list[Node]] = {}
    for current in reachable(unit, function):
        for node in walk(current.body) if current.body is not None else ():
            found.setdefault(node.span, []).append(node)
    return found


@once
def reads_extent(unit: Unit, function: Function) -> bool:
    """Whether the kernel or a function it calls asks how many threads a block has."""
    return any(
        node.name == "blockDim"
        for current in reachable(unit, function)
        for node in find(current.body, e.Builtin)
    )


def tells_threads_apart(unit: Unit, function: Function) -> bool:
    """Whether the kernel or a function it calls asks which thread of the block it is in: by threadIdx, a rank
    in a group, or inline assembly, which may read any register.
    """
    return any(
        (isinstance(node, e.Builtin) and node.name == "threadIdx")
        or (isinstance(node, e.Call) and tells_threads(node.name, node.qualified))
        or isinstance(node, s.Opaque)
        for current in reachable(unit, function)
        for node in (walk(current.body) if current.body else ())
    )


@once
def tells_blocks_apart(unit: Unit, function: Function) -> bool:
    """Whether the kernel or a function it calls asks which block of the grid it is in, and uses the answer:
    by blockIdx, a rank in a group, or inline assembly that reads a register of that.
    """
    return any(
        (isinstance(node, e.Builtin) and node.name == "blockIdx")
        or (isinstance(node, e.Call) and tells_blocks(node.name, node.qualified))
        or (isinstance(node, s.Opaque) and ("ctaid" in node.text or not node.text))
        for current in reachable(unit, function)
        for node in (_used(current.body) if current.body else ())
    )


def _used(body: s.Statement) -> Iterator[Node]:
    """The parts of a body, but for what gives variables a value that nobody asks for."""
    named = {node.variable.id for node in find(body, e.VariableReference)}
    idle = {
        id(part)
        for node in find(body, s.Declare)
        if node.initial is not None and node.variable.id not in named
        for part in walk(node.initial)
    }
    return (node for node in walk(body) if id(node) not in idle)


def root_of(node: e.Expression) -> e.Variable | None:
    start = start_of(node)
    return start.variable if isinstance(start, e.VariableReference) else None


def start_of(node: e.Expression) -> e.Expression:
    """What a place or a pointer starts from: its root, or what has no root that is named here, as a call."""
    while True:
        match node:
            case e.Index(base=base) | e.Member(base=base):
                node = base
            case e.Dereference(pointer=inner) | e.Cast(operand=inner) | e.AddressOf(operand=inner):
                node = inner
            case e.Binary(left=left):
                node = left
            case _:
                return node


def pointer_of(node: e.Expression) -> e.Expression | None:
    """The variable or field with the pointer that an access goes through, whatever is added to it; None where
    something else gives the pointer.
    """
    pointer = (node.arguments or (None,))[0] if isinstance(node, e.Call) else _leading_to(node)
    while pointer is not None and (isinstance(pointer.type, Array) or not _is_named(pointer)):
        match pointer:
            case e.Cast(operand=inner) | e.Binary(left=inner) if isinstance(pointer.type, Pointer):
                pointer = inner
            case e.AddressOf(operand=place):
                pointer = _leading_to(place)
            case _:
                pointer = _leading_to(pointer) if isinstance(pointer.type, Array) else None
    return pointer


def _leading_to(place: e.Expression) -> e.Expression | None:
    """The pointer that an lvalue goes through."""
    while isinstance(place, e.Member) or (isinstance(place, e.Index) and isinstance(place.base.type, Array)):
        place = place.base
    match place:
        case e.Index(base=pointer) | e.Dereference(pointer=pointer):
            return pointer
    return None


def _is_named(node: e.Expression) -> bool:
    """Whether it is a variable, or a field of one or of what a variable points to."""
    while isinstance(node, e.Member):
        node = node.base
    if isinstance(node, e.Dereference):
        node = node.pointer
    return isinstance(node, e.VariableReference) and node.variable.storage in ("local", "parameter")


def accessed(node: e.Expression) -> e.Expression:
    """What a call such as an atomic goes through: its first argument."""
    return node.arguments[0] if isinstance(node, e.Call) and node.arguments else node


def is_volatile(node: Node) -> bool:
    """Whether the lvalue names volatile memory."""
    match node:
        case e.Index(base=base):
            kind = base.type
            return (isinstance(kind, Pointer) and kind.volatile) or is_volatile(base)
        case e.Dereference(pointer=pointer):
            return isinstance(pointer.type, Pointer) and pointer.type.volatile
        case e.Member(base=base, volatile=volatile):
            return volatile or is_volatile(base)
        case e.VariableReference(variable=variable):
            return variable.volatile
        case e.Cast(operand=operand):
            return is_volatile(operand)
        case _:
            return False


def is_memory(node: e.Expression) -> bool:
    """Whether the lvalue goes through a pointer or names shared, constant or device memory."""
    while True:
        match node:
            case e.Dereference():
                return True
            case e.Index(base=e.Cast(operand=array)) if isinstance(array.type, Array):
                node = array
            case e.Index(base=base):
                if isinstance(base.type, Pointer):
                    return True
                node = base
            case e.Member(base=base):
                node = base
            case e.VariableReference(variable=variable):
                return variable.storage in ("shared", "constant", "device", "managed")
            case _:
                return False


def lvalues(node: Node) -> tuple[tuple[e.Expression, Operation], ...]:
    """Memory lvalues below a node with what is done to them; only the outermost of a chain."""
    if isinstance(node, s.Statement):
        return _of_statement(node)
    found: list[tuple[e.Expression, Operation]] = []
    _enter(node, "load", found)
    return tuple(found)


@kept
def _of_statement(node: s.Statement) -> tuple[tuple[e.Expression, Operation], ...]:
    return tuple(one for child in children(node) for one in lvalues(child))


def _enter(node: Node, operation: Operation, found: list[tuple[e.Expression, Operation]]) -> None:
    match node:
        case e.Literal():
            pass
        case e.Assign(target=target, value=value, operator=operator):
            _enter(target, "store", found)
            if operator is not None:
                _enter(target, "load", found)
            _enter(value, "load", found)
        case e.AddressOf(operand=operand):
            for child in children(operand):
                _enter(child, "load", found)
        case e.Index() | e.Dereference() | e.Member() | e.VariableReference() if is_memory(node):
            if not isinstance(node.type, Array):
                found.append((node, operation))
            _enter_inside(node, found)
        case _:
            for child in children(node):
                _enter(child, "load", found)


def _enter_inside(node: e.Expression, found: list[tuple[e.Expression, Operation]]) -> None:
    match node:
        case e.Index(base=base, index=index):
            _enter(index, "load", found)
            if isinstance(base.type, Pointer):
                _enter(base, "load", found)
            else:
                _enter_inside(base, found)
        case e.Dereference(pointer=pointer):
            _enter(pointer, "load", found)
        case e.Member(base=base):
            _enter_inside(base, found)


def space_of(node: e.Expression) -> Space:
    """The space of an access by the variable it goes through, for want of an address. A call accesses what
    its first argument points to.
    """
    through_pointer = False
    if isinstance(node, e.Call) and node.arguments:
        node = _pointed_at(node.arguments[0])
        through_pointer = isinstance(node.type, Pointer)
    root = root_of(node)
    if root is not None and root.storage == "shared":
        return "shared"
    if (
        root is not None
        and root.storage in ("local", "parameter")
        and not (through_pointer or is_memory(node))
    ):
        return "local"
    return "constant" if root is not None and root.storage == "constant" else "global"


def _pointed_at(node: e.Expression) -> e.Expression:
    """The lvalue whose address is taken; a pointer that comes about in another way as it is."""
    while isinstance(node, e.Cast):
        node = node.operand
    return node.operand if isinstance(node, e.AddressOf) else node
