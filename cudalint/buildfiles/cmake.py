"""What CMakeLists.txt files say literally of how CUDA is compiled.

Only commands outside of conditions, loops, functions and macros count, and of their arguments only what is no
variable: the rest is for CMake alone to know.
"""

import itertools
import os
import re
import shlex
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from cudalint.buildfiles import options, places
from cudalint.buildfiles.facts import BuildFacts, Code, Option

NAME = "CMakeLists.txt"
_MOST_FOLDERS = 12
_TOKEN = re.compile(
    r"""\#\[(?P<c>=*)\[.*?\](?P=c)\]   # a bracket comment
    | \#[^\n]*                          # a comment
    | \[(?P<b>=*)\[(?P<bracket>.*?)\](?P=b)\]
    | "(?P<quoted>(?:\\.|[^"\\])*)"
    | (?P<paren>[()])
    | (?P<plain>[^\s()#"]+)""",
    re.DOTALL | re.VERBOSE,
)
_BLOCKS = frozenset(["if", "foreach", "while", "function", "macro", "block"])
_FLAGS = re.compile(r"(?:CMAKE_CUDA_FLAGS|CUDA_NVCC_FLAGS)(?:_([A-Z]+))?$")
_FOR_CUDA = re.compile(r"\$<(?P<condition>\$<.*COMPILE_LANG\w*:CUDA.*>):(?P<flags>[^$<>]*)>$", re.DOTALL)
_TELLING = frozenset(["-G", "-Xptxas", "-Ofc", "-use_fast_math", "-maxrregcount", "-lineinfo", "-dopt"])
_ALL = "every configuration"
_ASKED = re.compile(r"(NOT )?(?:\$\{)?([A-Za-z_]\w*)\}?")


class Argument(Struct, frozen=True):
    """text between its quotes, and where that begins."""

    text: str
    begin: int


class Call(Struct, frozen=True):
    """One command. sure: it is run in any case; condition: the innermost that it is run under, where that
    asks for one variable: 'NAME' or 'NOT NAME'.
    """

    name: str
    arguments: tuple[Argument, ...]
    sure: bool
    condition: str = ""

    def words(self) -> list[str]:
        return [argument.text for argument in self.arguments]


class Lists(Struct, frozen=True):
    """What one file says. code: of the variable; by_target: targets have architectures of their own; top: it
    begins a project.
    """

    options: tuple[Option, ...]
    code: Code | None
    by_target: bool
    top: bool


def facts(source: str, named: bool) -> BuildFacts | None:
    """What the lists next to or above a source say, up to the one that begins the project."""
    found: list[Option] = []
    code: Code | None = None
    hidden = False
    any_ = False
    for path in _above(os.path.dirname(os.path.abspath(source))):
        lists = read(path)
        any_ = True
        found += lists.options
        hidden = hidden or lists.by_target
        if code is None and not hidden:
            code = lists.code
        if lists.top:
            break
    return BuildFacts("nvcc", tuple(found), code, named) if any_ else None


def _above(folder: str) -> Iterator[str]:
    """The lists in a folder and those above it, as far as the repository's top."""
    for _ in range(_MOST_FOLDERS):
        path = os.path.join(folder, NAME)
        if os.path.isfile(path):
            yield path
        parent = os.path.dirname(folder)
        if parent == folder or os.path.exists(os.path.join(folder, ".git")):
            return
        folder = parent


@lru_cache(maxsize=1024)
def read(path: str) -> Lists:
    """Read one file."""
    found: dict[str, list[Option]] = {}
    code: Code | None = None
    by_target = top = False
    for call in calls(places.text(path)):
        top = top or call.name == "project"
        by_target = by_target or "CUDA_ARCHITECTURES" in call.words()
        if not call.sure:
            continue
        if call.name in ("set", "string", "list"):
            code = _architectures(call, path) or code
            _variable(call, path, found)
        elif call.name in ("target_compile_options", "add_compile_options"):
            for argument in call.arguments:
                found.setdefault("", []).extend(_for_cuda(argument, path))
    return Lists(tuple(option for group in found.values() for option in group), code, by_target, top)


def calls(text: str) -> Iterator[Call]:
    """The commands of a file in order."""
    name, depth, blocks = "", 0, 0
    arguments: list[Argument] = []
    conditions: list[str] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if match.group("paren"):
            depth += 1 if match.group("paren") == "(" else -1
            if depth == 0 and name:
                yield Call(name, tuple(arguments), blocks == 0, conditions[-1] if conditions else "")
                _follow(conditions, name, " ".join(argument.text for argument in arguments))
                blocks += (name in _BLOCKS) - (name.startswith("end") and name[3:] in _BLOCKS)
                name, arguments = "", []
            depth = max(depth, 0)
        elif depth == 0:
            name = (match.group("plain") or "").lower() or name
        elif kind in ("bracket", "quoted", "plain"):
            text, last = match.group(kind), arguments[-1] if arguments else None
            if kind == "quoted" and last is not None and last.begin + len(last.text) == match.start():
                arguments[-1] = replace(last, text=f'{last.text}"{text}"')  # `NAME="value"`
            else:
                arguments.append(Argument(text, match.start(kind)))


def _follow(conditions: list[str], name: str, text: str) -> None:
    """Keep the conditions that are open up to date."""
    asked = _ASKED.fullmatch(text)
    if name == "if":
        conditions.append(f"{asked[1] or ''}{asked[2]}" if asked else "")
    elif name == "elseif" and conditions:
        conditions[-1] = ""
    elif name == "else" and conditions and conditions[-1]:
        one = conditions[-1]
        conditions[-1] = one.removeprefix("NOT ") if one.startswith("NOT ") else f"NOT {one}"
    elif name == "endif" and conditions:
        conditions.pop()


def _architectures(call: Call, path: str) -> Code | None:
    """Of `set(CMAKE_CUDA_ARCHITECTURES 70 80-real)`."""
    words = call.words()
    if call.name != "set" or not words or words[0] != "CMAKE_CUDA_ARCHITECTURES":
        return None
    values = [argument for argument in call.arguments[1:] if argument.text != "PARENT_SCOPE"]
    cached = next((n for n, argument in enumerate(values) if argument.text == "CACHE"), len(values))
    values = values[:cached]
    parts = [part for argument in values for part in argument.text.split(";")]
    if not parts or not all(re.fullmatch(r"\d+[af]?(-real|-virtual)?", part) for part in parts):
        return None
    native = [f"sm_{part.removesuffix('-real')}" for part in parts if not part.endswith("-virtual")]
    virtual = [f"compute_{part.removesuffix('-virtual')}" for part in parts if not part.endswith("-real")]
    last = values[-1]
    where = places.span(path, values[0].begin, last.begin + len(last.text))
    return Code(tuple(native), tuple(virtual), where)


def _variable(call: Call, path: str, found: dict[str, list[Option]]) -> None:
    """Of `set(CMAKE_CUDA_FLAGS "...")`, `string(APPEND ...)`, `list(APPEND CUDA_NVCC_FLAGS ...)`; a `set`
    that does not take up what the variable held puts an end to that.
    """
    rest = list(call.arguments)
    if call.name != "set":
        if not rest or rest[0].text not in ("APPEND", "PREPEND"):
            return
        rest = rest[1:]
    match = _FLAGS.match(rest[0].text) if rest else None
    if match is None or match.group(1) == "DEBUG":
        return
    name = rest[0].text
    if call.name == "set" and not any("${" + name + "}" in argument.text for argument in rest[1:]):
        found[name] = []
    for argument in itertools.takewhile(lambda argument: argument.text != "CACHE", rest[1:]):
        why = match.group(1) or _ALL
        found.setdefault(name, []).extend(_options(argument, 0, len(argument.text), why, path))


def _for_cuda(argument: Argument, path: str) -> Iterator[Option]:
    """Of `$<$<COMPILE_LANGUAGE:CUDA>:-G>`."""
    match = _FOR_CUDA.match(argument.text)
    if match is None or re.search(r"\bNOT\b|\$<OR:|\$<\w+:[^>]*Debug", match.group("condition")):
        return
    configuration = re.search(r"CONFIG:(\w+)", match.group("condition"))
    if "$<" in re.sub(r"\$<(AND|CONFIG|COMPILE_LANG\w*):", "", match.group("condition")):
        return  # a condition of another kind
    why = configuration.group(1) if configuration else _ALL
    yield from _options(argument, match.start("flags"), match.end("flags"), why, path)


def _options(argument: Argument, begin: int, end: int, why: str, path: str) -> Iterator[Option]:
    text = argument.text[begin:end].replace("SHELL:", " " * 6)
    try:
        words = shlex.split(text.replace(";", " "))
    except ValueError:
        return
    for word in options.read(words):
        if word.name in _TELLING:
            place = _find(text, word.text)
            if place is not None:
                offset = argument.begin + begin
                yield Option(
                    word.name, word.value, places.span(path, offset + place[0], offset + place[1]), why
                )


def _find(text: str, words: tuple[str, ...]) -> tuple[int, int] | None:
    pattern = r"[\s;]+".join(re.escape(word) for word in words)
    match = re.search(rf"(?<![^\s;\"']){pattern}(?![^\s;\"'])", text)
    return match.span() if match else None
