"""Suppression and assumption comments are found, strings are not."""

import pytest

from cudalint.source.comments import assumptions, suppressions
from cudalint.source.span import Span
from cudalint.source.suppressions import Suppression


def found(text: str) -> list[tuple[tuple[str, ...], str, int, str, bool]]:
    return [
        (s.codes, s.scope, s.span.line, s.reason, s.native)
        for s in suppressions("a.cu", text, {"bank-conflict": "CU201"})
    ]


@pytest.mark.parametrize(
    ("text", "codes", "scope", "reason"),
    [
        ("x; // cudalint: ignore[CU101] known slow", ("CU101",), "line", "known slow"),
        ("x; // cudalint: ignore[CU101,CU102]", ("CU101", "CU102"), "line", ""),
        ("x; // cudalint: ignore[cu101, bank-conflict]: why", ("CU101", "CU201"), "line", "why"),
        ("x; // cudalint: ignore", (), "line", ""),
        ("// cudalint: ignore-next-line[CU301] fine\nx;", ("CU301",), "next-line", "fine"),
        ("/* cudalint: ignore-file[CU601] doubles are meant */", ("CU601",), "file", "doubles are meant"),
        ("x; /* cudalint: ignore[no-such-rule] */", ("no-such-rule",), "line", ""),
    ],
)
def test_native_forms(text: str, codes: tuple[str, ...], scope: str, reason: str) -> None:
    assert found(text) == [(codes, scope, 1, reason, True)]


def test_nolint_counts_only_with_a_cudalint_code() -> None:
    text = (
        "a; // NOLINT\nb; // NOLINT(bugprone-x)\n"
        "c; // NOLINT(cu101-strided-global-access, bugprone-x) why\n// NOLINTNEXTLINE(cu302)\n"
    )
    assert found(text) == [(("CU101",), "line", 3, "why", False), (("CU302",), "next-line", 4, "", False)]


@pytest.mark.parametrize(
    "text",
    [
        's = "// cudalint: ignore[CU101]";',
        's = R"x(// cudalint: ignore[CU101] )x";',
        's = \'"\'; t = "// cudalint: ignore";',
        "n = 1'000'000; s = \"// cudalint: ignore\";",
    ],
)
def test_strings_are_no_comments(text: str) -> None:
    assert found(text) == []


def test_quotes_inside_comments_do_not_open_strings() -> None:
    assert found("// don't\nx; // cudalint: ignore[CU101]\n") == [(("CU101",), "line", 2, "", True)]


def test_spans_count_code_points() -> None:
    text = "/* é */ x; // cudalint: ignore[CU101] r\n"
    [item] = suppressions("a.cu", text)
    assert item == Suppression(("CU101",), "line", Span("a.cu", 1, 15, 1, 38), "r")
    assert text[item.span.column - 1 : item.span.end_column - 1] == "cudalint: ignore[CU101]"


def test_assumptions() -> None:
    text = (
        "// cudalint: assume blockDim.x == 256\nint a; /* cudalint: assume n % 32 == 0 */\n"
        's = "cudalint: assume x";'
    )
    assert list(assumptions("k.cu", text)) == [
        ("blockDim.x == 256", Span("k.cu", 1, 21, 1, 38)),
        ("n % 32 == 0", Span("k.cu", 2, 28, 2, 39)),
    ]
