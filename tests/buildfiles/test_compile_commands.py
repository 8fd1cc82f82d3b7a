"""compile_commands.json: found, read, translated, and never trusted with more than flags."""

import json
from pathlib import Path
from typing import Any

import pytest

from cudalint.buildfiles.compile_commands import DatabaseError, command_for
from tests.support.command_line import Command, codes, report

# The stride comes from the build: without its flags the access is a contiguous one.
SOURCE = """\
#ifdef FROM_THE_BUILD
#include "stride.h"
#else
#define STRIDE 1
#endif
__global__ void spread(float *out)
{
    out[(blockIdx.x * blockDim.x + threadIdx.x) * STRIDE] = 1.0f;
}
void run(float *out) { spread<<<65536, 256>>>(out); }
"""


def build(root: Path, **entry: Any) -> None:
    """A project whose build passes -DFROM_THE_BUILD and an include folder."""
    (root / "src").mkdir(exist_ok=True)
    (root / "deep" / "inc").mkdir(parents=True, exist_ok=True)
    (root / "out").mkdir(exist_ok=True)
    (root / "src" / "a.cu").write_text(SOURCE)
    (root / "deep" / "inc" / "stride.h").write_text("#define STRIDE 4\n")
    whole = {"directory": str(root / "out"), "file": "../src/a.cu", **entry}
    (root / "out" / "compile_commands.json").write_text(json.dumps([whole]))


NVCC = "/opt/bin/nvcc -forward-unknown-to-host-compiler -DFROM_THE_BUILD -I../deep/inc --generate-code=arch=compute_80,code=[sm_80] -std=c++17 -x cu -rdc=true -c ../src/a.cu -o a.o"  # noqa: E501
CLANG = ["clang++", "-DFROM_THE_BUILD", "-I", "../deep/inc", "--cuda-gpu-arch=sm_80", "-c", "../src/a.cu"]


@pytest.mark.parametrize("entry", [{"command": NVCC}, {"arguments": CLANG}], ids=["nvcc", "clang"])
def test_the_flags_of_the_build_count(cudalint: Command, tmp_path: Path, entry: dict[str, Any]) -> None:
    build(tmp_path, **entry)
    without = cudalint("src", "--output-format", "json")
    assert codes(without) == []
    assert report(without)["arch"] == "sm_90"
    outcome = cudalint("src", "-p", "out", "--output-format", "json")
    assert codes(outcome) == [("src/a.cu", 8, "CU101")]
    assert report(outcome)["arch"] == "sm_80"
    assert report(outcome)["files"] == [{"path": "src/a.cu", "status": "ok", "reason": None}]


def test_the_nearest_database_above_the_file_is_found(cudalint: Command, tmp_path: Path) -> None:
    build(tmp_path, command=NVCC)
    (tmp_path / "out" / "compile_commands.json").rename(tmp_path / "compile_commands.json")
    outcome = cudalint("src/a.cu", "--output-format", "json")
    assert codes(outcome) == [("src/a.cu", 8, "CU101")]


def test_the_command_line_comes_on_top(cudalint: Command, tmp_path: Path) -> None:
    build(tmp_path, command=NVCC)
    outcome = cudalint("src", "-p", "out", "--arch", "sm_75", "--output-format", "json")
    assert report(outcome)["arch"] == "sm_75"
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "stride.h").write_text("#define STRIDE 1\n")
    undone = cudalint("src", "-p", "out", "--extra-arg", "-UFROM_THE_BUILD", "--output-format", "json")
    assert codes(undone) == []


def test_a_configuration_may_name_it(cudalint: Command, tmp_path: Path) -> None:
    build(tmp_path, command=NVCC)
    (tmp_path / "cudalint.toml").write_text('compile-commands = "out"\n')
    assert codes(cudalint("src", "--output-format", "json")) == [("src/a.cu", 8, "CU101")]


def test_a_response_file_inside_the_build_is_read(cudalint: Command, tmp_path: Path) -> None:
    build(tmp_path, command="nvcc -DFROM_THE_BUILD --options-file flags.rsp -c ../src/a.cu")
    (tmp_path / "out" / "flags.rsp").write_text("-I../deep/inc\n")
    outcome = cudalint("src", "-p", "out", "--output-format", "json")
    assert codes(outcome) == [("src/a.cu", 8, "CU101")]


def test_relative_forced_includes_stand_in_the_builds_folder(cudalint: Command, tmp_path: Path) -> None:
    build(tmp_path, command="nvcc -include ../deep/inc/stride.h -c ../src/a.cu")
    (tmp_path / "src" / "a.cu").write_text(SOURCE.split("#endif\n")[1])
    assert codes(cudalint("src", "-p", "out", "--output-format", "json")) == [("src/a.cu", 3, "CU101")]


def test_two_token_options_of_nvcc_do_not_raise(cudalint: Command, tmp_path: Path) -> None:
    flags = "-gencode arch=compute_100,code=sm_100 --expt-relaxed-constexpr -Xcompiler=-Wall --use_fast_math"
    build(tmp_path, command=f"nvcc {flags} -ccbin=g++ -lineinfo -c ../src/a.cu")
    outcome = cudalint("src", "-p", "out", "--output-format", "json")
    assert report(outcome)["files"][0]["status"] == "ok"
    assert report(outcome)["arch"] == "sm_100"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[", "is not valid JSON"),
        ("{}", "is not a list of commands"),
        ('[{"directory": "/"}]', "entry 1 has no 'file'"),
        ('[{"file": "a.cu", "arguments": ["nvcc", 3]}]', "entry 1 has no 'file'"),
        ('[{"file": "a.cu", "command": "nvcc \\"a.cu"}]', "entry 1 has no 'file'"),
    ],
)
def test_a_broken_database_is_named_and_the_files_are_linted(
    cudalint: Command, tmp_path: Path, text: str, said: str
) -> None:
    (tmp_path / "a.cu").write_text(SOURCE.replace("STRIDE 1", "STRIDE 8"))
    (tmp_path / "compile_commands.json").write_text(text)
    outcome = cudalint("a.cu", "--select", "CU101", "--output-format", "json")
    assert outcome.returncode == 2
    (line,) = outcome.stderr.splitlines()
    assert "compile_commands.json" in line
    assert said in line
    assert codes(outcome) == [("a.cu", 8, "CU101")]


def test_a_folder_without_one_is_named(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(SOURCE)
    outcome = cudalint("a.cu", "-p", "nowhere")
    assert outcome.returncode == 2
    (line,) = outcome.stderr.splitlines()
    assert "nowhere: contains no compile_commands.json" in line
    with pytest.raises(DatabaseError):
        command_for(str(tmp_path / "a.cu"), str(tmp_path))
