"""End to end: the command line is a new interpreter, as a user starts it."""

from functools import partial
from pathlib import Path

import pytest

from tests.support.command_line import Command, started


@pytest.fixture
def cudalint(tmp_path: Path) -> Command:
    """Run `python -m cudalint ARGS...` in tmp_path."""
    return partial(started, cwd=tmp_path)
