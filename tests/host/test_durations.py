"""Times under many assumptions at once are those of the timeline under each of them."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cudalint.host.durations import durations, side_by_side
from cudalint.host.facts import HostCall
from cudalint.host.timeline import Cost, Engine, ordered, simulate, window
from cudalint.source.span import Span

_STREAMS: dict[str, str] = {"a": "blocking", "b": "non-blocking", "default": "default"}
_KINDS = ("copy", "launch", "synchronise", "memset")
_ENGINES: tuple[Engine, ...] = ("", "HtoD", "DtoH", "kernels")

Made = tuple[str, str, bool, str]  # kind, stream, whether it blocks, direction

made = st.tuples(
    st.sampled_from(_KINDS), st.sampled_from([*_STREAMS]), st.booleans(), st.sampled_from(["HtoD", "DtoH"])
)
priced = st.tuples(st.integers(0, 5), st.integers(0, 20), st.sampled_from(_ENGINES))


def call(order: int, one: Made) -> HostCall:
    kind, stream, blocking, direction = one
    where = Span("a.cu", order + 1, 1, order + 1, 5)
    return HostCall(
        name=kind,
        kind=kind,
        span=where,
        function="main",
        order=order,
        stream=stream,
        blocking=blocking,
        direction=direction if kind == "copy" else "",
        host_space="pageable",
    )


def priced_by(prices: Sequence[tuple[int, int, Engine]]) -> Callable[[HostCall], Cost]:
    def of(one: HostCall) -> Cost:
        host, device, engine = prices[one.order % len(prices)]
        return Cost(float(host), float(device), engine)

    return of


def one_by_one(repeats: list[list[HostCall]], kinds: Mapping[str, str], costs: list) -> list[float]:
    order = ordered(repeats, kinds)
    ends = (window(repeats, simulate(order, each)) if repeats[-1] else (0.0, 0.0) for each in costs)
    return [end - start for start, end in ends]


@given(
    st.lists(made, max_size=6),
    st.sampled_from([1, 3, 6]),
    st.lists(st.lists(priced, min_size=1, max_size=4), min_size=1, max_size=4),
)
def test_all_at_once(program: list[Made], times: int, prices: list) -> None:
    calls = [call(number, one) for number, one in enumerate(program)]
    repeats, costs = [calls] * times, [priced_by(each) for each in prices]
    found = durations(repeats, ordered(repeats, _STREAMS), side_by_side(costs))
    wanted = one_by_one(repeats, _STREAMS, costs)
    assert np.array_equal(np.broadcast_to(found, len(wanted)), wanted)
