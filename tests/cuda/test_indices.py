"""Which library calls tell threads and blocks apart: by what they are, whatever words their names hold."""

from pathlib import Path

import pytest

from cudalint.analyses.kernel_queries import tells_blocks_apart, tells_threads_apart
from cudalint.frontend import load

_HEAD = """#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ float per_thread_group(float x);
__global__ void k(float *a)
{
"""


@pytest.mark.parametrize(
    ("body", "threads", "blocks"),
    [
        ("a[0] = per_thread_group(a[1]);", False, False),  # a name says nothing
        ("cg::this_thread_block().sync(); a[0] = 1.0f;", False, False),
        ("a[cg::this_thread_block().thread_rank()] = 1.0f;", True, False),
        (
            "a[cg::tiled_partition<32>(cg::this_thread_block()).meta_group_rank()] = 1.0f;",
            True,
            False,
        ),
        ("a[cg::this_thread_block().group_index().x] = 1.0f;", False, True),
        ("a[cg::this_grid().thread_rank()] = 1.0f;", True, True),
        ("a[threadIdx.x] = blockIdx.x;", True, True),
        ("a[0] = 1.0f;", False, False),
    ],
)
def test_what_a_kernel_asks(body: str, threads: bool, blocks: bool, tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_text(f"{_HEAD}{body}\n}}\n")
    unit = load(str(file))
    kernel = next(function for function in unit.functions.values() if function.kernel)
    assert (tells_threads_apart(unit, kernel), tells_blocks_apart(unit, kernel)) == (threads, blocks)
