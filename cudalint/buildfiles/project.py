"""Where a project begins, and the folders between that and a source."""

import os
from collections.abc import Iterator
from functools import lru_cache

_BUILD_FILES = (
    "CMakeLists.txt",
    "Makefile",
    "setup.py",
    "pyproject.toml",
    "meson.build",
    "WORKSPACE",
    "BUILD",
)
_TOPS = ("cudalint.toml", ".git", ".hg", "MODULE.bazel")


@lru_cache(maxsize=1024)
def top(folder: str) -> str | None:
    """The top of the project that a folder belongs to: the nearest configuration of cudalint or top of a
    repository, else the topmost folder with build files without a gap; None where nothing marks one.
    """
    marked: str | None = None
    current, home = folder, os.path.expanduser("~")
    while current != home and (parent := os.path.dirname(current)) != current:
        names = names_in(current)
        if any(name in names for name in _TOPS):
            return current
        if any(name in names for name in _BUILD_FILES):
            marked = current
        current = parent
    return marked


def folders(source: str, root: str | None = None) -> tuple[str, ...]:
    """The folder of a source and those above it to the project's top, nearest first; root: that top."""
    folder = os.path.dirname(os.path.abspath(source))
    last = os.path.abspath(root) if root else top(folder)
    above = tuple(_above(folder))
    return above[: above.index(last) + 1] if last in above else (folder,)


def _above(folder: str) -> Iterator[str]:
    yield folder
    while (parent := os.path.dirname(folder)) != folder:
        folder = parent
        yield folder


@lru_cache(maxsize=4096)
def names_in(folder: str) -> frozenset[str]:
    """The names in a folder; none where it cannot be read."""
    try:
        return frozenset(os.listdir(folder))
    except OSError:
        return frozenset()
