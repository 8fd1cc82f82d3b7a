"""The numbers that the guides tell of their own examples: transactions, bank conflicts, occupancy, bandwidth.

Every row names the guide by its number in docs/guides.md and says in our own words what is counted. Kernels
are written for these tests. What the guides measured with a clock or a profiler is a row only where it
follows from the model's counts; then the row says by how much the two may differ.
"""

import pytest

from cudalint.cuda.warp import WARP
from cudalint.gpu.bandwidth import effective, gibibytes, theoretical
from cudalint.gpu.capabilities import BankModel, limits
from cudalint.gpu.devices import device
from cudalint.gpu.occupancy import Limiter, occupancy
from cudalint.simt.requests.bank_models import bank_passes
from cudalint.simt.requests.global_models import traffic
from tests.support.guide_kernels import (
    BLOCK_1D,
    BLOCK_2D,
    COPY,
    GRAM,
    GRAM_32,
    GRAM_33,
    MATRIX_SUM,
    PRODUCT,
    PRODUCT_TILES,
    TRIPLES,
    TRIPLES_STAGED,
    accesses,
    lanes,
    older,
)

KIB = 1024
HALF = 16

# ---- Occupancy -----------------------------------------------------------------------------------

OCCUPANCY = [
    # guide, what, capability, threads a block, registers a thread, shared bytes a block, blocks, percent
    ("000 10.1", "small blocks, 37 registers", 70, 128, 37, 0, 12, 75.0),
    ("000 10.1", "blocks of 320, 37 registers", 70, 320, 37, 0, 4, 62.5),
    ("000 10.1", "32 registers still fill 7.0", 70, 256, 32, 0, 8, 100.0),
    ("000 10.1", "one register more does not", 70, 256, 33, 0, 6, 75.0),
    ("004", "8192 registers, 10 a thread", 10, 256, 10, 0, 3, 100.0),
    ("004", "8192 registers, 17 a thread", 10, 256, 17, 0, 1, 100 * 8 / 24),
    ("004", "17 a thread in smaller blocks", 10, 128, 17, 0, 3, 50.0),
    ("004", "half the shared memory each: two blocks", 13, 256, 10, 8 * KIB, 2, 50.0),
    ("004", "more than half: one block", 13, 256, 10, 8 * KIB + 1, 1, 25.0),
    ("004", "two warps a block: eight blocks are the limit", 12, 64, 10, 0, 8, 50.0),
]


OCCUPANCY_COLUMNS = ("guide", "what", "arch", "threads", "registers", "shared", "blocks", "percent")


@pytest.mark.parametrize(OCCUPANCY_COLUMNS, OCCUPANCY)
def test_occupancy(guide, what, arch, threads, registers, shared, blocks, percent):
    found = occupancy(arch, threads, registers, shared)
    assert found.blocks == blocks
    assert 100 * found.fraction == pytest.approx(percent)


LIMITS = [
    # guide, what, found, told
    ("000 10.1", "registers of a multiprocessor of 7.0", limits(70).registers_per_sm, 65536),
    ("000 10.1", "threads of a multiprocessor of 7.0", limits(70).max_threads_per_sm, 2048),
    ("000 10.1", "warps of a multiprocessor of 7.0", limits(70).max_warps_per_sm, 64),
    ("000 10.1", "registers are given to a warp of 7.0 by", limits(70).register_unit, 256),
    ("000 10.1", "blocks of 128 that the registers alone allow",
     dict(occupancy(70, 128, 37).block_limits)[Limiter.REGISTERS], 12),
    ("004", "warps of a multiprocessor up to 1.1", limits(11).max_warps_per_sm, 24),
    ("004", "warps of a multiprocessor of 1.2", limits(12).max_warps_per_sm, 32),
    ("004", "registers up to 1.1", limits(11).registers_per_sm, 8192),
    ("004", "registers of 1.2", limits(12).registers_per_sm, 16384),
    ("004", "blocks of a multiprocessor of 1.2", limits(12).max_blocks_per_sm, 8),
    ("004", "shared memory of 1.2", limits(12).shared_per_sm, 16 * KIB),
    ("001", "banks of 1.x", limits(10).banks, 16),
    ("001", "banks of 2.0", limits(20).banks, 32),
    ("001", "shared memory of 2.x as it is set at first", limits(20).shared_per_sm, 48 * KIB),
    ("001", "shared memory of a multiprocessor of a P100", limits(60).shared_per_sm, 64 * KIB),
    ("001", "multiprocessors of a P100", device("Tesla P100").multiprocessors, 56),
    ("001", "threads of a block of a P100", limits(60).max_threads_per_block, 1024),
    ("001", "shared memory of a block of a P100", limits(60).shared_per_block, 48 * KIB),
    ("001", "registers of a block of a P100", limits(60).registers_per_block, 65536),
]  # fmt: skip


@pytest.mark.parametrize(("guide", "what", "found", "told"), LIMITS)
def test_limits(guide, what, found, told):
    assert found == told


# ---- Bandwidth -----------------------------------------------------------------------------------

COPY_BYTES = 1024 * 1024 * 4

BANDWIDTH = [
    # guide, what, found (GB/s or GiB/s), told, digits after the point that the guide tells
    ("000 8.2", "V100: 877 MHz, 4096 bits", theoretical(877, 4096), 898, 0),
    ("000 8.2", "the same in units of 2^30", gibibytes(theoretical(877, 4096)), 836.4, 1),
    ("000 9", "the V100's row", device("Tesla V100").bandwidth, 898, 0),
    ("004", "GTX 280: 1107 MHz, 512 bits", theoretical(1107, 512), 141.7, 1),
    ("004", "the same in units of 2^30", gibibytes(theoretical(1107, 512)), 132, 0),
    ("004", "the GTX 280's row", device("GeForce GTX 280").bandwidth, 141.7, 1),
    ("004", "the FX 5600's row", device("Quadro FX 5600").bandwidth, 77, 0),
    ("001", "P100: 715 MHz, 4096 bits", device("Tesla P100").bandwidth, 732, 0),
    ("003", "2080 Ti: 7000 MHz", device("GeForce RTX 2080 Ti").memory_mhz, 7000, 0),
    ("002", "copy of 1024 x 1024 floats in 1 ms", effective(COPY_BYTES, COPY_BYTES, 1e-3), 8.39, 2),
]


@pytest.mark.parametrize(("guide", "what", "found", "told", "digits"), BANDWIDTH)
def test_bandwidth(guide, what, found, told, digits):
    assert round(found, digits) == told


# ---- Global memory, by address pattern and capability --------------------------------------------


def permuted(lane: int) -> int:
    return lane ^ 1


GLOBAL = [
    # guide, what, capability, lanes, word of a lane, bytes a word, transactions, bytes moved
    ("004", "half-warp in order and aligned", 10, HALF, lambda k: k, 4, 1, 64),
    ("004", "the same, words of 8 bytes", 10, HALF, lambda k: k, 8, 1, 128),
    ("004", "the same, words of 16 bytes", 10, HALF, lambda k: k, 16, 2, 256),
    ("004", "not all lanes take part", 10, 9, lambda k: k, 4, 1, 64),
    ("004", "lanes exchanged", 10, HALF, permuted, 4, 16, 512),
    ("004", "shifted by a word", 10, HALF, lambda k: k + 1, 4, 16, 512),
    ("004", "every second word", 10, HALF, lambda k: 2 * k, 4, 16, 512),
    ("004", "structs of three floats, one member", 10, HALF, lambda k: 3 * k, 4, 16, 512),
    ("004", "one address for all lanes", 10, HALF, lambda k: 0, 4, 16, 512),
    ("004", "half-warp in order and aligned", 13, HALF, lambda k: k, 4, 1, 64),
    ("004", "lanes exchanged", 13, HALF, permuted, 4, 1, 64),
    ("004", "shifted by a word", 13, HALF, lambda k: k + 1, 4, 1, 128),
    ("004", "shifted over the end of a segment", 13, HALF, lambda k: k + 17, 4, 2, 64 + 32),
    ("004", "every second word", 13, HALF, lambda k: 2 * k, 4, 1, 128),
    ("004", "a segment for each lane", 13, HALF, lambda k: 32 * k, 4, 16, 512),
    ("004", "one address for all lanes", 13, HALF, lambda k: 0, 4, 1, 32),
    ("004", "bytes in order: smallest segment", 13, HALF, lambda k: k, 1, 1, 32),
    ("002", "warp in order and aligned: one line", 20, WARP, lambda k: k, 4, 1, 128),
    ("002", "shifted by a word: two lines", 20, WARP, lambda k: k + 1, 4, 2, 256),
    ("002", "every second word: half of what is moved", 20, WARP, lambda k: 2 * k, 4, 2, 256),
    ("002", "far strides: a line for each lane", 20, WARP, lambda k: 32 * k, 4, 32, 4096),
    ("000 9.2", "warp in order and aligned", 60, WARP, lambda k: k, 4, 4, 128),
    ("000 9.2", "shifted by a word", 60, WARP, lambda k: k + 1, 4, 5, 160),
    ("000 9.2", "every second word", 60, WARP, lambda k: 2 * k, 4, 8, 256),
]


GLOBAL_COLUMNS = ("guide", "what", "arch", "count", "word", "width", "transactions", "moved")


@pytest.mark.parametrize(GLOBAL_COLUMNS, GLOBAL)
def test_global_transactions(guide, what, arch, count, word, width, transactions, moved):
    found = traffic(limits(arch).load_model, *lanes(count, word, width), width)
    assert (found.transactions.tolist(), found.bytes.tolist()) == ([transactions], [moved])


SLOWER = [
    # guide, what, capability, shift in words, how many times slower the guide says, how far off it may be
    ("004", "FX 5600, copy shifted by a word", 10, 1, 8.0, 0.0),
    ("004", "GTX 280, copy shifted by a word", 13, 1, 1.7, 0.06),
]


@pytest.mark.parametrize(("guide", "what", "arch", "shift", "factor", "tolerance"), SLOWER)
def test_bytes_moved_tell_how_much_slower_a_shifted_copy_is(guide, what, arch, shift, factor, tolerance):
    def moved(offset: int) -> int:
        return int(traffic(limits(arch).load_model, *lanes(WARP, lambda k: k + offset), 4).bytes[0])

    assert moved(shift) / moved(0) == pytest.approx(factor, abs=tolerance)


# ---- Shared memory, by address pattern and bank model --------------------------------------------

TESLA, FERMI = BankModel.HALF_WARP_BROADCAST, BankModel.WORD_BROADCAST
KEPLER8, TODAY = BankModel.DOUBLE_WORDS, BankModel.WAVEFRONTS

BANKS = [
    # guide, what, model, lanes, word of a lane, bytes a word, passes
    ("004", "half-warp, successive words", TESLA, HALF, lambda k: k, 4, 1),
    ("004", "half-warp, words exchanged", TESLA, HALF, permuted, 4, 1),
    ("004", "half-warp, one word for all", TESLA, HALF, lambda k: 5, 4, 1),
    ("004", "half-warp, stride 2: 2-way", TESLA, HALF, lambda k: 2 * k, 4, 2),
    ("004", "half-warp, stride 8: 8-way", TESLA, HALF, lambda k: 8 * k, 4, 8),
    ("004", "half-warp, stride 3 (float3)", TESLA, HALF, lambda k: 3 * k, 4, 1),
    ("004", "half-warp, column of a tile 16 wide", TESLA, HALF, lambda k: 16 * k, 4, 16),
    ("001", "a warp of 1.x goes in two requests", TESLA, WARP, lambda k: k, 4, 2),
    ("001", "a warp of 2.0 goes in one", FERMI, WARP, lambda k: k, 4, 1),
    ("001", "doubles on 2.0: by half-warps, no conflict", FERMI, WARP, lambda k: k, 8, 2),
    ("001", "doubles on 3.x with 8-byte banks", KEPLER8, WARP, lambda k: k, 8, 1),
    ("000 9.2", "column of a tile 32 wide: 32-way", TODAY, WARP, lambda k: 32 * k, 4, 32),
    ("000 9.2", "column of a tile padded to 33", TODAY, WARP, lambda k: 33 * k, 4, 1),
]


@pytest.mark.parametrize(("guide", "what", "model", "count", "word", "width", "passes"), BANKS)
def test_bank_conflicts(guide, what, model, count, word, width, passes):
    assert bank_passes(model, *lanes(count, word, width), width).tolist() == [passes]


# ---- Kernels through the whole model -------------------------------------------------------------


def counts(code: str, buffer: str, operation: str, *assumptions: str) -> list[tuple[float, float]]:
    """Transactions a request and ideal ones of every access to a buffer, in the source's order; all exact."""
    chosen = [a for a in accesses(code, *assumptions) if (a.buffer, a.operation) == (buffer, operation)]
    assert all(access.transactions.certainty == "exact" for access in chosen)
    return [(a.transactions.per_request, a.transactions.ideal) for a in chosen]


KERNELS = [
    # guide, what, kernel, buffer, operation, assumptions, [(transactions, ideal)] of its accesses
    *(
        ("000 9.2", f"copy shifted by {by}", COPY, buffer, operation,
         (*BLOCK_1D, f"by == {by}", "every == 1"), [(4 if by % 8 == 0 else 5, 4)])
        for by in range(33)
        for buffer, operation in (("from", "load"), ("to", "store"))
    ),
    *(
        ("000 9.2", f"copy of every {every}th word", COPY, "from", "load",
         (*BLOCK_1D, "by == 0", f"every == {every}"), [(sectors, 4)])
        for every, sectors in ((1, 4), (2, 8), (3, 12), (4, 16), (8, 32), (9, 32), (16, 32), (32, 32))
    ),
    ("000 9.2", "product: a warp reads one word of A", PRODUCT, "a", "load", BLOCK_2D, [(1, 1)]),
    ("000 9.2", "product: and a row of B", PRODUCT, "b", "load", BLOCK_2D, [(4, 4)]),
    ("000 9.2", "product from tiles: A in rows", PRODUCT_TILES, "a", "load", BLOCK_2D, [(4, 4)]),
    ("000 9.2", "and one word of it in the loop", PRODUCT_TILES, "left", "load", BLOCK_2D, [(1, 1)]),
    ("000 9.2", "B's tile without a conflict", PRODUCT_TILES, "right", "load", BLOCK_2D, [(1, 1)]),
    ("000 9.2", "A by A turned: a word, and a sector a lane", GRAM, "a", "load", BLOCK_2D,
     [(1, 1), (32, 4)]),
    ("000 9.2", "turned tile: both loads are rows", GRAM_32, "a", "load", BLOCK_2D,
     [(4, 4), (4, 4)]),
    ("000 9.2", "turned tile of 32: 32-way store", GRAM_32, "turned", "store", BLOCK_2D,
     [(32, 1)]),
    ("000 9.2", "turned tile padded to 33", GRAM_33, "turned", "store", BLOCK_2D,
     [(1, 1)]),
    ("000 9.2", "and its rows", GRAM_33, "turned", "load", BLOCK_2D, [(1, 1)]),
    *(
        ("003", f"matrix sum in blocks of {x} x {y}", MATRIX_SUM, buffer, operation,
         (f"blockDim.x == {x}", f"blockDim.y == {y}", "pitch == 16384"), [(sectors, 4)])
        for x, y, sectors in ((32, 32, 4), (32, 16, 4), (16, 32, 4), (16, 16, 4), (4, 64, 8))
        for buffer, operation in (("a", "load"), ("b", "load"), ("c", "store"))
    ),
    ("004", "three floats a struct: loads", TRIPLES, "from", "load", BLOCK_1D, [(12, 4)]),
    ("004", "three floats a struct: stores", TRIPLES, "to", "store", BLOCK_1D, [(12, 4)]),
    ("004", "the same staged: loads", TRIPLES_STAGED, "from", "load", BLOCK_1D, [(4, 4)]),
    ("004", "the same staged: stores", TRIPLES_STAGED, "to", "store", BLOCK_1D, [(4, 4)]),
]  # fmt: skip


KERNEL_COLUMNS = ("guide", "what", "code", "buffer", "operation", "assumptions", "expected")


@pytest.mark.parametrize(KERNEL_COLUMNS, KERNELS)
def test_kernels(guide, what, code, buffer, operation, assumptions, expected):
    assert counts(code, buffer, operation, *assumptions) == expected


def test_staged_triples_have_no_bank_conflict():
    """004: a stride of three words meets every bank once."""
    found = [a.transactions for a in accesses(TRIPLES_STAGED, *BLOCK_1D) if a.buffer == "part"]
    assert found
    assert {(t.per_request, t.ideal) for t in found} == {(1, 1)}


# ---- Kernels' addresses under an older capability ------------------------------------------------


@pytest.mark.parametrize(
    ("guide", "x", "y", "percent"),
    [
        ("003", 32, 32, 100.0),
        ("003", 32, 16, 100.0),
        ("003", 16, 32, 49.96),
        ("003", 16, 16, 49.80),
    ],
)
def test_load_efficiency_of_a_matrix_sum_with_lines_of_128_bytes(guide, x, y, percent):
    """The guide's profiler counted a little less than the half that follows; the difference is below 0.25."""
    found = accesses(MATRIX_SUM, f"blockDim.x == {x}", f"blockDim.y == {y}", "pitch == 16384")
    for access in (a for a in found if a.operation == "load"):
        moved = int(older(access, 20).bytes[0])
        assert 100 * WARP * access.bytes / moved == pytest.approx(percent, abs=0.25)


@pytest.mark.parametrize(
    ("guide", "what", "arch", "by", "every", "transactions"),
    [
        ("004", "shifted copy, a transaction for every lane", 10, 1, 1, 32),
        ("004", "shifted copy, three segments for two half-warps", 13, 1, 1, 3),
        ("004", "shifted copy, two lines", 20, 1, 1, 2),
        ("004", "copy in order", 10, 0, 1, 2),
        ("004", "copy in order", 13, 0, 1, 2),
        ("004", "copy in order", 20, 0, 1, 1),
        ("004", "copy of every second word", 10, 0, 2, 32),
        ("004", "copy of every second word", 13, 0, 2, 2),
        ("004", "copy of every second word", 20, 0, 2, 2),
    ],
)
def test_shifted_and_strided_copies_on_older_devices(guide, what, arch, by, every, transactions):
    found = accesses(COPY, *BLOCK_1D, f"by == {by}", f"every == {every}")
    (read,) = (a for a in found if a.operation == "load")
    assert older(read, arch).transactions.tolist() == [transactions]


def test_the_broadcast_operand_of_a_product_does_not_coalesce_before_1_2():
    """004: the row's word is one transaction for each lane on 1.0, one for each half-warp on 1.3."""
    (read,) = (a for a in accesses(PRODUCT, *BLOCK_2D) if a.buffer == "a")
    assert older(read, 10).transactions.tolist() == [32]
    assert older(read, 13).transactions.tolist() == [2]
