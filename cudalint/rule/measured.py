"""The package's records of measured costs, and the quotes of them on pages and findings."""

from functools import cache
from importlib import resources

import msgspec
from msgspec import Struct

from cudalint.rule.findings import Finding

_FASTER = 1.05  # from here on a difference is called one
_QUOTED = 1.1  # and from here on it is worth a note


class Device(Struct, frozen=True):
    """The device as the runtime describes it. capability: times ten; driver: CUDA version of the driver's
    API, as 13000. clocks in kHz, 0 where the runtime does not tell them.
    """

    name: str
    capability: int
    driver: int
    clock_khz: int
    memory_clock_khz: int
    multiprocessors: int
    l2_bytes: int

    @property
    def short(self) -> str:
        return self.name.removeprefix("NVIDIA ")


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


class CountedLine(Struct, frozen=True):
    """Transactions per request on one line of a pair: Nsight Compute's and the model's."""

    code: str
    kernel: str
    line: int
    space: str
    operation: str
    counted: float
    predicted: float | None
    certainty: str


class Record(Struct, frozen=True):
    """The measurements of one device on one day. version: cudalint's; compiler: what built the pairs."""

    date: str
    device: Device
    version: str
    compiler: str
    rules: tuple[Measured, ...]
    counters: tuple[CountedLine, ...] = ()

    def of(self, code: str) -> Measured | None:
        return next((one for one in self.rules if one.code == code), None)


@cache
def shipped() -> tuple[Record, ...]:
    """The package's records, the newest first."""
    folder = resources.files("cudalint") / "measurements"
    found = [
        msgspec.json.decode(item.read_bytes(), type=Record)
        for item in folder.iterdir()
        if item.name.endswith(".json")
    ]
    return tuple(sorted(found, key=lambda record: record.date, reverse=True))


def newest(code: str) -> tuple[Record, Measured] | None:
    """The newest measurement of a rule."""
    return next(((record, one) for record in shipped() if (one := record.of(code)) is not None), None)


def sentence(code: str) -> str:
    """The page's text on the rule's measurement; '' without one."""
    found = newest(code)
    if found is None:
        return ""
    record, one = found
    where = f"On one {record.device.name} ({record.date}, {record.compiler})"
    took = f"{_number(one.bad_ms)} ms against {_number(one.good_ms)}"
    if one.slowdown < _FASTER:
        told = f"the pair of this rule showed no significant cost: {took}, {one.slowdown:.2f} times."
    else:
        told = f"the slow variant of this rule's pair took {one.slowdown:.3g} times as long: {took}."
    return f"{where},\n{told}{_prediction(one)}\n`cudalint validate --rule {code}` measures it on yours."


def _prediction(one: Measured) -> str:
    return f" The cost model had predicted {one.predicted:.3g} times." if one.predicted is not None else ""


def _number(ms: float) -> str:
    return f"{ms:.3g}"


def quoted(finding: Finding) -> Finding:
    """The finding with a note on the measured cost of the same mistake."""
    found = newest(finding.code)
    if found is None or found[1].slowdown < _QUOTED:
        return finding
    record, one = found
    where = f"measured on {record.device.short}"
    note = f"{where}: {one.slowdown:.3g}x slower in this rule's benchmark"
    return msgspec.structs.replace(finding, notes=(*finding.notes, note))
