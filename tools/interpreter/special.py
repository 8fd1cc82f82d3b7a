"""Warp matrices, pipelines of one thread, small floats, random numbers: what they do to memory.

The numbers are made up, for they decide nothing in most kernels. They differ between threads, so that two
threads that write one place do not seem to agree.
"""

import re
from typing import Any

from cudalint.ir import expressions as e
from cudalint.ir import types as t
from tools.interpreter.layout import code
from tools.interpreter.memory import OFFSET, PRIVATE, Memory, fitted
from tools.interpreter.writer import Writer

_PIPELINE = ("producer_acquire", "producer_commit", "consumer_wait", "consumer_release", "quit")
_QUIET = ("mma_sync", "fill_fragment", "curand_init", "skipahead")
_WAITS = ("pipeline_consumer_wait_prior", "__pipeline_commit", "__pipeline_wait_prior")
_SMALL = ("__half", "__half2", "__nv_bfloat16", "__nv_bfloat162")
_WARP = 32


def known(x: Writer, node: e.Call) -> str | None:
    """A call of one of them; None for anything else."""
    receiver = node.receiver.type if node.receiver is not None else None
    if isinstance(receiver, t.Record):
        if receiver.name == "cuda::pipeline<cuda::thread_scope_thread>" and node.name in _PIPELINE:
            return "0"
        return "float(T.rank)" if _small(receiver) and node.name.startswith("operator ") else None
    if node.name in ("load_matrix_sync", "store_matrix_sync"):
        return _matrix(x, node)
    if node.name in _QUIET or node.name in _WAITS:
        return "0"
    if node.name == "make_pipeline" and not node.arguments:
        return repr(bytes(node.type.bytes))
    if node.name in ("memcpy_async", "__pipeline_memcpy_async") and len(node.arguments) >= 3:
        return _copied(x, node)
    if node.name.startswith("curand") and isinstance(node.type, t.Scalar):
        return "(T.rank % 7 + 1) / 8" if node.type.kind == "float" else "T.rank"
    return _small_call(x, node)


def construct(x: Writer, node: e.Construct) -> str | None:
    """A small float made of a number."""
    if _small(node.type) and node.arguments:
        return _numbered(x, node)
    return None


def _small(kind: t.Type) -> bool:
    return isinstance(kind, t.Record) and kind.name in _SMALL


def _small_call(x: Writer, node: e.Call) -> str | None:
    if _small(node.type):
        return _numbered(x, node)
    if any(_small(a.type) for a in node.arguments) and isinstance(node.type, t.Scalar):
        return f"({', '.join([*(x.value(a) for a in node.arguments), 'float(T.rank)'])})[-1]"
    return None


def _numbered(x: Writer, node: e.Call | e.Construct) -> str:
    own = f"T.rank.to_bytes({node.type.bytes}, 'little')"
    return f"({', '.join([*(x.value(a) for a in node.arguments), own])},)[-1]"


def _copied(x: Writer, node: e.Call) -> str:
    to, source, size = (x.value(a) for a in node.arguments[:3])
    if isinstance(node.arguments[2].type, t.Record):
        size = f"int.from_bytes({size}[:8], 'little')"
    sites = [x.program.number(kind, node.span, 4) for kind in ("read", "write")]
    return f"copy_words(T, {to}, {source}, {size}, {sites[0]}, {sites[1]})"


def _matrix(x: Writer, node: e.Call) -> str | None:
    """A tile that the lanes share out element by element; which lane has which is not documented."""
    loads = node.name.startswith("load")
    fragment, pointer = node.arguments[:2] if loads else node.arguments[1::-1]
    element = getattr(pointer.type, "pointee", getattr(pointer.type, "element", None))
    shape = re.match(
        r".*::fragment<[\w:]*?(\w+), (\d+), (\d+), (\d+), (.*)>$", getattr(fragment.type, "name", "")
    )
    if shape is None or element is None or len(node.arguments) < 3:
        return None
    rows, columns = _extent(shape)
    order = x.value(node.arguments[3]) if len(node.arguments) > 3 else str(int("col_major" in shape[5]))
    site = x.program.number("read" if loads else "write", node.span, element.bytes)
    letter = None if loads else code(element)
    places = f"{x.value(pointer)}, {x.value(node.arguments[2])} * {element.bytes}, {element.bytes}"
    return f"share_matrix(T, {places}, {rows}, {columns}, {order}, {letter!r}, {site})"


def _extent(shape: "re.Match[str]") -> tuple[int, int]:
    m, n, k = int(shape[2]), int(shape[3]), int(shape[4])
    return {"matrix_a": (m, k), "matrix_b": (k, n)}.get(shape[1], (m, n))


# --- at run time ---


def runtime(memory: Memory) -> dict[str, Any]:
    """What translated functions call by name."""

    def copy(thread: Any, to: int, source: int, size: int, read: int, write: int) -> int:
        for at in range(0, size, 4):
            word = bytes(memory.reach(source + at, 4)[source + at & OFFSET :][:4])
            memory.reach(to + at, 4)[to + at & OFFSET : (to + at & OFFSET) + 4] = word
            if source >> 32 < PRIVATE:
                thread.log.append((read, source + at, None))
            if to >> 32 < PRIVATE:
                thread.log.append((write, to + at, word))
        return 0

    def share(
        thread: Any, start: int, pitch: int, size: int, rows: int, columns: int, by_column: int,
        letter: str | None, site: int,
    ) -> int:  # fmt: skip
        if by_column:
            rows, columns = columns, rows
        for number in range(thread.rank % _WARP, rows * columns, _WARP):
            address = start + number // columns * pitch + number % columns * size
            memory.reach(address, size)
            value = None if letter is None else fitted(letter, thread.rank % 128)
            thread.log.append((site, address, value))
        return 0

    return {"copy_words": copy, "share_matrix": share}
