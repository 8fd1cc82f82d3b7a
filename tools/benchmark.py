"""How long cudalint takes beside other tools on the same files, in one run, the tools by turns.

    python -m tools.benchmark PATH... [--files N] [--seed S] [--rounds R] [--write docs/performance.md]

Draws N files below the paths and runs every tool over them all in each round: cudalint with an empty cache
and with a full one, libclang's parse alone, and clang-tidy, cppcheck and nvcc -ptx where they are. Times
are CPU time of all processes; a tool's time is the median of its rounds. Each file is also linted by itself,
for the slowest ones. The page holds ratios only: seconds say more of the machine than of a tool.
"""

import argparse
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median

from msgspec import Struct

from cudalint.frontend.flags import ParseFlags
from cudalint.frontend.includes import SHIM
from cudalint.frontend.parse import ParseError, parse

BEGIN, END = "<!-- performance: written by python -m tools.benchmark -->", "<!-- end of performance -->"
REFERENCE, UNCHANGED = "cudalint, empty cache", "cudalint, nothing changed"
_MEBIBYTE = 1024  # KiB, as the system counts memory of processes
_SLOWEST = 5
_QUANTILES = (0.5, 0.9, 0.99)
# Headers of the toolkit, for which other tools get empty stand-ins where there is none.
_TOOLKIT = re.compile(
    r"(cu|thrust/|cub/|cooperative_groups|nv|mma|device_|vector_|driver_|helper_|math_const)"
)
_ATTRIBUTES = "\n".join(
    f"#define __{name}__ __attribute__(({name}))"
    for name in ("global", "device", "host", "shared", "constant")
)
_CHECKS = "--checks=-*,bugprone-*,performance-*"

Command = Callable[[Sequence[str], Path], list[str]]  # of files, and a folder of the run's own


class Run(Struct, frozen=True):
    """One process and its children: CPU seconds, seconds, and the most memory of one of them in MiB."""

    cpu: float
    wall: float
    memory: float


def measured(command: Sequence[str], folder: Path) -> Run:
    """Run a command to its end, whatever its status."""
    before = os.times()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0
    wall = os.times().elapsed - before.elapsed
    return Run(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / _MEBIBYTE)


def tools(stand_ins: Path) -> dict[str, Command]:
    """The tools by name, those that are not found left out."""
    lint = [sys.executable, "-m", "cudalint", "check", "-j1", "--isolated", "--exit-zero"]
    found: dict[str, Command] = {
        REFERENCE: lambda files, folder: [*lint, "--no-cache", *files],
        UNCHANGED: lambda files, folder: [*lint, "--cache-dir", str(folder), *files],
        "libclang's parse": lambda files, folder: [
            sys.executable,
            "-m",
            "tools.benchmark",
            "--parse",
            *files,
        ],
    }
    host = ["-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-host-only", "-ferror-limit=0", "-std=c++17"]
    host += ["-idirafter", str(stand_ins), "-include", str(stand_ins / "attributes.h")]
    if tidy := shutil.which("clang-tidy"):
        found["clang-tidy"] = lambda files, folder: [tidy, "--quiet", _CHECKS, *files, "--", *host]
    if check := shutil.which("cppcheck"):
        enabled = ["--enable=warning,performance", "--language=c++", "--quiet"]
        found["cppcheck"] = lambda files, folder: [check, *enabled, *files]
    if nvcc := shutil.which("nvcc"):
        found["nvcc -ptx"] = lambda files, folder: ["sh", "-c", _each(nvcc, folder), "sh", *files]
    return found


def _each(nvcc: str, folder: Path) -> str:
    """A command of the shell that compiles one file after the other."""
    return f'for file; do {nvcc} -ptx -w -o {folder}/out.ptx "$file"; done'


def write_stand_ins(folder: Path) -> None:
    """Empty headers of the toolkit, so that the lack of one ends no tool's work early."""
    (folder / "attributes.h").write_text(_ATTRIBUTES + "\n", encoding="ascii")
    for path in Path(SHIM).rglob("*"):
        name = path.relative_to(SHIM).as_posix()
        if path.is_file() and _TOOLKIT.match(name):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).touch()


def rounds(commands: dict[str, Command], files: Sequence[str], count: int) -> dict[str, list[Run]]:
    """Runs of every tool over all files, by turns: each round begins with another tool."""
    done: dict[str, list[Run]] = {name: [] for name in commands}
    with tempfile.TemporaryDirectory(prefix="cudalint-") as made:
        for name, command in commands.items():  # compiled code and the cache are there from here on
            measured(command(files if name == UNCHANGED else files[:1], Path(made)), Path.cwd())
        for number in range(count):
            names = list(commands)
            for name in names[number % len(names) :] + names[: number % len(names)]:
                done[name].append(measured(commands[name](files, Path(made)), Path.cwd()))
                print(f"round {number + 1}: {name}: {done[name][-1].cpu:.1f} s CPU", file=sys.stderr)
    return done


def alone(command: Command, files: Iterable[str]) -> dict[str, float]:
    """CPU time of each file in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="cudalint-") as made:
        return {file: measured(command([file], Path(made)), Path.cwd()).cpu for file in files}


def quantile(values: Iterable[float], part: float) -> float:
    """The smallest value that so much of all are no larger than."""
    known = sorted(values)
    return known[max(0, math.ceil(part * len(known)) - 1)]


def times(value: float, reference: float) -> str:
    """A ratio for the page: two digits."""
    ratio = value / reference
    return f"{ratio:.2f}" if ratio < 1 else f"{ratio:.1f}" if ratio < 10 else f"{ratio:.0f}"


def table(done: dict[str, list[Run]]) -> Iterator[str]:
    """A row a tool: medians of CPU time, time and memory over those of the reference."""
    own = done[REFERENCE]
    yield "| tool | CPU time | time | memory |"
    yield "|---|---:|---:|---:|"
    for name, runs in done.items():
        cells = (
            times(median(getattr(run, what) for run in runs), median(getattr(run, what) for run in own))
            for what in ("cpu", "wall", "memory")
        )
        yield f"| {name} | {' | '.join(cells)} |"


def tail(each: dict[str, float], shown: Callable[[str], str]) -> Iterator[str]:
    """How the time of single files is spread, in times of the median file."""
    middle = quantile(each.values(), _QUANTILES[0])
    slowest = sorted(each, key=lambda file: (-each[file], file))[:_SLOWEST]
    share = sum(each[file] for file in slowest) / sum(each.values())
    spread = ", ".join(f"{part:.0%} of the files at most {times(quantile(each.values(), part), middle)}"
                       for part in _QUANTILES[1:])  # fmt: skip
    yield f"Each file by itself, in times of the median file: {spread}. The {len(slowest)} slowest files take"
    yield (
        f"{share:.0%} of the sum: "
        + ", ".join(f"`{shown(file)}` ({times(each[file], middle)})" for file in slowest)
        + "."
    )


def sources(paths: Iterable[str], files: int, seed: int) -> list[str]:
    """A draw of the files among the paths and below them whose own headers are all there."""
    found: list[str] = []
    for path in map(Path, paths):
        found += [str(path)] if path.is_file() else sorted(map(str, path.rglob("*.cu")))
    random.Random(seed).shuffle(found)
    return [file for file in found[: 4 * files] if not _lacks_header(file)][:files]


def _lacks_header(file: str) -> bool:
    text = Path(file).read_text(encoding="utf-8", errors="replace")
    named = re.findall(r'^\s*#\s*include\s*"([^"]+)"', text, re.MULTILINE)
    return any(not _TOOLKIT.match(name) and not (Path(file).parent / name).exists() for name in named)


def _parse(files: Iterable[str]) -> None:
    for file in files:
        try:
            parse(file, ParseFlags(()))
        except ParseError as error:
            print(error, file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="+", help="files and folders")
    parser.add_argument("--files", type=int, default=60, help="how many are drawn (60)")
    parser.add_argument("--seed", type=int, default=0, help="of the draw (0)")
    parser.add_argument("--rounds", type=int, default=3, help="of every tool (3)")
    parser.add_argument("--write", type=Path, help="the page whose table is replaced")
    parser.add_argument("--parse", action="store_true", help="only parse the files: one of the tools")
    options = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if options.parse:
        _parse(options.paths)
        return
    files = sources(options.paths, options.files, options.seed)
    with tempfile.TemporaryDirectory(prefix="cudalint-") as made:
        write_stand_ins(Path(made))
        known = tools(Path(made))
        done = rounds(known, files, options.rounds)
        each = alone(known[REFERENCE], files)
    top = os.path.commonpath(files)
    text = "\n".join((*table(done), "", *tail(each, lambda file: os.path.relpath(file, top))))
    print(text)
    if options.write is not None:
        before, _, rest = options.write.read_text(encoding="utf-8").partition(BEGIN)
        after = rest.partition(END)[2]
        options.write.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
