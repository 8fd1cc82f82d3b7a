"""`--watch`: lint again whenever a file changes, until Ctrl-C."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from cudalint.engine.discovery import CUDA, HEADERS, NEVER, SOURCES
from cudalint.report.output import say

_POLL = 0.3  # seconds between looks
_CONFIGURATION = ("cudalint.toml", "pyproject.toml", "compile_commands.json")
_CLEAR = "\033[2J\033[H"


def watch(arguments: list[str], paths: tuple[str, ...]) -> int:
    """Run the command line without --watch in a process of its own, again after each change."""
    command = [sys.executable, "-m", "cudalint", *(word for word in arguments if word != "--watch")]
    while True:
        before = _stamps(paths)
        if sys.stdout.isatty():
            sys.stdout.write(_CLEAR)
            sys.stdout.flush()
        subprocess.run(command, check=False)
        say(f"watching {len(before)} files; Ctrl-C ends")
        while _stamps(paths) == before:
            time.sleep(_POLL)


def _stamps(paths: tuple[str, ...]) -> dict[str, tuple[int, int]]:
    """Time of change (nanoseconds) and size of each file that a run may read."""
    found = {}
    for path in paths:
        for file in _files(Path(path)):
            try:
                state = file.stat()
            except OSError:
                continue
            found[str(file)] = (state.st_mtime_ns, state.st_size)
    return found


def _files(path: Path) -> Iterator[Path]:
    """Sources and headers below a directory, or beside a file; configuration too."""
    suffixes = CUDA | HEADERS | SOURCES
    for directory, folders, names in os.walk(path if path.is_dir() else path.parent):
        folders[:] = [name for name in folders if name not in NEVER] if path.is_dir() else []
        for name in names:
            if name in _CONFIGURATION or Path(name).suffix.lower() in suffixes:
                yield Path(directory) / name
