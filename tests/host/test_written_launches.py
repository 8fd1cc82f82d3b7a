"""Launches in function templates that nothing instantiates: their shapes count for kernels of that name."""

import pytest

from cudalint.simt.launch.configuration import Origin
from tests.support.modelled import modelled

KERNEL = "template <class T> __global__ void scale(T *a, int n) { if (threadIdx.x < n) a[0] = n; }\n"


@pytest.mark.parametrize(
    ("body", "block"),
    [
        ("scale<T><<<n / 128, 128>>>(a, n);", (128, 1, 1)),
        ("dim3 block(32, 8); scale<<<dim3(n), block, 0, stream>>>(a, n);", (32, 8, 1)),
        ("constexpr int wide = 64; scale<T><<<n, wide * 2>>>(a, n);", (128, 1, 1)),
        ("scale<T><<<n, THREADS>>>(a, n);", (96, 1, 1)),
    ],
)
def test_a_kernel_is_run_as_a_template_launches_it(body: str, block: tuple[int, ...]) -> None:
    head = "template <class T, int THREADS = 96> void run(T *a, int n, cudaStream_t stream)"
    _, kernel = modelled(f"{KERNEL}{head} {{ {body} }}\n")
    (plan,) = kernel.configurations
    assert (plan.block, plan.origin) == (block, Origin.LAUNCH)


def test_a_launch_that_is_made_counts_first() -> None:
    host = "template <class T> void run(T *a, int n) { scale<T><<<n, 64>>>(a, n); }\n"
    made = "void use(float *a) { scale<float><<<1, 256>>>(a, 9); }\n"
    _, kernel = modelled(KERNEL + host + made)
    assert [plan.block for plan in kernel.configurations] == [(256, 1, 1)]
