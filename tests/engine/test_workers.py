"""Workers: one file that crashes, hangs or eats memory takes nothing else with it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cudalint.engine.workers import Limits, Pool
from tests.support.checkout import ROOT

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the work below is defined in this file")


def work(item: str) -> str:
    match item:
        case "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        case "exit":
            os._exit(3)
        case "hang":
            time.sleep(600)
        case "spin":
            while True:
                pass
        case "wait":
            time.sleep(1.0)
        case "eat":
            hoard = []
            while True:
                hoard.append(bytearray(b"x" * (8 << 20)))
                time.sleep(0.001)
        case "raise":
            raise ValueError("inside")
    return item.upper()


def run(items: list[str], jobs: int = 2, seconds: float = 30.0, mebibytes: int = 300) -> list[str]:
    pool = Pool(work, lambda item, reason: f"{item}: {reason}", lambda _: Limits(seconds, mebibytes), jobs)
    return pool.run(items)


def test_results_come_in_order() -> None:
    items = [f"i{n}" for n in range(50)]
    assert run(items) == [item.upper() for item in items]


def test_nothing_to_do() -> None:
    assert run([]) == []


@pytest.mark.parametrize(
    ("item", "said"),
    [("crash", "SIGSEGV"), ("kill", "SIGKILL"), ("exit", "exit status 3"), ("raise", "ValueError: inside")],
)
def test_a_lost_worker_costs_one_item(item: str, said: str) -> None:
    results = run(["a", item, "b", "c", item, "d"])
    assert [results[n] for n in (0, 2, 3, 5)] == ["A", "B", "C", "D"]
    assert said in results[1]
    assert said in results[4]


def test_an_endless_item_hits_the_time_limit() -> None:
    begin = time.monotonic()
    results = run(["a", "hang", "b"], seconds=0.5)
    assert results[0::2] == ["A", "B"]
    assert "exceeded 0.5 s" in results[1]
    assert time.monotonic() - begin < 10


def test_an_item_that_only_waits_for_the_machine_is_not_lost() -> None:
    assert run(["wait", "a"], seconds=0.5) == ["WAIT", "A"]
    assert "exceeded 0.5 s" in run(["spin"], seconds=0.5)[0]


def test_a_hungry_item_hits_the_memory_limit() -> None:
    results = run(["eat", "a", "b"], mebibytes=200)
    assert "more than 200 MiB" in results[0]
    assert results[1:] == ["A", "B"]


def test_one_job_does_everything() -> None:
    assert run(["a", "crash", "b"], jobs=1)[0::2] == ["A", "B"]


def test_progress_is_told_for_each() -> None:
    seen: list[int] = []
    pool = Pool(work, lambda item, reason: reason, lambda _: Limits(30, 300), 2)
    pool.run(["a", "crash", "b"], lambda: seen.append(1))
    assert len(seen) == 3


def _children(parent: int) -> set[int]:
    """The living children of a process."""
    found = set()
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == parent and fields[0] != "Z":
                found.add(int(folder.name))
    return found


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_workers_do_not_outlive_a_killed_parent() -> None:
    code = "from tests.engine.test_workers import run; run(['hang', 'spin', 'more'])"
    parent = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT)
    try:
        deadline = time.monotonic() + 30
        while len(workers := _children(parent.pid)) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.5)  # both are in work
    finally:
        parent.kill()
        parent.wait()
    assert len(workers) == 2
    deadline = time.monotonic() + 30
    while any(_alive(pid) for pid in workers) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(_alive(pid) for pid in workers)


def _process(_: int) -> int:
    time.sleep(0.2)
    return os.getpid()


def test_what_belongs_together_goes_to_one_process() -> None:
    """Two pairs and two of no kind: each pair has a process of its own."""
    kin = {0: "a", 1: "b", 2: "a", 3: "b", 4: None, 5: None}
    pool = Pool(_process, lambda _, reason: 0, lambda _: Limits(30, 2000), 2, kin=kin.get)
    used = pool.run(list(kin))
    assert used[0] == used[2] != used[1] == used[3]
    assert {used[4], used[5]} <= {used[0], used[1]}


def test_many_of_a_kind_are_shared() -> None:
    pool = Pool(_process, lambda _, reason: 0, lambda _: Limits(30, 2000), 2, kin=lambda _: "one")
    assert len(set(pool.run(list(range(12))))) == 2
