"""Powers that are cheaper to write than to call `pow` for."""

from math import isclose

from msgspec import Struct

from cudalint.analyses.device_code import Body
from cudalint.cuda.maths import floating
from cudalint.ir.expressions import Call, Expression


class Way(Struct, frozen=True):
    """What to write for a power of {x}, {f} being the suffix of float functions, and to how many instructions
    nvcc 13.0 compiles it for sm_90 in float and in double, slow paths included.
    """

    text: str
    single: int
    double: int


_WAYS: dict[float, Way] = {
    2.0: Way("{x} * {x}", 1, 1),
    3.0: Way("{x} * {x} * {x}", 2, 2),
    4.0: Way("({x} * {x}) * ({x} * {x})", 2, 2),
    5.0: Way("({x} * {x}) * ({x} * {x}) * {x}", 3, 3),
    6.0: Way("({x} * {x} * {x}) * ({x} * {x} * {x})", 3, 3),
    -2.0: Way("1 / ({x} * {x})", 67, 57),
    -1.0: Way("1 / {x}", 66, 56),
    0.5: Way("sqrt{f}({x})", 36, 62),
    -0.5: Way("rsqrt{f}({x})", 4, 49),
    1.5: Way("{x} * sqrt{f}({x})", 37, 63),
    0.25: Way("sqrt{f}(sqrt{f}({x}))", 50, 95),
}
_THIRDS: dict[float, Way] = {
    1.0: Way("cbrt{f}({x})", 16, 44),
    -1.0: Way("rcbrt{f}({x})", 17, 49),
    2.0: Way("cbrt{f}({x}) * cbrt{f}({x})", 17, 45),
}
_BASES: dict[float, Way] = {2.0: Way("exp2{f}({x})", 4, 62), 10.0: Way("exp10{f}({x})", 10, 69)}

# Written with seven digits or more a third is meant.
_THIRD = 1e-6


class Power(Struct, frozen=True):
    """A call of pow with a number in it. exponent: the number is the exponent, else it is the base."""

    call: Call
    varying: Expression
    number: float
    exponent: bool
    way: Way

    @property
    def instructions(self) -> int:
        """Of the call, counted as those of the ways are."""
        single = floating(self.call.type, 4)
        if not self.exponent:
            return {2.0: 53, 10.0: 56}[self.number] if single else 198
        if self.number % 2 == 0:
            return 77 if single else 198
        if single:
            return 79
        return 204 if 4 * self.number % 4 in (1, 2, 3) else 208


def power(call: Call, body: Body) -> Power | None:
    """The call as a power that there is a cheaper way for."""
    if call.name not in ("pow", "powf") or len(call.arguments) != 2 or not floating(call.type):
        return None
    base, exponent = call.arguments
    below, above = body.constant(base), body.constant(exponent)
    if below is None and above is not None:
        way = _by_exponent(float(above))
        return Power(call, base, float(above), True, way) if way else None
    if above is None and below is not None and float(below) in _BASES:
        return Power(call, exponent, float(below), False, _BASES[float(below)])
    return None


def _by_exponent(number: float) -> Way | None:
    if number in _WAYS:
        return _WAYS[number]
    thirds = round(3 * number)
    return _THIRDS.get(thirds) if isclose(3 * number, thirds, rel_tol=3 * _THIRD) else None
