"""How many blocks and warps one multiprocessor holds at a time, and what stops it from holding more.

Source: CUDA Occupancy Calculator and the toolkit's header cuda_occupancy.h, whose allocation units are in
`cudalint.gpu.capabilities`. The largest shared memory of a multiprocessor is assumed to be chosen where it
is shared with the L1 cache, and the opt-in limit of shared memory a block to be set.
"""

from enum import StrEnum

from msgspec import Struct

from cudalint.gpu.capabilities import Capability, limits


class Limiter(StrEnum):
    """What a multiprocessor runs out of first."""

    WARPS = "warps"
    BLOCKS = "blocks"
    REGISTERS = "registers"
    SHARED = "shared memory"


class Occupancy(Struct, frozen=True):
    """Blocks and warps that are resident at a time, of the most warps a multiprocessor holds.

    block_limits: how many blocks each resource would allow alone; None where none of it is used.
    """

    blocks: int
    warps: int
    max_warps: int
    block_limits: tuple[tuple[Limiter, int | None], ...]

    @property
    def fraction(self) -> float:
        return self.warps / self.max_warps

    @property
    def limiters(self) -> tuple[Limiter, ...]:
        """Every resource that allows no block more."""
        return tuple(what for what, blocks in self.block_limits if blocks == self.blocks)


def occupancy(arch: int, threads: int, registers: int = 0, shared_bytes: int = 0) -> Occupancy:
    """What one multiprocessor holds of a kernel.

    threads: a block, 1 or more. registers: a thread. shared_bytes: static and dynamic, a block. No block at
    all (0 blocks) where the launch is beyond a limit of the hardware.
    """
    if threads < 1:
        raise ValueError(f"a block has 1 thread or more, not {threads}")
    capability = limits(arch)
    warps = -(-threads // capability.warp)
    fits = threads <= capability.max_threads_per_block
    block_limits = (
        (Limiter.WARPS, capability.max_warps_per_sm // warps if fits else 0),
        (Limiter.BLOCKS, capability.max_blocks_per_sm),
        (Limiter.REGISTERS, _blocks_by_registers(capability, warps, registers)),
        (Limiter.SHARED, _blocks_by_shared(capability, shared_bytes)),
    )
    blocks = min(count for _, count in block_limits if count is not None)
    return Occupancy(blocks, blocks * warps, capability.max_warps_per_sm, block_limits)


def _up(number: int, unit: int) -> int:
    return -(-number // unit) * unit


def _blocks_by_registers(capability: Capability, warps: int, registers: int) -> int | None:
    """Blocks that the registers suffice for; None for a kernel of no registers."""
    if registers == 0:
        return None
    if registers > capability.registers_per_thread:
        return 0
    unit = capability.register_unit * (2 if registers in capability.coarse_registers else 1)
    allocated = _up(warps, capability.warp_granularity)
    if capability.registers_by_block:
        return capability.registers_per_sm // _up(allocated * capability.warp * registers, unit)
    per_warp = _up(registers * capability.warp, unit)
    if per_warp * allocated > capability.registers_per_block:
        return 0
    partitions = capability.warp_granularity
    held = capability.registers_per_sm // partitions // per_warp * partitions
    return held // warps


def _blocks_by_shared(capability: Capability, shared_bytes: int) -> int | None:
    """Blocks that the shared memory suffices for; None where none is used and none is reserved."""
    needed = _up(shared_bytes + capability.shared_reserved, capability.shared_unit)
    if needed == 0:
        return None
    if needed > capability.shared_per_block_optin + capability.shared_reserved:
        return 0
    return capability.shared_per_sm // needed
