"""Neighbouring accesses: accesses in the same arm and loop, with no loop between them, share the sectors
that one of them has fetched.
"""

from collections.abc import Iterator

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.once import once
from cudalint.analyses.trip_counts import constant_trips, unrolled
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, children
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.requests.transactions import SECTOR
from cudalint.simt.values.different import different
from cudalint.source.span import Span


class ControlContext(Struct, frozen=True):
    """The control flow that encloses a node."""

    arms: tuple[int, ...]  # enclosing function body and arms of branches, by identity
    loops: tuple[int, ...] = ()  # enclosing loops that are not unrolled, by identity
    after: int = 0  # loops that end before the node
    iterations: int = 1  # of the innermost enclosing loop, if it is unrolled


@once
def stands(unit: Unit, function: Function) -> dict[Span, ControlContext]:
    """The context of every node of the kernel and its callees; an unrolled loop is not counted as a loop."""
    found: dict[Span, ControlContext] = {}
    for current in reachable(unit, function):
        after = 0
        todo: list[tuple[Node | None, ControlContext]] = (
            [(current.body, ControlContext((id(current),)))] if current.body else []
        )
        while todo:
            node, context = todo.pop()
            if node is None:
                after += 1
                continue
            found[node.span] = replace(context, after=after)
            todo += reversed(list(_parts(node, context)))
    return found


def _parts(node: Node, context: ControlContext) -> Iterator[tuple[Node | None, ControlContext]]:
    """The children of a node with their contexts; None where a loop ends."""
    match node:
        case s.If(then=then, otherwise=otherwise) | e.Conditional(then=then, otherwise=otherwise):
            arms = [then, otherwise]
        case s.Switch(body=body):
            arms = list(body)
        case s.Loop():
            yield from _loop_parts(node, context)
            return
        case _:
            arms = []
    for child in children(node):
        taken = any(child is arm for arm in arms)
        yield child, replace(context, arms=(*context.arms, id(child))) if taken else context


def _loop_parts(node: s.Loop, context: ControlContext) -> Iterator[tuple[Node | None, ControlContext]]:
    """The children of a loop with their contexts; None at its end."""
    is_unrolled = unrolled(node)
    if is_unrolled:
        inner = replace(context, iterations=constant_trips(node) or 1)
    else:
        inner = replace(context, loops=(*context.loops, id(node)), iterations=1)
    for child in children(node):
        yield child, context if child is node.initial else inner
    if not is_unrolled:
        yield None, context


class CombinedUse(Struct, frozen=True):
    """How much of a request's sectors it uses together with its neighbours: further iterations of an unrolled
    loop, and neighbouring accesses.
    """

    used: float  # share of the bytes in its sectors
    others: int  # neighbouring accesses
    first: int  # the lowest byte used


def together(
    access: Access, accesses: tuple[Access, ...], places: dict[Span, ControlContext]
) -> CombinedUse | None:
    """The combined use of an access and its neighbours; None if its lanes are unknown."""
    context = places.get(access.span)
    if context is None or not access.lanes.full:
        return None
    own = _bytes(access, replace(context, iterations=1))
    sectors = different(own // SECTOR)
    asked, others = [_within(sectors, _bytes(access, context))], 0
    for other in accesses:
        if (other.buffer, other.operation) != (access.buffer, access.operation) or not other.lanes.full:
            continue
        beside = places.get(other.span)
        if other.span == access.span or beside is None or not _side_by_side(context, beside):
            continue
        shared = _within(sectors, _bytes(other, beside))
        if len(shared):
            asked.append(shared)
            others += 1
    bytes = different(np.concatenate(asked))
    return CombinedUse(len(bytes) / (len(sectors) * SECTOR), others, int(bytes[0]))


def _within(sectors: np.ndarray, bytes: np.ndarray) -> np.ndarray:
    return np.asarray(bytes[np.isin(bytes // SECTOR, sectors)])


def _side_by_side(one: ControlContext, other: ControlContext) -> bool:
    return (one.arms, one.loops, one.after) == (other.arms, other.loops, other.after)


def _bytes(access: Access, context: ControlContext) -> np.ndarray:
    """The bytes that a request accesses, in all iterations of an enclosing unrolled loop."""
    lanes = np.array([lane for lane in access.lanes.full if lane is not None], dtype=np.int64)
    steps = (
        np.arange(context.iterations) * access.layout.step_stride
        if access.layout.step_stride
        else np.zeros(1, dtype=np.int64)
    )
    places = lanes[:, None, None] + steps[:, None] + np.arange(access.bytes)
    return different(places)
