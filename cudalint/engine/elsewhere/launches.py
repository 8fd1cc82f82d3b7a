"""The blocks that kernels are launched with as the text of the project has it: in templates that nothing
instantiates, in other files that read the kernel's, through functions that are handed the block or the
kernel.
"""

import os
import re
from collections.abc import Iterator
from functools import cached_property

from cudalint.engine.elsewhere import compiled, tree
from cudalint.engine.elsewhere.files import Files, Place
from cudalint.engine.elsewhere.numbers import ONE, closing, parts
from cudalint.engine.elsewhere.scopes import macros, made, named, occurrences, scopes, split
from cudalint.engine.elsewhere.values import Values
from cudalint.engine.elsewhere.words import (
    DIM3,
    IDENTIFIER,
    called_before,
    configuration,
    definitions,
    opened,
    template_arguments,
)
from cudalint.host.facts import TextLaunch
from cudalint.source.span import Span
from cudalint.source.text import decode, shown

_MOST_LAUNCHES = 6  # of a kernel
_MOST_FILES = 12  # that name a kernel in strings
_RUNTIME = {"cudaLaunchKernel": 2, "cudaLaunchCooperativeKernel": 2, "hipLaunchKernelGGL": 2}
_SCOPES = re.compile(r"\s*(?:::\s*)?(?:\w+\s*::\s*)*")
_DEEPEST = 1  # functions that hand a kernel on


class Elsewhere:
    """Answers for the kernels of one file; asked: what was answered so far, by kernel and where it stands."""

    def __init__(self, path: str) -> None:
        self.path = os.path.abspath(path)
        self.asked: dict[tuple[str, str], tuple[TextLaunch, ...]] = {}

    @cached_property
    def _files(self) -> Files:
        return Files(self.path)

    @cached_property
    def _values(self) -> Values:
        return Values(self._files)

    def launches(self, kernel: str, defined: str) -> tuple[TextLaunch, ...]:
        """Those of a kernel, first those of which something is known; defined: the file that it stands in."""
        key = (kernel, defined)
        if key not in self.asked:
            found = dict.fromkeys(self._launches(kernel, os.path.abspath(defined)))
            known = sorted(found, key=lambda launch: launch.block == launch.by_argument)
            self.asked[key] = tuple(known[:_MOST_LAUNCHES])
        return self.asked[key]

    @property
    def answers(self) -> tuple[tuple[str, str, tuple[TextLaunch, ...]], ...]:
        return tuple((*key, found) for key, found in self.asked.items())

    def still(self, answers: tuple[tuple[str, str, tuple[TextLaunch, ...]], ...]) -> bool:
        """Whether the texts tell the same as they did."""
        return all(self.launches(kernel, defined) == found for kernel, defined, found in answers)

    def _launches(self, kernel: str, defined: str) -> Iterator[TextLaunch]:
        some = False
        for path in self._files.of(kernel, defined):
            if some and path not in tree.reads(self.path):
                return
            for launch in self._in_file(kernel, path):
                some = some or launch.block != launch.by_argument
                yield launch
        if not some:
            yield from self._compiled(kernel, defined)

    def _compiled(self, kernel: str, defined: str) -> Iterator[TextLaunch]:
        """Those of a kernel that the program compiles at run time."""
        for path in tree.containing(kernel, defined, self._files.within)[:_MOST_FILES]:
            if path != defined and compiled.embeds(tree.text(path), defined):
                raw = decode(tree.content(path))
                for at, block in compiled.launches(raw, tree.text(path), kernel):
                    yield from self._told(kernel, Place(path, at), block, [])

    def _in_file(self, kernel: str, path: str) -> Iterator[TextLaunch]:
        text = tree.text(path)
        names = {kernel: ""}
        for alias in re.finditer(rf"\b(\w+)\s*=\s*&?\s*(?:\w+::)*{kernel}\b\s*(<[^;]*>)?\s*;", text):
            names[alias[1]] = alias[2] or ""
        for name, given in names.items():
            for at in occurrences(text, name):
                yield from self._used(kernel, path, at, at + len(name), given)

    def _used(self, kernel: str, path: str, start: int, end: int, given: str) -> Iterator[TextLaunch]:
        """What one use of a kernel's name tells."""
        text = tree.text(path)
        arguments, end = template_arguments(text, end)
        template = split((arguments or given).strip("<>")) if arguments or given else []
        if text.startswith("<<<", end):
            configured = configuration(text, end)
            if len(configured) > 1:
                place = Place(path, start)
                yield from self._told(kernel, place, configured[1], template)
        elif text[end : end + 1] in (",", ")"):
            place = Place(path, start)
            yield from self._handed(kernel, place, template, place, _DEEPEST)

    def _handed(
        self, kernel: str, caller: Place, template: list[str], shown_at: Place, deeper: int
    ) -> Iterator[TextLaunch]:
        """A kernel that is handed to a function which launches it, or hands it on; deeper: how often."""
        text, path, at = caller.text, caller.path, caller.at
        open_ = opened(text, at)
        if open_ > 0 and _SCOPES.fullmatch(text, open_ + 1, at) and not called_before(text, open_):
            open_ = opened(text, open_)  # `(kernel<...>)`
        called = called_before(text, open_) if open_ > 0 else ""
        if not called or (end := closing(text, open_)) < 0:
            return
        given = tuple(parts(text[open_ + 1 : end]))
        index = len(parts(text[open_ + 1 : at] + "_")) - 1
        if called in _RUNTIME and len(given) > _RUNTIME[called]:
            yield from self._told(kernel, caller, given[_RUNTIME[called]], template, shown_at)
            return
        for file in self._files.read(called, path):
            body = tree.text(file)
            for scope, stop in (*definitions(body, called), *macros(body, called)):
                parameter = named(scope.parameters[index]) if index < len(scope.parameters) else ""
                if not parameter:
                    continue
                uses = list(re.compile(rf"\b{parameter}\s*\)?\s*<<<").finditer(body, scope.start, stop))
                for use in uses:
                    configured = configuration(body, use.end() - 3)
                    if len(configured) > 1:
                        place = Place(file, use.start(), called, given, caller)
                        yield from self._told(kernel, place, configured[1], template, shown_at)
                if deeper and not uses:
                    for on in occurrences(body, parameter, scope.start, stop):
                        if body[on + len(parameter) :].lstrip()[:1] in (",", ")"):
                            place = Place(file, on, called, given, caller)
                            yield from self._handed(kernel, place, template, shown_at, deeper - 1)

    def _told(
        self, kernel: str, place: Place, block: str, template: list[str], shown_at: Place | None = None
    ) -> Iterator[TextLaunch]:
        written = self._written(place, block)
        by_argument = tuple(template.index(one) if one in template else None for one in written)
        extents = self._values.shape(place, block)
        if extents is None:
            whole = by_argument[0] is not None and not any(written[1:])
            extents = (None, ONE, ONE) if whole else (None, None, None)
        where = shown_at or place
        line = tree.text(where.path).count("\n", 0, where.at) + 1
        x, y, z = (one.value if one is not None else None for one in extents)
        most = any(one is not None and one.most for one in extents)
        i, j, k = by_argument
        span = Span(shown(where.path), line, 1, line, 1)
        numbers = tuple(int(one) if one.isdecimal() else None for one in template)
        yield TextLaunch(kernel, span, (x, y, z), most, (i, j, k), numbers)

    def _written(self, place: Place, block: str) -> tuple[str, str, str]:
        """The texts of a block's extents, '' where they cannot be told apart."""
        declared = IDENTIFIER.fullmatch(block.strip())
        if declared is not None:
            for scope in scopes(place.text, place.at):
                variable = made(place.text, scope, declared[1], place.at)
                if variable is not None:
                    dim3 = "dim3" in f"{variable.type} {variable.initial}"
                    whole = variable.initial is not None and not variable.assigned and not variable.changed
                    if dim3:
                        block = variable.initial or "" if whole else ""
                    break
        inside = DIM3.fullmatch(block.strip())
        x, y, z = (*(parts(inside[1]) if inside else [block.strip()]), "", "", "")[:3]
        return x, y, z
