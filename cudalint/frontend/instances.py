"""Instantiations for kernel templates that nothing in the unit calls.

A wrapper around the file takes the address of each such kernel, with the template arguments that the source
instantiates it for, or else with usual ones. A choice that does not compile gives way to the next; every fact
that follows stands on the choice, which is named.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from clang import cindex
from msgspec import Struct
from msgspec.structs import replace

from cudalint.frontend import made_up_class
from cudalint.frontend.choices import (
    OPERATION,
    Choice,
    choices,
    class_choices,
    number_type,
    usual_value,
)
from cudalint.frontend.explicit_instantiations import written
from cudalint.frontend.launch_arguments import launched_with
from cudalint.frontend.lower import clang
from cudalint.frontend.parse import ParsedUnit, launched_by_device, of_device, parse_again, read, saved
from cudalint.frontend.typed_address import filled, form_finder
from cudalint.source.comments import code

_FIRST_LINE = 3  # of the instantiations in the wrapper
_LARGEST_BATCH = 200  # templates of one unit
_MOST_ROUNDS = 4  # of parses after the first two
_ADDRESS = "auto* cudalint_instance_{} = &{};"
_CALL = "auto cudalint_instance_{} = {}();"  # of which clang says why it is none
_CLASS_ROUNDS = 6  # of parses in which a made-up class gets its members
_FEW = 3  # templates whose first choices are likely to compile


class Instances(Struct, frozen=True):
    """A translation unit with instantiations. choices: by the line of the wrapper they stand in; failed: the
    templates' names for which no choice compiles, with clang's message.
    """

    translation_unit: Any
    wrapper: str
    choices: dict[int, Choice]
    failed: dict[str, str]
    missing: dict[str, str] = {}  # members of the made-up class that are asked for, by name


class _Candidate(Struct):
    """A template with the choices that may still fit it, and what was wrong with the first one."""

    name: str
    left: list[Choice]
    reason: str = ""


class _File(Struct, frozen=True):
    """The file that is parsed again. text: what was parsed in place of what it holds; ahead: the path of the
    saved unit that stands in for it, '' for none.
    """

    parsed: ParsedUnit
    path: str
    text: str | None
    ahead: str = ""


def instantiate(parsed: ParsedUnit, templates: list[clang.Cursor]) -> Instances | None:
    """Parse the file once more with instantiations of its templates; None when none can be written.

    Which choices compile is tried behind the unit as it was parsed: that takes a hundredth of the time.
    """
    file = _File(parsed, os.path.abspath(parsed.path), parsed.text)
    source = code(_text(file.path) if file.text is None else file.text)
    form = form_finder()
    forms = {t.a: form(t) for t in templates}
    offered = [
        _formed(found, forms[t.a]) for t in templates[:_LARGEST_BATCH] for found in _offered(t, source)
    ]
    classes = [_formed(found, forms[t.a]) for t in templates if (found := class_choices(t))]
    by_class = [_Candidate(found[0].name, found) for found in classes]
    if not (offered or by_class) or any(letter in file.path for letter in '"\\\n'):
        return None
    candidates = [_Candidate(found[0].name, found) for found in offered]
    if len(candidates) <= _FEW:
        made, wrong = _attempt(file, candidates)
        named = {choice.name for choice in _good(made, wrong).values()}
        if not wrong and all(candidate.name in named for candidate in by_class):
            return Instances(made.translation_unit, made.wrapper, made.choices, {})
    with saved(parsed) as ahead:
        made, wrong, members = _tried(replace(file, ahead=ahead), candidates, by_class)
    good = _good(made, wrong)
    if ahead:
        chosen = [_Candidate(choice.name, [choice]) for choice in good.values()]
        made, wrong = _attempt(file, chosen, members)
        good = _good(made, wrong)
    named = {choice.name for choice in good.values()}
    failed = {c.name: c.reason for c in candidates if c.name not in named}
    return Instances(made.translation_unit, made.wrapper, good, failed)


def _tried(
    file: _File, candidates: list[_Candidate], by_class: list[_Candidate]
) -> tuple[Instances, dict[int, str], Mapping[str, str]]:
    """The last attempt, with the choices that compile, what is wrong with it, and the members of the made-up
    class.
    """
    made, wrong = _attempt(file, candidates)
    if wrong:
        rejected = _reject(candidates, wrong)
        every = [_Candidate(c.name, [choice]) for c in rejected for choice in c.left]
        bad = {every[index].left[0] for index in _attempt(file, every)[1]} if every else set()
        for candidate in rejected:
            candidate.left = [choice for choice in candidate.left if choice not in bad]
    # clang tells of one broken function once: another choice that stands on it shows only now.
    for _ in range(_MOST_ROUNDS):
        standing = [candidate for candidate in candidates if candidate.left]
        if not wrong or not standing:
            break
        made, wrong = _attempt(file, standing)
        _reject(standing, wrong)
    good = _good(made, wrong)
    named = {choice.name for choice in good.values()}
    left = [candidate for candidate in by_class if candidate.name not in named]
    if left:
        kept = [_Candidate(choice.name, [choice]) for choice in good.values()]
        further, worse, members = _with_class(file, kept, left)
        if len(_good(further, worse)) > len(good):
            return further, worse, members
    return made, wrong, {}


def _good(made: Instances, wrong: dict[int, str]) -> dict[int, Choice]:
    return {line: choice for line, choice in made.choices.items() if line - _FIRST_LINE not in wrong}


def _with_class(
    file: _File, kept: list[_Candidate], left: list[_Candidate]
) -> tuple[Instances, dict[int, str], dict[str, str]]:
    """The templates that are left, with a made-up class that gets the members that clang misses in it: the
    last attempt, what is wrong with it, and those members.
    """
    members: dict[str, str] = {}
    used = members
    for _ in range(_CLASS_ROUNDS):
        standing = [candidate for candidate in (*kept, *left) if candidate.left]
        made, wrong, used = *_attempt(file, standing, members), members
        if not wrong or not any(candidate.left for candidate in left):
            break
        missing = made.missing
        if missing.keys() <= members.keys():
            asked = [candidate for candidate in left if candidate.left]
            missing = _attempt(file, asked, members, _CALL)[0].missing
        if missing.keys() <= members.keys():
            every = [_Candidate(candidate.name, [choice]) for candidate in left for choice in candidate.left]
            missing, bad = _sifted(file, every, members)
            for candidate in left:
                candidate.left = [choice for choice in candidate.left if choice not in bad]
            if not bad and missing.keys() <= members.keys():
                _reject(standing, wrong)
        members = missing | members
    return made, wrong, used


def _sifted(
    file: _File, every: list[_Candidate], members: Mapping[str, str]
) -> tuple[dict[str, str], set[Choice]]:
    """What choices miss in the made-up class, all of them tried in one parse; where it has all of that, those
    that do not compile.
    """
    if not every:
        return {}, set()
    made, wrong = _attempt(file, every, members)
    if not made.missing.keys() <= members.keys():
        return made.missing, set()
    return {}, {every[index].left[0] for index in wrong}


def _offered(template: clang.Cursor, source: str) -> list[list[Choice]]:
    """For each instantiation of a template the choices in their order: what the source asks for, or one."""
    usual = choices(template)
    if asked := written(template, source):
        return [[choice, *usual] for choice in asked]
    said = launched_with(clang.spelling(template).split("<", 1)[0], source)
    by_launch = [[*dict.fromkeys((*choices(template, given), *usual))] for given in said]
    return by_launch or ([list(usual)] if usual else [])


def _formed(found: Sequence[Choice], form: str) -> list[Choice]:
    return [replace(choice, form=form) for choice in found] if form else list(found)


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
    file: _File,
    candidates: list[_Candidate],
    members: Mapping[str, str] = MappingProxyType({}),
    form: str = _ADDRESS,
) -> tuple[Instances, dict[int, str]]:
    """One parse with the first choices; clang's message for each that does not compile, by its index.
    members: of the made-up class; form: how an instantiation is asked for.
    """
    wanted = [candidate.left[0] for candidate in candidates]
    wrapper = os.path.join(os.path.dirname(file.path), "cudalint-instances.cu")
    chosen_types = f"{OPERATION} {made_up_class.definition(members)}"
    rows = ["" if file.ahead else f'#include "{file.path}"', chosen_types]
    for index, choice in enumerate(wanted):
        special = choice.form if form == _ADDRESS else ""
        row = filled(special, index, choice.text) if special else form.format(index, choice.text)
        rows.append(row)
    unsaved = [(wrapper, "\n".join(rows) + "\n")]
    if file.text is not None:
        unsaved.append((file.path, file.text))
    unit = parse_again(file.parsed, wrapper, unsaved, file.ahead)
    wrong: dict[int, str] = {}
    missing: dict[str, str] = {}
    for diagnostic in of_device(unit) if unit is not None else ():
        if diagnostic.severity >= cindex.Diagnostic.Error and not launched_by_device(read(diagnostic)):
            for line in _lines(diagnostic, wrapper):
                wrong.setdefault(line - _FIRST_LINE, str(diagnostic.spelling))
            for part in (diagnostic, *diagnostic.children):
                if name := made_up_class.name_of(part):
                    missing[name] = made_up_class.member(part, number_type(name), usual_value(name))
    if unit is None:
        wrong = dict.fromkeys(range(len(wanted)), "the file cannot be parsed again")
    chosen = {_FIRST_LINE + index: choice for index, choice in enumerate(wanted)}
    return Instances(unit, wrapper, chosen, {}, missing), wrong


def _lines(diagnostic: Any, wrapper: str) -> list[int]:
    """The instantiations that an error, or a note on where it comes from, points to."""
    found = []
    for part in (diagnostic, *diagnostic.children):
        place = part.location
        if place.file is not None and place.file.name == wrapper and place.line >= _FIRST_LINE:
            found.append(place.line)
    return found
