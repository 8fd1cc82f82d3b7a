"""The folders of headers and the macros that BUILD files of Bazel say plainly."""

import os
from collections.abc import Iterator

from cudalint.buildfiles import places, python_values, words
from cudalint.buildfiles.python_values import Script, keyword
from cudalint.buildfiles.words import Word

NAMES = frozenset(["BUILD", "BUILD.bazel"])


def read(path: str, top: str) -> tuple[Word, ...]:
    """The words of a file. top: what folders in options are relative to."""
    return tuple(_read(python_values.read(places.text(path), path), path, top))


def _read(script: Script, path: str, top: str) -> Iterator[Word]:
    folder = os.path.dirname(path)
    for called in script.calls:

        def given(name: str, call: "python_values.Called" = called) -> list[str]:
            value = script.value(keyword(call.call, name))
            return value if isinstance(value, list) else []

        line = called.call.lineno
        names = (name.removeprefix(":") for name in given("srcs") + given("hdrs"))
        sources = frozenset(os.path.normpath(os.path.join(folder, name)) for name in names)
        for name in given("includes"):
            yield from words.folder(name, folder, path, line)
        for text in given("defines") + given("local_defines"):
            yield from words.macro(text, path, line, sources)
        yield from words.options(given("copts"), top, path, line, sources)
