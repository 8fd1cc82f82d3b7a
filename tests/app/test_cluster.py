"""A run on a Dask cluster: a scheduler and several worker processes, one of which is killed on the way."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.test_sharding import RACE, SHARED
from tests.support.command_line import CLEAN, STRIDED, started

distributed = pytest.importorskip("distributed", reason="needs the extra cudalint[dask]")
pytestmark = pytest.mark.slow
_SECONDS = 120
_WORKERS = 3


@pytest.fixture(scope="module")
def cluster() -> Iterator[object]:
    """A cluster on this machine. Its workers are processes with a thread each."""
    with distributed.LocalCluster(
        n_workers=_WORKERS, threads_per_worker=1, processes=True, dashboard_address=None
    ) as made:
        yield made


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for number in range(24):
        text = (STRIDED, RACE, CLEAN)[number % 3]
        (tmp_path / f"f{number:02}.cu").write_text(f"// {number}\n{text}")
    (tmp_path / "wide.cuh").write_text("#ifndef STEP\n#define STEP 1\n#endif\n" + SHARED)
    (tmp_path / "d.cu").write_text('#define STEP 2\n#include "wide.cuh"\n' + CLEAN)
    (tmp_path / "e.cu").write_text('#include "gone.h"\n' + CLEAN + "\nGONE x;\n")
    return tmp_path


@pytest.mark.parametrize("form", ["json", "full"])
def test_it_says_what_one_machine_says(cluster, project: Path, form: str) -> None:
    alone = started(".", "--no-cache", "--output-format", form, cwd=project)
    there = started(".", "--scheduler", cluster.scheduler_address, "--output-format", form, cwd=project)
    assert (there.stdout, there.stderr, there.returncode) == (alone.stdout, alone.stderr, 1)


def test_a_worker_that_dies_loses_nothing(cluster, project: Path) -> None:
    alone = started(".", "--no-cache", "--output-format", "json", cwd=project)
    command = [sys.executable, "-m", "cudalint", ".", "--scheduler", cluster.scheduler_address]
    process = subprocess.Popen(
        [*command, "--output-format", "json"],
        cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    with distributed.Client(cluster, set_as_default=False) as client:
        end = time.monotonic() + _SECONDS
        busy: list[str] = []
        while not busy and time.monotonic() < end:
            busy = [worker for worker, tasks in client.processing().items() if tasks]
            time.sleep(0.02)
        assert busy and process.poll() is None
        before = client.run(os.getpid)
        os.kill(before[busy[0]], signal.SIGKILL)
        out, err = process.communicate(timeout=_SECONDS)
        assert before[busy[0]] not in client.run(os.getpid).values()
    assert (out, process.returncode) == (alone.stdout, 1), err


def test_what_cannot_be_reached_is_told(project: Path) -> None:
    wrong = started(".", "--scheduler", "tcp://127.0.0.1:1", cwd=project)
    assert wrong.returncode == 2
    assert wrong.stderr.startswith("cudalint: --scheduler tcp://127.0.0.1:1: cannot be reached")
    assert "`dask scheduler` prints its address" in wrong.stderr
    assert started("-", "--scheduler", "tcp://127.0.0.1:1", input="", cwd=project).returncode == 2
