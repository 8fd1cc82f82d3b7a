"""How many values an index can have, by its form."""

import pytest

from cudalint.analyses.few_values import few_values
from cudalint.ir import expressions as e
from cudalint.ir.walk import walk
from tests.support.modelled import modelled


@pytest.mark.parametrize(
    ("index", "most"),
    [
        ("k & 15", 16),
        ("7 & k", 8),
        ("(int)((unsigned)k % 10u)", 10),
        ("k % 10", 20),
        ("k > 3", 2),
        ("(unsigned char)k", 256),
        ("k", None),
        ("k % n", None),
        ("k + 1", None),
    ],
)
def test_the_form_bounds_the_values(index: str, most: int | None) -> None:
    code = f"__global__ void kernel(float *out, int k, int n) {{ out[{index}] = 1.0f; }}"
    _, kernel = modelled(code)
    assert kernel.function.body is not None
    (found,) = (node for node in walk(kernel.function.body) if isinstance(node, e.Index))
    assert few_values(found.index) == most
