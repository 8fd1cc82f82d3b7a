"""The headers that a project's tree holds, by name: which folder resolves an include that no path resolves.

The tree of a project is walked once a process, nearest folders first, to a limit.
"""

import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import lru_cache

from msgspec import Struct

_HEADER = (
    ".h",
    ".hpp",
    ".hh",
    ".hxx",
    ".h++",
    ".cuh",
    ".inl",
    ".inc",
    ".ipp",
    ".tcc",
    ".tpp",
    ".icc",
    ".def",
)
_MADE = re.compile(r"(.+?)(?:\.cmake)?(?:\.in|\.cmake|\.tmpl|\.template)")
_CONFIGURED = re.compile(r"\bconfigure_file\s*\(\s*\"?([^\s\")]+)\"?\s+\"?([^\s\")]+)", re.IGNORECASE)
_SKIPPED = frozenset(("node_modules", "__pycache__", "CMakeFiles", "site-packages"))
_MOST_FOLDERS = 20_000


def directory_for(name: str, folder: str, project: str) -> str | None:
    """The folder of the project from which an include of `name` in a file of `folder` is found, or None.

    Of several headers whose path ends in the name, the one nearest to the file counts, then the one that is
    least deep. `../` at the start of a name stays a step up from the folder that is returned.
    """
    climbed, wanted = _parts(name)
    if not wanted or ".." in wanted or len(climbed) >= len(wanted):
        return None
    ending = "/" + "/".join(wanted)
    found = [path for path in headers(project).get(wanted[-1], ()) if f"/{path}".endswith(ending)]
    if not found:
        return None
    best = _nearest(found, folder, project)
    base = os.path.join(project, f"/{best}"[: -len(ending)].lstrip("/"))
    return os.path.normpath(os.path.join(base, *wanted[: len(climbed)]))


def template_of(name: str, folder: str, project: str) -> str | None:
    """The path of the template from which a build makes the header (`config.h.in`), or None: one whose
    folders are those of the include, else the nearest.
    """
    _, wanted = _parts(name)
    found = _tree(project).templates.get(wanted[-1], ()) if wanted else ()
    if not found:
        return _copied("/".join(wanted), project) if wanted else None
    folders = "/" + "/".join(wanted[:-1])
    same = [path for path in found if f"/{os.path.dirname(path)}".endswith(folders)]
    return os.path.join(project, _nearest(same or found, folder, project))


def _copied(name: str, project: str) -> str | None:
    """What CMake's lists say the header of this name is made from, as in `configure_file(a.h b/c.h)`."""
    for source, made in _configured(project):
        if f"/{made}".endswith(f"/{name}"):
            last = source.rsplit("/", 1)[-1]
            known = _tree(project).headers.get(last, ()) or _tree(project).templates.get(last, ())
            ending = re.sub(r"^(?:\$\{\w+\}/)?(?:\.\./)*", "", source)
            found = [path for path in known if f"/{path}".endswith(f"/{ending}")]
            if found:
                return os.path.join(project, min(found, key=lambda path: (path.count("/"), path)))
    return None


@lru_cache(maxsize=8)
def _configured(project: str) -> tuple[tuple[str, str], ...]:
    """What configure_file() makes of what, as CMake's lists write it."""
    found: dict[tuple[str, str], None] = {}
    for path in _tree(project).lists:
        with suppress(OSError), open(path, encoding="utf-8", errors="replace") as stream:
            found.update(dict.fromkeys(_CONFIGURED.findall(stream.read())))
    return tuple(found)


def headers(project: str) -> Mapping[str, tuple[str, ...]]:
    """The headers below a project's top: their paths from it, with `/`, by their names."""
    return _tree(project).headers


class _Tree(Struct, frozen=True):
    """Headers, and templates of those that the build makes, by the name that is included. lists: of CMake."""

    headers: Mapping[str, tuple[str, ...]]
    templates: Mapping[str, tuple[str, ...]]
    lists: tuple[str, ...]


@lru_cache(maxsize=8)
def _tree(project: str) -> _Tree:
    found: dict[str, list[str]] = {}
    templates: dict[str, list[str]] = {}
    lists: list[str] = []
    waiting, at = [project], 0
    while at < len(waiting) and at < _MOST_FOLDERS:
        folder = waiting[at]
        at += 1
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            continue
        start = len(project.rstrip(os.sep)) + 1
        for entry in entries:
            if entry.name.startswith(".") or entry.name in _SKIPPED:
                continue
            if entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)
            elif entry.name.lower().endswith(_HEADER):
                found.setdefault(entry.name, []).append(entry.path[start:].replace(os.sep, "/"))
            elif entry.name == "CMakeLists.txt" or entry.name.endswith(".cmake"):
                lists.append(entry.path)
            elif (made := _MADE.fullmatch(entry.name)) and made[1].lower().endswith(_HEADER):
                templates.setdefault(made[1], []).append(entry.path[start:].replace(os.sep, "/"))
    return _Tree(_frozen(found), _frozen(templates), tuple(lists))


def _frozen(found: dict[str, list[str]]) -> Mapping[str, tuple[str, ...]]:
    return {name: tuple(paths) for name, paths in found.items()}


def _parts(name: str) -> tuple[list[str], list[str]]:
    """The steps up at the start of an include's name, and the rest of its parts."""
    parts = [part for part in name.split("/") if part not in ("", ".")]
    steps = next((i for i, part in enumerate(parts) if part != ".."), len(parts))
    return parts[:steps], parts[steps:]


def _nearest(paths: Iterable[str], folder: str, project: str) -> str:
    here = os.path.relpath(folder, project).split(os.sep)
    return min(paths, key=lambda path: (-_shared(here, path.split("/")), path.count("/"), path))


def _shared(one: list[str], other: list[str]) -> int:
    """How many folders two paths have in common from the top."""
    pairs = zip(one, other, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
