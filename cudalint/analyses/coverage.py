"""What a kernel's code says of the elements that its threads take: one each, by the number of the thread, or
more; and the number that the threads' numbers are compared with.
"""

from collections.abc import Iterator

from cudalint.analyses.condition_kinds import varying
from cudalint.analyses.definitions import Definitions, definitions
from cudalint.analyses.kernel_queries import is_memory, reachable
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find, kept

_COMPARISONS = ("<", "<=", ">", ">=")
_WHOLE_GRID = frozenset(("this_grid", "grid_rank", "num_blocks", "num_threads", "dim_blocks"))


def takes_more(unit: Unit, kernel: Function) -> bool:
    """Whether a thread may take more than one element: the kernel asks how large the grid is, accesses memory
    in a loop, or counts the work with atomics.
    """
    return any(_may_take_more(body) for body in _bodies(unit, kernel))


def _bodies(unit: Unit, kernel: Function) -> Iterator[s.Block]:
    return (function.body for function in reachable(unit, kernel) if function.body is not None)


@kept
def _may_take_more(body: s.Block) -> bool:
    return _asks_for_grid(body, ("atomic",)) or any(map(_repeats, find(body, s.Loop)))


def takes_by_number(unit: Unit, kernel: Function) -> bool:
    """Whether what a thread takes hangs on its number alone: the kernel does not ask how large the grid is,
    and no atomic hands out work. A thread may still take several elements.
    """
    return not any(_takes_otherwise(body) for body in _bodies(unit, kernel))


@kept
def _takes_otherwise(body: s.Block) -> bool:
    return _asks_for_grid(body, ()) or _hands_out(body)


def _hands_out(body: s.Block) -> bool:
    """Whether the result of an atomic is used."""
    alone = {id(node.expression) for node in find(body, s.Evaluate)}
    return any(node.name.startswith("atomic") and id(node) not in alone for node in find(body, e.Call))


def _asks_for_grid(body: s.Block, counts: tuple[str, ...]) -> bool:
    return (
        bool(find(body, e.Unknown, s.Opaque))
        or any(node.name == "gridDim" for node in find(body, e.Builtin))
        or any(node.name in _WHOLE_GRID or node.name.startswith(counts) for node in find(body, e.Call))
    )


def _repeats(loop: s.Loop) -> bool:
    """Whether it stores to memory, or calls what may."""
    return bool(find(loop, e.Call)) or any(is_memory(node.target) for node in find(loop, e.Assign))


def bounds(kernel: Function, once: bool = False) -> Iterator[e.Expression]:
    """What numbers that differ between threads are compared with, in order of size. once: not in a loop."""
    differs = varying(kernel)
    loops = find(kernel.body, s.Loop) if once else ()
    inside = {id(inner) for loop in loops for inner in find(loop, e.Binary)}
    for node in find(kernel.body, e.Binary):
        if node.operator in _COMPARISONS and id(node) not in inside:
            left, right = _varies(node.left, differs), _varies(node.right, differs)
            if left != right:
                yield node.right if left else node.left


def _varies(node: e.Expression, differs: frozenset[int]) -> bool:
    return any(part.name in ("threadIdx", "blockIdx") for part in find(node, e.Builtin)) or any(
        part.variable.id in differs for part in find(node, e.VariableReference)
    )


def is_conditional(unit: Unit, kernel: Function) -> bool:
    """Whether anything in the kernel hangs on a condition, or is cut to a range."""
    return any(_hangs(body) for body in _bodies(unit, kernel))


@kept
def _hangs(body: s.Block) -> bool:
    return (
        bool(find(body, s.If, s.Switch, s.Loop, e.Conditional, e.Unknown, s.Opaque))
        or any(node.operator in ("&&", "||", "%", "&") for node in find(body, e.Binary))
        or any(node.name in ("min", "max", "umin", "umax") for node in find(body, e.Call))
    )


def thread_indices(unit: Unit, kernel: Function, threads: int | None) -> Iterator[tuple[e.Index, e.Variable]]:
    """Accesses `parameter[i]` where i is the number of the thread in x, in blocks of so many threads."""
    own = definitions(unit, kernel)
    for node in find(kernel.body, e.Index):
        if not is_thread_number(node.index, own, threads):
            continue
        base = own.resolve(node.base)
        while isinstance(base, e.Cast):
            base = base.operand
        if isinstance(base, e.VariableReference) and base.variable.storage == "parameter":
            yield node, base.variable


def is_thread_number(node: e.Expression, own: Definitions, threads: int | None) -> bool:
    """Whether it is `blockIdx.x * blockDim.x + threadIdx.x`, in any order."""
    found = own.resolve(node)
    if not isinstance(found, e.Binary) or found.operator != "+":
        return False
    for first, second in ((found.left, found.right), (found.right, found.left)):
        if _is_builtin(own.resolve(first), "threadIdx") and _is_start(own.resolve(second), own, threads):
            return True
    return False


def _is_start(node: e.Expression, own: Definitions, threads: int | None) -> bool:
    if not isinstance(node, e.Binary) or node.operator != "*":
        return False
    for first, second in ((node.left, node.right), (node.right, node.left)):
        if _is_builtin(own.resolve(first), "blockIdx"):
            extent = own.resolve(second)
            return _is_builtin(extent, "blockDim") or (
                threads is not None and own.constant(extent) == threads
            )
    return False


def _is_builtin(node: e.Expression, name: str) -> bool:
    return isinstance(node, e.Builtin) and (node.name, node.axis) == (name, "x")
