"""The folders of headers and the macros that a Makefile says plainly.

Folders count wherever they stand; a macro where a variable of flags gets it under no condition. Of variables
in a folder's name those count that the file sets to one plain word.
"""

import os
import re
from collections.abc import Iterator

from cudalint.buildfiles import places, words
from cudalint.buildfiles.words import Word

_NAMES = frozenset(["makefile", "gnumakefile"])
_JOINED = re.compile(r"\\\n")
_ASSIGNED = re.compile(r"\s*(?:export\s+|override\s+)?([\w.-]+)\s*(?:[:?+]{0,2}=)\s*(.*)")
_FLAGS = re.compile(r"(?i)flags|defs|defines|incl?|cuda|nvcc")
_OPENS = re.compile(r"\s*(?:ifn?eq|ifn?def|define)\b")
_CLOSES = re.compile(r"\s*(?:endif|endef)\b")
_VARIABLE = re.compile(r"\$[({]([\w.-]+)[)}]")
_HERE = frozenset(["CURDIR", "PWD"])


def is_makefile(name: str) -> bool:
    return name.lower() in _NAMES or name.endswith(".mk")


def read(path: str) -> tuple[Word, ...]:
    """The words of a file."""
    return tuple(_read(path, os.path.dirname(path)))


def _read(path: str, folder: str) -> Iterator[Word]:
    values = dict.fromkeys(_HERE, folder)
    depth = 0
    # A line that goes on takes the next one in; the lines stay counted.
    text = _JOINED.sub(" \0", places.text(path))
    line = 1
    for row in text.split("\n"):
        here, line = line, line + 1 + row.count("\0")
        row = row.replace("\0", " ").partition("#")[0]
        depth = max(depth + bool(_OPENS.match(row)) - bool(_CLOSES.match(row)), 0)
        assigned = None if row.startswith("\t") else _ASSIGNED.fullmatch(row)
        if assigned and not depth and len(assigned[2].split()) == 1:
            values[assigned[1]] = _VARIABLE.sub(lambda m: values.get(m[1], m[0]), assigned[2].strip())
        expanded = _VARIABLE.sub(lambda m: values.get(m[1], m[0]), row)
        plain = [word for word in expanded.replace('"', "").split() if "$" not in word]
        sure = assigned is not None and not depth and _FLAGS.search(assigned[1])
        yield from (w for w in words.options(plain, folder, path, here) if sure or w.option == "-I")
