"""A saving where no run comes to is at most what it is of the statements beside it."""

from cudalint.gpu.functions import Instructions
from cudalint.ir import expressions as e
from cudalint.ir.walk import find
from cudalint.significance.alongside import bounded
from cudalint.significance.impact import Basis
from cudalint.significance.saving import Saving
from tests.support.modelled import modelled

SOURCE = """
__device__ int mixed(const int *a, int i, int n)
{
    const int quotient = i / n;
    int sum = a[quotient] * 3 + a[i] * 5;
    sum += a[sum & 1023] * 7 + (sum ^ i) * 11 + (sum >> 3) * 13;
    sum += a[sum & 511] * 17 + (sum ^ i) * 19 + (sum >> 5) * 23;
    if (i % n > 3) sum = 0;
    return sum;
}
"""

KERNEL = """
__global__ void kernel(int *out, const int *a, int n) { out[threadIdx.x] = mixed(a, threadIdx.x, n); }
"""


def test_a_division_beside_other_arithmetic_is_a_part_of_it() -> None:
    unit, _ = modelled(SOURCE + KERNEL)
    (function,) = (one for one in unit.functions.values() if one.name == "mixed")
    found = {node.operator: node for node in find(function.body, e.Binary) if node.operator in ("/", "%")}
    instructions = Instructions(20)

    beside = bounded(Saving(Basis.ISSUE, instructions=((found["/"], instructions),)), unit)
    assert 0.2 < beside.high < 0.9
    assert beside.low == 0.0

    tested = bounded(Saving(Basis.ISSUE, instructions=((found["%"], instructions),)), unit)
    assert tested.high == 1.0  # the condition of an `if`: what it guards may not be executed

    double = bounded(Saving(Basis.DOUBLE, instructions=((found["/"], instructions),)), unit)
    assert double.high == 1.0
