"""Which parameters are distances between rows, and numbers that make rows lie over each other."""

from pathlib import Path

import pytest

from cudalint.analyses.pitches import pitches, rows_overlap
from cudalint.frontend import load
from cudalint.ir.unit import Function, Unit

HEAD = "__global__ void k(const float *in, float *out, int rows, int columns, int pitch)"


def kernel(tmp_path: Path, body: str) -> tuple[Unit, Function]:
    path = tmp_path / "a.cu"
    path.write_text(f"{HEAD}\n{{\n    int x = threadIdx.x, y = blockIdx.x;\n{body}\n}}\n")
    unit = load(str(path))
    assert not unit.problems
    return unit, next(one for one in unit.functions.values() if one.name == "k")


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("if (x < columns) out[y * pitch + x] = in[y * pitch + x];", {"pitch"}),
        ("const float *row = in + (size_t)y * pitch; if (x < columns) out[x] = row[x];", {"pitch"}),
        ("int end = y * pitch + columns; if (x < end) out[x] = in[x];", set()),
        ("if (x < columns && y < rows) out[y * columns + x] = in[x];", set()),
        ("if (in[y * pitch] > 0.0f) out[x] = 1.0f;", {"pitch"}),
        ("out[x + pitch] = in[x];", set()),
    ],
)
def test_a_factor_that_no_condition_asks_about(tmp_path: Path, body: str, names: set[str]) -> None:
    unit, function = kernel(tmp_path, body)
    found = pitches(unit, function)
    assert {p.name for p in function.parameters if p.id in found} == names


def test_a_distance_is_no_less_than_a_row(tmp_path: Path) -> None:
    unit, function = kernel(tmp_path, "if (x < columns) out[y * pitch + x] = in[y * pitch + x];")
    assert rows_overlap(unit, function, (None, None, 1201, 337, 113))
    assert not rows_overlap(unit, function, (None, None, 1201, 337, 337))
    assert not rows_overlap(unit, function, (None, None, 1201, 337, None))
    assert not rows_overlap(unit, function, (None, None, 1201, None, 113))
