"""Adopting cudalint in an old code base: known findings, changed lines, ignores, severities, a first file."""

import json
import os
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

from cudalint import __version__
from cudalint.engine.ignores import with_ignore
from cudalint.errors import UsageError
from cudalint.settings import config
from tests.support.command_line import CLEAN, STRIDED, Command, codes

LINE = "    out[i] = in[i];"
RACE = """\
__global__ void mirror(float *out, const float *in)
{
    __shared__ float tile[256];
    tile[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = tile[255 - threadIdx.x];
}
void run(float *out, const float *in) { mirror<<<4096, 256>>>(out, in); }
"""
SECOND = STRIDED.replace("spread", "spread_again").replace("main", "other")


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=tester", "-c", "user.email=tester@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def test_a_baseline_hides_what_was_there_and_shows_what_is_new(cudalint: Command, tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_text(STRIDED)
    assert cudalint(".", "--baseline", "old.json").returncode == 2  # it says how to make it
    made = cudalint(".", "--baseline", "old.json", "--write-baseline")
    hint = "to hide them: --baseline old.json, or `baseline` in cudalint.toml"
    assert (made.returncode, made.stderr) == (0, f"cudalint: old.json: 1 finding written; {hint}\n")
    hidden = cudalint(".", "--baseline", "old.json")
    assert (hidden.returncode, hidden.stdout) == (0, "1 file: no findings; 1 hidden\n")
    fixed = cudalint(".", "--baseline", "old.json", "--fix")
    assert (fixed.returncode, fixed.stdout) == (0, "1 file: no findings; 1 hidden\n")
    diff = cudalint(".", "--baseline", "old.json", "--diff")
    assert diff.stderr == "cudalint: nothing to fix: the diff is empty; 1 hidden\n"
    file.write_text("// a comment\n\n" + STRIDED.replace(LINE, "      out[i]  = in[i];"))
    assert cudalint("a.cu", "--baseline", "old.json").returncode == 0  # lines moved, blanks changed
    file.write_text(STRIDED + SECOND)
    new = cudalint(".", "--baseline", "old.json", "--output-format", "json")
    assert (new.returncode, codes(new)) == (1, [("a.cu", 19, "CU101")])
    file.write_text(STRIDED.replace(LINE, "    out[i] = in[i] + 1.0f;"))
    assert cudalint(".", "--baseline", "old.json").returncode == 1
    (tmp_path / "cudalint.toml").write_text('baseline = "old.json"\n')
    file.write_text(STRIDED)
    (tmp_path / "sub").mkdir()
    assert cudalint("../a.cu", cwd=tmp_path / "sub").returncode == 0  # from any folder
    assert cudalint(".", "--write-baseline").stderr == "cudalint: old.json: 1 finding written\n"
    (tmp_path / "old.json").write_text("[]")
    assert "is no baseline; make it with --write-baseline" in cudalint(".").stderr


def test_only_what_touches_changed_lines(cudalint: Command, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "a.cu").write_text(STRIDED)
    git(tmp_path, "add", "a.cu")
    git(tmp_path, "commit", "-qm", "first")
    assert cudalint(".", "--diff-base", "HEAD").returncode == 0
    (tmp_path / "a.cu").write_text(STRIDED + SECOND)
    (tmp_path / "new file.cu").write_text(STRIDED)
    found = cudalint(".", "--diff-base", "HEAD", "--output-format", "json")
    assert codes(found) == [("a.cu", 19, "CU101"), ("new file.cu", 4, "CU101")]
    wrong = cudalint(".", "--diff-base", "nowhere")
    assert (wrong.returncode, "--diff-base nowhere: " in wrong.stderr) == (2, True)
    assert "name a commit" in cudalint(".", "--diff-base", "--output=x").stderr
    assert not (tmp_path / "x").exists()


def test_rules_by_file_and_severities_by_rule(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    for path in ("a.cu", "tests/b.cu"):
        (tmp_path / path).write_text(STRIDED)
    (tmp_path / "cudalint.toml").write_text(
        '[per-file-ignores]\n"tests/**" = ["CU1"]\n'
        '[severity]\nCU1 = "note"\nstrided-global-access = "error"\n'
    )
    outcome = cudalint(".", "--output-format", "concise")
    assert outcome.returncode == 1
    assert outcome.stdout.startswith("a.cu:4:5: error CU101") and outcome.stdout.count("\n") == 1
    (tmp_path / "cudalint.toml").write_text('[severity]\nCU1 = "note"\nCU199 = "error"\n')
    outcome = cudalint("a.cu")
    assert outcome.returncode == 2
    assert "cudalint.toml:1: key 'severity': no rule named 'CU199'" in outcome.stderr


def test_only_what_is_grave_enough_is_reported(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "race.cu").write_text(RACE)
    (tmp_path / "strided.cu").write_text(STRIDED)
    grave = cudalint(".", "--min-severity", "error", "--output-format", "json")
    assert (grave.returncode, [code for _, _, code in codes(grave)]) == (1, ["CU301"])
    assert cudalint("strided.cu", "--min-severity", "error").returncode == 0
    (tmp_path / "cudalint.toml").write_text('min-severity = "error"\nseverity = {CU101 = "error"}\n')
    own = cudalint("strided.cu", "--output-format", "json")
    assert (own.returncode, [code for _, _, code in codes(own)]) == (1, ["CU101"])  # the rule's own level


def test_ignores_are_added_with_codes(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(STRIDED)
    done = cudalint(".", "--add-ignores")
    assert (done.returncode, done.stderr) == (0, "cudalint: 1 line changed\n")
    assert (tmp_path / "a.cu").read_text() == STRIDED.replace(LINE, f"{LINE}  // cudalint: ignore[CU101]")
    assert cudalint(".").returncode == 0


def test_an_ignore_never_changes_the_program() -> None:
    assert with_ignore("a;\r\nb;\r\n", 2, {"CU2", "CU1"}) == "a;\r\nb;  // cudalint: ignore[CU1, CU2]\r\n"
    known = "b; // cudalint: ignore[CU101] why\n"
    assert with_ignore(known, 1, {"CU201"}) == "b; // cudalint: ignore[CU101, CU201] why\n"
    assert with_ignore("#define A \\\n  b\n", 1, {"CU101"}) is None
    assert with_ignore('auto s = R"(\nx\n)";\n', 2, {"CU101"}) is None
    assert with_ignore("/* long\n comment */ b;\n", 2, {"CU101"}) is not None


def test_files_and_settings_are_shown(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.cu").write_text(CLEAN)
    (tmp_path / "sub" / "b.cu").write_text(CLEAN)
    (tmp_path / "sub" / "cudalint.toml").write_text(
        'arch = ["sm_75", "sm_90"]\nmin-impact = 10\n[severity]\nCU1 = "note"\n'
    )
    assert cudalint(".", "--show-files").stdout == "a.cu\nsub/b.cu\n"
    first, second = cudalint(".", "--show-settings").stdout.split("\n\n")
    assert first.startswith("# a.cu\n# from: no configuration file\n")
    assert "# sub/b.cu\n# from: sub/cudalint.toml\n" in second
    assert 'arch = ["sm_75", "sm_90"]\n' in second and "\n# default: exclude = []\n" in second
    again = tomllib.loads(second)
    assert (again["min-impact"], again["severity"]) == (10, {"CU1": "note"})


def test_found_folders_are_shown_and_written(cudalint: Command, tmp_path: Path) -> None:
    for name in ("inc", "src", "deep/own"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "deep" / "own" / "there.h").write_text("")
    (tmp_path / "CMakeLists.txt").write_text(
        "project(p)\ninclude_directories(inc)\nadd_definitions(-DWIDE)\n"
    )
    (tmp_path / "src" / "a.cu").write_text(f'#include "own/there.h"\n{CLEAN}')
    told = [
        'include-paths = ["inc"]  # CMakeLists.txt:2\n',
        'defines = ["WIDE"]  # CMakeLists.txt:3\n',
        'include-paths = ["deep"]  # headers of the tree\n',
    ]
    shown = cudalint(".", "--show-settings").stdout
    assert all(f"# found: {row}" in shown for row in told)
    cudalint("init", ".")
    written = (tmp_path / "cudalint.toml").read_text()
    assert all(f"\n# {row}" in written for row in told)


def test_a_first_configuration(cudalint: Command, tmp_path: Path) -> None:
    for folder in ("src", "third_party", "build"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.cu").write_text(STRIDED)
    command = {
        "directory": str(tmp_path), "file": "src/a.cu",
        "command": "nvcc -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 -c src/a.cu",
    }  # fmt: skip
    (tmp_path / "build" / "compile_commands.json").write_text(json.dumps([command]))
    done = cudalint("init")
    assert done.returncode == 0, done.stderr
    assert '\n# arch = ["sm_80", "sm_90"]\n' in (tmp_path / "cudalint.toml").read_text()
    settings = config.for_path(str(tmp_path / "src" / "a.cu"))
    assert (settings.arch, settings.exclude) == ("sm_90", ("third_party/",))
    assert settings.compile_commands == str(tmp_path / "build")
    assert cudalint("src").returncode == 1
    assert '\n# baseline = "cudalint-baseline.json"\n' in (tmp_path / "cudalint.toml").read_text()
    again = cudalint("init")
    assert (again.returncode, "cudalint.toml exists" in again.stderr) == (2, True)


def test_an_architecture_that_makefiles_name(cudalint: Command, tmp_path: Path) -> None:
    for name, arch in (("a", "sm_70"), ("b", "sm_70"), ("c", "sm_90")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "main.cu").write_text(CLEAN)
        (tmp_path / name / "Makefile").write_text(f"ARCH = {arch}\nCFLAGS := -arch=$(ARCH)\n")
    cudalint("init")
    text = (tmp_path / "cudalint.toml").read_text()
    assert '# Makefiles name sm_70 (2 files), sm_90 (1 file).\narch = "sm_70"\n' in text


def test_an_architecture_of_long_ago_is_not_taken(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "main.cu").write_text(CLEAN)
    makefile = tmp_path / "Makefile"
    for named, told, chosen in (
        ("-arch=sm_20", "sm_20 (1 file), which CUDA 12 no longer compiles for", "sm_90"),
        ("-arch=sm_20 # sm_80", "sm_20 (1 file), sm_80 (1 file)", "sm_80"),
    ):
        makefile.write_text(f"CFLAGS := $(OTHER) {named}\n")
        assert cudalint("init").returncode == 0
        written = tmp_path / "cudalint.toml"
        assert f'# Makefiles name {told}.\narch = "{chosen}"\n' in written.read_text()
        written.unlink()


def test_the_version_can_be_required(tmp_path: Path) -> None:
    assert config.required(f">=0.0.1, <{__version__}.1", "here").startswith(">=")
    assert config.required(__version__, "here") == __version__
    for words in (">=99", "1.2.3", "new"):
        with pytest.raises(UsageError, match=r"^here: "):
            config.required(words, "here")


def test_a_change_is_linted_at_once(tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_text(CLEAN)
    with (tmp_path / "out").open("w+") as out, (tmp_path / "err").open("w+") as err:
        command = [sys.executable, "-m", "cudalint", ".", "--watch", "--output-format", "concise"]
        process = subprocess.Popen(command, cwd=tmp_path, stdout=out, stderr=err)

        def wait(path: str, text: str) -> None:
            end = time.monotonic() + 60
            while text not in (tmp_path / path).read_text() and time.monotonic() < end:
                time.sleep(0.05)

        wait("err", "watching 1 files; Ctrl-C ends")
        file.write_text(STRIDED)
        wait("out", "a.cu:4:5: warning CU101")
        os.kill(process.pid, signal.SIGINT)
        assert process.wait(30) == 130
    assert "CU101" in (tmp_path / "out").read_text()
    assert (tmp_path / "err").read_text().endswith("cudalint: interrupted\n")
