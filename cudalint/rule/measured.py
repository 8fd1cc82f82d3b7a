"""The package's records of measured costs, and their quotes on the rules' pages."""

from functools import cache
from importlib import resources

import msgspec
from msgspec import Struct

_SLOWER = 1.05  # the least slowdown that a page calls one


class Device(Struct, frozen=True):
    """The device as the runtime describes it."""

    name: str
    capability: int  # times ten, 90
    driver: int  # CUDA version of the driver API, 13000
    clock_khz: int  # 0 if the runtime does not report it
    memory_clock_khz: int  # 0 if the runtime does not report it
    multiprocessors: int
    l2_bytes: int

    @property
    def short(self) -> str:
        return self.name.removeprefix("NVIDIA ")


class Measured(Struct, frozen=True):
    """The times of one rule's benchmark, with and without the mistake."""

    code: str
    slowdown: float
    spread: float
    bad_ms: float  # median
    bad_spread: float  # share of the median
    good_ms: float  # median
    good_spread: float  # share of the median
    clock: str  # 'events' or 'wall'
    runs: int
    predicted: float | None = None  # slowdown by the cost model


class CountedLine(Struct, frozen=True):
    """Transactions per request on one line of a benchmark: counted by Nsight Compute, and by the model."""

    code: str
    kernel: str
    line: int
    space: str
    operation: str
    counted: float
    predicted: float | None
    certainty: str


class Record(Struct, frozen=True):
    """The measurements of one device on one day."""

    date: str
    device: Device
    version: str  # of cudalint
    compiler: str
    rules: tuple[Measured, ...]
    counters: tuple[CountedLine, ...] = ()

    def of(self, code: str) -> Measured | None:
        return next((rule for rule in self.rules if rule.code == code), None)


@cache
def shipped() -> tuple[Record, ...]:
    """The package's records, the newest first."""
    folder = resources.files("cudalint") / "measurements"
    records = [
        msgspec.json.decode(item.read_bytes(), type=Record)
        for item in folder.iterdir()
        if item.name.endswith(".json")
    ]
    return tuple(sorted(records, key=lambda record: record.date, reverse=True))


def with_counters(records: tuple[Record, ...]) -> Record | None:
    """The first of the records that has counters: taking them is a run of its own, and a longer one."""
    return next((one for one in records if one.counters), None)


def newest(code: str) -> tuple[Record, Measured] | None:
    """The newest measurement of a rule."""
    return next(((record, rule) for record in shipped() if (rule := record.of(code)) is not None), None)


def sentence(code: str) -> str:
    """The measurement of the rule, as its page quotes it; '' without one."""
    measurement = newest(code)
    if measurement is None:
        return ""
    record, rule = measurement
    where = f"On one {record.device.name} ({record.date}, {record.compiler})"
    times = f"{_number(rule.bad_ms)} ms and {_number(rule.good_ms)} ms"
    if rule.slowdown < _SLOWER:
        result = f"the benchmark of this rule showed no significant cost: {times}, {rule.slowdown:.2f}x."
    else:
        result = f"the benchmark of this rule took {rule.slowdown:.3g}x as long before the fix: {times}."
    return (
        f"{where},\n{result}{_prediction(rule)}\n`cudalint validate --rule {code}` measures it on your GPU."
    )


def _prediction(rule: Measured) -> str:
    return f" The cost model predicted {rule.predicted:.3g}x." if rule.predicted is not None else ""


def _number(ms: float) -> str:
    return f"{ms:.3g}"
