"""How far a run is, on a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from cudalint.engine import engine


@contextmanager
def progress(total: int) -> Iterator[engine.Progress]:
    """A bar on a terminal when there are several files, gone when the run ends in whatever way; nothing in a
    pipe.
    """
    if total < 2 or not sys.stderr.isatty():
        yield engine.silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("linting"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        auto_refresh=False,  # no thread while workers are forked
        transient=True,
    )
    with bar:
        task = bar.add_task("linting", total=total)
        yield lambda done, _: bar.update(task, completed=done, refresh=True)
