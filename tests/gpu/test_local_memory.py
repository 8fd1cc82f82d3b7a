"""Sectors of requests to local memory, against the addresses of its bytes."""

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from cudalint.gpu.local import sectors


def _touched(places: tuple[int, ...], width: int) -> int:
    """Sectors that lanes 0, 1, ... move for the elements at these places of their arrays."""
    addresses = {
        128 * (byte // 4) + 4 * lane + byte % 4
        for lane, place in enumerate(places)
        for byte in range(place * width, (place + 1) * width)
    }
    return len({address // 32 for address in addresses})


@given(st.sampled_from([1, 2, 4, 8, 16]), st.integers(1, 40), st.integers(1, 32), st.data())
def test_no_choice_of_places_moves_less_or_more(
    width: int, count: int, lanes: int, data: st.DataObject
) -> None:
    least, most = sectors(width, width * count, lanes)
    place = data.draw(st.integers(0, count - 1))
    assert _touched((place,) * lanes, width) == least
    places = tuple(data.draw(st.lists(st.integers(0, count - 1), min_size=lanes, max_size=lanes)))
    assert least <= _touched(places, width) <= most


@settings(deadline=None)
@given(st.sampled_from([1, 2, 4, 8, 16]), st.integers(1, 5), st.integers(1, 4))
def test_the_most_is_what_some_choice_moves(width: int, count: int, lanes: int) -> None:
    most = sectors(width, width * count, lanes)[1]
    assert max(_touched(places, width) for places in product(range(count), repeat=lanes)) == most


def test_known_requests() -> None:
    assert sectors(4, 400, 32) == (4, 32)
    assert sectors(8, 400, 32) == (8, 64)
    assert sectors(16, 400, 32) == (16, 128)
    assert sectors(1, 16, 32) == (4, 16)
    assert sectors(4, 16, 4) == (1, 4)
    assert sectors(8, 24, 9) == (4, 8)
