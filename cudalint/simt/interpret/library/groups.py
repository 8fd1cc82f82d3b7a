"""Cooperative groups and other member calls the model knows: ranks, sizes and synchronisation."""

from collections.abc import Callable

import numpy as np

from cudalint.cuda.spaces import BarrierScope
from cudalint.cuda.warp import WARP
from cudalint.ir import expressions as e
from cudalint.ir.types import INT, Record, Reference, Scalar, Type
from cudalint.simt.interpret.dispatch import evaluate, number
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.values import lanes
from cudalint.simt.values.lanes import Value
from cudalint.simt.values.state import Aggregate, Result

Barrier = Callable[[Machine, e.Call, BarrierScope], Result]

_MAKERS = frozenset(
    """
    this_thread_block this_grid this_multi_grid this_cluster tiled_partition binary_partition
    labeled_partition
    """.split()
)
_SCOPES: dict[str, BarrierScope] = {"block": "block", "cluster": "cluster", "grid": "grid"}
_COLLECTIVES = frozenset(("reduce", "inclusive_scan", "exclusive_scan", "invoke_one", "invoke_one_broadcast"))


def group_kind(type: Type) -> tuple[str, int] | None:
    """('block' | 'cluster' | 'grid' | 'tile' | 'coalesced', threads a tile) of a cooperative group's type;
    'some' where it may be more than one of them.
    """
    if isinstance(type, Reference):
        type = type.target
    if not isinstance(type, Record):
        return None
    name = type.name
    if "thread_block_tile" in name:
        digits = name[name.index("thread_block_tile") :].partition("<")[2].partition(">")[0].partition(",")[0]
        return ("tile", int(digits)) if digits.strip().isdigit() else ("tile", WARP)
    if "coalesced_group" in name:
        return "coalesced", 0
    if "grid_group" in name:
        return "grid", 0
    if "cluster_group" in name:
        return "cluster", 0
    if "thread_block" in name:
        return "block", 0
    if "thread_group" in name:
        return "some", 0
    return None


def _linear_thread(m: Machine) -> Value:
    return Value(m.state.samples.thread)


def member_call(m: Machine, node: e.Call, barrier: Barrier) -> Result | None:
    """A method of a cooperative group; None when the object is none."""
    if node.receiver is None:
        return None
    kind = group_kind(node.receiver.type)
    if kind is None:
        return None
    return _group_call(m, node, kind, barrier)


def free_call(m: Machine, node: e.Call, barrier: Barrier) -> Result | None:
    """The makers of groups, and functions of a group: `cg::sync(group)`, `cg::reduce(tile, value, how)`."""
    if node.name == "coalesced_threads":
        return _coalesced(m)
    if node.name in _MAKERS:
        return Aggregate({})
    kind = group_kind(node.arguments[0].type) if node.arguments else None
    if kind is None:
        return None
    if node.name in ("sync", "synchronize"):
        return _group_call(m, node, kind, barrier)
    if node.name in _COLLECTIVES and _of_a_warp(kind):
        return _collective(m, node)
    return None


def _of_a_warp(kind: tuple[str, int]) -> bool:
    return kind[0] == "coalesced" or (kind[0] == "tile" and kind[1] <= WARP)


def _collective(m: Machine, node: e.Call) -> Result | None:
    """What the threads of one warp work out together; a reduction gives all of them one number."""
    if not all(isinstance(argument.type, Scalar) for argument in node.arguments[1:2]):
        return None  # a functor that changes what it captures, or a record
    for argument in node.arguments[1:]:
        evaluate(m, argument)
    m.events.warp_barrier(m.state.mask)
    return lanes.unknown(f"result of {node.name}")


def _group_call(m: Machine, node: e.Call, kind: tuple[str, int], barrier: Barrier) -> Result | None:
    what, width = kind
    samples = m.state.samples
    match node.name:
        case "barrier_arrive":  # what is ordered is ordered at the wait
            return Aggregate({})
        case "sync" | "synchronize" | "barrier_wait" if what in _SCOPES:
            return barrier(m, node, _SCOPES[what])
        case "sync" | "synchronize" if _of_a_warp(kind):
            m.events.warp_barrier(m.state.mask)
            m.fence()
            return Value(0)
        case "sync" | "synchronize" | "barrier_wait":  # it may be the block
            m.events.maybe_barrier()
            m.fence()
            return Value(0)
        case "thread_rank" | "size" | "num_threads" if what == "some":
            return lanes.unknown("group whose threads are not known")
        case "thread_rank" | "size" | "num_threads" | "cudalint_members" | "cudalint_lane" if (
            what == "coalesced"
        ):
            return _of_members(m, node)
        case "thread_rank":
            return _rank(m, what, width)
        case "size" | "num_threads":
            if what == "tile":
                return Value(width)
            return Value(samples.threads * (_grid_blocks(m) if what == "grid" else 1))
        case "meta_group_rank" if what == "tile":
            return lanes.binary("/", _linear_thread(m), Value(width), INT)
        case "meta_group_size" if what == "tile":
            return Value(-(-samples.threads // width))
        case "group_index" if what == "block":
            return _triple(m, "blockIdx")
        case "thread_index" if what == "block":
            return _triple(m, "threadIdx")
        case "group_dim" | "dim_threads" if what == "block":
            return _triple(m, "blockDim")
        case "block_rank" if what == "grid":
            return _block_rank(m)
    return None


def _coalesced(m: Machine) -> Aggregate:
    """The group of the lanes of each warp that are active, by the bits of their numbers. Where nobody knows
    which are, it is all that may be.
    """
    active = m.state.mask.reshape(-1, WARP)
    bits = (active.astype(np.int64) << np.arange(WARP)).sum(axis=1)
    free = lanes.CHOSEN | lanes.BY_WARP if m.state.any_doubt else 0
    return Aggregate({0: Value(np.repeat(bits, WARP), True, free)})


def _of_members(m: Machine, node: e.Call) -> Result:
    """What a coalesced group says of its members: how many they are, the calling one's rank, their bits, and
    the lane of the one with a rank, or the calling lane where there is none.
    """
    operands = [number(m, argument) for argument in node.arguments]
    group = evaluate(m, node.receiver) if node.receiver is not None else Aggregate({})
    held = group.parts.get(0) if isinstance(group, Aggregate) else None
    if held is None or held.known is not True:
        return lanes.unknown("members of a coalesced group")
    bits = np.broadcast_to(np.asarray(held.data, dtype=np.int64), m.state.mask.shape)
    lane = np.arange(bits.size) % WARP
    members = (bits[:, None] >> np.arange(WARP)) & 1
    ranks = np.cumsum(members, axis=1) - members
    if node.name == "cudalint_members":
        return held
    if node.name != "cudalint_lane":
        data = ranks[np.arange(bits.size), lane] if node.name == "thread_rank" else members.sum(axis=1)
        return Value(data, True, held.free)
    (rank,) = operands
    if rank.known is not True:
        return lanes.unknown(rank.why)
    named = (members == 1) & (ranks == np.broadcast_to(np.asarray(rank.data), bits.shape)[:, None])
    return Value(np.where(named.any(axis=1), named.argmax(axis=1), lane), True, held.free | rank.free)


def _grid_blocks(m: Machine) -> int:
    x, y, z = m.state.samples.grid
    return x * y * z


def _block_rank(m: Machine) -> Value:
    b = m.state.samples.builtins
    gx, gy, _ = m.state.samples.grid
    plane = lanes.binary("*", b["blockIdx", "z"], Value(gy), INT)
    row = lanes.binary("*", lanes.binary("+", plane, b["blockIdx", "y"], INT), Value(gx), INT)
    return lanes.binary("+", row, b["blockIdx", "x"], INT)


def _rank(m: Machine, what: str, width: int) -> Value | None:
    if what == "block":
        return _linear_thread(m)
    if what == "tile":
        return lanes.binary("%", _linear_thread(m), Value(width), INT)
    if what == "grid":
        base = lanes.binary("*", _block_rank(m), Value(m.state.samples.threads), INT)
        return lanes.binary("+", base, _linear_thread(m), INT)
    return None


def _triple(m: Machine, name: str) -> Aggregate:
    b = m.state.samples.builtins
    return Aggregate({0: b[name, "x"], 4: b[name, "y"], 8: b[name, "z"]})
