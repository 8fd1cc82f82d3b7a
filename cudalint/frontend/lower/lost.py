"""Statements that clang left out of the tree: each becomes a launch by the device, or else an Opaque, so that
none vanishes silently.
"""

from __future__ import annotations

import re

from cudalint.frontend.lower import clang
from cudalint.frontend.lower.context import Context
from cudalint.frontend.lower.launches import by_device
from cudalint.frontend.lower.places import Place
from cudalint.ir import statements as s
from cudalint.source.span import Span

REASON = "statement that could not be parsed"

_NO_CODE = re.compile(rb"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'", re.DOTALL)
_DIRECTIVE = re.compile(rb"[ \t]*#[ \t]*(\w*)")
_STATEMENT = re.compile(rb"[^\s;{}][^;]*;")


def with_lost(
    ctx: Context, made: list[tuple[clang.Cursor, list[s.Statement]]], block: clang.Cursor
) -> list[s.Statement]:
    """The statements of a block in a unit with errors, with something for each one that is missing.

    clang drops a statement it cannot make sense of. Its error stands in it, or, where a template's
    instantiation failed, somewhere else: then the text between two statements tells.
    """
    whole = ctx.places.span(block)
    found = [statement for _, statements in made for statement in statements]
    known = [statement.span for statement in found]
    places = [
        place
        for place in (*ctx.errors_within(whole), *_refused(ctx, whole))
        if not any(_holds(span, place) for span in known)
    ]
    if ctx.types.doubtful:
        places += [p for p in _gaps(ctx, [cursor for cursor, _ in made], block) if not _told(p, places)]
    for line, column in places:
        index = next((i for i, p in enumerate(found) if (p.span.line, p.span.column) > (line, column)), None)
        missing = _missing(ctx, Span(whole.path, line, column, line, column))
        found.insert(len(found) if index is None else index, missing)
    return found


def _missing(ctx: Context, span: Span) -> s.Statement:
    """What stands for a lost statement: a launch by the device, or an Opaque."""
    launch = by_device(ctx, span)
    if launch is not None:
        return s.Evaluate(launch, span)
    ctx.unknowns[REASON] += 1
    return s.Opaque(REASON, (), span)


def _refused(ctx: Context, whole: Span) -> list[tuple[int, int]]:
    """Where code of the device launches kernels in a block."""
    places = [place for place in ctx.refused if place[0] == whole.path]
    return [place[1:] for place in places if _holds(whole, place[1:])]


def _holds(span: Span, place: tuple[int, int]) -> bool:
    return (span.line, span.column) <= place <= (span.end_line, span.end_column)


def _told(place: tuple[int, int], places: list[tuple[int, int]]) -> bool:
    """Whether a lost place of the same line, at or behind this one, is there already."""
    return any(line == place[0] and column >= place[1] for line, column in places)


def _gaps(ctx: Context, children: list[clang.Cursor], block: clang.Cursor) -> list[tuple[int, int]]:
    """Where a whole statement stands in the text between two statements of the tree."""
    outer = clang.extent(block)
    if (outer.begin | outer.end) & clang.MACRO_BIT:
        return []
    start, end = ctx.places.place(outer.begin), ctx.places.place(outer.end)
    if start.file is None or start.file is not end.file:
        return []
    found: list[tuple[int, int]] = []
    position, after_macro = start.offset + 1, False
    for child in children:
        extent = clang.extent(child)
        first, last = _outside(ctx, extent.begin), _outside(ctx, extent.end)
        if first.file is not start.file or last.file is not start.file:
            return found
        found += _statements(start, position, first.offset, after_macro)
        position = max(position, last.offset)
        after_macro = bool(extent.end & clang.MACRO_BIT)
    return found + _statements(start, position, end.offset - 1, after_macro)


def _outside(ctx: Context, raw: int) -> Place:
    return ctx.places.expansion(raw) if raw & clang.MACRO_BIT else ctx.places.place(raw)


def _statements(start: Place, begin: int, end: int, after_macro: bool) -> list[tuple[int, int]]:
    """(line, column) of each statement in a stretch of text."""
    if start.file is None or end - begin < 2:
        return []
    data = start.file.data
    text = _NO_CODE.sub(lambda match: re.sub(rb"[^\n]", b" ", match.group()), data[begin:end])
    text = _without_nested_ends(_without_directives(text))
    skip = text.find(b";") + 1 if after_macro else 0
    found = []
    for match in _STATEMENT.finditer(text, skip):
        offset = begin + match.start()
        line = data.count(b"\n", 0, offset) + 1
        column = offset - (data.rfind(b"\n", 0, offset) + 1) + 1
        found.append((line, start.file.column(line, column)))
    return found


def _without_nested_ends(text: bytes) -> bytes:
    """The text with its semicolons inside parentheses blanked: those end no statement."""
    made, depth = bytearray(text), 0
    for index, letter in enumerate(text):
        depth += (letter == 40) - (letter == 41)
        if letter == 59 and depth > 0:
            made[index] = 32
    return bytes(made)


def _without_directives(text: bytes) -> bytes:
    """The text with the preprocessor's lines blanked, and all that may be left out between them."""
    rows, depth, continued = text.split(b"\n"), 0, False
    for index, row in enumerate(rows):
        match = None if continued else _DIRECTIVE.match(row)
        word = match.group(1) if match else b""
        if word.startswith(b"if") or (word.startswith(b"el") and not depth):
            depth += 1
        elif word == b"endif":
            depth = max(depth - 1, 0)
        inside = continued or match is not None
        continued = inside and row.rstrip().endswith(b"\\")
        if inside or depth:
            rows[index] = b" " * len(row)
    return b"\n".join(rows)
