"""Verdicts of the prover on the only kernel of a source text."""

import pytest

pytest.importorskip("z3")

from cudalint.frontend import LoadOptions, load
from cudalint.prove.model import Options, prove
from cudalint.prove.verdict import Verdict, Witness
from cudalint.settings.assume import parse_all

SAXPY = """
__global__ void saxpy(int n, float a, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
"""


def verdict(text: str, *assumptions: str, timeout: float = 10.0, arch: int = 0) -> Verdict:
    """The verdict on the only kernel of a source text."""
    unit = load("kernel.cu", LoadOptions(text=text))
    (found,) = prove(unit, Options(parse_all(assumptions), timeout, arch))
    return found


def answer(text: str, *assumptions: str) -> str:
    return verdict(text, *assumptions).answer


def witness(text: str, *assumptions: str) -> Witness:
    """The witness of a kernel that is refuted."""
    found = verdict(text, *assumptions)
    assert found.answer == "refuted", found.reasons
    assert found.witness is not None
    return found.witness
