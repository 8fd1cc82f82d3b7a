"""Entries on disk that a later run may read instead of working them out: found by key, decoded by type.

An entry is a file of its own that starts with a digest of its key and of what it holds, and comes to its
place by renaming: several runs at once, or one that is killed, leave no half of one. What cannot be read, is
damaged or belongs to another key is no entry. The folder has to be the user's own: nobody else may write what
is read here.
"""

import hashlib
import os
import stat
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from cudalint.errors import UsageError

_T = TypeVar("_T")

_ROOM = "entries"  # below the folder: all that is ours in it
_DIGEST = 20  # bytes
_LARGEST = 2**26  # bytes of one entry
_MOST = 2**28  # bytes of all entries
_SHARE = 0.75  # of it that is left when the oldest have gone
_USED = 3600.0  # seconds until a use of an entry is noted again
_LEFT = 3600.0  # seconds after which what a killed run was writing is swept away
_HALF = ".part"
_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# Results of cudalint; `cudalint clean` removes them.\n"


def usual_folder() -> str | None:
    """CUDALINT_CACHE_DIR, else the folder that the system has for caches; None where there is none."""
    if named := os.environ.get("CUDALINT_CACHE_DIR"):
        return os.path.abspath(named)
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        above = os.environ.get("LOCALAPPDATA", "")
    elif sys.platform == "darwin":
        above = os.path.join(home, "Library", "Caches")
    else:
        above = os.environ.get("XDG_CACHE_HOME", "")
        above = above if os.path.isabs(above) else os.path.join(home, ".cache")
    return os.path.join(above, "cudalint") if os.path.isabs(above) else None


def digest(*parts: bytes) -> bytes:
    """One digest of several parts in order."""
    found = hashlib.blake2b(digest_size=_DIGEST)
    for part in parts:
        found.update(len(part).to_bytes(8, "little"))
        found.update(part)
    return found.digest()


def packed(value: Any) -> bytes:
    """A value as MessagePack, numpy's numbers as plain ones. TypeError and OverflowError where it has no form
    there.
    """
    return msgspec.msgpack.encode(value, enc_hook=_plain)


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} cannot be kept")


def opened(folder: str) -> "Store":
    """The store in a folder, which is made where it is missing. UsageError where it cannot be used."""
    try:
        room = os.path.join(folder, _ROOM)
        os.makedirs(room, mode=0o700, exist_ok=True)
        if any(_others_write(path) for path in (folder, room)):
            raise UsageError(f"cache {folder}: others can write there, so it is not used; pass --cache-dir")
        tag = Path(folder, "CACHEDIR.TAG")
        if not tag.exists():
            tag.write_text(_TAG, encoding="ascii")
    except OSError as error:
        why = error.strerror or error
        raise UsageError(f"cache {folder}: cannot be used: {why}; pass another --cache-dir") from error
    return Store(folder)


def _others_write(path: str) -> bool:
    found = os.lstat(path)
    mine = not hasattr(os, "geteuid") or found.st_uid == os.geteuid()
    return not stat.S_ISDIR(found.st_mode) or not mine or (os.name == "posix" and bool(found.st_mode & 0o022))


class Store:
    """The entries below one folder."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def read(self, key: bytes, type: type[_T]) -> _T | None:
        """What was kept under a key; None where nothing was, or it cannot be told to be that."""
        path = self._path(key)
        try:
            with open(path, "rb") as stream:
                found = os.fstat(stream.fileno())
                data = stream.read(_LARGEST + 1) if stat.S_ISREG(found.st_mode) else b""
        except OSError:
            return None
        if len(data) > _LARGEST or data[:_DIGEST] != digest(key, data[_DIGEST:]):
            return None
        try:
            value = msgspec.msgpack.decode(data[_DIGEST:], type=type)
        except (msgspec.DecodeError, RecursionError):
            return None
        if time.time() - found.st_mtime > _USED:
            with suppress(OSError):
                os.utime(path)
        return value

    def write(self, key: bytes, value: Any) -> None:
        """Keep a value under a key, as far as that is possible."""
        try:
            payload = packed(value)
        except (TypeError, OverflowError, RecursionError):
            return
        path = self._path(key)
        half = ""
        try:
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            handle, half = tempfile.mkstemp(_HALF, "", os.path.dirname(path))
            with open(handle, "wb") as stream:
                stream.write(digest(key, payload) + payload)
            os.replace(half, path)
        except OSError:
            if half:
                with suppress(OSError):
                    os.unlink(half)

    def prune(self, most: int = _MOST) -> None:
        """Remove what killed runs left, and the entries used longest ago where all take more bytes than
        `most`.
        """
        now = time.time()
        entries = []
        for path, found in self._files():
            if not path.endswith(_HALF):
                entries.append((found.st_mtime, found.st_size, path))
            elif now - found.st_mtime > _LEFT:
                _remove(path)
        total = sum(size for _, size, _ in entries)
        if total <= most:
            return
        for _, size, path in sorted(entries):
            if total <= most * _SHARE:
                break
            _remove(path)
            total -= size

    def clean(self) -> tuple[int, int]:
        """Remove all entries: their number and bytes."""
        removed = [found.st_size for path, found in self._files() if _remove(path)]
        return len(removed), sum(removed)

    def _files(self) -> list[tuple[str, os.stat_result]]:
        found = []
        with suppress(OSError):
            for shard in os.scandir(os.path.join(self.folder, _ROOM)):
                if shard.is_dir(follow_symlinks=False):
                    found += _stated(shard.path)
        return found

    def _path(self, key: bytes) -> str:
        name = key.hex()
        return os.path.join(self.folder, _ROOM, name[:2], name[2:])


def _stated(folder: str) -> list[tuple[str, os.stat_result]]:
    """The files of a folder; another run may remove some meanwhile."""
    found = []
    with suppress(OSError):
        for entry in os.scandir(folder):
            with suppress(OSError):
                found.append((entry.path, entry.stat(follow_symlinks=False)))
    return found


def _remove(path: str) -> bool:
    try:
        os.unlink(path)
    except OSError:
        return False
    return True
