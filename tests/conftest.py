"""What several tests use: the command line in a process of its own, and rules' inputs made by hand."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# A machine that does something else for a moment makes no test wrong.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

STRIDED = """\
__global__ void spread(float *out, const float *in)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
    out[i] = in[i];
}

int main()
{
    float *a, *b;
    cudaMalloc(&a, 1 << 20);
    cudaMalloc(&b, 1 << 20);
    spread<<<64, 256>>>(a, b);
    cudaDeviceSynchronize();
    return 0;
}
"""

CLEAN = """\
__global__ void copy(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

int main()
{
    float *a, *b;
    cudaMalloc(&a, 1 << 20);
    cudaMalloc(&b, 1 << 20);
    copy<<<1024, 256>>>(a, b);
    cudaDeviceSynchronize();
    return 0;
}
"""

Outcome = subprocess.CompletedProcess[str]
Command = Callable[..., Outcome]


@pytest.fixture
def cudalint(tmp_path: Path) -> Command:
    """Run `cudalint ARGS...` in tmp_path."""

    def run(*arguments: str, cwd: Path = tmp_path, **options: Any) -> Outcome:
        return subprocess.run(
            [sys.executable, "-m", "cudalint", *arguments],
            cwd=cwd,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
            **options,
        )

    return run


def report(outcome: Outcome) -> dict[str, Any]:
    """The JSON document a run printed."""
    document: dict[str, Any] = json.loads(outcome.stdout)
    return document


def codes(outcome: Outcome) -> list[tuple[str, int, str]]:
    """(path, line, code) of every finding of a JSON report."""
    return [(f["path"], f["line"], f["code"]) for f in report(outcome)["findings"]]
