"""Products that are near what 32 bits hold, in the runs that the program is known by."""

import pytest

from cudalint.buildfiles.run_lines import RunLine
from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.host.arithmetic import tight
from cudalint.host.facts import HostFacts
from cudalint.host.model import run
from cudalint.host.query.tight_products import tight_products
from cudalint.host.values import UNKNOWN, Value
from cudalint.ir.types import INT, LONG, UINT, Scalar
from cudalint.ir.unit import Unit

_CODE = """
#include <cstdlib>
__global__ void fill(float *a, int n) { if (threadIdx.x < n) a[threadIdx.x] = n; }
int main(int argc, char **argv) {
    int n = atoi(argv[1]), fixed = 30000;
    float *a, *b;
    cudaMalloc(&a, n * n * sizeof(float));
    cudaMalloc(&b, fixed * fixed * sizeof(float));
    fill<<<1, 256>>>(a, n);
    cudaMemset(a, 0, n * n * sizeof(float));
}
"""


@pytest.mark.parametrize(
    ("operator", "left", "right", "type_", "expected"),
    [
        ("*", 1 << 15, 1 << 14, INT, 1 << 29),
        ("*", (1 << 15) - 1, 1 << 14, INT, None),
        ("*", 1 << 20, 1 << 20, INT, 1 << 40),
        ("*", 1 << 15, 1 << 14, UINT, None),
        ("*", 1 << 15, 1 << 15, UINT, 1 << 30),
        ("*", 1 << 20, 1 << 20, LONG, None),
        ("*", -(1 << 15), 1 << 15, INT, None),
        ("+", 1 << 30, 1 << 30, INT, None),
        ("*", UNKNOWN, 1 << 30, INT, None),
    ],
)
def test_near_the_limit(
    operator: str, left: Value, right: Value, type_: Scalar, expected: int | None
) -> None:
    assert tight(operator, left, right, type_) == expected


def _run(*lines: tuple[str, ...]) -> tuple[HostFacts, Unit]:
    unit = load("main.cu", LoadOptions(text=_CODE))
    first, *more = [RunLine(words, "Makefile", number) for number, words in enumerate(lines, 1)]
    return run(unit, RunLine(first.words, first.file, first.line, tuple(more))), unit


def test_the_line_with_the_largest() -> None:
    facts, unit = _run(("1000",), ("40000",), ("30000",))
    (found,) = tight_products(facts, unit)
    assert (found.fact.value, found.fact.run, found.exceeds) == (1_600_000_000, "line 2 of Makefile", False)
    assert [span.line for span in found.again] == [10]


def test_far_from_the_limit() -> None:
    facts, _ = _run(("20000",))
    assert facts.tight == ()


def test_beyond_the_limit() -> None:
    facts, unit = _run(("50000",))
    (found,) = tight_products(facts, unit)
    assert found.exceeds
    assert found.most == (1 << 31) - 1
