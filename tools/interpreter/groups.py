"""Cooperative groups. A group's value is its handle: what it is, and the threads of a tile or the lanes."""

import struct
from typing import Any

from cudalint.ir import expressions as e
from cudalint.ir import types as t
from tools.interpreter.memory import OFFSET, Memory
from tools.interpreter.stop import Stop
from tools.interpreter.writer import Writer

BLOCK, GRID, TILE, LANES = 1, 2, 3, 4
_STRANGE = "a group whose threads are not known"
_MAKERS = {"this_thread_block": BLOCK, "this_grid": GRID}
_QUESTIONS = ("thread_rank", "size", "num_threads", "meta_group_rank", "meta_group_size")
_TRIPLES = {"group_index": "b", "thread_index": "", "group_dim": "d", "dim_threads": "d", "dim_blocks": "g"}
_REDUCTIONS = {"plus": "__reduce_add", "less": "__reduce_min", "greater": "__reduce_max"}


def is_group(kind: t.Type) -> bool:
    """Whether it is the type of a cooperative group."""
    words = ("thread_block", "grid_group", "thread_group", "coalesced_group")
    return (
        isinstance(kind, t.Record)
        and "cooperative_groups" in kind.name
        and any(w in kind.name for w in words)
    )


def tile_width(kind: t.Type) -> int:
    """Threads of a tile's type; 0 for other groups."""
    if not isinstance(kind, t.Record) or "thread_block_tile<" not in kind.name:
        return 0
    digits = kind.name.split("thread_block_tile<", 1)[1].split(">")[0].split(",")[0].strip()
    return int(digits) if digits.isdigit() else 0


def handle(what: int, detail: int, size: int) -> bytes:
    """A group's bytes."""
    return struct.pack("<qq", what, detail).ljust(size, b"\0")[: max(size, 16)]


def waits(node: e.Call) -> bool:
    """Whether a thread that calls this stops for others."""
    if node.receiver is not None:
        return is_group(node.receiver.type) and node.name in ("sync", "barrier_wait")
    ours = any(is_group(a.type) for a in node.arguments[:1])
    return (
        ours and node.name in ("sync", "synchronize", "reduce", "wait")
    ) or node.name == "coalesced_threads"


def construct(x: Writer, node: e.Construct) -> str | None:
    """A tile from the result of `tiled_partition`."""
    width = tile_width(node.type)
    return repr(handle(TILE, width, node.type.bytes)) if width else None


def known(x: Writer, node: e.Call) -> str | None:
    """A call on a group; None for anything else."""
    if node.receiver is not None and is_group(node.receiver.type):
        return _method(x, node, node.receiver)
    size = node.type.bytes
    if node.name in _MAKERS:
        return repr(handle(_MAKERS[node.name], 0, size))
    if node.name == "coalesced_threads":
        lanes = f"(yield ('warp', {x.program.meeting(node.span)}, '__activemask', None, ()))"
        return f"group_handle({LANES}, {lanes}, {size})"
    if node.name == "tiled_partition":
        width = tile_width(node.type)
        if not width and len(node.arguments) == 2:
            return f"group_handle({TILE}, {x.value(node.arguments[1])}, {size})"
        return repr(handle(TILE, width or 32, size))
    if not node.arguments or not is_group(node.arguments[0].type):
        return None
    if node.name in ("sync", "synchronize", "wait"):
        return _sync(x, node, node.arguments[0])
    if node.name == "reduce" and len(node.arguments) == 3:
        return _reduce(x, node)
    if node.name == "memcpy_async" and len(node.arguments) == 4:
        return _copied(x, node)
    return None


def _method(x: Writer, node: e.Call, group: e.Expression) -> str | None:
    if node.name in ("sync", "barrier_wait"):
        return _sync(x, node, group)
    if node.name == "is_valid":
        return "True"
    if node.name == "barrier_arrive":
        return repr(bytes(max(1, node.type.bytes)))
    if node.name in _QUESTIONS:
        return f"group_{node.name}(T, {x.value(group)})"
    if node.name in _TRIPLES:
        axes = ", ".join(f"T.{_TRIPLES[node.name]}{axis}" for axis in "xyz")
        return f"triple({axes})"
    return None


def _sync(x: Writer, node: e.Call, group: e.Expression) -> str:
    return f"(yield group_meeting(T, {x.value(group)}, {x.program.meeting(node.span)}))"


def _reduce(x: Writer, node: e.Call) -> str | None:
    group, value, by = node.arguments
    name = by.type.name if isinstance(by.type, t.Record) else ""
    what = next((vote for word, vote in _REDUCTIONS.items() if f"::{word}<" in name), None)
    if what is None:
        return None
    meeting = x.program.meeting(node.span)
    return f"(yield ('warp', {meeting}, {what!r}, group_lanes(T, {x.value(group)}), ({x.value(value)},)))"


def _copied(x: Writer, node: e.Call) -> str:
    group, to, source, size = (x.value(a) for a in node.arguments)
    if isinstance(node.arguments[3].type, t.Record):
        size = f"int.from_bytes({size}[:8], 'little')"
    sites = [x.program.number(kind, node.span, 4) for kind in ("read", "write")]
    return f"group_copy(T, {group}, {to}, {source}, {size}, {sites[0]}, {sites[1]})"


# --- at run time ---


def _read(group: bytes) -> tuple[int, int]:
    what, detail = struct.unpack_from("<qq", group)
    return what, detail


def lanes_of(thread: Any, group: bytes) -> int:
    """The lanes of the thread's warp in its group."""
    what, detail = _read(group)
    if what == LANES:
        return detail
    if what == TILE and 0 < detail <= 32:
        lane = thread.rank % 32
        return ((1 << detail) - 1) << lane // detail * detail
    raise Stop(_STRANGE)


def meeting(thread: Any, group: bytes, place: int) -> tuple[Any, ...]:
    """What a thread waits for in a group's `sync`."""
    if _read(group)[0] in (BLOCK, GRID):
        return ("block", place, "__syncthreads", 0)
    return ("warp", place, "__syncwarp", lanes_of(thread, group), ())


def _threads(thread: Any) -> int:
    return thread.dx * thread.dy * thread.dz


def rank(thread: Any, group: bytes) -> int:
    what, detail = _read(group)
    if what == BLOCK:
        return thread.rank
    if what == GRID:
        block = (thread.bz * thread.gy + thread.by) * thread.gx + thread.bx
        return block * _threads(thread) + thread.rank
    if what == TILE:
        return thread.rank % detail
    return (lanes_of(thread, group) & (1 << thread.rank % 32) - 1).bit_count()


def size(thread: Any, group: bytes) -> int:
    what, detail = _read(group)
    if what in (BLOCK, GRID):
        blocks = thread.gx * thread.gy * thread.gz if what == GRID else 1
        return _threads(thread) * blocks
    return detail if what == TILE else lanes_of(thread, group).bit_count()


def _tile(group: bytes) -> int:
    what, detail = _read(group)
    if what != TILE:
        raise Stop(_STRANGE)
    return detail


def runtime(memory: Memory) -> dict[str, Any]:
    """What translated functions call by name."""

    def copy(thread: Any, group: bytes, to: int, source: int, count: int, read: int, write: int) -> int:
        """Words of 4 bytes, dealt out in turn."""
        for at in range(4 * rank(thread, group), count, 4 * size(thread, group)):
            word = bytes(memory.reach(source + at, 4)[source + at & OFFSET :][:4])
            memory.reach(to + at, 4)[to + at & OFFSET : (to + at & OFFSET) + 4] = word
            thread.log.extend(((read, source + at, None), (write, to + at, word)))
        return 0

    return {
        "group_handle": handle,
        "group_lanes": lanes_of,
        "group_meeting": meeting,
        "group_thread_rank": rank,
        "group_size": size,
        "group_num_threads": size,
        "group_meta_group_rank": lambda thread, group: thread.rank // _tile(group),
        "group_meta_group_size": lambda thread, group: -(-_threads(thread) // _tile(group)),
        "group_copy": copy,
        "triple": lambda x, y, z: struct.pack("<III", x, y, z),
    }
