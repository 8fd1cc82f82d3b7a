"""A unit after an edit inside the body of one function: that function is lowered anew, nothing else.

A parse takes a fraction of what lowering all functions takes. Everything outside of the function is the same
as long as the function ends where it ended, no line with a directive changed, and clang minds nothing new.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from cudalint.frontend.errors import UnitFailed
from cudalint.frontend.options import LoadOptions
from cudalint.ir.shifted import Shift
from cudalint.ir.unit import Function, Unit
from cudalint.source.span import Span

if TYPE_CHECKING:
    from cudalint.frontend.parse import ParsedUnit

_NUMBERED = re.compile(r"#(?:[2-9]|\d\d+)$")  # a key that another function had first


class Lowering(Struct, frozen=True):
    """The text of a file and the unit that was made with it. path: as spans have it, of the unit itself or of
    a file that it includes.
    """

    path: str
    text: str
    unit: Unit


class Change(Struct, frozen=True):
    """The function in whose body a text changes, or all its instances; by how many the lines behind the last
    changed one move. asks: it may ask for other instances of kernels than before.
    """

    functions: tuple[Function, ...]
    last: int
    by: int
    asks: bool


class Loaded(Struct, frozen=True):
    """The unit of a text. base: the unit before, at its places in the text, whose functions it has but for
    the one that was edited; None where all of it was lowered. shift: how the unit before got there.
    """

    unit: Unit
    base: Unit | None = None
    shift: Shift | None = None


def load_edited(path: str, options: LoadOptions, text: str, before: Lowering) -> Loaded:
    """The unit of a path, where that is enough with one function lowered anew. text: of the edited file as it
    is now, which options hold for the parser. Raises UnitFailed.
    """
    from cudalint.frontend import load

    changed = change(before, text)
    if changed is None or changed.asks:
        return Loaded(load(path, options))
    from cudalint.frontend.inputs import flags_of
    from cudalint.frontend.parse import ParseError, parse

    try:
        parsed = parse(path, flags_of(path, options), options.text, options.root, options.unsaved)
    except ParseError as error:
        raise UnitFailed(str(error)) from error
    base, shift = before.unit, None
    if changed.by:
        shift = Shift(before.path, changed.last, changed.by)
        base = shift.unit(base, changed.functions[0].extent)
    functions = tuple(base.functions[function.key] for function in changed.functions)
    unit = _with(parsed, functions, options, base)
    return Loaded(unit, base, shift) if unit is not None else Loaded(load(path, options, parsed))


def _with(
    parsed: ParsedUnit, functions: tuple[Function, ...], options: LoadOptions, before: Unit
) -> Unit | None:
    """The unit before with functions as they are now; None where something else may have changed."""
    from cudalint.frontend.includes import SHIM
    from cudalint.frontend.lower.unit import lower_edited
    from cudalint.frontend.parse import launches_of_device
    from cudalint.source.text import display_path

    directory = options.directory or os.getcwd()

    def here(span: Span) -> Span:
        return replace(span, path=display_path(span.path, directory))

    wrong = tuple(here(error.span) for error in parsed.errors if error.file)
    if parsed.arguments != before.flags or not _as_before(before, parsed.missing_headers, wrong):
        return None
    if any(functions[0].extent.contains(place) for place in wrong):
        return None
    refused = tuple((here(at), name) for at, name in launches_of_device(parsed.translation_unit) if at.path)
    return lower_edited(parsed.translation_unit, before, functions, SHIM, directory, wrong, refused)


def _as_before(unit: Unit, missing: tuple[str, ...], wrong: tuple[Span, ...]) -> bool:
    """Whether the parser lacks the same headers and minds the same lines."""
    headers = {problem.header for problem in unit.problems if problem.header}
    lines = {(place.path, place.line) for place in wrong}
    known = {(place.path, place.line) for place in unit.errors}
    known |= {(p.span.path, p.span.line) for p in unit.problems if p.header}
    return headers == set(missing) and lines == known


def change(before: Lowering, text: str) -> Change | None:
    """What a text changes, where all of it stands in the body of one function; None where it does not."""
    unit = before.unit
    old, new = before.text.split("\n"), text.split("\n")
    most = min(len(old), len(new))
    head = next((n for n in range(most) if old[n] != new[n]), most)
    tail = next((n for n in range(most - head) if old[-1 - n] != new[-1 - n]), most - head)
    first, last, by = head + 1, len(old) - tail, len(new) - len(old)
    if (first > last and not by) or any("#" in row for row in (*old[head:last], *new[head : last + by])):
        return None
    if any(_NUMBERED.search(key) for key in unit.functions):
        return None
    around = (f for f in unit.functions.values() if _holds(before.path, f, first, last))
    found = tuple(f for f in around if not f.lambda_)
    if len({f.extent for f in found}) != 1 or any(f.assumed or f.sized or f.dependent for f in found):
        return None
    kernels = (unit.functions[key] for key in unit.kernels)
    templates = any((f.template_arguments and not f.made) or f.assumed for f in kernels)
    return Change(found, last, by, asks=found[0].host and templates)


def _holds(path: str, function: Function, first: int, last: int) -> bool:
    """Whether lines of a file stand between the braces of a function."""
    span = function.body.span if function.body is not None else None
    return span is not None and span.path == path and span.line < first and last < span.end_line
