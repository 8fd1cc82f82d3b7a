"""Records that are copied whole where only a part of them counts, for races.

`Body b = bodies[j];` reads of the element what is used of `b`, and `bodies[i] = b;` in a block that began
with `Body b = bodies[i];` writes what was assigned between: it puts the rest back as it was.
"""

from collections.abc import Iterator

from msgspec import Struct, field

from cudalint.analyses.kernel_queries import is_memory
from cudalint.analyses.once import once
from cudalint.analyses.varying import private
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.types import Array, Record, Reference
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, children, find

Part = tuple[int, int]  # (first byte, bytes) of a record
Parts = tuple[Part, ...]


@once
def parts_that_count(unit: Unit, function: Function) -> dict[int, Parts]:
    """By identity of an lvalue in memory: the parts that its load needs, or that a store to it changes."""
    found: dict[int, Parts] = {}
    for block in find(function.body, s.Block):
        for variable, source in _copied(block):
            found |= _found(unit, block, variable, source)
    return found


def _copied(block: s.Block) -> Iterator[tuple[e.Variable, e.Expression]]:
    """The records that the block declares as copies of what is in memory."""
    for each in block.body:
        if not isinstance(each, s.Declare) or not isinstance(each.variable.type, Record):
            continue
        if each.initial is not None and is_memory(each.initial):
            yield each.variable, each.initial


def _found(unit: Unit, block: s.Block, copy: e.Variable, source: e.Expression) -> dict[int, Parts]:
    uses = _Uses(unit, copy, render(source) if _stays(block, source) else "")
    for each in block.body:
        uses.look(each)
    if uses.whole:
        return {}
    if not uses.backs:
        return {id(source): tuple(sorted(uses.read))}
    return {id(back): tuple(sorted(uses.assigned)) for back in uses.backs}


def _stays(block: s.Block, source: e.Expression) -> bool:
    """Whether the block never changes the variables that tell the place."""
    used = {part.variable for part in find(source, e.VariableReference)}
    changed = {private(part.target) for part in find(block, e.Assign)}
    return not used & changed


class _Uses(Struct):
    """What a block does with a copy. source: the place it came from, as text; backs: where it is put back to
    that place; whole: it is used in a way that any part may count.
    """

    unit: Unit
    copy: e.Variable
    source: str
    read: set[Part] = field(default_factory=set)
    assigned: set[Part] = field(default_factory=set)
    backs: list[e.Expression] = field(default_factory=list)
    whole: bool = False

    def look(self, node: Node) -> None:
        """Look through a statement or expression."""
        match node:
            case e.Assign(target=target, value=e.VariableReference(variable=self.copy), operator=None):
                if self.source and render(target) == self.source:
                    self.backs.append(target)
                    return
            case e.Assign(target=target, operator=operator) if (part := self._part(target)) is not None:
                self.assigned.add(part)
                if operator is not None:
                    self.read.add(part)
                self._look_below(target)
                self.look(node.value)
                return
            case e.VariableReference(variable=variable):
                self.whole |= variable == self.copy
            case e.AddressOf(operand=operand):
                self.whole |= private(operand) == self.copy
            case s.Declare(variable=variable, initial=initial) if isinstance(variable.type, Reference):
                self.whole |= initial is not None and private(initial) == self.copy
            case e.Lambda(captures=captures):
                self.whole |= any(variable == self.copy for variable, _ in captures)
            case e.Call() | e.Construct() | e.Unknown() | s.Opaque():
                self.whole |= any(private(lent) == self.copy for lent in self._lent(node))
            case e.Member() | e.Index() if (part := self._part(node)) is not None:
                self.read.add(part)
                self.whole |= isinstance(node.type, Array)
                self._look_below(node)
                return
        for child in children(node):
            self.look(child)

    def _part(self, node: e.Expression) -> Part | None:
        """The member of the copy that an lvalue is, or is a part of."""
        while isinstance(node, e.Member | e.Index):
            if isinstance(node, e.Member) and isinstance(node.base, e.VariableReference):
                return (node.offset, node.type.bytes) if node.base.variable == self.copy else None
            node = node.base
        return None

    def _look_below(self, node: e.Expression) -> None:
        """Look through the indices of an lvalue."""
        while isinstance(node, e.Member | e.Index):
            if isinstance(node, e.Index):
                self.look(node.index)
            node = node.base

    def _lent(self, node: e.Call | e.Construct | e.Unknown | s.Opaque) -> Iterator[e.Expression]:
        """What others may write: receivers, what is handed on by reference, and what nobody sees into."""
        if isinstance(node, e.Unknown | s.Opaque):
            yield from node.operands
            return
        if isinstance(node, e.Call) and node.receiver is not None:
            yield node.receiver
        function = self.unit.functions.get(node.key or "")
        for parameter, argument in zip(function.parameters if function else (), node.arguments, strict=False):
            if isinstance(parameter.type, Reference):
                yield argument
