"""Reductions and scans of a block by rounds that halve or double a distance, with a barrier in each: which
loops, or which rows of such rounds, combine elements of one array.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from cudalint.analyses.decided import decided
from cudalint.analyses.index_arithmetic import assigned
from cudalint.analyses.kernel_queries import reachable, root_of
from cudalint.analyses.loop_values import expanded, own_values
from cudalint.analyses.once import once
from cudalint.analyses.seen_through import seen_through
from cudalint.analyses.trip_counts import uncast
from cudalint.cuda.effects import WAITING
from cudalint.cuda.indices import tells_threads
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.types import Array, Opaque, Record
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, find, walk
from cudalint.source.span import Span

_SCALING = ("*", "/", "<<", ">>")
_COMPOUND = ("operator+=", "operator*=", "operator|=", "operator&=", "operator^=")
_LEAST_ROUNDS = 3  # that are written out
_WIDEST = 32  # bytes of an element that shuffles pass on in a few instructions


class SharedTree(Struct, frozen=True):
    """Rounds of one reduction or scan. steps: statements that each round executes once: of a loop its body,
    else the barrier of each round; stores: places that combine two elements; barriers: in one round;
    declared: the array is declared in shared memory.
    """

    span: Span
    array: str
    steps: tuple[s.Statement, ...]
    stores: tuple[Span, ...]
    barriers: int
    declared: bool
    loop: s.Loop | None = None


@once
def shared_trees(unit: Unit, function: Function) -> tuple[SharedTree, ...]:
    """Those of a kernel and of what it calls, whatever memory their arrays are in."""
    known = assigned(unit, function)
    found: list[SharedTree] = []
    for current in reachable(unit, function):
        for node in find(current.body, s.Loop, s.Block):
            if isinstance(node, s.Loop):
                found += _in_loop(unit, current, node, known)
            elif isinstance(node, s.Block):
                found += _written_out(unit, node, known)
    return tuple(found)


def _in_loop(
    unit: Unit, function: Function, loop: s.Loop, known: dict[int, tuple[e.Expression, ...]]
) -> Iterator[SharedTree]:
    barriers = _barriers(unit, loop.body)
    distances = _distances(loop)
    if not barriers or not distances or find(loop.body, s.Loop):
        return
    body = seen_through(unit, function, loop).body
    nodes = list(walk(body))
    own = own_values(find(body, s.Declare, e.Assign))
    for (array, _), stores in _stores(nodes).items():
        if len({render(_element(store.target)) for store in stores}) != 1:
            continue
        combined = [store for store in stores if _combines(store, array, distances, own, known)]
        if combined:
            spans = tuple(store.target.span for store in combined)
            yield SharedTree(
                loop.span, _name(stores[0]), (loop.body,), spans, barriers, _declared(stores[0]), loop
            )


def _written_out(
    unit: Unit, block: s.Block, known: dict[int, tuple[e.Expression, ...]]
) -> Iterator[SharedTree]:
    """Rounds one after the other: `if (t < 128) a[t] += a[t + 128]; __syncthreads();`."""
    rounds: dict[int, list[tuple[e.Assign, s.Statement, int]]] = {}
    for first, second in _pairs(unit, block):
        if not _is_barrier(second) or find(first, s.Loop):
            continue
        for (array, _), stores in _stores(list(walk(first))).items():
            for store in stores:
                distance = _fixed_distance(store, array, known)
                if distance is not None:
                    rounds.setdefault(array, []).append((store, second, distance))
    for found in rounds.values():
        distances = [distance for _, _, distance in found]
        if len(set(distances)) >= _LEAST_ROUNDS and len(set(distances)) == len(distances):
            steps = tuple(barrier for _, barrier, _ in found)
            spans = tuple(store.target.span for store, _, _ in found)
            yield SharedTree(found[0][0].span, _name(found[0][0]), steps, spans, 1, _declared(found[0][0]))


def _pairs(unit: Unit, block: s.Block) -> Iterator[tuple[s.Statement, s.Statement]]:
    """Neighbouring statements of a block, and those of the conditions right in it that constants allow."""
    for one in block.body:
        then = one.then if isinstance(one, s.If) and decided(unit, one.condition) is not False else None
        if isinstance(then, s.Block):
            yield from zip(then.body, then.body[1:], strict=False)
    yield from zip(block.body, block.body[1:], strict=False)


# --- what changes by a factor ---


def _distances(loop: s.Loop) -> frozenset[int]:
    """Variables that an iteration multiplies or divides, and those that it shifts by its count."""
    nodes = (*find(loop.body, e.Assign), *find(loop.step, e.Assign))
    scaled = {target.id for node in nodes for target in _scaled(node)}
    counting = {
        node.target.variable.id
        for node in nodes
        if isinstance(node.target, e.VariableReference) and node.operator
    }
    for node in find(loop.body, s.Declare):
        if node.initial is not None:
            shifts = find(node.initial, e.Binary)
            if any(one.operator in ("<<", ">>") and _reads(one.right, counting) for one in shifts):
                scaled.add(node.variable.id)
    return frozenset(scaled)


def _scaled(node: Node) -> Iterator[e.Variable]:
    match node:
        case e.Assign(target=e.VariableReference(variable=variable), operator=operator) if (
            operator in _SCALING
        ):
            yield variable
        case e.Assign(target=e.VariableReference(variable=variable), operator="+", value=value):
            if _reads(value, {variable.id}):  # `s += s`
                yield variable
        case e.Assign(target=e.VariableReference(variable=variable), operator=None, value=value):
            value = uncast(value)
            if (
                isinstance(value, e.Binary)
                and value.operator in _SCALING
                and _reads(value.left, {variable.id})
            ):
                yield variable


# --- what is combined ---


def _stores(nodes: list[Node]) -> dict[tuple[int, str], list[e.Assign]]:
    """Assignments to elements of arrays, by the variable that holds or leads to the array and by its name."""
    found: dict[tuple[int, str], list[e.Assign]] = {}
    for node in nodes:
        store = _of_operator(node) if isinstance(node, e.Call) else node
        if isinstance(store, e.Assign) and _is_element(store.target):
            root = root_of(store.target)
            if root is not None and 0 < store.target.type.bytes <= _WIDEST:
                found.setdefault((root.id, render(_element(store.target).base)), []).append(store)
    return found


def _of_operator(call: e.Call) -> e.Assign | None:
    """What an operator of a class assigns, as `sums[t] += sums[t + d]` of vectors does."""
    operands = call.operands
    if call.name not in _COMPOUND or len(operands) != 2:
        return None
    target, value = operands
    return e.Assign(target, value, call.name.removeprefix("operator")[:-1], target.type, call.span)


def _combines(
    store: e.Assign,
    array: int,
    distances: frozenset[int],
    own: dict[int, list[e.Expression]],
    known: dict[int, tuple[e.Expression, ...]],
) -> bool:
    """Whether an element is made of itself and of another one that the distance leads to."""
    target = _element(store.target)
    value = list(expanded(store.value, own))
    loads = [part for part in value if isinstance(part, e.Index) and _root_id(part) == array]
    apart = [n for n in loads if not isinstance(n.type, Array) and render(n) != render(target)]
    if not apart or _exchanges(target, apart) or any(map(_divides_by_element, value)):
        return False
    indices = [part for one in (target, *apart) for part in expanded(one.index, own)]
    far = any(isinstance(part, e.VariableReference) and part.variable.id in distances for part in indices)
    return far and _by_thread(target.index, known) and not _crosses_rows((target, *apart), distances, own)


def _fixed_distance(store: e.Assign, array: int, known: dict[int, tuple[e.Expression, ...]]) -> int | None:
    """The distance of the two elements, a power of two, where it is written as a number."""
    target = _element(store.target)
    for part in expanded(store.value, {}):
        if isinstance(part, e.Index) and _root_id(part) == array:
            index = uncast(part.index)
            if isinstance(index, e.Binary) and index.operator == "+":
                gap = uncast(index.right)
                if (
                    isinstance(gap, e.Literal)
                    and isinstance(gap.value, int)
                    and gap.value & (gap.value - 1) == 0
                ):
                    same = render(uncast(index.left)) == render(uncast(target.index))
                    if same and _by_thread(target.index, known):
                        return gap.value
    return None


def _exchanges(target: e.Index, loads: Iterable[e.Index]) -> bool:
    """Whether partners are found by exclusive or, as sorting networks and transforms do."""
    parts = (part for one in (target, *loads) for part in walk(one.index))
    return any(isinstance(part, e.Binary) and part.operator == "^" for part in parts)


def _divides_by_element(part: Node) -> bool:
    """Whether elements are divided by each other, as cyclic reductions of equations do: no sum or scan is."""
    return isinstance(part, e.Binary) and part.operator == "/" and bool(find(part.right, e.Index))


def _crosses_rows(
    accesses: Iterable[e.Index], distances: frozenset[int], own: dict[int, list[e.Expression]]
) -> bool:
    """Whether the distance counts rows: lanes of one warp then hold elements of different sums."""
    for access in accesses:
        base = access.base
        while isinstance(base, e.Cast):
            base = base.operand
        if isinstance(base, e.Index) and _reads_any(expanded(base.index, own), distances):
            return True
        for part in expanded(access.index, own):
            if isinstance(part, e.Binary) and part.operator == "*":
                sides = ((part.left, part.right), (part.right, part.left))
                for one, other in sides:
                    if _reads_any(expanded(one, own), distances) and _is_width(other):
                        return True
    return False


def _is_width(node: e.Expression) -> bool:
    """Whether it is the length of a row: a number above 2, or blockDim.x."""
    node = uncast(node)
    if isinstance(node, e.Literal):
        return isinstance(node.value, int) and node.value > 2
    return isinstance(node, e.Builtin) and node.name == "blockDim"


def _by_thread(index: e.Expression, known: dict[int, tuple[e.Expression, ...]]) -> bool:
    """Whether neighbouring threads have neighbouring elements, as far as names tell."""
    seen: set[int] = set()
    stack = [index]
    while stack:
        for part in walk(stack.pop()):
            if isinstance(part, e.Builtin) and part.name == "threadIdx" and part.axis == "x":
                return True
            if isinstance(part, e.Call) and tells_threads(part.name, part.qualified):
                return True
            if isinstance(part, e.VariableReference) and part.variable.id not in seen:
                seen.add(part.variable.id)
                stack.extend(known.get(part.variable.id, ()))
    return False


# --- small questions ---


def _reads(node: e.Expression, variables: Iterable[int]) -> bool:
    return _reads_any(walk(node), variables)


def _reads_any(nodes: Iterable[Node], variables: Iterable[int]) -> bool:
    return any(isinstance(part, e.VariableReference) and part.variable.id in variables for part in nodes)


def _barriers(unit: Unit, body: s.Statement) -> int:
    """Barriers of the block that a statement, or what it calls, waits at."""
    count = 0
    for node in find(body, e.Call):
        called = unit.defined(node.key)
        inner = find(called.body, e.Call) if called is not None else ()
        count += _waits(node) or any(map(_waits, inner))
    return count


def _waits(call: e.Call) -> bool:
    """Whether it is a barrier of more than a warp."""
    kinds = (one.type.name for one in call.operands if isinstance(one.type, Record | Opaque))
    return call.name in WAITING and not any("tile" in name or "coalesced" in name for name in kinds)


def _is_barrier(node: s.Statement) -> bool:
    return isinstance(node, s.Evaluate) and isinstance(node.expression, e.Call) and _waits(node.expression)


def _element(node: e.Expression) -> e.Index:
    """The element that an lvalue is, or is a member of."""
    while isinstance(node, e.Member | e.Cast):
        node = node.base if isinstance(node, e.Member) else node.operand
    assert isinstance(node, e.Index)
    return node


def _is_element(node: e.Expression) -> bool:
    while isinstance(node, e.Member | e.Cast):
        node = node.base if isinstance(node, e.Member) else node.operand
    return isinstance(node, e.Index) and not isinstance(node.type, Array)


def _root_id(node: e.Expression) -> int | None:
    root = root_of(node)
    return root.id if root is not None else None


def _name(store: e.Assign) -> str:
    return render(_element(store.target).base).removeprefix("this->")


def _declared(store: e.Assign) -> bool:
    root = root_of(store.target)
    return root is not None and root.storage == "shared"
