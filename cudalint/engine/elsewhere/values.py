"""What the names and expressions of a text stand for, as far as blocks of launches are made of them."""

import re
from collections.abc import Iterator
from itertools import islice

from msgspec.structs import replace

from cudalint.engine.elsewhere import tree
from cudalint.engine.elsewhere.files import Files, Place
from cudalint.engine.elsewhere.numbers import ONE, Number, closing, either, evaluate, parts
from cudalint.engine.elsewhere.scopes import (
    Made,
    Scope,
    is_declared,
    macro,
    made,
    named,
    occurrences,
    scopes,
    split,
)
from cudalint.engine.elsewhere.words import (
    DIM3,
    IDENTIFIER,
    definitions,
    template_arguments,
    without_arguments,
)

_DEEPEST = 12  # calls that a block is handed through
_MOST_CALLS = 64  # of a function that are looked at
_DEFINE = re.compile(r"[ \t]*#[ \t]*define[ \t]+")
_IS = re.compile(r"\s*(?:=(?!=)([^,;{}]+)|\{([^;{}]+)\}\s*;)")
_CONSTANT = re.compile(r"\bconst(?:expr|eval)?\b[^()]*$")
_HEAD = re.compile(r"\b(?:struct|class)\s+$")
_LEAD = 200  # letters before a name in which its declaration begins
Extents = tuple[Number | None, Number | None, Number | None]


class Values:
    """Reads texts of the project that a file belongs to; what was read once is known."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._known: dict[object, Extents | None] = {}
        self._members: dict[object, Number | None] = {}
        self._called: dict[object, tuple[tuple[Place, tuple[str, ...]], ...]] = {}

    def shape(self, place: Place, text: str, depth: int = 0) -> Extents | None:
        """The extents of a block that a text spells at a place."""
        text = text.strip()
        if IDENTIFIER.fullmatch(text):
            return self._named(place, "".join(text.split()), depth)
        inside = DIM3.fullmatch(text)
        if inside is not None and closing(text, text.index(text[inside.start(1) - 1])) == len(text) - 1:
            x, y, z = (*(self._number(place, one, depth) for one in parts(inside[1])), ONE, ONE, ONE)[:3]
            return x, y, z
        number = self._number(place, text, depth)
        return (number, ONE, ONE) if number is not None else None

    def _number(self, place: Place, text: str, depth: int) -> Number | None:
        def lookup(name: str) -> Number | None:
            found = self._named(place, name, depth + 1)
            return found[0] if found is not None and found[1:] == (ONE, ONE) else None

        def call(name: str, given: tuple[str, ...]) -> Number | None:
            return self._returned(place, name.rsplit("::", 1)[-1], given, depth + 1)

        return evaluate(text, lookup, call)

    def _returned(self, place: Place, name: str, given: tuple[str, ...], depth: int) -> Number | None:
        """What a function returns, where one of the name is defined in what a file reads."""
        found: list[Number | None] = []
        for path in self._files.read(name, place.path) if depth < _DEEPEST else ():
            text = tree.text(path)
            for scope, stop in definitions(text, name):
                for use in re.finditer(r"\breturn\b([^;]*);", text[scope.start : stop]):
                    where = Place(path, scope.start + use.start(), name, given, place)
                    found.append(self._number(where, use[1], depth + 1))
        return either(found) if found else None

    def _named(self, place: Place, name: str, depth: int) -> Extents | None:
        """What a name stands for at a place."""
        if depth > _DEEPEST:
            return None
        key = (place, name)
        if key not in self._known:
            self._known[key] = None  # of itself, nothing is known
            self._known[key] = self._resolved(place, name, depth)
        return self._known[key]

    def _resolved(self, place: Place, name: str, depth: int) -> Extents | None:
        text = place.text
        holder, _, name = name.rpartition("::")
        if holder and (member := self._member(place, holder.rsplit("::", 1)[-1], name, depth)) is not None:
            return member, ONE, ONE
        around = macro(text, place.at)
        if around is not None and name in around.parameters:
            return self._by_callers(place, around, around.parameters.index(name), "", depth)
        for scope in scopes(text, place.at):
            variable = made(text, scope, name, place.at)
            if variable is not None:
                return self._of_variable(replace(place, at=variable.at), variable, depth)
            for index, parameter in enumerate(scope.parameters):
                if named(parameter) == name:
                    return self._by_callers(place, scope, index, parameter.partition("=")[2], depth)
            for index, parameter in enumerate(scope.template):
                if named(parameter) == name:
                    default = parameter.partition("=")[2]
                    index = scope.special.index(name) if name in scope.special else index
                    return self._by_callers(place, scope, index, default, depth, template=True)
        return self._constant(place, name, depth)

    def _member(self, place: Place, holder: str, name: str, depth: int) -> Number | None:
        """A constant of a class: of the one by the name, or of what a template's parameter by the name stands
        for.
        """
        key = (place, holder, name)
        if key not in self._members and depth <= _DEEPEST:
            self._members[key] = None  # of itself, nothing is known
            self._members[key] = self._found_member(place, holder, name, depth)
        return self._members.get(key)

    def _found_member(self, place: Place, holder: str, name: str, depth: int) -> Number | None:
        for scope in scopes(place.text, place.at):
            for index, parameter in enumerate(scope.template):
                if named(parameter) == holder and scope.name:
                    index = scope.special.index(holder) if holder in scope.special else index
                    return self._member_of_argument(place, scope, index, parameter, name, depth)
        holds = re.compile(rf"\b(?:struct|class)\s+{holder}\b[^;{{}}()]*\{{")
        numbers: list[Number | None] = []
        for path in self._files.read(holder, place.path):
            text = tree.text(path)
            for found in holds.finditer(text):
                values = _constants(name, text[found.end() : closing(text, found.end() - 1)])
                numbers += [self._number(Place(path, found.end() + at), one, depth + 1) for at, one in values]
        return either(numbers) if numbers else None

    def _member_of_argument(
        self, place: Place, scope: Scope, index: int, parameter: str, name: str, depth: int
    ) -> Number | None:
        """A constant of a class that a template is given; the default one where no call tells another."""
        calls = [
            (where, given[index])
            for where, given in self._calls(scope.name, place.path, True)
            if index < len(given)
        ]
        default = parameter.partition("=")[2]
        for where, argument in [*calls, *([(place, default)] if default else [])]:
            kind = IDENTIFIER.search(without_arguments(argument))
            number = self._member(where, kind[1], name, depth + 1) if kind is not None else None
            if number is not None:
                return number
        return None

    def _of_variable(self, place: Place, variable: Made, depth: int) -> Extents | None:
        if variable.changed:
            return None
        later = [(axis, value) for axis, value in variable.assigned if not axis]
        texts = [
            *([variable.initial] if variable.initial is not None else []),
            *(value for _, value in later),
        ]
        shapes = [self.shape(place, one, depth + 1) for one in texts]
        if not shapes and any(axis for axis, _ in variable.assigned):
            shapes = [(ONE, ONE, ONE)]
        known = [one for one in shapes if one is not None]
        if not known or len(known) != len(shapes):
            return None
        extents = [either([shape[at] for shape in known]) for at in range(3)]
        for at, axis in enumerate("xyz"):
            values = [value for of, value in variable.assigned if of == axis]
            if values:
                own = [self._number(place, value, depth + 1) for value in values]
                extents[at] = either(own if extents[at] == ONE and len(own) == 1 else [*own, extents[at]])
        if variable.shrunk:
            extents[0] = replace(extents[0], most=True) if extents[0] is not None else None
        return extents[0], extents[1], extents[2]

    def _by_callers(
        self, place: Place, scope: Scope, index: int, default: str, depth: int, template: bool = False
    ) -> Extents | None:
        """What a parameter is handed by the call that is looked at, else by those of the project."""
        if place.caller is not None and place.function == scope.name and not template:
            if index < len(place.arguments):
                return self.shape(place.caller, place.arguments[index], depth + 1)
            return self.shape(place, default, depth + 1) if default else None
        size = not template and not _is_block(scope.parameters[index])
        found: list[Extents] = []
        for caller, given in self._calls(scope.name, place.path, template) if scope.name else ():
            text = given[index] if index < len(given) else default
            where = caller if index < len(given) else place
            shape = self.shape(where, text, depth + 1) if text else None
            if shape is None or None in shape:
                if size:
                    return None
            elif not size and not any(one is not None and one.most for one in shape):
                return shape
            else:
                found.append(shape)
        if not found and default:
            return self.shape(place, default, depth + 1)
        if size and found:
            x, y, z = (either([shape[at] for shape in found]) for at in range(3))
            return x, y, z
        return found[0] if found else None

    def _calls(self, name: str, defined: str, template: bool) -> tuple[tuple[Place, tuple[str, ...]], ...]:
        """The calls of a function, or the names of a template, with what they are given."""
        key = (name, defined, template)
        if key not in self._called:
            self._called[key] = tuple(islice(self._found_calls(name, defined, template), _MOST_CALLS))
        return self._called[key]

    def _found_calls(
        self, name: str, defined: str, template: bool
    ) -> Iterator[tuple[Place, tuple[str, ...]]]:
        for path in self._files.of(name, defined):
            text = tree.text(path)
            for at in occurrences(text, name):
                arguments, end = template_arguments(text, at + len(name))
                if template and arguments and not _HEAD.search(text, max(0, at - 20), at):
                    yield Place(path, at), tuple(split(arguments[1:-1]))
                elif not template and text[end : end + 1] == "(" and not is_declared(text, at):
                    stop = closing(text, end)
                    if stop > 0:
                        yield Place(path, at), tuple(parts(text[end + 1 : stop]))

    def _constant(self, place: Place, name: str, depth: int) -> Extents | None:
        """A macro, an enumerator or a constant of the files that a file reads; one of several values is at
        most the largest.
        """
        numbers: list[Number | None] = []
        for path in self._files.read(name, place.path):
            values = _constants(name, tree.text(path))
            numbers += [self._number(Place(path, at), value, depth + 1) for at, value in values]
        number = either(numbers) if numbers else None
        return (number, ONE, ONE) if number is not None else None


def _is_block(parameter: str) -> bool:
    """Whether a parameter is a block: any call tells one; of a size, all calls have to tell the same."""
    return "dim3" in parameter or " " not in parameter.strip()  # of a macro


def _constants(name: str, text: str) -> Iterator[tuple[int, str]]:
    """Where a text defines a macro, an enumerator or a constant of a name, and as what."""
    for at in occurrences(text, name):
        line = text[text.rfind("\n", 0, at) + 1 : at]
        if _DEFINE.fullmatch(line):
            end = text.find("\n", at)
            value = text[at + len(name) : end if end > 0 else len(text)].strip()
            if value and not text.startswith("(", at + len(name)):
                yield at, value
        elif found := _IS.match(text, at + len(name)):
            before = text[max(0, at - _LEAD) : at]
            statement = before[max(before.rfind(letter) for letter in ";{}") + 1 :]
            if _CONSTANT.search(statement) or before.rstrip()[-1:] in ("{", ","):
                yield at, (found[1] or found[2]).strip()
