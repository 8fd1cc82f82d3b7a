"""What build files say plainly of how a source is preprocessed: folders of headers, and macros.

Nothing is run. A folder counts where it exists; a macro only where nothing decides whether it is defined, and
for the sources that it is said for.
"""

import os
from collections.abc import Iterable, Iterator
from functools import lru_cache

from cudalint.buildfiles import bazel, cmake, cmake_words, makefiles, project, setuptools
from cudalint.buildfiles.words import Word

_SCRIPT, _TABLE, _PYTHON = "setup.py", "pyproject.toml", ".py"


def told(source: str, root: str | None = None) -> tuple[Word, ...]:
    """The words for a source in the build files next to it and above it, up to the project's top; what is
    nearest comes first, and each word once. root: that top.
    """
    source = os.path.abspath(source)
    folders = project.folders(source, root)
    words = dict.fromkeys(word for word in _all(folders) if word.holds_for(source) and _usable(word))
    first = {(word.option, word.value): word for word in reversed(words)}
    return tuple(word for word in words if first[word.option, word.value] is word)


def arguments(words: Iterable[Word], option: str) -> tuple[str, ...]:
    """The words of one option as they stand in a command."""
    return tuple(option + word.value for word in words if word.option == option)


@lru_cache(maxsize=1024)
def _all(folders: tuple[str, ...]) -> tuple[Word, ...]:
    """The words for all sources of the first folder."""
    return tuple(word for number in range(len(folders)) for word in _of_folder(folders, number))


def _of_folder(folders: tuple[str, ...], number: int) -> Iterator[Word]:
    """What the build files of one of the folders say, the lists of CMake with what those above set."""
    folder, top = folders[number], folders[-1]
    if cmake.NAME in project.names_in(folder):
        yield from cmake_words.read(tuple(reversed(folders[number:])))
    for name in _of_others(folder):
        path = os.path.join(folder, name)
        if makefiles.is_makefile(name):
            yield from makefiles.read(path)
        elif name in bazel.NAMES:
            yield from bazel.read(path, top)
        elif name == _SCRIPT:
            yield from setuptools.read_script(path)
        elif name == _TABLE:
            yield from setuptools.read_table(path)
        elif name.endswith(_PYTHON):
            yield from setuptools.read_loads(path)


@lru_cache(maxsize=1024)
def _of_others(folder: str) -> tuple[str, ...]:
    """The build files in a folder, which may hold thousands of names, but for those of CMake."""
    known = {*bazel.NAMES, _SCRIPT, _TABLE}
    names = project.names_in(folder)
    others = (name for name in names if name in known or name.endswith(_PYTHON))
    return tuple(sorted({*others, *filter(makefiles.is_makefile, names)}))


def _usable(word: Word) -> bool:
    return word.option == "-D" or _is_folder(word.value)


@lru_cache(maxsize=4096)
def _is_folder(path: str) -> bool:
    return os.path.isdir(path)
