"""Problems of reading a file that the models feel, and those that only the host's messages do."""

from pathlib import Path

import pytest

from cudalint.analyses.felt_problems import felt
from cudalint.frontend import load
from cudalint.ir.unit import Problem, Unit
from cudalint.source.text import split


def read(folder: Path, text: str) -> tuple[Unit, tuple[Problem, ...]]:
    """The unit, and its problems that are felt."""
    file = folder / "a.cu"
    file.write_text(text)
    unit = load(str(file))
    return unit, felt(unit, {unit.path: tuple(split(text))})


@pytest.mark.parametrize(
    ("body", "reported"),
    [
        ("void f(int n) { if (n) throw gone::Error{n}; }", 0),
        ("int f(int n) { return gone::twice(n); }", 0),
        ("void f(int *a) { gone::check(cudaMemset(a, 0, 4)); }", 1),
        ("void f(int n) { k<<<gone::blocks(n), 32>>>(0); }", 1),
        ("void f(int n) { k<<<1, 32>>>(0); int m = gone::twice(n); }", 1),
        ("void f(int n) { k<<<1, 32>>>(0);\ngone::say(\"a = %d\", n); }", 0),
        ("__device__ int f(int n) { return gone::twice(n); }", 0),
        ("__global__ void g(int *a) { a[0] = gone::twice(1); }", 1),
        ("gone::Size size;", 1),
        ("#if GONE_SIZE > 4\nint size;\n#endif", 1),
    ],
)  # fmt: skip
def test_a_missing_header_counts_where_the_models_need_its_names(
    tmp_path: Path, body: str, reported: int
) -> None:
    text = f'#include "gone.h"\n__global__ void k(int *a) {{}}\n{body}\n'
    unit, counted = read(tmp_path, text)
    assert [problem.header for problem in unit.problems] == ["gone.h"]
    assert len(counted) == reported


def test_other_problems_count_by_their_places(tmp_path: Path) -> None:
    text = "int f() { return unknown_name; }\n__global__ void k(int *a) { a[0] = other_name; }\n"
    unit, counted = read(tmp_path, text)
    assert [problem.span.line for problem in unit.problems] == [1, 2]
    assert [problem.span.line for problem in counted] == [2]
