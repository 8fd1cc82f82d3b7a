"""Include folders and macros that no option gives: those that build files say, and folders of the project's
tree that headers are found in.
"""

import json
import os
from collections.abc import Iterable, Iterator

from msgspec import Struct

from cudalint.buildfiles import preprocessor
from cudalint.engine.analysis import load_options
from cudalint.frontend.inputs import inputs
from cudalint.report.content import plural
from cudalint.settings.config import Settings
from cudalint.source.text import one_line, shown


class Found(Struct, frozen=True):
    """What one place says, for the files that it holds for. key: of the settings ('include-paths'); where:
    the build file and its line, or what else tells it.
    """

    key: str
    values: tuple[str, ...]
    where: str


def found(paths: Iterable[str], settings: Settings) -> tuple[Found, ...]:
    """What is found for files that share their settings, the build files' words first."""
    by_place: dict[tuple[str, str], dict[str, None]] = {}
    folders: dict[str, None] = {}
    for path in paths:
        for key, value, where in _said(path):
            by_place.setdefault((key, where), {})[value] = None
        folders.update({shown(name): None for name in inputs(path, load_options(settings)).directories})
    told = tuple(Found(key, tuple(values), where) for (key, where), values in by_place.items())
    searched = (Found("include-paths", tuple(folders), "headers of the tree"),) if folders else ()
    return told + searched


def _said(path: str) -> Iterator[tuple[str, str, str]]:
    for word in preprocessor.told(path):
        place = f"{shown(word.file)}:{word.line}"
        if word.option == "-I":
            yield "include-paths", shown(word.value), place
        else:
            yield "defines", word.value, place


def rows(everything: Iterable[Found]) -> list[str]:
    """Each as a line of a configuration, commented; what several places say alike is one line."""
    places: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for one in everything:
        places.setdefault((one.key, one.values), []).append(one.where)
    return [f"# {key} = {strings(values)}  # {_where(wheres)}" for (key, values), wheres in places.items()]


def _where(places: list[str]) -> str:
    more = f" and {plural(len(places) - 1, 'more place')}" if len(places) > 1 else ""
    return one_line(places[0]) + more


def strings(values: Iterable[str]) -> str:
    """A list of paths or words in TOML, whatever they hold."""
    return f"[{', '.join(map(quoted, values))}]"


def quoted(value: str) -> str:
    """A path or word in TOML: what JSON escapes, TOML does."""
    return json.dumps(one_line(value.replace(os.sep, "/")), ensure_ascii=False)
