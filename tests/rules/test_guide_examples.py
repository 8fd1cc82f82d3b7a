"""The examples of the guides, a row each: what the code does, and all that cudalint says of it.

The guides' numbers are those in docs/guides.md. The code is our own: the files under fixtures/guides, whose
findings stand here by kernel or host function, in the order of their lines, with the numbers that the guide
tells or that follow from it; a function that is not named is clean. An empty row is a file that is clean.
What the guides count without a program is a call. A remark says where the hardware or CUDA has moved on.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cudalint.engine.engine import Run
from cudalint.gpu.bandwidth import gibibytes, theoretical
from cudalint.gpu.capabilities import BankModel
from cudalint.gpu.occupancy import occupancy
from cudalint.gpu.speedup import amdahl
from cudalint.rule.findings import Finding
from cudalint.simt.requests.bank_models import bank_passes
from cudalint.source.text import read_lines, shown
from tests.support import guide_kernels
from tests.support.checkout import ROOT
from tests.support.fixtures import lint

FOLDER = ROOT / "fixtures" / "guides"
FILES = sorted(FOLDER.glob("*.cu"))
Findings = dict[str, list[str]]  # by kernel or host function

STRIDE_2, STRIDE_3, STRIDE_8 = (
    [f"CU101 transactions={sectors} ideal=4 stride={stride}"]
    for sectors, stride in ((8, 8), (12, 12), (32, 32))
)
SHIFTED = ["CU102 transactions=5 ideal=4"]  # a load and a store
LONG = ["CU401", "CU608"]

EXAMPLES: list[tuple[str, str, str, Findings]] = [
    # guide, what the code does, file, findings by function
    ("000 9.1", "copy of a whole array, then a kernel; the same in pieces on streams, pinned",
     "000_staged_copies.cu", {"as_a_whole": ["CU701 direction=HtoD bytes=16777216"]}),
    ("000 9.1", "pieces on streams, out of memory of malloc",
     "000_staged_copies_pageable.cu", {"main": ["CU702"]}),
    ("000 9.1", "copy and kernel in the default stream, while the host computes",
     "000_copy_kernel_host_function.cu", {}),
    ("000 9.1", "mapped memory, each element read once; read in a loop",
     "000_mapped_buffer.cu", {"again_and_again": ["CU114"]}),
    ("000 9.2", "copy from element 0, 8, 16, 32; from element 1 (all offsets: below)",
     "000_shifted_copy.cu", {"shifted_by": SHIFTED}),
    ("000 9.2", "copy of each, each 2nd, 3rd, 8th, 18th element",
     "000_strided_copy.cu",
     {"every_second": STRIDE_2, "every_third": STRIDE_3, "every_eighth": STRIDE_8,
      "every_eighteenth": ["CU101 transactions=32 ideal=4 stride=72"]}),
    # A warp reads one word of A an iteration: a sector, which the first-level cache keeps for the next seven.
    # B's row is what every warp of the block asks for again, also in the version with A's tile.
    ("000 9.2", "C = AB from global memory; A's tile behind a barrier of a warp, a block; two tiles and none",
     "000_product.cu",
     {"from_global_memory": ["CU107 times=32 warps=32 bytes=4096"],
      "left_tile": ["CU107 times=32 warps=32 bytes=4096"],
      "left_tile_and_block_barrier": ["CU308 passes=warp executed=1", "CU107 times=32 warps=32 bytes=4096"],
      "both_tiles_without_barrier": ["CU301 index=right[0]"]}),
    ("000 9.2", "C = A x A turned from global memory; with a turned tile 32 wide, 33 wide",
     "000_product_with_its_transpose.cu",
     {"from_global_memory": ["CU103 transactions=32 ideal=4", "CU107 times=33 warps=32"],
      "turned": ["CU201 transactions=32 ideal=1"]}),
    ("000 8.1", "time of a launch by a clock and by events, with a wait and without",
     "000_timing.cu", {"clock_without_wait": ["CU807"], "events_without_wait": ["CU808"]}),
    ("001", "add<<<1, 1>>>",
     "001_add_serially.cu",
     {"add": ["CU110", "CU405 iterations=1048576"],
      "main": ["CU504 blocks=1 threads=1 iterations=1048576", "CU711"]}),
    ("001", "add<<<N / T, T>>> with N = 1024 x 1024 and T = 256; with N a parameter",
     "001_add.cu", {"any_number": ["CU509 count=n per=256"]}),
    ("001", "sums over 7 elements on either side, without a barrier, with one; beyond the array's ends",
     "001_stencil.cu",
     {"without_barrier": ["CU301 threads=[[32, 0, 0], [25, 0, 0]]"], "beyond_the_edges": ["CU510"]}),
    ("001", "an array turned round in static, dynamic shared memory; launched without its size",
     "001_reverse.cu", {"main": ["CU203"]}),
    ("001", "matrix sum in one block of 64 x 64; in 16 x 16 with a guard, N / 16 blocks",
     "001_matrix_sum.cu", {"any_number": ["CU509 count=n per=16 axes=xy"], "main": ["CU503"]}),
    # Without the second barrier the left tile is handed on unordered as well, but inside a warp of two rows:
    # the barrier that the right one calls for mends both.
    ("001", "product by tiles through functions for an element; without the second barrier",
     "001_tiled_product.cu", {"product_with_one_barrier": ["CU301 index=rights[0] next_round=true"]}),
    # Short ways are predicated.
    ("001", "if (a[i] % 2 == 0), with short ways and long ones",
     "001_even_elements.cu", {"long_ways": ["CU404", "CU608"]}),
    # Another variable than the kernel's is a note: wrong only before 6.0, or where pages are not shared.
    ("001", "a managed variable written by the host right after a launch, the kernel's own; after a wait",
     "001_managed_variable.cu",
     {"at_once": ["CU804 severity=note"], "the_same_at_once": ["CU804 severity=error"]}),
    ("001", "a kernel launches another and waits for it",
     "001_child_launch.cu", {"parent": ["CU901"]}),
    ("001", "a picture turned through a texture object",
     "001_texture_object.cu", {"rotated": ["CU608", "CU612"]}),
    ("002", "c[i] and c[i - 1] through shared memory, with a barrier and without",
     "002_neighbour.cu", {"without_barrier": ["CU301 index=part[31]"]}),
    ("002", "threadIdx.x / WARP_SIZE == 2",
     "002_number_of_the_warp.cu", {"third_warp": ["CU608"]}),
    # An assignment on either side is predicated by the compiler; bool pred and two ifs are one cause.
    ("003", "even and odd warps; lanes, with an assignment each, with long sides; the same by two ifs",
     "003_even_and_odd.cu", {"even_lanes_with_long_sides": LONG, "two_questions_with_long_sides": LONG}),
    # Sectors have 32 bytes since 5.0: rows of 16 floats are two of them, as good as rows of 32.
    ("003", "matrix sum in blocks of 32x32, 32x16, 16x32, 16x16 and 4x64",
     "003_matrix_sum.cu", {"sum_in_short_rows": ["CU105 transactions=8 ideal=4"]}),
    # 412 of the last block's 512 threads have an element. The guide's 2^24 elements fill all blocks, where
    # nobody returns. From 7.0 on threads that have ended are not waited for: a warning there.
    # Where a remainder chooses the threads, CU403 names the idle lanes and CU101 what the rest load; first
    # threads with a doubled index are strides of 8 to 1024 bytes.
    ("003", "sum in global memory by neighbours, by a remainder and by the first threads; of far pairs",
     "003_pairs.cu",
     {"neighbours_by_remainder": ["CU403 warps=95 ideal=20", "CU101 transactions=2.68",
                                  "CU302 missing=[412, 0, 0] severity=note"],
      "neighbours_by_the_first": ["CU101 transactions=12.75", "CU302 missing=[412, 0, 0] severity=note"],
      "interleaved": ["CU302 missing=[412, 0, 0] severity=note"]}),
    ("003", "tid % (2 * stride) == 0 in shared memory",
     "003_remainder_in_shared_memory.cu", {"by_remainder": ["CU208 rounds=9", "CU403 warps=95 ideal=20"]}),
    ("003", "two elements a thread, the barrier inside the if; behind it",
     "003_unrolled.cu", {"barrier_inside": ["CU302 missing=[412, 0, 0] severity=error"]}),
    ("003", "last warp by volatile steps; all steps by a template parameter, no branch of which diverges",
     "003_last_warp.cu", {"last_warp": ["CU304 index=v[16]"], "all_steps": ["CU304 index=v[16]"]}),
    ("003", "the same before 7.0, where a warp runs in step",
     "003_last_warp_in_step.cu", {}),
    ("004", "float3 loaded, changed, stored; staged through shared memory",
     "004_triples.cu", {"as_structs": ["CU104 transactions=12 ideal=4"]}),
    ("004", "two streams one after the other before 3.5; kind by kind",
     "004_order_of_issue.cu", {"stream_by_stream": ["CU707"]}),
    ("004", "the same on a device with a queue for each stream",
     "004_order_of_issue_today.cu", {}),
    ("004", "a long array through two buffers, through three, pinned",
     "004_double_buffers.cu", {}),
    ("004", "fetch through a texture reference",
     "004_texture_reference.cu", {"(global)": ["CU902"]}),
    ("004", "vertices in a buffer of OpenGL",
     "004_gl_buffer.cu", {"wave": ["CU608"], "prepare": ["CU903"], "draw": ["CU903", "CU903"]}),
    ("004", "cudaThreadSynchronize",
     "004_thread_synchronize.cu", {"main": ["CU901"]}),
    # sin of a float is the float function in C++; pow with a double exponent is not.
    ("004", "foo = bar * 0.123; sin(bar); a function in double",
     "004_literals.cu",
     {"scaled": ["CU601"], "overloaded": ["CU608"], "in_double": ["CU602 function=pow"],
      "single": ["CU608"]}),
    # Blocks of 64 threads: half of the warps split. Of blocks of 256 it is one warp of eight, as at an edge,
    # and CU401 is silent.
    ("004", "threadIdx.x > 2; threadIdx.x / 32 > 2, both sides long",
     "004_beyond_two.cu",
     {"threads": ["CU401 taken=29 not_taken=3", "CU608"], "warps": ["CU608"]}),
    ("004", "__mul24",
     "004_mul24.cu", {"numbered": ["CU611"]}),
]  # fmt: skip


@pytest.fixture(scope="module")
def run() -> Run:
    """All files of the table, linted once."""
    return lint(*FILES)


@pytest.mark.parametrize(("guide", "what", "file", "findings"), EXAMPLES, ids=[row[2] for row in EXAMPLES])
def test_what_is_said_of_an_example(run: Run, guide: str, what: str, file: str, findings: Findings) -> None:
    assert (FOLDER / file).is_file()
    assert unlike(found_in(run, FOLDER / file), findings) == []


def test_every_file_is_in_the_table() -> None:
    assert sorted(row[2] for row in EXAMPLES) == [file.name for file in FILES]


def found_in(run: Run, file: Path) -> list[Finding]:
    return [finding for finding in run.findings if finding.span.path == shown(str(file))]


def unlike(found: list[Finding], findings: Findings) -> list[str]:
    """How what was found differs from a row of the table."""
    problems = []
    lines = {finding.span.line: function_at(finding) for finding in found}
    for name in {*findings, *lines.values()}:
        mine = sorted((f for f in found if lines[f.span.line] == name), key=lambda f: f.span.line)
        asked = findings.get(name, [])
        if [finding.code for finding in mine] != [text.split()[0] for text in asked]:
            problems.append(f"{name}: {[f'{f.code} at line {f.span.line}' for f in mine]}, not {asked}")
            continue
        for finding, text in zip(mine, asked, strict=True):
            for key, value in re.findall(r"(\w+)=(\[.*\]\]?|\S+)", text):
                told = {**finding.evidence, "severity": finding.severity.value}
                said = str(told.get(key, "absent")).lower()
                if said != value.lower():
                    problems.append(f"{name}: {finding.code} {key} is {said}, not {value}")
    return problems


def function_at(finding: Finding) -> str:
    """The function whose lines a finding's line is among, in the way that the fixtures are written."""
    for line in reversed(read_lines(finding.span.path)[: finding.span.line]):
        if line.startswith("}"):
            break
        head = re.match(r"(?!#|//|struct )\w.*?(\w+)\(", line)
        if head is not None and not line.rstrip().endswith(";"):
            return head[1]
    return "(global)"


def test_a_row_that_is_not_as_it_says_is_told(run: Run) -> None:
    found = found_in(run, FOLDER / "000_strided_copy.cu")
    rows = next(row[3] for row in EXAMPLES if row[2] == "000_strided_copy.cu")
    assert unlike(found, rows) == []
    assert unlike(found, rows | {"every": STRIDE_2}) != []  # one too few
    assert unlike(found, {**rows, "every_second": []}) != []  # one too many
    assert unlike(found, {**rows, "every_second": STRIDE_3}) != []  # another number
    assert unlike([], rows) != []


def test_a_finding_bounds_the_speedup_by_amdahls_law(run: Run) -> None:
    """Copies from every s-th element: 4 * s sectors for the load, up to 32, and 4 for the store; from s = 16
    on device memory moves two for each.
    """
    found = found_in(run, FOLDER / "000_strided_copy.cu")
    highs = [finding.impact.high for finding in found if finding.impact is not None]
    bounds = [amdahl(s / (s + 4), s / 4) for s in (8, 12, 32, 64)]
    assert bounds == pytest.approx([1.5, 2.0, 4.5, 8.5])
    assert [0.75 < high / (1 - 1 / times) < 1 for high, times in zip(highs, bounds, strict=True)] == [
        True
    ] * 4


# ---- The copy of 000 9.2 with every offset from 0 to 32 --------------------------------------------

OFFSETS = range(33)


def test_a_copy_is_clean_from_every_eighth_float_on(tmp_path: Path) -> None:
    kernels = "".join(
        f"__global__ void from_{by}(float *to, const float *from)\n"
        f"{{\n    int i = blockIdx.x * blockDim.x + threadIdx.x + {by};\n    to[i] = from[i];\n}}\n"
        for by in OFFSETS
    )
    launches = "".join(f"    from_{by}<<<4096, 256>>>(to, from);\n" for by in OFFSETS)
    file = tmp_path / "copies.cu"
    options = "// select: CU102\n// ignore: CU119\n"
    file.write_text(f"{options}{kernels}void run(float *to, const float *from)\n{{\n{launches}}}\n")
    wanted = {f"from_{by}": SHIFTED for by in OFFSETS if by % 8}
    assert unlike(list(lint(file).findings), wanted) == []


# ---- What is counted without a program -------------------------------------------------------------

HALF, TESLA = 16, BankModel.HALF_WARP_BROADCAST


def blocks_and_percent(*of: int) -> tuple[int, float]:
    """Resident blocks and occupancy for (capability, threads a block, registers a thread)."""
    found = occupancy(*of, 0)
    return found.blocks, round(100 * found.fraction, 1)


def loads(arch: int, by: int, every: int) -> int:
    """Transactions of a half-warp or a warp that copies every so many floats, from one of them on."""
    found = guide_kernels.accesses(
        guide_kernels.COPY, *guide_kernels.BLOCK_1D, f"by == {by}", f"every == {every}"
    )
    (load,) = (access for access in found if access.operation == "load")
    return int(guide_kernels.older(load, arch).transactions[0])


def efficiency(x: int, y: int) -> float:
    """Percent of the bytes moved that a matrix sum in blocks of x by y uses, with lines of 128 bytes."""
    shape = (f"blockDim.x == {x}", f"blockDim.y == {y}", "pitch == 16384")
    load = next(a for a in guide_kernels.accesses(guide_kernels.MATRIX_SUM, *shape) if a.operation == "load")
    return 100 * 32 * load.bytes / int(guide_kernels.older(load, 20).bytes[0])


def ways(stride: int) -> int:
    """Passes of a half-warp over 16 banks, by the words between its lanes."""
    return int(bank_passes(TESLA, *guide_kernels.lanes(HALF, lambda k: stride * k), 4)[0])


COUNTED: list[tuple[str, str, Callable[..., Any], tuple[Any, ...], Any]] = [
    # guide, what, call, of, told
    ("000 10.1", "37 registers on 7.0, 128 threads", blocks_and_percent, (70, 128, 37), (12, 75.0)),
    ("000 10.1", "37 registers on 7.0, 320 threads", blocks_and_percent, (70, 320, 37), (4, 62.5)),
    ("004", "8192 registers, 256 threads of 10", blocks_and_percent, (10, 256, 10), (3, 100.0)),
    ("004", "8192 registers, 256 threads of 17", blocks_and_percent, (10, 256, 17), (1, 33.3)),
    ("004", "8192 registers, 128 threads of 17", blocks_and_percent, (10, 128, 17), (3, 50.0)),
    ("000 8.2", "V100, GB/s", lambda *of: round(theoretical(*of)), (877, 4096), 898),
    ("000 8.2", "V100, GiB/s", lambda *of: round(gibibytes(theoretical(*of)), 1), (877, 4096), 836.4),
    ("004", "GTX 280, GB/s", lambda *of: round(theoretical(*of), 1), (1107, 512), 141.7),
    ("003", "matrix sum on 2.0 in rows of 32: percent used", efficiency, (32, 32), 100.0),
    ("003", "in rows of 32, fewer", efficiency, (32, 16), 100.0),
    ("003", "in rows of 16: half a line", efficiency, (16, 32), 50.0),
    ("003", "in rows of 16, fewer", efficiency, (16, 16), 50.0),
    # A warp goes as two half-warps before 2.0: each of them a transaction where all is in order.
    ("004", "1.0, copy in order: one for each half-warp", loads, (10, 0, 1), 2),
    ("004", "1.0, shifted: 16 for each half-warp", loads, (10, 1, 1), 32),
    ("004", "1.0, every second: 16 for each half-warp", loads, (10, 0, 2), 32),
    ("004", "1.3, copy in order", loads, (13, 0, 1), 2),
    ("004", "1.3, shifted: two segments for the half-warp over the end of one", loads, (13, 1, 1), 3),
    ("004", "1.3, every second", loads, (13, 0, 2), 2),
    ("004", "2.0, copy in order: a line", loads, (20, 0, 1), 1),
    ("004", "2.0, shifted: two", loads, (20, 1, 1), 2),
    ("004", "2.0, every second: two", loads, (20, 0, 2), 2),
    ("004", "tile of a transpose, half-warp with stride 2", ways, (2,), 2),
    ("004", "tile of a transpose, half-warp with stride 8", ways, (8,), 8),
    ("004", "tile of a transpose, half-warp in order", ways, (1,), 1),
    # A finding speaks of work as large as it is, so Gustafson's law has no place.
    ("000, 004", "Amdahl, 3/4 in parallel, any number of processors", amdahl, (0.75,), 4.0),
    ("000, 004", "Amdahl, 3/4 on 3 processors", amdahl, (0.75, 3), 2.0),
]  # fmt: skip


@pytest.mark.parametrize(("guide", "what", "call", "of", "told"), COUNTED, ids=[row[1] for row in COUNTED])
def test_what_is_counted(
    guide: str, what: str, call: Callable[..., Any], of: tuple[Any, ...], told: Any
) -> None:
    assert call(*of) == told
