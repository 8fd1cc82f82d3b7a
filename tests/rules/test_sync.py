"""Races and barriers on facts written by hand."""

from typing import Any

from msgspec.structs import replace

from cudalint.host.facts import HostFacts
from cudalint.ir.types import VOID
from cudalint.ir.unit import Function, Unit
from cudalint.rule.findings import Confidence, Finding
from cudalint.rule.rule import Context
from cudalint.rules.sync import (
    divergent_barrier,
    global_memory_race,
    missing_warp_barrier,
    shared_memory_race,
)
from cudalint.settings.severity import Severity
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.barriers import Barrier
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.empty_reads import EmptyRead
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.races.race import Race, RaceSide
from cudalint.simt.launch.configuration import Configuration
from cudalint.simt.values.thread import Thread
from cudalint.source.span import NOWHERE, Span
from tests.support.asked import asked

CONTEXT = Context(Unit("a.cu", "sm_90", {}, {}, {}, (), (), ()), (), HostFacts((), (), ()), 90)
WRITE = RaceSide(Span("a.cu", 5, 1, 5, 9), "store", Thread((0, 0, 0)), "tile[t]")
READ = RaceSide(Span("a.cu", 6, 1, 6, 9), "load", Thread((33, 0, 0)), "tile[33 - t]")
RACE = Race("shared", WRITE, READ, "tile[0]", "read-write", "k", True)
BARRIER = Barrier(
    Span("a.cu", 9, 1, 9, 5),
    "some",
    "k",
    Thread((0, 0, 0)),
    Thread((64, 0, 0)),
    Span("a.cu", 8, 1, 8, 9),
    True,
)


def kernel(*, races: tuple[Race, ...] = (), barriers: tuple[Barrier, ...] = (), **more: Any) -> KernelFacts:
    function = Function("k", "k", "k", (), None, VOID, NOWHERE, NOWHERE, kernel=True)
    facts = {Branch: more.get("branches", ()), Barrier: barriers, Race: races, EmptyRead: (), Access: ()}
    return KernelFacts("k", function, (), facts)


def race_findings(*races: Race, **more: Any) -> list[Finding]:
    return list(asked(shared_memory_race, kernel(races=races, **more), CONTEXT))


def barrier_findings(*barriers: Barrier) -> list[Finding]:
    return list(asked(divergent_barrier, kernel(barriers=barriers), CONTEXT))


def shaped(origin: str, block: tuple[int, int, int] = (128, 1, 1)) -> Configuration:
    return Configuration(block, (None, None, None), None, "default", origin, None)


def test_race_names_both_threads() -> None:
    (finding,) = race_findings(RACE)
    assert finding.severity is Severity.ERROR
    assert finding.confidence is Confidence.HIGH
    assert finding.span.line == 6
    assert [related.span.line for related in finding.related] == [6, 5]
    assert "(33, 0, 0) reads" in finding.message
    assert "(0, 0, 0) writes" in finding.message


def test_a_race_carries_its_whole_witness() -> None:
    later = replace(WRITE, iteration="iteration 2 of the loop at line 4")
    earlier = replace(READ, iteration="iteration 1 of the loop at line 4")
    race = replace(RACE, first=earlier, second=later, back_edge=True, configuration=shaped("launch"))
    (finding,) = race_findings(race)
    assert [related.span for related in finding.related] == [READ.span, WRITE.span]
    assert finding.related[0].message == (
        "thread (33, 0, 0) reads `tile[33 - t]` (iteration 1 of the loop at line 4)"
    )
    assert finding.evidence == {
        "kind": "read-write",
        "threads": [[33, 0, 0], [0, 0, 0]],
        "blocks": [[0, 0, 0], [0, 0, 0]],
        "index": "tile[0]",
        "operations": ["load", "store"],
        "iterations": ["iteration 1 of the loop at line 4", "iteration 2 of the loop at line 4"],
        "next_round": True,
        "seen_for": "block 128 (launch)",
        "condition": None,
        "sites": 1,
    }


def test_a_missed_barrier_carries_its_whole_witness() -> None:
    (finding,) = barrier_findings(replace(BARRIER, condition="t < 64", configuration=shaped("launch")))
    assert [related.span for related in finding.related] == [BARRIER.span, BARRIER.cause]
    assert finding.related[0].message == "thread (0, 0, 0) waits here"
    assert finding.evidence == {
        "reaching": [0, 0, 0],
        "missing": [64, 0, 0],
        "blocks": [[0, 0, 0], [0, 0, 0]],
        "condition": "t < 64",
        "seen_for": "block 128 (launch)",
        "barriers": 1,
    }


def test_a_later_call_is_known_from_the_order_of_the_run_not_from_lines() -> None:
    (finding,) = race_findings(replace(RACE, first=READ, second=WRITE))
    assert "next" not in finding.message
    (finding,) = race_findings(replace(RACE, first=READ, second=WRITE, called_again=True))
    assert finding.span.line == 6
    assert "in the next call" in finding.message
    assert "after the last use" in finding.help


def test_race_that_stands_on_a_condition() -> None:
    (finding,) = race_findings(replace(RACE, certain=False, condition="n > 32"))
    assert finding.confidence is Confidence.MEDIUM
    assert finding.severity is Severity.WARNING
    assert finding.message.endswith("with no barrier in between, when n > 32")
    assert finding.evidence["condition"] == "n > 32"


def test_races_on_one_array_are_one_finding() -> None:
    elsewhere = replace(READ, span=Span("a.cu", 7, 1, 7, 9))
    (finding,) = race_findings(RACE, replace(RACE, second=elsewhere), replace(RACE, second=elsewhere))
    assert finding.span.line == 6
    assert [related.span.line for related in finding.related] == [6, 5, 7]
    assert finding.evidence["sites"] == 3
    assert len(race_findings(RACE, replace(RACE, index="other[0]"))) == 2


def test_race_silence() -> None:
    assert not race_findings(replace(RACE, space="global"))
    assert not race_findings(replace(RACE, same_warp=True, in_step=True))
    assert race_findings(replace(RACE, same_warp=True, kind="write-write"))


def test_a_warp_that_hands_on_memory_is_told_by_its_own_rule() -> None:
    inside = replace(RACE, same_warp=True, in_step=True)
    (finding,) = asked(missing_warp_barrier, kernel(races=(inside, inside)), CONTEXT)
    assert "`__syncwarp()`" in finding.message
    assert not list(asked(missing_warp_barrier, kernel(races=(RACE, inside)), CONTEXT))


def test_a_warp_that_hands_on_volatile_global_memory_needs_its_barrier_unless_data_tells_the_places() -> None:
    plain = kernel(races=(replace(RACE, space="global", same_warp=True, in_step=True),))
    assert [f.code for f in asked(global_memory_race, plain, CONTEXT)] == ["CU303"]
    assert not list(asked(missing_warp_barrier, plain, CONTEXT))
    inside = kernel(races=(replace(plain.races[0], volatile=True),))
    assert [f.code for f in asked(missing_warp_barrier, inside, CONTEXT)] == ["CU304"]
    assert not list(asked(global_memory_race, inside, CONTEXT))
    by_data = kernel(races=(replace(inside.races[0], data_dependent=True),))
    assert not list(asked(missing_warp_barrier, by_data, CONTEXT))
    assert [f.code for f in asked(global_memory_race, by_data, CONTEXT)] == ["CU303"]


def test_race_in_global_memory_names_the_blocks() -> None:
    apart = replace(
        RACE, space="global", same_block=False, second=replace(READ, thread=Thread((0, 0, 0), (3, 0, 0)))
    )
    (finding,) = asked(global_memory_race, kernel(races=(apart,)), CONTEXT)
    assert (
        "thread (0, 0, 0) of block (3, 0, 0) reads what thread (0, 0, 0) of block (0, 0, 0)"
        in finding.message
    )
    assert finding.evidence["blocks"] == [[3, 0, 0], [0, 0, 0]]
    guessed = replace(apart, configuration=shaped("usual shape"))
    assert not list(asked(global_memory_race, kernel(races=(guessed,)), CONTEXT))


def test_race_under_a_guessed_shape() -> None:
    guessed = replace(RACE, configuration=shaped("usual shape"))
    (finding,) = race_findings(guessed)
    assert finding.confidence is Confidence.MEDIUM
    assert race_findings(guessed, barriers=(BARRIER,))
    assert not race_findings(replace(guessed, certain=False))
    assert not race_findings(replace(RACE, configuration=shaped("usual shape", (32, 8, 1))))
    assert not race_findings(replace(RACE, configuration=shaped("launch bounds", (32, 8, 1))))
    assert race_findings(replace(RACE, configuration=shaped("launch bounds")))
    assert race_findings(replace(RACE, configuration=shaped("launch", (32, 8, 1))))


def test_polling_what_atomics_change_is_no_race() -> None:
    polled = replace(RACE, first=replace(WRITE, operation="atomic"))
    loop = Branch(Span("a.cu", 6, 1, 6, 20), READ.span, "loop", "data-dependent", "hit < n", "k")
    assert race_findings(polled)
    assert not race_findings(polled, branches=(loop,))
    assert race_findings(RACE, branches=(loop,))


def test_barrier_names_who_waits_and_who_is_missing() -> None:
    (finding,) = barrier_findings(BARRIER)
    assert "(0, 0, 0) waits" in finding.message
    assert "(64, 0, 0)" in finding.message
    assert [related.span.line for related in finding.related] == [9, 8]
    assert finding.severity is Severity.ERROR


def test_barriers_with_one_cause_are_one_finding() -> None:
    second = replace(BARRIER, span=Span("a.cu", 12, 1, 12, 5))
    third = replace(BARRIER, span=Span("a.cu", 14, 1, 14, 5))
    (finding,) = barrier_findings(third, second, BARRIER)
    assert finding.span.line == 9
    assert finding.evidence["barriers"] == 3
    assert len(barrier_findings(BARRIER, replace(second, cause=WRITE.span))) == 2


def test_barrier_silence() -> None:
    for quiet in (
        replace(BARRIER, reached_by="all"),
        replace(BARRIER, reached_by="unknown"),
        replace(BARRIER, certain=False),
        replace(BARRIER, configuration=shaped("usual shape")),
    ):
        assert not barrier_findings(quiet)


def test_barrier_that_lanes_of_any_block_miss() -> None:
    near = replace(BARRIER, missing=Thread((1, 0, 0)), configuration=shaped("usual shape"))
    assert barrier_findings(near)


def test_an_earlier_return_is_a_note_where_the_hardware_tolerates_it() -> None:
    left = replace(BARRIER, returned=True)
    (finding,) = asked(divergent_barrier, kernel(barriers=(left,)), CONTEXT)
    assert "early return" in finding.notes[0]
    assert finding.related[1].span == BARRIER.cause
    assert (finding.severity, finding.confidence) == (Severity.NOTE, Confidence.MEDIUM)
    (finding,) = asked(divergent_barrier, kernel(barriers=(left,)), replace(CONTEXT, arch=60))
    assert finding.severity is Severity.ERROR


def test_barriers_in_both_arms_are_one_finding_that_names_both() -> None:
    other = replace(
        BARRIER, span=Span("a.cu", 11, 1, 11, 5), reaching=BARRIER.missing, missing=BARRIER.reaching
    )
    (finding,) = barrier_findings(BARRIER, other)
    assert finding.message.endswith("thread (64, 0, 0) of the same block waits at line 11")
    assert [related.span.line for related in finding.related] == [9, 8, 11]
    assert "one after the branch" in finding.help


def test_barrier_that_some_sizes_part() -> None:
    some = replace(BARRIER, certain=False, sizes="n = 4122", configuration=shaped("launch"))
    (finding,) = barrier_findings(some)
    assert (finding.severity, finding.confidence) == (Severity.WARNING, Confidence.MEDIUM)
    assert "only for some sizes, e.g. n = 4122" in finding.notes
    for origin in ("usual shape", "launch bounds"):
        assert not barrier_findings(replace(some, configuration=shaped(origin)))


def test_blocks_that_part_at_a_barrier_of_a_grid_whose_size_is_known() -> None:
    known = replace(shaped("launch"), grid=(4, None, None))
    parted = replace(
        BARRIER, scope="grid", missing=Thread((0, 0, 0), (2, 0, 0)), configuration=known, returned=True
    )
    (finding,) = barrier_findings(parted)
    assert finding.severity is Severity.ERROR  # a block that has ended is waited for
    assert "of block (2, 0, 0) of the same grid does not reach it" in finding.message
    assert not barrier_findings(replace(parted, configuration=shaped("launch")))


def test_the_help_follows_the_shape_of_a_global_race() -> None:
    def help_of(*races: Race) -> str:
        (finding,) = asked(global_memory_race, kernel(races=races), CONTEXT)
        return finding.help

    plain = replace(RACE, space="global")
    across = replace(plain, across_blocks=True)
    at_once = replace(across, second=replace(WRITE, operation="load"), both_store=True)
    writes = replace(across, kind="write-write", both_store=True)
    scratch = replace(across, both_store=True)
    assert "`__syncthreads()`" in help_of(plain)
    assert "split the kernel" in help_of(across)
    assert "atomic" in help_of(at_once)
    assert help_of(writes).startswith("let one thread write")
    assert help_of(writes, scratch).startswith("give each thread its own elements: every")
