"""Local memory as a warp sees it: the words of its lanes lie side by side, a row of all lanes for each word
of a thread, so word w of lane l is at 128 * w + 4 * l.
"""

WORD = 4  # bytes
_SIDE_BY_SIDE = 8  # words of a sector, which are those of neighbouring lanes


def words(bytes: int) -> int:
    """Words that an access of so many bytes touches."""
    return max(1, -(-bytes // WORD))


def sectors(width: int, array: int, lanes: int) -> tuple[int, int]:
    """Sectors that a request of the first lanes of a warp moves for `width` bytes of an array of `array`
    bytes a thread: where all use one index, and at most where they differ.
    """
    each, rows = words(width), words(array)
    groups = [min(_SIDE_BY_SIDE, lanes - first) for first in range(0, lanes, _SIDE_BY_SIDE)]
    return each * len(groups), sum(min(of * each, rows) for of in groups)
