"""Loads that a register answers are no requests; those that it cannot answer are."""

import pytest

from cudalint.simt.facts.accesses.reused import Reused
from tests.support.modelled import facts

KEPT = {
    "twice in one statement": ("out[i] = in[i] * in[i];", (1, 1)),
    "a later statement": ("out[i] = in[i]; out[i + n] = rest[i]; total = in[i];", (2, 1)),
    "after a store to it": ("out[i] = 1.0f; total = out[i];", (0, 1)),
    "after a store beside it": ("total = out[i]; out[i + 1] = 2.0f; total += out[i];", (1, 1)),
    "in an arm after it": ("total = out[i]; if (i < n) total += out[i];", (1, 1)),
    "across a barrier where nothing writes": ("total = in[i]; __syncthreads(); total += in[i];", (1, 1)),
    "in iterations that are written out": ("for (int k = 0; k < 4; ++k) total += in[i];", (1, 0)),
    "in such iterations of the lanes that are left": (
        "if (i >= n) return; total = in[2 * i] - in[2 * i + 1];"
        " for (int k = 0; k < 2; ++k) total += in[2 * i + k];",
        (2, 1),
    ),
}
MADE = {
    "after a store that may be to it": "total = out[i]; other[i] = 1.0f; total += out[i];",
    "after a store to the same memory": "total = out[i]; out[i + n] = 1.0f; total += out[i];",
    "after the arm that made it": "if (i < n) total = out[i]; total += out[i];",
    "after a barrier": "total = out[i]; __syncthreads(); total += out[i];",
    "after a fence": "total = out[i]; __threadfence(); total += out[i];",
    "after an atomic": "total = out[i]; atomicAdd(other, 1.0f); total += out[i];",
    "of another address": "total = in[i]; total += in[i + 1];",
    "of volatile memory": "total = flag[i]; total += flag[i];",
    "in more lanes": "if (threadIdx.x < 16) { total = in[i]; } total += in[i];",
}
SIGNATURE = (
    "__global__ void k(const float *__restrict__ in, const float *__restrict__ rest, float *out, float *other"
    ", const volatile float *flag, int n) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    float total = 0.0f;\n"
)


def loads(body: str) -> tuple[int, int]:
    """Load sites with requests, and loads that a register answers, one statement a line."""
    lines = "".join(f"    {part};\n" for part in body.replace("; ", ";\n").rstrip(";").split(";\n"))
    found = facts(f"{SIGNATURE}{lines}    other[i] = total;\n}}\n")
    made = [a for a in found.accesses if a.operation == "load" and a.space == "global"]
    return len(made), len(found.of(Reused))


@pytest.mark.parametrize(("body", "expected"), KEPT.values(), ids=KEPT)
def test_a_register_answers(body: str, expected: tuple[int, int]) -> None:
    assert loads(body) == expected


@pytest.mark.parametrize("body", MADE.values(), ids=MADE)
def test_memory_is_asked_again(body: str) -> None:
    assert loads(body) == (2, 0)
