"""What is said of wrong uses: each names what is wrong and the way out, in one line."""

from pathlib import Path

import pytest

from tests.support.command_line import CLEAN, Command

WRONG = {
    "chekc a.cu": "no file and no command named 'chekc'; did you mean `cudalint check`?",
    "gone": "gone: no such file or directory; check the path",
    "a.cu --select zzz": "--select: no rule named 'zzz'; `cudalint rule --all` lists the codes",
    "a.cu --min-severity fatal": "--min-severity: 'fatal' is not a severity; expected error, warning or note",
    "a.cu --fail-on fatal": "--fail-on: 'fatal' is not a severity; expected error, warning or note",
    "a.cu --arch sm_999": "--arch: 'sm_999' is not an architecture; expected one like sm_90",
    "a.cu --device H900": "--device: no device named 'H900'; did you mean one of 'H200'?",
    "a.cu --device zzz": "--device: no device named 'zzz'; known are, among others, ",
    "a.cu --std c++99": "--std: 'c++99' is not a C++ standard; expected one like c++17",
    "a.cu --assume n>": "assumption 'n>' is not a C expression; expected one like 'n % 32 == 0'",
    "a.cu --output-format sarif:": "--output-format: 'sarif:' names no file; expected sarif, or sarif:FILE",
    "a.cu --baseline no.json": "--baseline no.json: No such file or directory; make it with --write-baseline",
    "a.cu --diff-base HEAD": "name a commit, branch or tag, such as origin/main",
    "a.cu --shard 9/3": "--shard: '9/3' is not a part of a whole; expected one like 3/8",
    "a.cu --profile no.csv": "--profile no.csv: cannot be read: No such file or directory; check the path",
    "a.cu --explain-silence a.cu": "'a.cu' is not FILE:LINE; expected one like src/a.cu:12",
    "a.cu --write-baseline --add-ignores": "--write-baseline and --add-ignores: one at a time",
    "a.cu --fix --show-files": "--fix and --show-files: one at a time",
    "a.cu --stdin-filename b.cu": "nothing is read from standard input; name - as the path",
    "a.cu -p gone": "gone: contains no compile_commands.json; pass the directory that your build",
    "- --fix": "--fix: cannot change standard input; print the changes with --diff",
    "rule": "rule: name a rule, or pass --all",
    "rule CU1": "rules begin with it, CU101 to CU1",
    "rule strided": "did you mean strided-global-access? `cudalint rule --all` lists the codes",
    "rule bank-conflicts": "did you mean bank-conflict? `cudalint rule --all` lists the codes",
    "inspect": "no path given; name files or directories, or - for standard input",
    "inspect a.cu --explain 7": "--explain: '7' is not FILE:LINE; expected one like src/a.cu:12",
    "inspect a.cu --explain a.cu:2": "the nearest is line 4 (out[i])",
    "advise a.cu --output-format xml": "'xml' is not one of text, markdown, json",
    "advise a.cu --html -o": "--html: '-o' is another option; name the file, as in --html report.html",
    "merge a.cu": "merge a.cu: is not what `cudalint check --shard` writes",
    "init": "init: cudalint.toml exists; change it, or remove it first",
}
TOLD = {  # and the run goes on
    "a.cu --diff --unsafe-fixes": "nothing to fix: the diff is empty",
    "a.cu -I gone": "-I gone: no such directory; check the path",
    "a.cu --cache-dir a.cu": "a.cu: cannot be used: Not a directory; pass another --cache-dir",
    "doubles.cu --diff": "1 fix that may change results left out; pass --unsafe-fixes",
}
DOUBLES = CLEAN.replace("in[i];", "in[i] * 0.1;")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.cu").write_text(CLEAN)
    (tmp_path / "doubles.cu").write_text(DOUBLES)
    (tmp_path / "cudalint.toml").write_text("min-impact = 0\n")
    return tmp_path


@pytest.mark.parametrize("words", WRONG)
def test_a_wrong_use_names_the_way_out(cudalint: Command, folder: Path, words: str) -> None:
    done = cudalint(*words.split())
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("cudalint: ") and WRONG[words] in line and len(line) < 250


@pytest.mark.parametrize("words", TOLD)
def test_what_is_odd_is_told_and_the_run_goes_on(cudalint: Command, folder: Path, words: str) -> None:
    done = cudalint(*words.split())
    assert done.returncode < 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("cudalint: ") and line.endswith(TOLD[words])
