"""Made-up numbers for what memory holds: arbitrary, but the same for the same address. Small ones coincide,
and conditions on them go both ways; arrays that the program takes to be in some order are in that order.
"""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from cudalint.cuda.spaces import DataOrder
from cudalint.ir.types import Scalar, Type
from cudalint.simt.values.lanes import CHOSEN, DATA, ORDERED, Value, unknown, wrap

_MIXER = np.int64(-7046029254386353131)  # 2^64 / golden ratio, as signed
_ROW = 3  # entries of a row, on average
_SEGMENT = 4096  # elements of a segment
_COLUMNS = 8  # of a row that are told apart
# How many numbers there are on each scale, and how far apart: few, so that they coincide, and up to what the
# indices of threads come to. Those of the last two are below zero, if they have a sign.
_SIGNED = np.array([1, 8, 8, 32, 8, 8, 1, 8], dtype=np.int64)
_UNSIGNED = np.array([1, 8, 8, 32, 8, 8, 16, 8], dtype=np.int64)
_APART = np.array([1, 1, 1, 1, 32, 512, 1, 1], dtype=np.int64)
_NEGATIVE = 6
_NAMED = 1  # the scale of the numbers that the program compares with
_FRACTION = 64.0


def held(addresses: NDArray[np.int64], type: Type, compared: Sequence[Any] = ()) -> Value:
    """Numbers that memory may hold at these addresses. compared: numbers that the program compares data with,
    each for all lanes or by lane.
    """
    if not isinstance(type, Scalar):
        return unknown("loaded data")
    mixed = (addresses ^ (addresses >> 17)) * _MIXER
    mixed = ((mixed ^ (mixed >> 29)) * _MIXER >> 20) & ((1 << 40) - 1)
    scale, rest = mixed % len(_SIGNED), mixed // len(_SIGNED)
    if type.kind == "bool":
        return Value(scale % 2 == 0, True, CHOSEN | DATA)
    signed = type.kind != "unsigned"
    apart = _APART[scale]
    numbers = rest % (_SIGNED if signed else _UNSIGNED)[scale] * apart + apart - 1
    if signed:
        numbers = np.where(scale >= _NEGATIVE, -1 - numbers, numbers)
    if compared:
        (lane,) = np.nonzero(scale == _NAMED)
        chosen = rest[lane] // 8 % len(compared)
        for number, each in enumerate(compared):
            mine = lane[chosen == number]
            numbers[mine] = each[mine] if isinstance(each, np.ndarray) else each
    if type.kind == "float":  # half of them are fractions
        numbers = np.where(rest % 2 == 0, 0, numbers) + rest // 2 % 64 / _FRACTION
    return Value(wrap(numbers, type), True, CHOSEN | DATA)


def in_order(element: NDArray[np.int64], type: Type, order: DataOrder) -> Value:
    """Numbers of an array in some order, by element."""
    match order:
        case "ends":  # of rows: an end is the start of the next row
            numbers = _row_start(element)
        case "next-ends":
            numbers = _row_start(element + 1)
        case "starts":
            numbers = element * _SEGMENT
        case "columns":
            numbers = element % _COLUMNS
        case "distinct":
            numbers = element ^ 1
        case "small":
            numbers = element * 5 >> 1 ^ element % _COLUMNS
            numbers = numbers % _COLUMNS
        case "own":  # many are their own index, the others lead to a smaller one
            numbers = np.where((element * 5 ^ element >> 2) % 2 == 0, element, element // 2)
        case "few":
            numbers = 2 + (element * 5 ^ element >> 2) % 2
    free = DATA if order in ("few", "small", "own") else ORDERED
    return Value(wrap(cast(Any, numbers), type), True, CHOSEN | free)


def _row_start(row: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where a row begins: rows have from one to five entries."""
    return row * _ROW + (row * 5 ^ row >> 2) % _ROW
