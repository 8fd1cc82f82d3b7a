"""Whether time grows with the work and memory does not: synthetic files and kernels.

    python -m tools.growth [--files 1000 10000] [--kernels 200 800 1400]

For each number of files a tree of that many small ones, each with other numbers, is linted without a cache,
and for each number of kernels one file with so many. Printed are CPU seconds of all processes, milliseconds
per file or kernel, the resident peak of the main process and of its largest worker, and what was lost. Not a
test: 10,000 files take minutes. Nothing is left behind.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from tools.measure import KERNEL

_POLL = 0.2  # seconds


class Grown(Struct, frozen=True):
    """One run. main, worker: MiB of the resident peak."""

    seconds: float
    main: float
    worker: float
    lost: int  # files that were not analysed whole, and kernels that were not at all


def small(number: int) -> str:
    """A file of 12 lines that no other equals."""
    return (
        f"__global__ void scale{number}(float *out, const float *in, int n)\n{{\n"
        f"    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n)\n"
        f"        out[i] = in[{number % 7 + 1} * i] * {number}.5f;\n}}\n"
        f"void run{number}(float *out, const float *in, int n)\n{{\n"
        f"    scale{number}<<<(n + 255) / 256, 256>>>(out, in, n);\n}}\n"
    )


def _peak(pid: int) -> float:
    """MiB of the resident peak of a process; 0 where it has ended."""
    try:
        rows = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return 0.0
    return next((int(row.split()[1]) / 1024 for row in rows if row.startswith("VmHWM")), 0.0)


def _children(pid: int) -> list[int]:
    try:
        tasks = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    except OSError:
        return []
    return [int(word) for word in tasks.split()]


def grown(fill: Callable[[Path], None]) -> Grown:
    """A run over what `fill` writes into a folder."""
    with tempfile.TemporaryDirectory() as folder:
        fill(Path(folder))
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "cudalint", ".", "--isolated", "--no-cache"]
        before = os.times()
        process = subprocess.Popen([*command, "--output-format", f"json:{report}"], cwd=folder)
        peaks = {"main": 0.0, "worker": 0.0}
        ended = threading.Event()

        def watch() -> None:
            while not ended.wait(_POLL):
                peaks["main"] = max(peaks["main"], _peak(process.pid))
                peaks["worker"] = max([peaks["worker"], *map(_peak, _children(process.pid))])

        watcher = threading.Thread(target=watch)
        watcher.start()
        process.wait()
        ended.set()
        watcher.join()
        after = os.times()
        files = json.loads(report.read_text(encoding="utf-8"))["files"]
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    lost = sum(file["status"] != "ok" for file in files) + sum(len(file.get("lost", ())) for file in files)
    return Grown(seconds, peaks["main"], peaks["worker"], lost)


def _files(count: int) -> Callable[[Path], None]:
    def fill(folder: Path) -> None:
        for number in range(count):
            (folder / f"f{number:05}.cu").write_text(small(number), encoding="ascii")

    return fill


def _kernels(count: int) -> Callable[[Path], None]:
    def fill(folder: Path) -> None:
        text = "".join(KERNEL.format(n=number) for number in range(count))
        (folder / "many.cu").write_text(text, encoding="ascii")

    return fill


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--files", nargs="*", type=int, default=[1000, 10_000])
    parser.add_argument("--kernels", nargs="*", type=int, default=[200, 800, 1400])
    given = parser.parse_args()
    print("| of | CPU seconds | ms each | MiB main | MiB worker | lost |")
    print("|---|---|---|---|---|---|")
    todo = [(f"{count} files", count, _files(count)) for count in given.files]
    todo += [(f"{count} kernels in a file", count, _kernels(count)) for count in given.kernels]
    for name, count, fill in todo:
        run = grown(fill)
        each = 1000 * run.seconds / count
        row = f"| {name} | {run.seconds:.1f} | {each:.1f} | {run.main:.0f} | {run.worker:.0f} | {run.lost} |"
        print(row, flush=True)


if __name__ == "__main__":
    main()
