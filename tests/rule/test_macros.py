"""What a macro's body causes is one finding for all its expansions."""

from cudalint.host.facts import HostFacts
from cudalint.ir.unit import Unit
from cudalint.rule import macros
from cudalint.rule.findings import Confidence, Edit, Finding, Fix
from cudalint.rule.rule import Context
from cudalint.settings.severity import Severity
from cudalint.source.span import Span

LINES = (
    "#define HALF 0.1",
    "#define SCALED(x) ((x) * 0.3)",
    "a = x * HALF + SCALED(x + f(1));",
    "b = y * HALF + SCALED(y);",
    "#define HALF 0.2",
    "c = z * HALF + plain(z);",
)
CODES = frozenset(["CU601"])


def at(line: int, text: str, code: str = "CU601", fix: Fix | None = None, **evidence: int) -> Finding:
    """A finding at the words of a line."""
    column = LINES[line - 1].index(text) + 1
    span = Span("a.cu", line, column, line, column + len(text))
    return Finding(code, "x", Severity.WARNING, Confidence.HIGH, span, "m", fix=fix, evidence=dict(evidence))


def together(*findings: Finding) -> tuple[Finding, ...]:
    unit = Unit("a.cu", "sm_90", {}, {}, {}, (), (), ())
    context = Context(unit, (), HostFacts((), (), ()), 90, {"a.cu": LINES})
    return macros.together(findings, context, CODES)


def test_expansions_of_one_macro_are_one_finding() -> None:
    first, second = at(3, "HALF"), at(4, "HALF")
    (found,) = together(first, second)
    assert found.span == first.span
    assert [item.span for item in found.related] == [second.span]
    assert found.notes == ("in the body of macro `HALF`, also expanded at 1 more place",)


def test_arguments_may_differ() -> None:
    assert len(together(at(3, "SCALED(x + f(1))"), at(4, "SCALED(y)"))) == 1


def test_what_is_not_one_body_stays_apart() -> None:
    fix = Fix((Edit(at(4, "HALF").span, "0.1f"),), True)
    for one, two in (
        (at(3, "HALF"), at(3, "SCALED(x + f(1))")),
        (at(3, "HALF"), at(6, "HALF")),  # defined anew between them
        (at(3, "HALF", bits=32), at(4, "HALF", bits=64)),
        (at(3, "HALF"), at(4, "HALF", fix=fix)),
        (at(3, "HALF", code="CU101"), at(4, "HALF", code="CU101")),
        (at(6, "plain(z)"), at(6, "plain(z)")),
        (at(3, "HALF + SCALED(x + f(1))"), at(4, "HALF + SCALED(y)")),
    ):
        assert together(one, two) == (one, two)
