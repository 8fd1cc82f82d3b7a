"""The block that a kernel's block-wide functions are made for."""

from pathlib import Path

import pytest

from cudalint.analyses.collective_blocks import collective_block
from cudalint.frontend import load
from cudalint.host import model as host
from cudalint.simt.launch.configuration import Origin
from cudalint.simt.model import ModelOptions, run

SCAN = "typedef cub::BlockScan<int, {0}> Scan; __shared__ Scan::TempStorage s; Scan(s).InclusiveSum(v, v);"
FLAT = (
    "typedef cub::BlockReduce<int, 32, cub::BLOCK_REDUCE_RAKING, 4> Sum; __shared__ Sum::TempStorage t; "
    "v = Sum(t).Sum(v);"
)


def source(tmp_path: Path, body: str, host_code: str = "") -> str:
    file = tmp_path / "a.cu"
    file.write_text(
        "#include <cub/cub.cuh>\n"
        f"__global__ void k(int *o)\n{{\n  int v = threadIdx.x;\n  {body}\n  o[threadIdx.x] = v;\n}}\n"
        f"{host_code}"
    )
    return str(file)


@pytest.mark.parametrize(
    ("body", "block"),
    [
        (SCAN.format(192), (192, 1, 1)),
        (FLAT, (32, 4, 1)),
        (SCAN.format(32) + FLAT, None),
        ("", None),
    ],
)
def test_the_extents_are_template_arguments(
    tmp_path: Path, body: str, block: tuple[int, int, int] | None
) -> None:
    unit = load(source(tmp_path, body))
    assert collective_block(unit, unit.functions[unit.kernels[0]]) == block


@pytest.mark.parametrize(
    ("launch", "block", "origin"),
    [
        ("", (192, 1, 1), Origin.COLLECTIVE),
        ("void h(int *o, int n) { k<<<2, n>>>(o); }", (192, 1, 1), Origin.COLLECTIVE),
        ("void h(int *o) { k<<<2, 64>>>(o); }", (64, 1, 1), Origin.LAUNCH),
    ],
)
def test_a_launch_comes_first(
    tmp_path: Path, launch: str, block: tuple[int, int, int], origin: Origin
) -> None:
    unit = load(source(tmp_path, SCAN.format(192), launch))
    (kernel,) = run(unit, host.run(unit), ModelOptions())
    (shape,) = kernel.configurations
    assert (shape.block, shape.origin) == (block, origin)
