"""Barriers that nothing passes across and shared memory that nobody wrote, against a plain search over the
threads of generated programs.
"""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cudalint.simt.facts.barrier_use.idle_barriers import IdleBarrier
from cudalint.simt.facts.empty_reads import EmptyRead
from tests.support.programs import CASES, SIZE, Step, access, modelled

BLOCK = 64

programs = st.lists(st.one_of(access, access, st.just(Step("barrier"))), min_size=2, max_size=8)


def code_of(program: list[Step]) -> str:
    body = "\n    ".join(step.text() for step in program)
    return (
        f"__global__ void k(int *out) {{\n    __shared__ int s[{SIZE}];\n    int t = threadIdx.x, x = 0;\n"
        f"    {body}\n    out[t] = x;\n}}\n"
    )


def facts_of(program: list[Step]):
    return modelled(code_of(program), f"blockDim.x == {BLOCK} && blockDim.y == 1 && blockDim.z == 1")


def pairs(program: list[Step]) -> set[tuple[int, int, bool]]:
    """(step, later step, whether of one warp) of accesses by two threads to one element, one of them a write,
    with no barrier between.
    """
    touched: dict[int, list[tuple[int, int, str]]] = {}
    found = set()
    for number, step in enumerate(program):
        if step.kind == "barrier":
            touched = {}
            continue
        mine = [((step.scale * t + step.shift) % SIZE, t) for t in range(min(BLOCK, step.below))]
        for element, t in mine:
            for when, other, kind in touched.get(element, []):
                if other != t and "write" in (kind, step.kind):
                    found.add((when, number, other // 32 == t // 32))
        for element, t in mine:
            touched.setdefault(element, []).append((number, t, step.kind))
    return found


def without(program: list[Step], gone: set[int]) -> list[Step]:
    """The program with steps that do nothing in the place of some of its barriers."""
    return [Step("read", below=0) if n in gone else step for n, step in enumerate(program)]


def told(program: list[Step], facts) -> dict[int, str]:
    """By number of the step, what the model says of barriers that the program can do without."""
    return {barrier.span.line - 4: barrier.passes for barrier in facts.of(IdleBarrier)}


@settings(max_examples=CASES, suppress_health_check=list(HealthCheck))
@given(programs)
def test_all_barriers_told_can_go_together(program):
    facts = facts_of(program)
    found = told(program, facts)
    if facts.of(EmptyRead):  # only those right after another one
        assert all(program[number - 1].kind == program[number].kind == "barrier" for number in found)
        assert 0 not in found
        return
    assert all(program[number].kind == "barrier" for number in found), code_of(program)
    here = pairs(program)
    assert pairs(without(program, {n for n, passes in found.items() if passes == "nothing"})) <= here | {
        pair for pair in pairs(without(program, set(found))) if pair[2] and _syncs(found, pair)
    }, code_of(program)
    more = pairs(without(program, set(found))) - here
    assert all(pair[2] for pair in more), code_of(program)


def _syncs(found: dict[int, str], pair: tuple[int, int, bool]) -> bool:
    """Whether a barrier for which one of the warp is enough stands between two steps."""
    return any(passes == "warp" and pair[0] < number < pair[1] for number, passes in found.items())


@settings(max_examples=CASES, suppress_health_check=list(HealthCheck))
@given(programs)
def test_a_barrier_that_can_go_by_itself_is_told_unless_others_are(program):
    program = [Step("write", shift=shift) for shift in (0, BLOCK)] + [Step("barrier"), *program]
    facts = facts_of(program)
    assert not facts.of(EmptyRead)
    found, here = told(program, facts), pairs(program)
    for number, step in enumerate(program):
        if step.kind == "barrier" and number not in found:
            gone = set(found) | {number}
            assert any(not near for _, _, near in pairs(without(program, gone)) - here), code_of(program)


@settings(max_examples=CASES, suppress_health_check=list(HealthCheck))
@given(programs)
def test_a_read_of_what_nobody_wrote_is_told(program):
    told = {read.span.line - 4 for read in facts_of(program).of(EmptyRead)}
    assert told == empty(program), code_of(program)


def empty(program: list[Step]) -> set[int]:
    """The steps in which some thread reads what no thread has written before, nor another one writes before
    the next barrier.
    """
    found = set()
    for number, step in enumerate(program):
        if step.kind != "read":
            continue
        end = next((n for n in range(number, len(program)) if program[n].kind == "barrier"), len(program))
        for t in range(min(BLOCK, step.below)):
            element = (step.scale * t + step.shift) % SIZE
            before = any(_writes(program[n], element, None) for n in range(number))
            later = any(_writes(program[n], element, t) for n in range(number, end))
            if not before and not later:
                found.add(number)
    return found


def _writes(step: Step, element: int, but: int | None) -> bool:
    """Whether a thread, another than `but`, writes the element."""
    return step.kind == "write" and any(
        (step.scale * t + step.shift) % SIZE == element for t in range(min(BLOCK, step.below)) if t != but
    )
