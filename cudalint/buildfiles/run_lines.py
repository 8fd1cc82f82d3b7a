"""The command line with which a Makefile runs a program: sizes of a run that the project itself makes.

Only targets that are named after it (`run`, `test`, `check`, `bench`), and of their recipes the first line
that starts a program from this folder, with plain words; and the lines after it that start the same one.
"""

import os
import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from cudalint.buildfiles import places, project
from cudalint.buildfiles.makefiles import is_makefile

_TARGET = re.compile(r"(?:run|test|check|bench(?:mark)?)\s*:(?!=)")
_RULE = re.compile(r"[^\s#=][^#=]*:(?!=)")
_ASSIGNED = re.compile(r"\s*(?:export\s+|override\s+)?([\w.-]+)\s*[:?]{0,2}=\s*(\S+)\s*")
_VARIABLE = re.compile(r"\$[({]([\w.-]+)[)}]")
_OWN = re.compile(r"\./([^\s/]+)")
_ENDS = frozenset(["|", "||", "&&", ";", "&", "<", "\\"])
_SOURCES = (".cu", ".cpp", ".cc", ".cxx")
_MOST_MORE = 2


class RunLine(Struct, frozen=True):
    """words: those after the program's name; file and line: where they stand; more: the lines after it that
    run the same program, at most two.
    """

    words: tuple[str, ...]
    file: str
    line: int
    more: "tuple[RunLine, ...]" = ()


def run_line(source: str) -> RunLine | None:
    """The words that the program of a source is run with, by the Makefile next to it."""
    folder, name = os.path.split(os.path.abspath(source))
    names = project.names_in(folder)
    for file in sorted(names):
        if is_makefile(file):
            commands = list(_commands(os.path.join(folder, file)))
            for program, found in commands:
                if _may_be_of(program, name, names):
                    same = [one for other, one in commands if other == program and one.line > found.line]
                    return replace(found, more=tuple(same[:_MOST_MORE]))
    return None


def _may_be_of(program: str, source: str, names: frozenset[str]) -> bool:
    """Whether no other source of the folder bears the program's name."""
    own, stem = os.path.splitext(source)[0], os.path.splitext(program)[0]
    return own == stem or all(stem + ending not in names for ending in _SOURCES)


def _commands(path: str) -> Iterator[tuple[str, RunLine]]:
    """The programs that a Makefile runs, each with its words."""
    values: dict[str, str] = {}
    inside = False
    for line, text in enumerate(places.text(path).split("\n"), 1):
        row = text.partition("#")[0].rstrip()
        assigned = _ASSIGNED.fullmatch(row)
        if row.startswith("\t"):
            found = _command(_VARIABLE.sub(lambda m: values.get(m[1], m[0]), row)) if inside else None
            if found is not None:
                yield found[0], RunLine(found[1], path, line)
        elif assigned is not None:
            values[assigned[1]] = assigned[2]
        elif _RULE.match(row):
            inside = _TARGET.match(row) is not None


def _command(row: str) -> tuple[str, tuple[str, ...]] | None:
    """The program of this folder that a line of a recipe starts, and its words, if they are plain."""
    parts = row.strip().lstrip("@-+ ").split()
    for at, part in enumerate(parts):
        own = _OWN.fullmatch(part)
        if own is None:
            continue
        words: list[str] = []
        for word in parts[at + 1 :]:
            if word in _ENDS or ">" in word:
                break
            words.append(word.strip("\"'"))
        plain = not any(set(word) & set("$`*;|") for word in words)
        return (own[1], tuple(words)) if plain and words else None
    return None
