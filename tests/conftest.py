"""What every test has: patience with a slow machine, and the command line in a process of its own."""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.command_line import Command, forked

# A machine that does something else for a moment makes no test wrong.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


@pytest.fixture(scope="session", autouse=True)
def surroundings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Processes that tests start keep byte code, as an installed tool has it, outside of the source tree, and
    results of runs only where a test asks for it.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        patch.setenv("CUDALINT_NO_CACHE", "1")
        own = tmp_path_factory.getbasetemp()
        several = "PYTEST_XDIST_WORKER" in os.environ  # that run the tests: they share it
        patch.setenv("PYTHONPYCACHEPREFIX", str((own.parent if several else own) / "bytecode"))
        yield


@pytest.fixture
def cudalint(tmp_path: Path) -> Command:
    """Run `cudalint ARGS...` in tmp_path."""
    return partial(forked, cwd=tmp_path)
