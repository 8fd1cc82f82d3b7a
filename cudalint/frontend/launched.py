"""Where the text launches kernels, hands them on by name or instantiates them, also where nothing of it is
lowered: in a template of host code that nothing instantiates.
"""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from cudalint.source.comments import code

_MOST = 400  # characters of template arguments, or from `template` to the name
_INSTANTIATION = re.compile(r"(\bextern\s+)?\btemplate\b(?!\s*<)[^;{}<]*$")


class Use(Struct, frozen=True):
    """A kernel's name where it is launched or handed on; else it is instantiated explicitly."""

    name: str
    path: str
    line: int
    launched: bool


def uses(texts: Iterable[tuple[str, str]], names: Iterable[str]) -> Iterator[Use]:
    """The uses of kernels in texts with their paths.

    A name without a parameter list behind it is launched or handed on, as in `k<<<g, b>>>`,
    `k<float><<<g, b>>>` and `&k<T>`: a definition, a declaration or an instantiation has one.
    """
    wanted = sorted(set(names))
    if not wanted:
        return
    named = re.compile(rf"\b(?:{'|'.join(map(re.escape, wanted))})\b")
    for path, text in texts:
        if named.search(text) is None:
            continue
        source = code(text)
        for match in named.finditer(source):
            launched = not _has_parameters(source[match.end() : match.end() + _MOST])
            if launched or _instantiated(source[max(0, match.start() - _MOST) : match.start()]):
                yield Use(match[0], path, source.count("\n", 0, match.start()) + 1, launched)


def _has_parameters(rest: str) -> bool:
    """Whether a parenthesis follows, behind template arguments where there are some."""
    rest = rest.lstrip()
    if rest.startswith("<") and not rest.startswith("<<<"):
        depth, at = 1, 1
        while depth and at < len(rest) and rest[at] not in ";{}":
            depth += (rest[at] == "<") - (rest[at] == ">")
            at += 1
        rest = rest[at:].lstrip()
    return rest.startswith("(")


def _instantiated(before: str) -> bool:
    """Whether the name that follows is instantiated here, not `extern`."""
    match = _INSTANTIATION.search(before)
    return match is not None and match[1] is None
