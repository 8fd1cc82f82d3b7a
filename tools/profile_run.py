"""Where runs of kernels spend their time: by kernel, by loop, by who looks on, and by function.

    python -m tools.profile_run PATH... [--top N]

The stack is looked at some hundred times a second of CPU time, which costs next to nothing. A sample counts
for the innermost loop and for the watcher that is at work.
"""

import argparse
import signal
from collections import Counter
from pathlib import Path
from types import FrameType

from cudalint.engine.analysis import Task, analyse, preload
from cudalint.settings.config import Settings
from cudalint.simt.interpret.loops import _LoopRun
from cudalint.simt.threads.watchers import Watcher
from cudalint.source.text import shown
from tools.profile_lint import sources

_SECONDS = 0.001


class Samples:
    """How often each kernel, loop, watcher and function was at work."""

    def __init__(self) -> None:
        self.all = 0
        self.kernels: Counter[str] = Counter()
        self.loops: Counter[str] = Counter()
        self.watchers: Counter[str] = Counter()
        self.functions: Counter[str] = Counter()

    def take(self, _: int, frame: FrameType | None) -> None:
        self.all += 1
        own = loop = watcher = kernel = ""
        while frame is not None:
            code, me = frame.f_code, frame.f_locals.get("self")
            if not own and "cudalint" in code.co_filename:
                own = f"{Path(code.co_filename).stem}.{code.co_qualname}"
            if not loop and isinstance(me, _LoopRun):
                loop = f"{shown(me.node.span.path)}:{me.node.span.line}"
            if not watcher and isinstance(me, Watcher):
                watcher = type(me).__name__
            if code.co_name == "run_plan":
                kernel = frame.f_locals["function"].name
            frame = frame.f_back
        for counter, key in (
            (self.functions, own),
            (self.loops, loop),
            (self.watchers, watcher),
            (self.kernels, kernel),
        ):
            counter[key or "none"] += 1


def table(name: str, counter: Counter[str], all_: int, top: int) -> None:
    print(f"\n{name}")
    for key, count in counter.most_common(top):
        print(f"{100 * count / max(all_, 1):6.1f}%  {key}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="+", help="files and folders to lint")
    parser.add_argument("--top", type=int, default=15, help="rows of each table")
    arguments = parser.parse_args()
    preload()
    samples = Samples()
    signal.signal(signal.SIGPROF, samples.take)
    signal.setitimer(signal.ITIMER_PROF, _SECONDS, _SECONDS)
    for path in sources(arguments.paths):
        analyse(Task(path, Settings()))
    signal.setitimer(signal.ITIMER_PROF, 0)
    for name in ("kernels", "loops", "watchers", "functions"):
        table(name, getattr(samples, name), samples.all, arguments.top)


if __name__ == "__main__":
    main()
