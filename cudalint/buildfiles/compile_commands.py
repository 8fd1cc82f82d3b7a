"""compile_commands.json: the command line that the build uses for a file.

Only text is read: nothing that a command names is run or loaded, and what of it reaches the parser is
decided in `flags`.
"""

import json
import os
import shlex
from functools import lru_cache
from typing import Any

from msgspec import Struct

NAME = "compile_commands.json"
_MAX_BYTES = 256_000_000


class DatabaseError(Exception):
    """A compilation database cannot be used; the message names it and the way out."""


class Command(Struct, frozen=True):
    """One entry. arguments: without the compiler; directory: what its paths are relative to; compiler: as it
    is written.
    """

    arguments: tuple[str, ...]
    directory: str
    compiler: str = ""


class Database(Struct, frozen=True):
    """The entries of one file by absolute source path; of several for one source the first counts."""

    path: str
    commands: dict[str, Command]

    def command(self, source: str) -> Command | None:
        """The command of a source, None when the build does not compile it by itself."""
        whole = os.path.normpath(os.path.abspath(source))
        return self.commands.get(whole) or self.commands.get(os.path.realpath(whole))


def command_for(source: str, given: str | None) -> Command | None:
    """The command of a source in the database given, or in the nearest one at or above it."""
    found = locate(source, given)
    return None if found is None else read(found).command(source)


def locate(source: str, given: str | None) -> str | None:
    """The database's path: the one given (a folder or the file itself), else that of the nearest folder."""
    if given is None:
        return _nearest(os.path.dirname(os.path.abspath(source)))
    path = os.path.join(given, NAME) if os.path.isdir(given) else given
    if not os.path.isfile(path):
        raise DatabaseError(f"{given}: contains no {NAME}; pass the directory that your build writes it to")
    return os.path.abspath(path)


@lru_cache(maxsize=4096)
def _nearest(folder: str) -> str | None:
    own = os.path.join(folder, NAME)
    if os.path.isfile(own):
        return own
    parent = os.path.dirname(folder)
    return None if parent == folder else _nearest(parent)


@lru_cache(maxsize=16)
def read(path: str) -> Database:
    """Read and check a database."""
    try:
        if os.path.getsize(path) > _MAX_BYTES:
            raise DatabaseError(
                f"{path}: is larger than {_MAX_BYTES // 10**6} MB; pass a smaller one with -p"
            )
        with open(path, encoding="utf-8", errors="surrogateescape") as stream:
            entries = json.load(stream)
    except OSError as error:
        raise DatabaseError(
            f"{path}: cannot be read: {error.strerror or error}; pass another one with -p"
        ) from error
    except (ValueError, RecursionError) as error:
        raise DatabaseError(f"{path}: is not valid JSON: {error}; regenerate it") from error
    if not isinstance(entries, list):
        raise DatabaseError(f"{path}: is not a list of commands; regenerate it")
    commands: dict[str, Command] = {}
    for number, entry in enumerate(entries):
        source, command = _entry(path, number, entry)
        commands.setdefault(source, command)
        commands.setdefault(os.path.realpath(source), command)
    return Database(path, commands)


def _entry(path: str, number: int, entry: Any) -> tuple[str, Command]:
    """Source and command of one entry; paths are relative to the database where it names no directory."""
    wrong = DatabaseError(
        f"{path}: entry {number + 1} has no 'file' with 'command' or 'arguments'; regenerate it"
    )
    if not isinstance(entry, dict) or not isinstance(entry.get("file"), str):
        raise wrong
    directory = entry.get("directory", ".")
    arguments = words_of(entry)
    if arguments is None or not isinstance(directory, str):
        raise wrong
    directory = os.path.normpath(os.path.join(os.path.dirname(path), directory))
    source = os.path.normpath(os.path.join(directory, entry["file"]))
    return source, Command(tuple(arguments[1:]), directory, arguments[0] if arguments else "")


def words_of(entry: dict[str, Any]) -> list[str] | None:
    """The words of an entry's command; None where it has none that can be read."""
    arguments = entry.get("arguments")
    if arguments is None and isinstance(entry.get("command"), str):
        try:
            return shlex.split(entry["command"])
        except ValueError:
            return None
    if not isinstance(arguments, list) or not all(isinstance(word, str) for word in arguments):
        return None
    return arguments
