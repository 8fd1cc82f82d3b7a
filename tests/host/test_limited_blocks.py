"""Blocks that a launch bounds by a constant: a kernel is run with the largest."""

import pytest

from cudalint.frontend import LoadOptions, load
from cudalint.host.model import run
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
        ("n == 7 ? 64 : 256", (256, 1, 1)),
        ("dim3(std::min(n, 128), 512 / std::min(n, 128))", (128, 4, 1)),
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


@pytest.mark.parametrize(
    ("made", "block"),
    [
        ("int t = n; if (t > 512) t = 512;", (512, 1, 1)),
        ("int t = n; if (512 < t) { t = 512; }", (512, 1, 1)),
        ("int t = 128; if (n <= 128) t = n;", (128, 1, 1)),
        ("int t = m; if (n <= 128) t = n;", None),
        ("int t = 256; while (t > n) t = t >> 1;", (256, 1, 1)),
        ("int t = 256; while (t > n) t /= 2;", (256, 1, 1)),
        ("int t = 1; while (t < n) t += 1;", None),
        ("int t; switch (n) { case 1: t = 64; break; default: t = 512; }", (512, 1, 1)),
        ("dim3 t(n / 4); if (t.x > 1024) t.x = 1024;", (1024, 1, 1)),
        ("dim3 t(n, 2); if (t.x > 128) { t.x = 128; }", (128, 2, 1)),
        ("dim3 t(n / 4); if (t.y > 1024) t.x = 1024;", None),
        ("dim3 t(n / 4); if (t.x > 1024) t.y = 2;", None),
    ],
)
def test_what_statements_say_of_the_largest_block(made: str, block: tuple[int, ...] | None) -> None:
    host = f"void run(float *a, int n, int m) {{ {made} k<<<n, t>>>(a); }}\n"
    _, kernel = modelled(KERNEL + host)
    found = [(plan.block, plan.origin) for plan in kernel.configurations]
    assert found == [(block, Origin.LIMIT)] if block else all(one[1] == Origin.USUAL for one in found)


def test_a_function_that_halves_a_size_until_it_fits() -> None:
    body = "if (n == 0) return 1; int t = most; while (t > n) t /= 2; return t;"
    helper = f"int fit(int n, int most = 256) {{ {body} }}"
    host = "void run(float *a, int n) { int t = fit(n); k<<<(n + t - 1) / t, t>>>(a); }"
    _, kernel = modelled(f"{KERNEL}{helper}\n{host}\n")
    assert [(plan.block, plan.origin) for plan in kernel.configurations] == [((256, 1, 1), Origin.LIMIT)]


def test_a_launch_is_found_after_entry_points_that_took_the_budget() -> None:
    loops = "for (int i = 0; i < n; ++i) for (int j = 0; j < 400; ++j) s += i * j % 7 + s / 3;"
    greedy = "".join(
        f"void busy{i}(float *a, int n) {{ int s = 0; {loops * 12} k<<<s, 32>>>(a); }}\n" for i in range(40)
    )
    unit = load(
        "kernel.cu", LoadOptions(text=f"{KERNEL}{greedy}void last(float *a) {{ k<<<3, 96>>>(a); }}\n")
    )
    assert (96, 1, 1) in {launch.block for launch in run(unit).launches}
