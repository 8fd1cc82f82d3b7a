"""The run over all fixtures that several tests look at."""

import pytest

from cudalint.engine.engine import Run
from tests.support.fixtures import FILES, lint
from tests.support.narrowed import narrow
from tests.support.once import made_once


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """All fixtures, linted once; no rule sees a fact that it does not ask for."""

    def make() -> Run:
        with pytest.MonkeyPatch.context() as patch:
            narrow(patch)
            return lint(*FILES)

    return made_once(tmp_path_factory, "run", make)
