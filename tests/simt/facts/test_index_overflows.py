"""Index arithmetic that 32 bits do not hold, for known launches."""

import pytest

from cudalint.simt.facts.index_overflows import IndexOverflow
from tests.support.modelled import modelled

_LAUNCH = "void run(float *p) { k<<<%s, 256>>>(p, %d); }"


def found(body: str, grid: str, n: int) -> list[tuple[int, bool]]:
    code = f"__global__ void k(float *out, int n) {{ {body} }}\n" + _LAUNCH % (grid, n)
    return [(one.value, one.sure) for one in modelled(code)[1].of(IndexOverflow)]


@pytest.mark.parametrize("steps, expected", [(8192, []), (8200, [8199 * 262144])])
def test_a_loop_is_followed_to_its_last_iteration(steps: int, expected: list[int]) -> None:
    body = f"for (int t = 0; t < {steps}; t++) out[t * n] = 1;"
    assert [value for value, _ in found(body, "1", 262144)] == expected


def test_nested_loops_are_followed_too() -> None:
    body = "for (int a = 0; a < 3000; a++) for (int b = 0; b < 1000; b++) out[(a * 1000 + b) * n] = 1;"
    assert found(body, "1", 1000) == [((2999 * 1000 + 999) * 1000, True)]


def test_only_threads_that_come_there_count() -> None:
    assert found("if (blockIdx.x < 100) out[blockIdx.x * n] = 1;", "dim3(65536)", 60000) == []
    index = "int i = blockIdx.x * n; if (out[threadIdx.x] > 0) out[i * 2] = 1;"
    assert found(index, "dim3(65536)", 20000) == [(2 * 65535 * 20000, False)]


def test_unsigned_sums_may_wrap() -> None:
    assert found("unsigned i = threadIdx.x - 1; out[i + 1u] = 1;", "4", 1) == []
