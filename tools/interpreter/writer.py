"""What functions that the translation knows by name ask of it: Python text for their operands."""

from typing import Protocol

from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.ir.unit import Unit
from cudalint.source.span import Span


class Numbers(Protocol):
    """The accesses and meetings of a program, which have numbers."""

    unit: Unit

    def number(self, kind: str, span: Span, size: int) -> int: ...

    def meeting(self, span: Span) -> int: ...


class Writer(Protocol):
    """The expressions of one function."""

    @property
    def program(self) -> Numbers: ...

    def value(self, node: e.Expression) -> str: ...

    def address(self, node: e.Expression) -> str: ...

    def converted(self, node: e.Expression, target: t.Type) -> str: ...

    def fresh(self, name: str) -> str: ...

    def get(self, where: str, kind: t.Type, span: Span) -> str: ...

    def put(self, where: str, kind: t.Type, value: str, span: Span) -> str: ...
