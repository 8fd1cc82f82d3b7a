"""Blocks that stand for those that are not run, against all blocks of the grid one by one."""

import itertools

import pytest

from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.host.model import run as run_host
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.accesses.weights import weights
from cudalint.simt.model import ModelOptions, run
from cudalint.simt.values.samples import make

ROWS = """
__global__ void rows(float *out, const float *in)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < WIDTH && y < HEIGHT)
        out[y * WIDE + x] = in[y * WIDTH + x];
}
float *somewhere();
void start() { rows<<<dim3((WIDTH + 31) / 32, (HEIGHT + 7) / 8), dim3(32, 8)>>>(somewhere(), somewhere()); }
"""


@pytest.mark.parametrize(
    ("grid", "blocks", "wanted"),
    [
        ((10, 1, 1), [(0, 0, 0), (1, 0, 0)], [1, 9]),
        ((10, 1, 1), [(0, 0, 0), (1, 0, 0), (9, 0, 0)], [1, 8, 1]),
        ((10, 1, 1), [(0, 0, 0), (1, 0, 0), (5, 0, 0), (9, 0, 0)], [1, 4, 4, 1]),
        ((2, 1, 1), [(0, 0, 0), (1, 0, 0)], [1, 1]),
        ((4, 5, 1), [(0, 0, 0), (1, 1, 0), (1, 0, 0), (0, 1, 0)], [1, 12, 3, 4]),
        (
            (4, 5, 1),
            [(0, 0, 0), (1, 1, 0), (1, 0, 0), (0, 1, 0), (3, 1, 0), (1, 4, 0), (3, 4, 0)],
            [1, 6, 2, 3, 4, 3, 1],
        ),
    ],
)
def test_every_block_of_the_grid_is_stood_for_once(grid, blocks, wanted):
    row = weights(make((32, 1, 1), grid, tuple(blocks), 1), grid)
    assert row.tolist() == wanted
    assert sum(wanted) == grid[0] * grid[1] * grid[2]


def _load(width: int, height: int, wide: int) -> Access:
    text = f"#define WIDTH {width}\n#define HEIGHT {height}\n#define WIDE {wide}\n{ROWS}"
    unit = load("kernel.cu", LoadOptions(text=text))
    (facts,) = run(unit, run_host(unit), ModelOptions())
    return next(access for access in facts.accesses if access.operation == "load")


def _by_hand(width: int, height: int) -> float:
    """Sectors a request over all warps; a warp is 32 columns of one row."""
    sectors = [
        len({(y * width + x) * 4 // 32 for x in range(first, min(first + 32, width))})
        for y, first in itertools.product(range(height), range(0, width, 32))
    ]
    return sum(sectors) / len(sectors)


@pytest.mark.parametrize(("width", "height"), [(1001, 640), (72, 48), (40, 32), (8, 16), (1000, 33)])
def test_the_blocks_at_the_far_edges_are_counted(width, height):
    """Nobody knows where the pointers point; the sizes are known, and so are the blocks with idle threads."""
    told = _load(width, height, -(-width // 32) * 32).transactions
    assert told.certainty == "exact"
    assert told.per_request == pytest.approx(_by_hand(width, height), rel=0.005)
