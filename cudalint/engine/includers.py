"""The units through which an included file is judged in an editor: those near it, as the text says."""

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from cudalint.engine.discovery import CUDA, HEADERS, NEVER, SOURCES
from cudalint.source.state import State, state
from cudalint.source.text import read_bytes

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]', re.MULTILINE)
_UNITS = CUDA | SOURCES
_TOPS = (".git", "cudalint.toml", "pyproject.toml", "CMakeLists.txt")  # what the top of a project holds
_MOST_FILES = 2_000  # that are looked into
_MOST_UNITS = 4


def includers(path: str) -> tuple[str, ...]:
    """Paths of units that include a file, directly or through other headers: those of the lowest folder above
    it that has any, up to the top of its project (where none is seen: its own folder); () where none does.
    """
    file = Path(path).absolute()
    for folder in _folders(file):
        includes = {one: _included(str(one), state(str(one))) for one in _files(folder)}
        if found := _reaching(file, includes):
            return tuple(map(str, found))
    return ()


def _folders(file: Path) -> tuple[Path, ...]:
    """The folders above a file up to the top of its project."""
    for number, folder in enumerate(file.parents, 1):
        if any((folder / name).exists() for name in _TOPS):
            return tuple(file.parents)[:number]
    return (file.parent,)


def _files(folder: Path) -> Iterator[Path]:
    """Sources and headers below a folder."""
    count = 0
    for directory, names, files in os.walk(folder):
        names[:] = sorted(name for name in names if name not in NEVER and not name.startswith("."))
        for name in sorted(files):
            if Path(name).suffix.lower() in _UNITS | HEADERS:
                count += 1
                if count > _MOST_FILES:
                    return
                yield Path(directory) / name


@lru_cache(maxsize=2 * _MOST_FILES)
def _included(path: str, now: State) -> tuple[str, ...]:
    """The headers that a file names, as written; `now` is its state on disk."""
    try:
        return tuple(name.decode("utf-8", "replace") for name in _INCLUDE.findall(read_bytes(path)))
    except OSError:
        return ()


def _reaching(file: Path, includes: dict[Path, tuple[str, ...]]) -> list[Path]:
    """The units that include a file and that no other includes, the nearest first."""
    found: list[Path] = []
    seen, todo = {file}, [file]
    while todo and len(found) < _MOST_UNITS:
        wanted = todo.pop(0)
        around = [one for one, names in includes.items() if any(_names(one, n, wanted) for n in names)]
        if not around and wanted is not file and wanted.suffix.lower() in _UNITS:
            found.append(wanted)
        todo += [one for one in around if one not in seen]
        seen.update(around)
    return found


def _names(includer: Path, name: str, wanted: Path) -> bool:
    """Whether an #include means a file: it lies where it is looked for first, or ends as the name does."""
    if os.path.normpath(includer.parent / name) == str(wanted):
        return True
    parts = Path(name).parts
    return ".." not in parts and wanted.parts[-len(parts) :] == parts
