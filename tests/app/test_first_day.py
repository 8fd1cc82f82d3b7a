"""What a new user stumbled over: excludes under hooks, files that do not parse, Ctrl-C, silent options."""

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cudalint.app.found_paths import Found, rows
from tests.support.command_line import CLEAN, STRIDED, Command, codes


def test_excludes_hold_for_named_files_where_asked(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "third_party").mkdir()
    (tmp_path / "third_party" / "a.cu").write_text(STRIDED)
    (tmp_path / "cudalint.toml").write_text('exclude = ["third_party/"]\n')
    assert cudalint("third_party/a.cu").returncode == 1
    hooked = cudalint("third_party/a.cu", "--force-exclude")
    assert (hooked.returncode, hooked.stdout) == (0, "0 files: no findings\n")
    (tmp_path / "cudalint.toml").write_text('exclude = ["third_party/"]\nforce-exclude = true\n')
    assert cudalint("third_party/a.cu").returncode == 0


@pytest.mark.parametrize(
    "text", ["hello, this is no code\n{{{\n", "__global__ void f(float *o) { o[0] = ; }\n"]
)
def test_what_does_not_parse_never_passes(cudalint: Command, tmp_path: Path, text: str) -> None:
    (tmp_path / "a.cu").write_text(text)
    outcome = cudalint("a.cu", "--output-format", "concise")
    assert outcome.returncode == 2
    assert outcome.stdout.startswith("a.cu:1:") and outcome.stdout.count("CU002") == 1
    assert outcome.stderr == ""  # told once
    aside = cudalint("a.cu", "--output-format", "json")
    assert (aside.returncode, "a.cu:1: not analysed: " in aside.stderr) == (2, True)


def test_a_path_that_does_not_exist_is_not_called_clean(cudalint: Command) -> None:
    outcome = cudalint("gone.cu")
    assert (outcome.returncode, outcome.stdout) == (2, "1 file: 1 not analysed\n")


def test_the_beginning_of_codes_silences_them(cudalint: Command, tmp_path: Path) -> None:
    line = "    out[i] = in[i];"
    (tmp_path / "a.cu").write_text(
        STRIDED.replace(line, f"{line}  // cudalint: ignore[CU1] the layout is given")
    )
    assert cudalint("a.cu").returncode == 0
    (tmp_path / "a.cu").write_text(CLEAN.replace(line, f"{line}  // cudalint: ignore[CU4]"))
    assert [code for *_, code in codes(cudalint("a.cu", "--output-format", "json"))] == ["CU003"]


def test_a_wrong_code_is_named_where_it_stands(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(CLEAN)
    (tmp_path / "cudalint.toml").write_text('arch = "sm_90"\nextend-select = ["CU199"]\n')
    outcome = cudalint("a.cu", "--ignore", "nonsense")
    assert outcome.returncode == 2
    first, second = outcome.stderr.splitlines()
    assert first.startswith("cudalint: cudalint.toml:2: key 'extend-select': no rule named 'CU199'; ")
    assert second.startswith("cudalint: --ignore: no rule named 'nonsense'; ")


def test_an_assumption_that_says_nothing_or_the_opposite_is_told(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(STRIDED)
    outcome = cudalint("a.cu", "--assume", "foo == 3", "--assume", "blockDim.x == 64", "--exit-zero")
    assert outcome.returncode == 0
    assert outcome.stderr.splitlines() == [
        "cudalint: --assume 'foo == 3': nothing in the files is named 'foo'; check the spelling",
        "cudalint: assumption 'blockDim.x == 64' contradicts the launch at a.cu:12, whose blockDim.x is 256; "
        "it is used all the same",
    ]


def test_a_fix_that_changes_results_has_to_be_asked_for(cudalint: Command, tmp_path: Path) -> None:
    kernel = "__global__ void k(float *a) {{ a[threadIdx.x] = {} * a[threadIdx.x] + {} * a[0] + {}; }}\n"
    (tmp_path / "cudalint.toml").write_text("min-impact = 0\n")
    (tmp_path / "a.cu").write_text(kernel.format("0.5", "3.1", "1.0f / sqrtf(a[1])"))
    cudalint("a.cu", "--fix")
    assert (tmp_path / "a.cu").read_text() == kernel.format("0.5f", "3.1", "1.0f / sqrtf(a[1])")
    cudalint("a.cu", "--fix", "--unsafe-fixes")
    assert (tmp_path / "a.cu").read_text() == kernel.format("0.5f", "3.1f", "rsqrtf(a[1])")


def test_a_diff_goes_where_it_is_sent(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(CLEAN.replace("in[i];", "in[i] * 0.1;"))
    options = ("--diff", "--unsafe-fixes", "--min-impact", "0")
    outcome = cudalint("a.cu", *options, "-o", "changes.diff")
    assert (outcome.stdout, outcome.returncode) == ("", cudalint("a.cu", *options).returncode)
    assert "0.1f" in (tmp_path / "changes.diff").read_text()


def test_a_line_is_explained_without_its_path_twice(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(STRIDED)
    alone = cudalint("inspect", "--explain", "a.cu:4")
    assert (alone.returncode, alone.stdout) == (0, cudalint("inspect", "a.cu", "--explain", "a.cu:4").stdout)


def test_several_rules_are_explained_at_once(cudalint: Command) -> None:
    text = cudalint("rule", "CU101", "bank-conflict").stdout
    assert text.startswith("CU101 ") and "\nCU201 bank-conflict\n" in text
    wrong = cudalint("rule", "CU101", "CU199")
    assert (wrong.returncode, "no rule named 'CU199'" in wrong.stderr) == (2, True)


def test_the_root_help_leads_to_the_options_of_check(cudalint: Command) -> None:
    assert "`cudalint check --help`" in " ".join(cudalint("--help").stdout.split())


def test_colours_where_they_are_forced(
    cudalint: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.cu").write_text(STRIDED)
    plain = cudalint("a.cu").stdout
    assert "\x1b" not in plain and "high confidence" in plain
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[1;33mwarning" in cudalint("a.cu").stdout


def test_ctrl_c_gives_the_terminal_back(tmp_path: Path) -> None:
    for number in range(40):
        (tmp_path / f"f{number}.cu").write_text(CLEAN)
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "cudalint", ".", "-j", "1"],
        cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=theirs, env={**os.environ, "TERM": "xterm"},
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:
            break
        if b"/40" in piece and b"/40" not in shown:
            process.send_signal(signal.SIGINT)
        shown += piece
        if not piece:
            break
    os.close(ours)
    assert process.wait(30) == 130
    assert b"\x1b[?25h" in shown  # the cursor is back
    assert shown.endswith(b"cudalint: interrupted\r\n")


def test_what_many_places_say_alike_is_one_line() -> None:
    said = [Found("include-paths", ("Common",), f"{name}/CMakeLists.txt:20") for name in "abc"]
    assert rows([*said, Found("defines", ("X=1",), "Makefile:2")]) == [
        '# include-paths = ["Common"]  # a/CMakeLists.txt:20 and 2 more places',
        '# defines = ["X=1"]  # Makefile:2',
    ]
