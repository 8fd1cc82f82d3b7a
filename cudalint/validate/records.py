"""Writes records of measurements: one JSON file per device and day."""

import datetime
import json
import os
from pathlib import Path
from typing import Any

import msgspec

from cudalint.errors import UsageError
from cudalint.rule.measured import CountedLine, Measured, Record
from cudalint.validate.timing import Timing


def measured(timing: Timing, predicted: float | None) -> Measured:
    """A timing as it is kept: more digits say nothing."""
    bad, good = timing.bad, timing.good
    return Measured(
        code=timing.code,
        slowdown=round(timing.slowdown, 3),
        spread=round(timing.spread, 4),
        bad_ms=round(bad.median_ms, 5),
        bad_spread=round(bad.spread, 4),
        good_ms=round(good.median_ms, 5),
        good_spread=round(good.spread, 4),
        clock=timing.clock,
        runs=bad.runs,
        predicted=None if predicted is None else round(predicted, 3),
    )


def text(record: Record) -> str:
    """The record as JSON."""
    plain: Any = msgspec.to_builtins(record)
    return json.dumps(plain, indent=1) + "\n"


def file_name(record: Record) -> str:
    """As nvidia_h200_2026-11-21.json."""
    name = "".join(c if c.isalnum() else "_" for c in record.device.name.lower())
    return f"{name}_{record.date}.json"


def read(path: Path) -> Record:
    """A record from its file. UsageError where it is none."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Record)
    except OSError as error:
        raise UsageError(f"--record {path}: cannot be read: {error.strerror or error}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"--record {path}: is not a record of measurements: {error}") from error


def write(record: Record, path: Path) -> None:
    """The record in place of what the file holds, whole or not at all. UsageError where it cannot be."""
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(text(record), encoding="utf-8")
        os.replace(part, path)
    except OSError as error:
        raise UsageError(f"--record {path}: cannot be written: {error.strerror or error}") from error


def today() -> str:
    """The date that records carry."""
    return datetime.date.today().isoformat()


def of_today(folder: Path) -> tuple[Path, Record]:
    """The one record of today in a folder. UsageError where there is none, or several."""
    found = sorted(folder.glob(f"*_{today()}.json"))
    if not found:
        raise UsageError(f"--record {folder}: no record of today to add counters to; time the pairs first")
    if len(found) > 1:
        names = ", ".join(path.name for path in found)
        raise UsageError(
            f"--record {folder}: several records of today ({names}); keep only the one to complete"
        )
    return found[0], read(found[0])


def timed_again(before: Record, now: Record) -> Record:
    """A record of the same day with the pairs that were timed once more; all else as it was. Times of another
    device, version or compiler stand beside no other: these begin anew.
    """
    if (before.device, before.version, before.compiler) != (now.device, now.version, now.compiler):
        return now
    rules = {one.code: one for one in (*before.rules, *now.rules)}
    return msgspec.structs.replace(
        now, rules=tuple(rules[code] for code in sorted(rules)), counters=before.counters
    )


def counted_again(before: Record, lines: tuple[CountedLine, ...]) -> Record:
    """The record with these counters in place of those of the same rules."""
    codes = {line.code for line in lines}
    kept = [line for line in before.counters if line.code not in codes]
    return msgspec.structs.replace(before, counters=tuple(sorted([*kept, *lines], key=lambda one: one.code)))
