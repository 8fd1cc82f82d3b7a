"""The shim's prelude, parsed once a process: without this, it is half of the time that a small file takes."""

from __future__ import annotations

import os
import tempfile
from typing import Any

from clang import cindex

_PRELUDE = "cudalint_prelude.h"
_WORTH_IT = 2  # parses with the same flags after which another one is expected
_MOST_KINDS = 4  # of flags that are kept a process
_INCLUSION = ("-I", "-isystem", "-iquote", "-idirafter")
# CXTranslationUnit_Incomplete, ForSerialization: a header by itself, to be saved.
_HEADER = 0x02 | 0x10


class Preludes:
    """Preludes of one process by the flags they were parsed with. '' marks flags that allow none."""

    __slots__ = ("_files", "_uses")

    def __init__(self) -> None:
        self._uses: dict[tuple[str, ...], int] = {}
        self._files: dict[tuple[str, ...], str] = {}

    def arguments(self, index: Any, arguments: tuple[str, ...], shim: str) -> tuple[str, ...]:
        """The arguments with the parsed prelude in place of the header, once that pays."""
        place = _inclusion(arguments)
        if place is None:
            return arguments
        key = _flags((*arguments[:place], *arguments[place + 2 :]))
        if key is None:
            return arguments
        uses = self._uses[key] = self._uses.get(key, 0) + 1
        if uses > _WORTH_IT and key not in self._files and len(self._files) < _MOST_KINDS:
            self._files[key] = _made(index, os.path.join(shim, _PRELUDE), [*key, f"-I{shim}"])
        path = self._files.get(key, "")
        if not path:
            return arguments
        return (*arguments[:place], "-include-pch", path, *arguments[place + 2 :])


def _inclusion(arguments: tuple[str, ...]) -> int | None:
    """The position of `-include cudalint_prelude.h`; None where the flags include something else too."""
    found = [i for i, a in enumerate(arguments) if a in ("-include", "-imacros", "-include-pch")]
    if len(found) == 1 and arguments[found[0] + 1] == _PRELUDE:
        return found[0]
    return None


def _flags(arguments: tuple[str, ...]) -> tuple[str, ...] | None:
    """The arguments without include directories, which change nothing of the prelude."""
    kept: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        if argument in _INCLUSION:
            next(rest, None)
        elif not argument.startswith("-I"):
            kept.append(argument)
    return tuple(kept)


def _made(index: Any, header: str, arguments: list[str]) -> str:
    """A path under which this process and those it forks read the parsed prelude; '' where none can be made.

    The file has no name any more when this returns: nothing is left behind however the process ends.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="cudalint-") as folder:
            path = os.path.join(folder, "prelude.pch")
            index.parse(header, args=arguments, options=_HEADER).save(path)
            opened = f"/proc/self/fd/{os.open(path, os.O_RDONLY | os.O_CLOEXEC)}"
    except (OSError, cindex.TranslationUnitLoadError, cindex.TranslationUnitSaveError):
        return ""
    return opened if os.path.exists(opened) else ""
