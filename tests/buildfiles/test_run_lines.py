"""The words with which a Makefile runs a program, and what the host model makes of them."""

from pathlib import Path

import pytest

from cudalint.buildfiles.run_lines import RunLine, run_line
from cudalint.frontend import LoadOptions, load
from cudalint.host.model import run

_MAKEFILE = """
program = main
SIZE = 4096

all: $(program)
\t./prepare 7
run: $(program)
\t@echo running
\t$(LAUNCHER) ./$(program) $(SIZE) 10 > log
"""
_CODE = """
#include <cstdlib>
__global__ void k(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = 0; }
int main(int argc, char **argv) {
    if (argc != 3) return 1;
    int n = atoi(argv[1]);
    float *h = (float *)malloc(n * sizeof(float)), *d;
    cudaMalloc(&d, n * sizeof(float));
    cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
    k<<<(n + 255) / 256, 256>>>(d, n);
}
"""


def _words(folder: Path, makefile: str, *sources: str, of: str = "main.cu") -> RunLine | None:
    for name in (of, *sources):
        (folder / name).write_text("")
    (folder / "Makefile").write_text(makefile)
    return run_line(str(folder / of))


def test_the_words_of_the_target_that_runs_it(tmp_path: Path) -> None:
    found = _words(tmp_path, _MAKEFILE)
    assert found is not None
    assert (found.words, found.line) == (("4096", "10"), 9)


@pytest.mark.parametrize(
    "recipe",
    ["./main", "./main $(UNKNOWN) 3", "./main `nproc`", "mpirun main 3", "# ./main 3", "echo ./x/main 3"],
)
def test_what_is_no_plain_line(tmp_path: Path, recipe: str) -> None:
    assert _words(tmp_path, f"run: main\n\t{recipe}\n") is None


def test_words_of_another_program(tmp_path: Path) -> None:
    makefile = "test:\n\t./other 5\n\t./main 6\n"
    found = _words(tmp_path, makefile, "other.cu")
    assert found is not None
    assert found.words == ("6",)


def test_without_a_makefile(tmp_path: Path) -> None:
    (tmp_path / "main.cu").write_text("")
    assert run_line(str(tmp_path / "main.cu")) is None


def test_sizes_of_the_run() -> None:
    unit = load("main.cu", LoadOptions(text=_CODE))
    facts = run(unit, RunLine(("4096", "10"), "/top/Makefile", 9))
    assert [launch.grid for launch in facts.defaults] == [(16, 1, 1)]
    (copy,) = (call for call in facts.calls if call.kind == "copy")
    assert (copy.bytes, copy.as_run) == (None, 4 * 4096)
    assert facts.run == "line 9 of Makefile"


def test_without_words_nothing_is_taken_for_the_run() -> None:
    facts = run(load("main.cu", LoadOptions(text=_CODE)))
    assert facts.defaults == ()
    assert all(call.as_run is None for call in facts.calls)


@pytest.mark.parametrize(
    ("read", "blocks"),
    [("atoi(argv[1])", 4), ("(int)atof(argv[1])", 4), ('atoi("12") * 64', 3)],
)
def test_numbers_in_words(read: str, blocks: int) -> None:
    code = f"""
#include <cstdlib>
#include <string>
__global__ void k(float *a, int n) {{ a[blockIdx.x] = n; }}
int main(int argc, char **argv) {{
    int n = {read};
    k<<<n / 256, 256>>>(nullptr, n);
}}
"""
    facts = run(load("main.cu", LoadOptions(text=code)), RunLine(("1024x",), "Makefile", 1))
    assert {launch.grid for launch in (*facts.launches, *facts.defaults)} >= {(blocks, 1, 1)}


@pytest.mark.parametrize(
    ("test", "blocks"),
    [
        ('strcmp(words[1], "r") == 0', 16),
        ('strcmp(words[1], "file") == 0', 64),
        ('strncmp(words[1], "random", 1) == 0', 16),
        ('strcasecmp(words[1], "R") == 0', 16),
        ('!strcmp("r", words[1])', 16),
    ],
)
def test_words_that_are_compared(test: str, blocks: int) -> None:
    code = f"""
#include <cstdlib>
#include <cstring>
__global__ void k(float *a) {{ a[blockIdx.x] = 0.0f; }}
int main(int count, char **words)
{{
    int n = 64;
    if ({test}) n = 16;
    float *a;
    cudaMalloc(&a, n * sizeof(float));
    k<<<n, 1>>>(a);
    return 0;
}}
"""
    facts = run(load("main.cu", LoadOptions(text=code)), RunLine(("r",), "Makefile", 1))
    assert [one.grid[0] for one in facts.defaults] == [blocks]


def test_further_lines_of_the_same_program(tmp_path: Path) -> None:
    makefile = "run:\n\t./main 1\n\t./other 2\n\t./main 3\n\t./main 4\n\t./main 5\n"
    found = _words(tmp_path, makefile, "other.cu")
    assert found is not None
    assert (found.words, found.line) == (("1",), 2)
    assert [(one.words, one.line) for one in found.more] == [(("3",), 4), (("4",), 5)]
