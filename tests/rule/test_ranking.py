"""The order of findings, and which are named at the end of a report."""

from hypothesis import given
from hypothesis import strategies as st

from cudalint.rule.findings import Confidence, Finding
from cudalint.rule.ranking import by_impact, most_worth
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis, Impact
from cudalint.source.span import Span


def finding(line: int, high: float | None = None, kernel: str = "k", path: str = "a.cu") -> Finding:
    impact = None if high is None else Impact(0.0, high, Basis.SECTORS)
    span = Span(path, line, 1, line, 5)
    return Finding(
        "CU101", "x", Severity.NOTE, Confidence.HIGH, span, "message", kernel=kernel, impact=impact
    )


def lines(*findings: Finding) -> list[int]:
    return [one.span.line for one in by_impact(findings)]


def test_within_a_kernel_what_is_wrong_comes_first_then_the_largest_impact() -> None:
    assert lines(finding(2, 0.1), finding(3, 0.5), finding(4), finding(5, 0.2)) == [4, 3, 5, 2]


def test_kernels_stay_in_the_order_of_the_source() -> None:
    found = [finding(9, 0.9, "second"), finding(2, 0.1, "first"), finding(3, 0.2, "first")]
    assert lines(*found) == [3, 2, 9]
    assert lines(*found, finding(1, None, "")) == [1, 3, 2, 9]
    assert [one.span.path for one in by_impact([finding(1, path="b.cu"), finding(5)])] == ["a.cu", "b.cu"]


def test_equal_impacts_stay_as_they_stand_in_the_source() -> None:
    assert lines(finding(7, 0.3), finding(4, 0.3), finding(5, 0.3)) == [4, 5, 7]


_FINDINGS = st.builds(
    finding,
    st.integers(1, 9),
    st.none() | st.floats(0, 1),
    st.sampled_from(["", "k", "l"]),
    st.sampled_from(["a.cu", "b.cu"]),
)


@given(st.lists(_FINDINGS, max_size=12))
def test_nothing_is_lost_and_the_order_does_not_depend_on_the_input(found: list[Finding]) -> None:
    ordered = by_impact(found)
    assert sorted(map(id, ordered)) == sorted(map(id, found))
    assert [(one.span.path, one.kernel) for one in by_impact(reversed(found))] == [
        (one.span.path, one.kernel) for one in ordered
    ]


def test_the_three_that_save_most_are_named() -> None:
    found = [finding(line, share) for line, share in ((1, 0.1), (2, None), (3, 0.4), (4, 0.2), (5, 0.3))]
    assert [one.span.line for one in most_worth(found)] == [3, 5, 4]
    assert most_worth(found[:2]) == ()
