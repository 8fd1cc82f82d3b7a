"""From which block on a guard at the start of a kernel lets no thread do anything, for known numbers."""

from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from cudalint.analyses.definitions import Definitions, definitions
from cudalint.analyses.kernel_queries import is_memory
from cudalint.analyses.thread_numbers import Extents, Known, ThreadNumbers, on_axis
from cudalint.analyses.whole_numbers import calculated
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find, walk

_SKIPS: dict[str, Callable[[int, int], bool]] = {
    ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
}
_NOT = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


class Guard(Struct, frozen=True):
    """A comparison that keeps a thread from doing anything where it holds. loop: as the condition of a loop,
    whose first iteration it lets no thread come to.
    """

    node: e.Binary
    operator: str
    index: e.Expression
    bound: e.Expression
    loop: bool = False


def guards(kernel: Function) -> Iterator[Guard]:
    """The comparisons at the kernel's start, before anything is loaded, stored or waited for."""
    body = kernel.body.body if kernel.body is not None else ()
    for at, statement in enumerate(body):
        match statement:
            case s.Declare() | s.Evaluate() if not _acts(statement):
                continue
            case s.If(condition=condition, then=then, otherwise=None) if _leaves(then):
                yield from _compared(condition, "||", negated=False)
            case s.If(condition=condition, otherwise=None) if all(
                isinstance(rest, s.Return) for rest in body[at + 1 :]
            ):
                yield from _compared(condition, "&&", negated=True)
                return
            case s.Loop(kind="for", initial=initial, condition=condition) if condition is not None and all(
                isinstance(rest, s.Return) for rest in body[at + 1 :]
            ):
                starts = _starts(initial)
                for guard in _compared(condition, "&&", negated=True):
                    start = starts.get(_variable(guard.index))
                    if start is not None:
                        yield replace(guard, index=start, loop=True)
                return
            case _:
                return


def idle_from(
    unit: Unit, kernel: Function, guard: Guard, axis: int, grid: Extents, block: Extents, known: Known
) -> int | None:
    """The first block on the axis in which no thread passes the guard; None where there is none, or nobody
    knows. A thread's number is taken to grow with its block's.
    """
    own = definitions(unit, kernel)
    bound = _first_thread(own, known, grid, block, 0, axis).of(guard.bound)
    if bound is None or not _asks_for_block(guard.index, own, axis) or _asks_for_place(guard.bound, own):
        return None

    def idle(number: int) -> bool | None:
        value = _first_thread(own, known, grid, block, number, axis).of(guard.index)
        return None if value is None else _SKIPS[guard.operator](value, bound)

    if guard.operator in ("<", "<=") or idle(grid[axis] - 1) is not True or idle(0) is not False:
        return None
    low, high = 0, grid[axis] - 1  # runs, idle
    while high - low > 1:
        middle = (low + high) // 2
        state = idle(middle)
        if state is None:
            return None
        low, high = (low, middle) if state else (middle, high)
    return high


def _first_thread(
    own: Definitions, known: Known, grid: Extents, block: Extents, number: int, axis: int
) -> ThreadNumbers:
    """The first thread of a block on an axis."""
    first = (0, 0, 0)
    return ThreadNumbers(own, known, grid, block, first, on_axis(first, axis, number), _combined)


def _combined(operator: str, a: int, b: int) -> int | None:
    """None also for quotients of negative numbers: they may be unsigned ones."""
    if operator in ("/", "%") and (a < 0 or b <= 0):
        return None
    return calculated(operator, a, b)


def _compared(condition: e.Expression, joined: str, negated: bool) -> Iterator[Guard]:
    """The comparisons of a condition of which one is enough for a thread to be kept out."""
    match condition:
        case e.Cast(operand=operand):
            yield from _compared(operand, joined, negated)
        case e.Unary(operator="!", operand=operand):
            yield from _compared(operand, "&&" if joined == "||" else "||", not negated)
        case e.Binary(operator=operator, left=left, right=right) if operator == joined:
            yield from _compared(left, joined, negated)
            yield from _compared(right, joined, negated)
        case e.Binary(operator=operator, left=left, right=right) if operator in _NOT:
            holds = _NOT[operator] if negated else operator
            yield Guard(condition, holds, left, right)
            yield Guard(condition, _TURNED[holds], right, left)


def _starts(initial: s.Statement | None) -> dict[int, e.Expression | None]:
    """What the variables of a loop start from, declared there or before it."""
    declared = {node.variable.id: node.initial for node in find(initial, s.Declare)}
    assigned = {_variable(node.target): node.value for node in find(initial, e.Assign) if not node.operator}
    return declared | assigned


def _variable(node: e.Expression) -> int:
    while isinstance(node, e.Cast):
        node = node.operand
    return node.variable.id if isinstance(node, e.VariableReference) else -1


def _leaves(then: s.Statement) -> bool:
    while isinstance(then, s.Block) and len(then.body) == 1:
        then = then.body[0]
    return isinstance(then, s.Return)


def _acts(statement: s.Statement) -> bool:
    """Whether it calls something, or touches memory."""
    return any(
        isinstance(part, e.Unknown)
        or (isinstance(part, e.Call) and part.key is None)
        or (isinstance(part, e.Index | e.Dereference) and is_memory(part))
        for part in walk(statement)
    )


def _asks_for_block(index: e.Expression, own: Definitions, axis: int) -> bool:
    """Whether the index depends on the number of the block on the axis."""
    return any(part.name == "blockIdx" and part.axis == "xyz"[axis] for part in asked(index, own))


def _asks_for_place(bound: e.Expression, own: Definitions) -> bool:
    """Whether the bound is another in other blocks or threads."""
    return any(part.name in ("blockIdx", "threadIdx") for part in asked(bound, own))


def asked(node: e.Expression, own: Definitions) -> Iterator[e.Builtin]:
    """What an expression asks of its thread's place, by itself or by what it is computed from."""
    seen: set[int] = set()
    stack = [node]
    while stack:
        for part in walk(stack.pop()):
            if isinstance(part, e.Builtin):
                yield part
            if isinstance(part, e.VariableReference) and part.variable.id not in seen:
                seen.add(part.variable.id)
                value = own.only(part.variable)
                stack.extend([value] if value is not None else [])
            if isinstance(part, e.Call) and (found := own.resolve(part)) is not part:
                stack.append(found)
