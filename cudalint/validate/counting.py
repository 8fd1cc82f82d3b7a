"""`validate --counters`: transactions as the model counts them beside those that Nsight Compute counts, for
every line of the pairs, and in a checkout of all fixtures that launch something.
"""

import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from msgspec import Struct

from cudalint import __version__
from cudalint.cuda.spaces import Certainty
from cudalint.errors import UsageError
from cudalint.report.json_report import dump
from cudalint.rule import registry
from cudalint.rule.measured import CountedLine, Record
from cudalint.simt.facts.accesses.access import Access
from cudalint.source.text import shown
from cudalint.validate import driver, gpu, pairs, prediction, profiling, toolchain
from cudalint.validate.build import CompileError
from cudalint.validate.command import Options, Progress
from cudalint.validate.prediction import VARIANTS
from cudalint.validate.profiling import Counted, Executed
from cudalint.validate.toolchain import Toolchain

_NEAR = 0.01  # numbers so close are one: warps at an edge make the difference
_BATCH = 32  # runs of programs under one ncu
_SIZE = "1024"  # for a `main` that reads one from its arguments
_APART = "run"  # the group of fixtures that are not about a GPU: some are made to end the frontend


class Comparison(Struct, frozen=True):
    """A finished comparison, both ways of printing it. right: nothing that is exact differs. lines: of the
    pairs, for the record of a device.
    """

    text: str
    json: str
    right: bool
    lines: tuple[CountedLine, ...] = ()


class Subject(Struct, frozen=True):
    """A fixture to count. code: its rule's, '' for the guides' examples; file: below the fixtures."""

    code: str
    file: str

    @property
    def path(self) -> Path:
        return pairs.folder() / self.file

    @property
    def is_pair(self) -> bool:
        return self.path.name == pairs.FILE


class Line(Struct, frozen=True):
    """One line of a fixture, as counted and as the model has it. predicted: transactions a request, of its
    accesses together; None where the model has no number. each: of every access of the line.
    """

    subject: Subject
    counted: Counted
    predicted: float | None
    each: tuple[float, ...]
    others: tuple[float, ...]
    certainty: Certainty

    @property
    def agrees(self) -> bool:
        """The whole line is as predicted, or each of its instructions is as one of its accesses: which of
        them ran how often may hang on data. Beside all of the line's own there may be some of other lines:
        the compiler moves what does not change out of loops.
        """
        if self.predicted is None:
            return False
        if _within(self.predicted, self.counted.whole):
            return True
        found = self.counted.instructions
        moved = self.others if all(_any(found, number) for number in self.each) else ()
        return all(any(_within(number, one) for number in (*self.each, *moved)) for one in found)

    @property
    def right(self) -> bool:
        return self.agrees or self.certainty != "exact"


def _any(found: tuple[Executed, ...], number: float) -> bool:
    return any(_within(number, one) for one in found)


def _within(predicted: float, counted: Executed) -> bool:
    least, most = counted.per_request
    return least * (1 - _NEAR) <= predicted <= most * (1 + _NEAR)


Step = tuple[Subject, list[str]]  # a program with its words


def counted(options: Options, progress: Progress) -> Comparison:
    """Compare all fixtures that are asked for. UsageError without ncu, nvcc or a GPU."""
    tools = toolchain.find()
    _ = tools.compiler
    if tools.ncu is None:
        raise UsageError(
            "validate --counters: no ncu on PATH; it is part of Nsight Compute and the CUDA toolkit"
        )
    gpu.require()
    arch = options.archs[0] if options.archs else gpu.architecture(options.device)
    chosen = subjects(options.rules)
    found: dict[Subject, list[Counted]] = defaultdict(list)
    failures: dict[Subject, str] = {}
    with tempfile.TemporaryDirectory(prefix="cudalint-") as folder, gpu.visible(options.device):
        programs = _built(tools, chosen, options.jobs, arch, Path(folder), failures)
        steps = _steps(programs)
        sources = {driver.source_of(program).name: subject for subject, program in programs.items()}
        at = 0
        while at < len(steps):
            at += _profiled(tools.ncu, steps[at : at + _BATCH], Path(folder), sources, found, failures)
            progress(at, len(steps))
    lines = [line for subject, every in found.items() for line in compared(subject, every, arch)]
    return comparison(lines, failures, arch)


def subjects(words: tuple[str, ...]) -> tuple[Subject, ...]:
    """The fixtures of the rules that the words name, that run something; all without words.

    UsageError for a word that names no rule, and where no rule that is named has such a fixture.
    """
    named = {code for word in words for code in registry.matching(word)}
    codes = {r.rule.name.replace("-", "_"): r.rule.code for r in registry.load()}
    found = []
    for path in sorted(pairs.folder().rglob("*.cu")):
        subject = Subject(codes.get(path.parent.name, ""), path.relative_to(pairs.folder()).as_posix())
        asked = (not words or subject.code in named) and not subject.file.startswith(f"{_APART}/")
        if asked and driver.runs(path):
            found.append(subject)
    if not found:
        raise UsageError(f"--rule {' '.join(words)}: no fixture that can be run")
    return tuple(found)


def _built(
    tools: Toolchain,
    chosen: tuple[Subject, ...],
    jobs: int,
    arch: str,
    folder: Path,
    failures: dict[Subject, str],
) -> dict[Subject, Path]:
    """The programs of all that compile."""

    def built(subject: Subject) -> Path | CompileError:
        into = folder / subject.file.removesuffix(".cu").replace("/", ".")
        try:
            return driver.program(tools, subject.path, into, arch)
        except CompileError as error:
            return error

    with ThreadPoolExecutor(jobs) as pool:
        every = dict(zip(chosen, pool.map(built, chosen), strict=True))
    failures.update(
        (s, f"does not compile: {one}") for s, one in every.items() if isinstance(one, CompileError)
    )
    return {subject: one for subject, one in every.items() if isinstance(one, Path)}


def _steps(programs: dict[Subject, Path]) -> list[Step]:
    return [
        (subject, [str(program), *words])
        for subject, program in programs.items()
        for words in ([[name] for name in VARIANTS] if subject.is_pair else [[_SIZE]])
    ]


def _profiled(
    ncu: Path,
    steps: list[Step],
    folder: Path,
    sources: dict[str, Subject],
    found: dict[Subject, list[Counted]],
    failures: dict[Subject, str],
) -> int:
    """Add what was counted of the programs, and what failed: how many of them were begun. Those after one
    that fails are not.
    """
    profile = profiling.profile(ncu, [words for _, words in steps], folder)
    for number, status in profile.ended.items():
        failures[steps[number][0]] = f"ended with status {status}"
    if profile.failed:
        failures[steps[profile.begun - 1][0]] = profile.failed
    for one in profile.lines:
        name = Path(one.file).name
        if name in sources:
            found[sources[name]].append(one)
    return profile.begun


def compared(subject: Subject, every: Iterable[Counted], arch: str) -> list[Line]:
    """The lines of a fixture beside what the model says of them."""
    seen = prediction.model(subject.path, arch)
    path = shown(str(subject.path))
    known: dict[tuple[str, str, str], list[Access]] = defaultdict(list)
    unseen: set[str] = set()
    for key, facts in seen.kernels.items():
        name = profiling.plain(facts.name)
        unseen.update([name] if key in seen.unseen else [])
        for access in facts.all_of(Access):
            if access.attributed_to.path == path:
                known[name, access.space, access.operation].append(access)
    return [
        _line(subject, one, known.get((one.kernel, one.space, one.operation), []), one.kernel not in unseen)
        for one in every
    ]


def today(record: Record) -> list[Line]:
    """What a record counted beside what the model says now."""
    files = {
        pair.code: Subject(pair.code, f"{pair.group}/{pair.path.parent.name}/{pairs.FILE}")
        for pair in pairs.pairs()
    }
    every: dict[Subject, list[Counted]] = defaultdict(list)
    for kept in record.counters:
        subject = files[kept.code]
        every[subject].append(
            Counted(
                subject.file,
                kept.kernel,
                kept.line,
                kept.space,
                kept.operation,
                (Executed((1.0, 1.0), kept.counted),),
            )
        )
    arch = f"sm_{record.device.capability}"
    return [line for subject, counts in every.items() for line in compared(subject, counts, arch)]


def _line(subject: Subject, one: Counted, kernel: list[Access], whole: bool) -> Line:
    """The mean of a line's accesses, weighed by their requests. kernel: those of all its lines; whole: the
    models know all of its launches, whose counts are one.
    """
    accesses = [access for access in kernel if access.attributed_to.line == one.line]
    each, others = _numbers(accesses), _numbers(a for a in kernel if a.attributed_to.line != one.line)
    if not accesses or len(each) < len(accesses):
        return Line(subject, one, None, (), (), "unknown")
    requests = sum(a.weight.requests for a in accesses)
    total = sum(a.weight.requests * number for a, number in zip(accesses, each, strict=True))
    exact = whole and all(a.transactions.certainty == "exact" for a in accesses)
    predicted = total / requests if requests else None
    return Line(subject, one, predicted, each, others, "exact" if exact else "bounded")


def _numbers(accesses: Iterable[Access]) -> tuple[float, ...]:
    numbers = (access.transactions.per_request for access in accesses)
    return tuple(number for number in numbers if number is not None)


def comparison(lines: list[Line], failures: dict[Subject, str], arch: str) -> Comparison:
    """The report: a row a fixture, below it the lines that are not as counted or have no exact number."""
    by_subject: dict[Subject, list[Line]] = defaultdict(list)
    for line in lines:
        by_subject[line.subject].append(line)
    rows = [row for subject, each in by_subject.items() for row in _rows(subject, each)]
    rows += [
        f"{subject.file}: {why.splitlines()[0] if why else 'failed'}" for subject, why in failures.items()
    ]
    exact = [line for line in lines if line.certainty == "exact"]
    same = sum(line.agrees for line in exact)
    rows.append(
        f"{same} of {len(exact)} exact lines in {len(by_subject)} fixtures match the counters;"
        f" {len(lines) - len(exact)} lines have no exact prediction"
    )
    document: dict[str, Any] = {
        "version": 2,
        "tool": {"name": "cudalint", "version": __version__},
        "arch": arch,
        "lines": [
            {
                "code": line.subject.code,
                "file": line.subject.file,
                "kernel": line.counted.kernel,
                "line": line.counted.line,
                "space": line.counted.space,
                "operation": line.counted.operation,
                "instructions": [[*one.requests, one.transactions] for one in line.counted.instructions],
                "counted": line.counted.whole.per_request,
                "predicted": line.predicted,
                "certainty": line.certainty,
                "agrees": line.agrees,
            }
            for line in lines
        ],
        "failures": [{"file": subject.file, "why": why} for subject, why in failures.items()],
    }
    right = not failures and same == len(exact)
    kept = tuple(_kept(line) for line in lines if line.subject.is_pair)
    return Comparison("\n".join(rows) + "\n", dump(document), right, kept)


def _rows(subject: Subject, lines: list[Line]) -> Iterator[str]:
    exact = [line for line in lines if line.certainty == "exact"]
    same = sum(line.agrees for line in exact)
    yield f"{subject.file}: {same} of {len(exact)} exact lines match"
    for line in lines:
        if not line.right or line.certainty != "exact":
            yield f"  {_row(line)}"


def _kept(line: Line) -> CountedLine:
    """A line as the record keeps it."""
    one = line.counted
    predicted = None if line.predicted is None else round(line.predicted, 3)
    return CountedLine(
        line.subject.code,
        one.kernel,
        one.line,
        one.space,
        one.operation,
        round(one.whole.per_request[0], 3),
        predicted,
        line.certainty,
    )


def _row(line: Line) -> str:
    one = line.counted
    least, most = one.whole.per_request
    per_request = f"{least:.2f}" if least == most else f"{least:.2f} to {most:.2f}"
    predicted = "unknown" if line.predicted is None else f"{line.predicted:.2f} ({line.certainty})"
    state = "" if line.right else ": MISMATCH"
    return (
        f"{one.kernel}:{one.line} {one.space} {one.operation}:"
        f" counted {per_request}, predicted {predicted}{state}"
    )
