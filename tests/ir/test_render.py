"""Expressions as messages write them."""

from pathlib import Path

import pytest

from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.walk import walk


@pytest.mark.parametrize(
    "condition",
    [
        "(n % (2 * k)) == 0",  # the product is converted to unsigned without being written so
        "n == (unsigned)(k + 1)",
        "(k + 1) < 2.5",
        "-(k - 1) > k",
    ],
)
def test_an_operand_keeps_its_parentheses_under_a_conversion(tmp_path: Path, condition: str) -> None:
    text = f"__global__ void f(int *v, unsigned n, int k) {{ if ({condition}) v[0] = 1; }}"
    unit = load(str(tmp_path / "a.cu"), LoadOptions(text=text))
    (kernel,) = unit.kernels
    body = unit.functions[kernel].body
    assert body is not None
    (branch,) = (node for node in walk(body) if isinstance(node, s.If))
    assert render(branch.condition) == condition.replace("unsigned)", "unsigned int)")
