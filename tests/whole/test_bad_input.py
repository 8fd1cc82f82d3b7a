"""Whatever is wrong with one input gets one line that names the place and the way out; the rest is linted."""

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from tests.support.command_line import STRIDED, Command, Outcome, codes, forked, report

GOOD = [("good.cu", 4, "CU101")]


@pytest.fixture
def cudalint(tmp_path: Path) -> Command:
    """A fork instead of a new interpreter: nothing here depends on how the program starts."""
    return partial(forked, cwd=tmp_path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A working directory with one file that has two findings."""
    (tmp_path / "good.cu").write_text(STRIDED)
    return tmp_path


def linted(outcome: Outcome, status: int, *words: str) -> None:
    """The good file's findings are there, and one line on standard error holds the words."""
    assert outcome.returncode == status
    assert [found for found in codes(outcome) if found[0] == "good.cu"] == GOOD
    (line,) = outcome.stderr.splitlines()
    assert line.startswith("cudalint: ")
    for word in words:
        assert word in line


def test_a_missing_file(cudalint: Command, folder: Path) -> None:
    outcome = cudalint("gone.cu", "good.cu", "--output-format", "json")
    linted(outcome, 2, "gone.cu: no such file or directory", "check the path")
    assert report(outcome)["files"][0] == {
        "path": "gone.cu", "status": "failed", "reason": "no such file or directory; check the path",
    }  # fmt: skip


def test_a_dangling_link(cudalint: Command, folder: Path) -> None:
    (folder / "link.cu").symlink_to("nowhere.cu")
    linted(cudalint(".", "--output-format", "json"), 2, "link.cu: cannot be read", "check the path")


def test_a_pipe_is_not_waited_for(cudalint: Command, folder: Path) -> None:
    os.mkfifo(folder / "pipe.cu")
    linted(cudalint("pipe.cu", "good.cu", "--output-format", "json"), 2, "pipe.cu: is not a regular file")


def test_a_directory_without_cuda(cudalint: Command, folder: Path) -> None:
    (folder / "texts").mkdir()
    (folder / "texts" / "a.txt").write_text("__global__")
    outcome = cudalint("texts", "good.cu", "--output-format", "json")
    linted(outcome, 2, "texts: no CUDA source", "in this directory that is not excluded")


def test_a_binary_file(cudalint: Command, folder: Path) -> None:
    (folder / "lib.cu").write_bytes(b"\x7fELF\x02\x01\x01\0\0\0" + bytes(range(256)))
    outcome = cudalint(".", "--output-format", "json")
    linted(outcome, 2, "lib.cu: is binary", "NUL at byte 7", "exclude")
    assert ("lib.cu", 1, "CU002") in codes(outcome)


def test_bytes_that_are_no_text_anywhere_are_survived(cudalint: Command, folder: Path) -> None:
    (folder / "noise.cu").write_bytes(bytes(n * 37 % 255 + 1 for n in range(4000)))
    outcome = cudalint(".", "--output-format", "json")
    assert outcome.returncode in (1, 2)
    assert [found for found in codes(outcome) if found[0] == "good.cu"] == GOOD
    assert {f["path"]: f["status"] for f in report(outcome)["files"]}["noise.cu"] != "ok"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="file names are bytes there")
def test_a_name_that_is_no_utf8(cudalint: Command, folder: Path) -> None:
    (folder / os.fsdecode(b"caf\xe9.cu")).write_text(STRIDED)
    outcome = cudalint(".", "--output-format", "json")
    linted(outcome, 2, "caf\ufffd.cu: has a name that is not UTF-8", "rename it")
    for name in ("full", "sarif", "github", "concise"):
        assert cudalint(".", "--output-format", name).returncode == 2
    kept = cudalint(".", "--cache-dir", str(folder / "kept"))  # what is kept of runs has names in its keys
    assert (kept.returncode, "Traceback" in kept.stderr) == (2, False)
    judged = cudalint("prove", ".")
    assert "caf\ufffd.cu: has a name that is not UTF-8" in judged.stderr and "Traceback" not in judged.stderr


def test_an_empty_file(cudalint: Command, folder: Path) -> None:
    (folder / "empty.cu").write_text("")
    outcome = cudalint(".", "--output-format", "json")
    linted(outcome, 1, "empty.cu: the file is empty", "nothing to check")


def test_unbalanced_braces(cudalint: Command, folder: Path) -> None:
    (folder / "open.cu").write_text("__global__ void fill(float *out)\n{\n    out[threadIdx.x] = 0.0f;\n")
    outcome = cudalint(".", "--output-format", "json")
    linted(outcome, 2, "open.cu:3: not analysed: expected '}'", "fix it")
    assert ("open.cu", 3, "CU002") in codes(outcome)


def test_a_header_that_does_not_exist(cudalint: Command, folder: Path) -> None:
    (folder / "needs.cu").write_text('#include "gone.h"\n' + STRIDED + "gone::T *unknown;\n")
    outcome = cudalint(".", "--output-format", "json")
    linted(outcome, 1, "needs.cu:1: partially analysed: 'gone.h' file not found", "-I")
    assert ("needs.cu", 5, "CU101") in codes(outcome)  # what can be known without it is told


def test_a_template_that_lost_its_launch_counts_as_lost(cudalint: Command, folder: Path) -> None:
    template = "template <int N> __global__ void k(gone::T *a) { static_assert(N == 77); a[0] = N; }\n"
    launch = "void run(gone::T *a) { k<77><<<1, 32>>>(a); }\n"
    (folder / "lost.cu").write_text('#include "gone.h"\n' + template + launch)
    found = report(cudalint("lost.cu", "--output-format", "json"))["findings"]
    (note,) = (one for one in found if "kernels_lost" in one["evidence"])
    assert note["notes"] == [
        "line 2: kernel template 'k' was not modelled: its instantiation could not be parsed",
        "1 of 1 kernels were not analysed",
    ]
    assert note["evidence"]["kernels_lost"] == 1


def test_a_file_of_a_template_that_nothing_uses_is_not_clean(cudalint: Command, folder: Path) -> None:
    (folder / "own.cu").write_text(
        "template <class T> __global__ void k(T a) { typename T::kind::deeper b; a.strange(b); }  "
        "// cudalint: ignore[CU101]\n"
    )
    outcome = cudalint("own.cu", "--output-format", "json")
    (note,) = report(outcome)["findings"]
    assert (note["code"], note["evidence"]["kernels_lost"]) == ("CU001", 1)
    assert note["help"].startswith("lint the file that instantiates the template")
    assert "analysed uninstantiated: template arguments unknown" in cudalint("inspect", "own.cu").stdout


def test_a_problem_inside_a_header_is_placed_there(cudalint: Command, folder: Path) -> None:
    (folder / "h.h").write_text("#pragma once\n__global__ void k(int *a) { Unknown x; a[0] = x; }\n")
    (folder / "uses.cu").write_text('#include "h.h"\n')
    outcome = cudalint("uses.cu", "good.cu", "--output-format", "json")
    linted(outcome, 1, "uses.cu (through h.h:2): partially analysed: unknown type name 'Unknown'")
    (note,) = [f for f in report(outcome)["findings"] if f["code"] == "CU001"]
    assert (note["path"], note["line"]) == ("uses.cu", 1)
    assert "h.h:2: unknown type name" in note["message"]


def test_of_very_many_problems_a_least_number_is_told(cudalint: Command, folder: Path) -> None:
    (folder / "part.cu").write_text("".join(f"int f{n} = unknown_{n};\n" for n in range(60)))
    outcome = cudalint("part.cu", "--output-format", "json")
    (note,) = report(outcome)["findings"]
    assert "and at least 45 more of this kind" in note["notes"]
    assert "-I and -D" in note["help"]


def test_help_is_by_what_is_wrong(cudalint: Command, folder: Path) -> None:
    (folder / "wrong.cu").write_text('int f = "text" - 3.0f;\n')
    (note,) = report(cudalint("wrong.cu", "--output-format", "json"))["findings"]
    assert note["notes"] == ["no kernel was analysed in this file"]
    assert "if nvcc compiles the file" in note["help"]


def test_many_degraded_files_do_not_fill_the_screen(cudalint: Command, folder: Path) -> None:
    for number in range(8):
        (folder / f"n{number}.cu").write_text('#include "gone.h"\ngone::T *unknown;\n')
    template = "template <int N> __global__ void k(gone::T *a) { static_assert(N == 77); a[0] = N; }\n"
    (folder / "n7.cu").write_text(
        f'#include "gone.h"\n{template}void run(gone::T *a) {{ k<77><<<1, 32>>>(a); }}\n'
    )
    outcome = cudalint(".", "--output-format", "json")
    assert len(outcome.stderr.splitlines()) == 6
    assert outcome.stderr.startswith("cudalint: n7.cu:")  # a kernel is lost in it
    assert "3 more files were partially analysed" in outcome.stderr.splitlines()[-1]
    (note,) = [f for f in report(outcome)["findings"] if f["code"] == "CU001"]
    assert (note["path"], note["message"]) == ("n0.cu", "8 files partially analysed: 'gone.h' file not found")
    assert note["evidence"]["files"] == [f"n{number}.cu" for number in range(8)]


def test_an_unknown_code_beside_a_known_one(cudalint: Command, folder: Path) -> None:
    outcome = cudalint(".", "--select", "CU101,CU199", "--output-format", "json")
    linted(outcome, 2, "no rule named 'CU199'", "cudalint rule --all")


@pytest.mark.parametrize("option", ["--ignore", "--extend-select"])
def test_an_unknown_code_elsewhere(cudalint: Command, folder: Path, option: str) -> None:
    outcome = cudalint(".", option, "bank-conflicts", "--output-format", "json")
    linted(outcome, 2, "no rule named 'bank-conflicts'", "did you mean bank-conflict?")


def test_only_unknown_codes_never_look_clean(cudalint: Command, folder: Path) -> None:
    outcome = cudalint(".", "--select", "CU999")
    assert (outcome.returncode, outcome.stdout) == (2, "")
    assert len(outcome.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [("select = [", "not valid TOML"), ("colour = 1", "unknown key 'colour'"), ("arch = 3", "a string")],
)
def test_a_broken_configuration(cudalint: Command, folder: Path, text: str, said: str) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "cudalint.toml").write_text(text + "\n")
    (folder / "sub" / "a.cu").write_text(STRIDED)
    outcome = cudalint("sub", "good.cu", "--output-format", "json")
    linted(outcome, 2, "sub/cudalint.toml", said)
    assert cudalint("sub", "good.cu", "--isolated").returncode == 1
    assert cudalint("sub").stdout == ""  # nothing was linted: no report looks clean


@pytest.mark.parametrize("output", ["no/such/folder/report.json", "."])
def test_an_output_that_cannot_be_written(cudalint: Command, folder: Path, output: str) -> None:
    outcome = cudalint(".", "--output-format", "json", "-o", output)
    linted(outcome, 2, f"-o {output}: cannot be written", "printing the report instead")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--arch", "hopper"], "--arch: 'hopper' is not an architecture; expected one like sm_90"),
        (["--std", "c99"], "--std: 'c99' is not a C++ standard; expected one like c++17"),
        (["--fail-on", "fatal"], "--fail-on: 'fatal' is not a severity; expected error, warning or note"),
        (
            ["--output-format", "xml"],
            "--output-format: 'xml' is not one of full, concise, grouped, json",
        ),
        (["--assume", "n = 3"], "assumption 'n = 3' is not supported"),
        (["--fix", "-"], "--fix: cannot change standard input"),
    ],
)
def test_a_wrong_option_is_named(cudalint: Command, folder: Path, arguments: list[str], said: str) -> None:
    outcome = cudalint("good.cu", *arguments)
    assert (outcome.returncode, outcome.stdout) == (2, "")
    (line,) = outcome.stderr.splitlines()
    assert said in line


@pytest.mark.parametrize("command", ["check", "inspect"])
def test_no_path_at_all(cudalint: Command, folder: Path, command: str) -> None:
    outcome = cudalint(command)
    assert (outcome.returncode, outcome.stdout) == (2, "")
    (line,) = outcome.stderr.splitlines()
    assert "no path given; name files or directories" in line


def test_an_assumption_in_a_comment_that_is_not_understood(cudalint: Command, folder: Path) -> None:
    (folder / "odd.cu").write_text(STRIDED + "// cudalint: assume n %% 32\n")
    outcome = cudalint(".", "--output-format", "json")
    linted(outcome, 1, "odd.cu:16: partially analysed: assumption 'n %% 32' is not a C expression")
    assert {(line, code) for path, line, code in codes(outcome) if path == "odd.cu"} == {
        (4, "CU101"), (16, "CU001"),
    }  # fmt: skip


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
@pytest.mark.parametrize("arguments", [["good.cu"], ["inspect", "good.cu"], ["rule", "--all"]])
def test_standard_output_that_cannot_be_written(folder: Path, arguments: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "cudalint", *arguments],
            cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line == "cudalint: cannot write to standard output: No space left on device; use -o FILE"


def test_no_trace_ever_reaches_the_user(cudalint: Command, folder: Path) -> None:
    (folder / "odd.cu").write_text("#define A A A\n#if\n__global__ template <<<>>> (((( \\\n\"'/*")
    outcome = cudalint(".")
    assert "Traceback" not in outcome.stderr + outcome.stdout
    assert "good.cu:4:5" in outcome.stdout


BEHIND_A_LIBRARY = """#include "lib/state.h"
template <class T>
__global__ void k(lib::State<T> state, T *out) { out[threadIdx.x] = state.first(); }
"""


def test_kernels_that_all_vanish(cudalint: Command, folder: Path) -> None:
    (folder / "lib.cu").write_text(BEHIND_A_LIBRARY)
    outcome = cudalint(".", "--output-format", "json")
    assert outcome.returncode == 2
    assert ("lib.cu", 1, "CU002") in codes(outcome)


def test_one_of_two_kernels_vanishes(cudalint: Command, folder: Path) -> None:
    other = "__global__ void whole(int *a) { a[threadIdx.x] = 1; }\n"
    (folder / "lib.cu").write_text(BEHIND_A_LIBRARY + other)
    outcome = cudalint(".", "--output-format", "json")
    assert outcome.returncode != 2
    assert "1 of 2 kernels were not analysed" in outcome.stdout
    assert "kernel 'k' was not modelled" in outcome.stdout
