"""Kernels that only copy elements of arrays to the same places of other arrays, or exchange them."""

from collections.abc import Iterable, Iterator
from typing import cast

from msgspec import Struct

from cudalint.analyses.definitions import Definitions, definitions
from cudalint.analyses.kernel_queries import is_memory
from cudalint.analyses.once import once
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.render import render
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import walk


class PlainCopy(Struct, frozen=True):
    """Positions of two pointer parameters: what a thread loads through one it stores through the other.
    exchange: it also stores there what the other one held.
    """

    destination: int
    source: int
    exchange: bool = False


class _Element(Struct, frozen=True):
    """An element of what a pointer parameter points to, by the position of the parameter and its indices."""

    position: int
    indices: tuple[str, ...]


@once
def plain_copies(unit: Unit, kernel: Function) -> tuple[PlainCopy, ...]:
    """What a kernel copies; nothing where its body does anything else besides counting and comparing."""
    own = definitions(unit, kernel)
    places = {p.id: i for i, p in enumerate(kernel.parameters) if isinstance(p.type, t.Pointer)}
    direct: list[tuple[int, int]] = []  # from memory to memory
    kept: list[tuple[int, int]] = []  # from a variable that holds what was loaded before
    for node in _simple(kernel.body):
        match node:
            case None:
                return ()
            case s.Declare(variable=variable) if isinstance(variable.type, t.Pointer | t.Reference):
                return ()
            case (
                s.Declare(initial=value) | e.Assign(target=e.VariableReference(), operator=None, value=value)
            ) if value is not None:
                loaded = _element(_loaded(value, own), own, places)
                late = loaded is not None and any(loaded.position == to for to, _ in direct)
                if late or (loaded is None and not _only_numbers(value)):
                    return ()
            case e.Assign(target=e.Index() as target, operator=None, value=value):
                ends = _ends(target, value, own, places)
                if ends is None:
                    return ()
                (kept if isinstance(_plain(value), e.VariableReference) else direct).append(ends)
            case s.Declare():
                continue
            case _ if not _only_numbers(node):
                return ()
    return _put_together(dict.fromkeys(direct), dict.fromkeys(kept))


def _ends(
    target: e.Index, value: e.Expression, own: Definitions, places: dict[int, int]
) -> tuple[int, int] | None:
    """Where an element is stored and loaded, if it is one of the same number and type."""
    loaded = _loaded(value, own)
    to, by = _element(target, own, places), _element(loaded, own, places)
    if to is None or by is None or loaded.type != target.type:
        return None
    return (to.position, by.position) if to.position != by.position and to.indices == by.indices else None


def _put_together(
    direct: Iterable[tuple[int, int]], kept: Iterable[tuple[int, int]]
) -> tuple[PlainCopy, ...]:
    """An array that is copied into another one and gets what that held is exchanged with it."""
    found = []
    back = set(kept)
    for to, by in direct:
        exchange = (by, to) in back
        back.discard((by, to))
        found.append(PlainCopy(to, by, exchange))
    copies = (*found, *(PlainCopy(to, by) for to, by in kept if (to, by) in back))
    written = [one.destination for one in copies] + [one.source for one in copies if one.exchange]
    return copies if len(set(written)) == len(written) else ()


def _simple(node: s.Statement | None) -> Iterator[s.Declare | e.Expression | None]:
    """What a body declares and evaluates, in and out of branches and loops; None for any other statement."""
    match node:
        case None | s.Return(value=None) | s.Continue():
            return
        case s.Block(body=body):
            for part in body:
                yield from _simple(part)
        case s.If(condition=condition, then=then, otherwise=otherwise):
            yield condition
            yield from _simple(then)
            yield from _simple(otherwise)
        case s.Loop(initial=initial, condition=condition, step=step, body=body):
            yield from _simple(initial)
            yield from (part for part in (condition, step) if part is not None)
            yield from _simple(body)
        case s.Evaluate(expression=expression):
            yield expression
        case s.Declare():
            yield node
        case _:
            yield None


def _element(node: e.Expression, own: Definitions, places: dict[int, int]) -> _Element | None:
    indices: list[str] = []
    while isinstance(node, e.Index | e.Cast):
        if isinstance(node, e.Index):
            if any(is_memory(part) for part in _parts(node.index)):
                return None
            indices.append(render(own.resolve(node.index)))
            node = node.base
        else:
            node = node.operand
    position = places.get(node.variable.id) if isinstance(node, e.VariableReference) else None
    return _Element(position, tuple(indices)) if position is not None and indices else None


def _plain(value: e.Expression) -> e.Expression:
    while isinstance(value, e.Cast) and value.implicit:
        value = value.operand
    return value


def _loaded(value: e.Expression, own: Definitions) -> e.Expression:
    """What a value stands for, as it was loaded."""
    return _plain(own.resolve(_plain(value)))


def _only_numbers(node: e.Expression) -> bool:
    """Whether an expression is arithmetic on what is in registers."""
    return not any(is_memory(part) or isinstance(part, e.Call) for part in _parts(node))


def _parts(node: e.Expression) -> Iterator[e.Expression]:
    return (cast(e.Expression, part) for part in walk(node))
