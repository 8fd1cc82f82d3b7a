"""Options in compile_commands.json, each at the first command that has it."""

import os
from functools import lru_cache

from cudalint.buildfiles import options, places
from cudalint.buildfiles.compile_commands import Command, DatabaseError, command_for, locate, words_of
from cudalint.buildfiles.facts import BuildFacts, Code, Option
from cudalint.source.span import Span

_TELLING = frozenset(["-G", "-Xptxas", "-Ofc", "-use_fast_math", "-maxrregcount", "-lineinfo", "-dopt"])
_ARCHITECTURES = ("-gencode", "-arch", "--offload-arch")


def facts(source: str, given: str | None, named: bool) -> BuildFacts | None:
    """What the command of a source says; None without one, or where no compiler for CUDA is called."""
    try:
        command, path = command_for(source, given), locate(source, given)
    except DatabaseError:
        return None
    if command is None or path is None:
        return None
    compiler = _compiler(command)
    if not compiler:
        return None
    words = list(options.read(command.arguments))
    why = options.release(words)
    found = []
    for word in dict.fromkeys(words):
        if word.name in _TELLING or (word.name, word.value) == ("-O", "0"):
            span, commands = _first(path, word, why)
            found.append(Option(word.name, word.value, span, why, commands))
    return BuildFacts(compiler, tuple(found), _code(words, path), named)


@lru_cache(maxsize=256)
def _first(path: str, word: options.Word, why: str) -> tuple[Span, int]:
    """Where the first command for CUDA has an option in a build of that kind, and how many do; the start of
    the file where it is written in a way that is not looked for.
    """
    first, commands = None, 0
    for entry in places.entries(path):
        span = places.of_words(path, word.text, entry.begin, entry.end)
        arguments = words_of(entry.value) if span is not None else None
        if not arguments or not _compiler(Command(tuple(arguments[1:]), "", arguments[0])):
            continue
        words = list(options.read(arguments[1:]))
        if word in words and options.release(words) == why:
            first, commands = first or span, commands + 1
    return first or Span(path, 1, 1, 1, 1), commands


def _compiler(command: Command) -> str:
    """'nvcc' or 'clang'; also behind a program that keeps what was compiled."""
    for word in (command.compiler, *command.arguments[:1]):
        name = os.path.basename(word)
        if name.startswith("nvcc"):
            return "nvcc"
        if name.startswith("clang"):
            return "clang"
    return ""


def _code(words: list[options.Word], path: str) -> Code | None:
    made = options.architectures(words)
    first = next((word for word in words if word.name in _ARCHITECTURES), None)
    if made is None or first is None:
        return None
    return Code(*made, places.of_words(path, first.text) or Span(path, 1, 1, 1, 1))
