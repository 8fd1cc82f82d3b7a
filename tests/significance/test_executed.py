"""What a block executes, added up once, is the sum over its statements."""

import numpy as np

from cudalint.gpu.devices import device
from cudalint.gpu.throughput import throughput
from cudalint.significance import roofline
from cudalint.significance.executed import executed
from cudalint.significance.filled import Held, filled
from cudalint.significance.statement_costs import costs
from cudalint.simt.facts.workload import Workload
from tests.support.modelled import modelled

_RATES = throughput(device("H200"))
_CODE = """
__global__ void k(float *out, const float *in, const int *key, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double sum = 0;
    for (int j = 0; j < 100; ++j) sum += in[i] * j;
    if (key[i] > 3) { sum = sqrt(sum); sum /= in[i + 1]; }
    out[i] = sum;
}
void run(float *out, const float *in, const int *key, int n) { k<<<1000, 256>>>(out, in, key, n); }
"""


def test_the_sum_is_that_of_all_statements() -> None:
    unit, kernel = modelled(_CODE)
    known = costs(unit, kernel.function)
    for work in kernel.of(Workload):
        found, assumed = executed(unit, work, kernel.function), roofline.drawn(work, _RATES)
        assert found is not None and found.may.any()
        done = [
            (np.asarray(one.warps * (assumed.others if one.doubtful else 1.0)), known[key])
            for key, one in work.statements.items()
            if key in known
        ]
        rows = zip(found.sure, found.doubtful, strict=True)
        whole = [sure + doubtful * assumed.others for sure, doubtful in rows]
        wanted = roofline.total(roofline.issued(times, each, assumed, _RATES) for times, each in done)
        for unit_, clocks in roofline.executed(whole, assumed, _RATES).items():
            assert np.allclose(clocks, wanted[unit_], rtol=1e-12)


def test_a_statement_held_twice_is_saved_once() -> None:
    unit, kernel = modelled(_CODE)
    work = kernel.of(Workload)[0]
    found, assumed = executed(unit, work, kernel.function), roofline.drawn(work, _RATES)
    assert found is not None
    every, full = frozenset(found.rows), np.full(work.sizes, 32.0)
    whole = filled(found, [Held(every, full, 0.5)], assumed)
    twice = filled(found, [Held(every, full, 0.5), Held(every, full, 0.25)], assumed)
    assert whole is not None and twice is not None
    for one, other, sure, doubtful in zip(whole, twice, found.sure, found.doubtful, strict=True):
        assert np.allclose(one, other, rtol=1e-12)
        assert np.allclose(one, 0.5 * (sure + doubtful * assumed.own), rtol=1e-12)
    assert filled(found, [Held(frozenset(), full, 0.5)], assumed) is None
