"""Where the warps of an access start, as the sizes tried show it."""

import pytest

from cudalint.simt.facts.accesses.access import Access, Lanes, Layout, Transactions, Trial
from cudalint.simt.query.pattern import Pattern, classify
from cudalint.source.span import Span

SPAN = Span("a.cu", 1, 1, 1, 2)


def shifted(*means: float | None) -> Access:
    """A load of consecutive words that start half a sector on, with a mean for each size tried."""
    return Access(
        SPAN,
        "a[i]",
        "global",
        "load",
        4,
        Transactions(5.0, 4.0, "bounded", 5.0, 5.0),
        "kernel",
        trials=(Trial(None, means, ()),),
        layout=Layout(lane_stride=4, lane_strides=(4,), offset=16, offsets=(16,)),
        lanes=Lanes(worst=tuple(16 + 4 * lane for lane in range(32)), full=()),
    )


@pytest.mark.parametrize(
    ("means", "expected"),
    [
        ((5.0, 5.0, 5.0, 5.0), True),
        ((5.0,), True),
        ((5.0, None, 5.0, None), True),
        ((None, None, 5.0, None), False),
    ],
)
def test_one_of_several_sizes_does_not_tell_where_warps_start(
    means: tuple[float | None, ...], expected: bool
) -> None:
    assert (classify(shifted(*means)) is Pattern.MISALIGNED) is expected
