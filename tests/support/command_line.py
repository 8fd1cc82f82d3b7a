"""Two small programs, and what a run of the command line printed."""

import json
import subprocess
from collections.abc import Callable
from typing import Any

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


def report(outcome: Outcome) -> dict[str, Any]:
    """The JSON document a run printed."""
    document: dict[str, Any] = json.loads(outcome.stdout)
    return document


def codes(outcome: Outcome) -> list[tuple[str, int, str]]:
    """(path, line, code) of every finding of a JSON report."""
    return [(f["path"], f["line"], f["code"]) for f in report(outcome)["findings"]]
