"""Runs with other sizes are made once for all facts that ask for them, and only where they can tell."""

import pytest

from cudalint.simt.facts import fact
from cudalint.simt.launch.configure import Plan
from cudalint.simt.launch.kernel_run import Run, run_plan
from tests.support.modelled import modelled

_MAIN = """
#include <cstdlib>
#include <cuda_runtime.h>
__global__ void k(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i * 4] = in[i * 4];
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1 << 20;
    float *in = 0, *out = 0;
    %s
    k<<<(n + 255) / 256, 256>>>(out, in, n);
    return 0;
}
"""


def _plans(code: str, monkeypatch: pytest.MonkeyPatch) -> list[Plan]:
    """Those of the runs with other sizes."""
    made: list[Plan] = []

    def noted(*given: object) -> Run:
        made.append(given[2])  # type: ignore[arg-type]
        return run_plan(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(fact, "run_plan", noted)
    modelled(code)
    return made


def test_equal_plans_are_run_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = _plans(_MAIN % "cudaMalloc(&in, n * 16UL); cudaMalloc(&out, n * 16UL);", monkeypatch)
    assert made
    assert all(one != other for at, one in enumerate(made) for other in made[:at])


def test_no_buffer_of_known_size_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    with_sizes = _plans(_MAIN % "cudaMalloc(&in, n * 16UL);", monkeypatch)
    without = _plans(
        _MAIN.replace("int n = argc", "extern float *a, *b; in = a; out = b; int n = argc") % "", monkeypatch
    )
    assert len(without) < len(with_sizes)
