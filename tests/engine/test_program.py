"""Files of one program are looked at together: what `main` hands on is known in the others."""

from pathlib import Path

import pytest

from cudalint.app.api import lint
from cudalint.engine.program import files
from cudalint.rule.findings import Finding

MAIN = """
#include <cstdlib>
#include "solve.h"

int main(int count, char **words)
{
    const int n = 1 << 21;
    float *data = (float *)malloc(n * sizeof(float));
    for (int i = 0; i < n; ++i) data[i] = 1.0f;
    for (int k = 0; k < 100; ++k) solve(data, n);
    free(data);
    return 0;
}
"""
HEADER = "void solve(float *data, int n);\n"
SOLVE = """
#include <cuda_runtime.h>
#include "solve.h"

static __global__ void halve(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 0.5f;
}

void solve(float *data, int n)
{
    float *x;
    cudaMalloc(&x, n * sizeof(float));
    cudaMemcpy(x, data, n * sizeof(float), cudaMemcpyHostToDevice);
    halve<<<(n + 255) / 256, 256>>>(x, n);
    cudaMemcpy(data, x, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(x);
}
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("main.cu", MAIN), ("solve.h", HEADER), ("solve.cu", SOLVE)):
        (tmp_path / name).write_text(text)
    return tmp_path


def found(*names: str) -> list[tuple[str, int, str]]:
    def told(one: Finding) -> tuple[str, int, str]:
        return one.span.path, one.span.line, one.code

    return [told(one) for one in lint([*names]).findings if one.span.path == "solve.cu"]


def test_a_loop_in_another_file_repeats_an_allocation(program: Path) -> None:
    assert ("solve.cu", 14, "CU706") in found("solve.cu")


def test_memory_of_another_file_is_pageable(program: Path) -> None:
    assert "CU709" in {code for _, _, code in found("solve.cu")}


def test_copies_of_another_file_hide_none(program: Path) -> None:
    more = """    float *x, *larger = new float[n]();
    cudaMalloc(&x, n * sizeof(float));
    for (int k = 0; k < 1000; ++k) cudaMemcpy(x, larger, n * sizeof(float), cudaMemcpyHostToDevice);
"""
    text = MAIN.replace("    free(data);", more + "    free(data);")
    (program / "main.cu").write_text(text.replace("<cstdlib>", "<cuda_runtime.h>"))
    assert "CU709" in {code for _, _, code in found("solve.cu")}


def test_a_file_has_the_same_findings_alone_and_in_a_run(program: Path) -> None:
    assert found("solve.cu") == found(".")


def test_what_cannot_be_parsed_in_one_file_counts_for_all_alike(program: Path) -> None:
    (program / "main.cu").write_text(MAIN.replace("return 0;", "lost(data);\n    return 0;"))
    assert found("solve.cu") == found("main.cu", "solve.cu") == found(".")


def test_a_variable_is_what_the_file_that_defines_it_says(program: Path) -> None:
    (program / "solve.h").write_text(HEADER + "extern int size;\n")
    (program / "solve.cu").write_text(SOLVE.replace("n * sizeof", "size * sizeof"))
    assert "CU709" in {code for _, _, code in found("solve.cu")}
    sized = MAIN.replace("int main", "int size = 1 << 10;\n\nint main")
    (program / "main.cu").write_text(sized)
    assert "CU709" not in {code for _, _, code in found("solve.cu")}


def test_without_its_callers_a_file_is_looked_at_alone(program: Path) -> None:
    (program / "main.cu").unlink()
    assert "CU706" not in {code for _, _, code in found("solve.cu")}


def test_two_programs_that_use_a_file_say_nothing_of_it(program: Path) -> None:
    assert [Path(name).name for name in files(str(program / "solve.cu"))] == ["main.cu", "solve.cu"]
    (program / "other.cu").write_text(MAIN)
    assert files(str(program / "solve.cu")) == ()


def test_a_file_that_nothing_calls_is_no_part(program: Path) -> None:
    (program / "unused.cu").write_text("void unused() { }\n")
    assert files(str(program / "unused.cu")) == ()


def test_declarations_and_calls_define_nothing(program: Path) -> None:
    (program / "user.cu").write_text("void solve(float *data, int n);\nvoid f() { solve(0, 1); }\n")
    assert files(str(program / "user.cu")) == ()


def test_a_folder_of_many_sources_is_no_program(program: Path) -> None:
    for number in range(30):
        (program / f"part{number}.cu").write_text("void unused() { }\n")
    assert files(str(program / "solve.cu")) == ()


def test_a_prototype_may_say_restrict_where_the_definition_does_not(program: Path) -> None:
    (program / "solve.h").write_text("void solve(float *__restrict__ data, int n);\n")
    before = found("solve.cu")
    (program / "solve.h").write_text(HEADER)
    assert before == found("solve.cu") != []


@pytest.mark.parametrize("ending", [".cpp", ".cc", ".cxx"])
def test_main_may_stand_in_a_plain_source(program: Path, ending: str) -> None:
    (program / "main.cu").rename(program / f"main{ending}")
    assert set(files("solve.cu")) == {f"main{ending}", "solve.cu"}
    assert {"CU706", "CU709"} <= {code for _, _, code in found("solve.cu")}


def test_a_plain_source_may_allocate(program: Path) -> None:
    (program / "main.cu").write_text(MAIN.replace("(float *)malloc(n * sizeof(float))", "numbers(n)"))
    (program / "solve.h").write_text(HEADER + "float *numbers(int n);\n")
    text = "#include <cstdlib>\nfloat *numbers(int n)\n{\n    return (float *)malloc(n * sizeof(float));\n}\n"
    (program / "numbers.cpp").write_text(text)
    assert set(files("solve.cu")) == {"main.cu", "solve.cu", "numbers.cpp"}
    assert "CU709" in {code for _, _, code in found("solve.cu")}


def test_a_plain_version_of_a_file_is_no_part(program: Path) -> None:
    (program / "main.cu").rename(program / "main.cpp")
    (program / "solve.cpp").write_text("void solve(float *data, int n)\n{\n    data[0] = n;\n}\n")
    assert set(files("solve.cu")) == {"main.cpp", "solve.cu"}


def test_a_second_main_in_a_plain_source_leaves_the_first_one(program: Path) -> None:
    (program / "other.cpp").write_text(MAIN)
    assert set(files("solve.cu")) == {"main.cu", "solve.cu"}
