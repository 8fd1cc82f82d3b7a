"""What the values of private variables are used for: whether at all, and under which conditions."""

from collections.abc import Iterator

from cudalint.analyses.kernel_queries import reachable, root_of
from cudalint.analyses.once import once
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Scalar
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, children, find, kept, walk
from cudalint.source.span import Span

_Arms = tuple[int, ...]  # arms of branches round a node, by identity, outermost first
_NOWHERE = 0  # of a value that goes into more than one private variable


@once
def block_axes(unit: Unit, function: Function) -> frozenset[str]:
    """The axes of blockIdx that something hangs on in the kernel or a function it calls."""
    found = [
        pair
        for current in reachable(unit, function)
        if current.body is not None
        for pair in _owned(current.body)
    ]
    live = _live(found)
    return frozenset(
        node.axis
        for node, owner in found
        if isinstance(node, e.Builtin) and node.name == "blockIdx" and owner in live
    )


@once
def deciders(unit: Unit, function: Function) -> frozenset[int]:
    """The kernel's variables, by identity, that may have a part in whether a thread comes to a place: those
    of conditions, what these are computed from, and what is handed to code of others.
    """
    nodes = list(walk(function.body)) if function.body is not None else []
    into: dict[int, set[int]] = {}
    for node in nodes:
        match node:
            case s.Declare(variable=variable, initial=value) if value is not None:
                into.setdefault(variable.id, set()).update(_read(value))
            case e.Assign(target=target, value=value) if (root := root_of(target)) is not None:
                into.setdefault(root.id, set()).update(_read(value))
    found = {number for node in nodes for part in _deciding(unit, node) for number in _read(part)}
    new = set(found)
    while new:
        new = {used for variable in new for used in into.get(variable, ())} - found
        found |= new
    return frozenset(found)


def _read(node: Node) -> Iterator[int]:
    """Variables in it, by identity."""
    return (part.variable.id for part in find(node, e.VariableReference))


def _deciding(unit: Unit, node: Node) -> tuple[Node, ...]:
    match node:
        case s.If(condition=condition) | e.Conditional(condition=condition):
            return (condition,)
        case s.Loop(condition=condition) if condition is not None:
            return (condition,)
        case s.Switch(subject=subject):
            return (subject,)
        case e.Binary(operator="&&" | "||") | s.Opaque() | e.Unknown() | e.Lambda() | e.Construct():
            return (node,)
        case e.Call(key=key) if key is None or key in unit.functions:
            return (node,)
    return ()


def _live(found: list[tuple[Node, int]]) -> set[int]:
    """The variables whose values end up in more than private variables."""
    into: dict[int, set[int]] = {}
    for node, owner in found:
        if isinstance(node, e.VariableReference):
            into.setdefault(owner, set()).add(node.variable.id)
    live, new = set(), {_NOWHERE}
    while new:
        live |= new
        new = {used for owner in new for used in into.get(owner, ())} - live
    return live


@kept
def _owned(body: s.Block) -> tuple[tuple[Node, int], ...]:
    return tuple(_with_owners(body, _NOWHERE))


def _with_owners(body: Node, owner: int) -> Iterator[tuple[Node, int]]:
    """Every node, and the variable (by identity) that alone takes what it is part of."""
    stack = [(body, owner)]
    while stack:
        node, owner = stack.pop()
        given = _given(node)
        if given is None:
            yield node, owner
            stack.extend((child, owner) for child in children(node))
        else:
            variable, value = given
            stack.append((value, owner if _acts(value) else variable.id))


def _given(node: Node) -> tuple[e.Variable, e.Expression] | None:
    """(a private variable, what it is set to) of a statement that does nothing else."""
    match node:
        case s.Declare(variable=variable, initial=value) if value is not None:
            pass
        case s.Evaluate(expression=e.Assign(target=e.VariableReference(variable=variable), value=value)):
            pass
        case _:
            return None
    private = variable.storage in ("local", "parameter") and isinstance(variable.type, Scalar)
    return (variable, value) if private else None


def _acts(node: e.Expression) -> bool:
    """Whether evaluating it may do more than give a value."""
    return bool(find(node, e.Call, e.Assign, e.Construct, e.Lambda, e.Unknown))


@once
def used_with(unit: Unit, function: Function) -> dict[Span, frozenset[Span]]:
    """By what is loaded into a private variable: the assignments to memory in an arm that all uses of the
    variable are in, too. To threads that do not come there the value is nothing.
    """
    if function.body is None or find(function.body, e.Lambda):
        return {}
    uses: dict[int, _Arms] = {}
    stores: dict[Span, _Arms] = {}
    loads: dict[int, set[Span]] = {}
    for node, arms in _with_arms(function.body, ()):
        match node:
            case e.VariableReference(variable=variable):
                uses[variable.id] = _shared(uses.get(variable.id, arms), arms)
            case e.Assign(target=target) if not isinstance(target, e.VariableReference):
                stores[target.span] = arms
        given = _given(node)
        if given is not None:
            places = (part.span for part in find(given[1], e.Index, e.Dereference))
            loads.setdefault(given[0].id, set()).update(places)
    return {
        load: frozenset(store for store, arms in stores.items() if arms and used[: len(arms)] == arms)
        for variable, spans in loads.items()
        if (used := uses.get(variable, ()))
        for load in spans
    }


def _with_arms(node: Node, arms: _Arms) -> Iterator[tuple[Node, _Arms]]:
    """Every node but the targets of plain assignments to private variables, with the arms round it."""
    yield node, arms
    given = _given(node)
    if isinstance(node, s.If):
        yield from _with_arms(node.condition, arms)
        for arm in (node.then, node.otherwise):
            if arm is not None:
                yield from _with_arms(arm, (*arms, id(arm)))
        return
    for child in (given[1],) if given is not None else children(node):
        yield from _with_arms(child, arms)


def _shared(first: _Arms, second: _Arms) -> _Arms:
    """The arms round both."""
    at = next((at for at, pair in enumerate(zip(first, second, strict=False)) if pair[0] != pair[1]), None)
    return first[: min(len(first), len(second)) if at is None else at]
