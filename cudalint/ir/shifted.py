"""A unit and facts about it at their places in a text with more or fewer lines."""

import os
import re
from typing import Any, TypeVar

from msgspec.structs import fields, replace

from cudalint.ir.expressions import Variable
from cudalint.ir.unit import Function, Undecided, Unit
from cudalint.source.span import Span

_Facts = TypeVar("_Facts")
_FIELDS: dict[type, tuple[str, ...] | None] = {}  # of structs; None of what is none
# What clang names types by that have no name, as "(lambda at a.cu:5:12)".
_UNNAMED = re.compile(r" at (?P<path>[^()]*):(?P<line>\d+)(?=:\d+\))")


class Shift:
    """Lines of a file behind the last one, which move by so many. path: as spans have it. What is moved twice
    becomes the same object.
    """

    def __init__(self, path: str, last: int, by: int) -> None:
        self._path, self._last, self._by = path, last, by
        self._known: dict[int, tuple[Any, Any]] = {}  # by identity what was moved, and to what

    def of(self, facts: _Facts) -> _Facts:
        """The facts with all their spans moved."""
        moved: _Facts = self._moved(facts)
        return moved

    def unit(self, unit: Unit, edited: Span) -> Unit:
        """The unit with all its places moved. Functions in the extent that is edited have no bodies then, and
        what they declare stands somewhere in it.
        """

        def line(path: str, number: int) -> int:
            return number + self._by if path == self._path and number > self._last else number

        def function(one: Function) -> Function:
            inside = edited.contains(one.extent)
            return replace(one, body=None, extent=self._span(one.extent)) if inside else self.of(one)

        def variable(one: Variable) -> Variable:
            inside = edited.contains(one.span)
            return replace(one, span=self._span(edited), initial=None) if inside else self.of(one)

        return replace(
            unit,
            functions={key: function(one) for key, one in unit.functions.items()},
            records={self._moved(name): self._moved(one) for name, one in unit.records.items()},
            destructors={self._moved(name): key for name, key in unit.destructors.items()},
            variables={number: variable(one) for number, one in unit.variables.items()},
            templates={key: self._moved(one) for key, one in unit.templates.items()},
            kernels_in_source=tuple((p, line(p, n), name) for p, n, name in unit.kernels_in_source),
            problems=self._moved(unit.problems),
            errors=self._moved(unit.errors),
            undecided=tuple(
                Undecided(u.path, line(u.path, u.line), line(u.path, u.end_line), u.macros)
                for u in unit.undecided
            ),
        )

    def _moved(self, value: Any) -> Any:
        kind = type(value)
        if kind is Span:
            return self._span(value)
        if kind is str:
            return _UNNAMED.sub(self._unnamed, value) if " at " in value else value
        names = _FIELDS[kind] if kind in _FIELDS else _fields(kind)
        if names is None and kind is not tuple:
            return value
        if (found := self._known.get(id(value))) is not None:
            return found[1]
        result = value
        if names is None:
            parts = [self._moved(part) for part in value]
            if any(one is not other for one, other in zip(parts, value, strict=True)):
                result = tuple(parts)
        elif kind is not Function or value.this is not None or self._concerns(value.extent):
            new = {}
            for name in names:
                was = getattr(value, name)
                if (to := self._moved(was)) is not was:
                    new[name] = to
            result = replace(value, **new) if new else value
        self._known[id(value)] = value, result
        return result

    def _concerns(self, span: Span) -> bool:
        return span.path == self._path and span.end_line > self._last

    def _unnamed(self, found: re.Match[str]) -> str:
        line = int(found["line"])
        own = os.path.basename(found["path"]) == os.path.basename(self._path) and line > self._last
        return f" at {found['path']}:{line + self._by}" if own else found[0]

    def _span(self, span: Span) -> Span:
        if not self._concerns(span):
            return span
        line = span.line + self._by if span.line > self._last else span.line
        return Span(span.path, line, span.column, span.end_line + self._by, span.end_column)


def _fields(kind: type) -> tuple[str, ...] | None:
    """The names of the fields of a kind of struct; None for what is none."""
    names = _FIELDS[kind] = (
        tuple(f.name for f in fields(kind)) if hasattr(kind, "__struct_fields__") else None
    )
    return names
