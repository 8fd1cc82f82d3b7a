"""The instructions of warps that the cost model counts in the source."""

from pathlib import Path

import pytest

from cudalint.engine.analysis import load_options
from cudalint.frontend import load
from cudalint.host.model import run as run_host
from cudalint.settings.assume import parse_all
from cudalint.settings.config import Settings
from cudalint.simt.facts.demand import Demand
from cudalint.simt.model import ModelOptions, run_kernel

WARPS = 4 * 256 / 32  # of 4 blocks


def demand(tmp_path: Path, statements: str, assumption: str = "") -> Demand:
    """What a launch of 4 blocks of 256 threads asks for."""
    file = tmp_path / "kernel.cu"
    file.write_text(
        f"__global__ void k(float *out, const float *in, float f, double d, int n)\n"
        f"{{ int i = blockIdx.x * 256 + threadIdx.x; float x = in[i]; {statements} }}\n"
        "void run(float *out, const float *in, float f, double d, int n)\n"
        "{ k<<<4, 256>>>(out, in, f, d, n); }\n"
    )
    unit = load(str(file), load_options(Settings()))
    options = ModelOptions(90, assumptions=parse_all((assumption,) if assumption else ()))
    (function,) = (unit.functions[key] for key in unit.kernels)
    (found,) = run_kernel(unit, function, run_host(unit), options, (Demand,)).of(Demand)
    return found


def each(tmp_path: Path, statements: str, assumption: str = "") -> tuple[float, float, float, float]:
    """(instructions, double ones, conversions, special ones) of a warp, beside those of an empty body."""
    told, empty = demand(tmp_path, statements, assumption), demand(tmp_path, "")
    return (
        (told.instructions - empty.instructions) / WARPS,
        told.doubles / WARPS,
        told.conversions / WARPS,
        told.specials / WARPS,
    )


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ("x = x * f;", (1, 0, 0, 0)),
        ("x = x * f + 1.0f;", (1, 0, 0, 0)),  # one multiply-add
        ("x = x * f + f * f;", (2, 0, 0, 0)),
        ("x = x * (0.5f + 0.25f);", (1, 0, 0, 0)),  # the compiler adds
        ("x = x * 0.1;", (3, 1, 2, 0)),  # to double and back
        ("x = x * d;", (3, 1, 2, 0)),
        ("x = x * (float)0.5;", (1, 0, 0, 0)),
        ("x = x * d + x * 0.1;", (4, 2, 2, 0)),  # x is converted once; a product, a multiply-add
        ("x = x * d; x = x * d;", (6, 2, 4, 0)),  # it is another x
        ("x = expf(x);", (8, 0, 0, 1)),
        ("x = x / f;", (8, 0, 0, 1)),
        ("x = in[i + 3 * n] * f;", (2, 0, 0, 0)),  # the place is carried along
        ("for (int k = 0; k < 10; ++k) x = x * f + 1.0f;", (10, 0, 0, 0)),
        ("for (int k = 0; k < 10; ++k) x = x * f + d;", (10 * 4, 10, 10 * 2, 0)),
    ],
)
def test_instructions_of_a_warp(
    tmp_path: Path, statements: str, expected: tuple[float, float, float, float]
) -> None:
    assert each(tmp_path, statements) == pytest.approx(expected)


def test_a_warp_that_splits_does_the_work_of_both_arms(tmp_path: Path) -> None:
    apart = each(tmp_path, "if (threadIdx.x % 2) x = expf(x); else x = atanf(x);")
    together = each(tmp_path, "if (threadIdx.x / 32 % 2) x = expf(x); else x = atanf(x);")
    assert (apart[0], together[0]) == (1 + 8 + 20, 2 + (8 + 20) / 2)
    ways = each(tmp_path, "if (threadIdx.x % n == 0) x = expf(x); else x = x * f;", "n == 4")
    assert ways[3] == 1.0


def test_what_is_called_without_a_known_count_is_said(tmp_path: Path) -> None:
    assert demand(tmp_path, "x = expf(x);").counted
    assert demand(tmp_path, "x = fminf(x, f);").counted
    assert not demand(tmp_path, "x = (float)lgamma((double)x);").counted
    assert not demand(tmp_path, "x = j0f(x);").counted
