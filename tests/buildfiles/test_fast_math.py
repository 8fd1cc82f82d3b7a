"""-use_fast_math: what the files of a build tell of it, and what is left unsaid where they tell nothing."""

from pathlib import Path

import pytest

from cudalint.buildfiles.fast_math import fast_math
from cudalint.engine import engine
from cudalint.engine.discovery import Candidate, Plan
from cudalint.settings.config import Settings

KERNEL = """
__global__ void k(float *out, const float *in, double *wide)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i];
    out[i] = sinf(x) * cosf(x);
    wide[i] = sin((double)x) * cos((double)x);
}
"""
COMMAND = '[{"directory": "/", "command": "nvcc FLAGS -c SOURCE", "file": "SOURCE"}]'


def source(folder: Path) -> str:
    """A source two folders down, so that files above it count; no folder further up does."""
    (folder / ".git").mkdir(parents=True)
    (folder / "a" / "b").mkdir(parents=True)
    file = folder / "a" / "b" / "k.cu"
    file.write_text(KERNEL)
    return str(file)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a/b/Makefile", "k: k.cu\n\tnvcc -O3 --use_fast_math k.cu\n", True),
        ("a/b/makefile", "# no -use_fast_math here\nk: k.cu\n\tnvcc -O3 k.cu # -use_fast_math\n", False),
        ("a/b/GNUmakefile", "NVCC_FAST = -Duse_fast_maths\n", False),
        ("CMakeLists.txt", 'set(CMAKE_CUDA_FLAGS "-use_fast_math")\n', True),
        ("a/flags.cmake", "add_compile_options($<$<CONFIG:Release>:-use_fast_math>)\n", True),
        ("common.mk", "FLAGS += -ffast-math\n", True),
        ("a/c/Makefile", "nvcc -use_fast_math\n", None),
        ("a/b/notes.txt", "-use_fast_math\n", None),
    ],
)
def test_what_build_files_say(tmp_path, name: str, text: str, said: bool | None) -> None:
    top = tmp_path / "top"
    file = source(top)
    (top / name).parent.mkdir(exist_ok=True)
    (top / name).write_text(text)
    (tmp_path / "Makefile").write_text("nvcc -use_fast_math\n")  # above the repository
    assert fast_math(file, None) is said


def found(file: str) -> list[int]:
    plan = Plan((Candidate(file, Settings(), False),), (), ())
    return sorted(item.span.line for item in engine.lint(plan, jobs=1).findings if item.code == "CU607")


@pytest.mark.parametrize(
    ("makefile", "command", "lines"),
    [
        ("", "", [6, 7]),  # on the condition that it is without
        ("nvcc -O3\n", "", [6, 7]),
        ("nvcc -use_fast_math\n", "", [7]),
        ("nvcc -use_fast_math\n", "-O3", [6, 7]),
        ("nvcc -O3\n", "-use_fast_math", [7]),
    ],
)
def test_floats_are_told_where_the_build_is_known_to_be_without(
    tmp_path, makefile: str, command: str, lines: list[int]
) -> None:
    file = source(tmp_path / "top")
    if makefile:
        Path(file).with_name("Makefile").write_text(makefile)
    if command:
        text = COMMAND.replace("FLAGS", command).replace("SOURCE", file)
        Path(file).with_name("compile_commands.json").write_text(text)
    assert found(file) == lines
