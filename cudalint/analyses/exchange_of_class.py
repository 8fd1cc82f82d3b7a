"""Methods that hand data to each other through memory that a member of their object points to or holds: what
one writes another reads, at places that the object alone decides, or within one of several objects.
"""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.analyses.data_order import behind
from cudalint.analyses.definitions import definitions
from cudalint.analyses.kernel_queries import is_memory, start_of
from cudalint.analyses.once import once
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Array, Pointer, Type
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find


class _Use(Struct, frozen=True):
    """An access of a method through a member. own: the caller has no say in the place. held: the object holds
    the memory itself.
    """

    member: str
    writes: bool
    own: bool
    held: bool


def exchanges(unit: Unit, method: Function) -> bool:
    """Whether a method uses memory of its object that other methods use, too, one of which writes it, all of
    them at places of their own choice, or in what is one object of an array in shared memory.
    """
    if method.this is None:
        return False
    several = _several(unit, method.this.type)
    uses = {
        one.key: _uses(unit, one)
        for one in unit.functions.values()
        if one.this is not None and one.this.type == method.this.type
    }
    mine = {use.member for use in uses[method.key]}
    for member in mine:
        users = [use for found in uses.values() for use in found if use.member == member]
        others = any(use.member == member for key in uses if key != method.key for use in uses[key])
        inside = all(use.own or (use.held and several) for use in users)
        if others and inside and any(use.writes for use in users):
            return True
    return False


def _several(unit: Unit, this: Type) -> bool:
    """Whether all objects of a class that stand in shared memory are elements of arrays."""
    kind = this.pointee if isinstance(this, Pointer) else this
    shared = {node.variable.type for node in _shared(unit)}
    arrays = [one for one in shared if isinstance(one, Array) and one.element == kind]
    return bool(arrays) and kind not in shared


def _shared(unit: Unit) -> list[s.Declare]:
    """The declarations of shared memory in all functions."""
    bodies = (one.body for one in unit.functions.values() if one.body is not None)
    return [node for body in bodies for node in find(body, s.Declare) if node.variable.storage == "shared"]


@once
def _uses(unit: Unit, method: Function) -> tuple[_Use, ...]:
    return tuple(_found(unit, method))


def _found(unit: Unit, method: Function) -> Iterator[_Use]:
    if method.body is None or method.this is None:
        return
    own = definitions(unit, method)
    written = {id(node.target) for node in find(method.body, e.Assign)}
    given = {parameter.id for parameter in method.parameters}
    for node in find(method.body, e.Index, e.Dereference):
        if not is_memory(node) or isinstance(node.type, Array):
            continue
        parts = list(behind(node, own))
        free = any(isinstance(part, e.VariableReference) and part.variable.id in given for part in parts)
        for part in parts:
            if isinstance(part, e.Member) and _points(part.type) and _is_of(part, method.this.id):
                yield _Use(part.name, id(node) in written, not free, isinstance(part.type, Array))


def _points(type: Type) -> bool:
    return isinstance(type, Array | Pointer)


def _is_of(member: e.Member, this: int) -> bool:
    start = start_of(member)
    return isinstance(start, e.VariableReference) and start.variable.id == this
