"""What is said of few bytes in flight is near what experiments/in_flight.cu measured on an H200."""

import json

import pytest

from cudalint.gpu.devices import device
from cudalint.gpu.throughput import throughput
from cudalint.significance.impact import Basis
from cudalint.significance.saving import Removed, Saving, impact
from tests.support.checkout import ROOT
from tests.support.modelled import modelled

_MEASURED = json.loads((ROOT / "experiments" / "in_flight_2026-11-25.json").read_text(encoding="utf-8"))
_RATES = throughput(device("H200"))
_BLOCKS = 132  # of 8 warps, for 8 warps on each multiprocessor


def measured(group: str, instead: str) -> float:
    """The share of the time that it saves where one float is loaded otherwise."""
    times = {row["name"]: row["ms"] for row in _MEASURED if row["group"] == group}
    return 1.0 - float(times[instead]) / float(times["1 float"])


@pytest.mark.parametrize("warps", (8, 16, 32, 64))
def test_the_interval_is_near_what_was_measured(warps: int) -> None:
    unit, kernel = modelled(f"""
__global__ void sum(const float *__restrict__ in, float *out, unsigned n)
{{
    float sum = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    if (sum > 1e30f) out[blockIdx.x] = sum;
}}
void run(const float *in, float *out) {{ sum<<<{_BLOCKS * warps // 8}, 256>>>(in, out, 1u << 27); }}
""")
    (load,) = (one for one in kernel.accesses if one.buffer == "in")
    saving = Saving(Basis.LATENCY, waits=(Removed(load, 3 / 4),), in_flight="iteration")
    found = impact(saving, kernel, unit, _RATES)
    saved = measured(f"sum, {warps} warps per multiprocessor", "4 loads at once")
    assert found.low - 0.05 <= saved <= found.high + 0.05


@pytest.mark.parametrize(
    ("group", "element"), (("copy", "a[i]"), ("gelu", "gelu(a[i])"), ("add", "a[i] + b[i]"))
)
def test_threads_of_one_element(group: str, element: str) -> None:
    unit, kernel = modelled(f"""
__device__ float gelu(float x) {{ return 0.5f * x * (1.0f + tanhf(0.79788f * (x + 0.044715f * x * x * x))); }}
__global__ void one(float *__restrict__ out, const float *__restrict__ a, const float *__restrict__ b)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = {element};
}}
void run(float *out, const float *a, const float *b) {{ one<<<1 << 19, 256>>>(out, a, b); }}
""")
    first, *_ = (one for one in kernel.accesses if one.operation == "load")
    saving = Saving(Basis.LATENCY, waits=(Removed(first, 3 / 4),), in_flight="thread")
    found = impact(saving, kernel, unit, _RATES)
    assert found.low - 0.05 <= measured(group, "float4") <= found.high + 0.05
