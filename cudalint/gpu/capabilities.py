"""What each compute capability is, 1.0 to 12.0, as data: limits, allocation units and memory models.

Sources, all by NVIDIA. Limits: CUDA C++ Programming Guide, appendix "Compute Capabilities", table
"Technical Specifications per Compute Capability" (release 4.2 for 1.x to 3.0, the newest one for 7.5 to 12.0;
3.5 to 7.2 were not compared with a release of their time, and 10.3 is as 10.0). Registers a thread and a
block, allocation units and granularities: the toolkit's header cuda_occupancy.h, and the CUDA Occupancy
Calculator by way of a public port (to 7.0; the units of 9.0 on are those of 8.x).
Memory models: the same appendix, sections "Global Memory" and "Shared Memory" of each architecture, and the
Best Practices Guide (32-byte global memory transactions).
"""

from enum import Enum, auto
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

KIB = 1024
SCHEDULERS = 4  # of a multiprocessor (CUDA C++ Programming Guide, compute capability 7.0 and later)


class GlobalModel(Enum):
    """How a warp's request to global memory becomes transactions; see simt/requests/global_models.py."""

    ORDERED_HALF_WARPS = auto()  # 1.0, 1.1: a half-warp in lane order and aligned, else lane by lane
    SEGMENTED_HALF_WARPS = auto()  # 1.2, 1.3: segments of 128 bytes that shrink to 64 or 32
    CACHE_LINES = auto()  # 2.x loads through L1: lines of 128 bytes
    L2_SEGMENTS = auto()  # 2.x without L1, 3.x: 32 bytes; wide words by half- and quarter-warps
    SECTORS = auto()  # since 5.0: the 32-byte sectors that the warp touches


class BankModel(Enum):
    """How a warp's request to shared memory becomes passes; see `cudalint.simt.requests.bank_models`."""

    HALF_WARP_BROADCAST = auto()  # 1.x: 16 banks, a half-warp at a time, one word broadcast a pass
    WORD_BROADCAST = auto()  # 2.x: 32 banks of 4 bytes, every word is broadcast
    PAIRED_WORDS = auto()  # 3.x in its 4-byte mode: a bank gives two words of a 256-byte segment
    DOUBLE_WORDS = auto()  # 3.x in its 8-byte mode
    WAVEFRONTS = auto()  # since 5.0: 32 banks of 4 bytes, groups of lanes as measured


class Capability(Struct, frozen=True):
    """What one compute capability allows. `arch` is the capability times ten (86 for 8.6); sizes are bytes.

    shared_per_block: static and default dynamic limit; shared_per_block_optin: after cudaFuncSetAttribute.
    shared_reserved: what the system takes of each block's shared memory. register_unit: registers are given
    out in multiples of this, to a block (registers_by_block) or to a warp. warp_granularity: warps are
    given registers as if their number were a multiple of this. coarse_registers: counts a thread for which
    the register unit is twice as large. load_model, store_model: of global memory, as compiled by default.
    bank_models: the default one first.
    """

    arch: int
    shared_per_block_optin: int
    shared_per_sm: int
    max_warps_per_sm: int
    max_blocks_per_sm: int
    registers_per_sm: int = 64 * KIB
    registers_per_block: int = 64 * KIB
    registers_per_thread: int = 255
    max_threads_per_block: int = 1024
    max_block: tuple[int, int, int] = (1024, 1024, 64)
    max_grid: tuple[int, int, int] = (2**31 - 1, 65535, 65535)
    shared_per_block: int = 48 * KIB
    constant_bytes: int = 64 * KIB
    warp: int = 32
    banks: int = 32
    bank_bytes: int = 4
    sector_bytes: int = 32
    line_bytes: int = 128
    register_unit: int = 256
    registers_by_block: bool = False
    coarse_registers: frozenset[int] = frozenset()
    warp_granularity: int = 4
    shared_unit: int = 128
    shared_reserved: int = KIB
    load_model: GlobalModel = GlobalModel.SECTORS
    store_model: GlobalModel = GlobalModel.SECTORS
    bank_models: tuple[BankModel, ...] = (BankModel.WAVEFRONTS,)

    @property
    def max_threads_per_sm(self) -> int:
        return self.max_warps_per_sm * self.warp

    @property
    def name(self) -> str:
        """The capability as it is written: 8.6, 10.0."""
        return f"{self.arch // 10}.{self.arch % 10}"


_CC10 = Capability(
    10,
    shared_per_block_optin=16 * KIB,
    shared_per_sm=16 * KIB,
    shared_per_block=16 * KIB,
    max_warps_per_sm=24,
    max_blocks_per_sm=8,
    registers_per_sm=8 * KIB,
    registers_per_block=8 * KIB,
    registers_per_thread=124,
    max_threads_per_block=512,
    max_block=(512, 512, 64),
    max_grid=(65535, 65535, 1),
    banks=16,
    register_unit=256,
    registers_by_block=True,
    warp_granularity=2,
    shared_unit=512,
    shared_reserved=0,
    load_model=GlobalModel.ORDERED_HALF_WARPS,
    store_model=GlobalModel.ORDERED_HALF_WARPS,
    bank_models=(BankModel.HALF_WARP_BROADCAST,),
)
_CC12 = replace(
    _CC10,
    arch=12,
    max_warps_per_sm=32,
    registers_per_sm=16 * KIB,
    registers_per_block=16 * KIB,
    register_unit=512,
    load_model=GlobalModel.SEGMENTED_HALF_WARPS,
    store_model=GlobalModel.SEGMENTED_HALF_WARPS,
)
_CC20 = Capability(
    20,
    shared_per_block_optin=48 * KIB,
    shared_per_sm=48 * KIB,
    max_warps_per_sm=48,
    max_blocks_per_sm=8,
    registers_per_sm=32 * KIB,
    registers_per_block=32 * KIB,
    registers_per_thread=63,
    max_grid=(65535, 65535, 65535),
    register_unit=64,
    coarse_registers=frozenset((21, 22, 29, 30, 37, 38, 45, 46)),
    warp_granularity=2,
    shared_unit=128,
    shared_reserved=0,
    load_model=GlobalModel.CACHE_LINES,
    store_model=GlobalModel.L2_SEGMENTS,
    bank_models=(BankModel.WORD_BROADCAST,),
)
_CC30 = Capability(
    30,
    shared_per_block_optin=48 * KIB,
    shared_per_sm=48 * KIB,
    max_warps_per_sm=64,
    max_blocks_per_sm=16,
    registers_per_thread=63,
    shared_unit=256,
    shared_reserved=0,
    load_model=GlobalModel.L2_SEGMENTS,
    store_model=GlobalModel.L2_SEGMENTS,
    bank_models=(BankModel.PAIRED_WORDS, BankModel.DOUBLE_WORDS),
)
_CC35 = replace(_CC30, arch=35, registers_per_thread=255)
_CC50 = Capability(50, 48 * KIB, 64 * KIB, 64, 32, shared_unit=256, shared_reserved=0)
_CC70 = replace(_CC50, arch=70, shared_per_block_optin=96 * KIB, shared_per_sm=96 * KIB)

ROWS: tuple[Capability, ...] = (
    _CC10,
    replace(_CC10, arch=11),
    _CC12,
    replace(_CC12, arch=13),
    _CC20,
    replace(_CC20, arch=21),
    _CC30,
    _CC35,
    replace(_CC35, arch=37, shared_per_sm=112 * KIB, registers_per_sm=128 * KIB),
    _CC50,
    replace(_CC50, arch=52, shared_per_sm=96 * KIB),
    replace(_CC50, arch=53, registers_per_block=32 * KIB),
    replace(_CC50, arch=60, warp_granularity=2),
    replace(_CC50, arch=61, shared_per_sm=96 * KIB),
    replace(_CC50, arch=62, registers_per_block=32 * KIB),
    _CC70,
    replace(_CC70, arch=72),
    Capability(75, 64 * KIB, 64 * KIB, 32, 16, shared_unit=256, shared_reserved=0),
    Capability(80, 163 * KIB, 164 * KIB, 64, 32),
    Capability(86, 99 * KIB, 100 * KIB, 48, 16),
    Capability(87, 163 * KIB, 164 * KIB, 48, 16),
    Capability(89, 99 * KIB, 100 * KIB, 48, 24),
    Capability(90, 227 * KIB, 228 * KIB, 64, 32),
    Capability(100, 227 * KIB, 228 * KIB, 64, 32),
    Capability(103, 227 * KIB, 228 * KIB, 64, 32),
    Capability(110, 227 * KIB, 228 * KIB, 48, 24),
    Capability(120, 99 * KIB, 100 * KIB, 48, 24),
)


@cache
def limits(arch: int) -> Capability:
    """The row of an architecture: the newest one not above it, the oldest for anything older."""
    return max((row for row in ROWS if row.arch <= arch), key=lambda row: row.arch, default=ROWS[0])
