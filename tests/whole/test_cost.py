"""What start-up and a small file cost: the README's limits, in CPU time with all child processes, as shares
of what a fixed piece of work costs in the same minute: machines differ by more than limits allow.

A limit holds when one of several runs is below it: load on the machine makes a run dearer, never cheaper.
"""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cudalint.engine.analysis import Task, analyse, preload
from cudalint.settings.config import Settings
from tools.measure import LINES, YARDSTICK, sample

START_UP, ONE_FILE = 0.25, 2.6  # of the yardstick; measured: .07 for the version, .16 for the help, 1.6
_TOOL = ["-m", "cudalint"]
_HEAVY = ("numpy", "clang", "networkx", "rich", "pycparser", "pathspec")


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """With byte code kept, as an installed tool has it, and without the threads that numpy starts: cudalint
    does not start them, and what they cost in the yardstick depends on what else the machine does.
    """
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    bytecode = str(tmp_path_factory.mktemp("bytecode"))
    return {**kept, "PYTHONPYCACHEPREFIX": bytecode, "OPENBLAS_NUM_THREADS": "1"}


def cpu_seconds(arguments: list[str], environment: dict[str, str], status: int) -> float:
    """CPU seconds of one run of Python and its workers."""
    process = subprocess.Popen(
        [sys.executable, *arguments],
        env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    _, ended, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(ended)
    assert process.returncode == status
    return usage.ru_utime + usage.ru_stime


def share(arguments: list[str], environment: dict[str, str], limit: float, status: int) -> float:
    """The smallest of up to ten runs' shares, each of the cheaper of two yardsticks just before and after it,
    when the caches are full; the first share below the limit ends it.
    """
    cpu_seconds(_TOOL + arguments, environment, status)
    best, before = float("inf"), cpu_seconds(["-c", YARDSTICK], environment, 0)
    for _ in range(10):
        run = cpu_seconds(_TOOL + arguments, environment, status)
        after = cpu_seconds(["-c", YARDSTICK], environment, 0)
        best = min(best, run / min(before, after))
        if best < limit:
            break
        before = after
    return best


@pytest.mark.parametrize(("argument", "unneeded"), [("--version", ("typer",)), ("--help", ("msgspec",))])
def test_the_version_and_the_help_load_nothing_that_linting_needs(argument: str, unneeded: tuple[str, ...]):
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "cudalint", argument],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    loaded = {name.split(".")[0] for name in re.findall(r"\|\s+([\w.]+)$", done.stderr, re.MULTILINE)}
    assert "cudalint" in loaded
    assert loaded.isdisjoint((*_HEAVY, *unneeded))


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_the_version_and_the_help_cost_little(environment: dict[str, str], argument: str):
    assert share([argument], environment, START_UP, 0) < START_UP


def test_a_file_of_300_lines_costs_little(environment: dict[str, str], tmp_path: Path):
    text = sample()
    assert LINES == 300 and text.count("\n") == LINES
    (tmp_path / "sample.cu").write_text(text, encoding="utf-8")
    arguments = ["--isolated", "--no-cache", str(tmp_path / "sample.cu")]
    assert share(arguments, environment, ONE_FILE, 0) < ONE_FILE


def test_a_rule_that_needs_no_kernel_run_costs_a_third_of_all_at_most():
    preload()
    text = sample()  # ten kernels with loops

    def seconds(*codes: str) -> float:
        began = time.process_time()
        result = analyse(Task("sample.cu", Settings(select=codes), text))
        assert result.outcome.status == "ok" and bool(result.findings) is not bool(codes)
        return time.process_time() - began

    seconds("CU601")
    assert min(seconds("CU601") for _ in range(3)) <= min(seconds() for _ in range(3)) / 3


def test_what_a_rule_finds_is_still_told_with_its_impact():
    text = sample().replace(".5f", ".3")
    result = analyse(Task("sample.cu", Settings(select=("CU601",), min_impact=0.0), text))
    assert len(result.findings) == 10 and all(finding.impact is not None for finding in result.findings)
