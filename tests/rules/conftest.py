"""The run over all fixtures that several tests look at."""

import pytest

from cudalint.engine.engine import Run
from tests.support.fixtures import FILES, lint, made_once


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """All fixtures, linted once."""
    return made_once(tmp_path_factory, "run", lambda: lint(*FILES))
