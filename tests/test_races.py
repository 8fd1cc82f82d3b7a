"""The warp model's races and barriers against a plain thread-by-thread search, on generated kernels.

A race: two threads of different warps touch one element in one barrier interval and one of them writes it, or
one executed store writes different numbers to one element. Every store writes the thread's number.
"""

import os
from dataclasses import dataclass

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cudalint import assume
from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.host.facts import HostFacts
from cudalint.simt.model import ModelOptions, run

CASES = int(os.environ.get("CUDALINT_CASES", "500")) // 4
SIZE = 128


@dataclass(frozen=True)
class Step:
    """`if (t < below) s[(scale * t + shift) % SIZE]` is read or written; or a barrier."""

    kind: str
    scale: int = 1
    shift: int = 0
    below: int = SIZE

    def text(self) -> str:
        place = f"s[({self.scale} * t + {self.shift}) % {SIZE}]"
        match self.kind:
            case "barrier":
                return "__syncthreads();"
            case "read":
                return f"if (t < {self.below}) x += {place};"
            case _:
                return f"if (t < {self.below}) {place} = t;"


access = st.builds(
    Step,
    st.sampled_from(["read", "write"]),
    st.sampled_from([0, 1, 1, 2, 3]),
    st.integers(0, 70),
    st.sampled_from([1, 16, 32, 50, SIZE]),
)
steps = st.lists(st.one_of(access, access, st.just(Step("barrier"))), min_size=1, max_size=6)


def races(program: list[Step], threads: int) -> bool:
    """Whether any two threads conflict, by looking at every pair of accesses to every element."""
    seen: dict[int, list[tuple[int, str, int]]] = {}
    for number, step in enumerate(program):
        if step.kind == "barrier":
            seen.clear()
            continue
        for t in range(min(threads, step.below)):
            element = seen.setdefault((step.scale * t + step.shift) % SIZE, [])
            for other, kind, when in element:
                apart = other // 32 != t // 32
                if "write" in (kind, step.kind) and apart:
                    return True
                if kind == step.kind == "write" and when == number and other != t:
                    return True
            element.append((t, step.kind, number))
    return False


@settings(max_examples=CASES, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps, st.sampled_from([32, 64, 96]))
def test_a_race_is_told_exactly_where_two_threads_conflict(program, threads):
    body = "\n    ".join(step.text() for step in program)
    code = (
        f"__global__ void k(int *out) {{\n    __shared__ int s[{SIZE}];\n    int t = threadIdx.x, x = 0;\n"
        f"    {body}\n    out[t] = x;\n}}\n"
    )
    unit = load("generated.cu", LoadOptions(text=code))
    shape = f"blockDim.x == {threads} && blockDim.y == 1 && blockDim.z == 1"
    (facts,) = run(unit, HostFacts((), (), ()), ModelOptions(assumptions=assume.parse_all((shape,))))
    assert facts.modelled, facts.failure
    assert bool(facts.races) == races(program, threads), code
    assert all(barrier.reached_by == "all" for barrier in facts.barriers)


@settings(max_examples=CASES // 2, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 100), st.integers(1, 64), st.sampled_from([32, 64, 96]))
def test_a_barrier_is_missed_exactly_where_a_condition_parts_the_block(below, modulus, threads):
    code = (
        "__global__ void k(int *out) {\n"
        f"    if (threadIdx.x % {modulus} < {below}) {{ out[threadIdx.x] = 1; __syncthreads(); }}\n}}\n"
    )
    unit = load("generated.cu", LoadOptions(text=code))
    shape = f"blockDim.x == {threads} && blockDim.y == 1 && blockDim.z == 1"
    (facts,) = run(unit, HostFacts((), (), ()), ModelOptions(assumptions=assume.parse_all((shape,))))
    here = [t % modulus < below for t in range(threads)]
    told = {barrier.reached_by for barrier in facts.barriers}
    assert told == ({"some"} if not all(here) and any(here) else {"all"} if all(here) else set())
    for barrier in facts.barriers:
        if barrier.reached_by == "some":
            assert here[barrier.reaching.thread[0]] and not here[barrier.missing.thread[0]]
            assert barrier.cause is not None and barrier.cause.line == 2
