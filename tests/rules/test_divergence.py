"""Divergent branches and loops on facts written by hand."""

from types import ModuleType

import pytest
from msgspec.structs import replace

from cudalint.analyses.instructions import PREDICATED
from cudalint.host.facts import HostFacts
from cudalint.ir.types import VOID
from cudalint.ir.unit import Function, Unit
from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context
from cudalint.rules.divergence import divergent_branch, divergent_loop, scattered_active_lanes
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.branches.branch import ArmCost, Branch, Fading, LoopTrips, Split
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.launch.configuration import Configuration
from cudalint.source.span import NOWHERE, Span
from tests.support.asked import asked
from tests.support.fixtures import FIXTURES, lint

CONTEXT = Context(Unit("a.cu", "sm_90", {}, {}, {}, (), (), ()), (), HostFacts((), (), ()), 90)
FUNCTION = Function("k", "k", "k", (), None, VOID, NOWHERE, NOWHERE, kernel=True)
EVEN = tuple(lane % 2 == 0 for lane in range(32))
SPAN = Span("a.cu", 4, 5, 4, 9)
BRANCH = Branch(
    SPAN, SPAN, "if", "divergent", "t % 2 == 0", "k",
    cost=ArmCost(40, 40, (40, 40)), split=Split(1.0, sides=(16, 16), lanes=EVEN),
)  # fmt: skip
GUESS = Configuration((16, 16, 1), (None, None, None), None, "default", "usual shape", None)
LOOP = replace(BRANCH, kind="loop", loop=LoopTrips((0, 31), idle=0.5, waiting=1.0))


def found_by(rule: ModuleType, *found: Branch) -> list[Finding]:
    return list(asked(rule, KernelFacts("k", FUNCTION, (), {Branch: found, Access: ()}), CONTEXT))


def branches(*found: Branch) -> list[Finding]:
    return found_by(divergent_branch, *found)


def test_both_sides_long() -> None:
    (finding,) = branches(BRANCH)
    assert finding.evidence["taken"] == 16
    assert "40 + 40" in finding.notes[0]


@pytest.mark.parametrize(
    "quiet",
    [
        replace(BRANCH, divergence="uniform"),
        replace(BRANCH, divergence="data-dependent"),
        replace(BRANCH, divergence="unknown"),
        replace(BRANCH, split=replace(BRANCH.split, boundary=True)),
        replace(BRANCH, cost=replace(BRANCH.cost, otherwise=0, guarded=(40, 0))),
        replace(BRANCH, cost=replace(BRANCH.cost, guarded=(PREDICATED - 1, 40))),
        replace(BRANCH, kind="logical"),
        replace(BRANCH, split=replace(BRANCH.split, share=0.125)),
        replace(BRANCH, configuration=GUESS),
        LOOP,
    ],
)
def test_branch_silence(quiet: Branch) -> None:
    assert branches(quiet) == []


@pytest.mark.parametrize(
    "spoken",
    [
        replace(BRANCH, cost=replace(BRANCH.cost, guarded=(PREDICATED, PREDICATED))),
        replace(BRANCH, cost=replace(BRANCH.cost, guarded=(40, 70))),
        replace(BRANCH, split=replace(BRANCH.split, sides=(1, 31))),
    ],
)
def test_how_long_sides_are_and_how_many_lanes_take_them_is_left_to_impact(spoken: Branch) -> None:
    assert [finding.code for finding in branches(spoken)] == ["CU401"]


def test_two_ifs_for_complementary_lanes() -> None:
    one = replace(BRANCH, cost=replace(BRANCH.cost, otherwise=0, guarded=(40, 0)))
    other = replace(one, span=Span("a.cu", 7, 5, 7, 9), condition=f"!({one.condition})")
    (finding,) = branches(one, other)
    assert finding.span.line == 4
    assert finding.related[0].span.line == 7
    assert branches(one, replace(other, condition="other")) == []
    assert branches(one, replace(other, cost=replace(other.cost, then=2))) == []


@pytest.mark.parametrize(
    ("trips", "speaks"),
    [
        ((0, 31), True),
        ((0, 4), True),
        ((0, 2), True),
        ((0, 1), False),
        ((10, 11), False),
        ((16, 20), True),
    ],
)
def test_loop_trips(trips: tuple[int, int], speaks: bool) -> None:
    found = found_by(divergent_loop, replace(LOOP, loop=replace(LOOP.loop, trips=trips)))
    assert bool(found) == speaks
    if found:
        assert (found[0].evidence["fewest"], found[0].evidence["trips"]) == trips


def test_loop_silence() -> None:
    for quiet in (
        replace(LOOP, split=replace(LOOP.split, boundary=True)),
        replace(LOOP, divergence="uniform"),
        replace(LOOP, loop=replace(LOOP.loop, trips=None)),
        replace(LOOP, loop=replace(LOOP.loop, idle=None)),
        replace(LOOP, loop=replace(LOOP.loop, chosen=True)),
        replace(LOOP, configuration=GUESS),
        replace(LOOP, configuration=replace(GUESS, block=(256, 1, 1)), condition="i < gridDim.x"),
    ):
        assert found_by(divergent_loop, quiet) == []


def test_how_many_lanes_wait_is_left_to_impact() -> None:
    for loop in (replace(LOOP.loop, idle=0.1), replace(LOOP.loop, waiting=0.5)):
        (finding,) = found_by(divergent_loop, replace(LOOP, loop=loop))
        assert finding.evidence["idle"] == loop.idle


PAIRS = replace(
    BRANCH, cost=replace(BRANCH.cost, otherwise=0), condition="t % (2 * s) == 0", fading=Fading(47, 12, 1, 16)
)


def test_lanes_that_become_fewer_all_over_the_block() -> None:
    (finding,) = found_by(scattered_active_lanes, PAIRS)
    assert (finding.evidence["warps"], finding.evidence["ideal"]) == (47, 12)
    assert any("division" in note for note in finding.notes)
    (masked,) = found_by(scattered_active_lanes, replace(PAIRS, condition="(t & (2 * s - 1)) == 0"))
    assert not any("division" in note for note in masked.notes)
    assert branches(PAIRS) == []


@pytest.mark.parametrize(
    "quiet",
    [
        replace(PAIRS, cost=replace(PAIRS.cost, otherwise=40)),
        replace(PAIRS, fading=Fading(23, 12, 1, 16)),
        replace(PAIRS, fading=Fading(47, 12, 1, 1)),
        replace(PAIRS, fading=None),
        replace(PAIRS, divergence="data-dependent"),
        replace(PAIRS, configuration=GUESS),
    ],
)
def test_lanes_that_stay_together(quiet: Branch) -> None:
    assert found_by(scattered_active_lanes, quiet) == []


def test_chosen_template_arguments_are_no_facts() -> None:
    found = lint(FIXTURES / "divergence" / "serial_thread" / "chosen_arguments.cu").findings
    chosen, own = (one for one in found if one.code == "CU405")
    assert chosen.condition == "T = float, ROUNDS = 4, THREADS = 256" and own.condition is None
    assert chosen.impact is not None and chosen.impact.low == 0.0
    assert own.impact is not None and own.impact.low > 0.0
