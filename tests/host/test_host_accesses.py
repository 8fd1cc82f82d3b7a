"""What the host itself touches of the device's memory, and the intervals that its clocks measure."""

from pathlib import Path

import pytest

from cudalint.frontend import load
from cudalint.host.facts import HostFacts
from cudalint.host.model import run
from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.ir.walk import walk

PRELUDE = """\
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <helper_timer.h>
#include <numeric>
#include <omp.h>
#include <sys/time.h>
#include <vector>
__global__ void k(float *a) { a[threadIdx.x] = 1; }
__device__ float on_device[4];
__managed__ float shared_by_both[4];
struct Pair { float x, y; };
struct Node { Node(); void *operator new(size_t n) { return malloc(n); } int v; };
bool big(const float *p, float *q, int n, float limit);
double now() { timeval t; gettimeofday(&t, nullptr); return t.tv_sec + 1e-6 * t.tv_usec; }
__host__ __device__ float both(const float *p) { return p[0]; }
void external(float *p);
"""


def facts(tmp_path: Path, body: str) -> HostFacts:
    path = tmp_path / "a.cu"
    made = "float *d, *m, *h, *p; cudaMalloc(&d, 400); cudaMallocManaged(&m, 400); cudaMallocHost(&h, 400);"
    made += " p = (float *)malloc(400);"
    path.write_text(f"{PRELUDE}int main(int argc, char **argv)\n{{\n{made}\n{body}\n}}\n")
    return run(load(str(path)))


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("d[3] = 1;", [("d", True, 12)]),
        ("*m += 2;", [("m", False, 0), ("m", True, 0)]),
        ('printf("%f", h[argc]);', [("h", False, None)]),
        ("p[1] = 2;", []),
        ("float *q = &d[3]; float **r = &d;", []),
        ("on_device[1] = 2;", [("on_device", True, 4)]),
        ("cudaMemcpyToSymbol(on_device, p, 16);", []),
        ("float s = shared_by_both[2];", [("shared_by_both", False, 8)]),
        ("memset(d, 0, 400);", [("d", True, 0)]),
        ("memcpy(p, d, 400);", [("d", False, 0)]),
        ("std::fill(m, m + 100, 1.0f);", [("m", True, 0)]),
        ("float s = std::accumulate(h, h + 100, 0.0f);", [("h", False, 0)]),
        ("free(d);", [("d", True, 0)]),
        ("float s = both(d);", []),
        ("external(m);", []),
        ("Pair *q; cudaMalloc(&q, 80); float s = q[1].y;", [("q", False, 12)]),
        ("float *q = argc > 1 ? d : p; q[0] = 1;", []),
        ("for (int i = 0; i < 100; ++i) m[i] = i;", [("m", True, 0)]),
    ],
)
def test_accesses_of_the_host(tmp_path: Path, body: str, found: list[tuple[str, bool, int | None]]) -> None:
    accesses = facts(tmp_path, body).accesses
    assert [(a.buffer.name, a.write, a.offset) for a in accesses] == found


def test_volatile_places_are_told(tmp_path: Path) -> None:
    found = facts(tmp_path, "volatile float *v = m; while (v[0] == 0);").accesses
    assert found and all(access.volatile for access in found)


@pytest.mark.parametrize(
    "body",
    [
        "double t = now(); k<<<1, 32>>>(d); t = now() - t;",
        "double t = clock(); k<<<1, 32>>>(d); double s = (clock() - t) / CLOCKS_PER_SEC;",
        "double t = -omp_get_wtime(); k<<<1, 32>>>(d); t += omp_get_wtime();",
        "timeval a, b; gettimeofday(&a, 0); k<<<1, 32>>>(d); gettimeofday(&b, 0);"
        "long s = b.tv_sec - a.tv_sec;",
        "timespec a, b; clock_gettime(0, &a); k<<<1, 32>>>(d); clock_gettime(0, &b);"
        "long s = b.tv_sec * 1000000000 + b.tv_nsec - (a.tv_sec * 1000000000 + a.tv_nsec);",
        "using clock = std::chrono::steady_clock; auto a = clock::now(); k<<<1, 32>>>(d);"
        "auto b = clock::now();"
        "double s = std::chrono::duration<double>(b - a).count();",
        "#define TIMED double a = now(); k<<<1, 32>>>(d); double b = now(); double c = b - a\nTIMED;",
        "StopWatchInterface *w; sdkCreateTimer(&w); sdkStartTimer(&w); k<<<1, 32>>>(d); sdkStopTimer(&w);",
    ],
)
def test_clocks_are_followed_to_their_difference(tmp_path: Path, body: str) -> None:
    found = facts(tmp_path, body)
    launch = next(call for call in found.calls if call.kind == "launch")
    (interval,) = found.intervals
    assert interval.start <= launch.order < interval.stop


@pytest.mark.parametrize(
    "body",
    [
        "double a = now(); k<<<1, 32>>>(d); double b = now(); double c = a + b;",
        "double a = now(), b = 2; k<<<1, 32>>>(d); double c = a - b;",
        "double a = now(); double b = now() - a;",
        "sdkStopTimer(nullptr);",
    ],
)
def test_no_interval_without_two_readings_and_work_between(tmp_path: Path, body: str) -> None:
    assert facts(tmp_path, body).intervals == ()


@pytest.mark.parametrize(
    ("body", "unseen"),
    [
        ("external(m);", True),
        ("srand(1); strtok(argv[0], argv[1]);", False),
        ("std::sort(p, p + 100);", False),
        ("void (*f)(float *) = argc > 1 ? external : nullptr; f(m);", True),
    ],
)
def test_code_that_nobody_sees_may_use_cuda(tmp_path: Path, body: str, unseen: bool) -> None:
    assert any(call.unseen for call in facts(tmp_path, body).calls) is unseen


def test_an_overloaded_new_allocates_nobody_knows_where(tmp_path: Path) -> None:
    found = facts(tmp_path, "Node *n = new Node; cudaMemcpy(d, n, 4, cudaMemcpyHostToDevice);")
    assert found.calls[-1].host_space == "unknown"


def test_allocations_of_one_macro_are_several(tmp_path: Path) -> None:
    body = """#define BOTH(a) float *a = (float *)malloc(64), *a##_d; cudaMalloc(&a##_d, 128); a[0] = 1
    BOTH(x); cudaMemcpy(x_d, x, 64, cudaMemcpyHostToDevice);"""
    (copy,) = (call for call in facts(tmp_path, body).calls if call.kind == "copy")
    assert copy.source is not None and copy.destination is not None
    assert (copy.source.space, copy.source.bytes) == ("pageable", 64)
    assert (copy.destination.space, copy.destination.bytes) == ("device", 128)


def test_managed_variables_are_managed(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text("__device__ __managed__ int a, b = 2;\n__managed__ float c[4];\n__device__ int d;\n")
    found = {v.name: v.storage for v in load(str(path)).variables.values()}
    assert found == {"a": "managed", "b": "managed", "c": "managed", "d": "device"}


def test_a_sizeof_says_of_what(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text("void f(float *p) { unsigned long n = sizeof(p); n = sizeof(float); }\n")
    (function,) = load(str(path)).functions.values()
    assert function.body is not None
    (size, _) = [node for node in walk(function.body) if isinstance(node, e.Literal)]
    assert isinstance(size.size_of, t.Pointer)


def test_a_loop_of_the_library_ends(tmp_path: Path) -> None:
    found = facts(tmp_path, "std::fill(p, p + 100, 1.0f); k<<<1, 32>>>(d);")
    assert [call.name for call in found.calls if call.kind == "launch"] == ["k"]
