"""Integer functions of the device library: bits of a word and averages, as pure arithmetic on values."""

from typing import Any, cast

import numpy as np

from cudalint.ir.types import Type
from cudalint.simt.values import lanes
from cudalint.simt.values.lanes import Value

_WIDE = "ll"  # how the functions of 64 bits end


def bits(name: str, value: Value, type: Type) -> Value:
    """The result of a function of effects.BITS; the operand is known, wholly or in some lanes."""
    width = 64 if name.endswith(_WIDE) else 32
    if isinstance(value.data, np.ndarray):
        return Value(lanes.wrap(_of_lanes(name, value.data, width), type), value.known, value.free, value.why)
    word = int(cast(int, value.data)) & ((1 << width) - 1)
    return Value(lanes.wrap(_of_word(name, word, width), type), value.known, value.free, value.why)


def _of_word(name: str, word: int, width: int) -> int:
    match name.removesuffix(_WIDE):
        case "__popc":
            return word.bit_count()
        case "__clz":
            return width - word.bit_length()
        case "__ffs":
            return (word & -word).bit_length()
        case _:
            return int(f"{word:0{width}b}"[::-1], 2)


def _of_lanes(name: str, data: np.ndarray, width: int) -> np.ndarray:
    """As `_of_word` for a vector: its different words are few, as a rule."""
    words, which = np.unique(data.astype(np.int64), return_inverse=True)
    mask = (1 << width) - 1
    results = [_of_word(name, word & mask, width) for word in words.tolist()]
    return np.array(results, dtype=np.uint64).astype(np.int64)[which]


def average(name: str, first: Value, second: Value, type: Type) -> Value:
    """`__hadd` and its kin: half the sum, as if the sum did not wrap; `__rhadd` and `__urhadd` round up."""
    known = lanes.both_known(first.known, second.known)
    up = "rhadd" in name
    total: Any = _plain(first.data) + _plain(second.data) + up
    return Value(lanes.wrap(total >> 1, type), known, first.free | second.free, first.why or second.why)


def _plain(data: Any) -> Any:
    return data.astype(np.int64) if isinstance(data, np.ndarray) else int(data)
