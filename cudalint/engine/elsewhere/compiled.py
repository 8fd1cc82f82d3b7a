"""Launches of kernels that a program compiles at run time: it names them in strings, and holds their source
under a name made of the file's.
"""

import os
import re
from collections.abc import Iterator

from cudalint.engine.elsewhere.numbers import closing, parts
from cudalint.engine.elsewhere.scopes import made, occurrences, scopes
from cudalint.engine.elsewhere.words import IDENTIFIER

_DRIVER = ("cuLaunchKernel", "cuLaunchCooperativeKernel")
_STRING = r'"(?:\w+::)*{}(?:<[^"\n]*>)?"'
_HANDLE = re.compile(r"\b(\w+)\s*=\s*[^;{}=]*$")
_LEAD = 300  # letters between what is assigned to and the name in a string


def embeds(text: str, defined: str) -> bool:
    """Whether a text names the source that a build embeds: `scale.cuh` is scale_cuh and what follows."""
    name = re.sub(r"\W", "_", os.path.basename(defined))
    return re.search(rf"\b{name}", text) is not None


def launches(raw: str, text: str, kernel: str) -> Iterator[tuple[int, str]]:
    """Where a text launches a kernel that it names in a string, and the text of the block. raw: the text with
    what its strings hold; its lines are those of the text.
    """
    for string in re.finditer(_STRING.format(kernel), raw):
        handle = _HANDLE.search(raw, max(0, string.start() - _LEAD), string.start())
        if handle is None:
            continue
        after = _line(text, raw.count("\n", 0, string.start()) + 1)
        for at in occurrences(text, handle[1], after):
            end = at + len(handle[1])
            opening = re.compile(r"\s*\(").match(text, end)
            if opening is not None and (block := _configured(text, opening.end() - 1)):
                yield at, block
        driver = re.compile(rf"\b(?:{'|'.join(_DRIVER)})\s*(\()\s*{handle[1]}\s*,")
        for call in driver.finditer(text, after):
            open_ = call.start(1)
            stop = closing(text, open_)
            given = parts(text[open_ + 1 : stop]) if stop > 0 else []
            if len(given) > 6:
                yield call.start(), f"dim3({', '.join(given[4:7])})"


def _line(text: str, number: int) -> int:
    """Where a line begins, the first of which is 0."""
    at = -1
    for _ in range(number):
        at = text.find("\n", at + 1)
        if at < 0:
            return len(text)
    return at + 1


def _configured(text: str, open_: int) -> str:
    """The block in a call whose first argument is an object made of a grid and a block, both dim3."""
    stop = closing(text, open_)
    given = parts(text[open_ + 1 : stop]) if stop > 0 else []
    variable = IDENTIFIER.fullmatch(given[0].strip()) if given else None
    if variable is None:
        return ""
    object_ = re.findall(rf"\b\w+\s+{variable[1]}\s*\(([^;{{}}]*)\)\s*;", text[:open_])
    arguments = parts(object_[-1]) if object_ else []
    if len(arguments) > 1 and all(_is_shape(text, one.strip(), open_) for one in arguments[:2]):
        return arguments[1].strip()
    return ""


def _is_shape(text: str, name: str, at: int) -> bool:
    """Whether a name is that of a dim3 at a place, or a dim3 is written out."""
    if name.startswith("dim3"):
        return True
    if not name.isidentifier():
        return False
    for scope in scopes(text, at):
        variable = made(text, scope, name, at)
        if variable is not None:
            return "dim3" in f"{variable.type} {variable.initial}"
    return False
