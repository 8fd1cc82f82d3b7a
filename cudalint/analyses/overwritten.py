"""Which of its arrays a kernel writes element by element, one a thread, and never reads."""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.analyses.definitions import Definitions, definitions
from cudalint.analyses.grid_stride import steps_by_grid
from cudalint.analyses.idle_blocks import guards
from cudalint.analyses.once import once
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find, walk

_LEAVES = (s.Return, s.Break, s.Continue)


class Overwritten(Struct, frozen=True):
    """A pointer parameter, by its position, that every thread stores one element of its own through. bounds:
    the positions of the parameters whose product is the number of elements.
    """

    position: int
    element: int  # bytes
    bounds: tuple[int, ...]


@once
def overwritten(unit: Unit, kernel: Function) -> tuple[Overwritten, ...]:
    """The arrays of which the kernel stores all elements that its guard lets threads come to."""
    own = definitions(unit, kernel)
    places = {p.id: i for i, p in enumerate(kernel.parameters)}
    starts = _starts(kernel, own)
    bounds = _bounds(kernel, own, places, bool(starts))
    found = []
    for stored in _stores(kernel):
        position = _parameter(stored.base, own, places)
        variable = kernel.parameters[position] if position is not None else None
        if position is None or variable is None or _uses(kernel, variable) != 1:
            continue
        sizes = _elements(starts.get(_variable(stored.index), stored.index), bounds, own, places)
        if sizes is not None and isinstance(variable.type, t.Pointer):
            found.append(Overwritten(position, variable.type.pointee.bytes, sizes))
    return tuple(found)


def _uses(kernel: Function, variable: e.Variable) -> int:
    nodes = walk(kernel.body) if kernel.body is not None else ()
    return sum(isinstance(n, e.VariableReference) and n.variable == variable for n in nodes)


def _stores(kernel: Function) -> Iterator[e.Index]:
    """Elements that a thread stores on its one way through the kernel, past the guards at its start."""
    inside = {id(guard.node) for guard in guards(kernel)}
    for statement in _straight(kernel.body, inside):
        if find(statement, *_LEAVES):
            return  # some threads may not come further
        match statement:
            case s.Evaluate(expression=e.Assign(target=e.Index() as target, operator=None)):
                yield target


def _straight(body: s.Statement | None, inside: set[int]) -> Iterator[s.Statement]:
    """The statements of a body and of the arm of a guard, without the guards themselves. inside: the guards'
    comparisons, by identity.
    """
    for statement in body.body if isinstance(body, s.Block) else (body,) if body is not None else ():
        condition = statement.condition if isinstance(statement, s.If | s.Loop) else None
        if condition is None or not any(id(p) in inside for p in walk(condition)):
            yield statement
        elif isinstance(statement, s.Loop):
            yield from _straight(statement.body, set())
        elif isinstance(statement, s.If) and not find(statement.then, *_LEAVES):
            yield from _straight(statement.then, set())


def _starts(kernel: Function, own: Definitions) -> dict[int, e.Expression]:
    """Where the counter of a loop over the whole grid begins, by the counter."""
    found: dict[int, e.Expression] = {}
    for statement in kernel.body.body if kernel.body is not None else ():
        if isinstance(statement, s.Loop) and statement.initial is not None and steps_by_grid(statement, own):
            for node in find(statement.initial, s.Declare):
                if node.initial is not None:
                    found[node.variable.id] = node.initial
    return found


def _variable(node: e.Expression) -> int:
    while isinstance(node, e.Cast):
        node = node.operand
    return node.variable.id if isinstance(node, e.VariableReference) else -1


def _bounds(
    kernel: Function, own: Definitions, places: dict[int, int], strides: bool
) -> dict[str, int] | None:
    """For each axis the parameter that the thread's number is kept below; None where a guard says more."""
    found: dict[str, int] = {}
    said: dict[int, bool] = {}
    for guard in guards(kernel):
        axis, bound = _axis(guard.index, own), _parameter(guard.bound, own, places)
        fits = (
            axis is not None and bound is not None and guard.operator == ">=" and (strides or not guard.loop)
        )
        said[id(guard.node)] = said.get(id(guard.node), False) or fits
        if fits and axis is not None and bound is not None:
            found[axis] = bound
    return found if said and all(said.values()) else None


def _parameter(node: e.Expression, own: Definitions, places: dict[int, int]) -> int | None:
    """The position of the parameter that an expression stands for."""
    found = own.resolve(node)
    while isinstance(found, e.Cast):
        found = found.operand
    return places.get(found.variable.id) if isinstance(found, e.VariableReference) else None


def _elements(
    index: e.Expression, bounds: dict[str, int] | None, own: Definitions, places: dict[int, int]
) -> tuple[int, ...] | None:
    """The parameters whose product is the number of elements that `x`, or `y * width + x`, goes through."""
    if bounds is None:
        return None
    if tuple(bounds) == ("x",):
        return (bounds["x"],) if _axis(index, own) == "x" else None
    sum_ = own.resolve(index)
    if not isinstance(sum_, e.Binary) or sum_.operator != "+" or sorted(bounds) != ["x", "y"]:
        return None
    for row, column in ((sum_.left, sum_.right), (sum_.right, sum_.left)):
        product = own.resolve(row)
        if _axis(column, own) != "x" or not isinstance(product, e.Binary) or product.operator != "*":
            continue
        for y, width in ((product.left, product.right), (product.right, product.left)):
            if _axis(y, own) == "y" and _parameter(width, own, places) == bounds["x"]:
                return bounds["x"], bounds["y"]
    return None


def _axis(node: e.Expression, own: Definitions) -> str | None:
    """The axis of a thread's number in the grid: `blockIdx.y * blockDim.y + threadIdx.y` is one of y."""
    found = own.resolve(node)
    if not isinstance(found, e.Binary) or found.operator != "+":
        return None
    for thread, start in ((found.left, found.right), (found.right, found.left)):
        one, other = own.resolve(thread), own.resolve(start)
        if not isinstance(one, e.Builtin) or one.name != "threadIdx" or not isinstance(other, e.Binary):
            continue
        parts = [own.resolve(part) for part in (other.left, other.right)]
        names = sorted((p.name, p.axis) for p in parts if isinstance(p, e.Builtin))
        if other.operator == "*" and names == [("blockDim", one.axis), ("blockIdx", one.axis)]:
            return one.axis
    return None
