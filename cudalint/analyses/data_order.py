"""Arrays whose numbers a function takes to be in some order: ends of rows, starts of segments, columns.

What shows it is how the numbers are used: `row[v]` and `row[v + 1]` are the ends of rows, `start[c]` of
`start[c] + rank` is where the part of `c` begins.
"""

from collections.abc import Iterator

from msgspec import Struct, field

from cudalint.analyses.definitions import Definitions, definitions
from cudalint.analyses.kernel_queries import reachable, root_of
from cudalint.analyses.once import once
from cudalint.analyses.trip_counts import counter
from cudalint.cuda.spaces import DataOrder
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.types import Scalar
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, find, walk

_EQUALITIES = ("==", "!=")
_OF_THE_BLOCK = ("blockIdx", "gridDim", "blockDim")


class UsedData(Struct, frozen=True):
    """orders: by the text of the array; compared: numbers, and parameters (by identity), that something is
    compared with for equality; written: the variables that stores go through.
    """

    orders: dict[str, DataOrder] = field(default_factory=dict)
    compared: tuple[int, ...] = ()
    parameters: tuple[int, ...] = ()
    written: frozenset[int] = frozenset()


class Element(Struct, frozen=True):
    """`base[index]`, or what is written in another way and means it."""

    base: e.Expression
    index: e.Expression


def element_of(node: Node) -> Element | None:
    """The element of an array that is loaded or stored."""
    match node:
        case e.Index(base=base, index=index):
            return Element(base, index)
        case e.Dereference(pointer=e.Binary(operator="+", left=left, right=right)):
            return Element(left, right)
        case e.Call(
            name="__ldg" | "__ldcg" | "__ldca" | "__ldcs", arguments=(e.AddressOf(operand=operand), *_)
        ):
            return element_of(operand)
        case e.Call(
            name="__ldg" | "__ldcg" | "__ldca" | "__ldcs",
            arguments=(e.Binary(operator="+", left=left, right=right), *_),
        ):
            return Element(left, right)
        case e.Member(base=base):
            return element_of(base)
        case e.Cast(operand=operand):
            return element_of(operand)
    return None


def array_name(node: e.Expression) -> str:
    """The text of an array, by which it is known again in the function."""
    while isinstance(node, e.Cast):
        node = node.operand
    return render(node)


@once
def used_data(unit: Unit, function: Function) -> UsedData:
    """What a kernel and the functions that it calls show of their data."""
    orders: dict[str, DataOrder] = {}
    numbers: list[int] = []
    parameters: list[int] = []
    written: set[int] = set()
    for current in reachable(unit, function):
        if current.body is not None:
            for name, order in _orders(current, definitions(unit, current)):
                orders.setdefault(name, order)
            written |= set(_written(current.body))
            for side in _compared(current.body):
                if isinstance(side, int):
                    numbers.append(side)
                else:
                    parameters.append(side.id)
    own = {variable.id for variable in function.parameters}
    named = tuple(number for number in dict.fromkeys(parameters) if number in own)
    return UsedData(orders, tuple(dict.fromkeys(numbers)), named, frozenset(written))


def _written(body: Node) -> Iterator[int]:
    """The variables that stores and atomics go through."""
    for node in walk(body):
        target: e.Expression | None = node.target if isinstance(node, e.Assign) else None
        if isinstance(node, e.Call) and node.name.startswith("atomic") and node.arguments:
            target = node.arguments[0]
        root = root_of(target) if target is not None else None
        if root is not None:
            yield root.id


def _compared(body: Node) -> Iterator[int | e.Variable]:
    """What something is compared with: numbers and variables."""
    for node in find(body, e.Binary, s.Switch):
        if isinstance(node, e.Binary) and node.operator in _EQUALITIES:
            for side in (node.left, node.right):
                while isinstance(side, e.Cast):
                    side = side.operand
                match side:
                    case e.Literal(value=int(value)):
                        yield int(value)
                    case e.Unary(operator="-", operand=e.Literal(value=int(value))):
                        yield -int(value)
                    case e.VariableReference(variable=variable):
                        yield variable
        elif isinstance(node, s.Switch):
            yield from (int(case.value) for case in node.cases if case.value is not None)


def _orders(function: Function, own: Definitions) -> Iterator[tuple[str, DataOrder]]:
    """The arrays of one function that are in some order, the surest first."""
    nodes = list(walk(function.body)) if function.body is not None else []
    elements = [found for node in nodes if _is_integer(node) and (found := element_of(node)) is not None]
    by_array: dict[str, list[e.Expression]] = {}
    for element in elements:
        by_array.setdefault(array_name(element.base), []).append(element.index)
    ends = {name for name, indices in by_array.items() if _next_to_each_other(indices, own)}
    yield from ((name, "ends") for name in ends)
    ranges = [pair for node in nodes if isinstance(node, s.Loop) for pair in _range(node, own)]
    for first, last in ranges:
        if array_name(first.base) not in ends and _same(first.index, last.index, own):
            ends |= {array_name(first.base), array_name(last.base)}
            yield array_name(first.base), "ends"
            yield array_name(last.base), "next-ends"
    for node in nodes:
        if isinstance(node, s.Loop):
            yield from ((name, "starts") for name in _counted_from(node, own) if name not in ends)
    yield from _added(nodes, own, ends)
    yield from ((name, "own") for name in _roots(nodes, own))


def _roots(nodes: list[Node], own: Definitions) -> Iterator[str]:
    """Arrays whose elements are compared with their index, as parents of a forest are."""
    for node in nodes:
        if isinstance(node, e.Binary) and node.operator in _EQUALITIES:
            for one, other in ((node.left, node.right), (node.right, node.left)):
                element = element_of(own.resolve(one))
                if element is not None and _is_integer(one) and _same(element.index, other, own):
                    yield array_name(element.base)


def _is_integer(node: Node) -> bool:
    kind = getattr(node, "type", None)
    return isinstance(kind, Scalar) and kind.kind in ("signed", "unsigned")


def _text(node: e.Expression, own: Definitions) -> str:
    found = own.resolve(node)
    while isinstance(found, e.Cast):
        found = own.resolve(found.operand)
    return render(found)


def _same(one: e.Expression, other: e.Expression, own: Definitions) -> bool:
    return _text(one, own) == _text(other, own)


def _next_to_each_other(indices: list[e.Expression], own: Definitions) -> bool:
    """Whether some index is one more than another."""
    texts = {_text(index, own) for index in indices}
    for index in indices:
        found = own.resolve(index)
        while isinstance(found, e.Cast):
            found = own.resolve(found.operand)
        if isinstance(found, e.Binary) and found.operator in ("+", "-"):
            pairs = [(found.left, found.right)] + (
                [(found.right, found.left)] if found.operator == "+" else []
            )
            if any(own.constant(by) == 1 and _text(other, own) in texts for other, by in pairs):
                return True
    return False


def _range(node: s.Loop, own: Definitions) -> Iterator[tuple[Element, Element]]:
    """The elements that a loop begins and ends with."""
    condition = node.condition
    if not isinstance(condition, e.Binary) or condition.operator not in ("<", "<=", "!="):
        return
    last = element_of(own.resolve(condition.right))
    counter = condition.left
    while isinstance(counter, e.Cast):
        counter = counter.operand
    if last is None or not isinstance(counter, e.VariableReference):
        return
    for value in own.values.get(counter.variable.id, ()):
        for term in terms(value, own):
            if (first := element_of(term)) is not None:
                yield first, last


def _counted_from(node: s.Loop, own: Definitions) -> Iterator[str]:
    """The arrays whose numbers a loop counts up from: parts of another array, one for each number."""
    found = counter(node)
    variable = found.variable.variable if found is not None else None
    for value in own.values.get(variable.id, ()) if variable is not None else ():
        for term in terms(value, own):
            if (first := element_of(term)) is not None and _is_integer(term):
                yield array_name(first.base)


def _added(nodes: list[Node], own: Definitions, ends: set[str]) -> Iterator[tuple[str, DataOrder]]:
    """Arrays whose numbers are added to something else of the place of an access: the start of a segment, if
    threads do not have a number each, or in a row of the thread's own the column of an entry.
    """
    for node in nodes:
        place = element_of(node)
        parts = list(terms(place.index, own)) if place is not None else []
        for part in parts if len(parts) > 1 else ():
            loaded = element_of(part)
            if loaded is None or array_name(loaded.base) in ends or not _is_integer(part):
                continue
            others = [other for other in parts if other is not part and own.constant(other) is None]
            if not others:
                continue
            if _counts_entries(loaded.index, own, ends):
                if any(axes(other, own) for other in others):
                    yield array_name(loaded.base), "columns"
            elif not axes(loaded.index, own) and any(_tells_threads_apart(other, own) for other in others):
                yield array_name(loaded.base), "starts"
        if place is not None and any(map(_is_row, (*parts, *terms(place.base, own)))):
            others = [part for part in parts if not _is_row(part)]
            yield from ((name, "small") for other in others for name in _loaded_for(other, own) - ends)


def _is_row(term: e.Expression) -> bool:
    """Whether the term is where a row of the thread's or the block's own begins."""
    if not isinstance(term, e.Binary) or term.operator not in ("*", "<<"):
        return False
    parts = list(walk(term))
    if any(isinstance(part, e.Builtin) and part.name == "blockDim" for part in parts):
        return False  # a part of the index of the thread
    return not any(element_of(part) is not None for part in parts)


def _loaded_for(term: e.Expression, own: Definitions) -> set[str]:
    """The arrays behind a term."""
    found = (element_of(part) for part in behind(term, own))
    return {array_name(element.base) for element in found if element is not None}


def _counts_entries(index: e.Expression, own: Definitions, ends: set[str]) -> bool:
    """Whether the index goes through the entries of a row."""
    return any(
        (element := element_of(part)) is not None and array_name(element.base) in ends
        for part in behind(index, own)
    )


def _tells_threads_apart(term: e.Expression, own: Definitions) -> bool:
    """Whether the term is the thread's own: its index, its rank or a ticket."""
    return not _is_of_the_block(term, own)


def _is_of_the_block(node: e.Expression, own: Definitions) -> bool:
    """Whether it is made of nothing but the index of the block, parameters and constants."""
    match own.resolve(node):
        case e.Binary(left=left, right=right):
            return _is_of_the_block(left, own) and _is_of_the_block(right, own)
        case e.Cast(operand=operand):
            return _is_of_the_block(operand, own)
        case e.Member(base=e.Builtin(name=name)) | e.Builtin(name=name):
            return name in _OF_THE_BLOCK
        case e.VariableReference(variable=variable):
            return variable.storage == "parameter"
        case found:
            return isinstance(found, e.Literal)


# --- sums ---


def terms(node: e.Expression, own: Definitions) -> Iterator[e.Expression]:
    """What is added up."""
    match own.resolve(node):
        case e.Binary(operator="+" | "-", left=left, right=right):
            yield from terms(left, own)
            yield from terms(right, own)
        case e.Cast(operand=operand):
            yield from terms(operand, own)
        case term:
            yield term


def axes(term: e.Expression, own: Definitions) -> frozenset[str]:
    """The axes on which it tells threads of a block apart; none where data is in it."""
    parts = list(behind(term, own))
    if any(isinstance(part, e.Index | e.Dereference | e.Call) for part in parts):
        return frozenset()
    return frozenset(p.axis for p in parts if isinstance(p, e.Builtin) and p.name == "threadIdx")


def behind(node: e.Expression, own: Definitions) -> Iterator[Node]:
    """Every part, and those of what variables in it are set to."""
    return _behind(node, own, set())


def _behind(node: e.Expression, own: Definitions, seen: set[int]) -> Iterator[Node]:
    for part in walk(node):
        yield part
        if isinstance(part, e.VariableReference) and part.variable.id not in seen:
            seen.add(part.variable.id)
            for value in own.values.get(part.variable.id, ()):
                yield from _behind(value, own, seen)
