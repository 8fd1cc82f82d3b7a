"""The cost of a place: what is counted lies between the ends, however often loops iterate."""

from itertools import product
from math import inf

from hypothesis import given
from hypothesis import strategies as st

from cudalint.cuda.spaces import Space
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import VOID, Scalar
from cudalint.ir.unit import Function
from cudalint.ir.walk import Node, children, walk
from cudalint.significance.cost import Costs, endless, once_each
from cudalint.significance.interval import Interval, exactly
from cudalint.simt.facts.accesses.access import Access, Transactions, Weight
from cudalint.source.span import NOWHERE

_INT = Scalar("int", "signed", 4)
_ZERO = e.Builtin("warpSize", "", _INT, NOWHERE)
_WORK = s.Evaluate(e.Unary("-", _ZERO, _INT, NOWHERE), NOWHERE)

_KERNEL = Function("k", "k", "k", (), None, VOID, NOWHERE, NOWHERE, kernel=True)


def _loop(body: s.Statement) -> s.Loop:
    return s.Loop("for", None, None, None, body, NOWHERE)


_BODIES = st.recursive(
    st.just(_WORK),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: s.Block(tuple(parts), NOWHERE))
        | inner.map(_loop)
    ),
    max_leaves=6,
)


def _weigh(node: Node) -> float:
    return float(isinstance(node, e.Unary))


def _run(node: Node, iterations: dict[int, int]) -> float:
    """What it costs when each loop iterates so often."""
    inner = sum(_run(child, iterations) for child in children(node))
    return _weigh(node) + inner * iterations.get(id(node), 1)


@given(_BODIES, st.integers(0, 2), st.integers(0, 2))
def test_the_ends_are_the_cheapest_and_the_dearest_run(body: s.Statement, least: int, more: int) -> None:
    costs = Costs(_weigh, lambda loop: Interval(least, least + more))
    found = costs.of(body)
    loops = list({id(node) for node in walk(body) if isinstance(node, s.Loop)})
    runs = [
        _run(body, dict(zip(loops, chosen, strict=True)))
        for chosen in product(range(least, least + more + 1), repeat=min(len(loops), 4))
        if len(chosen) == len(loops)
    ]
    if runs:
        assert (found.all.low, found.all.high) == (min(runs), max(runs))


@given(_BODIES)
def test_one_iteration_each_is_the_text(body: s.Statement) -> None:
    text = sum(_run_text(body))
    assert Costs(_weigh, once_each).of(body).all == exactly(text)


def _run_text(node: Node) -> list[float]:
    return [_weigh(node), *(number for child in children(node) for number in _run_text(child))]


def test_an_endless_loop_has_no_high_end() -> None:
    found = Costs(_weigh, endless).of(_loop(s.Block((), NOWHERE)))
    assert (found.all.low, found.all.high) == (0.0, inf)
    assert found.iterations.high == inf


def _access(number: float | None, low: float | None, high: float | None, part: float, space: Space) -> Access:
    counted = Transactions(number, 1.0, "bounded" if low != high else "exact", low, high)
    return Access(NOWHERE, f"a[{number}]", space, "load", 4, counted, "k", weight=Weight(share=part))
