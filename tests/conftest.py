"""What every test has: patience with a slow machine, and the command line in a process of its own."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.support.command_line import Command, Outcome

# A machine that does something else for a moment makes no test wrong.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


@pytest.fixture
def cudalint(tmp_path: Path) -> Command:
    """Run `cudalint ARGS...` in tmp_path."""

    def run(*arguments: str, cwd: Path = tmp_path, **options: Any) -> Outcome:
        return subprocess.run(
            [sys.executable, "-m", "cudalint", *arguments],
            cwd=cwd,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
            **options,
        )

    return run
