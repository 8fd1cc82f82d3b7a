"""The sources of a project by what they say: which hold a word, which read a header."""

import os
import re
from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate

from msgspec import Struct

from cudalint.buildfiles.project import top
from cudalint.frontend.includes import SHIM, search
from cudalint.source.comments import code
from cudalint.source.state import State, state
from cudalint.source.text import decode, read_bytes

_SOURCES = (".cu", ".cuh", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".hxx", ".hh", ".inl", ".c")
_SKIPPED = frozenset(("node_modules", "__pycache__", "site-packages", "build"))
_MOST = 4_000  # files of a project
_LARGEST = 400_000  # bytes of one
_MOST_BYTES = 48 << 20  # of all that are kept in memory


def project(path: str) -> str:
    """The folder that holds all files which may launch what a file defines."""
    folder = os.path.dirname(os.path.abspath(path))
    return top(folder) or folder


_seen: dict[str, tuple[State, ...]] = {}  # the states of a project's sources when they were read


def refresh(within: str) -> None:
    """Forget what was read of a project that has changed since."""
    known = _seen.get(within)
    if known is not None and known != tuple(map(state, _sources(within))):
        for cache in (_sources, content, text, reads, _containing, _joined):
            cache.cache_clear()
        known = None
    if known is None:
        _seen[within] = tuple(map(state, _sources(within)))


def containing(word: str, near: str, within: str) -> tuple[str, ...]:
    """The sources of a project that hold a word, nearest to a file first."""
    here = os.path.dirname(os.path.abspath(near)).split(os.sep)
    return tuple(sorted(_containing(word, within), key=lambda path: (_apart(path.split(os.sep), here), path)))


def _apart(path: list[str], here: list[str]) -> int:
    """Folders on the way from one to the other."""
    common = next((i for i, (a, b) in enumerate(zip(path, here, strict=False)) if a != b), len(here))
    return len(path) + len(here) - 2 * common


@lru_cache(maxsize=512)
def _containing(word: str, within: str) -> tuple[str, ...]:
    wanted, held = word.encode(), _joined(within)
    whole = re.compile(rb"\b%b\b" % re.escape(wanted))
    found: list[str] = []
    at = held.data.find(wanted)
    while at >= 0:
        number = bisect_right(held.starts, at) - 1
        end = held.starts[number + 1]
        if whole.search(held.data, at, end) is not None:
            found.append(held.paths[number])
        at = held.data.find(wanted, end)
    return tuple(found)


class _Joined(Struct, frozen=True):
    """The sources of a project as one text. starts: of each, and the end of the last one; what stands between
    two is no part of a word.
    """

    paths: tuple[str, ...]
    starts: list[int]
    data: bytes


@lru_cache(maxsize=4)
def _joined(within: str) -> _Joined:
    paths = _sources(within)
    texts = [_read(path) + b"\n" for path in paths]
    return _Joined(paths, list(accumulate(map(len, texts), initial=0)), b"".join(texts))


@lru_cache(maxsize=4)
def _sources(folder: str) -> tuple[str, ...]:
    found: list[str] = []
    size = 0
    for directory, names, files in os.walk(folder):
        names[:] = sorted(name for name in names if not name.startswith(".") and name not in _SKIPPED)
        for file in sorted(files):
            path = os.path.join(directory, file)
            if file.endswith(_SOURCES) and len(found) < _MOST and size < _MOST_BYTES:
                length = (*state(path), 0, 0)[1]
                if length <= _LARGEST:
                    size += length
                    found.append(path)
    return tuple(found)


@lru_cache(maxsize=2 * _MOST)
def content(path: str) -> bytes:
    return _read(path)


def _read(path: str) -> bytes:
    try:
        return read_bytes(path)
    except OSError:
        return b""


@lru_cache(maxsize=256)
def text(path: str) -> str:
    """The code of a source, without comments."""
    return code(decode(content(path)))


@lru_cache(maxsize=256)
def reads(path: str) -> frozenset[str]:
    """The files that a source reads, itself too."""
    found = (os.path.abspath(one) for one in search(path, None, (SHIM,)).files)
    return frozenset((os.path.abspath(path), *found))
