"""The host model's entry: walk the host code of a unit once, hand out launches and ordered calls."""

import os
from collections import Counter
from collections.abc import Iterator
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from cudalint.analyses.cuda_reach import assigned_globals, runs_on_host, survey
from cudalint.analyses.pitches import rows_overlap
from cudalint.buildfiles.run_lines import RunLine
from cudalint.host import captures, instances, tasks
from cudalint.host.facts import HostAccess, HostCall, HostFacts, HostOverflow, Interval, LaunchFact, Use
from cudalint.host.functions import run_function
from cudalint.host.idle_threads import with_plain_waits
from cudalint.host.log import Log
from cudalint.host.machine import (
    LEAST_STEPS,
    MOST_STEPS,
    STEPS_PER_ENTRY,
    STEPS_PER_UNIT,
    Machine,
    OutOfBudget,
)
from cudalint.host.memory import State
from cudalint.host.sizes import PRIMES, RISING, ROUND, Sizes, full_words
from cudalint.host.values import UNKNOWN
from cudalint.host.walks import QUEUED
from cudalint.ir.unit import Function, Unit
from cudalint.source.span import Span

MOST_LAUNCHES = 24  # shapes kept of one launch site


def run(unit: Unit, line: RunLine | None = None) -> HostFacts:
    """What the host code of a unit does: `main` is walked first, then what no walk came through. line: the
    words that the program is known to be run with.
    """
    written = _written(unit)
    reach = survey(unit)
    if not reach.cuda:
        return HostFacts((), (), (), written=written)
    m = Machine(unit, reach, run_function, dirty_globals=assigned_globals(unit), lossy=bool(unit.problems))
    found = _Found()
    known = State()  # what lasting objects hold
    for function in (*_entries(m), *_readers(m)):
        if function.key in m.visited:
            continue
        known = _constructed(m, function, known, found)
        _walk(m, function, m.closures.get(function.key, known))
        found.add(function.key, m.log)
        if _has_open_grid(m.log.launches):
            found.open.add(function.key)
        if function.key in m.reach.making and function.name != "main":
            known = instances.kept(m, known)
    for key, task in m.tasks.items():
        found.add(key, task.log)
    defaults, copies, tight = _as_run(m, found, line)
    return HostFacts(
        _distinct([one for one in found.launches if not one.made]),
        tuple(with_plain_waits(m, _likely(found.calls, copies))),
        tuple(m.streams.values()),
        tuple(found.walked),
        tuple(found.accesses),
        tuple(found.intervals),
        tuple(m.rounds.values()),
        tuple(found.uses),
        tuple(m.overflows.values()),
        tight,
        defaults,
        _with_chosen_sizes(m, found.open),
        frozenset(key for key, task in m.tasks.items() if task.several),
        _where(line),
        written,
        tuple(m.ended.items()),
        tuple((number, node) for (node, _), number in m.arms.items()),
        m.steps,
        _distinct([one for one in found.launches if one.made]),
    )


class _Found(Struct):
    """What the walks have seen, one after the other."""

    launches: list[LaunchFact] = field(default_factory=list)
    calls: list[HostCall] = field(default_factory=list)
    walked: list[str] = field(default_factory=list)
    accesses: list[HostAccess] = field(default_factory=list)
    intervals: list[Interval] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)
    open: set[str] = field(default_factory=set)  # entry points whose launches have a grid that is not known

    def add(self, key: str, log: Log) -> None:
        self.walked.append(key)
        self.launches.extend(log.launches)
        self.calls.extend(_with_reads(log))
        self.accesses.extend(log.accesses)
        self.intervals.extend(log.intervals)
        self.uses.extend(log.uses)


def _constructed(m: Machine, function: Function, known: State, found: _Found) -> State:
    """What is known before an entry point is walked: also what the constructor of its object leaves."""
    about = instances.subject(m, function)
    if about is None or m.instance(about[1]).object in known.objects:
        return known
    maker = instances.constructor(m, about[1])
    if maker is None or maker.key == function.key:
        return known
    new = maker.key not in m.visited
    _walk(m, maker, known)
    if new:
        found.add(maker.key, m.log)
    return instances.kept(m, known)


def _written(unit: Unit) -> tuple[LaunchFact, ...]:
    """The launches in templates as they are written."""
    if not unit.templates:
        return ()
    whole = replace(unit, functions={**unit.functions, **unit.templates})
    m = Machine(whole, survey(whole), run_function, dirty_globals=assigned_globals(whole), lossy=True)
    launches: list[LaunchFact] = []
    for function in unit.templates.values():
        if function.key in m.reach.launching and function.key not in m.visited:
            _walk(m, function, State())
            launches += m.log.launches
    return _distinct(launches)


def _anew(first: Machine, **how: Any) -> Machine:
    """A machine for another walk of the same unit, for its launches. how: what is unlike the first one's."""
    m = Machine(first.unit, first.reach, run_function, quiet=True, earlier=first, **how)
    m.dirty_globals, m.lossy, m.ids = first.dirty_globals, first.lossy, dict(first.ids)
    return m


def _where(line: RunLine | None) -> str:
    return f"line {line.line} of {os.path.basename(line.file)}" if line is not None else ""


def _as_run(
    first: Machine, known: _Found, line: RunLine | None
) -> tuple[tuple[LaunchFact, ...], list[HostCall], tuple[HostOverflow, ...]]:
    """The launches and calls of `main` for the words that the program is run with, else for argc == 1, if the
    sizes of some are not known otherwise; the calls with words only. And the products that 32 bits just hold,
    or do not hold: of the line with the largest.
    """
    main = next((one for one in _entries(first) if one.name == "main" and one.parameters), None)
    open_ = any(None in (*launch.grid, *launch.block) for launch in known.launches if not launch.made)
    open_ = open_ or (line is not None and any(c.kind == "copy" and c.bytes is None for c in known.calls))
    sized = open_ or any(call.kind == "allocate" and call.bytes is None for call in known.calls)
    if main is None or not sized:
        return (), [], ()
    lines = (line, *line.more) if line is not None and len(main.parameters) > 1 else (None,)
    machines = [_anew(first, words=1, command=one.words if one is not None else ()) for one in lines]
    tight: dict[int, HostOverflow] = {}
    for one, m in zip(lines, machines, strict=True):
        _walk(m, main, State())
        for number in m.tight.keys() - first.tight.keys():
            new = replace(m.tight[number], run=_where(one))
            if number not in tight or tight[number].value < new.value:
                tight[number] = new
    if not open_:
        return (), [], tuple(tight.values())
    m = machines[0]
    logs = [m.log, *(task.log for task in m.tasks.values())]
    found = _distinct([launch for log in logs for launch in log.launches if _is_own(launch)])
    return found, m.log.calls if m.command else [], tuple(tight.values())


def _likely(calls: list[HostCall], run: list[HostCall]) -> Iterator[HostCall]:
    """The calls, copies of unknown size with the bytes that they have as the program is run: the one number
    of their place, or each its own where as many are made.
    """
    sizes: dict[Span, list[int | None]] = {}
    counts = Counter(call.span for call in calls if call.kind == "copy")
    met: Counter[Span] = Counter()
    for call in run:
        if call.kind == "copy":
            sizes.setdefault(call.span, []).append(call.bytes)
    for call in calls:
        if call.kind != "copy":  # one place may do more than copy
            yield call
            continue
        known = sizes.get(call.span, [])
        number, met[call.span] = met[call.span], met[call.span] + 1
        if call.bytes is None and len(set(known)) == 1:
            call = replace(call, as_run=known[0])
        elif call.bytes is None and known and len(known) == counts[call.span]:
            call = replace(call, as_run=known[number])
        yield call


def _has_open_grid(launches: list[LaunchFact]) -> bool:
    """Whether a grid is not known, of a launch whose block is: with others nothing is tried."""
    own = (launch for launch in launches if launch.key and not launch.made)
    return any(None in launch.grid and None not in launch.block for launch in own)


def _is_own(launch: LaunchFact) -> bool:
    """Whether the program comes to a launch that it makes itself."""
    return launch.reached and not launch.made


def _with_chosen_sizes(first: Machine, entries: set[str]) -> tuple[LaunchFact, ...]:
    """The launches of these entry points with numbers for what the command line and callers choose: primes;
    round ones for those that come to no launch with primes; others where rows would lie over each other.
    """
    found: list[LaunchFact] = []
    left = set(entries)
    for numbers in (PRIMES, RISING, ROUND) if entries else ():
        m = _anew(first, sizes=Sizes(numbers))
        for function in _entries(first) if left else ():
            if function.key in left and function.key not in m.visited and _chooses(m, function, first):
                m.words = full_words(function) if function.name == "main" else None
                _walk(m, function, State())
                reached = [launch for launch in m.log.launches if _is_own(launch)]
                found += reached
                meant = reached and not any(_overlap(first.unit, launch) for launch in reached)
                over = meant or (reached and numbers == RISING) or not _chooses(m, function, m)
                left -= {function.key} if over else set()
    return _distinct(found)


def _chooses(m: Machine, function: Function, walked: Machine) -> bool:
    """Whether numbers are chosen for an entry point, as one that has walked it before tells. For `main` the
    words on its command line may be, too, unless it was walked with them.
    """
    if function.name == "main":
        return walked is not m or function.key in walked.asked
    return function.key in walked.asked or (m.sizes is not None and any(m.sizes.arguments(function)))


def _overlap(unit: Unit, launch: LaunchFact) -> bool:
    """Whether the numbers of a launch make rows lie over each other."""
    kernel = unit.defined(launch.key)
    return kernel is not None and rows_overlap(unit, kernel, [one.value for one in launch.arguments or ()])


def _entries(m: Machine) -> list[Function]:
    """Functions that reach CUDA: main, those that no other one calls, then the rest. Of each, those come
    first that make buffers and streams, in source order.
    """
    called = {key for caller in m.reach.cuda for key in m.reach.callees[caller] if key != caller}
    functions = [m.unit.functions[key] for key in m.unit.functions if key in m.reach.cuda]
    ready = [f for f in functions if runs_on_host(f) and not f.dependent and _in_project(m.unit, f)]
    making = m.reach.making
    return sorted(ready, key=lambda f: (f.name != "main", f.key in called, f.lambda_, f.key not in making))


def _readers(m: Machine) -> list[Function]:
    """Functions without CUDA that work on an object whose buffers the unit makes: they may read them."""
    found = (f for key, f in m.unit.functions.items() if key not in m.reach.cuda and f.body is not None)
    own = [f for f in found if runs_on_host(f) and not f.dependent and _in_project(m.unit, f)]
    about = {f.key: instances.subject(m, f) for f in own}
    return [f for f in own if (one := about[f.key]) is not None and one[1].name in m.reach.filled]


def _goes_through_streams(m: Machine) -> bool:
    """Whether an entry point queues work on one stream of several: the next call takes another one."""
    if m.in_main:
        return False
    return any(c.kind in QUEUED and "[" in c.stream and not c.loops for c in m.log.calls)


def _in_project(unit: Unit, function: Function) -> bool:
    path = function.span.path
    return path == unit.path or path in unit.headers or path in unit.project_files or path in unit.beside


def _walk(m: Machine, function: Function, known: State) -> None:
    """One entry point. A spent budget or deep nesting keeps what was found so far."""
    m.state = known.copy()
    m.log = Log()
    m.frames.clear()
    m.loops.clear()
    m.iterations.clear()
    m.loop_ids.clear()
    m.watched.clear()
    m.fresh.begin()
    m.compared.clear()
    m.conditions.clear()
    captures.stop(m)
    m.watches.clear()
    m.muted = m.unreached = m.discovering = m.ending = 0
    m.entry = function.key
    m.in_main = function.name == "main"
    least = LEAST_STEPS if function.key in m.reach.launching else 0
    m.last_step = max(MOST_STEPS, m.steps + least)
    m.entry_limit = min(m.steps + STEPS_PER_ENTRY, STEPS_PER_UNIT)
    try:
        this, given = instances.given(m, function)
        if m.in_main:
            given = m.command_line()
        elif m.sizes is not None:
            chosen = m.sizes.arguments(function)
            given = tuple(
                value if value is not None else (given[index] if index < len(given) else UNKNOWN)
                for index, value in enumerate(chosen)
            )
        made = run_function(m, function, given, given, this, function.span)
        instances.adopt(m, function, made)
        if _goes_through_streams(m):
            m.host_work(function.name, function.span, unseen=True)
            run_function(m, function, given, given, this, function.span)
        tasks.joined(m)
    except (OutOfBudget, RecursionError):
        return


def _with_reads(log: Log) -> list[HostCall]:
    """The calls, each copy to the host with the first host read of its destination after it."""
    found = []
    for call in log.calls:
        if call.direction == "DtoH" and call.destination is not None:
            number = call.destination.id
            reads = (u for u in log.uses if u.buffer == number and not u.write and u.order > call.order)
            use = next(reads, None)
            if use is not None:
                call = replace(call, read_at=use.order, read_in=use.loops)
        found.append(call)
    return found


def _distinct(launches: list[LaunchFact]) -> tuple[LaunchFact, ...]:
    """One fact for each site, kernel, shape and arguments, at most MOST_LAUNCHES a site.

    A launch that control does not reach counts only where its kernel has no other; one of an unknown kernel,
    only where the site launches no known one (a template, seen with and without its arguments).
    """
    reached = {fact.key for fact in launches if fact.reached}
    known = {fact.span for fact in launches if fact.key is not None}
    kept: dict[object, LaunchFact] = {}
    sites: dict[object, int] = {}
    for fact in launches:
        if (not fact.reached and fact.key in reached) or (fact.key is None and fact.span in known):
            continue
        shape = (fact.grid, fact.block, fact.dynamic_shared_bytes, fact.stream, fact.arguments)
        site = (fact.span, fact.key, fact.name)
        if (site, shape) in kept:
            continue
        sites[site] = sites.get(site, 0) + 1
        if sites[site] <= MOST_LAUNCHES:
            kept[(site, shape)] = fact
    return tuple(kept.values())
