"""How much a device moves in a second, level by level: what a kernel's demand is divided by.

Three kinds of numbers stand here, and each says which it is. Published ones are in documents of NVIDIA's.
Measured ones were found on one H200: with plain copies and empty kernels, or with a pair of
`cudalint validate`, which then says nothing for them when it agrees. A fit is a number that no document gives
and no experiment shows by itself: it was chosen so that predictions meet what was measured. Measured numbers
and fits are that H200's; for other devices they are guesses, as are the rates of arithmetic, which are those
of compute capability 9.0.
"""

from msgspec import Struct

from cudalint.gpu.capabilities import Capability
from cudalint.gpu.devices import Device

DRAM_PIECE = 64  # bytes that L2 fetches at a time; measured: random words of 32 bytes cost as much as 64
_DRAM_SHARE = 0.9  # of the specified bandwidth that plain copies reach; measured
# Bytes of sectors a clock and multiprocessor between L2 and the multiprocessors while all work at once;
# measured by experiments/cache.cu. Rows of 16 bytes a lane are loaded at 66, everything else at this.
_L2_LOADS, _L2_STORES = 34, 18
_ISSUE = 4  # instructions of warps a clock, one a scheduler; whitepapers of compute capability 5.0 and later
_SINGLES = 128  # results a clock in single precision; the same table
_DOUBLES = 64  # results a clock in double precision; Programming Guide, "Arithmetic Instructions", 9.0
_SPECIALS = 16  # of the unit of special functions, likewise
_CONVERSIONS = 16  # between float and double; measured, see rates.py
_CONSTANT_CLOCKS = 2  # of one pass; measured: 64 a request of 32 different words
_COLLISION = 1.75e-9  # seconds of a float addition on one address; measured
_BLOCK = 80e-9  # seconds between the starts of two blocks on one multiprocessor; measured
_TURN = 0.7e-6  # seconds of a warp that loads once from device memory under load, and stores; measured
_IDLE_TURN = 0.38e-6  # seconds of a load from device memory that hardly anything else uses; measured
_LAUNCH = 3e-6  # seconds of an empty kernel; measured
_CLOCK = 1.98e9  # Hz of the H200 that it was measured on


def launches(loads: float, stores: float) -> float:
    """How many empty launches could be made while one multiprocessor moves so many sectors."""
    return 32 * (loads / _L2_LOADS + stores / _L2_STORES) / _CLOCK / _LAUNCH


def issued_per_sector(device: Device) -> float:
    """Instructions of warps that a multiprocessor issues while device memory delivers one sector to it, at
    the clock of the H200 that was measured: the table of devices has none.
    """
    clocks = 32 * device.multiprocessors * _CLOCK / (device.bandwidth * 1e9)
    return _ISSUE * clocks


class Throughput(Struct, frozen=True):
    """Rates of a whole device. dram: bytes/s of its memory; l2_loads, l2_stores: bytes/s between L2 and the
    multiprocessors; clock: Hz of the multiprocessors; multiprocessors: how many.
    """

    dram: float
    l2_loads: float
    l2_stores: float
    clock: float
    multiprocessors: int
    capability: Capability
    issue: float = _ISSUE
    doubles: float = _DOUBLES
    specials: float = _SPECIALS
    conversions: float = _CONVERSIONS
    constant_clocks: float = _CONSTANT_CLOCKS
    collision: float = _COLLISION
    block: float = _BLOCK
    turn: float = _TURN
    idle_turn: float = _IDLE_TURN
    launch: float = _LAUNCH


def throughput(device: Device, clock: float = _CLOCK) -> Throughput:
    """Rates of a device whose multiprocessors run at `clock` Hz; else at that of the H200 measured."""
    each = device.multiprocessors * clock
    dram = device.bandwidth * 1e9 * _DRAM_SHARE
    return Throughput(
        dram,
        each * _L2_LOADS,
        each * _L2_STORES,
        clock,
        device.multiprocessors,
        device.capability,
        doubles=_SINGLES / device.fp64_ratio if device.fp64_ratio else _DOUBLES,
    )
