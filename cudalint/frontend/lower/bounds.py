"""`__launch_bounds__`: the shim repeats its arguments in an annotation, in which clang has put template
arguments in place.
"""

from __future__ import annotations

from itertools import takewhile

from cudalint.frontend.lower import clang, kinds

_BOUNDS = "cudalint.launch_bounds"


def launch_bounds(definition: clang.Cursor) -> tuple[int, ...]:
    """(max threads[, min blocks]) as far as they are constants; () without the attribute, and where some
    argument has no number: of a template that nothing instantiates, clang shows the operands of a product as
    arguments of their own.
    """
    for part in clang.children(definition):
        if part.kind == kinds.ANNOTATE_ATTR and clang.spelling(part) == _BOUNDS:
            values = [clang.evaluate(argument) for argument in clang.children(part)]
            numbers = [value for value in values if isinstance(value, int)]
            return tuple(takewhile(_is_bound, numbers)) if len(numbers) == len(values) else ()
    return ()


def _is_bound(value: int) -> bool:
    return value > 0
