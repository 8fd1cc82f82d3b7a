"""Writes records of measurements: one JSON file a device and day."""

import json
from pathlib import Path
from typing import Any

import msgspec

from cudalint.measured import Measured, Record
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
    """A record from its file. OSError and msgspec.DecodeError where it is none."""
    return msgspec.json.decode(path.read_bytes(), type=Record)
