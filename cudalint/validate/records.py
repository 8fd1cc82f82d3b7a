"""Records of measurements: one JSON file a device and day, shipped with the package."""

import json
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from cudalint.validate.timing import Device, Timing


class Measured(Struct, frozen=True):
    """What one pair took. bad_ms, good_ms: medians; spreads as shares of them; predicted: the model's
    slowdown, None where it has none. clock: 'events' or 'wall'.
    """

    code: str
    slowdown: float
    spread: float
    bad_ms: float
    bad_spread: float
    good_ms: float
    good_spread: float
    clock: str
    runs: int
    predicted: float | None = None


class Record(Struct, frozen=True):
    """The measurements of one device on one day. version: cudalint's; compiler: what built the pairs."""

    date: str
    device: Device
    version: str
    compiler: str
    rules: tuple[Measured, ...]

    def of(self, code: str) -> Measured | None:
        return next((one for one in self.rules if one.code == code), None)


def measured(timing: Timing, predicted: float | None) -> Measured:
    """A timing as it is kept: seven digits say more than a clock does."""
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


@cache
def shipped() -> tuple[Record, ...]:
    """The package's records, the newest first."""
    folder = resources.files("cudalint") / "measurements"
    found = [read(Path(str(item))) for item in folder.iterdir() if item.name.endswith(".json")]
    return tuple(sorted(found, key=lambda record: record.date, reverse=True))


def read(path: Path) -> Record:
    """A record from its file."""
    return msgspec.json.decode(path.read_bytes(), type=Record)


def best(code: str) -> tuple[Record, Measured] | None:
    """The newest measurement of a rule."""
    for record in shipped():
        found = record.of(code)
        if found is not None:
            return record, found
    return None
