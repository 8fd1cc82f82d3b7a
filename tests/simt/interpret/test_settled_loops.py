"""Loops that bring nothing new: fewer iterations, the same requests."""

import pytest

from cudalint.analyses.trip_counts import counter
from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.ir import statements as s
from cudalint.ir.walk import walk
from cudalint.simt.interpret.settled_loops import Settling, can_settle
from cudalint.simt.launch.configure import plans
from cudalint.simt.launch.kernel_run import ModelOptions, run_plan

NESTED = """
struct pair {{ float re, im; }};
__device__ float scaled(const float *a, int i) {{ return 2.0f * a[i]; }}
__device__ void put(float *a, int i) {{ a[i] = 0.0f; }}
__global__ void k(float *out, const float *in, int dim, float *s) {{
    int t = blockIdx.x * blockDim.x + threadIdx.x, n = 0;
    for (int i = 0; i < 12; ++i)
        for (int j = 0; j < 12; ++j) {{
            pair sum = {{0.0f, 0.0f}};
            for (int l = 0; l < 12; ++l) {{
                {body}
            }}
            out[t * 144 + i * 12 + j] = sum.re + sum.im;
        }}
    out[n] = 0.0f;
}}
"""
PLAIN = "sum.re += scaled(in, t * 144 + i * 12 + l); sum.im -= in[l * 12 + j];"


def _run(body: str):
    unit = load("k.cu", LoadOptions(text=NESTED.format(body=body)))
    function = next(one for one in unit.functions.values() if one.name == "k")
    return unit, function, run_plan(unit, function, plans(function, (), ())[0], ModelOptions())


def _requests(recorder):
    return {site.node.span.line: float(site.passes.sum()) for site in recorder.accesses.values()}


def _reach(recorder):
    return {site.node.span.line: (site.lowest, site.highest) for site in recorder.accesses.values()}


def test_fewer_iterations_make_as_many_requests(monkeypatch):
    short = _run(PLAIN)[2].machine
    monkeypatch.setattr(Settling, "settled", lambda *_: False)
    whole = _run(PLAIN)[2].machine
    assert short.state.steps < 0.6 * whole.state.steps
    assert _requests(short.recorder) == _requests(whole.recorder)
    assert _reach(short.recorder) == _reach(whole.recorder)


@pytest.mark.parametrize(
    ("body", "can"),
    [
        (PLAIN, True),
        ("sum.re += sinf(in[l]); float x = sum.re; x += 1.0f; sum.im = x;", True),
        ("n += 2; sum.re += in[n];", False),
        ("sum.re += in[l]; if (sum.re > 1.0f) break;", False),
        ("sum.re += in[l]; if (sum.re > 1.0f) return;", False),
        ("if (in[l] > 0.0f) continue; sum.re += in[l];", True),
        ("sum.re += in[l]; __syncthreads();", False),
        ("put(out, t + l);", False),
        ("sum.re += atomicAdd(s, 1.0f);", False),
    ],
)
def test_loops_settle_where_iterations_differ_in_the_counter_alone(body, can):
    unit, function, _ = _run(body)
    inner = [part for part in walk(function.body) if isinstance(part, s.Loop)][2]
    assert (counter(inner) is not None and can_settle(unit, inner)) is can
