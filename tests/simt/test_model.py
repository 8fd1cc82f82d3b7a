"""Which kernels of a file are run, and with how many shapes: a file has a budget."""

from pathlib import Path

import pytest

from cudalint.frontend import load
from cudalint.host.model import run as run_host
from cudalint.simt import model
from cudalint.simt.launch import budget

SOURCE = """
template <typename T> __global__ void first(T *a, int n) { if (threadIdx.x < n) a[threadIdx.x] = 1; }
template <typename T> __global__ void second(T *a, int n) { if (threadIdx.x < n) a[threadIdx.x] = 1; }
void go(float *a, double *b, int n) {
    first<<<1, 32>>>(a, n); first<<<1, 64>>>(a, n); first<<<1, 32>>>(b, n);
    second<<<1, 32>>>(a, n); second<<<1, 64>>>(a, n); second<<<1, 32>>>(b, n);
}
"""


@pytest.mark.parametrize(
    ("most", "expected"),
    [
        (budget.FILE, [("first", 2), ("first", 1), ("second", 2), ("second", 1)]),
        (1, [("first", 2), ("second", 1)]),
    ],
)
def test_after_the_budget_of_a_file_one_instantiation_is_run_with_one_shape(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, expected: list[tuple[str, int]]
) -> None:
    monkeypatch.setattr(model, "Budget", lambda: budget.Budget(most))
    file = tmp_path / "a.cu"
    file.write_text(SOURCE)
    unit = load(str(file))
    found = model.run(unit, run_host(unit), model.ModelOptions())
    assert [(kernel.name, len(kernel.configurations)) for kernel in found] == expected
    assert all(kernel.modelled for kernel in found)
    assert [kernel.modelling.budget_spent for kernel in found] == [
        most == 1 and k.name == "second" for k in found
    ]
