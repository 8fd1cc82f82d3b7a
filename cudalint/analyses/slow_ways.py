"""Operations that the compiler gives a slow way round, for operands that the fast one leaves out: a branch,
below which it moves the loads that only what follows needs.
"""

from collections.abc import Iterator
from math import frexp

from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.origin import origins
from cudalint.cuda.maths import base, floating
from cudalint.ir import expressions as e
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find
from cudalint.source.span import Span

_SLOW = frozenset("sqrt sin cos tan sincos pow fmod remainder".split())  # of floats, too


def stand_between(unit: Unit, kernel: Function, loads: frozenset[Span]) -> bool:
    """Whether such an operation needs some of the loads and not others, so that these may begin only when it
    is done.
    """
    if unit.fast_math or len(loads) < 2:
        return False
    return any(not loads <= _needed(unit, kernel, node) for node in _slow(unit, kernel))


def _slow(unit: Unit, kernel: Function) -> Iterator[e.Expression]:
    for function in reachable(unit, kernel):
        for node in find(function.body, e.Binary, e.Call):
            match node:
                case e.Binary(operator="/", type=kind, right=divisor) if floating(kind):
                    if not _is_power_of_two(divisor):
                        yield node
                case e.Call(name=name) if base(name) in _SLOW:
                    yield node


def _needed(unit: Unit, kernel: Function, node: e.Expression) -> frozenset[Span]:
    return frozenset(one.span for one in origins(unit, kernel, node.span, "value"))


def _is_power_of_two(divisor: e.Expression) -> bool:
    """Whether it is a number that the compiler multiplies by instead."""
    return isinstance(divisor, e.Literal) and abs(frexp(float(divisor.value or 0))[0]) == 0.5
