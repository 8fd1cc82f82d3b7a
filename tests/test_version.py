"""What start-up and a small file cost: the README's two limits, in CPU seconds with all child processes.

A limit holds when one of several runs is below it: load on the machine makes a run dearer, never cheaper.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.measure import LINES, sample

START_UP, ONE_FILE = 0.2, 0.6
_HEAVY = ("numpy", "clang", "typer", "networkx", "rich", "pycparser")


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """With byte code kept, as an installed tool has it."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(tmp_path_factory.mktemp("bytecode"))}


def cpu_seconds(arguments: list[str], environment: dict[str, str], status: int) -> float:
    """CPU seconds of one run and its workers."""
    process = subprocess.Popen(
        [sys.executable, "-m", "cudalint", *arguments],
        env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    _, ended, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(ended)
    assert process.returncode == status
    return usage.ru_utime + usage.ru_stime


def cheapest(arguments: list[str], environment: dict[str, str], limit: float, status: int) -> float:
    """The cheapest of up to ten runs after one that fills the caches; the first below the limit ends it."""
    cpu_seconds(arguments, environment, status)
    best = float("inf")
    for _ in range(10):
        best = min(best, cpu_seconds(arguments, environment, status))
        if best < limit:
            break
    return best


def test_the_version_is_told_without_loading_what_linting_needs():
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "cudalint", "--version"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    loaded = {name.split(".")[0] for name in re.findall(r"\|\s+([\w.]+)$", done.stderr, re.MULTILINE)}
    assert "cudalint" in loaded
    assert loaded.isdisjoint(_HEAVY)


def test_the_version_costs_little(environment: dict[str, str]):
    assert cheapest(["--version"], environment, START_UP, 0) < START_UP


def test_a_file_of_300_lines_costs_little(environment: dict[str, str], tmp_path: Path):
    text = sample()
    assert LINES == 300 and text.count("\n") == LINES
    (tmp_path / "sample.cu").write_text(text, encoding="utf-8")
    arguments = ["--isolated", str(tmp_path / "sample.cu")]
    assert cheapest(arguments, environment, ONE_FILE, 1) < ONE_FILE
