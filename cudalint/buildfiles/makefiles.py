"""The folders of headers and the macros that a Makefile says plainly.

Folders count wherever they stand; a macro where a variable of flags gets it under no condition, or under one
that says that CUDA is used, or where a recipe gives it to nvcc with the files that it compiles. Of variables
in a folder's name those count that the file sets to one plain word.
"""

import fnmatch
import os
import re
from collections.abc import Iterator

from msgspec.structs import replace

from cudalint.buildfiles import places, project, words
from cudalint.buildfiles.words import Word

_NAMES = frozenset(["makefile", "gnumakefile"])
_JOINED = re.compile(r"\\\n")
_ASSIGNED = re.compile(r"\s*(?:export\s+|override\s+)?([\w.-]+)\s*(?:[:?+]{0,2}=)\s*(.*)")
_FLAGS = re.compile(r"(?i)flags|defs|defines|incl?|cuda|nvcc")
_OPENS = re.compile(r"\s*(?:ifn?eq|ifn?def|define)\b")
_ELSE = re.compile(r"\s*else\b")
# What holds wherever files of CUDA are compiled: `ifeq ($(GPU), 1)`, `ifdef USE_CUDA`.
_WITH_CUDA = r"(?:(?:USE|WITH|ENABLE|HAVE|BUILD)_?)?(?:GPU|CUDA|NVCC)"
_FOR_DEVICE = re.compile(
    rf"(?i)\s*(?:ifdef\s+{_WITH_CUDA}|ifeq\s*\(\s*\$[({{]{_WITH_CUDA}[)}}]\s*,\s*(?:1|y|yes|on|true)\s*\))\s*"
)
_CLOSES = re.compile(r"\s*(?:endif|endef)\b")
_VARIABLE = re.compile(r"\$[({]([\w.-]+)[)}]")
_FOR_CUDA = re.compile(r"makefile[._-]\w*(?:cuda|nvidia|nvcc)\w*|\w*(?:cuda|nvidia|nvcc)\w*\.makefile")
_COMPILES = re.compile(r"\$[({]\w*(?:CUDA|NVCC)\w*[)}]|\bnvcc\b")
_STEM = re.compile(r"\$\*|%|\$[({][\w.-]+[)}]")
_HERE = frozenset(["CURDIR", "PWD"])


def is_makefile(name: str) -> bool:
    lower = name.lower()
    return lower in _NAMES or lower.endswith(".mk") or _FOR_CUDA.fullmatch(lower) is not None


def read(path: str) -> tuple[Word, ...]:
    """The words of a file."""
    return tuple(_read(path, os.path.dirname(path)))


def _read(path: str, folder: str) -> Iterator[Word]:
    values = dict.fromkeys(_HERE, folder)
    conditions: list[bool] = []  # those that are open: whether they hold
    needed = ""
    recipes: list[tuple[frozenset[str], list[Word]]] = []
    # A line that goes on takes the next one in; the lines stay counted.
    text = _JOINED.sub(" \0", places.text(path))
    line = 1
    for row in text.split("\n"):
        here, line = line, line + 1 + row.count("\0")
        row = row.replace("\0", " ").partition("#")[0]
        if _OPENS.match(row):
            conditions.append(_FOR_DEVICE.fullmatch(row) is not None)
        elif _ELSE.match(row) and conditions:
            conditions[-1] = False
        elif _CLOSES.match(row) and conditions:
            conditions.pop()
        depth = len(conditions) - sum(conditions)
        assigned = None if row.startswith("\t") else _ASSIGNED.fullmatch(row)
        if assigned and not depth and len(assigned[2].split()) == 1:
            values[assigned[1]] = _VARIABLE.sub(lambda m: values.get(m[1], m[0]), assigned[2].strip())
        expanded = _VARIABLE.sub(lambda m: values.get(m[1], m[0]), row)
        plain = [word for word in expanded.replace('"', "").split() if "$" not in word]
        sure = assigned is not None and not depth and _FLAGS.search(assigned[1])
        found = list(words.options(plain, folder, path, here))
        yield from (w for w in found if sure or w.option == "-I")
        if not row.startswith("\t"):
            needed = row.partition(":")[2]
        elif _COMPILES.search(row) and (sources := _compiled(row, folder) or _compiled(needed, folder)):
            recipes.append((sources, [w for w in found if w.option == "-D"]))
    yield from _given(recipes)


def _given(recipes: list[tuple[frozenset[str], list[Word]]]) -> Iterator[Word]:
    """The macros that each recipe for a source gives it."""
    for sources, found in recipes:
        for word in found:
            name = word.value.partition("=")[0]
            without = (
                other for other, words_ in recipes if all(w.value.partition("=")[0] != name for w in words_)
            )
            sure = sources.difference(*without)
            if sure:
                yield replace(word, sources=sure)


def _compiled(row: str, folder: str) -> frozenset[str]:
    """The .cu files of the folder that a recipe, or what its rule needs, names."""
    patterns = [_STEM.sub("*", word) for word in row.split() if word.endswith(".cu")]
    names = (n for n in project.names_in(folder) if any(fnmatch.fnmatchcase(n, p) for p in patterns))
    return frozenset(os.path.join(folder, name) for name in names)
