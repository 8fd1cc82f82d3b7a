"""Ranges of a file: which holds which."""

import pytest

from cudalint.source.span import Span

OUTER = Span("a.cu", 3, 5, 6, 2)


@pytest.mark.parametrize(
    ("inner", "held"),
    [
        (OUTER, True),
        (Span("a.cu", 4, 1, 5, 80), True),
        (Span("a.cu", 3, 5, 3, 6), True),
        (Span("a.cu", 3, 4, 4, 1), False),  # begins a column before
        (Span("a.cu", 5, 1, 6, 3), False),  # ends a column after
        (Span("a.cu", 1, 1, 9, 1), False),
        (Span("b.cu", 4, 1, 5, 80), False),
    ],
)
def test_a_range_contains_what_lies_wholly_inside_it(inner: Span, held: bool) -> None:
    assert OUTER.contains(inner) == held
