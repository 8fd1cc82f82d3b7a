"""Which expressions of a kernel every thread evaluates, whatever the arguments and the data are."""

from collections.abc import Iterator

from cudalint.analyses.executed_with import roots
from cudalint.analyses.once import once
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, children, find


@once
def always(unit: Unit, kernel: Function) -> frozenset[int]:
    """By identity: those of statements under no condition and in no loop, before anything that may return."""
    found: set[int] = set()
    for statement in _flat(kernel.body) if kernel.body is not None else ():
        if find(statement, s.Return, s.Opaque):
            break
        if not isinstance(statement, s.Loop):
            for root, _ in roots(statement):
                found.update(map(id, _evaluated(root)))
    return frozenset(found)


def _flat(body: s.Statement) -> Iterator[s.Statement]:
    """The statements of a block and of the blocks in it."""
    if isinstance(body, s.Block):
        for part in body.body:
            yield from _flat(part)
    else:
        yield body


def _evaluated(root: Node) -> Iterator[Node]:
    """The parts of an expression that are evaluated if it is."""
    left = [root]
    while left:
        node = left.pop()
        yield node
        match node:
            case e.Binary(operator="&&" | "||", left=first):
                left.append(first)
            case e.Conditional(condition=condition):
                left.append(condition)
            case _:
                left += children(node)
