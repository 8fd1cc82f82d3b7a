"""Which comparisons may keep some threads of a block from what the others rely on: a barrier, a write of
shared memory, a call of the warp.
"""

from cudalint.analyses.kernel_queries import is_memory, reachable, root_of
from cudalint.analyses.once import once
from cudalint.cuda import effects
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Pointer, Scalar
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, find, walk


@once
def cooperates(unit: Unit, function: Function) -> bool:
    """Whether threads of a block wait for each other, use shared memory or exchange values in a warp."""
    return any(
        _is_collective(node) or (isinstance(node, e.VariableReference) and node.variable.storage == "shared")
        for called in reachable(unit, function)
        for node in (walk(called.body) if called.body is not None else ())
    )


@once
def idle_guards(unit: Unit, function: Function) -> frozenset[int]:
    """The parts, by identity, of conditions that only decide on what a thread does for itself: reads, private
    variables, stores through pointers that the kernel is given.
    """
    found: set[int] = set()
    for called in reachable(unit, function):
        own = frozenset(p.id for p in function.parameters) if called is function else frozenset[int]()
        for node in walk(called.body) if called.body is not None else ():
            match node:
                case s.If(condition=condition, then=then, otherwise=otherwise):
                    arms: tuple[Node | None, ...] = (then, otherwise)
                case e.Conditional(condition=condition, then=then, otherwise=otherwise):
                    arms = (then, otherwise)
                case s.Loop(condition=condition, body=body) if condition is not None:
                    arms = (body,)
                case _:
                    continue
            if not any(_concerns_others(unit, part, own) for arm in arms if arm for part in walk(arm)):
                found |= {id(part) for part in walk(condition)}
    return frozenset(found - size_choices(unit, function))


@once
def size_choices(unit: Unit, function: Function) -> frozenset[int]:
    """The parts, by identity, of conditions that choose between two integers, or set one, as in
    `n - start < 256 ? n - start : 256`.
    """
    found: set[int] = set()
    for called in reachable(unit, function):
        for node in walk(called.body) if called.body is not None else ():
            match node:
                case e.Conditional(condition=condition, then=then, otherwise=otherwise):
                    chosen = _is_size(then) and _is_size(otherwise)
                case s.If(condition=condition, then=then, otherwise=None):
                    chosen = _sets_size(then)
                case _:
                    continue
            if chosen:
                found |= {id(part) for part in walk(condition)}
    return frozenset(found)


def _sets_size(node: s.Statement) -> bool:
    match node:
        case s.Block(body=(inner,)):
            return _sets_size(inner)
        case s.Evaluate(expression=e.Assign(target=e.VariableReference(), value=value, operator=None)):
            return _is_size(value)
    return False


def _is_size(node: e.Expression) -> bool:
    """Whether it is an integer that no memory is read for."""
    kind = node.type
    if not isinstance(kind, Scalar) or kind.kind not in ("signed", "unsigned"):
        return False
    return not any(is_memory(part) for part in find(node, e.Index, e.Dereference))


def _concerns_others(unit: Unit, node: Node, own: frozenset[int]) -> bool:
    """own: the kernel's parameters; what they point to is no shared memory."""
    match node:
        case s.Return() | s.Break() | s.Continue() | s.Opaque():
            return True
        case e.Assign(target=target):
            return _may_be_shared(target, own)
        case e.Call(name=name, arguments=(place, *_)) if name.startswith(effects.ATOMIC_PREFIXES):
            return _may_be_shared(place, own)
        case e.Call() | e.Construct():
            return _is_collective(node) or not _is_private(unit, node)
    return False


def _may_be_shared(place: e.Expression, own: frozenset[int]) -> bool:
    root = root_of(place)
    if root is None or root.storage == "shared":
        return True
    return (
        isinstance(root.type, Pointer) and root.id not in own and not isinstance(place, e.VariableReference)
    )


def _is_collective(node: Node) -> bool:
    """Whether it is a call that several threads make together."""
    return isinstance(node, e.Call) and (
        node.name in effects.WAITING
        or node.name in effects.WARP_BARRIERS
        or node.name in effects.SHUFFLES
        or node.name in effects.VOTES
        or node.name.startswith("__match")
        or node.name.endswith("_sync")
        or effects.of_a_block(node.name, node.qualified)
    )


def _is_private(unit: Unit, node: e.Call | e.Construct) -> bool:
    """Whether the body of the called function, or its name, tells that it concerns no other thread."""
    function = unit.functions.get(node.key or "")
    if function is None or function.body is None:
        return isinstance(node, e.Construct) or effects.is_pure(node.name) or node.name in _KNOWN
    return _is_private_function(unit, function)


_KNOWN = (
    effects.LOADS | effects.SILENT | effects.MINIMA | effects.MAXIMA | effects.ABSOLUTES | effects.BITS
    | effects.CONVERSIONS.keys() | effects.ROUNDINGS.keys() | effects.FUNCTIONS.keys()
)  # fmt: skip


@once
def _is_private_function(unit: Unit, function: Function) -> bool:
    """A write through a pointer may be one of shared memory; recursion is none of interest."""
    return not any(
        _is_collective(node)
        or isinstance(node, s.Opaque)
        or (isinstance(node, e.Assign) and _may_be_shared(node.target, frozenset()))
        or (isinstance(node, e.Call) and node.name.startswith(effects.ATOMIC_PREFIXES))
        for called in reachable(unit, function)
        for node in (walk(called.body) if called.body is not None else ())
    )
