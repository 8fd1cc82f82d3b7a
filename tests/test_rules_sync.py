"""Races and barriers on facts written by hand."""

from dataclasses import replace

from cudalint.findings import Confidence, Severity
from cudalint.host.facts import HostFacts
from cudalint.ir.source import Span
from cudalint.ir.unit import Unit
from cudalint.rule import Context
from cudalint.rules.sync import divergent_barrier, shared_memory_race
from cudalint.simt.facts import Barrier, Race, RaceSide, Thread

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


def test_race_names_both_threads() -> None:
    (finding,) = shared_memory_race.check(RACE, CONTEXT)
    assert finding.severity is Severity.ERROR
    assert finding.confidence is Confidence.HIGH
    assert finding.span.line == 6
    assert finding.related[0].span.line == 5
    assert "(33, 0, 0) reads" in finding.message
    assert "(0, 0, 0) writes" in finding.message


def test_race_order_does_not_depend_on_the_model() -> None:
    swapped = replace(RACE, first=READ, second=WRITE)
    assert list(shared_memory_race.check(swapped, CONTEXT)) == list(shared_memory_race.check(RACE, CONTEXT))


def test_race_that_stands_on_a_condition() -> None:
    (finding,) = shared_memory_race.check(replace(RACE, certain=False, condition="n > 32"), CONTEXT)
    assert finding.confidence is Confidence.MEDIUM
    assert "only when n > 32" in finding.notes


def test_race_silence() -> None:
    assert not list(shared_memory_race.check(replace(RACE, space="global"), CONTEXT))
    assert not list(shared_memory_race.check(replace(RACE, same_warp=True), CONTEXT))
    assert list(shared_memory_race.check(replace(RACE, same_warp=True, kind="write-write"), CONTEXT))


def test_barrier_names_who_waits_and_who_is_missing() -> None:
    (finding,) = divergent_barrier.check(BARRIER, CONTEXT)
    assert "(0, 0, 0) waits" in finding.message
    assert "(64, 0, 0)" in finding.message
    assert finding.related[0].span.line == 8


def test_barrier_silence() -> None:
    for quiet in (
        replace(BARRIER, reached_by="all"),
        replace(BARRIER, reached_by="unknown"),
        replace(BARRIER, certain=False),
    ):
        assert not list(divergent_barrier.check(quiet, CONTEXT))
