"""Kernels that do nothing but copy elements of arrays to the same places of other arrays."""

from collections.abc import Iterator
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
    """Positions of two pointer parameters: what a thread loads through one it stores through the other."""

    destination: int
    source: int


@once
def plain_copies(unit: Unit, kernel: Function) -> tuple[PlainCopy, ...]:
    """What a kernel copies; nothing where its body does anything else besides counting and comparing."""
    own = definitions(unit, kernel)
    places = {p.id: i for i, p in enumerate(kernel.parameters) if isinstance(p.type, t.Pointer)}
    found = []
    for node in _simple(kernel.body):
        match node:
            case None:
                return ()
            case s.Declare(variable=variable, initial=value):
                pointer = isinstance(variable.type, t.Pointer | t.Reference)
                if pointer or (value is not None and not _only_numbers(value, own, places)):
                    return ()
            case e.Assign(target=e.Index() as target, operator=None, value=value):
                copied = _copied(target, value, own, places)
                if copied is None:
                    return ()
                found.append(copied)
            case _ if not _only_numbers(node, own, {}):
                return ()
    return tuple(dict.fromkeys(found))


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


def _copied(
    target: e.Index, value: e.Expression, own: Definitions, places: dict[int, int]
) -> PlainCopy | None:
    loaded = _loaded(value, own)
    if loaded is None or loaded.type != target.type:
        return None
    to, by = _parameter(target.base, places), _parameter(loaded.base, places)
    same = render(own.resolve(target.index)) == render(own.resolve(loaded.index))
    if to is None or by is None or to == by or not same or any(is_memory(n) for n in _parts(target.index)):
        return None
    return PlainCopy(to, by)


def _loaded(value: e.Expression, own: Definitions) -> e.Index | None:
    """The element that a value is a load of, as it is."""
    while isinstance(value, e.Cast) and value.implicit:
        value = value.operand
    found = own.resolve(value)
    while isinstance(found, e.Cast) and found.implicit:
        found = found.operand
    return found if isinstance(found, e.Index) else None


def _parameter(base: e.Expression, places: dict[int, int]) -> int | None:
    while isinstance(base, e.Cast):
        base = base.operand
    return places.get(base.variable.id) if isinstance(base, e.VariableReference) else None


def _only_numbers(node: e.Expression, own: Definitions, places: dict[int, int]) -> bool:
    """Whether an expression is arithmetic, or an element that a copy then stores."""
    loaded = _loaded(node, own)
    if loaded is not None and _parameter(loaded.base, places) is not None:
        node = loaded.index
    return not any(is_memory(part) or isinstance(part, e.Call) for part in _parts(node))


def _parts(node: e.Expression) -> Iterator[e.Expression]:
    return (cast(e.Expression, part) for part in walk(node))
