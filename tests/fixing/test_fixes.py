"""Fixes: all edits of one or none, no two that overlap, line ends and odd bytes kept."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cudalint.fixing import fixes
from cudalint.rule.findings import Confidence, Edit, Finding, Fix
from cudalint.settings.severity import Severity
from cudalint.source.span import Span
from cudalint.source.text import Sources
from tests.support.command_line import Command


def edit(line: int, column: int, end: int, text: str, path: str = "a.cu") -> Edit:
    return Edit(Span(path, line, column, line, end), text)


def finding(*edits: Edit, safe: bool = True) -> Finding:
    span = edits[0].span
    return Finding("CU601", "x", Severity.WARNING, Confidence.HIGH, span, "m", fix=Fix(edits, safe))


def test_edits_apply_from_the_back() -> None:
    assert fixes.edited("a 1.0 b 2.0\n", [edit(1, 3, 6, "1.0f"), edit(1, 9, 12, "2.0f")]) == "a 1.0f b 2.0f\n"


def test_insertion_and_removal_over_lines() -> None:
    text = "one\ntwo\nthree\n"
    assert fixes.edited(text, [Edit(Span("a", 1, 4, 3, 1), "-"), edit(3, 6, 6, "!", "a")]) == "one-three!\n"


def test_overlapping_fixes_are_applied_one_at_a_time() -> None:
    first, second = finding(edit(1, 1, 5, "x")), finding(edit(1, 4, 8, "y"), edit(2, 1, 2, "z"))
    assert fixes.choose([first, second], unsafe=False) == (first.fix,)


def test_the_same_edit_of_two_findings_counts_once() -> None:
    first, second = finding(edit(1, 1, 5, "x")), finding(edit(1, 1, 5, "x"))
    assert fixes.choose([first, second], unsafe=False) == (first.fix,)


def test_unsafe_fixes_only_when_asked() -> None:
    risky = finding(edit(1, 1, 2, "x"), safe=False)
    assert fixes.choose([risky], unsafe=False) == ()
    assert fixes.choose([risky], unsafe=True) == (risky.fix,)


def test_bytes_that_are_not_utf8_and_line_ends_survive(tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_bytes(b"\xef\xbb\xbf// caf\xe9\r\nx = 1.0;\r\n")
    changed = fixes.write((Fix((edit(2, 5, 8, "1.0f", str(file)),), True),))
    assert changed == fixes.Written((str(file),))
    assert file.read_bytes() == b"\xef\xbb\xbf// caf\xe9\r\nx = 1.0f;\r\n"


def test_a_file_that_cannot_be_written_is_told_and_the_others_are_fixed(tmp_path: Path) -> None:
    file, gone = tmp_path / "a.cu", tmp_path / "gone.cu"
    file.write_text("x = 1.0;\n")
    both = tuple(Fix((edit(1, 5, 8, "1.0f", str(path)),), True) for path in (gone, file))
    written = fixes.write(both)
    assert written.changed == (str(file),)
    ((path, reason),) = written.refused
    assert path == str(gone)
    assert reason.startswith("cannot be fixed: ")
    assert file.read_text() == "x = 1.0f;\n"


def test_a_diff_is_one_that_patch_reads() -> None:
    text = fixes.diff((Fix((edit(2, 5, 8, "1.0f"),), True),), Sources({"a.cu": "// a\nx = 1.0;\n"}))
    assert text == "--- a/a.cu\n+++ b/a.cu\n@@ -1,2 +1,2 @@\n // a\n-x = 1.0;\n+x = 1.0f;\n"


def test_a_diff_of_a_last_line_without_end_says_so() -> None:
    text = fixes.diff((Fix((edit(1, 5, 8, "1.0f"),), True),), Sources({"a.cu": "x = 1.0;"}))
    assert text.splitlines()[3:] == [
        "-x = 1.0;", "\\ No newline at end of file", "+x = 1.0f;", "\\ No newline at end of file",
    ]  # fmt: skip


@given(st.text(alphabet="ab\r\n é", max_size=40), st.integers(0, 40), st.integers(0, 40), st.text(max_size=4))
def test_an_edit_changes_its_span_and_nothing_else(text: str, start: int, length: int, new: str) -> None:
    start = min(start, len(text))
    end = min(start + length, len(text))
    if text[start - 1 : start + 1] == "\r\n" or text[end - 1 : end + 1] == "\r\n":
        return  # no column stands inside a line end

    def place(offset: int) -> tuple[int, int]:
        before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
        return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1

    span = Span("a", *place(start), *place(end))
    assert fixes.edited(text, [Edit(span, new)]) == text[:start] + new + text[end:]


KERNEL = "__global__ void scale(float *o) { o[threadIdx.x] *= 0.3; }\n"
LAUNCH = "void run(float *o) { scale<<<1, 64>>>(o); }\n"


@pytest.mark.parametrize(
    "before",
    [
        b"",
        b"\xef\xbb\xbf",
        b"/* caf\xe9 */ ",
        "/* \u5171\U0001f600 */ ".encode(),
        b"/* \xe5\x85 */ ",
        b"\t\r\n",
    ],
    ids=["plain", "mark", "latin", "wide", "broken", "lines"],
)
def test_a_fix_lands_behind_whatever_stands_before_it(
    cudalint: Command, tmp_path: Path, before: bytes
) -> None:
    file = tmp_path / "a.cu"
    code = (KERNEL + LAUNCH).encode()
    file.write_bytes(before + code)
    assert (
        cudalint("a.cu", "--fix", "--unsafe-fixes", "--min-impact", "0", "--select", "CU601").returncode == 0
    )
    assert file.read_bytes() == before + code.replace(b"0.3", b"0.3f")


def test_a_header_below_a_named_folder_is_fixed_once(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "k.cuh").write_text("#pragma once\n" + KERNEL)
    for name in ("a.cu", "b.cu"):
        (tmp_path / name).write_text('#include "k.cuh"\n' + LAUNCH)
    outcome = cudalint(".", "--fix", "--unsafe-fixes", "--min-impact", "0", "--select", "CU601")
    assert (outcome.returncode, "1 fixed" in outcome.stdout) == (0, True)
    assert (tmp_path / "k.cuh").read_text() == "#pragma once\n" + KERNEL.replace("0.3", "0.3f")


def test_nothing_that_was_not_named_is_changed(cudalint: Command, tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (outside / "k.cuh").write_text(KERNEL)
    (outside / "linked.cu").write_text(KERNEL + LAUNCH)
    (inside / "a.cu").write_text('#include "../outside/k.cuh"\n' + LAUNCH)
    (inside / "linked.cu").symlink_to(outside / "linked.cu")
    known = ("--select", "CU601", "--min-impact", "0", "--unsafe-fixes")
    assert cudalint("inside", "--diff", *known).stdout == ""
    outcome = cudalint("inside", "--fix", "--fail-on", "note", *known)
    assert outcome.returncode == 1
    assert (outside / "k.cuh").read_text() == KERNEL
    assert (outside / "linked.cu").read_text() == KERNEL + LAUNCH
    assert cudalint("inside", "outside", "--fix", *known).returncode == 0
    assert (outside / "k.cuh").read_text() == KERNEL.replace("0.3", "0.3f")
