"""Memory bandwidth: what the memory could carry and what a kernel got out of it.

Source of both formulas: CUDA C++ Best Practices Guide, "Bandwidth". A GB is 10^9 bytes throughout;
`gibibytes` turns it into units of 2^30, in which some specifications are written.
"""

GB = 10**9
GIB = 2**30


def theoretical(clock_mhz: float, bus_bits: int, data_rate: int = 2) -> float:
    """Peak GB/s of a memory. data_rate: transfers a clock, 2 for DDR, GDDR and HBM by their usual clocks."""
    return clock_mhz * 1e6 * (bus_bits / 8) * data_rate / GB


def effective(read_bytes: float, written_bytes: float, seconds: float) -> float:
    """GB/s that a kernel used: the bytes it asked for, each read and each write once, over its time."""
    return (read_bytes + written_bytes) / GB / seconds


def gibibytes(gb: float) -> float:
    """GB/s as GiB/s."""
    return gb * GB / GIB
