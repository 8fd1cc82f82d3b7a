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
