"""What else stands between the barriers of a block around a statement: what other threads may do before all
wait for those that run the statement.
"""

from collections.abc import Iterable, Iterator

from cudalint.analyses.kernel_queries import reachable
from cudalint.cuda import effects
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, find, walk


def loops_beside(unit: Unit, function: Function, statement: s.Statement) -> frozenset[int] | None:
    """Loops, by identity, between the barriers before and after a statement of the function's body, with
    those of functions that are called there; None where there is no barrier before or after it. A block keeps
    its place on the multiprocessor until its last thread has come to the end.
    """
    path = _path(function.body, statement)
    later, earlier = _Search(unit), _Search(unit)
    for holder, child in zip(path[-2::-1], path[:0:-1], strict=True):
        if isinstance(holder, s.Block):
            at = next(number for number, part in enumerate(holder.body) if part is child)
            later.go(holder.body[at + 1 :])
            earlier.go(holder.body[:at][::-1])
        elif isinstance(holder, s.If):
            beside = [way for way in (holder.then, holder.otherwise) if way is not None and way is not child]
            later.loops |= {id(one) for way in beside for one in _loops(unit, way)}
        elif isinstance(holder, s.Loop):
            later.go(_parts(child))
            earlier.go(_parts(child)[::-1])
    return frozenset(later.loops | earlier.loops) if later.ended or earlier.ended else None


class _Search:
    """Statements passed on the way to the next barrier."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.loops: set[int] = set()
        self.ended = False

    def go(self, statements: Iterable[s.Statement]) -> None:
        for one in statements:
            if self.ended:
                return
            self.ended = _waits(self.unit, one)
            if not self.ended:
                self.loops |= {id(loop) for loop in _loops(self.unit, one)}


def _path(node: s.Statement | None, statement: s.Statement) -> list[s.Statement]:
    """From the node to the statement, through those that hold it; [] where it is not there."""
    if node is None or node is statement:
        return [node] if node is not None else []
    match node:
        case s.Block(body=parts) | s.Switch(body=parts):
            inner: tuple[s.Statement | None, ...] = parts
        case s.If(then=then, otherwise=otherwise):
            inner = (then, otherwise)
        case s.Loop(body=body):
            inner = (body,)
        case _:
            inner = ()
    for part in inner:
        if found := _path(part, statement):
            return [node, *found]
    return []


def _parts(statement: s.Statement) -> tuple[s.Statement, ...]:
    return statement.body if isinstance(statement, s.Block) else (statement,)


def held(unit: Unit, statement: s.Statement) -> Iterator[Node]:
    """What the statement holds, and what it calls."""
    keys = {part.key for part in find(statement, e.Call, e.Construct)}
    called = [f for key in keys if (start := unit.defined(key)) is not None for f in reachable(unit, start)]
    yield from walk(statement)
    for function in called:
        yield from walk(function.body) if function.body is not None else ()


def _waits(unit: Unit, statement: s.Statement) -> bool:
    return any(
        isinstance(node, e.Call)
        and (node.name in effects.WAITING or effects.of_a_block(node.name, node.qualified))
        for node in held(unit, statement)
    )


def _loops(unit: Unit, statement: s.Statement) -> list[s.Loop]:
    return [node for node in held(unit, statement) if isinstance(node, s.Loop)]
