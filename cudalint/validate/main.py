"""`cudalint validate` from its options to its exit status: 0 all right, 1 something is not so, 2 cannot."""

import datetime
import os
import sys
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from cudalint import __version__
from cudalint.commands import CLEAN, FINDINGS, WRONG, write
from cudalint.config import arch_number
from cudalint.errors import UsageError
from cudalint.measured import Record
from cudalint.validate import command, counting, records, report, sanitizing, toolchain
from cudalint.validate.command import Options, Progress
from cudalint.validate.result import Result

_DRIVERS = ("", "nvcc", "cupy")
_FORMATS = ("text", "json")


class Choice(Struct, frozen=True):
    """The command line of validate."""

    rules: tuple[str, ...]
    device: int
    archs: tuple[str, ...]
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
    _check(choice)
    options = Options(
        rules=choice.rules,
        device=choice.device,
        archs=choice.archs,
        repeat=choice.repeat,
        compile_only=choice.compile_only,
        driver=choice.driver,
        jobs=choice.jobs or os.cpu_count() or 1,
    )
    if choice.counters:
        told = counting.counted(options, _bar("counting"))
        if choice.record is not None:
            _record_counters(told, Path(choice.record))
        return _shown(told, choice)
    if choice.sanitizer:
        return _shown(sanitizing.compared(options, _bar("checking")), choice)
    results = command.validate(options, _bar("compiling" if choice.compile_only else "measuring"))
    if choice.record is not None:
        _record(results, Path(choice.record))
    tell = report.evidence if choice.compile_only else report.times
    as_json = choice.output_format == "json"
    written = write(report.as_json(results, __version__) if as_json else tell(results), choice.output)
    right = all(result.right for result in results)
    return WRONG if not written else CLEAN if right else FINDINGS


def _shown(told: counting.Told, choice: Choice) -> int:
    text = told.json if choice.output_format == "json" else told.text
    return WRONG if not write(text, choice.output) else CLEAN if told.right else FINDINGS


def _check(choice: Choice) -> None:
    if choice.output_format not in _FORMATS:
        raise UsageError(f"--output-format {choice.output_format}: one of {', '.join(_FORMATS)}")
    if choice.driver not in _DRIVERS:
        raise UsageError(f"--driver {choice.driver}: nvcc or cupy")
    if choice.compile_only and (choice.counters or choice.sanitizer or choice.record):
        raise UsageError("--compile-only runs nothing: leave out --counters, --sanitizer and --record")
    for arch in choice.archs:
        arch_number(arch)
    if len(choice.archs) > 1 and not choice.compile_only:
        raise UsageError("--arch: one architecture for a run, several with --compile-only")


def _record_counters(told: counting.Told, folder: Path) -> None:
    """Put counters into the record that was made on the same day."""
    today = sorted(folder.glob(f"*_{datetime.date.today().isoformat()}.json"))
    if len(today) != 1:
        raise UsageError(f"--record {folder}: no record of today to put counters into; time the pairs first")
    record = replace(records.read(today[0]), counters=told.lines)
    today[0].write_text(records.text(record), encoding="utf-8")


def _record(results: tuple[Result, ...], folder: Path) -> None:
    """Write the record of a run into a folder."""
    timed = [result for result in results if result.timing is not None]
    if not timed:
        raise UsageError("--record: nothing was timed")
    first = timed[0].timing
    assert first is not None
    record = Record(
        date=datetime.date.today().isoformat(),
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
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(records.text(record), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"--record {folder}: cannot be written: {error.strerror or error}") from error


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
