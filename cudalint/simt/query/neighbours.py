"""What the accesses of a kernel ask for together: those that stand beside each other, with nothing between
them that goes round, find what another one of them has fetched.
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
from cudalint.source.span import Span


class ControlContext(Struct, frozen=True):
    """Where a node stands. arms, loops: what is round it of branches and loops, by identity; after: how many
    loops end before it; rounds: of the unrolled loop right round it.
    """

    arms: tuple[int, ...]
    loops: tuple[int, ...] = ()
    after: int = 0
    rounds: int = 1


@once
def stands(unit: Unit, function: Function) -> dict[Span, ControlContext]:
    """By place, for the kernel and what it calls. A loop that is unrolled is no loop."""
    found: dict[Span, ControlContext] = {}
    for current in reachable(unit, function):
        after = 0
        todo: list[tuple[Node | None, ControlContext]] = (
            [(current.body, ControlContext((id(current),)))] if current.body else []
        )
        while todo:
            node, stand = todo.pop()
            if node is None:
                after += 1
                continue
            found[node.span] = replace(stand, after=after)
            todo += reversed(list(_parts(node, stand)))
    return found


def _parts(node: Node, stand: ControlContext) -> Iterator[tuple[Node | None, ControlContext]]:
    """What a node is made of, with where it stands; None where a loop ends."""
    match node:
        case s.If(then=then, otherwise=otherwise) | e.Conditional(then=then, otherwise=otherwise):
            arms = [then, otherwise]
        case s.Switch(body=body):
            arms = list(body)
        case s.Loop():
            yield from _round(node, stand)
            return
        case _:
            arms = []
    for child in children(node):
        taken = any(child is arm for arm in arms)
        yield child, replace(stand, arms=(*stand.arms, id(child))) if taken else stand


def _round(node: s.Loop, stand: ControlContext) -> Iterator[tuple[Node | None, ControlContext]]:
    """The parts of a loop."""
    written_out = unrolled(node)
    if written_out:
        inner = replace(stand, rounds=constant_trips(node) or 1)
    else:
        inner = replace(stand, loops=(*stand.loops, id(node)), rounds=1)
    for child in children(node):
        yield child, stand if child is node.initial else inner
    if not written_out:
        yield None, stand


class CombinedUse(Struct, frozen=True):
    """The part of the bytes in the sectors of a request that it, further rounds of an unrolled loop and the
    accesses beside it ask for, and how many of these there are. between: the part of those from its lowest
    lane to its highest. first: the lowest of these bytes.
    """

    used: float
    between: float
    others: int
    first: int


def together(
    access: Access, accesses: tuple[Access, ...], places: dict[Span, ControlContext]
) -> CombinedUse | None:
    """Of an access whose lanes are known, with the other accesses of a kernel of the same kind."""
    stand = places.get(access.span)
    if stand is None or not access.full_lanes:
        return None
    own = _bytes(access, replace(stand, rounds=1))
    sectors = np.unique(own // SECTOR)
    asked, others = [_within(sectors, _bytes(access, stand))], 0
    for other in accesses:
        if (other.buffer, other.operation) != (access.buffer, access.operation) or not other.full_lanes:
            continue
        beside = places.get(other.span)
        if other.span == access.span or beside is None or not _side_by_side(stand, beside):
            continue
        shared = _within(sectors, _bytes(other, beside))
        if len(shared):
            asked.append(shared)
            others += 1
    bytes = np.unique(np.concatenate(asked))
    between = int(((own[0] <= bytes) & (bytes <= own[-1])).sum()) / int(own[-1] - own[0] + 1)
    return CombinedUse(len(bytes) / (len(sectors) * SECTOR), between, others, int(bytes[0]))


def leaves_none(access: Access, accesses: tuple[Access, ...], places: dict[Span, ControlContext]) -> bool:
    """Whether further rounds of the loop right round a load, by steps no longer than its lane stride, come to
    all bytes from one lane's place to its neighbour's, with what the loads beside it ask for. Next rounds
    then find in the first-level cache what a round fetches and does not use.
    """
    stand, stride = places.get(access.span), abs(access.lane_stride or 0)
    if stand is None or not 0 < abs(access.step_stride or 0) <= stride:
        return False
    taken = {
        (start + step * (other.step_stride or 0) + byte) % stride
        for other, start in _starts(access, accesses, places, stand)
        for step in range(stride)
        for byte in range(other.bytes)
    }
    return len(taken) == stride


def _starts(
    access: Access, accesses: tuple[Access, ...], places: dict[Span, ControlContext], stand: ControlContext
) -> Iterator[tuple[Access, int]]:
    """A load and those beside it whose lanes lie alike, and where their lowest lanes are."""
    for other in accesses:
        alike = (other.buffer, other.operation, other.lane_stride, other.step_stride) == (
            access.buffer, access.operation, access.lane_stride, access.step_stride,
        )  # fmt: skip
        beside = places.get(other.span)
        if alike and beside is not None and _side_by_side(stand, beside):
            yield from ((other, lane) for lane in other.full_lanes[:1] if lane is not None)


def _within(sectors: np.ndarray, bytes: np.ndarray) -> np.ndarray:
    return np.asarray(bytes[np.isin(bytes // SECTOR, sectors)])


def _side_by_side(one: ControlContext, other: ControlContext) -> bool:
    return (one.arms, one.loops, one.after) == (other.arms, other.loops, other.after)


def _bytes(access: Access, stand: ControlContext) -> np.ndarray:
    """Those that a request asks for, in all rounds of the unrolled loop round it."""
    lanes = np.array([lane for lane in access.full_lanes if lane is not None], dtype=np.int64)
    rounds = (
        np.arange(stand.rounds) * access.step_stride if access.step_stride else np.zeros(1, dtype=np.int64)
    )
    places = lanes[:, None, None] + rounds[:, None] + np.arange(access.bytes)
    return np.asarray(np.unique(places))
