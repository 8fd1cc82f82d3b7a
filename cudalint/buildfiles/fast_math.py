"""Whether a source is compiled with -use_fast_math, as far as the files of its build tell."""

import os
import re
from contextlib import suppress
from functools import lru_cache

from cudalint.buildfiles import places
from cudalint.buildfiles.compile_commands import DatabaseError, command_for

_MOST_FOLDERS = 12
_NAMES = frozenset(["makefile", "gnumakefile", "cmakelists.txt", "meson.build"])
_ENDINGS = (".mk", ".cmake")
_ASKED = re.compile(r"^[^#\n]*\b(?:use_fast_math|ffast-math)\b", re.MULTILINE)


def fast_math(source: str, database: str | None) -> bool | None:
    """True where a build file next to the source or above it names the option anywhere, outside comments:
    what it stands under only the build knows. False where a command that was read, or build files, lack it.
    None where there is neither.
    """
    with suppress(DatabaseError):
        if command_for(source, database) is not None:
            return False  # the frontend has read the command itself
    return _around(os.path.dirname(os.path.abspath(source)))


@lru_cache(maxsize=4096)
def _around(folder: str, left: int = _MOST_FOLDERS) -> bool | None:
    """What the build files of a folder and of those above it say, as far as the repository's top."""
    said = {_ASKED.search(places.text(path)) is not None for path in _files(folder)}
    parent = os.path.dirname(folder)
    if left > 1 and parent != folder and not os.path.exists(os.path.join(folder, ".git")):
        above = _around(parent, left - 1)
        said |= set() if above is None else {above}
    return any(said) if said else None


def _files(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.path for entry in entries if _builds(entry.name) and entry.is_file()]
    except OSError:
        return []


def _builds(name: str) -> bool:
    return name.lower() in _NAMES or name.lower().endswith(_ENDINGS)
