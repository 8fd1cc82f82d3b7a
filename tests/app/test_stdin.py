"""Standard input under a file's name."""

import subprocess
import sys
from pathlib import Path

from tests.support.command_line import STRIDED, Command, codes, report


def test_text_is_linted_under_its_given_name(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "step.h").write_text("#define STEP 2\n")
    (tmp_path / "src" / "a.cu").write_text("what is on disk does not count\n")
    text = '#include "step.h"\n' + STRIDED.replace("* 2", "* STEP")
    outcome = cudalint("-", "--stdin-filename", "src/a.cu", "--output-format", "json", input=text)
    assert set(codes(outcome)) == {("src/a.cu", 5, "CU101")}
    assert report(outcome)["files"] == [{"path": "src/a.cu", "status": "ok", "reason": None}]
    assert outcome.returncode == 1
    shown = cudalint("-", "--stdin-filename", "src/a.cu", input=text).stdout
    assert "5 |     out[i] = in[i];" in shown


def test_without_a_name_it_has_one_of_its_own(cudalint: Command) -> None:
    outcome = cudalint("-", "--output-format", "concise", input=STRIDED)
    assert outcome.returncode == 1
    assert outcome.stdout.startswith("stdin.cu:4:5: warning CU101")


def test_a_name_alone_is_enough(cudalint: Command) -> None:
    outcome = cudalint("--stdin-filename", "src/a.cu", "--output-format", "concise", input=STRIDED)
    assert outcome.returncode == 1
    assert outcome.stdout.startswith("src/a.cu:4:5: warning CU101")


def test_the_configuration_of_the_name_counts(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "cudalint.toml").write_text('ignore = ["CU101"]\n')
    named = cudalint("-", "--stdin-filename", "sub/a.cu", input=STRIDED)
    assert named.returncode == 0
    assert cudalint("-", "--stdin-filename", "a.cu", input=STRIDED).returncode == 1


def test_suppressions_and_files_beside_it(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "b.cu").write_text(STRIDED)
    text = STRIDED.replace("in[i];", "in[i];  // cudalint: ignore[CU101]")
    outcome = cudalint("-", "b.cu", "--stdin-filename", "a.cu", "--output-format", "json", input=text)
    assert {path for path, _, _ in codes(outcome)} == {"b.cu"}
    assert [file["path"] for file in report(outcome)["files"]] == ["a.cu", "b.cu"]


def test_empty_input_is_clean_and_binary_input_is_lost(cudalint: Command) -> None:
    assert cudalint("-", input="").returncode == 0
    outcome = cudalint("-", input="\0\0")
    assert outcome.returncode == 2
    assert "is binary" in outcome.stdout
    assert outcome.stderr == ""  # told once


def test_a_comment_in_another_encoding_is_no_loss(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "cudalint", "-", "--no-cache", "--output-format", "concise"]
    text = STRIDED.encode() + b"// \xa9\n"  # Latin-1
    done = subprocess.run(command, cwd=tmp_path, input=text, capture_output=True, check=False)
    assert done.returncode == 1 and b" CU101 " in done.stdout and not done.stderr


def test_inspect_reads_it_too(cudalint: Command) -> None:
    outcome = cudalint("inspect", "-", "--stdin-filename", "x.cu", "--output-format", "json", input=STRIDED)
    assert report(outcome)["files"][0]["kernels"][0]["name"] == "spread"


def test_a_diff_of_it_is_printed(cudalint: Command) -> None:
    text = "__global__ void f(float *o) { o[threadIdx.x] *= 0.3; }\nvoid r(float *o) { f<<<1, 64>>>(o); }\n"
    outcome = cudalint(
        "-", "--stdin-filename", "x.cu", "--diff", "--unsafe-fixes", "--min-impact", "0", input=text
    )
    assert "+__global__ void f(float *o) { o[threadIdx.x] *= 0.3f; }" in outcome.stdout
