"""Blocks that a launch bounds by a constant: a kernel is run with the largest."""

import pytest

from cudalint.simt.launch.configuration import Origin
from tests.support.modelled import modelled

KERNEL = "__global__ void k(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n"
MACRO = "#define LESS(a, b) ((a) < (b) ? (a) : (b))\n"


@pytest.mark.parametrize(
    ("shape", "block"),
    [
        ("std::min(n, 256)", (256, 1, 1)),
        ("LESS(n, 128)", (128, 1, 1)),
        ("dim3(std::min(n, 64), 4)", (64, 4, 1)),
        ("std::min(512, n) / 2", (256, 1, 1)),
        ("n > 512 ? 512 : n", (512, 1, 1)),
        ("std::min(n, m)", None),
        ("std::max(n, 128)", None),
        ("std::min(n, 4096)", None),
        ("n < 128 ? 128 : n", None),
    ],
)
def test_the_largest_block(shape: str, block: tuple[int, ...] | None) -> None:
    host = f"void run(float *a, int n, int m) {{ k<<<n, {shape}>>>(a); }}\n"
    _, kernel = modelled(MACRO + KERNEL + host)
    found = [(plan.block, plan.origin) for plan in kernel.configurations]
    assert found == [(block, Origin.LIMIT)] if block else all(one[1] == Origin.USUAL for one in found)


def test_what_a_loop_raises_has_no_bound() -> None:
    loop = "int t = std::min(n, 32); while (t < m) t = t * 2;"
    _, kernel = modelled(f"{KERNEL}void run(float *a, int n, int m) {{ {loop} k<<<n, t>>>(a); }}\n")
    assert all(plan.origin == Origin.USUAL for plan in kernel.configurations)
