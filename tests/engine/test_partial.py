"""One note a run for each cause of partially analysed files."""

from cudalint.engine.partial import together
from cudalint.rule.findings import Confidence, Finding
from cudalint.settings.severity import Severity
from cudalint.source.span import Span


def note(path: str, *causes: str, lost: tuple[str, ...] = ()) -> Finding:
    evidence = {
        "problems": 1,
        "kernels": 2,
        "kernels_lost": len(lost),
        "lost": list(lost),
        "causes": list(causes),
    }
    message = f"partially analysed: line 1: {causes[0]}"
    place = Span(path, 1, 1, 1, 2)
    return Finding(
        "CU001", "degraded-file", Severity.NOTE, Confidence.HIGH, place, message, evidence=evidence
    )


def test_the_cause_that_most_files_share_takes_them() -> None:
    found = together(
        [note("a", "x"), note("b", "y", "x"), note("c", "y", "z", "x"), note("d", "y", lost=("k",))]
    )
    assert [(f.span.path, f.message, f.evidence["files"]) for f in found if "files" in f.evidence] == [
        ("a", "3 files partially analysed: x", ["a", "b", "c"]),
    ]
    assert [f.message for f in found if "files" not in f.evidence] == ["partially analysed: line 1: y"]
    assert found[0].notes == ("first line 1: x", "files: a, b, c", "6 kernels analysed")


def test_numbers_are_summed_and_lost_kernels_named() -> None:
    (one,) = together([note("a", "x", lost=("k", "l")), note("b", "x", lost=("m", "n"))])
    assert (one.evidence["kernels"], one.evidence["kernels_lost"]) == (4, 4)
    assert one.evidence["lost"] == ["k", "l", "m", "n"]
    assert one.notes[-1] == "kernels lost: k, l, m and 1 more"


def test_no_more_than_five_notes_and_other_findings_stay() -> None:
    other = Finding(
        "CU101",
        "strided",
        Severity.NOTE,
        Confidence.HIGH,
        Span("a", 2, 1, 2, 2),
        "stride",
        evidence={"stride": 2},
    )
    found = together([*(note(f"f{n}", f"x{n}") for n in range(8)), other])
    assert len(found) == 6
    assert found[-1] is other
    assert found[-2].message == "4 files partially analysed: other causes"


def test_a_single_note_stays_as_it_is() -> None:
    only = [note("a", "x")]
    assert together(only) == only
