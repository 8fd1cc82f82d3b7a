"""Runs a compiled pair and reads what it says of its times and errors."""

import json
import statistics
import subprocess
from pathlib import Path
from typing import Any

from msgspec import Struct

from cudalint.rule.measured import Device

_SECONDS = 300.0
_NCU_ERROR = "==ERROR=="  # how Nsight Compute begins a line that says what went wrong
NO_DEVICE, WRONG_RESULT = 3, 4  # exit statuses of a pair


class RunError(Exception):
    """A pair did not run to its end; the text says why."""


class Times(Struct, frozen=True):
    """The times of one variant. spread: half of what lies between the 25th and 75th percentile, as a share of
    the median.
    """

    median_ms: float
    spread: float
    least_ms: float
    runs: int


class Timing(Struct, frozen=True):
    """What was measured of one pair. clock: 'events' or 'wall'. errors: the largest of each variant against
    the reference, relative where the reference is above 1; right: both are within the tolerance.
    """

    code: str
    device: Device
    bad: Times
    good: Times
    bad_error: float
    good_error: float
    tolerance: float
    clock: str

    @property
    def slowdown(self) -> float:
        """How many times as long the bad variant takes."""
        return self.bad.median_ms / self.good.median_ms

    @property
    def spread(self) -> float:
        """Of the slowdown, as a share of it: both spreads put together."""
        return float((self.bad.spread**2 + self.good.spread**2) ** 0.5)

    @property
    def right(self) -> bool:
        return max(self.bad_error, self.good_error) <= self.tolerance


def run(code: str, program: Path, repeat: int) -> Timing:
    """The times of a pair's program. RunError where it fails."""
    return read(code, output([str(program), "times", str(repeat)], _SECONDS, (0, WRONG_RESULT)))


def read(code: str, text: str) -> Timing:
    """The JSON that a pair prints. RunError where it is none."""
    try:
        return _timing(code, json.loads(text))
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise RunError(f"unreadable output: {text[:80]!r}") from error


def _timing(code: str, document: Any) -> Timing:
    device = Device(
        name=document["device"],
        capability=document["capability"],
        driver=document["driver_api"],
        clock_khz=document["clock_khz"],
        memory_clock_khz=document["memory_clock_khz"],
        multiprocessors=document["multiprocessors"],
        l2_bytes=document["l2_bytes"],
    )
    bad, good = (times(document["ms"][variant]) for variant in ("bad", "good"))
    errors: dict[str, Any] = document["error"]
    return Timing(
        code, device, bad, good, errors["bad"], errors["good"], document["tolerance"], document["clock"]
    )


def times(ms: list[float]) -> Times:
    """Median and spread of single times in milliseconds."""
    median = statistics.median(ms)
    low, _, high = statistics.quantiles(ms, n=4) if len(ms) > 1 else (median,) * 3
    return Times(median, (high - low) / 2 / median if median else 0.0, min(ms), len(ms))


def output(command: list[str], seconds: float, fine: tuple[int, ...] = (0,)) -> str:
    """What a command prints. RunError where it ends with a status that is not fine, or not in time."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired as late:
        raise RunError(f"timed out after {seconds:.0f} s") from late
    except OSError as error:
        raise RunError(f"{command[0]} cannot be run: {error.strerror or error}") from error
    if done.returncode not in fine:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines() or [f"exit status {done.returncode}"]
        errors = (line for line in done.stdout.splitlines() if line.startswith(_NCU_ERROR))
        raise RunError(next(errors, said[-1]))
    return done.stdout
