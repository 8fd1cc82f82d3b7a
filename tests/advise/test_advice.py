"""The ranked list, and which card a finding belongs to."""

from msgspec.structs import replace

from cudalint.advise.advice import ranked, together
from cudalint.advise.card import Card, Code
from cudalint.rule.findings import Confidence, Finding, Profiled
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis, Impact
from cudalint.source.span import Span


def finding(
    code: str, impact: Impact | None = None, severity: Severity = Severity.NOTE, path: str = "a.cu"
) -> Finding:
    span = Span(path, 5, 1, 5, 2)
    return Finding(code, "name", severity, Confidence.HIGH, span, "says", kernel="k<float>", impact=impact)


def card(path: str = "a.cu", failure: str | None = None) -> Card:
    return Card("k", path, 1, failure, (), (), (), ())


def test_errors_come_first_then_what_saves_most_then_what_states_nothing() -> None:
    found = ranked(
        [
            finding("CU800"),
            finding("CU101", Impact(0.1, 0.3, Basis.SECTORS)),
            finding("CU504", Impact(0.0, 0.6, Basis.IDLE)),
            finding("CU505", Impact(0.0, 0.3, Basis.WAVES)),
            finding("CU301", severity=Severity.ERROR),
        ]
    )
    assert [one.code for one in found] == ["CU301", "CU504", "CU101", "CU505", "CU800"]
    assert [one.stage for one in found] == ["assess", "parallelise", "optimise", "parallelise", "deploy"]


def test_a_profile_weighs_what_is_saved_by_the_time_of_the_kernel() -> None:
    short = replace(finding("CU101", Impact(0.5, 0.9, Basis.SECTORS)), profile=Profiled(0.1))
    long = replace(finding("CU102", Impact(0.1, 0.3, Basis.SECTORS)), profile=Profiled(0.9))
    assert [one.code for one in ranked([short, long])] == ["CU102", "CU101"]


def test_findings_at_launches_are_about_parallelism_whatever_they_cost() -> None:
    (found,) = ranked([finding("CU501", Impact(0.0, 0.9, Basis.ISSUE))])
    assert found.stage == "parallelise"


def test_a_card_has_the_findings_of_its_kernel_in_its_file() -> None:
    changes = ranked([finding("CU101"), finding("CU102", path="b.cu")])
    (found,) = together([card()], changes)
    assert [one.code for one in found.changes] == ["CU101"]


def test_a_finding_in_a_device_function_is_on_the_cards_of_all_that_call_it() -> None:
    changes = ranked([finding("CU101", path="f.cuh")])
    code = Code("f", "f.cuh", 3, 7)
    calling, other = replace(card(), functions=(code,)), replace(card("b.cu"), kernel="g", functions=(code,))
    outside = replace(card("c.cu"), kernel="h", functions=(replace(code, line=6),))
    found = together([calling, other, outside], changes)
    assert [len(one.changes) for one in found] == [1, 1, 0]


def test_a_kernel_of_a_header_has_one_card_and_the_one_that_was_modelled() -> None:
    found = together([card("k.cuh", "lost"), card("k.cuh"), card("a.cu")], ())
    assert [(one.path, one.failure) for one in found] == [("a.cu", None), ("k.cuh", None)]
