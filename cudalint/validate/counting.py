"""`validate --counters`: transactions as the model counts them beside those that Nsight Compute counts, for
every line of the pairs.
"""

import csv
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from msgspec import Struct

from cudalint import __version__
from cudalint.errors import UsageError
from cudalint.measured import CountedLine, Record
from cudalint.report.json_report import dump
from cudalint.simt.facts import Access, Certainty
from cudalint.validate import command, gpu, prediction, toolchain
from cudalint.validate.build import CompileError
from cudalint.validate.command import Options, Progress
from cudalint.validate.pairs import Pair, pairs
from cudalint.validate.prediction import VARIANTS
from cudalint.validate.timing import RunError
from cudalint.validate.toolchain import Toolchain

_SECONDS = 300.0
_NEAR = 0.01  # numbers so close are one: warps at an edge make the difference
_SPACES = {"Global": "global", "Shared": "shared"}
_SUM = {"global": "L2 Theoretical Sectors Global", "shared": "L1 Wavefronts Shared"}
_COLUMNS = {"Instructions Executed", "Address Space", "Access Operation", *_SUM.values()}
_OPERATIONS = {"Load": "load", "Store": "store", "Atomic": "atomic", "Reduction": "atomic", "Red": "atomic"}


class Told(Struct, frozen=True):
    """A finished comparison, both ways of printing it. right: nothing that is exact differs. lines: for the
    record of a device.
    """

    text: str
    json: str
    right: bool
    lines: tuple[CountedLine, ...] = ()


class Counted(Struct, frozen=True):
    """What the hardware did on one line, by space and operation: requests, and their transactions."""

    kernel: str
    line: int
    space: str
    operation: str
    requests: float
    transactions: float

    @property
    def per_request(self) -> float:
        return self.transactions / self.requests


class Line(Struct, frozen=True):
    """One line of a pair, as counted and as the model has it; None where the model has no number."""

    code: str
    counted: Counted
    predicted: float | None
    certainty: Certainty

    @property
    def agrees(self) -> bool:
        counted = self.counted.per_request
        return self.predicted is not None and abs(self.predicted - counted) <= _NEAR * counted


def counted(options: Options, progress: Progress) -> Told:
    """Compare all pairs that are asked for. UsageError without ncu, nvcc or a GPU."""
    tools = toolchain.find()
    _ = tools.compiler
    if tools.ncu is None:
        raise UsageError(
            "validate --counters: no ncu on PATH; it is in NVIDIA Nsight Compute, which the CUDA toolkit has"
        )
    gpu.require()
    arch = options.archs[0] if options.archs else gpu.architecture(options.device)
    chosen = pairs(options.rules)
    lines: list[Line] = []
    failures: list[tuple[str, str]] = []
    with tempfile.TemporaryDirectory(prefix="cudalint-") as folder:
        built = _built(tools, chosen, options, arch, Path(folder))
        with gpu.visible(options.device):
            for number, (pair, program) in enumerate(zip(chosen, built, strict=True), 1):
                try:
                    if isinstance(program, CompileError):
                        raise program
                    lines += compared(pair, list(_profile(tools.ncu, program)), arch)
                except (CompileError, RunError) as error:
                    failures.append((pair.code, str(error)))
                progress(number, len(chosen))
    return told(lines, failures)


def _built(
    tools: Toolchain, chosen: tuple[Pair, ...], options: Options, arch: str, folder: Path
) -> list[Path | CompileError]:
    with ThreadPoolExecutor(options.jobs) as pool:
        return list(pool.map(lambda pair: command.built_program(tools, pair, arch, folder), chosen))


def _profile(ncu: Path, program: Path) -> Iterator[Counted]:
    """Both variants under ncu."""
    for variant in VARIANTS:
        report = program.with_suffix(f".{variant}.ncu-rep")
        run = [str(ncu), "--section", "SourceCounters", "-f", "-o", str(report), str(program), variant]
        _output(run)
        page = [str(ncu), "-i", str(report), "--page", "source", "--csv", "--print-source", "cuda,sass"]
        yield from read(_output(page))


def _output(words: list[str]) -> str:
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired as late:
        raise RunError(f"no end within {_SECONDS:.0f} s") from late
    except OSError as error:
        raise RunError(f"{words[0]} cannot be run: {error.strerror or error}") from error
    if done.returncode:
        said = (done.stdout + done.stderr).strip().splitlines()
        raise RunError(said[-1] if said else f"exit status {done.returncode}")
    return done.stdout


def read(text: str) -> Iterator[Counted]:
    """The counts of every line in ncu's source page: rows of the source, and below each its instructions.

    RunError for a page of other columns.
    """
    sums: dict[tuple[str, int, str, str], list[float]] = {}
    kernel, line, head = "", 0, list[str]()
    for row in csv.reader(text.splitlines()):
        if row[:1] == ["Function Name"]:
            kernel = row[1].partition("(")[0]
        elif row[:1] == ["Line No"]:
            head = row
            if missing := _COLUMNS - set(head):
                raise RunError(f"ncu's source page has no column '{min(missing)}'")
        elif head and len(row) == len(head):
            cells = dict(zip(head, row, strict=True))
            if row[0]:
                line = int(row[0])
                continue
            space = _SPACES.get(cells["Address Space"], "")
            operation = _OPERATIONS.get(cells["Access Operation"].partition("(")[0], "")
            if space and operation:
                found = sums.setdefault((kernel, line, space, operation), [0.0, 0.0])
                found[0] += float(cells["Instructions Executed"])
                found[1] += float(cells[_SUM[space]])
    for (name, at, space, operation), (requests, transactions) in sums.items():
        if requests:
            yield Counted(name, at, space, operation, requests, transactions)


def compared(pair: Pair, every: list[Counted], arch: str) -> list[Line]:
    """The lines of a pair beside what the model says of them."""
    seen = prediction.model(pair, arch, demand=False)
    known: dict[tuple[str, int, str, str], list[Access]] = {}
    for facts in seen.kernels.values():
        name = facts.name.partition("<")[0]
        for access in facts.booked:
            key = (name, access.booked.line, access.space, access.operation)
            known.setdefault(key, []).append(access)
    return [
        _line(pair, one, known.get((one.kernel, one.line, one.space, one.operation), [])) for one in every
    ]


def today(record: Record) -> list[Line]:
    """What a record counted beside what the model says now."""
    counted: dict[str, list[Counted]] = {}
    for kept in record.counters:
        one = Counted(kept.kernel, kept.line, kept.space, kept.operation, 1.0, kept.counted)
        counted.setdefault(kept.code, []).append(one)
    arch = f"sm_{record.device.capability}"
    return [line for pair in pairs(tuple(counted)) for line in compared(pair, counted[pair.code], arch)]


def _line(pair: Pair, one: Counted, accesses: list[Access]) -> Line:
    """The mean of a line's accesses, weighed by their requests."""
    numbers = [access.transactions for access in accesses]
    if not numbers or any(n.per_request is None for n in numbers):
        return Line(pair.code, one, None, "unknown")
    total = sum(a.requests * (a.transactions.per_request or 0.0) for a in accesses)
    requests = sum(a.requests for a in accesses)
    exact = all(n.certainty == "exact" for n in numbers)
    return Line(pair.code, one, total / requests if requests else None, "exact" if exact else "bounded")


def told(lines: list[Line], failures: list[tuple[str, str]]) -> Told:
    """The report."""
    exact = [line for line in lines if line.certainty == "exact"]
    same = sum(line.agrees for line in exact)
    rows = [_row(line) for line in lines]
    rows += [f"{code}: {why.splitlines()[0] if why else 'failed'}" for code, why in failures]
    rows.append(
        f"{same} of {len(exact)} exact lines are as counted; {len(lines) - len(exact)} lines are not exact"
    )
    document: dict[str, Any] = {
        "version": 1,
        "tool": {"name": "cudalint", "version": __version__},
        "lines": [
            {
                "code": line.code,
                "kernel": line.counted.kernel,
                "line": line.counted.line,
                "space": line.counted.space,
                "operation": line.counted.operation,
                "requests": line.counted.requests,
                "counted": line.counted.per_request,
                "predicted": line.predicted,
                "certainty": line.certainty,
                "agrees": line.agrees,
            }
            for line in lines
        ],
        "failures": [{"code": code, "why": why} for code, why in failures],
    }
    right = not failures and same == len(exact)
    return Told("\n".join(rows) + "\n", dump(document), right, tuple(_kept(line) for line in lines))


def _kept(line: Line) -> CountedLine:
    """A line as the record keeps it."""
    one = line.counted
    predicted = None if line.predicted is None else round(line.predicted, 3)
    return CountedLine(
        line.code,
        one.kernel,
        one.line,
        one.space,
        one.operation,
        round(one.per_request, 3),
        predicted,
        line.certainty,
    )


def _row(line: Line) -> str:
    one = line.counted
    predicted = "unknown" if line.predicted is None else f"{line.predicted:.2f} ({line.certainty})"
    state = "" if line.certainty != "exact" else ": as counted" if line.agrees else ": NOT SO"
    return (
        f"{line.code} {one.kernel}:{one.line} {one.space} {one.operation}:"
        f" counted {one.per_request:.2f}, predicted {predicted}{state}"
    )
