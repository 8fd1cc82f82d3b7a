"""Empty lines, indentation and comments leave the code as it is; nothing else does."""

import pytest

from cudalint.source.relaid import relaid

TEXT = """\
#define TWICE(a) \\
    ((a) + (a))
// doubles
int twice(int a) {
    return TWICE(a);  // one
}
const char *source = R"(
 first

)";
"""
SAME = {
    "empty lines": ("int twice", "\n\nint twice"),
    "indentation": ("    return TWICE", "  return TWICE"),
    "a comment gone": ("// doubles\n", ""),
    "a comment of lines": ("// doubles", "/* it\n doubles */"),
    "blanks at the end": ("return TWICE(a);  // one", "return TWICE(a);   "),
}
OTHER = {
    "a number": ("(a) + (a)", "(a) + (b)"),
    "a line broken": ("return TWICE(a);", "return\n    TWICE(a);"),
    "an empty line in a macro": ("(a) \\\n", "(a) \\\n\n"),
    "indentation in a macro": ("    ((a)", "((a)"),
    "an empty line in a string": (" first\n", " first\n\n"),
    "indentation in a string": (" first\n", "first\n"),
    "code behind a comment of lines": ("int twice", "/*\n*/ int twice"),
    "a comment that ignores": ("// one", "// cudalint: ignore[CU101]"),
    "a comment that assumes": ("// doubles", "// cudalint: assume a > 0"),
}


@pytest.mark.parametrize("edit", SAME)
def test_the_code_stays(edit: str) -> None:
    assert relaid(TEXT, TEXT.replace(*SAME[edit], 1)) is not None


@pytest.mark.parametrize("edit", OTHER)
def test_the_code_may_be_another(edit: str) -> None:
    text = TEXT.replace(*OTHER[edit], 1)
    assert text != TEXT
    assert relaid(TEXT, text) is None


def test_lines_and_columns_move() -> None:
    places = relaid(TEXT, TEXT.replace("// doubles\n", "\n\n").replace("    return", "  return"))
    assert places is not None
    assert (places[1], places[4], places[5]) == ((1, 0), (5, 0), (6, -2))
    assert 3 not in places


@pytest.mark.parametrize("comment", ["// cudalint: ignore-next-line[CU101]", "// NOLINTNEXTLINE(cu101)"])
def test_what_is_ignored_stays_ignored(comment: str) -> None:
    text = TEXT.replace("// doubles", comment)
    assert relaid(text, f"\n{text}") is not None
    assert relaid(text, text.replace("int twice", "\nint twice")) is None


def test_an_ignored_line_stays_ignored() -> None:
    text = TEXT.replace("// one", "// cudalint: ignore")
    assert relaid(text, text.replace("// doubles", "")) is not None
    assert relaid(text, text.replace("  // cudalint", "\n    // cudalint")) is None


def test_other_line_ends() -> None:
    text = TEXT.replace("\n", "\r\n")
    assert relaid(text, text.replace("int twice", "\r\nint twice")) is not None
    assert relaid(text, text.replace("(a) \\\r\n", "(a) \\\r\n\r\n")) is None
