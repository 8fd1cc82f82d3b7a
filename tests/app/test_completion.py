"""Completion as shells ask for it, and the script that they are given."""

import os
import subprocess
import sys
from pathlib import Path


def completed(words: str, place: int, folder: Path) -> list[str]:
    """What bash is offered for the word at a place."""
    environment = {
        **os.environ, "_CUDALINT_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(place),
    }  # fmt: skip
    command = [sys.executable, "-m", "cudalint"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_commands_and_options_are_completed(tmp_path: Path) -> None:
    assert completed("cudalint ch", 1, tmp_path) == ["check"]
    assert {"init", "inspect"} <= set(completed("cudalint in", 1, tmp_path))
    assert completed("cudalint check --base", 2, tmp_path) == ["--baseline"]
    assert completed("cudalint inspect --str", 2, tmp_path) == ["--streams"]


def test_the_script_for_a_shell(tmp_path: Path) -> None:
    environment = {**os.environ, "_CUDALINT_COMPLETE": "source_bash"}
    command = [sys.executable, "-m", "cudalint"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert "complete -o default -F _cudalint_completion cudalint" in done.stdout
