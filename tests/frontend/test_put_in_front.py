"""Sources that a program compiles at run time: what it puts in front is found beside them, or guessed."""

from pathlib import Path

from cudalint.frontend import load
from cudalint.host.facts import HostFacts
from cudalint.simt.model import ModelOptions, run

KERNEL = (
    'extern "C" __global__ void k(real4 *p, mixed *e, int n) {\n'
    "  __shared__ real t[THREADS];\n"
    "  int i = threadIdx.x;\n"
    "  t[i % THREADS] = SQRT(p[i].x);\n"
    "  real3 d = make_real3(p[i].x, p[i].y, 0) + shifted(p[i]);\n"
    "  if (i < NUM_ATOMS) e[i * STRIDE] = d.x;\n"
    "}\n"
)
HELPERS = (
    "inline __device__ real3 operator+(real3 a, real3 b) { return make_real3(a.x + b.x, a.y + b.y, 0); }\n"
    "inline __device__ real3 shifted(real4 a) { return make_real3(a.x, a.y, a.z); }\n"
)


def written(tmp_path: Path, kernel: str = KERNEL) -> str:
    (tmp_path / "vectors.cu").write_text(HELPERS)
    file = tmp_path / "k.cu"
    file.write_text(kernel)
    return str(file)


def test_types_are_guessed_and_told_and_helpers_are_found(tmp_path: Path) -> None:
    unit = load(written(tmp_path))
    assert [problem.reason for problem in unit.problems] == ["unknown type name 'real4'"]
    told = unit.functions[unit.kernels[0]].assumed
    types = {"real = float", "real4 = float4", "real3 = float3", "mixed = float"}
    assert set(told) == {*types, "THREADS = 256", "NUM_ATOMS = 1024", "STRIDE = 1024"}
    (kernel,) = run(unit, HostFacts((), (), ()), ModelOptions())
    store = next(a for a in kernel.accesses if a.operation == "store" and a.space == "global")
    assert store.transactions.certainty == "bounded"  # it stands on a guess


def test_a_statement_that_is_a_macro_stays_lost(tmp_path: Path) -> None:
    unit = load(written(tmp_path, KERNEL.replace("  if (", "  LOAD_PARAMETERS\n  if (")))
    assert any("LOAD_PARAMETERS" in problem.reason for problem in unit.problems)


def test_further_parameters_take_no_kernel_away(tmp_path: Path) -> None:
    unit = load(written(tmp_path, KERNEL.replace("int n) {", "int n\n    MORE_PARAMETERS) {")))
    assert [unit.functions[key].name for key in unit.kernels] == ["k"]


def test_a_file_with_includes_or_that_is_included_is_left_as_it_is(tmp_path: Path) -> None:
    path = written(tmp_path)
    (tmp_path / "main.cu").write_text('#include "k.cu"\n')
    assert not unit_guesses(path)
    (tmp_path / "own").mkdir()
    assert not unit_guesses(written(tmp_path / "own", "#include <cstdio>\n" + KERNEL))


def unit_guesses(path: str) -> bool:
    unit = load(path)
    return any(f.assumed for f in unit.functions.values())


def test_names_that_a_program_fills_in_are_guessed_beside_includes(tmp_path: Path) -> None:
    text = """#include <cuda_fp16.h>
using Type = __TYPE__;
constexpr int wide = __LOAD_SIZE__ / sizeof(Type);
__global__ void __launch_bounds__(__BLOCK_SIZE__) k(Type *out) { out[threadIdx.x * wide] = 1; }
"""
    unit = load(written(tmp_path, text))
    told = unit.functions[unit.kernels[0]].assumed
    assert set(told) == {"__TYPE__ = float", "__LOAD_SIZE__ = 4", "__BLOCK_SIZE__ = 256"}
    (kernel,) = run(unit, HostFacts((), (), ()), ModelOptions())
    assert [access.transactions.per_request for access in kernel.accesses] == [4.0]


def test_an_alignment_after_the_space_is_taken_as_nvcc_does(tmp_path: Path) -> None:
    text = "__device__ alignas(16) int table[8];\n__global__ void k(int *a) { a[0] = table[threadIdx.x]; }\n"
    unit = load(written(tmp_path, text))
    assert (unit.problems, unit.errors) == ((), ())
