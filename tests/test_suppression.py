"""Suppression comments as findings meet them."""

from cudalint.findings import Confidence, Finding, Severity
from cudalint.ir.source import Span
from cudalint.ir.unit import Suppression
from cudalint.outcome import FileOutcome, SuppressionUse, UnitResult
from cudalint.suppression import apply, unused


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


def test_other_codes_and_other_files_stay() -> None:
    kept, uses = apply([finding(2, "CU102"), finding(2, path="b.cu")], (comment(2, "line", "CU101"),))
    assert len(kept) == 2
    assert uses[0].used == frozenset()
    kept, _ = apply([finding(2, "CU102")], (comment(2, "line"),))
    assert kept == ()


def result(status: str, uses: tuple[SuppressionUse, ...], enabled: set[str]) -> UnitResult:
    return UnitResult("a.cu", FileOutcome("a.cu", status), suppressions=uses, enabled=frozenset(enabled))


def test_unused_counts_over_all_units_and_only_codes_looked_for() -> None:
    item = comment(2, "line", "CU101", "CU106")
    idle, busy = SuppressionUse(item, frozenset()), SuppressionUse(item, frozenset({"CU101"}))
    assert unused([result("ok", (idle,), {"CU101"}), result("ok", (busy,), {"CU101"})]) == ()
    (found,) = unused([result("ok", (idle,), {"CU101"})])
    assert found.codes == ("CU101",)
    (found,) = unused([result("ok", (idle,), {"CU101", "CU106"})])
    assert found.codes == ()
    assert unused([result("degraded", (idle,), {"CU101"})]) == ()


def test_a_foreign_blanket_nolint_is_never_called_unused() -> None:
    item = comment(2, "line", native=False)
    assert unused([result("ok", (SuppressionUse(item, frozenset()),), {"CU101"})]) == ()
