"""Which shared arrays of fixed size a kernel holds: those that it or a function it calls reads.

The compiler gives each of them a place of its own, whatever the scope it is declared in, and drops those that
are only written or not used at all.
"""

from collections.abc import Iterator

from cudalint.analyses.kernel_queries import reachable, root_of
from cudalint.analyses.once import once
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Array, Record, Type
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, children, find, kept


def static_shared(unit: Unit, function: Function) -> tuple[e.Variable, ...]:
    """The arrays (and single variables), in the order in which they are first read."""
    found: dict[int, e.Variable] = {}
    for current in reachable(unit, function):
        if current.body is not None:
            found.update((one.id, one) for one in _fixed(current.body) if one.id not in found)
    return tuple(found.values())


@kept
def _fixed(body: s.Block) -> tuple[e.Variable, ...]:
    """Those that one body reads."""
    if not any(node.variable.storage == "shared" for node in find(body, e.VariableReference)):
        return ()
    read = {one.id: one for one in _read(body) if one.storage == "shared" and not one.extern}
    return tuple(read.values())


def shared_variables(unit: Unit, function: Function) -> frozenset[e.Variable]:
    """All shared variables that the kernel, or a function it calls, names."""
    return frozenset(
        node.variable
        for current in reachable(unit, function)
        for node in find(current.body, e.VariableReference)
        if node.variable.storage == "shared"
    )


def shared_rows(unit: Unit, function: Function, name: str) -> tuple[int, int] | None:
    """(bytes per row, bytes per element) of the kernel's shared array of that name; None where it has one
    dimension, and where the kernel has arrays of that name with different rows.
    """
    rows = {_row(variable.type) for variable in shared_variables(unit, function) if variable.name == name}
    return rows.pop() if len(rows) == 1 else None


def _row(kind: Type) -> tuple[int, int] | None:
    match kind:
        case Array(element=Array() as row):
            return row.bytes, _innermost(row).bytes
        case _:
            return None


def _innermost(kind: Type) -> Type:
    while isinstance(kind, Array):
        kind = kind.element
    return kind


def most_wavefronts(node: e.Expression, row: int) -> int | None:
    """Of one request that goes anywhere in the array of fixed size that it names: as many as the array has
    rows of so many bytes, those of all banks. None where it names none.
    """
    root = root_of(node)
    if root is None or root.storage != "shared" or root.extern or not root.type.bytes:
        return None
    start, end = member_array(node) or (0, root.type.bytes)
    return -(-(end - start) // row)


def member_array(node: e.Expression) -> tuple[int, int] | None:
    """(first, end): the bytes of a shared variable that an array among its members takes, of which the node
    is an element; None for any other.
    """
    while isinstance(node, e.Index) and isinstance(node.base.type, Array):
        node = node.base
    size, start = node.type.bytes if isinstance(node.type, Array) else 0, 0
    if not size or not isinstance(node, e.Member):
        return None
    while isinstance(node, e.Member):
        start, node = start + node.offset, node.base
    whole = isinstance(node, e.VariableReference) and node.variable.storage == "shared"
    return (start, start + size) if whole and not isinstance(node.type, Array) else None


def static_shared_bytes(unit: Unit, function: Function) -> int:
    """The least that they take: without what aligns them."""
    return sum(variable.type.bytes for variable in static_shared(unit, function))


_STAND_IN = "cudalint_bytes"  # the field of a shim's record whose size is not the library's own


@once
def sized_by_library(unit: Unit, function: Function) -> bool:
    """Whether shared memory may hold what a library makes for itself, in a size that only it knows."""
    return any(
        _is_library(unit, node.type)
        for current in reachable(unit, function)
        for node in find(current.body, e.VariableReference, e.Member, e.Dereference)
    )


def _is_library(unit: Unit, kind: Type, depth: int = 4) -> bool:
    kind = _innermost(kind)
    layout = unit.records.get(kind.name) if isinstance(kind, Record) and depth else None
    return layout is not None and any(
        field.name == _STAND_IN or _is_library(unit, field.type, depth - 1) for field in layout.fields
    )


def _read(node: Node) -> Iterator[e.Variable]:
    """The variables below a node, but for those that an assignment only writes."""
    match node:
        case e.VariableReference(variable=variable):
            yield variable
        case e.Assign(target=target, value=value, operator=None):
            yield from _indices(target)
            yield from _read(value)
        case _:
            for child in children(node):
                yield from _read(child)


def _indices(target: e.Expression) -> Iterator[e.Variable]:
    """What is read to find the place of an assignment's target."""
    match target:
        case e.VariableReference():
            return
        case e.Index(base=base, index=index):
            yield from _read(index)
            yield from _indices(base)
        case e.Member(base=base):
            yield from _indices(base)
        case _:
            yield from _read(target)
