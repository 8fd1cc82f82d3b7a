"""Statements. Control flow keeps its source shape; `for` over a range is lowered to a Loop or to Opaque."""

from typing import Literal as Choice

from msgspec import Struct

from cudalint.ir.expressions import Expression, Variable
from cudalint.source.span import Span


class Block(Struct, frozen=True):
    body: "tuple[Statement, ...]"
    span: Span


class Declare(Struct, frozen=True):
    """A variable comes to life. A reference variable's `initial` is the referent as an lvalue expression. A
    shared variable's declaration executes nothing. `initial` None: uninitialised."""

    variable: Variable
    initial: Expression | None
    span: Span


class Evaluate(Struct, frozen=True):
    expression: Expression
    span: Span


class If(Struct, frozen=True):
    """`if constexpr` with a known condition is already replaced by the arm taken."""

    condition: Expression
    then: "Statement"
    otherwise: "Statement | None"
    span: Span  # the whole statement


class Loop(Struct, frozen=True):
    """for, while and do-while. `initial` runs once; a do-while tests after the body. `step` runs on continue
    too.
    """

    kind: Choice["for", "while", "do"]
    initial: "Statement | None"
    condition: Expression | None
    step: Expression | None
    body: "Statement"
    span: Span
    unroll: int | None = None  # `#pragma unroll N` when seen; 0 for a bare pragma


class Case(Struct, frozen=True):
    """A label of a switch: it enters the body at statement number `index`. value None is `default`."""

    value: int | None
    index: int


class Switch(Struct, frozen=True):
    subject: Expression
    cases: tuple[Case, ...]
    body: "tuple[Statement, ...]"
    span: Span


class Break(Struct, frozen=True):
    span: Span


class Continue(Struct, frozen=True):
    span: Span


class Return(Struct, frozen=True):
    value: Expression | None
    span: Span


class Opaque(Struct, frozen=True):
    """A statement without IR (inline assembly, goto, try): the reason, and the expressions it reads and
    writes. text: of inline assembly, as it is written; '' where a macro writes it.
    """

    reason: str
    operands: tuple[Expression, ...]
    span: Span
    text: str = ""


Statement = Block | Declare | Evaluate | If | Loop | Switch | Break | Continue | Return | Opaque
