"""Other layouts of one shared-memory request, against loops over lanes, groups and banks."""

from hypothesis import given, settings
from hypothesis import strategies as st

from cudalint.simt.requests.bank_conflicts import (
    Request,
    counted,
    groups,
    padded,
    padding,
    spacing,
    widened,
)

WIDTHS = st.sampled_from([1, 2, 4, 8, 16])
LANES = st.lists(st.one_of(st.none(), st.integers(0, 400)), min_size=32, max_size=32)


@st.composite
def requests(draw: st.DrawFn, widths: st.SearchStrategy[int] = WIDTHS) -> Request:
    """A store: its groups of lanes never join, so that a plain loop counts it."""
    width = draw(widths)
    lanes = tuple(None if at is None else at * width for at in draw(LANES))
    return Request(lanes, width, store=True)


def groups_of(request: Request) -> list[list[int]]:
    """The addresses of the active lanes that are served together."""
    size = {8: 16, 16: 8}.get(request.width, 32)
    parts = [request.lanes[first : first + size] for first in range(0, 32, size)]
    return [[at for at in part if at is not None] for part in parts]


def brute(request: Request) -> int:
    """Wavefronts of a store: per group the distinct words of the fullest bank."""
    total = 0
    for group in groups_of(request):
        words = {(at + byte) // 4 for at in group for byte in range(request.width)}
        total += max((sum(word % 32 == bank for word in words) for bank in range(32)), default=0)
    return total


def moved(request: Request, pitch: int, extra: int) -> Request:
    lanes = tuple(None if at is None else at + (at // pitch) * extra for at in request.lanes)
    return Request(lanes, request.width, store=True)


@settings(max_examples=200, deadline=None)
@given(requests())
def test_wavefronts_are_those_of_the_fullest_banks(request: Request) -> None:
    active = sum(at is not None for at in request.lanes)
    assert counted(request) == (brute(request), -(-active * max(request.width, 4) // 128))


@settings(max_examples=200, deadline=None)
@given(requests())
def test_groups_with_active_lanes(request: Request) -> None:
    parts = groups_of(request)
    served = sum(bool(part) for part in parts)
    assert groups(request) == (served if 0 < served < len(parts) else 1)


@settings(max_examples=200, deadline=None)
@given(requests(st.sampled_from([1, 2, 4, 8])))
def test_a_wide_access_starts_at_a_multiple_of_its_size(request: Request) -> None:
    wide = widened(request, 2 * request.width)
    for before, after in zip(request.lanes, wide.lanes, strict=True):
        assert (before is None) == (after is None)
        if before is not None and after is not None:
            assert after % wide.width == 0 and after <= before < after + wide.width
    assert wide.width == 2 * request.width and counted(wide)[0] == brute(wide)


@settings(max_examples=200, deadline=None)
@given(requests(), st.sampled_from([32, 64, 128, 512]), st.integers(0, 8))
def test_rows_further_apart(request: Request, pitch: int, more: int) -> None:
    extra = more * request.width
    expected = brute(moved(request, pitch, extra)) if any(at is not None for at in request.lanes) else None
    assert padded(request, pitch, extra) == expected


@settings(max_examples=200, deadline=None)
@given(WIDTHS, st.integers(1, 80), st.sets(st.integers(0, 31), min_size=1), st.booleans())
def test_the_nearest_spacing_without_conflict(width: int, step: int, on: set[int], back: bool) -> None:
    unit = max(width, 4)
    stride = (-1 if back else 1) * step * unit
    lanes = tuple(32 * 80 * 16 + lane * stride if lane in on else None for lane in range(32))
    tried = {
        extra: Request(
            tuple(lane * (abs(stride) + extra) if lane in on else None for lane in range(32)), width, True
        )
        for extra in range(unit, 129, unit)
    }
    ideal = max(1, -(-len(on) * unit // 128))
    free = [extra for extra, request in tried.items() if brute(request) <= ideal]
    assert spacing(Request(lanes, width, True), stride) == (free[0] if free else None)


def test_uneven_lanes_have_no_spacing() -> None:
    assert spacing(Request((0, 64, 130, *(None,) * 29), 4), 64) is None
    assert spacing(Request((None,) * 32, 4), 64) is None


@settings(max_examples=150, deadline=None)
@given(st.sampled_from([16, 32, 64]), st.lists(requests(st.just(4)), max_size=3), st.integers(1, 32))
def test_the_padding_with_the_fewest_wavefronts(columns: int, others: list[Request], rows: int) -> None:
    pitch = 4 * columns
    worst = Request(tuple((lane % rows) * pitch + 4 * (lane // rows) for lane in range(32)), 4, True)
    whole = (worst, *others)
    totals = {extra: sum(brute(moved(request, pitch, 4 * extra)) for request in whole) for extra in range(9)}
    allowed = [extra for extra in range(1, 9) if brute(moved(worst, pitch, 4 * extra)) == 1]
    best = min(allowed, key=lambda extra: (totals[extra], extra), default=0)
    assert padding(worst, whole, pitch, 4) == (best if best and totals[best] < totals[0] else None)


def test_a_padding_keeps_vectors_aligned_where_their_lanes_are_not_known() -> None:
    column = Request(tuple(128 * lane for lane in range(32)), 4, True)
    assert padding(column, (column,), 128, 4) == 1
    assert padding(column, (column, Request((), 16)), 128, 4) is None
