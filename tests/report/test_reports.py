"""The reports: what a reader sees, and what other programs read."""

import json
from pathlib import Path

import pytest

from cudalint.report import concise, full, github, json_report, sarif, styled
from cudalint.report.content import Content
from cudalint.report.fingerprint import line_hashes
from cudalint.rule.findings import Confidence, Edit, FileResult, Finding, Fix, Related
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis, Impact
from cudalint.source.span import Span
from cudalint.source.text import Sources

SOURCE = "__shared__ float tile[64];\n\ttile[t] = in[t];  // ü\n\tout[t] = tile[63 - t];\n"


def finding(**changes: object) -> Finding:
    values: dict[str, object] = {
        "code": "CU301",
        "name": "shared-memory-race",
        "severity": Severity.ERROR,
        "confidence": Confidence.HIGH,
        "span": Span("dir/a.cu", 3, 11, 3, 23),
        "message": "thread (0, 0, 0) reads tile[63] that thread (63, 0, 0) writes",
        "notes": ("no barrier lies between", "second: 100%, really"),
        "help": "write __syncthreads() between them",
        "kernel": "reverse",
        "evidence": {"index": 63},
        "related": (Related(Span("dir/a.cu", 2, 2, 2, 9), "thread (63, 0, 0) writes tile[63]"),),
        "fix": Fix((Edit(Span("dir/a.cu", 3, 2, 3, 2), "__syncthreads();\n\t"),), safe=False),
    }
    return Finding(**{**values, **changes})  # type: ignore[arg-type]


def content(*findings: Finding, files: tuple[FileResult, ...] = (FileResult("dir/a.cu", "ok"),)) -> Content:
    return Content(findings, files, "sm_90", Sources({"dir/a.cu": SOURCE}), "0.0")


def test_full_underlines_the_span_and_shows_both_places() -> None:
    rows = styled.plain(full.lines(content(finding()))).splitlines()
    assert rows[0] == "error[CU301] thread (0, 0, 0) reads tile[63] that thread (63, 0, 0) writes"
    assert rows[1] == " --> dir/a.cu:3:11  in kernel reverse"
    source = next(n for n, row in enumerate(rows) if row.startswith("3 | "))
    assert rows[source] == "3 |     out[t] = tile[63 - t];"
    assert rows[source + 1] == "  | " + " " * 13 + "^" * 12
    other = next(n for n, row in enumerate(rows) if row.startswith("2 | "))
    assert rows[other + 1] == "  |     ------- thread (63, 0, 0) writes tile[63]"
    assert "  = help: write __syncthreads() between them" in rows
    assert "  = fix: available with `cudalint --fix --unsafe-fixes`" in rows
    assert rows[-1] == "1 file: 1 error"


def test_a_span_over_lines_is_marked_to_the_end_of_its_first() -> None:
    rows = styled.plain(
        full.lines(content(finding(span=Span("dir/a.cu", 1, 12, 3, 4), related=())))
    ).splitlines()
    source = rows.index("1 | __shared__ float tile[64];")
    assert rows[source + 1] == "  | " + " " * 11 + "^" * 15


def test_a_long_line_is_shown_round_the_span() -> None:
    text = "int a; " * 100 + "tile[t] = 1;\n"
    one = finding(span=Span("w.cu", 1, 701, 1, 708), related=())
    rows = styled.plain(full.lines(Content((one,), (), "sm_90", Sources({"w.cu": text}), "0"))).splitlines()
    shown, marks = rows[3].removeprefix("1 | "), rows[4].removeprefix("  | ")
    assert shown.startswith("... ")
    assert len(shown) <= 160
    assert shown[marks.index("^") : marks.rindex("^") + 1] == "tile[t]"


def test_marks_stand_below_wide_characters() -> None:
    text = "/* 共享 */ tile[t] = 1;\n"
    one = finding(span=Span("w.cu", 1, 10, 1, 17), related=())
    rows = styled.plain(full.lines(Content((one,), (), "sm_90", Sources({"w.cu": text}), "0"))).splitlines()
    marks = rows[rows.index("1 | /* 共享 */ tile[t] = 1;") + 1]
    assert marks == "  | " + " " * 11 + "^" * 7


@pytest.mark.parametrize("span", [Span("gone.cu", 7, 1, 7, 4), Span("dir/a.cu", 99, 1, 99, 2)])
def test_a_place_without_text_is_still_named(span: Span) -> None:
    text = styled.plain(full.lines(content(finding(span=span, related=()))))
    assert f"{span.path}:{span.line}:1" in text


def test_the_summary_names_files_that_were_lost() -> None:
    files = (FileResult("a", "ok"), FileResult("b", "degraded", "x"), FileResult("c", "failed", "y"))
    text = styled.plain(full.lines(content(files=files)))
    assert text == "3 files: no findings; 1 partially analysed; 1 not analysed\n"


def test_control_characters_of_a_hostile_source_do_not_reach_the_terminal() -> None:
    one = finding(message="bad \x1b[2J name", related=())
    text = styled.plain(full.lines(content(one)))
    assert "\x1b" not in text
    assert "bad \ufffd[2J name" in text


def test_concise_is_one_line_a_finding() -> None:
    text = concise.render(content(finding(), finding(span=Span("dir/a.cu", 1, 1, 1, 2))))
    assert text.splitlines()[0].startswith(
        "dir/a.cu:3:11: error CU301 shared-memory-race: thread (0, 0, 0) reads"
    )
    assert len(text.splitlines()) == 2


def test_json_follows_the_contract() -> None:
    document = json.loads(json_report.render(content(finding(), finding(fix=None))))
    assert list(document) == ["version", "tool", "arch", "archs", "findings", "files"]
    one, two = document["findings"]
    assert list(one) == [
        "code", "name", "severity", "confidence", "path", "line", "column", "end_line", "end_column",
        "kernel", "archs",
        "message", "notes", "help", "evidence", "impact", "condition", "profile",
        "related", "fix", "fingerprint",
    ]  # fmt: skip
    assert one["fix"]["edits"][0] == {
        "path": "dir/a.cu", "line": 3, "column": 2, "end_line": 3, "end_column": 2,
        "text": "__syncthreads();\n\t",
    }  # fmt: skip
    assert one["related"] == [
        {"path": "dir/a.cu", "line": 2, "column": 2, "message": one["related"][0]["message"], "same": False}
    ]  # fmt: skip
    assert two["fix"] is None
    assert one["fingerprint"] != two["fingerprint"]
    assert document["files"] == [{"path": "dir/a.cu", "status": "ok", "reason": None}]


def test_every_report_states_impact_and_condition() -> None:
    slow = finding(impact=Impact(0.12, 0.314, Basis.SECTORS), condition="n % 256 != 0")
    shown = content(slow, finding())
    one, other = json.loads(json_report.render(shown))["findings"]
    assert one["impact"] == {"low": 0.12, "high": 0.314, "basis": "sectors"}
    assert (one["condition"], other["impact"], other["condition"]) == ("n % 256 != 0", None, None)
    text = styled.plain(full.lines(shown))
    assert text.count(" = impact: fixing it saves 12% to 31% of the kernel's time (sectors)\n") == 1
    assert text.count(" = holds if: n % 256 != 0\n") == 1
    first, second = json.loads(sarif.render(shown))["runs"][0]["results"]
    assert first["properties"]["impact"] == one["impact"]
    assert (first["rank"], "rank" in second) == (31.4, False)
    assert "Holds if n % 256 != 0\nFixing it saves 12% to 31%" in first["message"]["text"]
    assert "impact" not in second["properties"]


def test_a_fingerprint_outlives_lines_added_above() -> None:
    def fingerprint(text: str, line: int) -> str:
        one = finding(span=Span("a.cu", line, 1, line, 2), related=())
        shown = json_report.render(Content((one,), (), "sm_90", Sources({"a.cu": text}), "0"))
        return str(json.loads(shown)["findings"][0]["fingerprint"])

    assert fingerprint(SOURCE, 3) == fingerprint("// new\n\n" + SOURCE, 5)
    assert fingerprint(SOURCE, 3) != fingerprint(SOURCE, 2)


def test_numpy_numbers_in_evidence_are_written_plain() -> None:
    numpy = pytest.importorskip("numpy")
    one = finding(evidence={"a": numpy.int64(3), "b": numpy.float64(0.5), "c": numpy.arange(2), "d": {3, 1}})
    document = json.loads(json_report.render(content(one)))
    assert document["findings"][0]["evidence"] == {"a": 3, "b": 0.5, "c": [0, 1], "d": [1, 3]}


def test_github_commands_escape_what_the_runner_reads() -> None:
    one = finding(span=Span("a,b:c.cu", 3, 4, 3, 9), message="100%\nnext", related=())
    (row,) = github.render(content(one)).splitlines()
    assert row.startswith(
        "::error file=a%2Cb%3Ac.cu,line=3,endLine=3,title=CU301 shared-memory-race,col=4,endColumn=8"
        "::100%25%0Anext"
    )
    assert github.render(content(finding(severity=Severity.NOTE))).startswith("::notice ")


def test_line_hashes_are_those_of_code_scanning() -> None:
    # numbers that the reference implementation gives for these texts
    assert line_hashes("") == {1: "c129715d7a2bc9a3:1"}
    assert line_hashes(" a\nb\n  \t\tc\n d") == {
        1: "271789c17abda88f:1",
        2: "54703d4cd895b18:1",
        3: "180aee12dab6264:1",
        4: "a23a3dc5e078b07b:1",
    }


def test_line_hashes_ignore_blanks_and_the_kind_of_line_end() -> None:
    plain = line_hashes("int a;\nint b;\nreturn;\n")
    assert line_hashes("int  a;\r\n\tint b;\r\nreturn;\r\n") == plain
    assert line_hashes("int a;\rint b;\rreturn;\r") == plain


def test_equal_lines_are_numbered() -> None:
    hashes = line_hashes("x += y;\n" * 60)
    first = hashes[1].split(":")[0]
    assert [hashes[n] for n in (1, 2, 3)] == [f"{first}:1", f"{first}:2", f"{first}:3"]


def test_colours_only_on_a_terminal(tmp_path: Path) -> None:
    rows = list(full.lines(content(finding())))
    with (tmp_path / "out").open("w+", encoding="utf-8") as stream:
        styled.to_terminal(rows, stream)
        stream.seek(0)
        assert "\x1b[" not in stream.read()


def test_numbers_that_json_has_no_word_for_are_null() -> None:
    text = json_report.dump({"a": float("nan"), "b": [1.5, float("inf")], "c": (2, {"d": -float("inf")})})
    assert json.loads(text) == {"a": None, "b": [1.5, None], "c": [2, {"d": None}]}
    assert "NaN" not in text


def test_the_text_ends_with_the_changes_that_save_most() -> None:
    large = finding(code="CU101", impact=Impact(0.1, 0.5, Basis.SECTORS), message="strided")
    small = finding(code="CU201", impact=Impact(0.0, 0.2, Basis.WAVEFRONTS), message="conflict")
    rows = styled.plain(full.lines(content(small, finding(), large))).splitlines()
    assert rows[rows.index("most to gain:") :] == [
        "most to gain:",
        "  1. dir/a.cu:3 in kernel reverse: strided [CU101]",
        "     saves 10% to 50% of the kernel's time (sectors)",
        "  2. dir/a.cu:3 in kernel reverse: conflict [CU201]",
        "     saves up to 20% of the kernel's time (shared wavefronts)",
        "",
        "1 file: 3 errors",
    ]
    assert "most to gain" not in styled.plain(full.lines(content(finding(), large)))
