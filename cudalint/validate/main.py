"""`cudalint validate`, from its options to its exit status: 0 confirmed, 1 mismatch, 2 cannot run."""

import os
import sys
from pathlib import Path

from msgspec import Struct

from cudalint import __version__
from cudalint.errors import UsageError
from cudalint.report.output import CLEAN, FINDINGS, WRONG, write
from cudalint.rule.measured import Record
from cudalint.settings import config
from cudalint.validate import command, counting, records, report, sanitizing, toolchain
from cudalint.validate.command import Options, Progress
from cudalint.validate.result import Result

_DRIVERS = ("", "nvcc", "cupy")
_FORMATS = ("text", "json")


class Choice(Struct, frozen=True):
    """The command line of validate."""

    rules: tuple[str, ...]
    device: int
    arch: str | None  # one architecture, or several separated by commas
    repeat: int
    compile_only: bool
    counters: bool
    sanitizer: bool
    record: str | None
    driver: str
    output_format: str
    output: str | None
    jobs: int | None


def main(choice: Choice) -> int:
    """Run it. UsageError for what cannot be."""
    options = _options(choice)
    if choice.counters:
        return _counters(options, choice)
    if choice.sanitizer:
        return _shown(sanitizing.compared(options, _bar("checking")), choice)
    return _pairs(options, choice)


def _options(choice: Choice) -> Options:
    """The command line, checked."""
    if choice.output_format not in _FORMATS:
        raise UsageError(f"--output-format {choice.output_format}: one of {', '.join(_FORMATS)}")
    if choice.driver not in _DRIVERS:
        raise UsageError(f"--driver {choice.driver}: nvcc or cupy")
    if choice.compile_only and (choice.counters or choice.sanitizer or choice.record):
        raise UsageError("--compile-only cannot be combined with --counters, --sanitizer or --record")
    if choice.sanitizer and (choice.counters or choice.record):
        raise UsageError("--sanitizer cannot be combined with --counters or --record")
    archs = config.archs(choice.arch, "--arch") if choice.arch is not None else ()
    if len(archs) > 1 and not choice.compile_only:
        raise UsageError("--arch: several architectures need --compile-only")
    return Options(
        rules=choice.rules,
        device=choice.device,
        archs=archs,
        repeat=choice.repeat,
        compile_only=choice.compile_only,
        driver=choice.driver,
        jobs=choice.jobs or os.cpu_count() or 1,
    )


def _counters(options: Options, choice: Choice) -> int:
    """Compare counters; the record is read before the long run and written after the report."""
    before = None if choice.record is None else records.of_today(Path(choice.record))
    compared = counting.counted(options, _bar("counting"))
    status = _shown(compared, choice)
    if before is not None:
        path, record = before
        records.write(records.counted_again(record, compared.lines), path)
    return status


def _shown(comparison: counting.Comparison, choice: Choice) -> int:
    text = comparison.json if choice.output_format == "json" else comparison.text
    return WRONG if not write(text, choice.output) else CLEAN if comparison.right else FINDINGS


def _pairs(options: Options, choice: Choice) -> int:
    """Compile the pairs, and time them where they are to be run."""
    results = command.validate(options, _bar("compiling" if choice.compile_only else "measuring"))
    tell = report.evidence if choice.compile_only else report.times
    as_json = choice.output_format == "json"
    written = write(report.as_json(results, __version__) if as_json else tell(results), choice.output)
    if choice.record is not None:
        _record(results, Path(choice.record))
    right = all(result.right for result in results)
    return WRONG if not written else CLEAN if right else FINDINGS


def _record(results: tuple[Result, ...], folder: Path) -> None:
    """Write a run to today's record of the device."""
    timed = [result for result in results if result.timing is not None]
    if not timed:
        raise UsageError("--record: nothing was timed")
    first = timed[0].timing
    assert first is not None
    record = Record(
        date=records.today(),
        device=first.device,
        version=__version__,
        compiler=toolchain.version(),
        rules=tuple(
            records.measured(r.timing, r.prediction.slowdown if r.prediction else None)
            for r in timed
            if r.timing is not None and r.right
        ),
    )
    path = folder / records.file_name(record)
    records.write(records.timed_again(records.read(path), record) if path.exists() else record, path)


def _bar(what: str) -> Progress:
    """A bar on a terminal; nothing in a pipe."""
    if not sys.stderr.isatty():
        return lambda done, total: None
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    bar = Bar(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(what, total=None)
    bar.start()

    def show(done: int, total: int) -> None:
        bar.update(task, completed=done, total=total, refresh=True)
        if done >= total:
            bar.stop()

    return show
