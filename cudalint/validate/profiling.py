"""Runs programs under Nsight Compute and reads what it counted on each line of their sources."""

import csv
import shlex
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from cudalint.validate.timing import RunError, output

_WHAT = ("--section", "SourceCounters")
_SECONDS = 900.0  # a batch
_PROGRAM_SECONDS = 20  # one of its programs
_SPACES = {"Global": "global", "Shared": "shared"}
_SUM = {"global": "L2 Theoretical Sectors Global", "shared": "L1 Wavefronts Shared"}
_EXECUTED, _LANES = "Instructions Executed", "Thread Instructions Executed"
_LANES_ON = "Predicated-On Thread Instructions Executed"
_COLUMNS = (_EXECUTED, _LANES, _LANES_ON, "Address Space", "Access Operation")
_NEARLY_ALL = 0.99  # of the lanes: a guard that only the edge of the work fails
_OPERATIONS = {"Load": "load", "Store": "store", "Atomic": "atomic", "Reduction": "atomic", "Red": "atomic"}


class Executed(Struct, frozen=True):
    """Counts of one instruction of the machine code. requests: warps that executed it with a lane whose
    predicate held, at least and at most: where many lanes are predicated off, the counters do not tell.
    """

    requests: tuple[float, float]
    transactions: float

    @property
    def per_request(self) -> tuple[float, float]:
        """Least and most."""
        least, most = self.requests
        return self.transactions / most, self.transactions / least


class Counted(Struct, frozen=True):
    """What the hardware did on one line, by space and operation."""

    file: str
    kernel: str
    line: int
    space: str
    operation: str
    instructions: tuple[Executed, ...]

    @property
    def whole(self) -> Executed:
        """The line's instructions together."""
        least = sum(one.requests[0] for one in self.instructions)
        most = sum(one.requests[1] for one in self.instructions)
        return Executed((least, most), sum(one.transactions for one in self.instructions))


class Profile(Struct, frozen=True):
    """What was counted of a batch of programs. begun: how many of them, as a kernel that fails ends ncu.
    failed: what ncu said of the last of these then. ended: the exit status of each that did not end with 0.
    """

    lines: tuple[Counted, ...]
    begun: int
    failed: str
    ended: dict[int, int]


def profile(ncu: Path, programs: list[list[str]], folder: Path) -> Profile:
    """Run the programs (path and words each) one after the other under one ncu, which takes longer to start
    than most of them take. RunError where none was begun.
    """
    script, progress, report = folder / "batch.sh", folder / "progress", folder / "batch.ncu-rep"
    script.write_text("\n".join([*map(_step, range(len(programs)), programs), "exit 0"]) + "\n")
    progress.write_text("")
    report.unlink(missing_ok=True)
    words = ["--target-processes", "all", *_WHAT, "--clock-control", "none"]
    failed = ""
    try:
        output([str(ncu), *words, "-f", "-o", str(report), "sh", str(script), str(progress)], _SECONDS)
    except RunError as error:
        failed = str(error)
    rows = [tuple(map(int, row.split())) for row in progress.read_text().splitlines()]
    begun = max((row[0] + 1 for row in rows), default=0)
    if not begun:
        raise RunError(failed or "ncu started nothing")
    ended = {row[0]: row[1] for row in rows if len(row) > 1 and row[1]}
    try:
        return Profile(_counted(ncu, report), begun, failed, ended)
    except RunError:
        if not failed:
            raise
        return Profile((), begun, failed, ended)  # the kernel that failed was the first


def _step(number: int, program: list[str]) -> str:
    """One line of the script: a program's own words and its status are kept from ncu."""
    run = f"timeout {_PROGRAM_SECONDS} {shlex.join(program)} > /dev/null 2>&1"
    return f'echo {number} >> "$1"; {run}; echo {number} $? >> "$1"'


def _counted(ncu: Path, report: Path) -> tuple[Counted, ...]:
    if not report.is_file():
        return ()
    page = ["--page", "source", "--csv", "--print-source", "cuda,sass"]
    return tuple(read(output([str(ncu), "-i", str(report), *page], _SECONDS)))


def read(text: str) -> Iterator[Counted]:
    """The counts of every line in ncu's source page: rows of the source, and below each its instructions.

    ncu prints the instructions below a line once more for each of its groups; here they count once. A kernel
    that it could not count has fewer columns and is left out. RunError where all have.
    """
    found: dict[tuple[str, str, int, str, str], list[Executed]] = {}
    file, kernel, line, head = "", "", 0, list[str]()
    lost: list[bool] = []
    listed: set[tuple[int, str]] = set()
    for row in csv.reader(text.splitlines()):
        if row[:1] in (["File Path"], ["File Name"]):
            file = row[1]
        elif row[:1] == ["Function Name"]:
            kernel = plain(row[1])
        elif row[:1] == ["Line No"]:
            lost.append(not set(_COLUMNS) <= set(row))
            head = [] if lost[-1] else row
            listed.clear()
        elif head and len(row) == len(head):
            cells = dict(zip(head, row, strict=True))
            if row[0]:
                line = int(row[0])
                continue
            if (line, cells["Address"]) in listed:
                continue
            listed.add((line, cells["Address"]))
            space = _SPACES.get(cells["Address Space"], "")
            operation = _OPERATIONS.get(cells["Access Operation"].partition("(")[0], "")
            if space and operation and (one := _instruction(cells, _SUM[space])):
                found.setdefault((file, kernel, line, space, operation), []).append(one)
    if lost and all(lost):
        raise RunError(f"ncu's source page has not all of the columns {', '.join(_COLUMNS)}")
    for key, instructions in found.items():
        yield Counted(*key, tuple(instructions))


def _instruction(cells: dict[str, str], column: str) -> Executed | None:
    """A row's counts; None for an instruction that no lane executed."""
    if column not in cells:
        raise RunError(f"ncu's source page has no column '{column}'")
    most, lanes, on = (float(cells[name]) for name in (_EXECUTED, _LANES, _LANES_ON))
    if not on:
        return None
    least = most if on > _NEARLY_ALL * lanes else max(1.0, on / 32)
    return Executed((least, most), float(cells[column]))


def plain(name: str) -> str:
    """A function's name without its result, namespaces, template arguments and parameters."""
    depth, kept = 0, ""
    for sign in name.replace("(anonymous namespace)::", ""):
        if sign == "(" and not depth:
            break
        depth += (sign == "<") - (sign == ">")
        kept += sign if not depth and sign != ">" else ""
    return kept.split()[-1].rpartition("::")[2] if kept.split() else ""
