"""Which functions count as code of the device: what kernels reach, and what else may be called there."""

from pathlib import Path

from cudalint.analyses.device_code import device_functions
from cudalint.frontend import load
from cudalint.source.span import Span


def names(tmp_path: Path, source: str) -> set[str]:
    file = tmp_path / "a.cu"
    file.write_text(source)
    lines = source.splitlines()

    def text(span: Span) -> str:
        return "\n".join(lines[span.line - 1 : span.end_line])

    return {function.name for function in device_functions(load(str(file)), text)}


def test_all_where_no_kernel_is(tmp_path: Path) -> None:
    assert names(tmp_path, "__device__ int f(int x) { return x; }\nint g(int x) { return x; }\n") == {"f"}


def test_what_no_kernel_reaches_is_none(tmp_path: Path) -> None:
    source = (
        "__device__ int deep(int x) { return x; }\n__device__ int used(int x) { return deep(x); }\n"
        "__device__ int unused(int x) { return x; }\n__host__ __device__ int both(int x) { return x; }\n"
        "__global__ void k(int *a) { a[0] = used(1); }\nint run() { return both(1); }\n"
    )
    assert names(tmp_path, source) == {"deep", "used", "k"}


def test_lambdas_and_what_they_call(tmp_path: Path) -> None:
    source = (
        "#include <thrust/for_each.h>\n#include <thrust/device_ptr.h>\n"
        "__device__ int used(int x) { return x; }\n__global__ void k(int *a) { a[0] = 1; }\n"
        "void run(thrust::device_ptr<int> p) {\n"
        "    thrust::for_each(p, p + 9, [] __device__(int &x) { used(x); }); }\n"
    )
    assert {"k", "used"} <= names(tmp_path, source)


def test_lost_code_uses_what_it_names(tmp_path: Path) -> None:
    source = (
        '#include "gone.h"\n__device__ int named(int x) { return x; }\nint named(int x, int) { return x; }\n'
        "__device__ int other(int x) { return x; }\n"
        "__device__ int either(int x) { return x; }\n__device__ float either(float x) { return x; }\n"
        "__global__ void k(int *a) { gone::T t = named(1); a[0] = either(t.part); }\n"
        "__global__ void whole(int *a) { a[0] = 1; }\n"
    )
    assert names(tmp_path, source) == {"named", "k", "whole"}
