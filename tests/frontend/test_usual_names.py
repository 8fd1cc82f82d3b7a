"""Names that a build or a missing header gives: switches for CUDA, integer types called by their widths."""

from pathlib import Path

import pytest

from cudalint.frontend import LoadOptions, load
from cudalint.ir.unit import Unit

KERNEL = "__global__ void k(float *a) { a[threadIdx.x] = 0; }\n"


def read(folder: Path, text: str, *defines: str) -> Unit:
    file = folder / "a.cu"
    file.write_text(text)
    return load(str(file), LoadOptions(defines=defines))


@pytest.mark.parametrize(
    "condition",
    ["#if HAVE_CUDA == 1", "#ifdef LIB_USE_CUDA", "#if defined(A) || defined(WITH_CUDA)", "#if CUDA_FOUND"],
)
def test_a_file_for_cuda_is_read_as_a_build_for_cuda_reads_it(tmp_path: Path, condition: str) -> None:
    unit = read(tmp_path, f"{condition}\n{KERNEL}#endif\n")
    assert len(unit.kernels) == 1 and unit.problems == ()


def test_what_the_source_or_an_option_says_of_a_switch_counts(tmp_path: Path) -> None:
    guarded = f"#if USE_CUDA\n{KERNEL}#endif\n"
    assert read(tmp_path, f"#define USE_CUDA 0\n{guarded}").kernels == ()
    assert read(tmp_path, guarded, "USE_CUDA=0").kernels == ()
    (tmp_path / "settings.h").write_text("#define USE_CUDA 0\n")
    assert read(tmp_path, f'#include "settings.h"\n{guarded}').kernels == ()
    assert read(tmp_path, f"#ifdef USE_SSE\n{KERNEL}#endif\n").kernels == ()


def test_a_build_that_defines_no_switch_has_none(tmp_path: Path) -> None:
    file = str(tmp_path / "a.cu")
    (tmp_path / "compile_commands.json").write_text(
        f'[{{"directory": "{tmp_path}", "file": "{file}", "arguments": ["nvcc", "-c", "{file}"]}}]'
    )
    assert read(tmp_path, f"#ifdef USE_CUDA\n{KERNEL}#endif\n").kernels == ()


def test_integer_types_of_a_missing_header_have_the_width_of_their_names(tmp_path: Path) -> None:
    unit = read(
        tmp_path,
        "#include <gone/types.h>\nnamespace own { using ::int32; typedef ::uint64 word; }\n"
        "struct Row { own::int32 at; own::word size; };\n"
        "__global__ void k(Row *rows, uint8 *out) { out[rows[threadIdx.x].at] = 1; }\n",
    )
    assert [problem.header for problem in unit.problems] == ["gone/types.h"]
    assert unit.errors == ()
    assert unit.records["Row"].bytes == 16


def test_a_type_that_the_source_has_is_its_own(tmp_path: Path) -> None:
    text = "typedef long int32;\n__global__ void k(int32 *a) { a[gone] = 1; }\n"
    (parameter,) = next(f for f in read(tmp_path, text).functions.values() if f.kernel).parameters
    assert parameter.type.pointee.bytes == 8  # type: ignore[union-attr]


def test_functions_may_be_called_as_texture_references_once_were(tmp_path: Path) -> None:
    made = "static float surface(int n, float x) { return n * x; }\nfloat texture(float x) { return x; }\n"
    used = "int main() { const auto a = surface(3, 2.0f), b = texture(a); return a > b; }\n"
    assert read(tmp_path, made + KERNEL + used).problems == ()
    bound = "texture<float> t;\nsurface<void, 2> s;\n"
    assert read(tmp_path, bound + KERNEL).problems == ()
