"""Help fits a screen, and every option is documented."""

import re

import pytest

from cudalint.cli.program import app
from tests.support.checkout import ROOT
from tests.support.command_line import Command

COMMANDS = [getattr(command.callback, "__name__", "") for command in app.registered_commands]
REFERENCE = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_a_screen_and_its_options_are_documented(cudalint: Command, name: str) -> None:
    text = cudalint(name, "--help").stdout
    rows = text.splitlines()
    assert max(map(len, rows)) <= 80
    assert len(rows) <= (55 if name == "check" else 40)
    section = REFERENCE.split(f"### cudalint {name}\n")[1].split("\n### ")[0]
    for option in set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text)) - {"--help"}:
        assert f"`{option}" in section or f" {option}" in section
