"""Instantiations for kernel templates that nothing in the unit calls.

A wrapper around the file takes the address of each such kernel, with the template arguments that the source
instantiates it for, or else with usual ones. A choice that does not compile gives way to the next; every fact
that follows stands on the choice, which is named.
"""

from __future__ import annotations

import os
from typing import Any

from clang import cindex
from msgspec import Struct

from cudalint.frontend.choices import OPERATION, Choice, choices
from cudalint.frontend.explicit_instantiations import written
from cudalint.frontend.lower import clang
from cudalint.frontend.parse import ParsedUnit, launched_by_device, parse_again, read
from cudalint.source.comments import code

_FIRST_LINE = 3  # of the instantiations in the wrapper
_LARGEST_BATCH = 200  # templates of one unit
_MOST_ROUNDS = 4  # of parses after the first two


class Instances(Struct, frozen=True):
    """A translation unit with instantiations. choices: by the line of the wrapper they stand in; failed: the
    templates' names for which no choice compiles, with clang's message.
    """

    translation_unit: Any
    wrapper: str
    choices: dict[int, Choice]
    failed: dict[str, str]


class _Candidate(Struct):
    """A template with the choices that may still fit it, and what was wrong with the first one."""

    name: str
    left: list[Choice]
    reason: str = ""


def instantiate(parsed: ParsedUnit, templates: list[clang.Cursor]) -> Instances | None:
    """Parse the file once more with instantiations of its templates; None when none can be written."""
    path, text = os.path.abspath(parsed.path), parsed.text
    source = code(_text(path) if text is None else text)
    offered = [found for t in templates[:_LARGEST_BATCH] for found in _offered(t, source)]
    if not offered or any(letter in path for letter in '"\\\n'):
        return None
    candidates = [_Candidate(found[0].name, found) for found in offered]
    made, wrong = _attempt(parsed, path, text, candidates)
    if wrong:
        rejected = _reject(candidates, wrong)
        every = [_Candidate(c.name, [choice]) for c in rejected for choice in c.left]
        bad = {every[index].left[0] for index in _attempt(parsed, path, text, every)[1]} if every else set()
        for candidate in rejected:
            candidate.left = [choice for choice in candidate.left if choice not in bad]
    # clang tells of one broken function once: another choice that stands on it shows only now.
    for _ in range(_MOST_ROUNDS):
        if not wrong:
            break
        standing = [candidate for candidate in candidates if candidate.left]
        made, wrong = _attempt(parsed, path, text, standing)
        _reject(standing, wrong)
    good = {line: choice for line, choice in made.choices.items() if line - _FIRST_LINE not in wrong}
    failed = {c.name: c.reason for c in candidates if not any(c.name == g.name for g in good.values())}
    return Instances(made.translation_unit, made.wrapper, good, failed)


def _offered(template: clang.Cursor, source: str) -> list[list[Choice]]:
    """For each instantiation of a template the choices in their order: what the source asks for, or one."""
    usual = choices(template)
    asked = written(template, source)
    return [[choice, *usual] for choice in asked] or ([list(usual)] if usual else [])


def _text(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def _reject(candidates: list[_Candidate], wrong: dict[int, str]) -> list[_Candidate]:
    """Take the first choice off the candidates for which it is wrong."""
    for index, reason in wrong.items():
        candidates[index].reason = candidates[index].reason or reason
        candidates[index].left.pop(0)
    return [candidates[index] for index in wrong]


def _attempt(
    parsed: ParsedUnit, path: str, text: str | None, candidates: list[_Candidate]
) -> tuple[Instances, dict[int, str]]:
    """One parse with the first choices; clang's message for each that does not compile, by its index."""
    wanted = [candidate.left[0] for candidate in candidates]
    wrapper = os.path.join(os.path.dirname(path), "cudalint-instances.cu")
    rows = [f'#include "{path}"', OPERATION]
    rows += [f"auto* cudalint_instance_{index} = &{choice.text};" for index, choice in enumerate(wanted)]
    unsaved = [(wrapper, "\n".join(rows) + "\n")]
    if text is not None:
        unsaved.append((path, text))
    unit = parse_again(parsed, wrapper, unsaved)
    wrong: dict[int, str] = {}
    for diagnostic in unit.diagnostics if unit is not None else ():
        if diagnostic.severity >= cindex.Diagnostic.Error and not launched_by_device(read(diagnostic)):
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
