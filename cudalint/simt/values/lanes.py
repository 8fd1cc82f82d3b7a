"""Lane vectors: a value of the warp model is one number a lane, and knows for which lanes the number is true.

A lane vector covers every thread of every sample (one sample = one valuation and one block), see samples.py.
`data` is a Python number when all lanes agree, else a numpy array of shape (lanes,): int64, float64 or bool.
`known` is True, False, or a bool array of that shape. `free` tells, in bits, which numbers nobody knows and a
valuation chose went into it. Integers of 64 bits are held as signed; narrower ones are wrapped as C++ does.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from cudalint.cuda.warp import WARP
from cudalint.ir.types import Scalar, Type

CHOSEN = 1  # one number for the whole grid
BY_BLOCK = 2  # one number that may differ between blocks, or from one time to the next
BY_WARP = 4  # numbers that may differ between warps
DATA = 8  # numbers made up for what memory holds, the same for the same address
ORDERED = 16  # likewise, where the program is written for data in some order: rows, starts of segments
COUNTED = 32  # a counter's numbers: known in each iteration, but not how far it comes

Data = int | float | bool | NDArray[Any]
Bools = NDArray[np.bool_]


class Value(Struct, frozen=True):
    data: Data
    known: bool | Bools = True
    free: int = 0
    why: str = ""

    @property
    def is_scalar(self) -> bool:
        return self.known is True and not isinstance(self.data, np.ndarray)


UNKNOWN = Value(0, False)
ZERO = Value(0)
ONE = Value(1)


def unknown(why: str) -> Value:
    """A value without a number in any lane; `why` is told to the user."""
    return Value(0, False, why=why)


def one_a_warp(data: Data, mask: Bools) -> bool:
    """Whether the active lanes of each warp have one number."""
    if not isinstance(data, np.ndarray):
        return True
    rows, active = data.reshape(-1, WARP), mask.reshape(-1, WARP)
    first = rows[np.arange(len(rows)), active.argmax(axis=1)]
    return not np.count_nonzero((rows != first[:, None]) & active)


def both_known(a: bool | Bools, b: bool | Bools) -> bool | Bools:
    """Lanes where both are known."""
    if a is True:
        return b
    if b is True:
        return a
    if a is False or b is False:
        return False
    return a & b


def known_in(value: Value, mask: Bools) -> bool:
    """Whether the value is known in every lane of the mask."""
    return value.known is True or (value.known is not False and not (mask & ~value.known).any())


_NARROW = {
    (kind, size): np.dtype(f"{kind[0] if kind == 'unsigned' else 'i'}{size}")
    for kind in ("signed", "unsigned")
    for size in (1, 2, 4)
}


def wrap(data: Data, type: Type) -> Data:
    """The data as an integer of that type holds it (two's complement); other types pass."""
    if not isinstance(type, Scalar) or type.kind not in ("signed", "unsigned"):
        return data
    if isinstance(data, np.ndarray):
        if data.dtype != np.int64:
            data = data.astype(np.int64)
        if type.bytes >= 8:
            return data
        return data.astype(_NARROW[type.kind, type.bytes]).astype(np.int64)
    bits = 8 * min(type.bytes, 8)
    number = int(data)
    if type.kind == "unsigned" and bits < 64:
        return number & ((1 << bits) - 1)
    half = 1 << (bits - 1)
    return number if -half <= number < half else ((number + half) & ((1 << bits) - 1)) - half


def convert(value: Value, type: Type) -> Value:
    """The value after a cast to the type."""
    if value.known is False:
        return value
    data = value.data
    match type:
        case Scalar(kind="float"):
            data = data.astype(np.float64) if isinstance(data, np.ndarray) else float(data)
        case Scalar(kind="bool"):
            data = data != 0 if isinstance(data, np.ndarray) else bool(data)
        case Scalar(kind="signed" | "unsigned"):
            if isinstance(data, np.ndarray) and data.dtype.kind == "f":
                bad = ~np.isfinite(data) | (np.abs(data) > 9e18)
                if np.count_nonzero(bad):
                    return Value(0, False, value.free, "conversion of a float out of range")
            elif isinstance(data, float) and not (math.isfinite(data) and abs(data) < 9e18):
                return Value(0, False, value.free, "conversion of a float out of range")
            data = wrap(data, type)
        case _:
            return value
    return value if data is value.data else Value(data, value.known, value.free, value.why)


def _truncated(a: Any, b: Any) -> tuple[Any, Any]:
    """Quotient and remainder as C++ defines them: rounded towards zero, remainder with the dividend's
    sign.
    """
    if isinstance(a, np.ndarray) and not isinstance(b, np.ndarray) and b > 0 and a.min() >= 0:
        quotient = a >> (b.bit_length() - 1) if b & (b - 1) == 0 else a // b
    elif isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        quotient = np.abs(a) // np.abs(b)
        quotient = np.where((np.asarray(a) < 0) != (np.asarray(b) < 0), -quotient, quotient)
    else:
        quotient = abs(a) // abs(b)
        if (a < 0) != (b < 0):
            quotient = -quotient
    return quotient, a - quotient * b


_PLAIN: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_COMPARISONS = frozenset(("<", "<=", ">", ">=", "==", "!="))
_LARGEST = 1 << 30  # of a product that 32 bits do not hold
_ALIGNED = 4096  # what of such a product is kept: its remainder
_APART = (1 << 17) - 1  # prime, so that products of different rows stay different numbers
_FREE_SHIFT = 10  # amount of a shift that only run time knows: powers of two from 128 to 1024
_OVERFLOWS = frozenset(("*", "<<", "-", "+"))


def _is_float(data: Data) -> bool:
    return data.dtype.kind == "f" if isinstance(data, np.ndarray) else isinstance(data, float)


def _as_int(data: Data) -> Data:
    if isinstance(data, np.ndarray):
        return data.astype(np.int64) if data.dtype == np.bool_ else data
    return int(data) if isinstance(data, bool) else data


def _divide(op: str, a: Data, b: Data) -> tuple[Data, bool | Bools]:
    """Division with the lanes in which it is defined."""
    zero = np.asarray(b) == 0
    if not isinstance(b, np.ndarray) and b == 0:
        return 0, False
    defined: bool | Bools = True
    if isinstance(b, np.ndarray) and np.count_nonzero(zero):
        defined, b = cast(Bools, ~zero), np.where(zero, 1, b)
    if _is_float(a) or _is_float(b):
        return (cast(Any, a) / cast(Any, b) if op == "/" else 0), (defined if op == "/" else False)
    quotient, remainder = _truncated(a, b)
    return (quotient if op == "/" else remainder), defined


def _shift(op: str, a: Any, b: Any, type: Type) -> Data:
    amount = np.clip(b, 0, 63) if isinstance(b, np.ndarray) else min(max(int(b), 0), 63)
    if op == "<<":
        return cast(Data, np.left_shift(a, amount) if _is_vector(a, amount) else a << amount)
    if isinstance(type, Scalar) and type.kind == "unsigned" and type.bytes >= 8:  # held as a signed number
        if not _is_vector(a, amount):
            return wrap((a & ((1 << 64) - 1)) >> amount, type)
        word = np.asarray(a, dtype=np.int64).view(np.uint64)
        return np.asarray(np.right_shift(word, np.asarray(amount).astype(np.uint64)).astype(np.int64))
    return cast(Data, np.right_shift(a, amount) if _is_vector(a, amount) else a >> amount)


def _is_vector(*operands: Any) -> bool:
    return any(isinstance(one, np.ndarray) for one in operands)


def _large(data: Data, type: Type) -> Data:
    """A product of signed numbers that valuations chose: no program means one that its type cannot hold, so
    one that is the same for a whole warp is a large number instead, as divisible by powers of two as it was;
    that of another product is another one.
    """
    wrapped = wrap(data, type)
    if not isinstance(type, Scalar) or type.kind != "signed" or type.bytes >= 8 or wrapped is data:
        return wrapped
    if not isinstance(data, np.ndarray):
        return wrapped if wrapped == data else _folded(int(data))
    lost = np.asarray(wrapped != data)
    if not np.count_nonzero(lost):
        return wrapped
    rows = data.reshape(-1, WARP)
    lost = lost.reshape(-1, WARP) & (rows == rows[:, :1]).all(axis=1, keepdims=True)
    kept = cast(NDArray[Any], wrapped).reshape(-1, WARP)
    return np.where(lost, _folded(rows), kept).ravel()


def _folded(product: Any) -> Any:
    return _LARGEST + product // _ALIGNED % _APART * _ALIGNED + product % _ALIGNED


def binary(op: str, left: Value, right: Value, type: Type) -> Value:
    """`left op right` in the type of the result (operands are already converted to a common type)."""
    known = right.known if left.known is True else both_known(left.known, right.known)
    free = left.free | right.free
    if known is False:
        return Value(0, False, free, left.why or right.why)
    a, b = left.data, right.data
    if op in _COMPARISONS:
        data = _PLAIN[op](a, b)
        return Value(data if isinstance(data, np.ndarray) else bool(data), known, free)
    if isinstance(a, bool) or isinstance(b, bool) or isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        a, b = _as_int(a), _as_int(b)
    if op in ("/", "%"):
        data, defined = _divide(op, a, b)
        known = both_known(known, defined)
    elif op in ("<<", ">>"):
        if _is_float(a) or _is_float(b):
            return Value(0, False, free)
        data = _shift(op, a, b, type)
    else:
        if op in "&|^" and (_is_float(a) or _is_float(b)):
            return Value(0, False, free)
        try:
            data = _PLAIN[op](a, b)
        except OverflowError:
            return Value(0, False, free)
    if op in _OVERFLOWS and not _is_float(data):
        data = _large(data, type) if free and op == "*" else wrap(data, type)
    return Value(data, known, free)


def shift_amount(value: Value, type: Type) -> Value:
    """A number that a valuation chose, as an amount to shift by: one that the program may well mean, since
    a shift by the width or more is undefined.
    """
    width = 8 * type.bytes if isinstance(type, Scalar) else 32
    if value.known is False or _is_float(value.data):
        return value
    data = np.asarray(_as_int(value.data))
    fitting = np.where((data < 0) | (data >= width), _FREE_SHIFT - (data & 3), data)
    return Value(fitting if fitting.ndim else int(fitting), value.known, value.free | CHOSEN, value.why)


def divisor(value: Value, other: Value) -> Value:
    """A number that a valuation chose, as one to divide by: where it is zero for a whole warp another one,
    since no program means that.
    """
    if value.known is False or other.known is not True or _is_float(value.data):
        return value
    rows = np.asarray(_as_int(value.data)).reshape(-1, min(WARP, np.size(value.data)))
    none = (rows == 0).all(axis=1, keepdims=True)
    if not np.count_nonzero(none):
        return value
    if not isinstance(value.data, np.ndarray):
        return Value(other.data, value.known, value.free | CHOSEN, value.why)
    lost = np.broadcast_to(none, rows.shape).ravel()
    return Value(np.where(lost, other.data, value.data), value.known, value.free | CHOSEN, value.why)


def compared(value: Value, type: Type) -> Value:
    """The value as an operand of an order comparison: a number that valuations chose and that is below zero
    for a whole warp is no size that a program compares as an unsigned one.
    """
    data = value.data
    if not value.free or value.known is False or _is_float(data):
        return value
    if not isinstance(type, Scalar) or type.kind != "unsigned":
        return value
    rows = np.asarray(data).reshape(-1, min(WARP, np.size(data)))
    below = (rows >> (8 * type.bytes - 1) != 0) & (rows == rows[:, :1]).all(axis=1, keepdims=True)
    if not np.count_nonzero(below):
        return value
    meant = ~below.ravel() if isinstance(data, np.ndarray) else False
    return Value(data, both_known(value.known, meant), value.free, "a size below zero")


def negate(value: Value, type: Type) -> Value:
    return binary("-", Value(0.0 if _is_float(value.data) else 0), value, type)


def invert(value: Value, type: Type) -> Value:
    if value.known is False or _is_float(value.data):
        return Value(0, False, value.free, value.why)
    return Value(wrap(~cast(Any, _as_int(value.data)), type), value.known, value.free)


def truth(value: Value) -> Value:
    """The value as a condition."""
    data = value.data
    if isinstance(data, np.ndarray):
        return value if data.dtype == np.bool_ else Value(data != 0, value.known, value.free, value.why)
    return Value(bool(data), value.known, value.free, value.why)


def logical_not(value: Value) -> Value:
    value = truth(value)
    data = ~value.data if isinstance(value.data, np.ndarray) else not value.data
    return Value(data, value.known, value.free, value.why)


def select(mask: Bools, chosen: Value, other: Value) -> Value:
    """`chosen` in the lanes of the mask, `other` elsewhere."""
    if chosen is other:
        return chosen
    if chosen.known is False and other.known is False:
        return chosen
    same = chosen.is_scalar and other.is_scalar and chosen.data == other.data
    data: Data = chosen.data if same else np.where(mask, chosen.data, other.data)
    if isinstance(data, np.ndarray) and data.dtype.kind not in "ifb":
        return UNKNOWN
    known: bool | Bools = True
    if not (chosen.known is True and other.known is True):
        known = _either_known(mask, chosen.known, other.known)
        if np.count_nonzero(known) == known.size:
            known = True
    return Value(data, known, chosen.free | other.free, chosen.why or other.why)


def _either_known(mask: Bools, chosen: bool | Bools, other: bool | Bools) -> Bools:
    """Where the chosen one of two is known."""
    if chosen is False:
        return ~mask if other is True else other & ~mask
    if other is False:
        return mask.copy() if chosen is True else chosen & mask
    return np.where(mask, chosen, other)


def agree(a: Value, b: Value) -> bool | Bools:
    """Lanes where both values are known and equal."""
    known = both_known(a.known, b.known)
    if known is False:
        return False
    same = a.data == b.data
    if not isinstance(same, np.ndarray):
        return known if same else False
    return cast(Bools, same if known is True else same & known)


def forget(value: Value, mask: Bools, why: str) -> Value:
    """The value with the lanes of the mask unknown."""
    return select(mask, unknown(why), value)
