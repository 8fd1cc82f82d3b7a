"""Explicit instantiations for kernel templates that nothing in the unit instantiates.

A wrapper around the file takes the address of each such kernel with usual template arguments. A choice that
does not compile gives way to the next; every fact that follows stands on the choice, which is named.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from clang import cindex

from cudalint.frontend.choices import OPERATION, Choice, choices
from cudalint.frontend.lower import clang
from cudalint.frontend.parse import ParsedUnit, parse_again

_FIRST_LINE = 3  # of the instantiations in the wrapper
_LARGEST_BATCH = 200  # templates of one unit


@dataclass(frozen=True, slots=True)
class Instances:
    """A translation unit with instantiations. choices: by the line of the wrapper they stand in; failed: the
    templates' names for which no choice compiles, with clang's message.
    """

    translation_unit: Any
    wrapper: str
    choices: dict[int, Choice]
    failed: dict[str, str]


def instantiate(parsed: ParsedUnit, templates: list[clang.Cursor], text: str | None) -> Instances | None:
    """Parse the file once more with instantiations of its templates; None when none can be written."""
    offered = [found for t in templates[:_LARGEST_BATCH] if (found := choices(t))]
    path = os.path.abspath(parsed.path)
    if not offered or any(letter in path for letter in '"\\\n'):
        return None
    first = [found[0] for found in offered]
    made, wrong = _attempt(parsed, path, text, first)
    if not wrong:
        return made
    every = [choice for index in wrong for choice in offered[index][1:]]
    others = _attempt(parsed, path, text, every)[1] if every else {}
    position, failed = 0, {}
    final: list[Choice] = []
    for index, found in enumerate(offered):
        if index not in wrong:
            final.append(found[0])
            continue
        rest = range(position, position + len(found) - 1)
        position = rest.stop
        good = next((every[p] for p in rest if p not in others), None)
        if good is not None:
            final.append(good)
        else:
            failed[found[0].name] = wrong[index]
    if not final:
        return Instances(None, made.wrapper, {}, failed)
    made, wrong = _attempt(parsed, path, text, final)
    for index, reason in wrong.items():
        failed[final[index].name] = reason
        del made.choices[_FIRST_LINE + index]
    return Instances(made.translation_unit, made.wrapper, made.choices, failed)


def _attempt(
    parsed: ParsedUnit, path: str, text: str | None, wanted: list[Choice]
) -> tuple[Instances, dict[int, str]]:
    """One parse with the choices; clang's message for each that does not compile, by its index."""
    wrapper = os.path.join(os.path.dirname(path), "cudalint-instances.cu")
    rows = [f'#include "{path}"', OPERATION]
    rows += [f"auto* cudalint_instance_{index} = &{choice.text};" for index, choice in enumerate(wanted)]
    unsaved = [(wrapper, "\n".join(rows) + "\n")]
    if text is not None:
        unsaved.append((path, text))
    unit = parse_again(parsed, wrapper, unsaved)
    wrong: dict[int, str] = {}
    for diagnostic in unit.diagnostics if unit is not None else ():
        if diagnostic.severity >= cindex.Diagnostic.Error:
            for line in _lines(diagnostic, wrapper):
                wrong.setdefault(line - _FIRST_LINE, str(diagnostic.spelling))
    if unit is None:
        wrong = dict.fromkeys(range(len(wanted)), "the file cannot be parsed again")
    chosen = {_FIRST_LINE + index: choice for index, choice in enumerate(wanted)}
    return Instances(unit, wrapper, chosen, {}), wrong


def _lines(diagnostic: Any, wrapper: str) -> list[int]:
    """The instantiations that an error, or a note on where it comes from, points to."""
    found = []
    for part in (diagnostic, *diagnostic.children):
        place = part.location
        if place.file is not None and place.file.name == wrapper and place.line >= _FIRST_LINE:
            found.append(place.line)
    return found
