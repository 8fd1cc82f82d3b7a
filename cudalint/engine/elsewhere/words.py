"""Words of C++ text: names with their template arguments, calls, definitions."""

import re
from collections.abc import Iterator

from cudalint.engine.elsewhere.numbers import closing, parts
from cudalint.engine.elsewhere.scopes import Scope, is_declared, scopes

IDENTIFIER = re.compile(r"(?:::\s*)?(?:\w+\s*::\s*)*([A-Za-z_]\w*)$")
DIM3 = re.compile(r"(?:::)?(?:dim3\b)?\s*[({](.*)[)}]$", re.DOTALL)
_LEAD = 200  # letters before a bracket in which a name begins
_CONFIGURATION = 1_000  # letters between the chevrons


def template_arguments(text: str, at: int) -> tuple[str, int]:
    """The template arguments at a place, with their brackets, and where what follows them begins."""
    while at < len(text) and text[at].isspace():
        at += 1
    if text.startswith("<", at) and not text.startswith("<<", at):
        end = closing(text, at)
        if end > 0:
            after = end + 1
            while after < len(text) and (text[after].isspace() or text[after] == "\\"):
                after += 1
            return text[at : end + 1], after
    return "", at


def configuration(text: str, at: int) -> list[str]:
    end = text.find(">>>", at, at + _CONFIGURATION)
    return parts(text[at + 3 : end].replace("\\\n", " ")) if end > 0 else []


def opened(text: str, at: int) -> int:
    """The bracket of the call that a place is an argument of; -1 where there is none."""
    depth = 0
    for place in range(at - 1, max(0, at - 1_000), -1):
        letter = text[place]
        if letter in ";{}" and depth == 0:
            return -1
        depth += (letter in ")]") - (letter in "([")
        if depth < 0:
            return place if letter == "(" else -1
    return -1


def called_before(text: str, at: int) -> str:
    """The name of what a bracket calls, '' where it calls nothing."""
    found = IDENTIFIER.search(without_arguments(text[max(0, at - _LEAD) : at]))
    return found[1] if found is not None else ""


def without_arguments(text: str) -> str:
    """A name without the template arguments behind it."""
    text = text.rstrip()
    if not text.endswith(">"):
        return text
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        depth += (text[at] == ">") - (text[at] == "<")
        if depth == 0:
            return text[:at].rstrip()
    return ""


def definitions(text: str, name: str) -> Iterator[tuple[Scope, int]]:
    """The functions of a name whose bodies a text holds, each with where its body ends."""
    for use in re.finditer(rf"\b{name}\s*\(", text):
        end = closing(text, use.end() - 1)
        brace = text.find("{", end) if end > 0 else -1
        if brace > 0 and ";" not in text[end:brace] and is_declared(text, use.start()):
            scope = next(scopes(text, brace + 1))
            stop = closing(text, brace)
            if scope.name == name and stop > 0:
                yield scope, stop
