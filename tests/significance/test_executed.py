"""What a block executes, added up once, is the sum over its statements."""

import numpy as np

from cudalint.gpu.devices import device
from cudalint.gpu.throughput import throughput
from cudalint.significance import roofline
from cudalint.significance.executed import executed
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
        assert found is not None and found.each
        done = [
            (np.asarray(one.warps * (assumed.others if one.doubtful else 1.0)), known[key])
            for key, one in work.statements.items()
            if key in known
        ]
        rows = zip(found.sure, found.doubtful, strict=True)
        whole = [sure + doubtful * assumed.others for sure, doubtful in rows]
        wanted = roofline.issued_together(done, assumed, _RATES)
        for unit_, clocks in roofline.executed(whole, assumed, _RATES).items():
            assert np.allclose(clocks, wanted[unit_], rtol=1e-12)
