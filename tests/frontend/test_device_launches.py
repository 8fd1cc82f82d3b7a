"""Kernels that are launched by kernels, which clang refuses, stand in the IR; so does what a template of the
host launches.
"""

from pathlib import Path

import pytest

from cudalint.frontend import load
from cudalint.ir import expressions as e
from cudalint.ir.unit import Unit
from cudalint.ir.walk import walk

CHILDREN = """\
__global__ void child(int *x) { x[threadIdx.x] = 1; }
template <typename T> __global__ void typed(T *x) { x[threadIdx.x] = 1; }
"""


def loaded(tmp_path: Path, source: str) -> Unit:
    file = tmp_path / "a.cu"
    file.write_text(source)
    return load(str(file))


def launches(unit: Unit, kernel: str) -> list[tuple[str, int]]:
    """(kernel, line) of what a kernel launches, in order."""
    (body,) = (f.body for f in unit.functions.values() if f.name == kernel and f.body is not None)
    return [(n.name, n.span.line) for n in walk(body) if isinstance(n, e.Launch)]


@pytest.mark.parametrize(
    "statement, name",
    [
        ("child<<<1, 32>>>(x);", "child"),
        ("typed<<<1, 32>>>(x);", "typed"),
        ("typed<int><<<n, 32, 4 * n>>>(x + n);", "typed"),
        ("if (n) { child<<<1, 32>>>(x); }", "child"),
        ("if (n) child<<<1, 32>>>(x); else x[1] = 2;", "child"),
        ("if (n) x[1] = 2; else typed<int><<<1, 32>>>(x);", "typed"),
        ("if (n) parent<<<1, 32>>>(x, n - 1);", "parent"),
    ],
)
def test_a_launch_by_a_kernel(statement: str, name: str, tmp_path: Path) -> None:
    source = (
        f"{CHILDREN}__global__ void parent(int *x, int n)\n{{\n  x[0] = 1;\n  {statement}\n  x[n] = 2;\n}}\n"
    )
    unit = loaded(tmp_path, source)
    assert unit.problems == ()
    assert launches(unit, "parent") == [(name, 6)]


@pytest.mark.parametrize("call", ["", "int main() { tree<64><<<1, 64>>>(nullptr, 3); }\n"])
def test_a_template_that_launches_itself(call: str, tmp_path: Path) -> None:
    source = (
        "template <int N> __global__ void tree(int *x, int depth)\n{\n  x[threadIdx.x] = N;\n"
        "  if (depth && threadIdx.x == 0) {\n    tree<N><<<4, N>>>(x + N, depth - 1);\n  }\n}\n"
    )
    unit = loaded(tmp_path, source + call)
    assert unit.problems == ()
    assert launches(unit, "tree") == [("tree", 5)]
    assert not any(unit.functions[key].dependent for key in unit.kernels)


def test_a_template_of_the_host_that_is_instantiated_explicitly(tmp_path: Path) -> None:
    unit = loaded(
        tmp_path,
        "template <typename T> __global__ void scale(T *x) { x[threadIdx.x] *= 2; }\n"
        "template <typename T> int run(T *x)\n{\n  scale<T><<<1, 256>>>(x);\n  return 0;\n}\n"
        "template int run<float>(float *);\nint main() { run<float>(nullptr); }\n",
    )
    assert unit.problems == ()
    assert [unit.functions[key].template_arguments for key in unit.kernels] == [("float",)]
    assert launches(unit, "run") == [("scale", 4)]


def test_pointers_to_functions_of_the_driver(tmp_path: Path) -> None:
    unit = loaded(
        tmp_path,
        "#include <cudaTypedefs.h>\nstatic PFN_cuInit start;\nstatic PFN_cuLaunchKernel_v4000 launch;\n"
        "bool ready() { return start && launch && start(0) == CUDA_SUCCESS; }\n",
    )
    assert unit.problems == ()
