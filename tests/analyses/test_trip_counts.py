"""Iterations of counting loops: by formula, over lanes and by running them."""

import operator

from hypothesis import given
from hypothesis import strategies as st

from cudalint.analyses.trip_counts import bounded_trips, constant_trips, counted, remaining_iterations
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Scalar
from cudalint.source.span import NOWHERE

_HOLDS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "!=": operator.ne}
_INT = Scalar("int", "signed", 4)
_MANY = 200  # iterations after which a loop is taken for endless
_NUMBERS = st.integers(-12, 12)


def _run(start: int, limit: int, comparison: str, by: int) -> int | None:
    iterations = 0
    while _HOLDS[comparison](start, limit):
        start, iterations = start + by, iterations + 1
        if iterations > _MANY:
            return None
    return iterations


def _literal(number: int) -> e.Literal:
    return e.Literal(number, _INT, NOWHERE)


def _loop(start: int, limit: int, comparison: str, by: int) -> s.Loop:
    variable = e.Variable(1, "i", _INT, "local", NOWHERE)
    name = e.VariableReference(variable, _INT, NOWHERE)
    return s.Loop(
        "for",
        s.Declare(variable, _literal(start), NOWHERE),
        e.Binary(comparison, name, _literal(limit), _INT, NOWHERE),  # type: ignore[arg-type]
        e.Assign(name, _literal(abs(by)), "+" if by > 0 else "-", _INT, NOWHERE),
        s.Block((), NOWHERE),
        NOWHERE,
    )


@given(_NUMBERS, _NUMBERS, st.sampled_from(sorted(_HOLDS)), _NUMBERS.filter(bool))
def test_counts_are_those_of_the_run(start: int, limit: int, comparison: str, by: int) -> None:
    run = _run(start, limit, comparison, by)
    told = constant_trips(_loop(start, limit, comparison, by))
    assert told == counted(start, limit, comparison, by, "+")
    assert told in (run, None)
    if run is not None and comparison != "!=" and (by > 0) == (comparison in ("<", "<=")):
        assert told == run
    over_lanes = remaining_iterations(comparison, start, limit, by)
    assert over_lanes is None or int(over_lanes) == told


@given(_NUMBERS, _NUMBERS, st.integers(1, 5))
def test_bounds_between_constants_are_near_the_run(start: int, limit: int, by: int) -> None:
    about = bounded_trips(
        _loop(start, limit, "<", by),
        lambda node: node.value if isinstance(node, e.Literal) else None,  # type: ignore[return-value]
    )
    run = _run(start, limit, "<", by)
    assert run is not None
    if start < limit:
        assert run - 1 < about <= run
