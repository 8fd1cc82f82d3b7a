"""What several processes that run the tests share: one of them makes it."""

import fcntl
import os
import pickle
from collections.abc import Callable
from typing import TypeVar

import pytest

_T = TypeVar("_T")


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[], _T]) -> _T:
    """What `make` makes; where several processes run the tests, one of them makes it for all."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return make()
    kept = factory.getbasetemp().parent / f"{name}.pickle"
    with open(kept.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.is_file():
            kept.write_bytes(pickle.dumps(make()))
    made: _T = pickle.loads(kept.read_bytes())
    return made
