"""Statements. Control flow keeps its source shape; `for` over a range is lowered to a Loop or to Opaque."""

from dataclasses import dataclass
from typing import Literal as Choice

from cudalint.ir.expressions import Expression, Variable
from cudalint.ir.source import Span


@dataclass(frozen=True, slots=True)
class Block:
    body: "tuple[Statement, ...]"
    span: Span


@dataclass(frozen=True, slots=True)
class Declare:
    """A variable comes to life. A reference variable's `initial` is the referent as an lvalue expression. A
    shared variable's declaration executes nothing. `initial` None: uninitialised."""

    variable: Variable
    initial: Expression | None
    span: Span


@dataclass(frozen=True, slots=True)
class Evaluate:
    expression: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class If:
    """`if constexpr` with a known condition is already replaced by the arm taken."""

    condition: Expression
    then: "Statement"
    otherwise: "Statement | None"
    span: Span  # the whole statement


@dataclass(frozen=True, slots=True)
class Loop:
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


@dataclass(frozen=True, slots=True)
class Case:
    """A label of a switch: it enters the body at statement number `index`. value None is `default`."""

    value: int | None
    index: int


@dataclass(frozen=True, slots=True)
class Switch:
    subject: Expression
    cases: tuple[Case, ...]
    body: "tuple[Statement, ...]"
    span: Span


@dataclass(frozen=True, slots=True)
class Break:
    span: Span


@dataclass(frozen=True, slots=True)
class Continue:
    span: Span


@dataclass(frozen=True, slots=True)
class Return:
    value: Expression | None
    span: Span


@dataclass(frozen=True, slots=True)
class Opaque:
    """A statement without IR (inline assembly, goto, try): the reason, and the expressions it reads and
    writes. text: of inline assembly, as it is written; '' where a macro writes it.
    """

    reason: str
    operands: tuple[Expression, ...]
    span: Span
    text: str = ""


Statement = Block | Declare | Evaluate | If | Loop | Switch | Break | Continue | Return | Opaque
