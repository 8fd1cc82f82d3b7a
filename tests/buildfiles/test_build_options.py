"""What is read of compile_commands.json and CMakeLists.txt, and where its findings stand."""

import json
from pathlib import Path

import pytest

from cudalint.buildfiles import cmake, options, places
from cudalint.buildfiles.facts import Code
from cudalint.source.span import NOWHERE
from tests.support.command_line import Command, report

KERNEL = "__global__ void fill(float *p) { p[threadIdx.x] = 1.0f; }\n"
ONLY = ("--isolated", "--select", "CU904", "--output-format", "json")


def placed(outcome) -> list[tuple[str, int, str]]:
    return [(f["path"], f["line"], f["evidence"]["option"]) for f in report(outcome)["findings"]]


# What `nvcc --dryrun` of release 13.0 puts into the object for each.
@pytest.mark.parametrize(
    ("command", "native", "virtual"),
    [
        ("-arch=sm_80", ["sm_80"], ["compute_80"]),
        ("-arch sm_80", ["sm_80"], ["compute_80"]),
        ("-arch=compute_80", [], ["compute_80"]),
        ("-arch=compute_80 -code=sm_80,sm_86", ["sm_80", "sm_86"], []),
        ("-gencode arch=compute_80,code=sm_80", ["sm_80"], []),
        ("-gencode=arch=compute_80,code=[sm_80,compute_80]", ["sm_80"], ["compute_80"]),
        ('--generate-code arch=compute_80,code="sm_80,sm_86"', ["sm_80", "sm_86"], []),
        ("--cuda-gpu-arch=sm_80", ["sm_80"], ["compute_80"]),
        ("-gencode arch=compute_90a,code=sm_90a", ["sm_90a"], []),
    ],
)
def test_architectures_of_a_command(command, native, virtual):
    found = options.architectures(list(options.read(command.split())))
    assert found is not None
    assert (sorted(found[0]), sorted(found[1])) == (native, virtual)


@pytest.mark.parametrize("command", ["-O3", "-arch=native", "-arch=all-major", "-gencode arch=compute_80"])
def test_architectures_that_are_not_said_by_number(command):
    assert options.architectures(list(options.read(command.split()))) is None


@pytest.mark.parametrize(
    ("native", "virtual", "arch", "runs"),
    [
        ("sm_80", "", 86, (True, False)),
        ("sm_86", "", 80, (False, False)),
        ("sm_80", "", 90, (False, False)),
        ("sm_80", "compute_80", 90, (False, True)),
        ("sm_90a", "compute_90a", 90, (True, True)),
        ("sm_90a", "compute_90a", 100, (False, False)),
        ("sm_100f", "", 103, (True, False)),
        ("", "compute_90", 80, (False, False)),
    ],
)
def test_what_runs_where(native, virtual, arch, runs):
    code = Code(tuple(native.split()), tuple(virtual.split()), NOWHERE)
    assert (code.runs_natively(arch), code.runs_from_ptx(arch)) == runs


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("-G -DNDEBUG", "-DNDEBUG"),
        ("-G -O0 -O2", "-O2"),
        ("-O2 -O0", ""),
        ("-g -G", ""),
        ("-Xcompiler -O3", ""),
    ],
)
def test_what_tells_a_release(command, why):
    assert options.release(list(options.read(command.split()))) == why


def test_words_of_a_list_in_json_have_a_place(tmp_path):
    path = tmp_path / "c.json"
    path.write_text('[{"arguments": ["nvcc",\n  "-Xptxas",\n  "-O0", "-GX", "-G"]}]')
    span = places.of_words(str(path), ("-Xptxas", "-O0"))
    assert span is not None
    assert (span.line, span.column, span.end_line) == (2, 4, 3)
    found = places.of_words(str(path), ("-G",))
    assert found is not None and (found.line, found.column) == (3, 18)
    assert places.of_words(str(path), ("-lineinfo",)) is None
    assert len(places.entries(str(path))) == 1


def test_a_text_that_is_no_list_has_no_entries(tmp_path):
    for number, text in enumerate(("", "{}", '[{"a": 1}, {"b"', "[[1]]")):
        (tmp_path / f"{number}.json").write_text(text)
        assert len(places.entries(str(tmp_path / f"{number}.json"))) == ("a" in text) + (text == "{}")


LIST = """\
# set(CMAKE_CUDA_FLAGS "-G")
#[==[ set(CMAKE_CUDA_FLAGS "-G") ]==]
set(TEXT [=[ set(CMAKE_CUDA_FLAGS "-G") ( ]=])
message("a \\" ( quote" (nested (parens)))
IF(A)
  if(B)
  endif()
  set(CMAKE_CUDA_FLAGS "-G")
ENDIF()
foreach(x 1 2)
  set(CMAKE_CUDA_FLAGS "-G")
endforeach()
SET(CMAKE_CUDA_FLAGS_RELEASE "-lineinfo;-G")
"""


def test_commands_of_a_list_file():
    calls = list(cmake.calls(LIST))
    assert [call.name for call in calls if call.sure] == [
        "set", "message", "if", "foreach", "set",
    ]  # fmt: skip
    assert calls[0].words()[0] == "TEXT"


def test_options_of_a_list_file(tmp_path):
    (tmp_path / "CMakeLists.txt").write_text(LIST)
    found = cmake.read(str(tmp_path / "CMakeLists.txt")).options
    assert [(o.name, o.span.line, o.release) for o in found] == [
        ("-lineinfo", 13, "RELEASE"),
        ("-G", 13, "RELEASE"),
    ]


@pytest.mark.parametrize(
    "argument",
    [
        "$<$<COMPILE_LANGUAGE:CXX>:-G>",
        "$<$<NOT:$<COMPILE_LANGUAGE:CUDA>>:-G>",
        "$<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${SLOW}>>:-G>",
        "$<$<OR:$<COMPILE_LANGUAGE:CUDA>,$<CONFIG:Debug>>:-G>",
        "$<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<CONFIG:Debug>>:-G>",
        "$<$<COMPILE_LANGUAGE:CUDA>:${FLAGS}>",
        "-G",
    ],
)
def test_conditions_of_a_list_file_that_say_nothing_sure(tmp_path, argument):
    (tmp_path / "CMakeLists.txt").write_text(f'target_compile_options(x PRIVATE "{argument}")\n')
    assert cmake.read(str(tmp_path / "CMakeLists.txt")).options == ()


@pytest.mark.parametrize("value", ["native", "all-major", "${ARCHS}", "OFF", "70 ${MORE}"])
def test_architectures_of_a_list_file_that_are_no_numbers(tmp_path, value):
    (tmp_path / "CMakeLists.txt").write_text(f"set(CMAKE_CUDA_ARCHITECTURES {value})\n")
    assert cmake.read(str(tmp_path / "CMakeLists.txt")).code is None


def test_a_project_is_told_once_and_where_its_lists_write_it(cudalint: Command, tmp_path: Path):
    """Two units, a folder below, and the database that CMake writes from the lists."""
    (tmp_path / "src").mkdir()
    (tmp_path / "CMakeLists.txt").write_text(
        "project(x LANGUAGES CUDA)\nset(CMAKE_CUDA_ARCHITECTURES 80)\nadd_subdirectory(src)\n"
    )
    (tmp_path / "src" / "CMakeLists.txt").write_text('string(APPEND CMAKE_CUDA_FLAGS " -G")\n')
    words = "nvcc -O3 -DNDEBUG --generate-code=arch=compute_80,code=[compute_80,sm_80] -G -Xptxas -O0 -c"
    entries = []
    for name in ("a.cu", "b.cu"):
        (tmp_path / "src" / name).write_text(KERNEL)
        entries.append({"directory": str(tmp_path), "file": f"src/{name}", "command": f"{words} src/{name}"})
    found = [("CMakeLists.txt", 2, "-gencode"), ("src/CMakeLists.txt", 1, "-G")]
    assert sorted(placed(cudalint("src", "--arch", "sm_90", *ONLY))) == found
    (tmp_path / "compile_commands.json").write_text(json.dumps(entries, indent=1))
    found.append(("compile_commands.json", 5, "-Xptxas"))
    assert sorted(placed(cudalint("src", "--arch", "sm_90", *ONLY))) == sorted(found)


def test_the_target_counts_where_it_is_asked_for(cudalint: Command, tmp_path: Path):
    (tmp_path / "a.cu").write_text(KERNEL)
    (tmp_path / "CMakeLists.txt").write_text("project(x)\nset(CMAKE_CUDA_ARCHITECTURES 80-real)\n")
    assert placed(cudalint("a.cu", *ONLY)) == []
    assert placed(cudalint("a.cu", "--arch", "sm_86", *ONLY)) == []
    assert len(placed(cudalint("a.cu", "--arch", "sm_90", *ONLY))) == 1
    (finding,) = report(cudalint("a.cu", "--arch", "sm_86,sm_90", *ONLY))["findings"]
    assert (finding["archs"], finding["severity"]) == (["sm_90"], "error")
    (tmp_path / "CMakeLists.txt").write_text(
        "project(x)\nset(CMAKE_CUDA_ARCHITECTURES 80-real)\nset_target_properties(x PROPERTIES "
        "CUDA_ARCHITECTURES 90)\n"
    )
    assert placed(cudalint("a.cu", "--arch", "sm_90", *ONLY)) == []


def test_a_list_above_the_project_or_the_repository_is_not_read(cudalint: Command, tmp_path: Path):
    (tmp_path / "CMakeLists.txt").write_text('set(CMAKE_CUDA_FLAGS "-G")\n')
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "a.cu").write_text(KERNEL)
    assert len(placed(cudalint("inner", *ONLY))) == 1
    (inner / "CMakeLists.txt").write_text("project(x LANGUAGES CUDA)\n")
    assert placed(cudalint("inner", *ONLY)) == []
    (inner / "CMakeLists.txt").unlink()
    (inner / ".git").mkdir()
    assert placed(cudalint("inner", *ONLY)) == []
