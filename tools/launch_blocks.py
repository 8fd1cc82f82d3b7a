"""Of how many launches of real code the block is known: `python -m tools.launch_blocks PATH... [--one-of N]`.

A place of the source that launches counts once. Its block is known where the host model knows its extents in
every launch that it makes there; bounded, where the text says what it is at most or `__launch_bounds__` of
the kernel does; else it is not known. `--one-of N` takes each Nth file.
"""

import argparse
from collections import Counter
from pathlib import Path

from cudalint.engine.discovery import discover
from cudalint.frontend import UnitFailed, load
from cudalint.host.facts import LaunchFact
from cudalint.host.model import run
from cudalint.ir.unit import Unit


def judged(unit: Unit) -> dict[tuple[str, int, int], str]:
    """What is known of the block of each place that launches: 'known', 'bounded', 'not known'."""
    host = run(unit)
    sites: dict[tuple[str, int, int], list[LaunchFact]] = {}
    for launch in (*host.launches, *host.written):
        span = launch.span
        sites.setdefault((span.path, span.line, span.column), []).append(launch)
    return {place: _judge(launches, unit) for place, launches in sites.items()}


def _judge(launches: list[LaunchFact], unit: Unit) -> str:
    if all(None not in launch.block for launch in launches):
        return "known"
    bounded = all(
        None not in launch.block or launch.limit is not None or _bounds(launch, unit) for launch in launches
    )
    return "bounded" if bounded else "not known"


def _bounds(launch: LaunchFact, unit: Unit) -> bool:
    kernel = unit.functions.get(launch.key or "")
    return kernel is not None and bool(kernel.launch_bounds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--one-of", type=int, default=1, metavar="N", help="take each Nth file")
    parser.add_argument("--show", action="store_true", help="print the places whose block is not known")
    options = parser.parse_args()
    counted: Counter[str] = Counter()
    places: set[tuple[str, int, int]] = set()
    plan = discover(tuple(str(path) for path in options.paths), True, {})
    files = [one.path for one in plan.candidates]
    for path in files[:: options.one_of]:
        try:
            found = judged(load(path))
        except (UnitFailed, RecursionError):
            counted["lost files"] += 1
            continue
        for place, what in found.items():
            if place in places:
                continue
            places.add(place)
            counted[what] += 1
            if options.show and what == "not known":
                print(f"{place[0]}:{place[1]}")
    total = sum(counted[what] for what in ("known", "bounded", "not known"))
    shares = ", ".join(f"{what} {counted[what]} ({counted[what] / max(1, total):.0%})" for what in counted)
    print(f"{total} places that launch: {shares}")


if __name__ == "__main__":
    main()
