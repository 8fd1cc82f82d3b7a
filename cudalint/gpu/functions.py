"""What a call of the mathematics library costs: instructions, as nvcc 13.0 makes them for sm_90.

Counted in the machine code by experiments/functions.py, on the shortest way through one call: that of
arguments that need no reduction of their range. In double the shortest way is that of zero or infinity for
some; these have no row.
"""

from msgspec import Struct


class Instructions(Struct, frozen=True):
    """All of them; those in double precision; those for the unit of special functions."""

    all: int
    double: int = 0
    special: int = 0


DIVISION = {4: Instructions(8, 0, 1), 8: Instructions(14, 8, 1)}  # by bytes of the operands

_FLOAT = {
    "acos": (25, 1), "acosh": (39, 1), "asin": (24, 1), "asinh": (37, 2), "atan": (20, 0), "atan2": (36, 1),
    "atanh": (33, 1), "cbrt": (15, 2), "cos": (26, 0), "cosh": (15, 2), "cospi": (24, 0), "erf": (27, 1),
    "erfc": (47, 3), "erfinv": (27, 2), "exp": (8, 1), "exp10": (8, 1), "exp2": (3, 1), "expm1": (28, 1),
    "fmod": (7, 0), "hypot": (22, 1), "lgamma": (21, 0), "log": (27, 0), "log10": (28, 0), "log1p": (23, 0),
    "log2": (29, 0), "norm3d": (27, 1), "norm4d": (33, 1), "normcdf": (63, 3), "pow": (63, 1),
    "rcbrt": (16, 2), "rhypot": (16, 1), "rnorm3d": (22, 1), "rnorm4d": (28, 1), "rsqrt": (3, 1),
    "sin": (25, 0), "sincos": (29, 0), "sincospi": (29, 0), "sinh": (24, 2), "sinpi": (24, 0), "sqrt": (7, 1),
    "tan": (22, 1), "tanh": (16, 2), "tgamma": (29, 1),
}  # fmt: skip
_DOUBLE = {
    "cos": (29, 11), "cospi": (41, 13), "exp": (46, 14), "exp10": (52, 16), "exp2": (45, 15), "fmax": (7, 0),
    "fmin": (7, 0), "hypot": (43, 14), "norm3d": (74, 20), "norm4d": (96, 25), "rhypot": (30, 11),
    "rnorm3d": (63, 20), "rnorm4d": (84, 25), "rsqrt": (11, 4), "sin": (28, 11), "sincos": (58, 16),
    "sincospi": (75, 21), "sinpi": (36, 14), "sqrt": (15, 7), "tan": (56, 18),
}  # fmt: skip

# Of operands in double: they load coefficients from a table in global memory (nvcc 13.0).
_TABLES = frozenset("cos cospi sin sinpi lgamma tgamma j0 j1 jn y0 y1 yn".split())

# Those that are one instruction, or two.
_ONE = frozenset("fabs abs floor ceil trunc rint nearbyint fma copysign fdim fmin fmax min max".split())


def instructions(name: str, bytes: int) -> Instructions | None:
    """Those of one call by the name without its `f`, for operands of so many bytes; None: not known."""
    if bytes == 4 and name in _FLOAT:
        count, special = _FLOAT[name]
        return Instructions(count, 0, special)
    if bytes == 8 and name in _DOUBLE:
        count, double = _DOUBLE[name]
        return Instructions(count, double)
    return Instructions(1, int(bytes == 8)) if name in _ONE else None


def reads_table(name: str, bytes: int) -> bool:
    """Whether a call by the name without its `f`, for operands of so many bytes, loads from global memory."""
    return bytes == 8 and name in _TABLES
