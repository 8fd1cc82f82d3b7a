"""What is said of a kernel."""

from typing import Literal

from msgspec import Struct

from cudalint.source.span import Span

Answer = Literal["proved", "refuted", "not decided"]


class Side(Struct, frozen=True):
    """One thread of a witness and what it does."""

    thread: tuple[int, int, int]
    block: tuple[int, int, int]
    does: str  # reads, writes, updates, waits, does not wait
    text: str
    span: Span


class Witness(Struct, frozen=True):
    """Two threads that race, or that part at a barrier. place: the element that both touch. byte: where it
    lies in its array. values: the parameters that matter, by name.
    """

    kind: Literal["race", "divergence"]
    place: str
    array: str
    byte: int
    space: str
    first: Side
    second: Side
    block: tuple[int, int, int]
    grid: tuple[int, int, int]
    values: tuple[tuple[str, int], ...]


class Verdict(Struct, frozen=True):
    """The answer for one kernel. reasons: why it is not decided, the first one first."""

    kernel: str
    span: Span
    answer: Answer
    witness: Witness | None = None
    reasons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    seconds: float = 0.0
