"""Traversal of IR trees in source order."""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from cudalint.ir import expressions as e
from cudalint.ir import statements as s

Node = e.Expression | s.Statement

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
_BLOCKS = 4096  # whose nodes are kept in order: many rules ask for those of one body
_kept: dict[int, tuple[Node, tuple[Node, ...]]] = {}  # by identity: IR never changes
_LAST_FIRST = {kind: names[::-1] for kind, names in CHILD_FIELDS.items()}


def children(node: Node) -> tuple[Node, ...]:
    """The direct sub-expressions and sub-statements of a node."""
    if isinstance(node, e.Binary):
        return node.left, node.right
    found: list[Node] = []
    for name in CHILD_FIELDS.get(type(node), ()):
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
    if type(node) is not s.Block:
        return _below(node)
    kept = _kept.get(id(node))
    if kept is None:
        if len(_kept) >= _BLOCKS:
            _kept.clear()
        kept = _kept[id(node)] = node, tuple(_below(node))
    return iter(kept[1])


def _below(node: Node) -> Iterator[Node]:
    stack = [node]
    pop, push = stack.pop, stack.append
    while stack:
        current = pop()
        yield current
        kind = type(current)
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


def rebuilt(node: Node, made: Callable[[Node], Any]) -> Node:
    """The node with its children as they are made; itself where these stay as they are."""
    changed: dict[str, Any] = {}
    for name in CHILD_FIELDS.get(type(node), ()):
        old = getattr(node, name)
        if isinstance(old, tuple):
            parts = tuple(map(made, old))
            if any(a is not b for a, b in zip(old, parts, strict=True)):
                changed[name] = parts
        elif old is not None:
            part = made(old)
            if part is not old:
                changed[name] = part
    return replace(node, **changed) if changed else node
