"""The text of one file with its IR: what to change, and where."""

import re
from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct

from cudalint.host import model as host_model
from cudalint.host.facts import HostFacts
from cudalint.ir import expressions as e
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, walk
from cudalint.source.span import Span

_WAIT = re.compile(r"Synchronize\s*\(|cudaMemcpy\s*\(")
_QUEUED = re.compile(r"<<<[^;]*,[^;,]*,[^;,]*,([^;,>]*)>>>|cudaMemcpyAsync\s*\([^;]*,([^;,)]*)\)")

Edit = tuple[int, int, str]  # half-open range of offsets, and what stands there instead


class Mistake(Struct, frozen=True):
    """One place for a kind of mistake. lines: of the function that it is in, where a finding about it can
    stand; kernels: that it changes, by name, for findings that stand elsewhere; function: the key of the
    changed one.
    """

    edits: tuple[Edit, ...]
    line: int
    lines: tuple[int, int]
    kernels: tuple[str, ...]
    function: str


class Source:
    """A parsed file. Changes keep its lines: a number of a line holds before and after."""

    def __init__(self, text: str, unit: Unit) -> None:
        self.text, self.unit, self.path = text, unit, unit.path
        self._starts = [0]
        for line in text.split("\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)

    @cached_property
    def host(self) -> HostFacts:
        return host_model.run(self.unit)

    def functions(self, device: bool) -> Iterator[Function]:
        """Those with a body in this file, of a template one instance; of kernels those that the file
        launches.
        """
        seen: set[int] = set()
        for function in self.unit.functions.values():
            mine = function.kernel or function.device
            if function.body is None or function.extent.path != self.path or mine != device:
                continue
            if function.kernel and function.name not in self.unit.launched:
                continue
            if function.extent.line not in seen and not function.lambda_:
                seen.add(function.extent.line)
                yield function

    def range(self, span: Span) -> tuple[int, int] | None:
        """The offsets of a span of this file."""
        if span.path != self.path or not span.line:
            return None
        start = self._starts[span.line - 1] + span.column - 1
        return start, self._starts[span.end_line - 1] + span.end_column - 1

    def written(self, node: Node) -> str:
        """The text of a node; '' where it stands in another file."""
        found = self.range(node.span)
        return self.text[slice(*found)] if found else ""

    def calls(self, function: Function, *names: str) -> Iterator[e.Call]:
        """Calls that are written out in this file, in no macro."""
        assert function.body is not None
        for node in walk(function.body):
            if isinstance(node, e.Call) and node.name in names and self.written(node).startswith(node.name):
                yield node

    def overlaps(self, function: Function, node: Node, stream: str) -> bool:
        """Whether work of another stream is queued between the waits before and after a node; a stream that
        is an element stands for several, if its index is no number.
        """
        extent, found = self.range(function.extent), self.range(node.span)
        if extent is None or found is None:
            return False
        waits = [match.end() for match in _WAIT.finditer(self.text, *extent)]
        start = max((at for at in waits if at <= found[0]), default=extent[0])
        end = min((at for at in waits if at >= found[1]), default=extent[1])
        part = self.text[start:end]
        streams = {a or b for a, b in _QUEUED.findall(part)}
        if re.search(r"\[\s*[A-Za-z_]", stream):
            return True
        return bool({other.strip() for other in streams} - {stream, "0", "NULL", ""})

    def replaced(self, node: Node, text: str) -> Edit:
        """The node's text replaced; its line breaks stay."""
        found = self.range(node.span)
        assert found is not None
        return (*found, text + "\n" * (self.text.count("\n", *found) - text.count("\n")))

    def mistake(self, function: Function, at: Node, *edits: Edit, kernels: tuple[str, ...] = ()) -> Mistake:
        """A place in a function."""
        extent = function.extent
        named = (function.name,) if function.kernel else kernels
        return Mistake(edits, at.span.line, (extent.line, extent.end_line), named, function.key)

    def changed(self, mistake: Mistake) -> str:
        """The text with the mistake in it."""
        text = self.text
        for start, end, new in sorted(mistake.edits, reverse=True):
            text = text[:start] + new + text[end:]
        return text
