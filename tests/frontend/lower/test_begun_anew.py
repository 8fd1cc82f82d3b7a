"""Variables that are begun anew stand for one variable in each of their loops and blocks."""

import pytest

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.walk import walk
from tests.support.modelled import modelled


def _different(body: str, name: str = "j") -> tuple[int, int]:
    """How many variables of that name the kernel reads and writes, and how many it declares."""
    _, kernel = modelled(
        "__device__ void put(int &);\n"
        "__global__ void k(float *out, const float *in, int n)\n"
        f"{{ int i = threadIdx.x; int j; float x; {body} }}\n"
    )
    nodes = list(walk(kernel.function.body))  # type: ignore[arg-type]
    used = {n.variable.id for n in nodes if isinstance(n, e.VariableReference) and n.variable.name == name}
    declared = [n for n in nodes if isinstance(n, s.Declare) and n.variable.name == name]
    assert used <= {n.variable.id for n in declared}
    return len(used), len(declared)


@pytest.mark.parametrize(
    "body",
    [
        "for (j = i; j < n; j++) out[j] = 1; for (j = 0; j < n; j++) out[j] += 2;",
        "for (int k = 0; k < n; k++) { for (j = 0; j < n; j++) out[j] = k; }"
        " if (n > 3) for (j = 1, i = 2; j < n; j++) out[j] = i;",
        "if (n > 3) { j = i; out[j] = 1; j = 2; out[j] = 3; } else { j = 4; out[j] = 5; }",
        "while (i < n) { j = in[i]; if (j > 2) break; i += j; } for (j = 0; j < n; j++) *(&out[j]) = 1;",
    ],
)
def test_two_of_a_name(body: str) -> None:
    assert _different(body) == (2, 2)


@pytest.mark.parametrize(
    "body",
    [
        "for (j = i; j < n; j++) out[j] = 1; out[j] = 2;",
        "for (j = 0; j < n; j++) out[j] = 1; for (; j > 0; j--) out[j] = 2;",
        "if (n > 3) { j = i; out[j] = 1; } else { out[0] = j; }",
        "for (j = 0; j < n; j++) out[j] = 1; int *p = &j; for (j = 0; j < n; j++) out[*p] = 1;",
        "for (j = 0; j < n; j++) out[j] = 1; int &r = j; for (j = 0; j < n; j++) out[r] = 1;",
        "for (j = 0; j < n; j++) ; auto f = [&] { return j; }; for (j = 0; j < n; j++) out[f()] = 1;",
        "for (j = j + 1; j < n; j++) out[j] = 1; for (j = 0; j < n; j++) out[j] = 2;",
        "do { j = i++; out[j] = 1; } while (j < n); for (j = 0; j < n; j++) out[j] = 1;",
        "again: for (j = 0; j < n; j++) out[j] = 1; for (j = i; j < n; j++) if (in[j] > 0) goto again;",
    ],
)
def test_one_of_a_name(body: str) -> None:
    assert _different(body) == (1, 1)


def test_what_a_comma_begins() -> None:
    assert _different("for (j = 0, x = in[j]; j < n; j++) out[j] = x; for (j = 0; j < n; j++) ;", "x") == (
        1,
        1,
    )
