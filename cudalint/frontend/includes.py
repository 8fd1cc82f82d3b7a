"""Where a project keeps a header that no include path names: found by looking near the file, then anywhere in
its project, read-only and cached.

Without a compilation database the include paths are unknown. The includes of a file (and of the project
headers that it reaches) are read from the text; one that resolves nowhere is looked for in the folders
around the file, then by its whole name among all headers of the project.
"""

import os
import re
from functools import lru_cache

from msgspec import Struct

from cudalint.frontend import project_headers
from cudalint.frontend.stand_ins import stand_in

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include(?:_next)?[ \t]*([<"])([^">\n]+)[">]', re.MULTILINE)
_COMMON_FOLDERS = (
    "",
    "include",
    "inc",
    "common",
    "Common",
    "src",
    "utils",
    "util",
    "common/inc",
    "includes",
    "kernels",
)
_LEVELS_UP = 5
_MAX_FILES = 1000
_MAX_BYTES = 4_000_000


class Search(Struct, frozen=True):
    """What makes includes resolve. directories: to add to the include paths. stand_ins: (path below the
    folder of stand-ins, text) of the headers of known libraries that are nowhere.
    """

    directories: tuple[str, ...]
    stand_ins: tuple[tuple[str, str], ...] = ()


def search(path: str, text: str | None, include_paths: tuple[str, ...], root: str | None = None) -> Search:
    """What to add so that the includes of `path` resolve as far as possible."""
    start = os.path.dirname(os.path.abspath(path))
    project = os.path.abspath(root) if root else project_headers.top(start)
    candidates = _candidates(start, project or _boundary(start))
    added: list[str] = []
    seen: set[str] = set()
    nowhere: dict[str, str] = {}
    queue = [(start, _includes_of_text(text) if text is not None else _includes(path))]
    while queue and len(seen) < _MAX_FILES:
        folder, includes = queue.pop()
        for quoted, name in includes:
            resolved = _resolve(folder, quoted, name, include_paths, added)
            if resolved is None:
                resolved = _look_around(name, candidates, added)
            if resolved is None and project is not None:
                resolved = _look_in_project(name, folder, project, added)
            if resolved is None and (instead := stand_in(name)):
                nowhere[name] = instead
            if resolved is None or resolved in seen or resolved.startswith(include_paths[-1]):
                continue
            seen.add(resolved)
            queue.append((os.path.dirname(resolved), _includes(resolved)))
    return Search(tuple(added), tuple(nowhere.items()))


def _resolve(folder: str, quoted: bool, name: str, paths: tuple[str, ...], added: list[str]) -> str | None:
    folders = ([folder] if quoted else []) + list(paths) + added
    return next((p for f in folders if _is_file(p := os.path.normpath(os.path.join(f, name)))), None)


def _look_around(name: str, candidates: tuple[str, ...], added: list[str]) -> str | None:
    for folder in candidates:
        found = os.path.normpath(os.path.join(folder, name))
        if _is_file(found):
            added.append(folder)
            return found
    return None


def _look_in_project(name: str, folder: str, project: str, added: list[str]) -> str | None:
    directory = project_headers.directory_for(name, folder, project)
    if directory is None:
        return None
    added.append(directory)
    return os.path.normpath(os.path.join(directory, name))


@lru_cache(maxsize=4096)
def _candidates(start: str, boundary: str) -> tuple[str, ...]:
    """The folder itself and its parents up to the boundary, each with its usual homes of headers, nearest
    first.
    """
    found: list[str] = []
    current = start
    for _ in range(_LEVELS_UP):
        found += [
            f
            for name in _COMMON_FOLDERS
            if os.path.isdir(f := os.path.join(current, name) if name else current)
        ]
        parent = os.path.dirname(current)
        if current == boundary or parent == current:
            break
        current = parent
    return tuple(found)


@lru_cache(maxsize=1024)
def _boundary(start: str) -> str:
    """The top of the repository, or the filesystem's root."""
    current = start
    while not os.path.exists(os.path.join(current, ".git")):
        parent = os.path.dirname(current)
        if parent == current:
            break
        current = parent
    return current


@lru_cache(maxsize=65536)
def _is_file(path: str) -> bool:
    return os.path.isfile(path)


@lru_cache(maxsize=4096)
def _includes(path: str) -> tuple[tuple[bool, str], ...]:
    try:
        if os.path.getsize(path) > _MAX_BYTES:
            return ()
        with open(path, encoding="utf-8", errors="replace") as stream:
            return _includes_of_text(stream.read())
    except OSError:
        return ()


def _includes_of_text(text: str) -> tuple[tuple[bool, str], ...]:
    return tuple((quote == '"', name.strip()) for quote, name in _INCLUDE.findall(text))
