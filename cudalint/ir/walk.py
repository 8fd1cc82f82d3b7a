"""Traversal of IR trees in source order."""

from collections.abc import Callable, Iterator
from functools import wraps
from operator import is_not
from typing import Any, TypeVar, overload

from msgspec import Struct, field
from msgspec.structs import replace

from cudalint.ir import expressions as e
from cudalint.ir import statements as s

Node = e.Expression | s.Statement
_A = TypeVar("_A", bound=Node)
_B = TypeVar("_B", bound=Node)
_C = TypeVar("_C", bound=Node)
_D = TypeVar("_D", bound=Node)
_E = TypeVar("_E", bound=Node)
_Statement = TypeVar("_Statement", bound=s.Statement)
_Answer = TypeVar("_Answer")

CHILD_FIELDS: dict[type, tuple[str, ...]] = {
    e.Unary: ("operand",),
    e.Binary: ("left", "right"),
    e.Assign: ("target", "value"),
    e.Conditional: ("condition", "then", "otherwise"),
    e.Cast: ("operand",),
    e.Index: ("base", "index"),
    e.Dereference: ("pointer",),
    e.AddressOf: ("operand",),
    e.Member: ("base",),
    e.Call: ("target", "receiver", "arguments"),
    e.Construct: ("arguments",),
    e.InitList: ("elements",),
    e.Launch: ("kernel", "grid", "block", "shared", "stream", "arguments"),
    e.Unknown: ("operands",),
    s.Block: ("body",),
    s.Declare: ("initial",),
    s.Evaluate: ("expression",),
    s.If: ("condition", "then", "otherwise"),
    s.Loop: ("initial", "condition", "step", "body"),
    s.Switch: ("subject", "body"),
    s.Return: ("value",),
    s.Opaque: ("operands",),
}
_LAST_FIRST = {kind: names[::-1] for kind, names in CHILD_FIELDS.items()}
_MOST = 2**20  # nodes, twice, that are kept in order: many rules ask for those of one body
_EACH = 16  # that keeping those of one node weighs, above their number
_FEW = 24  # nodes that are not worth sorting
_HOLDING = frozenset((s.Block, s.If, s.Loop, s.Switch))  # other statements


class _Kept(Struct, eq=False):
    """A node with all below it in order, those of the kinds that were asked for, and what it tells."""

    whole: Node
    nodes: tuple[Node, ...]
    found: dict[tuple[type, ...], tuple[Node, ...]] = field(default_factory=dict)
    sorted: dict[type, list[Node]] = field(default_factory=dict)
    told: dict[Callable[..., Any], Any] = field(default_factory=dict)

    def sort_out(self, kinds: tuple[type, ...]) -> tuple[Node, ...]:
        """Keep and return those of the kinds."""
        if not self.sorted and len(self.nodes) > _FEW:
            for node in self.nodes:
                self.sorted.setdefault(type(node), []).append(node)
        there = [kind for kind in dict.fromkeys(kinds) if kind in self.sorted] if self.sorted else kinds
        if len(there) == 1 and self.sorted:
            found = tuple(self.sorted[there[0]])
        else:
            found = tuple([node for node in self.nodes if type(node) in there]) if there else ()
        self.found[kinds] = found
        return found


_now: dict[int, _Kept] = {}  # by identity: IR never changes
_before: dict[int, _Kept] = {}
_weight = 0  # of those kept now


def children(node: Node) -> tuple[Node, ...]:
    """The direct sub-expressions and sub-statements of a node."""
    kind = type(node)
    if kind is e.Binary:
        return node.left, node.right  # type: ignore[union-attr]
    names = CHILD_FIELDS.get(kind)
    if names is None:
        return ()
    if len(names) == 1:
        value = getattr(node, names[0])
        if type(value) is tuple:
            return value
        return () if value is None else (value,)
    found: list[Node] = []
    for name in names:
        value = getattr(node, name)
        if type(value) is tuple:
            found += value
        elif value is not None:
            found.append(value)
    return tuple(found)


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, parents first. Bodies of called functions and lambdas are not
    entered.
    """
    return iter((_now.get(id(node)) or _kept_of(node)).nodes if type(node) in CHILD_FIELDS else (node,))


@overload
def find(node: Node | None, kind: type[_A], /) -> tuple[_A, ...]: ...
@overload
def find(node: Node | None, kind: type[_A], two: type[_B], /) -> tuple[_A | _B, ...]: ...
@overload
def find(
    node: Node | None, kind: type[_A], two: type[_B], three: type[_C], /
) -> tuple[_A | _B | _C, ...]: ...
@overload
def find(
    node: Node | None, kind: type[_A], two: type[_B], three: type[_C], four: type[_D], /
) -> tuple[_A | _B | _C | _D, ...]: ...
@overload
def find(
    node: Node | None, kind: type[_A], two: type[_B], three: type[_C], four: type[_D], five: type[_E], /
) -> tuple[_A | _B | _C | _D | _E, ...]: ...
@overload
def find(node: Node | None, *kinds: type[Node]) -> tuple[Node, ...]: ...
def find(node: Node | None, *kinds: type) -> tuple[Any, ...]:
    """The nodes of a walk that are of one of the kinds, which have no subclasses; none of no node."""
    if node is None:
        return ()
    if type(node) not in CHILD_FIELDS:
        return (node,) if type(node) in kinds else ()
    held = _now.get(id(node)) or _kept_of(node)
    found = held.found.get(kinds)
    return held.sort_out(kinds) if found is None else found


def kept(ask: Callable[[_Statement], _Answer]) -> Callable[[_Statement], _Answer]:
    """Keep what a statement tells by itself, whatever is round it, as its nodes are kept."""

    @wraps(ask)
    def answer(node: _Statement) -> _Answer:
        told = (_now.get(id(node)) or _kept_of(node)).told
        if ask not in told:
            told[ask] = ask(node)
        found: _Answer = told[ask]
        return found

    return answer


def _kept_of(node: Node) -> _Kept:
    global _weight
    found = _now.get(id(node))
    if found is None:
        found = _before.pop(id(node), None) or _Kept(node, tuple(_below(node)))
        if _weight >= _MOST:  # those that were not asked for of late go
            _before.clear()
            _before.update(_now)
            _now.clear()
            _weight = 0
        _now[id(node)] = found
        _weight += len(found.nodes) + _EACH
    return found


def _below(node: Node) -> list[Node]:
    found: list[Node] = []
    stack = [node]
    pop, push, keep = stack.pop, stack.append, found.append
    while stack:
        current = pop()
        kind = type(current)
        if kind in _HOLDING and current is not node:
            found += (_now.get(id(current)) or _kept_of(current)).nodes
            continue
        keep(current)
        if kind is e.Binary:  # most nodes that have any below
            push(current.right)  # type: ignore[union-attr]
            push(current.left)  # type: ignore[union-attr]
            continue
        for name in _LAST_FIRST.get(kind, ()):
            value = getattr(current, name)
            if type(value) is tuple:
                stack.extend(value[::-1])
            elif value is not None:
                push(value)
    return found


def rebuilt(node: Node, made: Callable[[Node], Any]) -> Node:
    """The node with its children as they are made; itself where these stay as they are."""
    changed: dict[str, Any] = {}
    for name in CHILD_FIELDS.get(type(node), ()):
        old = getattr(node, name)
        if type(old) is tuple:
            parts = tuple([made(part) for part in old])
            if any(map(is_not, old, parts)):
                changed[name] = parts
        elif old is not None:
            part = made(old)
            if part is not old:
                changed[name] = part
    return replace(node, **changed) if changed else node
