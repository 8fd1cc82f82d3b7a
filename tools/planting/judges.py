"""Whether a change is a mistake, by judges that share no code with the rules.

The plain interpreter (tools/interpreter) runs the kernel before and after: which accesses conflict, which
barriers not all threads reach, which elements are read unwritten, whether an access leaves its object, and
how many 32-byte sectors and wavefronts of shared memory its addresses need. nvcc compiles the file before
and after.
"""

import os
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from cudalint.buildfiles.fast_math import fast_math
from cudalint.frontend import UnitFailed, load
from cudalint.frontend.options import LoadOptions
from cudalint.host import model as host_model
from cudalint.host.facts import LaunchFact
from cudalint.ir.unit import Function, Unit
from tools.interpreter import trials
from tools.interpreter.memory import GLOBAL
from tools.interpreter.program import Site
from tools.interpreter.threads import WARP, Interval
from tools.planting.kind import Judge
from tools.planting.source import Mistake, Source

_WORK = 150_000  # accesses and iterations of one kernel
_PLANS, _TRIALS = 2, 3
_GROWTH = 1.3  # of sectors or wavefronts, for a mistake
_SECTOR, _BANKS = 32, 32
_OPTIONS = ("-arch=sm_80", "-w", "-Xptxas", "-O0")
_OUTSIDE = "an access outside of its object"


@dataclass
class Runs:
    """What runs of a kernel show; places are lines, which a change keeps."""

    conflicts: set[tuple[int, int]] = field(default_factory=set)
    partial: set[int] = field(default_factory=set)
    unwritten: set[int] = field(default_factory=set)
    stops: set[str] = field(default_factory=set)
    sectors: int = 0
    wavefronts: int = 0


def judged(judge: Judge, source: Source, mistake: Mistake, changed: str) -> bool | None:
    """Whether it is a mistake; None where the judge cannot tell."""
    if judge in ("doubles", "longer", "rejected"):
        return _compiled(judge, source, changed)
    before = _runs(source.path, source.text, mistake.kernels)
    if before is None or before.stops:
        return None
    after = _runs(source.path, changed, mistake.kernels)
    if after is None:
        return None
    match judge:
        case "conflicts":
            new = bool(after.conflicts - before.conflicts)
        case "partial":
            new = bool(after.partial - before.partial)
        case "unwritten":
            new = bool(after.unwritten - before.unwritten)
        case "outside":
            new = _OUTSIDE in after.stops
        case "sectors":
            new = after.sectors > _GROWTH * before.sectors > 0
        case _:
            new = after.wavefronts > _GROWTH * before.wavefronts > 0
    return True if new else None if after.stops else False


# --- the interpreter ---


@lru_cache(maxsize=8)
def _runs(path: str, text: str, kernels: tuple[str, ...]) -> Runs | None:
    try:
        unit = load(path, LoadOptions(text=text))
    except UnitFailed:
        return None
    host = host_model.run(unit)
    found = Runs()
    for function in _kernels(unit, kernels):
        launches = tuple(launch for launch in host.launches if launch.key == function.key)
        if all(None in launch.block for launch in launches):  # then with the program's default
            usual = tuple(launch for launch in host.defaults if launch.key == function.key)
            launches = tuple(launch for launch in usual if None not in launch.block) or launches
        for outcome in _outcomes(unit, function, launches):
            _take(found, outcome)
    return found


def _outcomes(unit: Unit, function: Function, launches: tuple[LaunchFact, ...]) -> Iterator[trials.Outcome]:
    """Runs of a kernel until one stops, or enough work is done."""
    work = 0
    for plan in trials.shapes(function, launches)[:_PLANS]:
        for trial in range(_TRIALS):
            for outcome in trials.outcomes(unit, function, plan, trial):
                yield outcome
                work += outcome.work
                if work > _WORK or outcome.stopped:
                    return


def _kernels(unit: Unit, names: tuple[str, ...]) -> Iterable[Function]:
    seen: set[int] = set()
    for key in unit.kernels:
        function = unit.functions.get(key)
        if function is None or function.body is None or function.name not in names:
            continue
        if function.extent.line not in seen:
            seen.add(function.extent.line)
            yield function


def _take(found: Runs, outcome: trials.Outcome) -> None:
    own = outcome.own
    found.conflicts |= {(first.line, second.line) for _, first, second in own.apart | own.together}
    if outcome.stopped:
        found.stops.add(outcome.stopped)
    sites = outcome.program.sites
    written: set[int] = set()
    for interval in outcome.intervals:
        found.partial |= {outcome.program.spans[number].line for number in interval.partial}
        sectors, wavefronts = requests(sites, interval)
        found.sectors, found.wavefronts = found.sectors + sectors, found.wavefronts + wavefronts
        _unwritten(found, sites, interval, written)


def _unwritten(found: Runs, sites: list[Site], interval: Interval, written: set[int]) -> None:
    """Elements of shared memory that are read although nothing of this interval or an earlier one writes
    them.
    """
    events = [event for _, log in interval.logs for event in log if event and event[1] >> 32 < GLOBAL]
    written |= {address for site, address, _ in events if sites[site].kind != "read"}
    found.unwritten |= {
        sites[site].span.line
        for site, address, _ in events
        if sites[site].kind == "read" and address not in written
    }


def requests(sites: list[Site], interval: Interval) -> tuple[int, int]:
    """Sectors of global memory and wavefronts of shared memory: the lanes of a warp that come to a place for
    the same time are one request.
    """
    groups: dict[tuple[int, int, int], set[int]] = {}
    for rank, log in interval.logs:
        times: dict[int, int] = {}
        for event in log:
            if event is not None:
                site, address, _ = event
                times[site] = times.get(site, 0) + 1
                groups.setdefault((rank // WARP, site, times[site]), set()).add(address)
    sectors = wavefronts = 0
    for (_, site, _), addresses in groups.items():
        size = max(1, sites[site].size)
        if min(addresses) >> 32 >= GLOBAL:
            sectors += len({at // _SECTOR for a in addresses for at in (a, a + size - 1)})
        else:
            words = {at // 4 for a in addresses for at in range(a, a + size, 4)}
            banks = [word % _BANKS for word in words]
            wavefronts += max(banks.count(bank) for bank in set(banks))
    return sectors, wavefronts


# --- nvcc ---


def _compiled(judge: Judge, source: Source, changed: str) -> bool | None:
    output = "-cubin" if judge == "rejected" else "-ptx"
    fast = source.unit.fast_math or bool(fast_math(source.path, None))
    before, after = (_nvcc(source.path, text, output, fast) for text in (source.text, changed))
    if before is None:
        return None
    if judge == "rejected" or after is None:
        return after is None if judge == "rejected" else None
    if judge == "doubles":
        return _doubles(after) > _doubles(before)
    return after.count(";") > before.count(";")


def _doubles(ptx: str) -> int:
    return len(re.findall(r"^\s+[a-z]\S*\.f64\S*\s+%", ptx, re.MULTILINE))


@lru_cache(maxsize=16)
def _nvcc(path: str, text: str, output: str, fast: bool) -> str | None:
    """The code of a file's kernels for sm_80; None where nvcc rejects it."""
    with tempfile.TemporaryDirectory() as folder:
        name, made = Path(folder, Path(path).name), Path(folder, "made")
        name.write_text(text, encoding="utf-8")
        own = Path(path).resolve().parent
        folders = ["-I", str(own), "-I", str(own.parent / "include"), *_common(own)]
        option = ["-use_fast_math"] if fast else []
        command = ["nvcc", output, *folders, *_OPTIONS, *option, str(name), "-o", str(made)]
        try:
            done = subprocess.run(command, capture_output=True, timeout=60, env={**os.environ})
        except (OSError, subprocess.TimeoutExpired):
            return None
        if done.returncode:
            return None
        return made.read_text(encoding="utf-8") if output == "-ptx" else "made"


def _common(folder: Path) -> list[str]:
    """The folder of headers that the samples share."""
    found = next((above / "Common" for above in folder.parents if (above / "Common").is_dir()), None)
    return ["-I", str(found)] if found else []
