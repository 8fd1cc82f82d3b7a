"""The mutable state of lowering one unit, and what it knows of declarations."""

from __future__ import annotations

import bisect
import re
from collections import Counter, deque
from collections.abc import Callable

from msgspec import Struct, field

from cudalint.frontend.lower import clang, kinds
from cudalint.frontend.lower.places import Places
from cudalint.frontend.lower.types import TypeTable
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.unit import Function, Problem
from cudalint.source.span import Span

# A `__restrict__` parameter: a prototype may leave that out, it is no part of the signature.
_RESTRICT = re.compile(r"#4(?=\*|S\w*_#)")


class Frame(Struct):
    """The function whose body is being lowered."""

    this: e.Variable | None = None
    dependent: bool = False
    # local variables with the initialiser that a launch may need: `void* args[] = {...}`, `auto k =
    # kernel<...>`
    arrays: dict[int, tuple[e.Expression, ...]] = field(default_factory=dict)
    callees: dict[int, e.FunctionReference] = field(default_factory=dict)
    key: str = ""
    device: bool = False  # it may run on the device, so its lambdas may
    defaults: bool = False  # a template parameter stands for its default, where it has one


class Callee(Struct, frozen=True):
    """What a call needs to know of the declaration it refers to."""

    key: str
    name: str
    qualified: str
    template_arguments: tuple[int | str, ...]
    kind: int
    declaration: clang.Cursor

    def call(
        self, values: tuple[e.Expression, ...], receiver: e.Expression | None, kind: t.Type, span: Span
    ) -> e.Call:
        """A call of it. kind: the type of its result."""
        return e.Call(
            self.key, self.name, self.qualified, values, receiver, kind, span, None, self.template_arguments
        )


class Context(Struct):
    places: Places
    types: TypeTable
    expression: Callable[[Context, clang.Cursor], e.Expression]
    statement: Callable[[Context, clang.Cursor], s.Statement]
    frame: Frame = field(default_factory=Frame)
    variables: dict[int, e.Variable] = field(default_factory=dict)  # by declaration
    by_id: dict[int, e.Variable] = field(default_factory=dict)
    constants: dict[int, int | float | None] = field(default_factory=dict)  # by variable id
    functions: dict[str, Function] = field(default_factory=dict)
    callees: dict[int, Callee] = field(default_factory=dict)
    keys: dict[str, int] = field(default_factory=dict)
    qualified_names: dict[int, str] = field(default_factory=dict)
    queue: deque[clang.Cursor] = field(default_factory=deque)
    queued: set[str] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)
    unknowns: Counter[str] = field(default_factory=Counter)
    builtins: dict[int, str] = field(default_factory=dict)
    serial: int = 0
    bindings: dict[int, e.Expression] = field(default_factory=dict)  # structured bindings by declaration
    errors: dict[str, list[tuple[int, int]]] = field(default_factory=dict)  # line, column of errors by path
    refused: dict[tuple[str, int, int], str] = field(default_factory=dict)  # kernels that the device launches
    numbers: dict[tuple[Span, str], int] = field(default_factory=dict)  # ids that variables have already
    host_only: bool = False  # of what runs on the device only, no bodies
    instances: dict[int | None, tuple[tuple[int | str, ...], ...]] = field(
        default_factory=dict
    )  # of kernel templates, those with bodies: their arguments
    bodiless: set[str] = field(default_factory=set)  # further ones
    made: dict[int | None, list[clang.Cursor]] = field(
        default_factory=dict
    )  # the functions that clang has made of a template

    def fresh(self) -> int:
        self.serial += 1
        return self.serial

    def register(self, variable: e.Variable) -> e.Variable:
        self.by_id[variable.id] = variable
        return variable

    def errors_within(self, span: Span) -> list[tuple[int, int]]:
        """The places inside a span at which clang could not make sense of the source."""
        places = self.errors.get(span.path)
        if not places:
            return []
        first = bisect.bisect_left(places, (span.line, span.column))
        last = bisect.bisect_right(places, (span.end_line, span.end_column))
        return places[first:last]

    def temporary(self, name: str, kind: t.Type, span: Span) -> e.Variable:
        """A variable that the source does not have."""
        return self.register(e.Variable(self.fresh(), name, kind, "local", span))

    def unknown(
        self, reason: str, cursor: clang.Cursor, operands: tuple[e.Expression, ...] = ()
    ) -> e.Unknown:
        self.unknowns[reason] += 1
        return e.Unknown(reason, self.types.of(cursor), self.places.span(cursor), operands)

    def callee(self, declaration: clang.Cursor) -> Callee:
        """The key and names of a function declaration; remembers it for lowering when it has a body."""
        identity = declaration.a or 0
        known = self.callees.get(identity)
        if known is None:
            canonical = clang.canonical_cursor(declaration).a or 0
            known = self.callees.get(canonical)
            if known is None:
                known = self._new_callee(declaration, canonical)
                self.callees[canonical] = known
            self.callees[identity] = known
        return known

    def _new_callee(self, declaration: clang.Cursor, canonical: int) -> Callee:
        key = _RESTRICT.sub("#", clang.usr(declaration)) or f"function@{canonical}"
        if self.keys.setdefault(key, canonical) != canonical:
            number = 2
            while self.keys.setdefault(f"{key}#{number}", canonical) != canonical:
                number += 1
            key = f"{key}#{number}"
        name = clang.spelling(declaration)
        if declaration.kind == kinds.FUNCTION_TEMPLATE:
            name = name.split("<", 1)[0] if not name.startswith("operator") else name
        return Callee(
            key,
            name,
            self.qualified(declaration, name),
            self.template_arguments(declaration),
            declaration.kind,
            declaration,
        )

    def template_arguments(self, declaration: clang.Cursor) -> tuple[int | str, ...]:
        found: list[int | str] = []
        for index in range(max(clang.template_argument_count(declaration), 0)):
            kind = clang.template_argument_kind(declaration, index)
            if kind == kinds.TEMPLATE_ARGUMENT_INTEGRAL:
                found.append(int(clang.template_argument_value(declaration, index)))
            elif kind == kinds.TEMPLATE_ARGUMENT_TYPE:
                argument = clang.template_argument_type(declaration, index)
                found.append(clang.type_spelling(clang.canonical_type(argument)))
            else:
                found.append("")
        return tuple(found)

    def qualified(self, declaration: clang.Cursor, name: str) -> str:
        scope = self._scope(clang.semantic_parent(declaration))
        return f"{scope}::{name}" if scope else name

    def _scope(self, cursor: clang.Cursor) -> str:
        if cursor.kind not in _SCOPES:
            return ""
        identity = cursor.a or 0
        known = self.qualified_names.get(identity)
        if known is None:
            own = clang.spelling(cursor)
            outer = self._scope(clang.semantic_parent(cursor))
            known = f"{outer}::{own}" if outer and own else own or outer
            self.qualified_names[identity] = known
        return known

    def want(self, callee: Callee) -> None:
        """Queue a called function's body for lowering, once."""
        if callee.key not in self.queued:
            self.queued.add(callee.key)
            self.queue.append(callee.declaration)


_SCOPES = frozenset(
    {kinds.NAMESPACE, kinds.CLASS_TEMPLATE, kinds.CLASS_TEMPLATE_PARTIAL} | kinds.RECORD_DECLS
)


def expression_children(cursor: clang.Cursor) -> list[clang.Cursor]:
    """Children without the type, template and namespace names that stand among them."""
    return [c for c in clang.children(cursor) if c.kind not in kinds.REFERENCES]
