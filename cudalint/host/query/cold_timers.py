"""Stretches that the program measures, and that hold what only the first use of the device or of a kernel
takes.

`main` alone is looked at: of another function nobody knows what ran before it.
"""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from cudalint.host.describe import render
from cudalint.host.facts import HostCall, HostFacts
from cudalint.host.timing import ASKS
from cudalint.host.waits import may_have_waited
from cudalint.host.walks import walks
from cudalint.ir import expressions as e
from cudalint.ir.unit import Unit
from cudalint.ir.walk import find
from cudalint.source.span import Span

THRUST = "thrust"  # as a library is called
_ASKING = ("cudaFunc", "cudaOccupancy")
_RECORDED = 2  # events of a measurement


class Measured(Struct, frozen=True):
    """A stretch between two readings of a clock, or two events. calls: those in it, in order; clock: of the
    host. Events are on the device, whose context is there.
    """

    start: Span
    stop: Span
    calls: tuple[HostCall, ...]
    clock: bool


class ColdTimer(Struct, frozen=True):
    """What a stretch holds that a second run would not. calls: of all times that it is measured. launches: of
    each kernel that ran never before, and of each library that did nothing before, the first; context: the
    first call of CUDA's is among them, and makes the context; first: nothing ran before on the device;
    idle: nothing may still run there when it starts, and all code before it is seen.
    """

    start: Span
    stop: Span
    calls: tuple[HostCall, ...]
    launches: tuple[HostCall, ...]
    context: bool
    first: bool
    idle: bool


def cold_timers(host: HostFacts, unit: Unit) -> Iterator[ColdTimer]:
    """The stretches of `main`, each place once, in order."""
    for calls in walks(host):
        function = unit.functions.get(calls[0].function)
        if function is not None and function.name == "main":
            for visits in _by_place(host, calls):
                found = _cold(calls, visits)
                if found.launches:
                    yield found


def _by_place(host: HostFacts, calls: tuple[HostCall, ...]) -> list[list[Measured]]:
    places: dict[tuple[Span, Span], list[Measured]] = {}
    found = [one for one in (*_by_clock(host, calls), *_by_events(calls)) if one.calls]
    for one in sorted(found, key=lambda one: one.calls[0].order):
        places.setdefault((one.start, one.stop), []).append(one)
    return list(places.values())


def _by_clock(host: HostFacts, calls: tuple[HostCall, ...]) -> Iterator[Measured]:
    for interval in host.intervals:
        if interval.function == calls[0].function:
            inside = calls[interval.start : interval.stop]
            yield Measured(interval.start_span, interval.stop_span, inside, clock=True)


def _by_events(calls: tuple[HostCall, ...]) -> Iterator[Measured]:
    """Of each question for the time between two events, their last records before it."""
    for index, call in enumerate(calls):
        if not call.name.startswith(ASKS) or not isinstance(call.expression, e.Call):
            continue
        names = [render(argument) for argument in call.expression.arguments[1:]]
        records = [_last_record(calls[:index], name) for name in names]
        start, stop = records if len(records) == _RECORDED else (None, None)
        if start is not None and stop is not None and start.order < stop.order:
            yield Measured(start.span, stop.span, calls[start.order : stop.order], clock=False)


def _last_record(calls: Sequence[HostCall], name: str) -> HostCall | None:
    for call in reversed(calls):
        if call.kind == "event-record" and isinstance(call.expression, e.Call):
            arguments = call.expression.arguments
            if arguments and render(arguments[0]) == name:
                return call
    return None


def _cold(calls: tuple[HostCall, ...], visits: list[Measured]) -> ColdTimer:
    """visits: of one place."""
    cold: dict[str, HostCall] = {}
    for one in visits:
        before = calls[: one.calls[0].order]
        warm = {_what(call) for call in before if _works(call)}
        asked = {key for call in before for key in _loaded(call)}
        for call in one.calls:
            if _works(call) and _what(call) not in warm and _key(call) not in asked:
                cold.setdefault(_what(call), call)
    first = visits[0]
    before = calls[: first.calls[0].order]
    return ColdTimer(
        first.start,
        first.stop,
        tuple(call for one in visits for call in one.calls),
        tuple(cold.values()),
        context=first.clock and not any(call.unseen or call.kind != "host-work" for call in before),
        first=not any(_works(call) for call in before),
        idle=not any(call.unseen for call in before) and _is_over(calls, before),
    )


def _is_over(calls: tuple[HostCall, ...], before: tuple[HostCall, ...]) -> bool:
    """Whether the host may have waited for the last work before a stretch: else what is loaded while that
    runs costs no time.
    """
    works = [call for call in before if _works(call)]
    return not works or may_have_waited(calls, works[-1], len(before))


def _loaded(call: HostCall) -> set[str]:
    """The kernels that a call loads to set or to tell their attributes, or how many blocks of them fit."""
    named = find(call.expression, e.FunctionReference) if call.name.startswith(_ASKING) else ()
    return {call.kernel, *(node.key for node in named)} - {""}


def _works(call: HostCall) -> bool:
    known = call.kind == "launch" and call.launch is not None and call.launch.key is not None
    return (known or call.kind == "library") and not call.captured


def _key(call: HostCall) -> str:
    return (call.launch.key or "") if call.launch is not None else ""


def _what(call: HostCall) -> str:
    """The kernel, or the library: of `cublasSgemm` the letters before the first capital, and `thrust`."""
    if call.kind == "launch":
        return _key(call)
    name = call.name.partition("::")[0]
    return next((name[:at] for at, letter in enumerate(name) if letter.isupper()), name)


def libraries(launches: Iterable[HostCall]) -> list[str]:
    """The names of the libraries among them."""
    return list(dict.fromkeys(_what(call) for call in launches if call.kind == "library"))
