"""The folders of headers and the macros that CMakeLists.txt files say plainly.

Variables count where they are set to plain words, in the file or in those above it. A macro counts where its
command is run in any case, for the directory or for a target: the only one of the file, or one that lists the
source; what a target passes on to those that link it counts for sources that no other target of the file
lists. A macro that conditions give one of several values has the first that the defaults of the build's
options leave, and what the same command says goes with it.
"""

import os
import re
import shlex
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import takewhile

from msgspec import Struct
from msgspec.structs import replace

from cudalint.buildfiles import places, words
from cudalint.buildfiles.cmake import NAME, Call, calls
from cudalint.buildfiles.words import Word

_VARIABLE = re.compile(r"\$\{(\w+)\}")
_FOLDERS = frozenset(["include_directories", "cuda_include_directories", "target_include_directories"])
_TARGETS = re.compile(r"(?:\w+_)?add_(?:library|executable|module)")  # functions of projects call such ones
_MACROS = frozenset(["add_definitions", "add_compile_definitions", "target_compile_definitions"])
_OPTIONS = frozenset(["add_compile_options", "target_compile_options"])
_MOST = 256  # words of one variable
_LONGEST = 4096  # characters of a word
_FLAGS = frozenset(["CMAKE_CUDA_FLAGS", "CUDA_NVCC_FLAGS"])
_KEYWORDS = frozenset(["AFTER", "BEFORE", "SYSTEM", "PRIVATE", "PUBLIC", "INTERFACE"])
_ON = frozenset(["ON", "TRUE", "YES", "1"])
_OURS, _OTHERS = re.compile(r"CUDA|NVIDIA"), re.compile(r"HIP|ROCM|AMD|SYCL")
_PUBLIC = frozenset(["PUBLIC", "INTERFACE"])
_ALWAYS = re.compile(r"\$<(?:BUILD_INTERFACE|\$<COMPILE_LANG\w*:CUDA>):([^$<>]*)>")


class _Variables(Struct):
    """The words that variables hold, as far as they are plain. maybe: those that a condition decides on."""

    values: dict[str, tuple[str, ...]]
    maybe: set[str]

    def assign(self, call: Call) -> None:
        """What a `set` or a `list(APPEND ...)` does."""
        given = self.expanded(call)
        if call.name == "list" and given[:1] == ["APPEND"]:
            given.pop(0)
        elif call.name != "set":
            return
        if not given:
            return
        name, kept = given[0], self.values.get(given[0], ())
        if not call.sure or self._mentions(call):
            self.maybe.add(name)
        elif call.name == "set":
            self.maybe.discard(name)
            kept = ()
        own = takewhile(lambda word: word not in ("CACHE", "PARENT_SCOPE"), given[1:])
        self.values[name] = tuple(dict.fromkeys((*kept, *own)))[:_MOST]

    def expanded(self, call: Call) -> list[str]:
        """The words of a command, without those that only the build knows."""
        return [word for text in call.words() for word in self._expanded(text)]

    def sure(self, call: Call) -> list[str]:
        """Those of the words that no condition decides on."""
        texts = [text for text in call.words() if not self.maybe.intersection(_VARIABLE.findall(text))]
        return [word for text in texts for word in self._expanded(text)] if call.sure else []

    def _mentions(self, call: Call) -> bool:
        return any(name in self.maybe for text in call.words() for name in _VARIABLE.findall(text))

    def _expanded(self, text: str) -> Iterator[str]:
        whole = _VARIABLE.fullmatch(text)
        if whole:
            yield from self.values.get(whole[1], ())
            return
        text = _VARIABLE.sub(lambda m: ";".join(self.values.get(m[1], (m[0],))), text)
        yield from (
            part
            for part in _ALWAYS.sub(r"\1", text).split(";")
            if "$" not in part and 0 < len(part) < _LONGEST
        )


class _Read(Struct, frozen=True):
    """A file's words, and the variables as it leaves them."""

    words: tuple[Word, ...] = ()
    values: Mapping[str, tuple[str, ...]] = {}
    maybe: frozenset[str] = frozenset()


def read(folders: tuple[str, ...]) -> tuple[Word, ...]:
    """The words of the list in the last of the folders, of which each holds the next."""
    return _read(tuple(folder for folder in folders if os.path.isfile(os.path.join(folder, NAME)))).words


@lru_cache(maxsize=1024)
def _read(folders: tuple[str, ...]) -> _Read:
    if not folders:
        return _Read()
    folder, above = folders[-1], _read(folders[:-1])
    own = {"CMAKE_SOURCE_DIR": (folder,), "PROJECT_SOURCE_DIR": (folder,), **above.values}
    own |= {"CMAKE_CURRENT_SOURCE_DIR": (folder,), "CMAKE_CURRENT_LIST_DIR": (folder,)}
    variables = _Variables(own, set(above.maybe))
    found: list[tuple[str, Word]] = []
    maybe: list[tuple[Call, str, Word]] = []  # with what conditions decide on
    off: set[str] = set()  # conditions that the defaults of options leave out
    sources: dict[str, frozenset[str]] = {}
    passed_on: set[Word] = set()
    path = os.path.join(folder, NAME)
    for call in calls(places.text(path)):
        variables.assign(call)
        given = variables.expanded(call)
        name = given[0] if given else ""
        if call.name == "option" and name:
            off.add(f"NOT {name}" if given[-1].upper() in _ON else name)
        elif call.name == "project" and name:
            own |= {"PROJECT_SOURCE_DIR": (folder,), f"{name}_SOURCE_DIR": (folder,)}
        elif _TARGETS.fullmatch(call.name) or call.name == "target_sources":
            whole = (os.path.normpath(os.path.join(folder, word)) for word in given[1:])
            sources[name] = sources.get(name, frozenset()).union(whole)
        target = name if call.name.startswith("target_") else ""
        said = list(_said(call, given, variables.sure(call), folder, path))
        found += [(target, word) for word in said]
        passed_on.update(said if _PUBLIC.intersection(given[1:2]) else ())
        maybe += [(call, target, word) for word in _said(call, given, given, folder, path)]
    left = [one for one in maybe if not _is_off(one[0].condition, off)]
    for target, first in _chosen(left, maybe):
        if not any(_macro(word) == _macro(first) for _, word in found):
            found.append((target, first))
    every = tuple(
        _for_sources(target, word, sources, passed_on)
        if target and word.option == "-D" and len(sources) > 1
        else word
        for target, word in found
    )
    return _Read(every, own, frozenset(variables.maybe))


def _for_sources(
    target: str, word: Word, sources: Mapping[str, frozenset[str]], passed_on: set[Word]
) -> Word:
    """A macro of a target with the sources that it is said for."""
    if word not in passed_on:
        return replace(word, sources=sources.get(target, frozenset()))
    return replace(word, but=frozenset().union(*(s for other, s in sources.items() if other != target)))


def _said(call: Call, given: list[str], sure: list[str], folder: str, path: str) -> Iterator[Word]:
    """What one command says. Its folders count even where a condition decides: they exist or not."""
    if not call.arguments:
        return
    begin = call.arguments[0].begin
    line = places.span(path, begin, begin).line
    if call.name in _FOLDERS:
        for word in _values(call, given):
            yield from words.folder(word, folder, path, line)
    elif call.name in _MACROS:
        for word in _values(call, sure):
            yield from words.macro(word.removeprefix("-D"), path, line)
    elif call.name in _OPTIONS or (call.name in ("set", "string", "list") and _FLAGS.intersection(sure[:2])):
        yield from words.options(_split(_values(call, sure)), folder, path, line)


def _is_off(condition: str, off: set[str]) -> bool:
    """Whether a build for NVIDIA's devices goes past what has the condition. off: what defaults leave out."""
    if _OURS.search(condition):
        return condition.startswith("NOT ")
    if _OTHERS.search(condition):
        return not condition.startswith("NOT ")
    return condition in off


def _chosen(
    left: list[tuple[Call, str, Word]], maybe: list[tuple[Call, str, Word]]
) -> Iterator[tuple[str, Word]]:
    """The first of the words for each macro that is given several values: one of them it has. left: without
    those that the defaults of options leave out. And the macros without a value of the same commands.
    """
    values: dict[str, set[str]] = {}
    for _, _, word in maybe:
        if word.option == "-D" and "=" in word.value:
            values.setdefault(_macro(word), set()).add(word.value)
    chosen: dict[str, Call] = {}
    for call, target, word in (*left, *maybe):
        if len(values.get(_macro(word), ())) > 1 and _macro(word) not in chosen:
            chosen[_macro(word)] = call
            yield target, word
    for call, target, word in maybe:
        if word.option == "-D" and "=" not in word.value and any(call is one for one in chosen.values()):
            yield target, word


def _macro(word: Word) -> str:
    return word.option + word.value.partition("=")[0]


def _values(call: Call, given: list[str]) -> list[str]:
    """What a command gives, without the target that it gives it to."""
    rest = given[1:] if call.name.startswith("target_") else given
    return [word for word in rest if word not in _KEYWORDS]


def _split(texts: list[str]) -> Iterator[str]:
    for text in texts:
        try:
            yield from shlex.split(text.removeprefix("SHELL:"))
        except ValueError:
            continue
