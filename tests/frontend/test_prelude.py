"""The parsed prelude: used once it pays, and the unit is the same with it."""

import os
import tempfile
from pathlib import Path

import pytest

from cudalint.frontend import LoadOptions, load, parse
from cudalint.frontend.prelude import Preludes
from cudalint.ir.unit import Unit

SOURCE = (
    "#include <vector>\n#include <cmath>\n"
    "__constant__ float table[4];\n"
    "__global__ void k(float4* a, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) a[i] = make_float4(table[i & 3], sqrtf(a[i].x), min(i, n), 0.0);\n}\n"
    "void run(float4* a) { dim3 grid(4); k<<<grid, 128>>>(a, 512); cudaDeviceSynchronize(); }\n"
)


TEMPLATES = """\
template <class T> struct Pair {
  static T start;
  T first;
  __device__ void set(T x) { first = x; }
  void unused() { first = start; }
};
template <class T> T Pair<T>::start = 3;
template <> void Pair<char>::unused() { first = 1; }
template struct Pair<short>;
template <class T> __global__ void fill(T* a) { Pair<T> p; p.set(2); a[threadIdx.x] = p.first; }
template <> __global__ void fill<double>(double* a) { a[0] = 2; }
template __global__ void fill<long>(long* a);
void run(float* a) { fill<<<1, 32>>>(a); }
"""


@pytest.fixture(autouse=True)
def fresh() -> None:
    parse._preludes.cache_clear()


def shown(unit: Unit) -> str:
    return repr((unit.functions, unit.records, unit.variables, unit.kernels, unit.problems))


def with_prelude(arguments: tuple[str, ...], preludes: Preludes) -> tuple[str, ...]:
    return preludes.arguments(parse._index(), arguments, parse.SHIM)


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs files without a name")
def test_the_unit_is_the_same_with_it(tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_text(SOURCE)
    units = [load(str(file)) for _ in range(4)]
    assert next(iter(parse._preludes()._files.values())) != ""
    assert len({shown(unit) for unit in units}) == 1


def test_what_templates_were_made_into_is_there_where_something_reaches_it(tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_text(TEMPLATES)
    for _ in range(4):
        unit = load(str(file))
        assert {key.rpartition("@")[2] for key in unit.functions} == {
            "unused#",  # of char, as it is written
            "set#f#",
            "fill<#f>#*f#",
            "fill<#d>#*d#",
            "run#*f#",
            "dim3#i#i#i#",
        }


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs files without a name")
def test_each_kind_of_flags_has_its_own(tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_text("#ifdef N\n__global__ void k(int* a) { a[N] = __CUDA_ARCH__; }\n#endif\n")
    for _ in range(4):
        for options in (
            LoadOptions(defines=("N=1",)),
            LoadOptions(defines=("N=2",)),
            LoadOptions(defines=("N=2",), arch="sm_70", std="c++14"),
        ):
            assert len(load(str(file), options).kernels) == 1
    assert len(parse._preludes()._files) == 3
    assert all(parse._preludes()._files.values())


def test_nothing_is_left_in_the_temporary_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    file = tmp_path / "a.cu"
    file.write_text(SOURCE)
    for _ in range(4):
        load(str(file))
    assert [p.name for p in tmp_path.iterdir()] == ["a.cu"]


def test_no_place_for_it_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    file = tmp_path / "a.cu"
    file.write_text(SOURCE)
    assert len({shown(load(str(file))) for _ in range(4)}) == 1
    assert list(parse._preludes()._files.values()) == [""]


def test_flags_that_include_another_header_stand_as_they_are() -> None:
    preludes = Preludes()
    arguments = ("-include", "cudalint_prelude.h", "-include", "other.h")
    assert all(with_prelude(arguments, preludes) == arguments for _ in range(5))


def test_few_files_do_without_it(tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_text(SOURCE)
    load(str(file))
    load(str(file))
    assert parse._preludes()._files == {}
