"""Lines that hang on a macro which nothing that was read defines: where a header is missing, nobody knows
whether they are compiled; where none is, and all kernels of a file are among them, the build defines it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from cudalint.ir.unit import Undecided
from cudalint.source.comments import code

_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*([a-z]+)\b((?:\\\r?\n|[^\n])*)", re.MULTILINE)
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_OPTION = re.compile(r"-[DU](\w+)")
_NAME = re.compile(r"\b[A-Za-z_]\w*")
_ASKED = re.compile(r"\b__has_\w+\s*\([^()]*\)")  # of the compiler
_RESERVED = re.compile(r"_[A-Z_]")  # how names begin that compilers and their libraries define
_KERNEL = "__global__"
# `#if defined(HAVE_A) && USE_B`, `#ifdef WITH_C`: what options of a build are asked by.
_WANTED = re.compile(r"ifdef \w+|if [\w\s()&|\\]*")
_NEGATED = re.compile(r"ifndef \w+|if\s*!\s*(?:defined\b)?[\s(]*\w+\s*\)?")  # true, as nothing defines it
_BUILD_OPTION = re.compile(r"(?:\w+_)?(?:HAVE|USE|WITH|ENABLE|ENABLED|CUDA|GPU)(?:_\w+)?|BUILD_\w+")
_PORT = re.compile(
    r"SSE|AVX|NEON|HIP|ROCM|AMD|SYCL|OPENCL|METAL|MUSA|WIN|MSC|APPLE|ANDROID|CPU|NO_|DISABLE|DEBUG"
)
_OPENING = frozenset({"if", "ifdef", "ifndef"})
_PARTING = frozenset({"elif", "elifdef", "elifndef"})
_WORDS = frozenset("defined true false and or not xor bitand bitor compl not_eq".split())
_PLATFORM = frozenset("NDEBUG WIN32 WIN64 linux unix i386".split())


class _Directive(Struct, frozen=True):
    """A directive: its line, and where it ends in the text. names: in a condition, or the one it defines.
    condition: as it is written.
    """

    word: str
    line: int
    end: int
    names: tuple[str, ...]
    condition: str


class _Conditional(Struct):
    """A conditional that is open. since: the directive from which on it is undecided."""

    since: _Directive | None = None
    macros: list[str] = field(default_factory=list)


def undecided(texts: Mapping[str, str], options: Iterable[str], shim: str) -> tuple[Undecided, ...]:
    """The outermost undecided regions with code in them, by the texts of all files that were read.

    options: of the compiler; shim: the folder of headers whose macros are known. A macro that is defined in
    undecided regions only is undecided itself.
    """
    codes = {path: code(text) for path, text in texts.items()}
    return _decided(codes, options, shim)[0]


def _decided(
    codes: Mapping[str, str], options: Iterable[str], shim: str
) -> tuple[tuple[Undecided, ...], frozenset[str]]:
    """The undecided regions, and the names that something defines."""
    read = {path: tuple(_directives(text)) for path, text in codes.items()}
    known = _WORDS | _PLATFORM | _macros(shim) | {m[1] for o in options if (m := _OPTION.match(o))}
    defined = {d.names[0] for own in read.values() for d in own if d.word == "define" and d.names}
    while True:
        found: list[Undecided] = []
        outside: set[str] = set()
        for path, directives in read.items():
            found += _regions(path, codes[path], directives, known | defined, outside)
        if outside == defined:
            return tuple(found), known | defined
        defined = outside


def left_out(
    path: str, texts: Mapping[str, str], options: Iterable[str], shim: str
) -> tuple[int, str, tuple[str, ...]] | None:
    """The line of the first kernel in the code of a file that hangs on macros which nothing defines, the
    first of these, and those that a build has to define for it, where the conditions ask for nothing else.
    """
    if _KERNEL not in texts.get(path, ""):  # gone since it was parsed
        return None
    codes = {one: code(text) for one, text in texts.items()}
    regions, known = _decided(codes, options, shim)
    if not any(region.path == path for region in regions):
        return None
    kernels = [line for line, text in enumerate(codes[path].split("\n"), 1) if _KERNEL in text]
    open_: list[_Directive] = []
    for directive in (*_directives(codes[path]), None):
        asked = [one for one in open_ if _unknown(one, known) and not _NEGATED.fullmatch(one.condition)]
        before = [line for line in kernels if directive is None or line < directive.line]
        if before and asked:
            names = tuple(dict.fromkeys(name for one in asked for name in _unknown(one, known)))
            options_only = all(_BUILD_OPTION.fullmatch(name) and not _PORT.search(name) for name in names)
            plain = options_only and all(_WANTED.fullmatch(one.condition) for one in asked)
            return before[0], names[0], names if plain else ()
        kernels = kernels[len(before) :]
        if directive is None:
            return None
        if directive.word in _OPENING:
            open_.append(directive)
        elif directive.word == "else" and open_:
            last = open_[-1]
            word = "ifdef" if _NEGATED.fullmatch(last.condition) else "ifndef"
            open_[-1] = replace(last, condition=f"{word} {(*last.names, 'X')[0]}")
        elif directive.word in _PARTING and open_:
            open_[-1] = directive
        elif directive.word == "endif" and open_:
            open_.pop()
    return None


def _unknown(directive: _Directive, known: Collection[str]) -> list[str]:
    return [name for name in directive.names if name not in known and not _RESERVED.match(name)]


def _directives(text: str) -> Iterator[_Directive]:
    line, at = 1, 0
    for match in _DIRECTIVE.finditer(text):
        line, at = line + text.count("\n", at, match.start()), match.start()
        word = match[1]
        names = tuple(dict.fromkeys(_NAME.findall(_ASKED.sub(" ", match[2]))))
        asked = names if word in ("if", "elif") else names[:1]
        yield _Directive(word, line, match.end(), asked, f"{word} {match[2].strip()}")


def _regions(
    path: str,
    text: str,
    directives: tuple[_Directive, ...],
    known: Collection[str],
    outside: set[str],
) -> Iterator[Undecided]:
    """The undecided regions of one text; the macros that it defines outside them are put into the set."""
    open_: list[_Conditional] = []
    since: _Directive | None = None  # of the region that the directive stands in
    for directive in directives:
        if directive.word in _OPENING:
            open_.append(_Conditional())
        if directive.word in _OPENING | _PARTING and open_:
            unknown = _unknown(directive, known)
            if unknown and since is None:
                since = open_[-1].since = directive
            open_[-1].macros += unknown
        elif directive.word == "endif" and open_:
            closed = open_.pop()
            if closed.since is not None:
                since = None
                if _DIRECTIVE.sub("", text[closed.since.end : directive.end]).strip():
                    macros = tuple(dict.fromkeys(closed.macros))
                    yield Undecided(path, closed.since.line, directive.line, macros)
        elif directive.word == "define" and directive.names and since is None:
            outside.add(directive.names[0])


@cache
def _macros(shim: str) -> frozenset[str]:
    """Every macro that the bundled headers define."""
    files = (Path(folder, name) for folder, _, names in os.walk(shim) for name in names)
    return frozenset(
        name for file in files for name in _DEFINE.findall(file.read_text(encoding="utf-8", errors="replace"))
    )
