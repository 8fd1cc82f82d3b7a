"""Which files to lint: those named, and in directories `.cu`, `.cuh` and C++ files that contain kernels."""

import os
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from cudalint.buildfiles.compile_commands import DatabaseError, command_for
from cudalint.errors import UsageError
from cudalint.settings import config
from cudalint.settings.config import Settings
from cudalint.source.text import read_bytes, shown

CUDA = frozenset([".cu"])
HEADERS = frozenset([".cuh", ".h", ".hpp", ".hh", ".hxx", ".inl", ".h++"])
SOURCES = frozenset([".cpp", ".cc", ".cxx", ".c++", ".c"])
NEVER = frozenset([".git", ".hg", ".svn", "node_modules", "__pycache__"])
_KERNEL = b"__global__"


class Candidate(Struct, frozen=True):
    """A file to lint. header: only by itself when no linted unit includes it."""

    path: str
    settings: Settings
    header: bool


class Plan(Struct, frozen=True):
    """Files in order, each once; messages about paths that gave none; missing: those paths that do not
    exist; roots: the paths that were given, links resolved, which bound what a fix may write.
    """

    candidates: tuple[Candidate, ...]
    messages: tuple[str, ...]
    missing: tuple[tuple[str, str], ...]
    roots: tuple[str, ...] = ()

    def may_change(self, path: str) -> bool:
        """Whether a file is one of the paths given or below one; a link counts as what it leads to."""
        real = Path(os.path.realpath(path))
        return any(real.is_relative_to(root) for root in self.roots)


def discover(paths: tuple[str, ...], isolated: bool, override: dict[str, Any]) -> Plan:
    """Look at every path; what is wrong with one does not keep the others from being linted."""
    found: dict[str, Candidate] = {}
    messages: list[str] = []
    missing: list[tuple[str, str]] = []
    for path in paths:
        try:
            settings = config.override(config.for_path(path, isolated), **override)
        except UsageError as error:
            messages.append(str(error))
            continue
        if settings.force_exclude and excluded(Path(path), settings):
            continue
        if Path(path).is_dir():
            walked = 0
            for file in _walk(Path(path), settings):
                walked += 1
                if shown(str(file)) not in found:
                    _add_walked(file, isolated, override, found, messages)
            if not walked:
                messages.append(
                    f"{shown(path)}: no CUDA source (.cu, .cuh, C++ with __global__) in this directory "
                    "that is not excluded"
                )
        elif os.path.lexists(path) and (Path(path).is_file() or not Path(path).is_fifo()):
            found.setdefault(shown(path), _candidate(path, settings))
        else:
            reason = "is not a regular file" if os.path.lexists(path) else "no such file or directory"
            missing.append((shown(path), f"{reason}; check the path"))
    messages += _unusable_databases(found.values())
    roots = tuple(os.path.realpath(path) for path in paths)
    return Plan(tuple(found.values()), tuple(dict.fromkeys(messages)), tuple(missing), roots)


def _add_walked(
    file: Path, isolated: bool, override: dict[str, Any], found: dict[str, Candidate], messages: list[str]
) -> None:
    """A file of a directory, with the settings of the configuration nearest above it."""
    try:
        own = config.for_path(str(file), isolated)
        if not _excluded(file, False, own):
            found[shown(str(file))] = _candidate(str(file), config.override(own, **override))
    except UsageError as error:
        messages.append(str(error))


def _unusable_databases(candidates: Iterable[Candidate]) -> Iterator[str]:
    """What is wrong with the compilation databases of the files; a good one is then known to all workers."""
    for candidate in candidates:
        try:
            command_for(candidate.path, candidate.settings.compile_commands)
        except DatabaseError as error:
            yield str(error)


def _candidate(path: str, settings: Settings) -> Candidate:
    return Candidate(shown(path), settings, Path(path).suffix.lower() in HEADERS)


def _walk(root: Path, settings: Settings) -> Iterator[Path]:
    ignores = _Ignores(root, settings)
    for directory, names, files in os.walk(root):
        here = Path(directory)
        names[:] = sorted(
            name for name in names if name not in NEVER and not ignores.match(here / name, directory=True)
        )
        for name in sorted(files):
            file = here / name
            if is_cuda(file) and not ignores.match(file, directory=False):
                yield file


def is_cuda(file: Path) -> bool:
    """`.cu` and `.cuh` by name, other C++ by a kernel in it."""
    suffix = file.suffix.lower()
    if suffix in CUDA or suffix == ".cuh":
        return True
    if suffix not in HEADERS and suffix not in SOURCES:
        return False
    try:
        return _KERNEL in read_bytes(file)
    except OSError:
        return False


class _Ignores:
    """`.gitignore` files from the repository's root down to a file's folder, and the `exclude` patterns."""

    def __init__(self, root: Path, settings: Settings) -> None:
        self._settings = settings
        self._top = _repository(root.absolute())

    def match(self, path: Path, directory: bool) -> bool:
        if _excluded(path, directory, self._settings):
            return True
        if not self._settings.respect_gitignore:
            return False
        whole = Path(os.path.abspath(path))
        for folder in whole.parents:
            spec = _gitignore(folder)
            if spec is not None:
                verdict = _verdict(spec, whole.relative_to(folder).as_posix(), directory)
                if verdict is not None:
                    return verdict
            if folder == self._top:
                break
        return False


def _verdict(spec: Any, path: str, directory: bool) -> bool | None:
    """Whether a `.gitignore` names a path below it; None where it says nothing. Of a directory the last
    pattern that matches decides, so that `!*/` takes back what `*` says.
    """
    if not directory:
        found = spec.check_file(path).include
        return None if found is None else bool(found)
    matching = (
        p.include for p in reversed(spec.patterns) if p.include is not None and p.match_file(f"{path}/")
    )
    return next(matching, None)


def excluded(path: Path, settings: Settings) -> bool:
    """Whether the `exclude` patterns match a path or a folder above it."""
    folders = [
        folder for folder in path.absolute().parents if folder.is_relative_to(Path(settings.root).absolute())
    ]
    return _excluded(path, path.is_dir(), settings) or any(_excluded(f, True, settings) for f in folders)


def _excluded(path: Path, directory: bool, settings: Settings) -> bool:
    """Whether the `exclude` patterns of the settings match."""
    return bool(settings.exclude) and matches(settings.exclude, path, settings.root, directory)


def matches(patterns: tuple[str, ...], path: str | Path, root: str, directory: bool = False) -> bool:
    """Whether one of the patterns (gitignore syntax), which are relative to the root, matches the path."""
    base = Path(root).absolute()
    whole = Path(os.path.abspath(path))
    if not whole.is_relative_to(base):
        return False
    relative = whole.relative_to(base).as_posix() + ("/" if directory else "")
    return bool(_patterns(patterns).match_file(relative))


@lru_cache(maxsize=256)
def _patterns(lines: tuple[str, ...]) -> Any:
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(lines)


@lru_cache(maxsize=4096)
def _gitignore(folder: Path) -> Any:
    file = folder / ".gitignore"
    try:
        text = read_bytes(file).decode("utf-8", errors="replace")
    except OSError:
        return None
    return _patterns(tuple(text.splitlines()))


def _repository(start: Path) -> Path:
    """The repository's top folder; without one, the folder itself."""
    for folder in (start, *start.parents):
        if (folder / ".git").exists():
            return folder
    return start
