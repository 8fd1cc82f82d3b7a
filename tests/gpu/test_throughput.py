"""Rates that follow from a device's own numbers."""

from cudalint.gpu.devices import device
from cudalint.gpu.throughput import issued_per_sector


def test_instructions_while_memory_delivers_a_sector() -> None:
    assert round(issued_per_sector(device("H200")), 2) == 6.97  # 4 x 32 x 132 x 1.98 GHz / 4.8 TB/s
    # Less bandwidth for each multiprocessor hides more.
    assert issued_per_sector(device("L4")) > issued_per_sector(device("H200"))
