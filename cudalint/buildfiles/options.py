"""Options of nvcc and clang that decide how fast the code is, read from the words of a command.

The spellings are those of nvcc's help (release 13.0) and of clang's CUDA options.
"""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

# Spellings, and the one name for them. With a value in the same word after '=', or in the next.
_VALUED = {
    "-Xptxas": "-Xptxas",
    "--ptxas-options": "-Xptxas",
    "-Ofc": "-Ofc",
    "--Ofast-compile": "-Ofc",
    "-maxrregcount": "-maxrregcount",
    "--maxrregcount": "-maxrregcount",
    "-dopt": "-dopt",
    "--dopt": "-dopt",
    "-O": "-O",
    "--optimize": "-O",
    "-gencode": "-gencode",
    "--generate-code": "-gencode",
    "-arch": "-arch",
    "--gpu-architecture": "-arch",
    "-code": "-code",
    "--gpu-code": "-code",
    "--cuda-gpu-arch": "--offload-arch",
    "--offload-arch": "--offload-arch",
}
_PLAIN = {
    "-G": "-G",
    "--device-debug": "-G",
    "-lineinfo": "-lineinfo",
    "--generate-line-info": "-lineinfo",
    "-use_fast_math": "-use_fast_math",
    "--use_fast_math": "-use_fast_math",
    "-g": "-g",
    "--debug": "-g",
}
# The word after these belongs to them and is for another program.
_FOR_OTHERS = frozenset(
    """-Xcompiler --compiler-options -Xlinker --linker-options -Xarchive -Xnvlink --nvlink-options -o
    --output-file -ccbin --compiler-bindir -MF -MT -MQ -I -isystem -include -L -l""".split()
)
_ARCH = re.compile(r"(?:sm|compute|lto)_\d+[af]?$")


class Word(Struct, frozen=True):
    """An option by its one name. text: the words of the command that it is written with."""

    name: str
    value: str
    text: tuple[str, ...]


def read(words: Iterable[str]) -> Iterator[Word]:
    """The options that matter here, in order; macros as '-D'."""
    rest = iter(words)
    for text in rest:
        name, equals, value = text.partition("=")
        if text in _FOR_OTHERS:
            next(rest, "")
        elif name in _VALUED:
            own = value if equals else next(rest, "")
            yield from _values(_VALUED[name], own, (text,) if equals else (text, own))
        elif text in _PLAIN:
            yield Word(_PLAIN[text], "", (text,))
        elif re.fullmatch(r"-O\w+", text):
            yield Word("-O", text[2:], (text,))
        elif text.startswith("-D") and len(text) > 2:
            yield Word("-D", name[2:], (text,))


def _values(name: str, value: str, text: tuple[str, ...]) -> Iterator[Word]:
    """One word for each part of what is handed to ptxas."""
    for part in value.replace(",", " ").split() if name == "-Xptxas" else [value]:
        yield Word(name, part, text)


def release(words: list[Word]) -> str:
    """What says that a command is not for debugging: no assertions, or optimised host code; '' if nothing."""
    if any(word.name == "-D" and word.value == "NDEBUG" for word in words):
        return "-DNDEBUG"
    levels = [word.value for word in words if word.name == "-O"]
    return f"-O{levels[-1]}" if levels and levels[-1] in ("1", "2", "3", "s", "fast") else ""


def architectures(words: list[Word]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """(machine code, PTX) that nvcc or clang makes; None where no option says it, or not by number."""
    made: list[str] = []
    base = [word.value for word in words if word.name == "-arch"]
    codes = [part for word in words if word.name == "-code" for part in _list(word.value)]
    for word in words:
        if word.name == "-gencode":
            made += _list(word.value.partition("code=")[2])
        elif word.name == "--offload-arch":
            made += [word.value, word.value.replace("sm_", "compute_")]
    if base and not codes:
        made += [base[-1].replace("sm_", "compute_"), base[-1]]
    made += codes
    if not made or not all(_ARCH.match(part) for part in made):
        return None
    native = tuple(dict.fromkeys(part for part in made if part.startswith("sm_")))
    return native, tuple(dict.fromkeys(part for part in made if part.startswith("compute_")))


def _list(text: str) -> list[str]:
    return [part for part in text.strip("[]\"' ").replace('"', "").split(",") if part]
