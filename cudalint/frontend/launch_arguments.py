"""Template arguments of launches that nothing instantiates, `k<T, 16, threads><<<...>>>` in a template of
host code: those that are numbers, names of one number in the text, or builtin types are read from the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

_MOST = 2  # launches of one template
_LONGEST = 400  # characters of template arguments
_PLAIN = re.compile(r"\d+|true|false|(?:unsigned )?(?:char|short|int|long)|float|double|bool")
_NAME = re.compile(r"[A-Za-z_]\w*")


def launched_with(name: str, text: str) -> tuple[Mapping[int, str], ...]:
    """What the first launches of a template in a text without comments say of its arguments, by place."""
    found: list[dict[int, str]] = []
    for given in _launches(name, text):
        told = {place: value for place, part in enumerate(given) if (value := _value(part, text))}
        if told and told not in found:
            found.append(told)
        if len(found) == _MOST:
            break
    return tuple(found)


def _launches(name: str, text: str) -> Iterator[list[str]]:
    """The template arguments of each launch."""
    for match in re.finditer(rf"\b{re.escape(name)}\s*<(?!<)", text):
        parts, depth, inside, end = [""], 1, 0, match.end()
        last = min(len(text), end + _LONGEST)
        while end < last and text[end] not in ";{}":
            inside += (text[end] == "(") - (text[end] == ")")  # where `>` compares
            depth += ((text[end] == "<") - (text[end] == ">")) * (not inside)
            if not depth:
                break
            if text[end] == "," and depth == 1 and not inside:
                parts.append("")
            else:
                parts[-1] += text[end]
            end += 1
        if not depth and re.match(r"\s*<<<", text[end + 1 : end + _LONGEST]):
            yield [" ".join(part.split()) for part in parts]


def _value(part: str, text: str) -> str:
    """The argument as any scope may name it, or ''."""
    if _PLAIN.fullmatch(part):
        return part
    if _NAME.fullmatch(part) is None:
        return ""
    values = re.findall(rf"\b(?:define\s+{part}\s+|{part}\s*=\s*)([^\n;,]*)", text)
    return values[0] if len(set(values)) == 1 and values[0].isdecimal() else ""
