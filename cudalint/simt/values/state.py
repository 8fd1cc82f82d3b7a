"""What is true while a kernel runs: masks, doubt, variables, scopes, budget."""

from typing import Literal

import numpy as np
from msgspec import Struct, field

from cudalint.analyses.condition_kinds import EVERY, kind_of, varying
from cudalint.analyses.once import once
from cudalint.ir.expressions import Expression
from cudalint.ir.negation import negated
from cudalint.ir.unit import Function, Unit
from cudalint.simt.values.lanes import DATA, ORDERED, Bools, Value
from cudalint.simt.values.memory import OBJECT_BITS, Journal, Memory, object_number
from cudalint.simt.values.samples import Samples
from cudalint.source.span import Span

MAX_DEPTH = 24  # nested calls
_MANY = 1_000  # statements and accesses of one run before loops are cut to a few iterations
_PAST = 1.5  # times the work that a run may take, after which loops make one iteration
_END = 2  # and after which it ends
_THOROUGH = 50  # times as much, where loops go on to their end
_FIXED = 5  # work of one evaluation or statement, and one for each
_LANES = 4096  # of these
_ACCESS = 10  # evaluations that recording an access takes as long as
_FIRST = 50  # and the first time that the place in the source is come to


class Stop(Exception):
    """The run's budget is spent."""


class LoopScope(Struct):
    """Lanes that left the current iteration or the loop; `maybe` are those in doubt."""

    broken: Bools
    continued: Bools
    maybe: Bools


class Frame(Struct):
    """One call in progress. returned: lanes that certainly left; maybe_returned: in doubt. call: where it is
    called; None for the kernel itself. opening: the first line of the body that becomes instructions.
    """

    function: Function
    returned: Bools
    maybe_returned: Bools
    call: Span | None = None
    opening: int = 0
    value: "Result | None" = None
    loops: list[LoopScope] = field(default_factory=list)


class Aggregate(Struct, frozen=True):
    """The value of a struct or array: a value per byte offset."""

    parts: dict[int, Value]


class Place(Struct, frozen=True):
    """Where an lvalue lives: an offset in a private object, or an address."""

    memory: Memory | None
    offset: int
    address: Value | None = None


Result = Value | Aggregate


class Split(Struct, frozen=True):
    """A condition round the current statement that varies, the lanes that came to it, and what its value
    stands on (Value.free).
    """

    condition: Expression
    mask: Bools
    free: int


class Exit(Struct, frozen=True):
    """Lanes that left a function, a loop or an iteration of one, and the condition that they left under."""

    how: Literal["return", "break", "continue"]
    mask: Bools
    condition: Expression | None
    free: int
    kernel: bool  # the function left is the kernel: the threads have ended


class State(Struct):
    """The machine's registers. `mask`: lanes that may be active. `doubt`: those of them that may also not
    be.
    """

    unit: Unit
    samples: Samples
    mask: Bools
    doubt: Bools
    any_doubt: bool = False
    frames: list[Frame] = field(default_factory=list)
    variables: dict[int, Memory] = field(default_factory=dict)
    bound: dict[int, Place] = field(default_factory=dict)
    written: dict[int, Expression] = field(default_factory=dict)  # what references were bound to
    objects: dict[int, Memory] = field(default_factory=dict)
    named: dict[object, Memory] = field(default_factory=dict)
    journals: list[Journal] = field(default_factory=list)
    steps: int = 0  # statements and accesses so far
    work: int = 0  # so far, see budget.py
    allowed: int = 1 << 60  # work, after which loops are cut at once
    cost: int = 0  # work of one evaluation
    accessed: set[int] = field(default_factory=set)  # nodes by identity
    spent: bool = False
    stopped: bool = False  # before the end of the kernel
    loop_depth: int = 0
    splits: list[Split] = field(default_factory=list)
    doubts: list[Expression] = field(default_factory=list)  # conditions round it that nobody knows
    exits: list[Exit] = field(default_factory=list)  # of what is still being run
    unknowns: dict[str, int] = field(default_factory=dict)
    next_object: int = 1
    thorough: bool = False  # loops go on to their end
    tested: int = 0  # kinds of conditions so far that stand on numbers nobody knows, see guards.py
    _kinds: dict[int, int] = field(default_factory=dict)  # of conditions, by identity
    _opposites: dict[int, tuple[Expression, Expression]] = field(default_factory=dict)  # likewise

    def __post_init__(self) -> None:
        self.cost = _FIXED + self.samples.lanes // _LANES
        self.allowed *= _THOROUGH if self.thorough else 1

    def step(self, times: int = 1) -> None:
        """A statement, or something that takes so many times as long."""
        self.steps += 1
        self.work += times * self.cost
        if self.work > self.allowed:
            self.spent = True
            if self.work > _END * self.allowed:
                self.stopped = True
                raise Stop

    def access(self, node: Expression) -> None:
        """An access is about to be recorded."""
        self.step(_ACCESS if id(node) in self.accessed else _FIRST)
        self.accessed.add(id(node))

    @property
    def overspent(self) -> bool:
        """Whether loops are cut to one iteration."""
        return self.work > _PAST * self.allowed

    @property
    def doubtful(self) -> bool:
        """Whether some lane of the mask may not be here."""
        return self.any_doubt and bool((self.mask & self.doubt).any())

    @property
    def hurried(self) -> bool:
        """Whether loops are cut to a few iterations: the run has taken many steps."""
        return self.steps > _MANY and not self.thorough

    def note(self, reason: str) -> None:
        self.unknowns[reason] = self.unknowns.get(reason, 0) + 1

    def create(
        self, memory_name: str, space: str, size: int, element: int = 0, aligned: bool = True
    ) -> Memory:
        """A new object at an address of its own."""
        memory = Memory(self.next_object, memory_name, space, size, element, aligned)  # type: ignore[arg-type]
        self.objects[self.next_object] = memory
        self.next_object += 1
        return memory

    def object_at(self, address: int) -> Memory | None:
        return self.objects.get(object_number(address))

    def none(self) -> Bools:
        return np.zeros(self.samples.lanes, dtype=bool)

    def attributed_to(self, span: Span) -> Span:
        """The line that a profiler books an instruction on: its own, but for the first line of an inlined
        function the line of the call, whose place in the line table is the same. Kernels of libraries have
        lines of their own.
        """
        if self.frames and self.frames[0].function.made:
            return span
        for frame in reversed(self.frames):
            if frame.call is None or span.line != frame.opening or span.path != frame.function.span.path:
                break
            span = frame.call
        return span

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    def decided(self) -> tuple[int, Expression | None]:
        """The kinds of made-up data (DATA, ORDERED) that decide who is here, and the innermost condition that
        holds: of those who left, its opposite.
        """
        free, under = 0, None
        mine = DATA | ORDERED
        for condition in self.splits:
            free |= condition.free & mine
            under = condition.condition if condition.free & DATA else under
        for left in self.exits:
            free |= left.free & mine
            if under is None and left.free & DATA and left.condition is not None:
                under = self.opposite(left.condition)
        return free, under

    def opposite(self, condition: Expression) -> Expression:
        """What holds where a condition does not, the same one each time."""
        found = self._opposites.get(id(condition))
        if found is None:
            found = self._opposites[id(condition)] = (condition, negated(condition))
            self._opposites.setdefault(id(found[1]), (found[1], condition))
        return found[1]

    def otherwise(self) -> None:
        """The innermost condition does not hold from here on."""
        split = self.splits[-1]
        self.splits[-1] = Split(self.opposite(split.condition), split.mask, split.free)

    def chosen(self) -> int:
        """The kinds of made-up data (DATA, ORDERED) that the conditions round the statement stand on."""
        free = 0
        for condition in self.splits:
            free |= condition.free
        return free & (DATA | ORDERED)

    def split(self, condition: Expression, value: Value) -> None:
        """A condition that varies begins to hold; `splits.pop()` ends it."""
        self.splits.append(Split(condition, self.mask, value.free))
        self.test(condition, value)

    def test(self, condition: Expression, value: Value) -> None:
        """A condition is met; what comes after it may hang on it."""
        if value.free and self.frames and self.tested != EVERY:
            kind = self._kinds.get(id(condition))
            if kind is None:
                kind = kind_of(condition, _varying(self.unit, self.frame.function))
                self._kinds[id(condition)] = kind
            self.tested |= kind

    def leave(self, how: Literal["return", "break", "continue"]) -> None:
        """The active lanes leave; under what is remembered for a barrier that misses them."""
        condition, free = self.splits[-1].condition if self.splits else None, 0
        for split in self.splits:
            free |= split.free
        self.exits.append(Exit(how, self.mask, condition, free, how == "return" and len(self.frames) == 1))

    def rejoin(self, since: int, *how: str) -> None:
        """Lanes that left in one of these ways after there were `since` exits are back."""
        self.exits[since:] = [left for left in self.exits[since:] if left.how not in how]


@once
def _varying(unit: Unit, function: Function) -> frozenset[int]:
    return varying(function)


def object_numbers(addresses: np.ndarray) -> np.ndarray:
    """Object numbers of an address vector."""
    return (addresses + (1 << (OBJECT_BITS - 1))) >> OBJECT_BITS
