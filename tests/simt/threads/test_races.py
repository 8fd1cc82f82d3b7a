"""The warp model's races and barriers against a plain thread-by-thread search, on generated kernels.

A race: two threads touch one element in one barrier interval, or in different blocks, and one of them writes
it. Every store writes a number of its own.
"""

from dataclasses import dataclass

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.host.facts import HostFacts
from cudalint.settings import assume
from cudalint.simt.model import ModelOptions, run
from tests.support.programs import CASES, SIZE, Step, access, modelled

steps = st.lists(st.one_of(access, access, st.just(Step("barrier"))), min_size=1, max_size=6)


@dataclass(frozen=True)
class Met:
    """What two threads can be in conflict by."""

    warps: bool  # threads of different warps, or one store of a warp that writes different numbers
    in_step: bool  # two instructions of one warp


def races(program: list[Step], threads: int, blocks: int = 1) -> Met:
    """The conflicts of any two threads, by looking at every pair of accesses to every element. A barrier
    orders the threads of a block; every block runs the same program on the same elements.
    """
    seen: dict[int, list[tuple[int, int, str, int, int]]] = {}
    warps = in_step = False
    for block in range(blocks):
        interval = 0
        for number, step in enumerate(program):
            if step.kind == "barrier":
                interval += 1
                continue
            for t in range(min(threads, step.below)):
                element = seen.setdefault((step.scale * t + step.shift) % SIZE, [])
                for where, other, kind, when, since in element:
                    if "write" not in (kind, step.kind) or (where, other) == (block, t):
                        continue
                    if where == block and since != interval:
                        continue
                    if where == block and other // 32 == t // 32 and when != number:
                        in_step = True
                    else:
                        warps = True
                element.append((block, t, step.kind, number, interval))
    return Met(warps, in_step)


@settings(max_examples=CASES, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps, st.sampled_from([32, 64, 96]))
def test_a_race_is_told_exactly_where_two_threads_conflict(program, threads):
    body = "\n    ".join(step.text() for step in program)
    code = (
        f"__global__ void k(int *out) {{\n    __shared__ int s[{SIZE}];\n    int t = threadIdx.x, x = 0;\n"
        f"    {body}\n    out[t] = x;\n}}\n"
    )
    shape = f"blockDim.x == {threads} && blockDim.y == 1 && blockDim.z == 1"
    facts = modelled(code, shape)
    found = [race for race in facts.races if race.space == "shared"]
    met = races(program, threads)
    assert any(not race.in_step for race in found) == met.warps, code
    assert any(race.in_step for race in found) or met.warps or not met.in_step, code
    assert met.in_step or not any(race.in_step for race in found), code
    assert all(barrier.reached_by == "all" for barrier in facts.barriers)


@settings(max_examples=CASES, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps, st.sampled_from([32, 64]), st.sampled_from([1, 2]))
def test_a_race_in_global_memory_is_told_exactly_where_two_threads_conflict(program, threads, blocks):
    body = "\n    ".join(step.text().replace("= t;", "= t + 1000 * blockIdx.x;") for step in program)
    code = f"__global__ void k(int *s) {{\n    int t = threadIdx.x, x = 0;\n    {body}\n}}\n"
    shape = f"blockDim.x == {threads} && blockDim.y == 1 && blockDim.z == 1"
    facts = modelled(code, f"{shape} && gridDim.x == {blocks} && gridDim.y == 1 && gridDim.z == 1")
    met = races(program, threads, blocks)
    assert bool(facts.races) == (met.warps or met.in_step), code


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
