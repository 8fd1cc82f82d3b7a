"""What goes between blocks through global memory: hand-overs without a fence, waits for other blocks, loads
by the read-only path of what the kernel writes.
"""

import pytest

from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.host.model import run as run_host
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.spin_loops import SpinLoop
from cudalint.simt.facts.stale_reads import StaleRead
from cudalint.simt.facts.unfenced_publish import UnfencedPublish
from cudalint.simt.model import ModelOptions, run

HAND_OVER = """
__device__ unsigned done;
__global__ void k(float *total, float *partial, volatile int *flag, float x)
{
    __shared__ bool last;
    int t = threadIdx.x, b = blockIdx.x;
    WRITE
    UPDATE
    READ
}
void launch()
{
    float *total, *partial;
    int *flag;
    cudaMalloc(&total, 4096);
    cudaMalloc(&partial, 1 << 20);
    cudaMalloc(&flag, 4096);
    k<<<100, 64>>>(total, partial, flag, 1.0f);
}
"""
WRITE = "if (t == 0) partial[b] = x;"
VOLATILE = "if (t == 0) ((volatile float *)partial)[b] = x;"
COUNT = "if (t == 0) last = atomicAdd(&done, 1u) == gridDim.x - 1; __syncthreads();"
SUM = "if (last) total[t] = partial[t];"
SIGNAL = "if (t == 0) flag[b] = 1;"
WAIT = "if (t == 0 && b > 0) { while (flag[b - 1] == 0) { } total[b] = partial[b - 1]; }"


def facts(code: str) -> KernelFacts:
    unit = load("k.cu", LoadOptions(text=code))
    (found,) = run(unit, run_host(unit), ModelOptions())
    assert found.modelled, found.failure
    return found


def ways(write: str, update: str, read: str) -> list[str]:
    code = HAND_OVER.replace("WRITE", write).replace("UPDATE", update).replace("READ", read)
    return [told.how for told in facts(code).of(UnfencedPublish)]


@pytest.mark.parametrize(
    ("write", "update", "read", "expected"),
    [
        (WRITE, COUNT, SUM, ["last"]),
        (WRITE, SIGNAL, WAIT, ["wait"]),
        (WRITE + "__threadfence();", COUNT, SUM, []),
        (WRITE + "__threadfence_system();", SIGNAL, WAIT, []),
        (WRITE + "__threadfence_block();", COUNT, SUM, ["last"]),
        (WRITE + "__syncthreads();", COUNT, SUM, ["last"]),
        ("if (t == 5) partial[b] = x;", COUNT, SUM, []),  # nobody says that thread 0 counts after it
        ("__threadfence();" + WRITE, COUNT, SUM, ["last"]),
        ("atomicExch(&partial[b], x);", COUNT, SUM, []),
        (VOLATILE, COUNT, "if (last) total[t] = ((volatile float *)partial)[t];", ["last"]),
        (WRITE, COUNT, "if (last) total[t] = x;", []),
        (WRITE, COUNT, "total[t] = partial[t];", []),  # a race, and no hand-over
        (WRITE, COUNT, "if (!last) return; total[t] = partial[t];", ["last"]),
        (WRITE, COUNT, "if (last) total[t] = partial[5000 + t];", []),
        (WRITE, 'asm volatile("fence.acq_rel.gpu;");' + COUNT, SUM, []),
    ],
)
def test_hand_overs(write: str, update: str, read: str, expected: list[str]) -> None:
    assert ways(write, update, read) == expected


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("while (flag[b ^ 1] == 0) { }", 1),
        ("while (!flag[b ^ 1]) __nanosleep(10);", 1),
        ("int seen = 0; while (seen == 0) { seen = flag[b ^ 1]; }", 1),
        ("for (;;) { if (atomicCAS((int *)&flag[b ^ 1], 0, 0) != 0) break; }", 1),
        ("while (flag[b] == 0) { }", 0),  # its own block's word
        ("while (flag[500] == 0) { }", 0),  # a word that the kernel does not write
        ("int tries = 0; while (flag[b ^ 1] == 0 && ++tries < 9) { }", 0),
        ("while (flag[b ^ 1] == 0) total[t] += 1.0f;", 0),  # does other work meanwhile
        ("while (atomicCAS((int *)&flag[b ^ 1], 1, 0) == 0) { }", 0),  # takes the word
        ("int n = total[0]; while (n > 0) { n -= flag[b ^ 1]; }", 0),
    ],
)
def test_waits(body: str, count: int) -> None:
    code = HAND_OVER.replace("WRITE", SIGNAL).replace("UPDATE", "if (t == 0) {").replace("READ", body + "}")
    assert len(facts(code).of(SpinLoop)) == count


STALE = """
__global__ void k(float *out, const float *__restrict__ in, float *data)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    BODY
}
void launch()
{
    float *a, *b, *c;
    cudaMalloc(&a, 1 << 20);
    cudaMalloc(&b, 1 << 20);
    cudaMalloc(&c, 1 << 20);
    k<<<100, 64>>>(a, FIRST, SECOND);
}
"""


@pytest.mark.parametrize(
    ("body", "first", "second", "paths"),
    [
        ("data[i] = i; out[i] = __ldg(&data[i]);", "b", "c", ["__ldg"]),
        ("data[i] = i; __syncthreads(); out[i] = in[i ^ 1];", "c", "c", ["const __restrict__"]),
        ("data[i] = i; __syncthreads(); out[i] = in[i ^ 1];", "b", "c", []),
        ("data[i] = i; __syncthreads(); out[i] = in[i ^ 1];", "c + 64000", "c", []),
        ("data[i] = in[i];", "c", "c", []),
        ("float x = in[i ^ 1]; __syncthreads(); data[i] = x;", "c", "c", []),
        ("data[i] = in[i + 64];", "c", "c", ["const __restrict__"]),  # another block's, at any time
        ("data[i] = i; out[i] = __ldg(&data[(int)in[i]]);", "b", "c", []),
        ("out[i] = data[i]; data[i] = i; out[i] += data[i];", "b", "c", []),
    ],
)
def test_read_only_loads(body: str, first: str, second: str, paths: list[str]) -> None:
    code = STALE.replace("BODY", body).replace("FIRST", first).replace("SECOND", second)
    assert [stale.path for stale in facts(code).of(StaleRead)] == paths
