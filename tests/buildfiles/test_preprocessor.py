"""Folders of headers and macros, as build files say them plainly."""

from pathlib import Path

import pytest

from cudalint.buildfiles import preprocessor
from cudalint.frontend import LoadOptions, load


def told(top: Path, files: dict[str, str], source: str = "src/k.cu") -> tuple[list[str], list[str]]:
    """(folders relative to the top, macros) for a source of a tree with these files and some folders."""
    for name in ("include", "src/own", "third/inc", "src/sub"):
        (top / name).mkdir(parents=True, exist_ok=True)
    for name, text in {".git/HEAD": "", source: "", **files}.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text)
    words = preprocessor.told(str(top / source))
    folders = [str(Path(word.value).relative_to(top)) for word in words if word.option == "-I"]
    return folders, [word.value for word in words if word.option == "-D"]


LISTS = """
project(demo LANGUAGES CXX CUDA)
set(PARTS ${CMAKE_CURRENT_SOURCE_DIR}/third)
include_directories(include ${PARTS}/inc /usr/local/cuda/include ${ELSEWHERE}/x gone)
add_definitions(-DWIDE=1 -DNAME="${UNKNOWN}")
if(FAST)
  add_compile_definitions(FAST_PATH BITS=16)
else()
  add_compile_definitions(BITS=32)
  list(APPEND FLAGS -DMAYBE)
endif()
add_compile_options($<$<COMPILE_LANGUAGE:CUDA>:-DON_GPU> ${FLAGS})
"""
INNER = """
add_library(first k.cu)
add_library(second other.cu)
target_include_directories(first PRIVATE $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/own>)
target_compile_definitions(first PUBLIC OF_FIRST=2)
target_compile_definitions(second PUBLIC OF_SECOND)
"""


def test_lists_of_cmake(tmp_path: Path) -> None:
    folders, macros = told(tmp_path, {"CMakeLists.txt": LISTS, "src/CMakeLists.txt": INNER})
    assert folders == ["src/own", "include", "third/inc"]
    assert macros == ["OF_FIRST=2", "WIDE=1", "ON_GPU", "BITS=16", "FAST_PATH"]


def test_what_a_target_passes_on_is_for_sources_that_no_other_target_lists(tmp_path: Path) -> None:
    text = """
my_add_module(core SHARED core.cc)
add_library(tool {})
target_compile_definitions(core PUBLIC WIDTH=64)
target_compile_definitions(core PRIVATE OWN=1)
"""
    assert told(tmp_path / "a", {"src/CMakeLists.txt": text.format("tool.cc")})[1] == ["WIDTH=64"]
    assert told(tmp_path / "b", {"src/CMakeLists.txt": text.format("k.cu")})[1] == []


def test_of_several_values_that_of_the_default_build_for_these_devices_is_taken(tmp_path: Path) -> None:
    text = """
option(MY_METRICS "Collect them" OFF)
option(WITH_NVIDIA "For its devices" OFF)
if(MY_METRICS)
  add_compile_definitions(COLLECT=1 COUNTED)
else()
  add_compile_definitions(COLLECT=0)
endif()
if(NOT WITH_NVIDIA)
  add_compile_definitions(ARCH=gfx90a FOR_AMD)
else()
  add_compile_definitions(ARCH=75 MAKER="NVIDIA" __FOR_NVIDIA__)
endif()
"""
    assert told(tmp_path, {"CMakeLists.txt": text})[1] == ["COLLECT=0", "ARCH=75", "__FOR_NVIDIA__"]


def test_a_makefile(tmp_path: Path) -> None:
    text = """
TOP = ..
INCLUDES := -I$(TOP)/include \\
            -isystem ../third/inc
NVCCFLAGS += $(INCLUDES) -DSIZE=64 # -DNOT_THIS
ifdef DEBUG
NVCCFLAGS += -DCHECKED -Iown
endif
k: k.cu
\tnvcc $(NVCCFLAGS) -DOF_A_RULE k.cu
"""
    folders, macros = told(tmp_path, {"src/Makefile": text})
    assert folders == ["include", "third/inc", "src/own"]
    assert macros == ["SIZE=64", "OF_A_RULE"]
    other = "again: k.cu\n\tnvcc -DOF_ANOTHER k.cu\n"
    assert told(tmp_path / "second", {"src/Makefile": f"{text}{other}"})[1] == ["SIZE=64"]


@pytest.mark.parametrize(
    "condition",
    ["ifeq ($(GPU), 1)", "ifeq (${USE_CUDA},yes)", "ifdef WITH_CUDA", "ifeq ($(GPU), 0)", "ifdef OPENCV"],
)
def test_what_a_makefile_gives_where_cuda_is_used(tmp_path: Path, condition: str) -> None:
    text = f"""
GPU=0
{condition}
COMMON_FLAGS += -DFOR_DEVICE
else
COMMON_FLAGS += -DFOR_HOST
endif
"""
    used = "CUDA" in condition or condition.endswith("1)")
    assert told(tmp_path, {"src/Makefile": text})[1] == (["FOR_DEVICE"] if used else [])


def test_a_script_of_setuptools(tmp_path: Path) -> None:
    text = """
import os
from pathlib import Path
from torch.utils.cpp_extension import CUDAExtension
here = os.path.dirname(os.path.abspath(__file__))
shared = [os.path.join(here, "include"), Path(here) / "third" / "inc"]
modules = []
modules.append(CUDAExtension("a", sources=["src/k.cu"], include_dirs=shared,
                             define_macros=[("WITH_CUDA", None), ("WIDTH", "4"), ("X", width())],
                             extra_compile_args={"cxx": ["-DHOST"], "nvcc": ["-O3", "-DDEVICE"]}))
if os.environ.get("ALL"):
    modules.append(CUDAExtension("b", ["src/k.cu"], include_dirs=[f"{here}/src/own"],
                                 define_macros=[("ALL", None)]))
"""
    folders, macros = told(tmp_path, {"setup.py": text})
    assert folders == ["include", "third/inc", "src/own"]
    assert macros == ["WITH_CUDA", "WIDTH=4", "DEVICE"]


def test_a_script_that_compiles_as_it_runs(tmp_path: Path) -> None:
    text = """
from torch.utils.cpp_extension import load
ROWS = 8
kernels = load(name="a", sources=["src/binding.cpp", "src/k.cu"], verbose=True,
               extra_cuda_cflags=["--use_fast_math", f"-DROWS={ROWS}", "-DWIDE"])
others = load(name="b", sources=["src/other.cu"], extra_cuda_cflags=["-DOTHER"])
"""
    assert told(tmp_path, {"run.py": text, "Makefile": ""})[1] == ["ROWS=8", "WIDE"]
    unrelated = text.replace("torch.utils.cpp_extension", "elsewhere")
    assert told(tmp_path / "second", {"run.py": unrelated, "Makefile": ""})[1] == []


def test_a_table_of_setuptools(tmp_path: Path) -> None:
    text = """
[[tool.setuptools.ext-modules]]
name = "a"
sources = ["src/k.cu"]
include-dirs = ["include"]
define-macros = [["A", "1"]]
extra-compile-args = ["-DB"]
"""
    assert told(tmp_path, {"pyproject.toml": text}) == (["include"], ["A=1", "B"])


def test_bazel(tmp_path: Path) -> None:
    text = """
COPTS = ["-Iinclude", "-DOPTION"]
cuda_library(name = "a", srcs = ["k.cu"], includes = ["own"], defines = ["A"], copts = COPTS)
cuda_library(name = "b", srcs = ["b.cu"], local_defines = ["B"])
"""
    folders, macros = told(tmp_path, {"src/BUILD.bazel": text})
    assert folders == ["src/own", "include"]
    assert macros == ["A", "OPTION"]


@pytest.mark.parametrize("name", ["setup.py", "BUILD", "pyproject.toml", "CMakeLists.txt", "Makefile"])
def test_a_file_that_is_no_build_file_says_nothing(tmp_path: Path, name: str) -> None:
    assert told(tmp_path, {name: "def (: = [ $<\n\t-("}) == ([], [])


def test_what_is_told_is_parsed_with_and_an_option_comes_first(tmp_path: Path) -> None:
    kernel = '#include "row.h"\n__global__ void k(Row *rows) { rows[threadIdx.x].at[SIZE] = 0; }\n'
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "row.h").write_text("struct Row { float at[7]; };\n")
    told(
        tmp_path,
        {
            "CMakeLists.txt": "include_directories(third/inc)\nadd_definitions(-DSIZE=3)",
            "third/inc/row.h": "struct Row { float at[64]; };\n",
            "src/k.cu": kernel,
        },
    )
    source = str(tmp_path / "src/k.cu")
    unit = load(source)
    assert unit.problems == () and unit.records["Row"].bytes == 256
    given = load(source, LoadOptions(include_paths=(str(tmp_path / "other"),), defines=("SIZE=5",)))
    assert given.records["Row"].bytes == 28
    assert "-DSIZE=5" in given.flags[given.flags.index("-DSIZE=3") :]


def test_macros_that_a_recipe_gives_to_nvcc(tmp_path: Path) -> None:
    text = (
        "NVCC = nvcc\n$(OBJ)/%.cubin: dev_%.cu common.h\n\t$(NVCC) --fatbin -DON_DEVICE -o $@ dev_$*.cu\n"
        "host.o: host.cpp\n\t$(CXX) -DON_HOST -c host.cpp\n"
    )
    files = {"src/Makefile.cuda": text, "src/Makefile.serial": "CFLAGS = -DSERIAL\n", "src/other.cu": ""}
    for name in ("dev_a.cu", "other.cu"):
        (tmp_path / "src").mkdir(exist_ok=True)
        (tmp_path / "src" / name).write_text("")
    assert told(tmp_path, files, "src/dev_a.cu")[1] == ["ON_DEVICE"]
    assert told(tmp_path, files, "src/other.cu")[1] == []
