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
_WORKERS = 2


@pytest.fixture(scope="module")
def cluster() -> Iterator[object]:
    """A cluster on this machine. Its workers are processes with a thread each."""
    with distributed.LocalCluster(
        n_workers=_WORKERS, threads_per_worker=1, processes=True, dashboard_address=None
    ) as made:
        yield made


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    for number in range(14):
        text = (STRIDED, RACE, CLEAN)[number % 3]
        (folder / f"f{number:02}.cu").write_text(f"// {number}\n{text}")
    (folder / "wide.cuh").write_text("#ifndef STEP\n#define STEP 1\n#endif\n" + SHARED)
    (folder / "d.cu").write_text('#define STEP 2\n#include "wide.cuh"\n' + CLEAN)
    (folder / "e.cu").write_text('#include "gone.h"\n' + CLEAN + "\nGONE x;\n")
    return folder


def said(project: Path, folder: Path, *options: str) -> tuple[str, str, str, int]:
    """What a run prints, as text and as JSON, and its status."""
    forms = ("--output-format", f"json:{folder / 'out.json'}", "--output-format", "full")
    done = started(".", *options, *forms, cwd=project)
    return done.stdout, (folder / "out.json").read_text(), done.stderr, done.returncode


@pytest.fixture(scope="module")
def alone(project: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str, str, int]:
    """What one machine says."""
    return said(project, tmp_path_factory.mktemp("alone"), "--no-cache")


def test_it_says_what_one_machine_says(
    cluster, project: Path, alone: tuple[str, str, str, int], tmp_path: Path
) -> None:
    assert alone[3] == 1 and "f00.cu" in alone[0] and "f00.cu" in alone[1]
    assert said(project, tmp_path, "--scheduler", cluster.scheduler_address) == alone


def test_a_worker_that_dies_loses_nothing(cluster, project: Path, alone: tuple[str, str, str, int]) -> None:
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
    assert (out, process.returncode) == (alone[1], 1), err


HASTY = """
import sys
from cudalint.engine import cluster
cluster._REACHED = "1s"
from cudalint.cli import run
run(sys.argv[1:])
"""


def test_what_cannot_be_reached_is_told(project: Path) -> None:
    command = [sys.executable, "-c", HASTY, "check", ".", "--scheduler", "tcp://127.0.0.1:1"]
    wrong = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert wrong.returncode == 2
    assert wrong.stderr.startswith("cudalint: --scheduler tcp://127.0.0.1:1: cannot be reached")
    assert "`dask scheduler` prints its address" in wrong.stderr
    assert started("-", "--scheduler", "tcp://127.0.0.1:1", input="", cwd=project).returncode == 2
