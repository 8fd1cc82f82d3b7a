"""Workflow commands, as the runner of GitHub Actions reads them."""

import re
from pathlib import Path

from tests.support.command_line import STRIDED, Command

_COMMAND = re.compile(r"::(error|warning|notice) ([^:]*)::(.*)")


def unescaped(text: str) -> str:
    for code, character in (("%2C", ","), ("%3A", ":"), ("%0A", "\n"), ("%0D", "\r"), ("%25", "%")):
        text = text.replace(code, character)
    return text


def test_a_real_run_prints_one_command_a_finding(cudalint: Command, tmp_path: Path) -> None:
    name = "a,b: 100%.cu"
    (tmp_path / name).write_text(STRIDED)
    outcome = cudalint(".", "--output-format", "github")
    assert outcome.returncode == 1
    rows = outcome.stdout.splitlines()
    assert len(rows) == 1
    for row in rows:
        match = _COMMAND.fullmatch(row)
        assert match is not None
        fields = dict(pair.split("=", 1) for pair in match.group(2).split(","))
        assert unescaped(fields["file"]) == name
        assert (fields["line"], fields["endLine"]) == ("4", "4")
        assert int(fields["col"]) <= int(fields["endColumn"])
        assert fields["title"] == "CU101 strided-global-access"
        assert "8 sectors/request (ideal 4)" in unescaped(match.group(3))
        assert "help: " in unescaped(match.group(3)).splitlines()[-1]


def test_a_clean_run_prints_nothing(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("int a;\n")
    outcome = cudalint("a.cu", "--output-format", "github")
    assert (outcome.returncode, outcome.stdout, outcome.stderr) == (0, "", "")
