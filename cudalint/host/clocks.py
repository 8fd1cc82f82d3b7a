"""Clocks of the host: what reads them, and what becomes of the readings. Their difference is an interval."""

from collections.abc import Hashable

from msgspec.structs import replace

from cudalint.host.describe import render
from cudalint.host.facts import Interval
from cudalint.host.machine import RECENT, Machine
from cudalint.host.values import UNKNOWN, Address, Aggregate, Moment, Value, candidates
from cudalint.ir import expressions as e
from cudalint.source.span import Span

Pair = tuple[Value, Value]  # an argument's value and its place

_READ = frozenset("clock omp_get_wtime MPI_Wtime GetTickCount GetTickCount64 __rdtsc".split())
_STORED = {  # the argument that the reading is stored through
    "gettimeofday": 0,
    "clock_gettime": 1,
    "timespec_get": 0,
    "QueryPerformanceCounter": 0,
    "ftime": 0,
}
_START = frozenset({"sdkStartTimer", "cutStartTimer"})
_STOP = frozenset({"sdkStopTimer", "cutStopTimer"})
_SAME = frozenset("time_since_epoch count duration_cast time_point_cast".split())  # a reading in other units
_PARTS = (0, 8)  # byte offsets of seconds and their fraction


def call(m: Machine, node: e.Call, receiver: Pair | None, arguments: tuple[Pair, ...]) -> Value | None:
    """The value of a call that reads a clock, or that works with readings; None for any other."""
    name = node.name
    if name in _SAME or name == "operator-":
        return _with_readings(m, node, receiver, arguments)
    if receiver is not None:
        return None
    if name in _START or name in _STOP:
        return _stop_watch(m, node, arguments)
    if node.key is not None and _has_body(m, node.key):
        return None
    if name in _READ or (name == "now" and "chrono" in node.qualified):
        return _reading(m, node)
    if name in _STORED and len(arguments) > _STORED[name]:
        place, reading = arguments[_STORED[name]][0], _reading(m, node)
        if isinstance(place, Address):
            m.state.store(place, Aggregate(tuple((part, reading) for part in _PARTS), reading), 16)
        return 0
    return None


def _stop_watch(m: Machine, node: e.Call, arguments: tuple[Pair, ...]) -> Value:
    """A stop watch is started, or it adds the time since then to what it shows."""
    value = arguments[0][0] if arguments else UNKNOWN
    watch: Hashable = value if isinstance(value, Address) else tuple(render(a) for a in node.arguments)
    if node.name in _START:
        m.watches[watch] = _reading(m, node)
    elif watch in m.watches:
        _log(m, m.watches.pop(watch), _reading(m, node))
    return 1


def _has_body(m: Machine, key: str) -> bool:
    function = m.unit.defined(key)
    return function is not None and function.span.path in m.unit.project_files


def _reading(m: Machine, node: e.Call) -> Moment:
    return Moment(len(m.log.calls), node.name, _site(m, node.span), rounds=tuple(m.iterations))


def _site(m: Machine, span: Span) -> Span:
    """Where code that uses CUDA asks for the time: a function that only reads the clock is called there."""
    for frame in m.frames[1:]:
        if frame.function.key not in m.reach.cuda:
            return frame.site
    return span


def _with_readings(
    m: Machine, node: e.Call, receiver: Pair | None, arguments: tuple[Pair, ...]
) -> Value | None:
    """Operators and conversions of std::chrono."""
    pairs = arguments if receiver is None else (receiver, *arguments)
    values = [moment(m, pair) for pair in pairs]
    if node.name == "operator-" and len(values) == 2 and None not in values:
        return combined(m, "-", values[0] or UNKNOWN, values[1] or UNKNOWN)
    return values[0] if node.name in _SAME and values else None


def moment(m: Machine, pair: Pair) -> Moment | None:
    """The reading that a value holds: as it is, or as the first member of a class object."""
    value, place = pair
    if not isinstance(value, (Moment, Aggregate)) and isinstance(place, Address):
        value = m.state.load(place, 8, False)
    if isinstance(value, Aggregate):
        value = dict(value.cells).get(0, value.default)
    return value if isinstance(value, Moment) else None


def combined(m: Machine, operator: str, left: Value, right: Value) -> Value | None:
    """Arithmetic on readings: a difference of two is logged; None where neither is one."""
    if isinstance(left, Moment) and isinstance(right, Moment):
        if operator == "-" and left.negative == right.negative:
            _log(m, right, left)
        elif operator == "+" and left.negative != right.negative:
            _log(m, *((left, right) if left.negative else (right, left)))
        elif operator == "+" and left == right:
            return left
        return UNKNOWN
    if operator not in ("+", "-", "*", "/"):
        return None
    if isinstance(left, Moment):
        return UNKNOWN if candidates(right) else left
    if isinstance(right, Moment) and operator != "/":
        return negated(right) if operator == "-" else right
    return None


def negated(reading: Moment) -> Moment:
    return replace(reading, negative=not reading.negative)


def _log(m: Machine, start: Moment, stop: Moment) -> None:
    """An interval between two readings, told once."""
    again = start.span == stop.span and start.rounds != stop.rounds  # the same reading, a round later
    if m.state.dead or start.order >= stop.order or again:
        return
    found = Interval(m.entry, stop.clock, start.order, stop.order, start.span, stop.span)
    if found not in m.log.intervals[-RECENT:]:
        m.log.intervals.append(found)
