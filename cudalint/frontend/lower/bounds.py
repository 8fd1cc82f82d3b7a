"""`__launch_bounds__`: the shim repeats its arguments in an annotation, in which clang has put template
arguments in place.
"""

from __future__ import annotations

from cudalint.frontend.lower import clang, kinds

_BOUNDS = "cudalint.launch_bounds"


def launch_bounds(definition: clang.Cursor) -> tuple[int, ...]:
    """(max threads[, min blocks]) as far as they are constants; () without the attribute."""
    for part in clang.children(definition):
        if part.kind == kinds.ANNOTATE_ATTR and clang.spelling(part) == _BOUNDS:
            return tuple(_leading(part))
    return ()


def _leading(annotation: clang.Cursor) -> list[int]:
    """The numbers up to the first that is none, or no bound."""
    found = []
    for argument in clang.children(annotation):
        value = clang.evaluate(argument)
        if not isinstance(value, int) or value <= 0:
            break
        found.append(value)
    return found
