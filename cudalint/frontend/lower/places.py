"""Source places: raw clang locations to files, lines, code point columns and spans, cached per unit."""

from __future__ import annotations

import bisect
import os
import re
from functools import cached_property

from msgspec import Struct

from cudalint.frontend.lower import clang
from cudalint.source.span import NOWHERE, Span
from cudalint.source.text import display_path

_CUDA = (b"<<<", b"__global__")


class SourceFile(Struct, dict=True):
    """One file of the unit. `path` is relative to the working directory when it lies under it."""

    path: str
    absolute: str
    project: bool
    data: bytes
    ascii: bool
    line_starts: list[int]

    def text(self, begin: int, end: int) -> str:
        return self.data[begin:end].decode("utf-8", "replace")

    @cached_property
    def launches(self) -> bool:
        """Whether it holds kernels or launches, as it is written."""
        return any(part in self.data for part in _CUDA)

    def lines(self, first: int, last: int) -> bytes:
        """The text of some lines."""
        end = self.line_starts[last] if last < len(self.line_starts) else len(self.data)
        return self.data[self.line_starts[first - 1] : end]

    def column(self, line: int, byte_column: int) -> int:
        """The code point column of a byte column: a byte order mark is none, a byte outside UTF-8 is one."""
        if self.ascii or line < 1 or line > len(self.line_starts):
            return byte_column
        start = self.line_starts[line - 1]
        before = self.data[start : start + byte_column - 1]
        return len(before.decode("utf-8-sig" if line == 1 else "utf-8", "surrogateescape")) + 1


class Place(Struct, frozen=True):
    """A decoded location: offset is the byte offset in the file."""

    file: SourceFile | None
    line: int
    column: int
    offset: int


_NO_PLACE = Place(None, 0, 0, 0)
_LINE_END = re.compile(rb"\r\n?|\n")


class Places:
    """Decodes locations of one translation unit. Every raw location is decoded once."""

    __slots__ = (
        "_bases",
        "_files",
        "_handle",
        "_pointers",
        "_raw",
        "_spans",
        "_stretches",
        "directory",
        "shim_directories",
    )

    def __init__(self, handle: int, directory: str, shim_directories: tuple[str, ...]) -> None:
        self._handle = handle
        self._pointers: tuple[int | None, int | None] = (None, None)
        self._raw: dict[int, Place] = {}
        self._bases: list[int] = []
        self._stretches: list[SourceFile] = []
        self._files: dict[int, SourceFile] = {}
        self._spans: dict[tuple[int, int], Span] = {}
        self.directory = directory
        self.shim_directories = shim_directories

    def learn(self, root: clang.Cursor) -> None:
        """Take the opaque pointers that every location of this unit carries."""
        where = clang.location(root)
        if where.a is None:
            span = clang.extent(root)
            where = clang.Location(span.a, span.b, span.begin)
        self._pointers = (where.a, where.b)

    def file(self, handle: int) -> SourceFile:
        known = self._files.get(handle)
        if known is None:
            known = self._files[handle] = self._open(handle)
        return known

    def _open(self, handle: int) -> SourceFile:
        name = clang.file_name(handle)
        absolute = os.path.normpath(os.path.join(self.directory, name))
        project = not any(absolute.startswith(d) for d in self.shim_directories) and not name.startswith("<")
        data = clang.file_contents(self._handle, handle) if project else b""
        starts = [0, *(match.end() for match in _LINE_END.finditer(data))]
        return SourceFile(display_path(name, self.directory), absolute, project, data, data.isascii(), starts)

    def place(self, raw: int) -> Place:
        """The place a raw location stands for: a macro argument where it is written, else the expansion."""
        known = self._raw.get(raw)
        if known is None:
            known = self._raw[raw] = self._within(raw) or self._decode(raw)
        return known

    def _within(self, raw: int) -> Place | None:
        """The place of a location in a stretch that is known: clang numbers the bytes of every file in a row,
        so that the library need not be asked for each."""
        index = bisect.bisect_right(self._bases, raw) - 1
        if index < 0:
            return None
        file = self._stretches[index]
        offset = raw - self._bases[index]
        if offset > len(file.data):
            return None
        line = bisect.bisect_right(file.line_starts, offset)
        return Place(file, line, offset - file.line_starts[line - 1] + 1, offset)

    def _learn_stretch(self, raw: int, place: Place) -> None:
        """Remember where a project file's bytes are numbered; one file has several stretches if it is
        included several times."""
        if place.file is not None and place.file.data and not raw & clang.MACRO_BIT:
            base = raw - place.offset
            index = bisect.bisect_left(self._bases, base)
            if index == len(self._bases) or self._bases[index] != base:
                self._bases.insert(index, base)
                self._stretches.insert(index, place.file)

    def _decode(self, raw: int, file: bool = True) -> Place:
        if not raw:
            return _NO_PLACE
        handle, line, column, offset = clang.place(self._pointers, raw, file)
        if not handle:
            return _NO_PLACE
        made = Place(self.file(handle), line, column, offset)
        self._learn_stretch(raw, made)
        return made

    def expansion(self, raw: int) -> Place:
        return self._decode(raw, file=False)

    def span(self, cursor: clang.Cursor) -> Span:
        extent = clang.extent(cursor)
        if extent.a is not None and self._pointers[0] is None:
            self._pointers = (extent.a, extent.b)
        return self.span_of(extent.begin, extent.end)

    def span_of(self, begin: int, end: int) -> Span:
        key = (begin, end)
        known = self._spans.get(key)
        if known is None:
            known = self._spans[key] = self._make_span(begin, end)
        return known

    def _make_span(self, begin: int, end: int) -> Span:
        first, last = self.place(begin), self.place(end)
        if (begin | end) & clang.MACRO_BIT and (last.file is not first.file or last.offset < first.offset):
            # One end stands in a macro's body, the other in an argument: the whole expansion it is.
            first, last = self.expansion(begin), self.expansion(end)
        if first.file is None:
            return NOWHERE
        if last.file is not first.file or last.offset < first.offset:
            last = first
        file = first.file
        return Span(
            file.path,
            first.line,
            file.column(first.line, first.column),
            last.line,
            file.column(last.line, last.column),
        )

    def text(self, cursor: clang.Cursor) -> str:
        """The source text of a cursor outside macros, else ''."""
        extent = clang.extent(cursor)
        if (extent.begin | extent.end) & clang.MACRO_BIT:
            return ""
        first, last = self.place(extent.begin), self.place(extent.end)
        if first.file is None or first.file is not last.file:
            return ""
        return first.file.text(first.offset, last.offset)

    def line_text(self, place: Place) -> str:
        """From the place to the end of its line (continued lines are not joined)."""
        if place.file is None:
            return ""
        end = place.file.data.find(b"\n", place.offset)
        return place.file.text(place.offset, end if end >= 0 else len(place.file.data))

    def file_of(self, raw: int) -> SourceFile | None:
        """The file a location stands in."""
        return self.place(raw).file

    def shown(self, path: str) -> str:
        return display_path(path, self.directory)

    def project_files(self) -> list[SourceFile]:
        return [file for file in self._files.values() if file.project]
