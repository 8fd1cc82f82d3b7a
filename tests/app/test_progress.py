"""A bar on a terminal, for several files; nothing in a pipe."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command_line import CLEAN, Command

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a pseudo terminal")


def on_terminal(folder: Path, *arguments: str) -> tuple[bytes, bytes]:
    """Standard output, and what a terminal got on standard error."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(
        [sys.executable, "-m", "cudalint", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=environment,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    output, _ = process.communicate(timeout=60)
    return output, shown


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for number in range(4):
        (tmp_path / f"f{number}.cu").write_text(CLEAN)
    return tmp_path


def test_a_tree_on_a_terminal_shows_a_bar_and_takes_it_away(tree: Path) -> None:
    output, shown = on_terminal(tree, ".")
    assert b"linting" in shown
    assert b"4/4" in shown
    assert b"\x1b[2K" in shown.rsplit(b"4/4", 1)[1]  # erased
    assert b"linting" not in output


def test_one_file_shows_none(tree: Path) -> None:
    assert on_terminal(tree, "f0.cu")[1] == b""


def test_a_pipe_shows_none(cudalint: Command, tree: Path) -> None:
    outcome = cudalint(".")
    assert outcome.stderr == ""
    assert "\x1b" not in outcome.stdout
