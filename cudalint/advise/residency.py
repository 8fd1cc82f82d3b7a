"""How much of a launch the device runs at a time."""

from cudalint.advise.card import Residency
from cudalint.gpu.devices import Device
from cudalint.gpu.occupancy import occupancy


def residency(
    device: Device, threads: int, blocks: int | None, shared: int | None, registers: int | None
) -> Residency | None:
    """Of blocks of so many threads and bytes of shared memory (not limiting, where not known), in a grid of
    so many. registers: per thread. None where a multiprocessor cannot hold one such block.
    """
    held = occupancy(device.arch, threads, registers or 0, shared or 0)
    if not held.blocks:
        return None
    return Residency(
        blocks=held.blocks,
        warps=held.warps,
        max_warps=held.max_warps,
        limiters=tuple(str(limiter) for limiter in held.limiters),
        registers=registers,
        waves=None if blocks is None else blocks / (held.blocks * device.multiprocessors),
        multiprocessors=None if blocks is None else min(blocks, device.multiprocessors),
    )
