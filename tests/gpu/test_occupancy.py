"""Limits, occupancy, bandwidth and devices: known values, and occupancy against filling a multiprocessor."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cudalint.gpu.bandwidth import effective, gibibytes, theoretical
from cudalint.gpu.capabilities import ROWS, Capability, limits
from cudalint.gpu.devices import DEVICES, device
from cudalint.gpu.occupancy import Limiter, occupancy

K = 1024

# capability: threads a block, warps, blocks, registers (K) of a multiprocessor, registers a block (K) and a
# thread, shared memory of a block and of a multiprocessor (KiB), banks
LIMITS = {
    "1.0": (512, 24, 8, 8, 8, 124, 16, 16, 16),
    "1.1": (512, 24, 8, 8, 8, 124, 16, 16, 16),
    "1.2": (512, 32, 8, 16, 16, 124, 16, 16, 16),
    "1.3": (512, 32, 8, 16, 16, 124, 16, 16, 16),
    "2.0": (1024, 48, 8, 32, 32, 63, 48, 48, 32),
    "2.1": (1024, 48, 8, 32, 32, 63, 48, 48, 32),
    "3.0": (1024, 64, 16, 64, 64, 63, 48, 48, 32),
    "3.5": (1024, 64, 16, 64, 64, 255, 48, 48, 32),
    "3.7": (1024, 64, 16, 128, 64, 255, 48, 112, 32),
    "5.0": (1024, 64, 32, 64, 64, 255, 48, 64, 32),
    "5.2": (1024, 64, 32, 64, 64, 255, 48, 96, 32),
    "5.3": (1024, 64, 32, 64, 32, 255, 48, 64, 32),
    "6.0": (1024, 64, 32, 64, 64, 255, 48, 64, 32),
    "6.1": (1024, 64, 32, 64, 64, 255, 48, 96, 32),
    "6.2": (1024, 64, 32, 64, 32, 255, 48, 64, 32),
    "7.0": (1024, 64, 32, 64, 64, 255, 96, 96, 32),
    "7.2": (1024, 64, 32, 64, 64, 255, 96, 96, 32),
    "7.5": (1024, 32, 16, 64, 64, 255, 64, 64, 32),
    "8.0": (1024, 64, 32, 64, 64, 255, 163, 164, 32),
    "8.6": (1024, 48, 16, 64, 64, 255, 99, 100, 32),
    "8.7": (1024, 48, 16, 64, 64, 255, 163, 164, 32),
    "8.9": (1024, 48, 24, 64, 64, 255, 99, 100, 32),
    "9.0": (1024, 64, 32, 64, 64, 255, 227, 228, 32),
    "10.0": (1024, 64, 32, 64, 64, 255, 227, 228, 32),
    "10.3": (1024, 64, 32, 64, 64, 255, 227, 228, 32),
    "11.0": (1024, 48, 24, 64, 64, 255, 227, 228, 32),
    "12.0": (1024, 48, 24, 64, 64, 255, 99, 100, 32),
}

# capability: register unit, to a block or a warp, warp granularity, shared memory unit, reserved a block
UNITS = {
    "1.0": (256, "block", 2, 512, 0),
    "1.1": (256, "block", 2, 512, 0),
    "1.2": (512, "block", 2, 512, 0),
    "1.3": (512, "block", 2, 512, 0),
    "2.0": (64, "warp", 2, 128, 0),
    "2.1": (64, "warp", 2, 128, 0),
    "6.0": (256, "warp", 2, 256, 0),
    **dict.fromkeys(("3.0", "3.5", "3.7", "5.0", "5.2", "5.3", "6.1", "6.2"), (256, "warp", 4, 256, 0)),
    **dict.fromkeys(("7.0", "7.2", "7.5"), (256, "warp", 4, 256, 0)),
    **dict.fromkeys(
        ("8.0", "8.6", "8.7", "8.9", "9.0", "10.0", "10.3", "11.0", "12.0"), (256, "warp", 4, 128, K)
    ),
}


def test_the_rows_are_the_tables() -> None:
    assert {
        row.name: (
            row.max_threads_per_block,
            row.max_warps_per_sm,
            row.max_blocks_per_sm,
            row.registers_per_sm // K,
            row.registers_per_block // K,
            row.registers_per_thread,
            row.shared_per_block_optin // K,
            row.shared_per_sm // K,
            row.banks,
        )
        for row in ROWS
    } == LIMITS
    assert {
        row.name: (
            row.register_unit,
            "block" if row.registers_by_block else "warp",
            row.warp_granularity,
            row.shared_unit,
            row.shared_reserved,
        )
        for row in ROWS
    } == UNITS


def filled(row: Capability, threads: int, registers: int, shared: int) -> int:
    """Blocks that fit, put on a multiprocessor one by one until a resource is gone."""
    warps = (threads + 31) // 32
    if threads > row.max_threads_per_block or registers > row.registers_per_thread:
        return 0
    unit = row.register_unit * (2 if registers in row.coarse_registers else 1)
    parts = 1 if row.registers_by_block else row.warp_granularity
    free = [row.registers_per_sm // parts] * parts
    free_warps, free_shared, blocks = row.max_warps_per_sm, row.shared_per_sm, 0

    def whole(need: int, unit: int) -> int:
        taken = 0
        while taken < need:
            taken += unit
        return taken

    memory = whole(shared + row.shared_reserved, row.shared_unit)
    if memory > row.shared_per_block_optin + row.shared_reserved:
        return 0
    padded = whole(warps, row.warp_granularity)
    if not row.registers_by_block and padded * whole(registers * 32, unit) > row.registers_per_block:
        return 0
    while blocks < row.max_blocks_per_sm and free_warps >= warps and free_shared >= memory:
        if row.registers_by_block:
            needs = [whole(padded * 32 * registers, unit)]
        else:
            needs = [whole(registers * 32, unit)] * warps
        for need in needs:
            emptiest = free.index(max(free))
            if free[emptiest] < need:
                return blocks
            free[emptiest] -= need
        blocks, free_warps, free_shared = blocks + 1, free_warps - warps, free_shared - memory
    return blocks


@settings(max_examples=600)
@given(
    st.sampled_from(ROWS),
    st.integers(1, 1100),
    st.one_of(st.integers(0, 64), st.integers(0, 256)),
    st.one_of(st.just(0), st.integers(0, 8 * K), st.integers(0, 240 * K)),
)
def test_occupancy_is_what_filling_a_multiprocessor_gives(row, threads, registers, shared) -> None:
    found = occupancy(row.arch, threads, registers, shared)
    assert found.blocks == filled(row, threads, registers, shared)
    assert found.warps == found.blocks * ((threads + 31) // 32)
    assert 0 <= found.fraction <= 1
    assert found.limiters


@pytest.mark.parametrize(
    ("arch", "threads", "registers", "shared", "blocks", "limiters"),
    [
        (90, 1024, 32, 0, 2, (Limiter.WARPS, Limiter.REGISTERS)),
        (90, 32, 16, 0, 32, (Limiter.BLOCKS,)),
        (90, 256, 128, 0, 2, (Limiter.REGISTERS,)),
        (90, 256, 32, 100 * K, 2, (Limiter.SHARED,)),
        (90, 256, 32, 228 * K, 0, (Limiter.SHARED,)),
        (90, 1025, 32, 0, 0, (Limiter.WARPS,)),
        (90, 1024, 65, 0, 0, (Limiter.REGISTERS,)),
        (90, 64, 256, 0, 0, (Limiter.REGISTERS,)),
        (75, 1024, 64, 0, 1, (Limiter.WARPS, Limiter.REGISTERS)),
        (53, 1024, 32, 0, 2, (Limiter.WARPS, Limiter.REGISTERS)),
        (53, 1024, 33, 0, 0, (Limiter.REGISTERS,)),
        (20, 192, 21, 0, 7, (Limiter.REGISTERS,)),
        (20, 192, 20, 0, 8, (Limiter.WARPS, Limiter.BLOCKS, Limiter.REGISTERS)),
    ],
)
def test_the_limiter_is_named(arch, threads, registers, shared, blocks, limiters) -> None:
    found = occupancy(arch, threads, registers, shared)
    assert (found.blocks, found.limiters) == (blocks, limiters)


def test_a_block_of_no_threads_is_refused() -> None:
    with pytest.raises(ValueError):
        occupancy(90, 0)


# GB/s as the specifications print it
SPECIFIED = {
    "Tesla C870": 76.8,
    "Quadro FX 5600": 76.8,
    "GeForce 8800 GTX": 86.4,
    "GeForce 9800 GTX": 70.4,
    "GeForce GT 240": 54.4,
    "GeForce GTX 280": 141.7,
    "Tesla C1060": 102.4,
    "Tesla C2050": 144.0,
    "Tesla M2090": 177.4,
    "GeForce GTX 480": 177.4,
    "GeForce GTX 560 Ti": 128.3,
    "GeForce GTX 680": 192.3,
    "Tesla K20X": 249.6,
    "Tesla K40": 288.4,
    "Tesla K80": 240.5,
    "GeForce GTX 750 Ti": 86.4,
    "GeForce GTX 980": 224.3,
    "Tesla M40": 288.4,
    "Jetson TX1": 25.6,
    "Tesla P100": 732.2,
    "GeForce GTX 1080 Ti": 484.4,
    "Tesla P40": 347.0,
    "Jetson TX2": 59.7,
    "Tesla V100": 898.0,
    "Jetson AGX Xavier": 136.5,
    "Tesla T4": 320.1,
    "GeForce GTX 1650": 128.0,
    "GeForce RTX 2080 Ti": 616.0,
    "A30": 933.1,
    "A100 40GB": 1555.2,
    "A100 80GB": 2039.0,
    "A40": 696.1,
    "GeForce RTX 3050": 224.0,
    "GeForce RTX 3090": 936.1,
    "Jetson AGX Orin": 204.8,
    "L4": 300.0,
    "L40": 864.1,
    "GeForce RTX 4060": 272.0,
    "GeForce RTX 4090": 1008.1,
    "H100 PCIe": 2039.0,
    "H100 SXM": 3352.3,
    "H200": 4800.0,
    "B200": 8000.0,
    "GeForce RTX 5060": 448.0,
    "GeForce RTX 5090": 1792.1,
}


def test_devices_have_the_bandwidth_of_their_specification() -> None:
    assert {row.name: round(row.bandwidth, 1) for row in DEVICES} == SPECIFIED


def test_devices_hold_together() -> None:
    assert len({row.name.lower() for row in DEVICES}) == len(DEVICES)
    assert [row.arch for row in DEVICES] == sorted(row.arch for row in DEVICES)
    for row in DEVICES:
        assert limits(row.arch).arch == row.arch
        assert (row.memory_mhz is None) == (row.bus_bits is None) == (row.bandwidth_specified is not None)
    assert device("tesla v100") is device("Tesla V100")
    with pytest.raises(KeyError):
        device("Voodoo 2")


def test_bandwidth_formulas() -> None:
    assert theoretical(1000, 8, data_rate=1) == 1.0
    assert theoretical(1000, 8) == 2.0
    assert effective(3e9, 1e9, 2.0) == 2.0
    assert gibibytes(1024**3 / 1e9) == 1.0
