"""What every test has: patience with a slow machine, and the command line in a process of its own."""

from functools import partial
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.command_line import Command, forked

# A machine that does something else for a moment makes no test wrong.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


@pytest.fixture
def cudalint(tmp_path: Path) -> Command:
    """Run `cudalint ARGS...` in tmp_path."""
    return partial(forked, cwd=tmp_path)
