"""Explicit instantiations of kernel templates, `template __global__ void k<128>(float *);`: libclang shows
none of them, so they are read from the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cudalint.frontend.choices import Choice, path
from cudalint.frontend.lower import clang

_MOST = 4  # of one template


def written(template: clang.Cursor, text: str) -> tuple[Choice, ...]:
    """The instantiations of a template that a text without comments asks for: nothing is assumed there."""
    name = clang.spelling(template).split("<", 1)[0]
    asked = re.compile(rf"\btemplate\b(?!\s*<)[^;{{}}<]*?\b{re.escape(name)}\s*<")
    found = dict.fromkeys(_arguments(text, asked))
    return tuple(Choice(name, f"{path(template)}<{given}>", ()) for given in list(found)[:_MOST])


def _arguments(text: str, asked: re.Pattern[str]) -> Iterator[str]:
    """What stands between the angle brackets of each, where a parameter list follows and a semicolon."""
    for match in asked.finditer(text):
        depth, end = 1, match.end()
        while depth and end < len(text) and text[end] not in ";{}":
            depth += (text[end] == "<") - (text[end] == ">")
            end += 1
        if not depth and re.match(r"\s*\([^{}]*?\)\s*;", text[end:]):
            yield " ".join(text[match.end() : end - 1].split())
