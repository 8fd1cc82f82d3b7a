"""Facts about a text at their places in a text with more or fewer lines."""

from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from cudalint.source.span import Span

_Facts = TypeVar("_Facts")


class Shift(Struct, frozen=True):
    """Lines of a file behind the last one, which move by so many. path: as spans have it."""

    path: str
    last: int
    by: int

    def of(self, facts: _Facts) -> _Facts:
        """The facts with all their spans moved."""
        moved: _Facts = self._moved(facts, {})
        return moved

    def _moved(self, value: Any, known: dict[int, tuple[Any, Any]]) -> Any:
        """known: by identity what was moved before, and to what."""
        match value:
            case Span(path=path, end_line=end) if path == self.path and end > self.last:
                line = value.line + self.by if value.line > self.last else value.line
                return replace(value, line=line, end_line=end + self.by)
            case Span() | str() | int() | float() | None:
                return value
        if (found := known.get(id(value))) is not None:
            return found[1]
        result = value
        if isinstance(value, tuple):
            parts = [self._moved(part, known) for part in value]
            if any(one is not other for one, other in zip(parts, value, strict=True)):
                result = tuple(parts)
        elif isinstance(value, Struct):
            fields = {name: getattr(value, name) for name in value.__struct_fields__}
            new = {name: to for name, was in fields.items() if (to := self._moved(was, known)) is not was}
            result = replace(value, **new) if new else value
        known[id(value)] = value, result
        return result
