"""Loops that stand between the same barriers as another statement."""

import pytest

from cudalint.analyses.between_barriers import loops_beside
from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.ir import statements as s
from cudalint.ir.walk import walk

_LOOP = "for (int i = 0; i < n; ++i) d[i] += 1;"
_MINE = "if (threadIdx.x < 4) { while (d[0] < n) d[1] += 1; }"


def beside(body: str) -> int | None:
    """How many loops stand beside the `while` of the body."""
    unit = load("a.cu", LoadOptions(text=f"__global__ void k(int *d, int n) {{ {body} }}"))
    (kernel,) = (function for function in unit.functions.values() if function.kernel)
    assert kernel.body is not None
    loops = [node for node in walk(kernel.body) if isinstance(node, s.Loop)]
    (mine,) = (loop for loop in loops if loop.step is None)
    found = loops_beside(unit, kernel, mine)
    return None if found is None else len(found)


@pytest.mark.parametrize(
    ("body", "count"),
    [
        (f"{_MINE} __syncthreads();", 0),
        (f"{_LOOP} __syncthreads(); {_MINE} __syncthreads(); {_LOOP}", 0),
        (f"{_LOOP} {_MINE} __syncthreads();", 1),
        (f"{_MINE} {_LOOP} {_LOOP} __syncthreads();", 2),
        (f"for (int r = 0; r < n; ++r) {{ {_MINE} __syncthreads(); {_LOOP} }}", 1),
        (f"{_LOOP} __syncthreads(); {_MINE} {_LOOP}", 1),
        (f"{_MINE} {_LOOP}", None),
    ],
)
def test_loops_up_to_the_barriers_around(body: str, count: int | None) -> None:
    assert beside(body) == count
