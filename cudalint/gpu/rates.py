"""How fast double precision is beside single, by compute capability.

Source: CUDA C++ Programming Guide, "Arithmetic Instructions", table of results a clock and multiprocessor
(32-bit against 64-bit floating-point add, multiply, multiply-add), and NVIDIA's architecture whitepapers.
Capabilities whose rate is not published, or differs between products (2.0), have no row.
"""

_RATIOS: dict[int, int] = {
    21: 12,
    30: 24,
    35: 3,
    37: 3,
    50: 32,
    52: 32,
    53: 32,
    60: 2,
    61: 32,
    62: 32,
    70: 2,
    75: 32,
    80: 2,
    86: 64,
    89: 64,
    90: 2,
    100: 2,
    120: 64,
    121: 64,
}

# The pair of CU601 on an H200: its slow variant does three conversions an iteration, which take the time of
# 25 float operations; in `experiments/guides.cu` two of them take that of 17. Others have not been measured.
_CONVERSIONS: dict[int, int] = {90: 8}


def conversion_ratio(arch: int) -> int | None:
    """How many float operations a multiprocessor does in the time of one conversion between float and double;
    None: not known.
    """
    return _CONVERSIONS.get(arch)


def fp64_ratio(arch: int) -> int | None:
    """How many float operations a multiprocessor does in the time of one in double; None: not known."""
    return _RATIOS.get(arch)
