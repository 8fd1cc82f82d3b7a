"""Suppression comments as findings meet them."""

from pathlib import Path

from msgspec.structs import replace

from cudalint.engine.suppression import apply, unused
from cudalint.rule.findings import Confidence, Finding, Related
from cudalint.rule.outcome import FileOutcome, SuppressionUse, UnitResult
from cudalint.settings.severity import Severity
from cudalint.source.span import Span
from cudalint.source.suppressions import Suppression
from tests.support.command_line import STRIDED, Command, codes


def finding(line: int, code: str = "CU101", path: str = "a.cu") -> Finding:
    return Finding(code, "x", Severity.WARNING, Confidence.HIGH, Span(path, line, 1, line, 5), "message")


def comment(line: int, scope: str, *codes: str, native: bool = True) -> Suppression:
    return Suppression(codes, scope, Span("a.cu", line, 10, line, 40), native=native)


def test_each_form_covers_its_place() -> None:
    findings = [finding(n) for n in (1, 2, 3)]
    kept, _ = apply(findings, (comment(2, "line", "CU101"),))
    assert [f.span.line for f in kept] == [1, 3]
    kept, _ = apply(findings, (comment(2, "next-line", "CU101"),))
    assert [f.span.line for f in kept] == [1, 2]
    kept, _ = apply(findings, (comment(9, "file", "CU101"),))
    assert kept == ()


def test_each_line_of_a_finding_is_silenced_by_itself() -> None:
    lines = [Related(Span("a.cu", n, 1, n, 5), "again", same=True) for n in (4, 6)]
    cause = Related(Span("a.cu", 9, 1, 9, 5), "the cause")
    whole = replace(finding(2), related=(*lines, cause))

    def left(*silenced: int) -> list[tuple[int, list[int]]]:
        comments = tuple(comment(n, "line", "CU101") for n in silenced)
        kept, uses = apply([whole], comments)
        assert all(bool(use.used) == (use.suppression.span.line != 9) for use in uses)
        return [(one.span.line, [place.span.line for place in one.related]) for one in kept]

    assert left() == left(9) == [(2, [4, 6, 9])]
    assert left(4) == [(2, [6, 9])]
    assert left(2) == [(4, [4, 6, 9])]
    assert left(2, 4) == [(6, [6, 9])]
    assert left(2, 4, 6) == []


def test_other_codes_and_other_files_stay() -> None:
    kept, uses = apply([finding(2, "CU102"), finding(2, path="b.cu")], (comment(2, "line", "CU101"),))
    assert len(kept) == 2
    assert uses[0].used == frozenset()
    kept, _ = apply([finding(2, "CU102")], (comment(2, "line"),))
    assert kept == ()


KNOWN = {"CU101": True, "CU102": False, "CU106": True}


def result(status: str, uses: tuple[SuppressionUse, ...], enabled: set[str]) -> UnitResult:
    return UnitResult("a.cu", FileOutcome("a.cu", status), suppressions=uses, enabled=frozenset(enabled))


def test_unused_counts_over_all_units_and_only_codes_looked_for() -> None:
    item = comment(2, "line", "CU101", "CU106")
    idle, busy = SuppressionUse(item, frozenset()), SuppressionUse(item, frozenset({"CU101"}))
    assert unused([result("ok", (idle,), {"CU101"}), result("ok", (busy,), {"CU101"})], KNOWN) == ()
    (found,) = unused([result("ok", (idle,), {"CU101"})], KNOWN)
    assert found.codes == ("CU101",)
    (found,) = unused([result("ok", (idle,), {"CU101", "CU106"})], KNOWN)
    assert found.codes == ()
    assert unused([result("degraded", (idle,), {"CU101"})], KNOWN) == ()


def test_a_word_that_names_no_rule_is_unused_whatever_was_looked_for() -> None:
    item = comment(2, "line", "CU101", "CU999")
    use = SuppressionUse(item, frozenset({"CU101"}))
    (found,) = unused([result("ok", (use,), {"CU101"})], KNOWN)
    assert (found.codes, found.unknown) == (("CU999",), ("CU999",))
    foreign = SuppressionUse(comment(2, "line", "CU999", native=False), frozenset())
    assert unused([result("ok", (foreign,), {"CU101"})], KNOWN) == ()


def test_the_beginning_of_codes_names_them_all() -> None:
    item = comment(2, "line", "CU1")
    kept, (use,) = apply([finding(2), finding(2, "CU106"), finding(2, "CU201")], (item,))
    assert [one.code for one in kept] == ["CU201"]
    assert unused([result("ok", (use,), {"CU101"})], KNOWN) == ()
    idle = SuppressionUse(item, frozenset())
    assert unused([result("ok", (idle,), {"CU101"})], KNOWN) == ()  # CU106 was not looked for
    assert len(unused([result("ok", (idle,), {"CU101", "CU106"})], KNOWN)) == 1
    ((found),) = unused(
        [result("ok", (SuppressionUse(comment(2, "line", "CU9"), frozenset()),), set())], KNOWN
    )
    assert found.unknown == ("CU9",)


def test_a_foreign_blanket_nolint_is_never_called_unused() -> None:
    item = comment(2, "line", native=False)
    assert unused([result("ok", (SuppressionUse(item, frozenset()),), {"CU101"})], KNOWN) == ()


def test_comments_of_a_real_file(cudalint: Command, tmp_path: Path) -> None:
    def found(text: str, *arguments: str) -> list[tuple[int, str]]:
        (tmp_path / "a.cu").write_text(text)
        outcome = cudalint("a.cu", "--output-format", "json", *arguments)
        return [(line, code) for _, line, code in codes(outcome)]

    line = "    out[i] = in[i];"
    assert found(STRIDED) == [(4, "CU101")]
    assert found(STRIDED.replace(line, line + "  // cudalint: ignore[CU101] the layout is given")) == []
    assert found(STRIDED.replace(line, line + "  // cudalint: ignore")) == []
    assert found(STRIDED.replace(line, line + "  /* NOLINT(cu101-strided-global-access) */")) == []
    assert found(STRIDED.replace(line, "    // cudalint: ignore-next-line[CU101]\n" + line)) == []
    assert found("// cudalint: ignore-file[strided-global-access] a sample\n" + STRIDED) == []
    other = line + "  // cudalint: ignore[CU103]"
    assert found(STRIDED.replace(line, other)) == [(4, "CU101"), (4, "CU003")]
    assert found(STRIDED.replace(line, other), "--ignore", "CU003") == [(4, "CU101")]
    assert found(STRIDED.replace(line, other), "--select", "CU101") == [(4, "CU101")]
    # A file outside of the working directory.
    (tmp_path / "inner").mkdir()
    (tmp_path / "a.cu").write_text(STRIDED.replace(line, other))
    outside = cudalint(
        "../a.cu", "--select", "CU003,CU103", "--output-format", "json", cwd=tmp_path / "inner"
    )
    assert codes(outside) == [("../a.cu", 4, "CU003")]
    typo = line + "  // cudalint: ignore[CU199, CU101]"
    assert found(STRIDED.replace(line, typo)) == [(4, "CU003")]
    both = line + "  // cudalint: ignore[CU101, CU103]"
    assert found(STRIDED.replace(line, both)) == [(4, "CU003")]


def test_a_comment_in_a_header_counts_over_all_units(cudalint: Command, tmp_path: Path) -> None:
    kernel = STRIDED.split("int main")[0].replace("* 2", "* STEP")
    marked = kernel.replace("in[i];", "in[i];  // cudalint: ignore[CU101] one unit needs it")
    (tmp_path / "k.cuh").write_text(marked)
    launch = "void run(float *o, const float *i) { spread<<<640, 256>>>(o, i); }\n"
    for name, step in (("a.cu", 1), ("b.cu", 2)):
        (tmp_path / name).write_text(f'#define STEP {step}\n#include "k.cuh"\n{launch}')
    assert codes(cudalint(".", "--output-format", "json")) == []
    outcome = cudalint("a.cu", "--output-format", "json")
    assert codes(outcome) == [("k.cuh", 4, "CU003")]


def test_lines_of_one_cause_in_a_real_file(cudalint: Command, tmp_path: Path) -> None:
    line = "    out[i] = in[i];\n"
    silent = line.replace(";\n", ";  // cudalint: ignore[CU101]\n")

    def found(*lines: str) -> list[tuple[int, str]]:
        (tmp_path / "a.cu").write_text(STRIDED.replace(line, "".join(lines).replace("[i]", "[i + 1]", 1)))
        return [(line, code) for _, line, code in codes(cudalint("a.cu", "--output-format", "json"))]

    assert found(line, line) == [(4, "CU101")]
    assert found(line, silent) == [(4, "CU101")]
    assert found(silent, line) == [(5, "CU101")]
    assert found(silent, silent) == []
