"""Devices that are met often, as data.

Sources: NVIDIA's product specifications and architecture whitepapers (multiprocessors, FP64 rate), and the
memory clock and bus width that the runtime reports (cudaDevAttrMemoryClockRate,
cudaDevAttrGlobalMemoryBusWidth), whose product with two transfers a clock is the specified bandwidth. Where
the clock is not published the specified bandwidth stands itself. Of boards with two GPUs the row is one
GPU. Checked against those: GeForce GTX 280 and 8800 GTX, V100, A100, P100; the other rows are as commonly
given.
"""

from msgspec import Struct

from cudalint.gpu.bandwidth import theoretical
from cudalint.gpu.capabilities import Capability, limits


class Device(Struct, frozen=True):
    """One device. memory_mhz, bus_bits: of the memory; None where bandwidth_specified stands (GB/s).

    fp64_ratio: how many times as long arithmetic takes in double precision as in single; None where there is
    no double precision, or its rate is not published.
    """

    name: str
    arch: int
    multiprocessors: int
    memory_mhz: float | None
    bus_bits: int | None
    fp64_ratio: int | None
    bandwidth_specified: float | None = None

    @property
    def bandwidth(self) -> float:
        """Peak memory bandwidth, GB/s."""
        if self.memory_mhz is not None and self.bus_bits is not None:
            return theoretical(self.memory_mhz, self.bus_bits)
        return self.bandwidth_specified or 0.0

    @property
    def capability(self) -> Capability:
        return limits(self.arch)


DEVICES: tuple[Device, ...] = (
    Device("Tesla C870", 10, 16, 800, 384, None),
    Device("Quadro FX 5600", 10, 16, 800, 384, None),
    Device("GeForce 8800 GTX", 10, 16, 900, 384, None),
    Device("GeForce 9800 GTX", 11, 16, 1100, 256, None),
    Device("GeForce GT 240", 12, 12, 1700, 128, None),
    Device("GeForce GTX 280", 13, 30, 1107, 512, 8),
    Device("Tesla C1060", 13, 30, 800, 512, 8),
    Device("Tesla C2050", 20, 14, 1500, 384, 2),
    Device("Tesla M2090", 20, 16, 1848, 384, 2),
    Device("GeForce GTX 480", 20, 15, 1848, 384, 8),
    Device("GeForce GTX 560 Ti", 21, 8, 2004, 256, 12),
    Device("GeForce GTX 680", 30, 8, 3004, 256, 24),
    Device("Tesla K20X", 35, 14, 2600, 384, 3),
    Device("Tesla K40", 35, 15, 3004, 384, 3),
    Device("Tesla K80", 37, 13, 2505, 384, 3),
    Device("GeForce GTX 750 Ti", 50, 5, 2700, 128, 32),
    Device("GeForce GTX 980", 52, 16, 3505, 256, 32),
    Device("Tesla M40", 52, 24, 3004, 384, 32),
    Device("Jetson TX1", 53, 2, 1600, 64, 32),
    Device("Tesla P100", 60, 56, 715, 4096, 2),
    Device("GeForce GTX 1080 Ti", 61, 28, 5505, 352, 32),
    Device("Tesla P40", 61, 30, 3615, 384, 32),
    Device("Jetson TX2", 62, 2, 1866, 128, 32),
    Device("Tesla V100", 70, 80, 877, 4096, 2),
    Device("Jetson AGX Xavier", 72, 8, 2133, 256, None),
    Device("Tesla T4", 75, 40, 5001, 256, 32),
    Device("GeForce GTX 1650", 75, 14, 4001, 128, 32),
    Device("GeForce RTX 2080 Ti", 75, 68, 7000, 352, 32),
    Device("A30", 80, 56, 1215, 3072, 2),
    Device("A100 40GB", 80, 108, 1215, 5120, 2),
    Device("A100 80GB", 80, 108, 1593, 5120, 2),
    Device("A40", 86, 84, 7251, 384, 64),
    Device("GeForce RTX 3050", 86, 20, 7001, 128, 64),
    Device("GeForce RTX 3090", 86, 82, 9751, 384, 64),
    Device("Jetson AGX Orin", 87, 16, 3200, 256, None),
    Device("L4", 89, 58, 6251, 192, 64),
    Device("L40", 89, 142, 9001, 384, 64),
    Device("GeForce RTX 4060", 89, 24, 8501, 128, 64),
    Device("GeForce RTX 4090", 89, 128, 10501, 384, 64),
    Device("H100 PCIe", 90, 114, 1593, 5120, 2),
    Device("H100 SXM", 90, 132, 2619, 5120, 2),
    Device("H200", 90, 132, None, None, 2, 4800.0),
    Device("B200", 100, 148, None, None, 2, 8000.0),
    Device("GeForce RTX 5060", 120, 30, 14001, 128, 64),
    Device("GeForce RTX 5090", 120, 170, 14001, 512, 64),
)


def device(name: str) -> Device:
    """The device of that name, in any case. KeyError when there is no row."""
    for row in DEVICES:
        if row.name.lower() == name.lower():
            return row
    raise KeyError(name)


def usual(arch: int) -> Device:
    """The device that stands for an architecture where none is named: of those with the nearest capability
    that is no newer (the oldest, for what is older still), the one with the highest bandwidth.
    """
    older = [row.arch for row in DEVICES if row.arch <= arch]
    nearest = max(older) if older else min(row.arch for row in DEVICES)
    return max((row for row in DEVICES if row.arch == nearest), key=lambda row: row.bandwidth)
