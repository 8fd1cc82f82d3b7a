"""The verdict on a kernel."""

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
    """Two threads that race, or that diverge at a barrier."""

    kind: Literal["race", "divergence"]
    place: str  # the element that both access
    array: str
    byte: int  # its offset in the array
    space: str
    first: Side
    second: Side
    block: tuple[int, int, int]
    grid: tuple[int, int, int]
    values: tuple[tuple[str, int], ...]  # relevant parameters by name
    data: tuple[tuple[str, int], ...] = ()  # what has to lie in memory before the launch, by element


class Verdict(Struct, frozen=True):
    """The answer for one kernel."""

    kernel: str
    span: Span
    answer: Answer
    witness: Witness | None = None
    reasons: tuple[str, ...] = ()  # why it is not decided
    assumed: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()  # what the answer takes for granted beyond the assumptions
    launches: tuple[Span, ...] = ()  # that it is about; none: any launch
    seconds: float = 0.0
