"""Which updates of memory stay in their loop: as in the PTX that nvcc 13.0 makes of such kernels, sm_90."""

import pytest

from cudalint.analyses.updates import updates
from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions

HEAD = """
__constant__ float factors[256];
__device__ float device_a[1024];
__device__ float device_b[1024 * 64];
struct Pair { float *a; const float *b; };
struct Sum { float all; __device__ void add(float x) { all += x; } };
__device__ void add(float &sum, float x) { sum += x; }
__device__ void add_at(float *sum, float x) { *sum += x; }
__device__ void add_twice(float &sum, float x) { add(sum, x + x); }
"""
START = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
LOOP = "for (int j = 0; j < m; j++)"
A, B, SIZES = "float *a", "const float *b", "int n, int m"
RA, RB = "float *__restrict__ a", "const float *__restrict__ b"

# parameters, what stands in the kernel
STAYS = {
    "another pointer": (f"{A}, {B}, {SIZES}", f"{LOOP} a[i] += b[j * n + i];"),
    "few iterations": (f"{A}, {B}, {SIZES}", "for (int j = 0; j < 8; j++) a[i] += b[j * n + i];"),
    "another type": (f"double *a, const int *b, {SIZES}", f"{LOOP} a[i] += b[j * n + i];"),
    "the read-only path": (f"{A}, {B}, {SIZES}", f"{LOOP} a[i] += __ldg(b + j * n + i);"),
    "pointers of a struct": (f"Pair p, {SIZES}", f"{LOOP} p.a[i] += p.b[j * n + i];"),
    "an array of the program": (f"{B}, {SIZES}", f"{LOOP} device_a[i] += b[j * n + i];"),
    "a store through another": (
        f"{A}, float *c, {RB}, {SIZES}",
        f"{LOOP} {{ a[i] += b[j * n + i]; c[j * n + i] = 2; }}",
    ),
    "a condition": (f"{RA}, {RB}, {SIZES}", f"{LOOP} if (b[j * n + i] > 0) a[i] += b[j * n + i];"),
    "a local reference": (f"{A}, {B}, {SIZES}", f"float &s = a[i]; {LOOP} s += b[j * n + i];"),
    "a function": (f"{A}, {B}, {SIZES}", f"{LOOP} add(a[i], b[j * n + i]);"),
    "a function of a pointer": (f"{A}, {B}, {SIZES}", f"{LOOP} add_at(&a[i], b[j * n + i]);"),
    "a function in another": (f"{A}, {B}, {SIZES}", f"{LOOP} add_twice(a[i], b[j * n + i]);"),
    "a method": (f"Sum *a, {B}, {SIZES}", f"{LOOP} a[i].add(b[j * n + i]);"),
    "a condition alone": (f"{A}, {SIZES}", f"{LOOP} if (j & n) a[i] = a[i] * 2 + j;"),
}
MOVED = {
    "restrict on both": (f"{RA}, {RB}, {SIZES}", f"{LOOP} a[i] += b[j * n + i];"),
    "restrict on it": (f"{RA}, {B}, {SIZES}", f"{LOOP} a[i] += b[j * n + i];"),
    "restrict on the other": (f"{A}, {RB}, {SIZES}", f"{LOOP} a[i] += b[j * n + i];"),
    "a function, restrict on both": (f"{RA}, {RB}, {SIZES}", f"{LOOP} add(a[i], b[j * n + i]);"),
    "a function of a register": (f"{A}, {B}, {SIZES}", f"float s = 0; {LOOP} add(s, b[j]); a[i] = s;"),
    "nothing else": (f"{A}, {SIZES}", f"{LOOP} a[i] = a[i] * 2 + j;"),
    "constant memory": (f"{A}, {SIZES}", f"{LOOP} a[i] += factors[j];"),
    "two arrays of the program": (SIZES, f"{LOOP} device_a[i] += device_b[j * n + i];"),
    "two loops": (f"{RA}, {RB}, {SIZES}", f"{LOOP} for (int k = 0; k < m; k++) a[i] += b[(j + k) * n + i];"),
}
# Where nothing is said, whatever the compiler does.
UNSAID = {
    "another element": (f"{A}, {SIZES}", f"{LOOP} a[i] += a[j * n + i];"),
    "a barrier": (f"{A}, {B}, {SIZES}", f"{LOOP} {{ a[i] += b[j * n + i]; __syncthreads(); }}"),
    "an atomic": (f"{A}, int *c, {SIZES}", f"{LOOP} {{ a[i] += 1; atomicAdd(c, 1); }}"),
    "a moving place of a function": (f"{A}, {B}, {SIZES}", f"{LOOP} add(a[i + j], b[j * n + i]);"),
    "a moving place": (f"{A}, {B}, {SIZES}", f"{LOOP} a[i + j] += b[j * n + i];"),
    "a place of the iteration": (f"{A}, {B}, {SIZES}", f"{LOOP} {{ int k = j * n; a[k] += b[j]; }}"),
    "a loaded place": (f"{A}, const int *b, {SIZES}", f"{LOOP} a[b[i]] += b[j];"),
    "volatile memory": (f"volatile float *a, {B}, {SIZES}", f"{LOOP} a[i] += b[j * n + i];"),
}


def found(case: tuple[str, str]) -> int:
    parameters, body = case
    unit = load("k.cu", LoadOptions(text=f"{HEAD}__global__ void k({parameters}) {{ {START} {body} }}\n"))
    return len(list(updates(unit, unit.functions[unit.kernels[0]])))


@pytest.mark.parametrize("case", STAYS.values(), ids=STAYS.keys())
def test_the_store_stays_in_the_loop(case: tuple[str, str]) -> None:
    assert found(case) == 1


@pytest.mark.parametrize("case", (MOVED | UNSAID).values(), ids=(MOVED | UNSAID).keys())
def test_the_compiler_moves_it_or_nobody_may(case: tuple[str, str]) -> None:
    assert found(case) == 0
