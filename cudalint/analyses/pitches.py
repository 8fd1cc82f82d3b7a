"""Parameters of a kernel that are distances between rows: factors of indices that no condition asks about."""

from collections.abc import Iterator, Sequence
from typing import cast

from cudalint.analyses.once import once
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Scalar
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import children, find, walk


@once
def pitches(unit: Unit, kernel: Function) -> frozenset[int]:
    """By identity: `ld` of `in[row * ld + column]`, where `column < columns` is what the kernel asks."""
    products = (
        side
        for node in find(kernel.body, e.Binary)
        if node.operator == "*"
        for side in (node.left, node.right)
    )
    factors = {side.variable.id for one in products if isinstance(side := _plain(one), e.VariableReference)}
    whole = {p.id for p in kernel.parameters if _is_whole(p)}
    return frozenset(factors & whole) - _asked(unit, kernel)


@once
def _asked(unit: Unit, kernel: Function) -> frozenset[int]:
    """The numbers of the kernel, by identity, that its conditions compare, and those that they come from."""
    nodes = list(walk(kernel.body)) if kernel.body is not None else []
    into: dict[int, set[int]] = {}
    found: set[int] = set()
    for node in nodes:
        match node:
            case s.Declare(variable=variable, initial=value) if value is not None:
                into.setdefault(variable.id, set()).update(_numbers(value))
            case e.Assign(target=e.VariableReference(variable=variable), value=value):
                into.setdefault(variable.id, set()).update(_numbers(value))
            case s.If(condition=asked) | e.Conditional(condition=asked) | s.Loop(condition=asked):
                found.update(_numbers(asked) if asked is not None else ())
    new = set(found)
    while new:
        new = {used for variable in new for used in into.get(variable, ())} - found
        found |= new
    return frozenset(found)


def _numbers(node: e.Expression) -> Iterator[int]:
    """The integers that a value is computed from, by identity: nothing that memory holds."""
    if isinstance(node, e.Index | e.Dereference | e.Call):
        return
    if isinstance(node, e.VariableReference) and isinstance(node.variable.type, Scalar):
        yield node.variable.id
    for part in children(node):
        yield from _numbers(cast(e.Expression, part))


def rows_overlap(unit: Unit, kernel: Function, values: Sequence[int | float | None]) -> bool:
    """Whether numbers for the parameters make a distance between rows less than a number that the kernel
    compares: no program means rows that lie over each other.
    """
    apart, asked = pitches(unit, kernel), _asked(unit, kernel)
    known = [
        (p.id, value)
        for p, value in zip(kernel.parameters, values, strict=False)
        if value is not None and _is_whole(p)
    ]
    least = min((value for number, value in known if number in apart), default=None)
    most = max((value for number, value in known if number in asked), default=0)
    return least is not None and least < most


def _plain(node: e.Expression) -> e.Expression:
    while isinstance(node, e.Cast):
        node = node.operand
    return node


def _is_whole(parameter: e.Variable) -> bool:
    return isinstance(parameter.type, Scalar) and parameter.type.kind in ("signed", "unsigned")
