"""Samples: the (valuation, block) pairs that one run of a kernel covers side by side.

A run is one numpy program over all threads of all its samples: lanes = samples x threads, the threads of a
block padded to whole warps. Padding lanes are never active. Valuations choose numbers for the integers nobody
knows.
"""

import random
from typing import Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from cudalint.cuda.warp import WARP
from cudalint.ir.types import Pointer, Scalar, Type
from cudalint.simt.values.lanes import CHOSEN, Bools, Value, unknown

# Large and a power of two; a multiple of 32 only; even but not of 4; odd. Guards `i < n` hold for the
# blocks run.
_FREE_INTEGERS = (4096, 4128, 4122, 4107)
_APART = 256  # between numbers for different things
_THINGS = 11  # that are told apart
_POWERS = 4  # of two, likewise
_INDEX_BYTES = 2  # a number of one byte takes lanes nowhere far
_RANGES = (4096, 60_000, 1_000_003, 250_000)  # of invented integers
WIDEST = 2  # which valuation's
_WHOLE = 1 << 30
_MIXER = np.int64(-7046029254386353131)  # 2^64 / golden ratio, as signed
_FREE_FLOATS = (1.5, 0.75, 2.25, 1.125)
_OFFSETS = (0, 1, 2, 5)  # elements by which a pointer of unknown alignment is off a 256-byte line

# Of quite different scales, no more than there are threads in a block, or one for everything.
Sizes = Literal["usual", "mixed", "small", "equal"]

Block = tuple[int, int, int]  # extents, or an index


class Samples(Struct, frozen=True):
    """block and grid in threads and blocks; blocks: the block indices run under the first valuation, and
    under all of them but in runs of ragged blocks; valuations: how many.
    """

    block: Block
    grid: Block
    blocks: tuple[Block, ...]
    valuations: int
    threads: int
    padded: int  # threads rounded up to whole warps
    count: int  # samples
    lanes: int
    sample: NDArray[np.int64]  # sample number of a lane
    thread: NDArray[np.int64]  # linear thread number in its block
    valuation: NDArray[np.int64]  # valuation number of a lane
    everyone: Bools  # all lanes but padding
    builtins: dict[tuple[str, str], Value]
    known_grid: tuple[bool, bool, bool] = (False, False, False)  # by axis; else `grid` is a usual one
    sizes: Sizes = "usual"  # of numbers that nobody knows
    places: tuple[Block, ...] = ()  # the block index of each sample

    def thread_of(self, lane: int) -> Block:
        """(x, y, z) of a lane."""
        x, y, _ = self.block
        linear = int(self.thread[lane])
        return linear % x, linear // x % y, linear // (x * y)

    def block_of(self, lane: int) -> Block:
        return self.places[int(self.sample[lane])]


def make(
    block: Block,
    grid: Block,
    blocks: tuple[Block, ...],
    valuations: int,
    known_grid: tuple[bool, bool, bool] = (False, False, False),
    sizes: Sizes = "usual",
    places: tuple[Block, ...] = (),
) -> Samples:
    """The lanes of every valuation and block; the block index runs fastest. places: the block of each sample,
    where it is not the same for all valuations.
    """
    places = places or blocks * valuations
    x, y, z = block
    threads = x * y * z
    padded = -(-threads // WARP) * WARP
    count = valuations * len(blocks)
    lanes = count * padded
    thread = np.tile(np.arange(padded, dtype=np.int64), count)
    sample = np.repeat(np.arange(count, dtype=np.int64), padded)
    builtins: dict[tuple[str, str], Value] = {("warpSize", ""): Value(WARP)}
    parts = (thread % x, thread // x % y, thread // (x * y))
    for axis, name in enumerate("xyz"):
        builtins["threadIdx", name] = Value(0) if block[axis] == 1 else Value(parts[axis])
        choice = np.array([b[axis] for b in places], dtype=np.int64)
        same = bool((choice == choice[0]).all())
        builtins["blockIdx", name] = Value(int(choice[0])) if same else Value(choice[sample])
        builtins["blockDim", name] = Value(block[axis])
        builtins["gridDim", name] = Value(grid[axis])
    return Samples(
        block, grid, blocks, valuations, threads, padded, count, lanes, sample, thread, sample // len(blocks),
        thread < threads, builtins, known_grid, sizes, places,
    )  # fmt: skip


def _chosen(samples: Samples, salt: int, valuation: int) -> int:
    match samples.sizes:
        case "usual":
            return _usual(salt, valuation)
        case "mixed":
            return _of_scale(salt, valuation)
        case "equal":
            return _FREE_INTEGERS[valuation % 4]
        case _:  # powers of two up to the number of threads
            return max(2, 1 << max(0, samples.threads.bit_length() - 1 - valuation))


def _usual(salt: int, valuation: int) -> int:
    return _FREE_INTEGERS[valuation % 4] + _apart(salt, valuation)


def _of_scale(salt: int, valuation: int) -> int:
    """A small number or, a third of the times, one that is larger than the product of two small ones."""
    large = random.Random(salt << 8 | valuation).random() < 1 / 3
    return 16_384 + 1024 * (salt % _THINGS) if large else 64 + 4 * (salt % _THINGS)


def _apart(salt: int, valuation: int) -> int:
    """How far a number is from the valuation's own: of two things now one is the larger, now the other, and
    their distance is never the same. The first valuation has powers of two only.
    """
    if valuation == 0:
        return _FREE_INTEGERS[0] * ((1 << salt % _POWERS) - 1)
    place = salt % _THINGS
    return _APART * (1 + valuation) * (place if valuation % 2 == 0 else _THINGS - 1 - place)


def free_value(samples: Samples, salt: int, type: Type, free: int = CHOSEN) -> Value:
    """Numbers for something uniform and unknown, one a valuation; `salt` tells different things apart."""
    choice: list[int] | list[float] | list[bool]
    match type:
        case Scalar(kind="bool"):
            choice = [bool((v + salt) % 2) for v in range(samples.valuations)]
        case Scalar(kind="float"):
            choice = [_FREE_FLOATS[v % 4] + salt % 7 for v in range(samples.valuations)]
        case Scalar(bytes=size):
            limit = 1 << (8 * size - 1)
            choice = [_chosen(samples, salt, v) % limit for v in range(samples.valuations)]
        case _:
            choice = [_FREE_INTEGERS[v % 4] for v in range(samples.valuations)]
    if samples.valuations == 1:
        return Value(choice[0], free=free)
    return Value(np.array(choice)[samples.valuation], free=free)


def invented(samples: Samples, addresses: NDArray[np.int64], type: Type) -> Value:
    """Numbers for what lanes load at addresses of their own: the same for the same address, and scattered
    over a range that differs between valuations. Nothing for what is no number of two bytes or more.
    """
    narrow = isinstance(type, Scalar) and type.kind != "bool" and type.bytes < _INDEX_BYTES
    if not isinstance(type, Scalar) or narrow:
        return unknown("loaded data")
    mixed = (addresses ^ (addresses >> 17)) * _MIXER
    mixed = ((mixed ^ (mixed >> 29)) * _MIXER) >> 33
    if type.kind == "bool":
        return Value((mixed & 1) == 1, True, CHOSEN)
    if type.kind == "float":
        return Value((mixed & 4095) / 512.0, True, CHOSEN)
    ranges = np.array([_RANGES[v % 4] for v in range(samples.valuations)], dtype=np.int64)
    return Value(
        (mixed & (_WHOLE - 1)) % ranges[samples.valuation] % (1 << (8 * type.bytes - 1)), True, CHOSEN
    )


def free_alignment(samples: Samples, type: Type) -> Value:
    """Byte offsets, one a valuation, for a pointer whose alignment is not known beyond its element's."""
    element = type.pointee.bytes if isinstance(type, Pointer) else 4
    choice = np.array([_OFFSETS[v % 4] * max(element, 1) for v in range(samples.valuations)], dtype=np.int64)
    return Value(choice[samples.valuation], free=CHOSEN)
