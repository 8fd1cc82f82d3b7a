"""C's arithmetic where Python's is another: division, conversion to integers, functions that never raise."""

import math
from collections.abc import Callable
from typing import Any

from tools.interpreter.stop import stop


def quotient(a: int, b: int) -> int:
    """Rounded towards zero."""
    if b == 0:
        stop("a division by zero")
    if a >= 0 and b > 0:
        return a // b
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def remainder(a: int, b: int) -> int:
    """With the sign of the first."""
    if b == 0:
        stop("a division by zero")
    if a >= 0 and b > 0:
        return a % b
    return a - quotient(a, b) * b


def ratio(a: float, b: float) -> float:
    """Of floats."""
    try:
        return a / b
    except ZeroDivisionError:
        return math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1.0, b)


def integer(value: float) -> int:
    """A float cut off; as the hardware does it, nothing for what is no number."""
    try:
        return int(value)
    except ValueError:
        return 0
    except OverflowError:
        return (1 << 31) - 1 if value > 0 else -(1 << 31)


def total(function: Callable[..., float]) -> Callable[..., float]:
    """A function of the mathematics library that returns NaN or infinity where Python's raises."""

    def called(*arguments: Any) -> float:
        try:
            return function(*arguments)
        except OverflowError:
            return math.inf
        except (ValueError, ZeroDivisionError):
            return math.nan

    return called


def nearest(value: float) -> float:
    """Rounded to the nearest integer, halves away from zero."""
    return math.trunc(value + math.copysign(0.5, value))


def find_first(value: int) -> int:
    """Number of the lowest set bit, from one."""
    return (value & -value).bit_length()
