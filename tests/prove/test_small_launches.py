"""No answer of `cudalint prove` is against all threads of all small launches."""

from dataclasses import dataclass
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("z3")

from tests.support.proofs import verdict

MOST_THREADS, MOST_BLOCKS, MOST_N = 3, 2, 3
BOUNDS = (f"blockDim.x <= {MOST_THREADS}", f"gridDim.x <= {MOST_BLOCKS}", f"n <= {MOST_N}", "n >= 0")


@dataclass(frozen=True)
class Step:
    """One access: `array[a*t + b*block + c*n + d*k + e]`, in the form of `shape`, under a guard."""

    array: str
    kind: str
    factors: tuple[int, int, int, int, int]
    shape: str
    guard: str
    value: str

    def text(self) -> str:
        at = f"{self.array}[{self.index()}]"
        done = {"write": f"{at} = {self.value};", "read": f"v += {at};", "atomic": f"atomicAdd(&{at}, 1);"}
        return f"if ({self.guard}) {{ {done[self.kind]} }}"

    def index(self) -> str:
        a, b, c, d, e = self.factors
        return self.shape.format(f"({a} * t + {b} * w + {c} * n + {d} * k + {e})")


@dataclass(frozen=True)
class Part:
    """Steps in a row, in a loop over k unless `rounds` is empty. waits: where a barrier ends a round."""

    steps: tuple[Step, ...]
    rounds: str
    waits: bool

    def text(self) -> str:
        body = " ".join(step.text() for step in self.steps) + (" __syncthreads();" if self.waits else "")
        return (
            f"for (int k = 0; k < {self.rounds}; k++) {{ {body} }}"
            if self.rounds
            else f"{{ int k = 0; {body} }}"
        )


Touch = tuple[str, int, str, int, int]  # array, index, kind, value, interval


def touches(parts: tuple[Part, ...], t: int, w: int, size: int, n: int) -> list[Touch]:
    """What one thread does."""
    found: list[Touch] = []
    interval = 0
    for part in parts:
        for k in range(eval(part.rounds, {"n": n}) if part.rounds else 1):
            names = {"t": t, "w": w, "n": n, "k": k, "blockDim_x": size}
            for step in part.steps:
                if eval(step.guard.replace("&&", "and"), {}, names):
                    index = eval(step.index().replace("/", "//"), {}, names)
                    found.append((step.array, index, step.kind, eval(step.value, {}, names), interval))
            interval += part.waits
    return found


def races(one: list[Touch], other: list[Touch], together: bool) -> set[tuple[str, int]]:
    """The elements that two threads race on; `together`: they are of one block."""
    found = set()
    for (array, index, kind, value, interval), (array2, index2, kind2, value2, interval2) in product(
        one, other
    ):
        if (array, index) != (array2, index2) or (together and interval != interval2):
            continue
        if not together and array == "S":
            continue
        if kind == kind2 and (kind != "write" or value == value2):
            continue
        found.add((array, index))
    return found


def racing(
    parts: tuple[Part, ...], size: int, blocks: int, n: int
) -> dict[tuple[tuple[int, int], ...], set[tuple[str, int]]]:
    """The pairs of threads, as (thread, block), that race in a launch."""
    done = {(t, w): touches(parts, t, w, size, n) for t in range(size) for w in range(blocks)}
    pairs = {(p, q): races(done[p], done[q], p[1] == q[1]) for p, q in combinations(done, 2)}
    return {pair: found for pair, found in pairs.items() if found}


SMALL = st.integers(-1, 3)
STEPS = st.builds(
    Step,
    array=st.sampled_from("SG"),
    kind=st.sampled_from(("write", "write", "read", "atomic")),
    factors=st.tuples(
        st.integers(0, 3),
        st.sampled_from((0, 3, 6)),
        st.integers(0, 1),
        st.integers(0, 3),
        st.integers(40, 43),
    ),
    shape=st.sampled_from(("{0}", "{0}", "{0} / 2", "{0} % 5")),
    guard=st.sampled_from(("n >= 0", "t < n", "t == 0", "t + k < n && k < 2", "w == 0", "t % 2 == 0")),
    value=st.sampled_from(("7", "n", "t", "k")),
)
PARTS = st.builds(
    Part,
    st.lists(STEPS, min_size=1, max_size=2).map(tuple),
    st.sampled_from(("", "", "n", "2", "n - 1")),
    st.booleans(),
)


@settings(max_examples=120, deadline=None)
@given(st.lists(PARTS, min_size=1, max_size=3).map(tuple))
def test_no_answer_is_against_all_threads(parts: tuple[Part, ...]) -> None:
    body = "\n".join(part.text() for part in parts)
    text = (
        "__global__ void k(int n, int *G, int *out) {\n__shared__ int S[99];\n"
        f"int t = threadIdx.x, w = blockIdx.x, v = 0;\n{body}\nout[w * blockDim.x + t] = v; }}"
    )
    found = verdict(text, *BOUNDS)
    if found.answer == "proved":
        for size, blocks, n in product(
            range(1, MOST_THREADS + 1), range(1, MOST_BLOCKS + 1), range(MOST_N + 1)
        ):
            assert not racing(parts, size, blocks, n), (text, size, blocks, n)
    if found.answer == "refuted":
        shown = found.witness
        assert shown is not None
        n = dict(shown.values).get("n")
        ends = sorted((side.thread[0], side.block[0]) for side in (shown.first, shown.second))
        tried = range(MOST_N + 1) if n is None else [n]
        elements = [
            racing(parts, shown.block[0], shown.grid[0], value).get(pair, set())
            for value in tried
            for pair in (tuple(ends), tuple(reversed(ends)))
        ]
        array, index = shown.place.partition("[")[0], int(shown.place.partition("[")[2][:-1])
        assert any((array, index) in found_ for found_ in elements), (text, shown)
