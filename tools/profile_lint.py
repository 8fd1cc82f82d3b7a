"""Where the CPU time of a lint goes: by file, by kernel, by stage, and by function.

    python -m tools.profile_lint PATH... [--top N] [--functions]

Files are analysed one after the other in this process; the rules themselves are left out. `--functions`
counts every call, which makes the run some three times as slow: its shares tell, not its seconds.
"""

import argparse
import cProfile
import os
import pstats
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from cudalint.engine import analysis
from cudalint.engine.selection import enabled
from cudalint.engine.subjects import facts_for
from cudalint.frontend import load
from cudalint.frontend.errors import UnitFailed
from cudalint.host import model as host_model
from cudalint.rule import registry
from cudalint.settings.config import Settings
from cudalint.simt import model as warp_model

SOURCES = (".cu", ".cuh")


class Clock:
    """CPU seconds by what they were spent on."""

    def __init__(self) -> None:
        self.stages: Counter[str] = Counter()
        self.files: Counter[str] = Counter()
        self.kernels: Counter[tuple[str, str]] = Counter()

    @contextmanager
    def timed(self, *counters: tuple[Counter, object]) -> Iterator[None]:
        begin = time.process_time()
        yield
        for counter, key in counters:
            counter[key] += time.process_time() - begin


def measure(path: str, settings: Settings, clock: Clock) -> None:
    """One file: parsed, its host code run, and each kernel run for the facts that the default rules take."""
    codes = enabled(settings)
    wanted = facts_for(tuple(one for one in registry.load() if one.rule.code in codes), ())
    with clock.timed((clock.stages, "frontend")):
        try:
            unit = load(path, analysis.load_options(settings))
        except UnitFailed:
            return
    with clock.timed((clock.stages, "host model")):
        host = host_model.run(unit)
    options = warp_model.ModelOptions(made_up=False)
    for key in unit.kernels if wanted.kernels else ():
        function = unit.functions.get(key)
        if function is not None:
            with clock.timed((clock.stages, "warp model"), (clock.kernels, (path, function.name))):
                warp_model.run_kernel(unit, function, host, options, wanted.facts)


def sources(paths: list[str]) -> list[str]:
    """The files among the paths and below them."""
    found: list[str] = []
    for path in map(Path, paths):
        found += (
            [str(path)] if path.is_file() else sorted(str(p) for p in path.rglob("*") if p.suffix in SOURCES)
        )
    return found


def table(name: str, counter: Counter, top: int) -> None:
    total = sum(counter.values()) or 1.0
    print(f"\n{name}: {total:.2f} s CPU")
    for key, seconds in counter.most_common(top):
        print(
            f"{seconds:8.2f} {100 * seconds / total:5.1f}%  {key if isinstance(key, str) else '  '.join(key)}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="+", help="files and folders to lint")
    parser.add_argument("--top", type=int, default=15, help="rows of each table")
    parser.add_argument("--functions", action="store_true", help="by function, too")
    arguments = parser.parse_args()
    analysis.preload()
    clock, settings, profile = Clock(), Settings(), cProfile.Profile()
    for path in sources(arguments.paths):
        with clock.timed((clock.files, path)):
            if arguments.functions:
                profile.enable()
            measure(path, settings, clock)
            profile.disable()
    table("stages", clock.stages, arguments.top)
    table("files", clock.files, arguments.top)
    table("kernels", clock.kernels, arguments.top)
    if arguments.functions:
        for order in ("tottime", "cumtime"):
            pstats.Stats(profile).sort_stats(order).print_stats("cudalint|numpy", arguments.top)


if __name__ == "__main__":
    main()
