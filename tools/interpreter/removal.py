"""A unit without one of its barriers."""

from typing import Any

from msgspec.structs import replace

from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import CHILD_FIELDS, walk
from cudalint.source.span import Span
from tools.interpreter import groups
from tools.interpreter.library import BARRIERS


def is_barrier(node: Any) -> bool:
    """Whether it is a `__syncthreads()` or one of its kin, or a `sync` of a block's group."""
    if not isinstance(node, e.Call):
        return False
    if node.name in BARRIERS:
        return True
    if node.name not in ("sync", "synchronize"):
        return False
    group = next(iter(node.operands), None)
    return group is not None and is_block(group.type)


def is_block(kind: t.Type) -> bool:
    """Whether it is the type of a group of all threads of a block."""
    return groups.is_group(kind) and isinstance(kind, t.Record) and kind.name.endswith("::thread_block")


def barriers(unit: Unit, kernel: Function) -> tuple[Span, ...]:
    """Where a kernel and the functions that it calls have barriers, in order."""
    found: set[Span] = set()
    done: set[str] = set()
    todo = [kernel]
    while todo:
        function = todo.pop()
        if function.key in done or function.body is None:
            continue
        done.add(function.key)
        for node in walk(function.body):
            if is_barrier(node):
                found.add(node.span)
            elif isinstance(node, e.Call | e.Construct) and node.key in unit.functions:
                todo.append(unit.functions[node.key])
    return tuple(sorted(found, key=lambda span: (span.path, span.line, span.column)))


def without(unit: Unit, barrier: Span) -> Unit:
    """The unit with the barrier that is written there left out, in every function that has it."""
    functions = {
        key: replace(f, body=_rewritten(f.body, barrier)) if f.body is not None and _has(f, barrier) else f
        for key, f in unit.functions.items()
    }
    return replace(unit, functions=functions)


def _has(function: Function, barrier: Span) -> bool:
    return function.body is not None and any(_is(node, barrier) for node in walk(function.body))


def _is(node: Any, barrier: Span) -> bool:
    return is_barrier(node) and node.span == barrier


def _rewritten(node: Any, barrier: Span) -> Any:
    if isinstance(node, tuple):
        parts = tuple(_rewritten(part, barrier) for part in node)
        return parts if any(a is not b for a, b in zip(parts, node, strict=True)) else node
    if _is(node, barrier):
        return node.arguments[0] if len(node.arguments) == 1 and node.name in BARRIERS else _nothing(node)
    changed = {}
    for name in CHILD_FIELDS.get(type(node), ()):
        before = getattr(node, name)
        after = _rewritten(before, barrier) if before is not None else None
        if after is not before:
            changed[name] = after
    return replace(node, **changed) if changed else node


def _nothing(node: e.Call) -> e.Literal:
    return e.Literal(0, t.INT, node.span)
