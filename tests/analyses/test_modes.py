"""Parameters that choose what a kernel does."""

import pytest

from cudalint.analyses.modes import leading, modes
from cudalint.ir import expressions as e
from cudalint.ir.walk import walk
from tests.support.modelled import modelled


def _chosen(body: str) -> dict[str, int]:
    """The number of each parameter that leads to most of the stores of 9."""
    unit, kernel = modelled(
        "__device__ void by(float *out, int how) { if (how == 3) out[0] = 9; }\n"
        f"__global__ void k(float *out, int n, int mode, int way) {{ {body} }}\n"
    )
    function = kernel.function
    stores = frozenset(
        node.target.span
        for found in unit.functions.values()
        for node in (walk(found.body) if found.body is not None else ())
        if isinstance(node, e.Assign)
        and any(isinstance(part, e.Literal) and part.value == 9 for part in walk(node.value))
    )
    free = frozenset(modes(unit, function).numbers)
    names = {parameter.id: parameter.name for parameter in function.parameters}
    return {names[key]: numbers[0] for key, numbers in leading(unit, function, free, stores).items()}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("if (mode == 1) out[0] = 9;", {"mode": 1}),
        ("const int m = mode; if (m == 1) out[0] = 9; if (m == 1 || m == 2) { out[1] = 9; }", {"mode": 1}),
        ("if (mode == 1) out[0] = 9; if (mode == 2) { out[1] = 9; out[2] = 9; }", {"mode": 2}),
        ("if (mode != 5) return; out[0] = 9;", {"mode": 5}),
        ("if (!mode) out[0] = 9;", {"mode": 0}),
        ("if (mode) out[0] = 9;", {}),
        ("switch (mode) { case 1: out[0] = 2; break; case 7: out[0] = 9; break; default: out[0] = 1; }",
         {"mode": 7}),
        ("if (mode == 4 && way == -1) out[0] = 9;", {"mode": 4, "way": -1}),
        ("by(out, mode);", {"mode": 3}),
    ],
)  # fmt: skip
def test_what_leads_there(body: str, expected: dict[str, int]) -> None:
    assert _chosen(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "if (n == 0) out[0] = 9; for (int i = 0; i < n; i++) out[i] = 1;",
        "if (mode == 1) out[mode] = 9;",
        "if (mode == 1) out[0] = 9; mode = 2;",
        "if (mode > 3) out[0] = 9;",
        "switch (mode) { default: out[0] = 9; }",
    ],
)
def test_sizes_choose_nothing(body: str) -> None:
    assert _chosen(body) == {}
