"""Cooperative groups in a symbolic run: ranks, sizes and barriers."""

from cudalint.ir import expressions as e
from cudalint.ir.types import LONG, Array
from cudalint.prove.arithmetic import binary
from cudalint.prove.evaluate import evaluate
from cudalint.prove.machine import Machine
from cudalint.prove.values import Aggregate, Number, Value, number
from cudalint.simt.interpret.library.groups import group_kind

_MAKERS = frozenset(
    """
    this_thread_block this_grid this_cluster tiled_partition coalesced_threads binary_partition
    labeled_partition
    """.split()
)


def group_call(m: Machine, node: e.Call) -> Value | None:
    """A method of a group, `sync(group)` or the maker of one; None for any other call."""
    if node.receiver is not None:
        kind = group_kind(node.receiver.type)
        return _method(m, node, node.name, kind) if kind is not None else None
    if node.name in _MAKERS:
        return Aggregate({})
    if node.name in ("sync", "synchronize") and node.arguments:
        kind = group_kind(node.arguments[0].type)
        return _method(m, node, "sync", kind) if kind is not None else None
    return None


def _method(m: Machine, node: e.Call, name: str, kind: tuple[str, int]) -> Value | None:
    what, width = kind
    match name:
        case "sync" | "barrier_wait" if what in ("block", "cluster", "grid"):
            m.barrier(node.span, "grid" if what == "grid" else "block")
            return number(0)
        case "sync" | "barrier_arrive" | "barrier_wait":
            if what == "some" and m.path is not None:
                maybe = m.doubt("barrier of an unknown group", "b")
                m.barrier(node.span, path=(*m.path, maybe), checked=False)
            else:
                warp_barrier(m, node, full=width == 32)
            return number(0)
        case "thread_rank" if what == "block":
            return _rank(m)
        case "thread_rank" if what == "tile":
            return binary("%", _rank(m), number(width), LONG)
        case "thread_rank" if what == "grid":
            return binary("+", _product(m, _block_rank(m), _threads(m)), _rank(m), LONG)
        case "size" | "num_threads" if what in ("block", "grid", "tile"):
            return number(width) if what == "tile" else _size(m, what)
        case "meta_group_rank" if what == "tile":
            return binary("/", _rank(m), number(width), LONG)
        case "group_index" | "thread_index" | "group_dim" | "dim_threads" if what == "block":
            names = {"group_index": "blockIdx", "thread_index": "threadIdx"}
            base = names.get(name, "blockDim")
            return Aggregate(
                {at: m.extents[f"{base}.{axis}"] for at, axis in zip((0, 4, 8), "xyz", strict=True)}
            )
        case "block_rank" if what == "grid":
            return _block_rank(m)
    for argument in node.arguments:
        if not isinstance(argument.type, Array):
            evaluate(m, argument)
    return m.unknown_value(f"result of {node.name}", node.type)


def warp_barrier(m: Machine, node: e.Call, full: bool) -> None:
    """A warp barrier; in a loop of a single thread, or of some lanes only, it may not order accesses."""
    if m.path is not None:
        doubt = () if full and not m.alone else (m.doubt("warp barrier of some lanes or in a loop"),)
        m.barrier(node.span, "warp", path=(*m.path, *doubt), checked=False)


def _product(m: Machine, left: Number, right: Number) -> Number:
    return binary("*", left, right, LONG)


def _linear(m: Machine, index: str, extent: str) -> Number:
    """The number of a thread or block, x fastest."""
    plane = _product(m, m.extents[f"{index}.z"], m.extents[f"{extent}.y"])
    row = _product(m, binary("+", plane, m.extents[f"{index}.y"], LONG), m.extents[f"{extent}.x"])
    return binary("+", row, m.extents[f"{index}.x"], LONG)


def _rank(m: Machine) -> Number:
    return _linear(m, "threadIdx", "blockDim")


def _block_rank(m: Machine) -> Number:
    return _linear(m, "blockIdx", "gridDim")


def _threads(m: Machine) -> Number:
    flat = _product(m, m.extents["blockDim.x"], m.extents["blockDim.y"])
    return _product(m, flat, m.extents["blockDim.z"])


def _size(m: Machine, what: str) -> Number:
    if what == "block":
        return _threads(m)
    flat = _product(m, m.extents["gridDim.x"], m.extents["gridDim.y"])
    return _product(m, _product(m, flat, m.extents["gridDim.z"]), _threads(m))
