"""Limits of each compute capability, 3.5 to 12.0, as data.

Source: CUDA C++ Programming Guide, appendix "Compute Capabilities", tables "Technical Specifications per
Compute Capability" and the section of each architecture on shared memory (NVIDIA, release 13.0; release 11.8
for 3.5 to 6.2). Bank and sector widths: the same appendix (32 banks of 4 bytes) and the Best Practices Guide
(32-byte global memory transactions).
"""

from dataclasses import dataclass
from functools import cache

KIB = 1024


@dataclass(frozen=True, slots=True)
class Capability:
    """What one compute capability allows. `arch` is the capability times ten (86 for 8.6); sizes are bytes.

    shared_per_block: static and default dynamic limit; shared_per_block_optin: after cudaFuncSetAttribute.
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

    @property
    def max_threads_per_sm(self) -> int:
        return self.max_warps_per_sm * self.warp


ROWS: tuple[Capability, ...] = (
    Capability(35, 48 * KIB, 48 * KIB, 64, 16),
    Capability(37, 48 * KIB, 112 * KIB, 64, 16, registers_per_sm=128 * KIB),
    Capability(50, 48 * KIB, 64 * KIB, 64, 32),
    Capability(52, 48 * KIB, 96 * KIB, 64, 32),
    Capability(53, 48 * KIB, 64 * KIB, 64, 32, registers_per_block=32 * KIB),
    Capability(60, 48 * KIB, 64 * KIB, 64, 32),
    Capability(61, 48 * KIB, 96 * KIB, 64, 32),
    Capability(62, 48 * KIB, 64 * KIB, 64, 32, registers_per_block=32 * KIB),
    Capability(70, 96 * KIB, 96 * KIB, 64, 32),
    Capability(72, 96 * KIB, 96 * KIB, 64, 32),
    Capability(75, 64 * KIB, 64 * KIB, 32, 16),
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
