"""What a program puts in front of a source that it compiles at run time (NVRTC): the file includes nothing,
and names what it nowhere declares. Other such files of its tree may define that; else types and sizes are
guessed by their names. The sizes are constants: the program writes them out.

Every name that is guessed is told with the kernels, as template arguments that were chosen are.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from cudalint.buildfiles.project import names_in, top
from cudalint.frontend.choices import number_type, usual_value
from cudalint.source.comments import code

_KERNEL = re.compile(r"\b__global__\s+void\b")
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b", re.MULTILINE)
_TYPE = re.compile(r"^unknown type name '(\w+)'")
_GAP = re.compile(r"'__[A-Z][A-Z0-9_]*__'")  # a name that a program replaces in the text
_VALUE = re.compile(r"^use of undeclared identifier '(\w+)'")
_OVERLOAD = re.compile(r"^no matching function for call to '(\w+)'|^invalid operands to binary expression")
_SIZE = re.compile(r"\b[A-Z][A-Z0-9_]+\b")
_MATHS = frozenset(
    """
    abs acos asin atan ceil cos erf erfc exp fabs floor fma log max min pow rint rsqrt sin sqrt tan tanh
    """.split()
)
_RECIPROCALS = frozenset(("RECIP", "RECIPROCAL"))
_VECTOR = re.compile(r"([a-z]+)([234])")  # `real4`, of numbers as `real` is
_FLAGS = re.compile(r"flags?$|mask$|bits$")
_SMALL = re.compile(r"\b[A-Z0-9_]*(?:SHIFT|BITS|ORDER|SIGN)[A-Z0-9_]*\b")
_ARRAY = re.compile(r"^\s*(?:const\s+)?\w+\s+\w+\s*\[[^\]=]*\]\s*;")  # a variable with its extent
_CONSTANT = re.compile(
    r"not an integral constant|not a constant expression|variable.length array|array type '|does not allow"
)
_OPERATOR = "operator"
_SIZE_OF_DATA = 1024  # of a name that says nothing else
_PARAMETERS = re.compile(r"\b([A-Z][A-Z0-9_]+)\s*\)\s*\{")  # a name at the end of a list of parameters
_SOURCES = (".cu", ".cuh")
_INCLUDING = (*_SOURCES, ".cpp", ".cc", ".cxx", ".h", ".hpp")
_MOST = 2_000  # files that are looked into
_LARGEST = 200_000  # bytes of one


class Front(Struct, frozen=True):
    """What is put in front. header: its text; assumed: the guesses in it, as 'real = float'."""

    header: str = ""
    assumed: tuple[str, ...] = ()


def is_fragment(path: str, text: str) -> bool:
    """Whether a source includes nothing, defines kernels, and is included by no file beside it."""
    if _KERNEL.search(text) is None or _INCLUDE.search(text) is not None:
        return False
    folder, name = os.path.split(os.path.abspath(path))
    included = re.compile(
        rf"^[ \t]*#[ \t]*include[ \t]*[\"<](?:[^\">\n]*/)?{re.escape(name)}[\">]", re.MULTILINE
    )
    beside = (os.path.join(folder, other) for other in sorted(names_in(folder)) if other.endswith(_INCLUDING))
    return not any(included.search(_text(other)) for other in beside)


def has_gaps(path: str, errors: Iterable[tuple[str, str]]) -> bool:
    """Whether a source names what a program fills in, as `__TYPE__`. errors: messages with their files."""
    return any(file == path and _GAP.search(message) for message, file in errors)


def front(path: str, text: str, errors: Iterable[tuple[str, int]]) -> Front:
    """What the errors of clang ask for, each with its line, of this parse and those before."""
    plain = code(text)
    lines = plain.split("\n")
    told = tuple(errors)
    errors = [one for one in told if _GAP.search(one[0])] or told  # what stands on a gap is wrong as well
    types: dict[str, str] = {}
    values: dict[str, None] = {}
    shared = " ".join(line for line in lines if "__shared__" in line or _ARRAY.search(line))
    fixed = {*_SIZE.findall(shared), *_SMALL.findall(plain)}
    overloads: set[str] = set()
    emptied: set[str] = set()
    for message, line in errors:
        if message.startswith("expected ')'") and line <= len(lines):
            emptied.update(_PARAMETERS.findall(lines[line - 1]))
        elif (found := _TYPE.match(message)) and not _is_statement(found[1], plain):
            types.setdefault(found[1], _type(found[1], types))
        elif found := _OVERLOAD.match(message):
            overloads.add(found[1] or _OPERATOR)
        elif found := _VALUE.match(message):
            values[found[1]] = None
            if found[1].startswith("make_") and _VECTOR.fullmatch(made := found[1][5:]):
                types.setdefault(made, _type(made, types))
    wanted = overloads | values.keys() | types.keys()
    others = tuple(_defining(path, wanted)) if wanted else ()
    defined = {name for other in others for name in _definitions(other)}
    for name in list(types):
        if base := _VECTOR.fullmatch(name):
            types.setdefault(base[1], number_type(base[1]))
    types = {name: kind for name, kind in types.items() if name not in defined}
    asked = [name for name in values if name not in defined and not _is_statement(name, plain)]
    called = [name for name in asked if re.search(rf"\b{name}\s*\(", plain)]
    sizes = [name for name in asked if name not in called and _SIZE.fullmatch(name.strip("_"))]
    fixed.update(name for name in sizes if name.startswith("__"))  # written out before it is compiled
    rows = ["#pragma once", *(f"typedef {kind} {name};" for name, kind in types.items())]
    numbers = {
        name: usual_value(name) if name in fixed else usual_value(name, _SIZE_OF_DATA) for name in sizes
    }
    rows += [f"static constexpr int {name} = {number};" for name, number in numbers.items()]
    rows += [f"#define {name}" for name in sorted(emptied)]
    rows += [row for name in called if (row := _function(name, types))]
    rows += [f'#include "{other}"' for other in others]
    assumed = [f"{name} = {kind}" for name, kind in types.items()]
    assumed += [f"{name} = {number}" for name, number in numbers.items()]
    return Front("\n".join((*rows, "")), tuple(assumed)) if len(rows) > 1 else Front()


def _function(name: str, types: Mapping[str, str]) -> str:
    """A function by a name: of the vector type that it makes, of mathematics, or one without a body."""
    made = name.removeprefix("make_")
    if made != name and made in types:
        return f"#define {name} make_{types[made]}"
    if _SIZE.fullmatch(name) and name.lower() in _MATHS:
        return f"#define {name} {name.lower()}"
    if name in _RECIPROCALS:
        return f"#define {name}(x) (1.0f / (x))"
    if _SIZE.fullmatch(name):
        return f"template <class A, class... B> __device__ A {name}(A, B...);"
    return ""


def _type(name: str, known: Mapping[str, str]) -> str:
    if vector := _VECTOR.fullmatch(name):
        return f"{known.get(vector[1], number_type(vector[1]))}{vector[2]}"
    return "unsigned int" if _FLAGS.search(name) else number_type(name)


def _is_statement(name: str, text: str) -> bool:
    """Whether a name stands for a statement of its own somewhere, which may be anything."""
    return re.search(rf"^\s*{name}\s*;?\s*$", text, re.MULTILINE) is not None


def _defining(path: str, names: set[str]) -> Iterator[str]:
    """Files of the tree without kernels and includes that define one of the names, in their order."""
    folder = os.path.dirname(os.path.abspath(path))
    near = [one for one in _fragments(folder, False) if names & _definitions(one)]
    found = near or [one for one in _fragments(top(folder) or folder, True) if names & _definitions(one)]
    yield from sorted(one for one in found if one != os.path.abspath(path))


@lru_cache(maxsize=16)
def _fragments(folder: str, below: bool) -> tuple[str, ...]:
    """The sources in a folder that include nothing and define no kernel. below: those in its folders, too."""
    found: list[str] = []
    count = 0
    for directory, names, files in os.walk(folder):
        names[:] = sorted(name for name in names if below and not name.startswith("."))
        for file in sorted(files):
            path = os.path.join(directory, file)
            if file.endswith(_SOURCES) and count < _MOST:
                count += 1
                text = _text(path)
                if text and not _INCLUDE.search(text) and not _KERNEL.search(text):
                    found.append(path)
    return tuple(found)


@lru_cache(maxsize=256)
def _definitions(path: str) -> frozenset[str]:
    """The macros and functions that a file defines."""
    text = code(_text(path))
    macros = re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text, re.MULTILINE)
    operators = [_OPERATOR] if re.search(rf"\b{_OPERATOR}\s*[-+*/]", text) else []
    return frozenset((*macros, *operators)) | frozenset(re.findall(r"\b(\w+)\s*\([^;{}()]*\)\s*\{", text))


def _text(path: str) -> str:
    try:
        if os.path.getsize(path) <= _LARGEST:
            return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        pass
    return ""
