"""Shapes tried where launches do not tell the whole block."""

import pytest

from cudalint.simt.launch.shapes import OTHERS, USUAL, Partial, Shape, agreed, shapes


@pytest.mark.parametrize(
    ("axes", "told", "expected"),
    [
        (1, (None, None, None), ((256, 1, 1), (128, 1, 1))),
        (2, (None, None, None), ((16, 16, 1), (32, 8, 1))),
        (2, (None, 1, 1), ((256, 1, 1), (128, 1, 1))),
        (1, (None, None, 1), ((16, 16, 1), (32, 8, 1))),
        (2, (32, None, 1), ((32, 32, 1),)),
        (2, (None, 8, 1), ((128, 8, 1),)),
        (3, (None, None, 64), ((4, 4, 64), (4, 4, 64))),
        (1, (2048, None, 1), ((256, 1, 1), (128, 1, 1))),
        (1, (0, None, 1), ((256, 1, 1), (128, 1, 1))),
    ],
)
def test_told_extents_are_kept(axes: int, told: Partial, expected: tuple[Shape, ...]) -> None:
    assert shapes(USUAL, axes, told) == tuple(dict.fromkeys(expected))


def test_a_bound_is_kept() -> None:
    assert shapes(USUAL, 2, (None, 8, 1), 256) == ((32, 8, 1),)


def test_other_shapes_keep_what_is_told_too() -> None:
    assert shapes(OTHERS, 2, (None, 1, 1)) == ((64, 1, 1), (160, 1, 1), (512, 1, 1))


def test_launches_that_differ_tell_nothing() -> None:
    assert agreed([(None, 1, 1), (None, 2, 1)]) == (None, None, 1)
    assert agreed([]) == (None, None, None)
