"""The README's two commands, and what CI runs."""

import re
import shutil
import subprocess
import sys

import pytest

from tests.checkout import ROOT, bare_environment, copy

README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"```sh\n(.+?)\n```", README, flags=re.DOTALL)


def test_ci_runs_the_second_command():
    assert COMMANDS[1] in (ROOT / ".ci" / "run").read_text()


def test_every_option_that_the_readme_names_exists():
    help_text = "".join(
        subprocess.run(
            [sys.executable, "-m", "cudalint", command, "--help"], capture_output=True, text=True, check=True
        ).stdout
        for command in ("check", "inspect", "rule")
    )
    named = set(re.findall(r"`(--[a-z][a-z-]+)", README))
    assert len(named) > 20
    assert named <= set(re.findall(r"--[a-z][a-z-]+", help_text))


@pytest.mark.slow
def test_the_first_command_installs_and_lints_where_there_is_no_compiler(tmp_path):
    source = copy(tmp_path / "cudalint")
    tools = tmp_path / "tools"
    tools.mkdir()
    for name, target in (("python3", sys.executable), ("sh", shutil.which("sh"))):
        (tools / name).symlink_to(str(target))
    done = subprocess.run(
        [str(tools / "sh"), "-c", COMMANDS[0]],
        cwd=source, env=bare_environment(tools, tmp_path), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr  # the example holds mistakes
    assert "CU301" in done.stdout
