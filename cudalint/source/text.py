"""Source text as every part of the engine sees it: one code point a column, lines ended by \\n, \\r\\n or
\\r.
"""

import errno
import os
import re
import stat
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

LARGEST = 64 * 2**20  # bytes of a file that is read: no source is longer
_COMMAND = re.compile(r"\A(\s*)::(?!:)")
_LINE_END = re.compile(r"\r\n|\n|\r")


def decode(data: bytes) -> str:
    """UTF-8 text; a byte that is not becomes one code point, and comes back unchanged from `encode`."""
    return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", errors="surrogateescape")


def encode(text: str) -> bytes:
    return text.encode("utf-8", errors="surrogateescape")


def split(text: str) -> tuple[str, ...]:
    """The lines without their ends."""
    return tuple(_LINE_END.split(text))


def read_bytes(path: str | Path) -> bytes:
    """The contents of a file. OSError also for what is no regular file (a pipe never ends, nor does a device
    that a link leads to) and for what is too large to be source.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(descriptor, "rb") as stream:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file")
        if found.st_size > LARGEST:
            raise OSError(errno.EFBIG, f"it is larger than {LARGEST // 2**20} MiB")
        return stream.read(LARGEST)


def read_lines(path: str) -> tuple[str, ...]:
    """The lines of a file; none when it cannot be read."""
    try:
        return split(decode(read_bytes(path)))
    except OSError:
        return ()


def printable(text: str) -> str:
    """Text for a terminal or a report: lone surrogates and control characters replaced."""
    clean = text.encode("utf-8", errors="surrogateescape").decode("utf-8", errors="replace")
    return "".join(c if c == "\t" or c.isprintable() or c == "\n" else "\ufffd" for c in clean)


def without_azure(text: str) -> str:
    """Text without the commands of Azure's pipelines, and of the older ones of GitHub."""
    return text.replace("##[", "##\u200b[").replace("##vso[", "##\u200bvso[")


def one_line(text: str) -> str:
    """Printable text without line ends, in which no CI system finds a command: theirs begin a line, or are
    `##[...]` anywhere in it.
    """
    row = (
        printable(text).replace("\n", "\ufffd").replace("##[", "##\u200b[").replace("##vso[", "##\u200bvso[")
    )
    return _COMMAND.sub("\\1:\u200b:", row)


def as_lines(rows: Iterable[str]) -> str:
    """Rows as a text: each of them is one line, in which nothing acts."""
    return "".join(one_line(row) + "\n" for row in rows)


@lru_cache(maxsize=4096)
def shown(path: str) -> str:
    """A path as reports print it: relative to the working directory, with forward slashes."""
    if not path or path.startswith("<"):
        return path
    try:
        return Path(os.path.relpath(path)).as_posix()
    except ValueError:  # another drive
        return Path(path).as_posix()


def display_path(path: str, directory: str) -> str:
    """A path as spans of a unit have it: posix, relative to `directory` when the file lies under it."""
    absolute = os.path.normpath(os.path.join(directory, path))
    prefix = directory.rstrip(os.sep) + os.sep
    if absolute.startswith(prefix):
        return Path(absolute[len(prefix) :]).as_posix()
    return Path(absolute).as_posix()


class Sources:
    """Lines of files by path, read once. `given` holds text that is not on disk (standard input)."""

    def __init__(self, given: dict[str, str] | None = None) -> None:
        self._lines = {path: split(text) for path, text in (given or {}).items()}

    def lines(self, path: str) -> tuple[str, ...]:
        if path not in self._lines:
            self._lines[path] = read_lines(path)
        return self._lines[path]

    def line(self, path: str, number: int) -> str:
        """Line `number` (1-based), '' when there is none."""
        lines = self.lines(path)
        return lines[number - 1] if 0 < number <= len(lines) else ""
