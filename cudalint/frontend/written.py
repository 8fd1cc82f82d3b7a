"""Explicit instantiations of kernel templates, `template __global__ void k<128>(float *);`: libclang shows
none of them, so they are read from the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cudalint.frontend.choices import Choice, path
from cudalint.frontend.lower import clang

_MOST = 4  # of one template
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def without_comments(text: str) -> str:
    return _COMMENT.sub(" ", text)


def written(template: clang.Cursor, text: str) -> tuple[Choice, ...]:
    """The instantiations of a template that a text without comments asks for: nothing is assumed there."""
    name = clang.spelling(template).split("<", 1)[0]
    asked = re.compile(rf"\btemplate\b(?!\s*<)[^;{{}}<]*?\b{re.escape(name)}\s*<")
    found = dict.fromkeys(_arguments(text, asked))
    return tuple(Choice(name, f"{path(template)}<{given}>", ()) for given in list(found)[:_MOST])


def uses(name: str, text: str) -> bool:
    """Whether a text without comments launches a kernel template, instantiates it or takes its address."""
    own = re.escape(name)
    launched = rf"\b{own}\s*(?:<[^;{{}}]*?)?<\s*<\s*<"
    named = rf"[&()=,]\s*(?:\w+\s*::\s*)*{own}\s*<"
    instantiated = rf"\btemplate\b(?!\s*<)[^;{{}}<]*?\b{own}\s*<"
    return re.search(f"{launched}|{named}|{instantiated}", text) is not None


def _arguments(text: str, asked: re.Pattern[str]) -> Iterator[str]:
    """What stands between the angle brackets of each, where a parameter list follows and a semicolon."""
    for match in asked.finditer(text):
        depth, end = 1, match.end()
        while depth and end < len(text) and text[end] not in ";{}":
            depth += (text[end] == "<") - (text[end] == ">")
            end += 1
        if not depth and re.match(r"\s*\([^{}]*?\)\s*;", text[end:]):
            yield " ".join(text[match.end() : end - 1].split())
