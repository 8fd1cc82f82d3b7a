"""The host's own reads and writes of memory that the device can use: logged with their place."""

from collections.abc import Iterable

from cudalint.host.describe import render
from cudalint.host.facts import HostAccess
from cudalint.host.machine import RECENT, Machine
from cudalint.host.values import Address, Value, candidates
from cudalint.ir import expressions as e
from cudalint.ir import ranges
from cudalint.ir import types as t
from cudalint.ir.unit import Function
from cudalint.ir.walk import walk
from cudalint.source.span import Span

MOST = 2_000  # logged accesses of a walk
_READS: dict[str, tuple[int, ...]] = {  # arguments that a function of the library reads through
    "memcpy": (1,),
    "memmove": (1,),
    "memcmp": (0, 1),
    "fwrite": (0,),
    "copy": (0,),
    "copy_n": (0,),
    "accumulate": (0,),
    "reduce": (0,),
    "equal": (0, 2),
    "max_element": (0,),
    "min_element": (0,),
    "inner_product": (0, 2),
    "transform": (0,),
    "count": (0,),
    "count_if": (0,),
    "find": (0,),
    "find_if": (0,),
    "for_each": (0,),
    "minmax_element": (0,),
    "transform_reduce": (0,),
    "is_sorted": (0,),
}
_WRITES: dict[str, tuple[int, ...]] = {  # and those that it writes through
    "memcpy": (0,),
    "memmove": (0,),
    "memset": (0,),
    "fread": (0,),
    "strcpy": (0,),
    "strncpy": (0,),
    "qsort": (0,),
    "copy": (2,),
    "copy_n": (2,),
    "fill": (0,),
    "fill_n": (0,),
    "iota": (0,),
    "generate": (0,),
    "generate_n": (0,),
    "sort": (0,),
    "stable_sort": (0,),
    "reverse": (0,),
    "shuffle": (0,),
    "random_shuffle": (0,),
    "free": (0,),
    "operator delete": (0,),
    "operator delete[]": (0,),
}
_OF_SMART_POINTERS = frozenset(
    f"std::{owner}::operator{sign}" for owner in ("unique_ptr", "shared_ptr") for sign in ("[]", "*")
)
_PLAIN = frozenset("memcpy memmove memcmp fwrite memset fread strcpy strncpy qsort free".split())


def expression(m: Machine, node: e.Expression, place: Value, write: bool = False) -> None:
    """The host evaluates or assigns an lvalue: only a place behind a pointer or a variable of the device."""
    if m.quiet or not isinstance(place, Address) or isinstance(node.type, t.Array):
        return
    if _is_foreign(m, place) and _is_access(m, node):
        _log(m, place, node.span, write, render(node), _volatile(node))


def _is_foreign(m: Machine, place: Address) -> bool:
    """Whether memory is known not to be ordinary memory of the host. What runs on both sides says nothing."""
    buffer = m.buffers.get(place.object)
    if buffer is None or buffer.space in ("pageable", "host", "unknown"):
        return False
    return not (m.frames and m.frames[-1].function.device)


def _is_access(m: Machine, node: e.Expression) -> bool:
    match node:
        case e.Call(qualified=qualified) if qualified in _OF_SMART_POINTERS:
            return True
        case e.Call(key=key):  # of the project: elements of libraries' containers may be more than memory
            function = m.unit.defined(key)
            return function is not None and isinstance(function.returns, t.Reference)
        case e.Index(base=base):
            return not isinstance(base.type, t.Array) or _is_access(m, base)
        case e.Dereference():
            return True
        case e.Member(base=base):
            return _is_access(m, base)
        case e.VariableReference(variable=variable):
            shared = variable.storage in ("device", "constant", "managed")
            return isinstance(variable.type, t.Reference) or (shared and not variable.const)
    return False


def _volatile(node: e.Expression) -> bool:
    match node:
        case e.Index(base=base) if isinstance(base.type, t.Pointer):
            return base.type.volatile
        case e.Dereference(pointer=pointer) if isinstance(pointer.type, t.Pointer):
            return pointer.type.volatile
        case e.Member(base=base, volatile=volatile):
            return volatile or _volatile(base)
        case e.Index(base=base):
            return _volatile(base)
        case e.VariableReference(variable=variable):
            return variable.volatile
    return False


def library(m: Machine, node: e.Call, values: tuple[Value, ...]) -> None:
    """A function of the C or C++ library works through pointers that it is handed; a container's own takes
    them as what it holds.
    """
    if node.receiver is not None or not (
        node.qualified.startswith("std::") or node.name in _PLAIN or node.name.startswith("operator ")
    ):
        return
    for table, write in ((_READS, False), (_WRITES, True)):
        for index in table.get(node.name, ()):
            if index < len(values):
                _handed(m, node, index, values[index], write)


def function(m: Machine, node: e.Call, called: Function, values: tuple[Value, ...]) -> None:
    """A function of the project that is not run works through its pointer parameters; not so a kernel that is
    called like a function, of which the host has only what launches it.
    """
    if called.device or called.kernel or called.body is None:
        return
    if not any(_may_log(m, value) for value in values):
        return
    read, written = _dereferenced(called)
    for index, value in enumerate(values):
        for found, write in ((read, False), (written, True)):
            if index in found:
                _handed(m, node, index, value, write)


def ranged(m: Machine, node: e.Expression, value: Value, reason: str) -> None:
    """A range-based for reads and writes what an object points to, as its reason tells."""
    if isinstance(value, Address) and _is_foreign(m, value):
        for write in {ranges.READ: (False,), ranges.WRITTEN: (True,)}.get(reason, (False, True)):
            _log(m, value, node.span, write, render(node), False, "range-based for")


def constructed(m: Machine, node: e.Construct, values: tuple[Value, ...]) -> None:
    """A container is filled from a range of pointers."""
    if len(values) < 2 or not isinstance(values[0], Address) or not _is_foreign(m, values[0]):
        return
    if values[0].object in candidates(values[1]):
        _log(m, values[0], node.span, False, render(node.arguments[0]), False, "the constructor")


def _may_log(m: Machine, value: Value) -> bool:
    return isinstance(value, Address) and _is_foreign(m, value)


def _dereferenced(called: Function) -> tuple[set[int], set[int]]:
    """Parameters that a body reads and writes through."""
    assert called.body is not None
    parameters = {p.id: i for i, p in enumerate(called.parameters) if isinstance(p.type, t.Pointer)}
    read: set[int] = set()
    written: set[int] = set()
    targets: set[int] = set()
    for node in walk(called.body):
        if isinstance(node, e.Assign):
            targets.add(id(node.target))
        if isinstance(node, (e.Index, e.Dereference)):
            base = node.base if isinstance(node, e.Index) else node.pointer
            for variable in _variables(base):
                if variable in parameters:
                    (written if id(node) in targets else read).add(parameters[variable])
    return read, written


def _variables(node: e.Expression) -> Iterable[int]:
    """The variable that a pointer expression starts from."""
    while isinstance(node, (e.Cast, e.Binary)):
        node = node.operand if isinstance(node, e.Cast) else node.left
    return (node.variable.id,) if isinstance(node, e.VariableReference) else ()


def _handed(m: Machine, node: e.Call, index: int, value: Value, write: bool) -> None:
    if isinstance(value, Address) and _is_foreign(m, value) and index < len(node.arguments):
        _log(m, value, node.arguments[index].span, write, render(node.arguments[index]), False, node.name)


def _log(
    m: Machine, place: Address, span: Span, write: bool, name: str, volatile: bool, handed: str = ""
) -> None:
    if m.state.dead or m.unreached or len(m.log.accesses) >= MOST or span.path not in m.unit.project_files:
        return
    order = len(m.log.calls)
    for known in m.log.accesses[-RECENT:]:
        same = known.span == span and known.order == order and known.write == write
        if same and known.buffer.id == place.object:
            return
    m.log.accesses.append(
        HostAccess(
            span=span,
            function=m.entry,
            order=order,
            buffer=m.buffers[place.object],
            write=write,
            name=name,
            offset=place.offset,
            conditions=tuple(m.conditions),
            volatile=volatile,
            handed=handed,
            variable=place.object in m.variables,
            came_by=m.came_by,
        )
    )
