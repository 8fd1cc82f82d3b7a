"""Cooperative groups and other member calls the model knows: ranks, sizes and synchronisation."""

from collections.abc import Callable

from cudalint.ir import expressions as e
from cudalint.ir.types import INT, Record, Type
from cudalint.simt import lanes
from cudalint.simt.lanes import Value
from cudalint.simt.machine import Machine
from cudalint.simt.state import Aggregate, Result
from cudalint.simt.worlds import WARP

Barrier = Callable[[Machine, e.Call], Result]

_BLOCK_MAKERS = frozenset(
    ("this_thread_block", "this_grid", "tiled_partition", "coalesced_threads", "this_cluster")
)


def group_kind(type: Type) -> tuple[str, int] | None:
    """('block' | 'grid' | 'tile', threads a tile) of a cooperative group's type."""
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
    if "thread_block" in name:
        return "block", 0
    if "thread_group" in name:
        return "some", 0
    return None


def _linear_thread(m: Machine) -> Value:
    return Value(m.state.worlds.thread)


def member_call(m: Machine, node: e.Call, barrier: Barrier) -> Result | None:
    """A method of a cooperative group; None when the object is none."""
    if node.receiver is None:
        return None
    kind = group_kind(node.receiver.type)
    if kind is None:
        return None
    return _group_call(m, node, kind, barrier)


def free_call(m: Machine, node: e.Call, barrier: Barrier) -> Result | None:
    """`cg::sync(group)` and the makers of groups."""
    if node.name in _BLOCK_MAKERS:
        return Aggregate({})
    if node.name in ("sync", "synchronize") and node.arguments:
        kind = group_kind(node.arguments[0].type)
        if kind is not None:
            return _group_call(
                m, e.Call(None, "sync", "sync", (), node.arguments[0], node.type, node.span), kind, barrier
            )
    return None


def _group_call(m: Machine, node: e.Call, kind: tuple[str, int], barrier: Barrier) -> Result | None:
    what, width = kind
    worlds = m.state.worlds
    match node.name:
        case "sync" | "barrier_wait" if what in ("block", "grid"):
            return barrier(m, e.Call(None, "sync", "sync", (), None, node.type, node.span))
        case "sync" | "barrier_arrive" | "barrier_wait":
            if what == "some":  # of a group whose threads are not known: it may be the block
                m.hazards.maybe_barrier()
                m.fence()
            return Value(0)
        case "thread_rank" | "size" | "num_threads" if what == "some":
            return lanes.unknown("group whose threads are not known")
        case "thread_rank":
            return _rank(m, what, width)
        case "size" | "num_threads":
            if what == "tile":
                return Value(width)
            return (
                Value(worlds.threads * (_grid_blocks(m) if what == "grid" else 1))
                if what != "coalesced"
                else None
            )
        case "meta_group_rank" if what == "tile":
            return lanes.binary("/", _linear_thread(m), Value(width), INT)
        case "meta_group_size" if what == "tile":
            return Value(-(-worlds.threads // width))
        case "group_index" if what == "block":
            return _triple(m, "blockIdx")
        case "thread_index" if what == "block":
            return _triple(m, "threadIdx")
        case "group_dim" | "dim_threads" if what == "block":
            return _triple(m, "blockDim")
        case "block_rank" if what == "grid":
            return _block_rank(m)
    return None


def _grid_blocks(m: Machine) -> int:
    x, y, z = m.state.worlds.grid
    return x * y * z


def _block_rank(m: Machine) -> Value:
    b = m.state.worlds.builtins
    gx, gy, _ = m.state.worlds.grid
    plane = lanes.binary("*", b["blockIdx", "z"], Value(gy), INT)
    row = lanes.binary("*", lanes.binary("+", plane, b["blockIdx", "y"], INT), Value(gx), INT)
    return lanes.binary("+", row, b["blockIdx", "x"], INT)


def _rank(m: Machine, what: str, width: int) -> Value | None:
    if what == "block":
        return _linear_thread(m)
    if what == "tile":
        return lanes.binary("%", _linear_thread(m), Value(width), INT)
    if what == "grid":
        base = lanes.binary("*", _block_rank(m), Value(m.state.worlds.threads), INT)
        return lanes.binary("+", base, _linear_thread(m), INT)
    return None


def _triple(m: Machine, name: str) -> Aggregate:
    b = m.state.worlds.builtins
    return Aggregate({0: b[name, "x"], 4: b[name, "y"], 8: b[name, "z"]})
