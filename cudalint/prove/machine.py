"""The symbolic run of one thread: what is true where it stands, what its private memory holds, and the
accesses and barriers that it came by.

Names of variables say who shares them: `g` the whole launch, `b` a block, `p` one thread; with a `?` before
it, the variable stands for something that the run lost sight of.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property

import z3
from msgspec import Struct, field
from msgspec.structs import replace

from cudalint.ir import expressions as e
from cudalint.ir.types import Array, Record, Reference, Scalar, Type
from cudalint.ir.types import Pointer as PointerType
from cudalint.ir.unit import Function, Unit
from cudalint.prove import arithmetic
from cudalint.prove.values import (
    FALSE,
    Aggregate,
    Number,
    Object,
    Pointer,
    Target,
    Term,
    Value,
    conj,
    disj,
    negate,
    same,
    select,
)
from cudalint.source.span import Span

Env = dict[tuple[int, int], Number | Pointer]
Path = tuple[Term, ...]

STEPS = 60_000
MOST_ACCESSES = 1_500


class Budget(Exception):
    """The run takes too many steps or records."""


class Access(Struct, frozen=True, dict=True):
    """One access to memory that threads share. path: what holds where it happens. facts: how many facts about
    its variables were known then. rounds: the loops with barriers that it is in, and which of two consecutive
    rounds it stands for.
    """

    object: Object
    offset: Number
    width: int
    kind: str  # read, write, atomic
    path: Path
    value: Value | None
    span: Span
    text: str
    position: int
    facts: int
    rounds: tuple[tuple[int, int], ...] = ()
    warp: bool = False

    @cached_property
    def guard(self) -> Term:
        return conj(self.path)


class Barrier(Struct, frozen=True, dict=True):
    """A barrier, or what stands for those that are not written out. It separates two accesses only where
    - each round of `within` has one of them in it,
    - no loop of `without` has either,
    - the loops of `crossing` have exactly one.
    checked: that all threads of a block have to agree on `path`. scope `agreement`: nothing but that.
    """

    path: Path
    position: int
    facts: int
    span: Span
    scope: str  # block, grid, warp or agreement
    within: tuple[tuple[int, int], ...] = ()
    without: tuple[int, ...] = ()
    crossing: tuple[int, ...] = ()
    checked: bool = True
    exits: tuple[Term, ...] = ()

    @cached_property
    def guard(self) -> Term:
        return conj(self.path)


class Ticket(Struct, frozen=True):
    """What an atomic addition of a positive constant returned. access: the position of its record."""

    name: str
    object: Object
    offset: Term
    step: int
    access: int


class Claim(Struct, frozen=True):
    """What an atomic exchange returned that puts `left` where `free` was: `free` to one thread only, where
    nothing else is ever put there. access: the position of its record.
    """

    name: str
    object: Object
    offset: Term
    free: int | None  # None: whatever it finds
    left: int
    access: int


class Fact(Struct, frozen=True):
    term: Term
    about: Term


class Left(Struct):
    """A way out of a loop or a call that was taken."""

    path: Path
    env: Env
    value: Value | None = None


class Scope(Struct):
    breaks: list[Left] = field(default_factory=list)
    continues: list[Left] = field(default_factory=list)


class Frame(Struct):
    function: Function
    returns: list[Left] = field(default_factory=list)
    scopes: list[Scope] = field(default_factory=list)


class Machine(Struct):
    """The state of one symbolic run."""

    unit: Unit
    # The result of a call; of one that returns a reference, its address. Handed in, for calls run statements.
    run_call: "Callable[[Machine, e.Call | e.Construct], Value]"
    read_only: frozenset[str]  # names of objects that the kernel does not write
    extents: dict[str, Number]
    path: Path | None = ()
    env: Env = field(default_factory=dict)
    lost: frozenset[int] = frozenset()  # private objects whose contents are not known
    variables: dict[int, Object] = field(default_factory=dict)
    bound: dict[int, Pointer] = field(default_factory=dict)
    objects: dict[str, Object] = field(default_factory=dict)
    frames: list[Frame] = field(default_factory=list)
    accesses: list[Access] = field(default_factory=list)
    barriers: list[Barrier] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    exits: list[Term] = field(default_factory=list)
    tickets: list[Ticket] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    losses: dict[str, Span] = field(default_factory=dict)
    written: set[str] = field(default_factory=set)
    why: dict[str, str] = field(default_factory=dict)  # what a lost variable stands for
    reads: dict[str, tuple[Object, Scalar]] = field(default_factory=dict)  # loads of what the kernel writes
    rows: set[str] = field(default_factory=set)  # objects of which neighbours begin and end a loop
    rounds: tuple[tuple[int, int], ...] = ()
    silent: int = 0
    position: int = 0
    names: int = 0
    steps: int = 0
    loops: int = 0
    alone: int = 0  # loops round the place whose rounds the threads go through each for itself

    # --- variables ---

    def fresh(
        self, what: str, level: str, low: int | None = None, high: int | None = None, why: str = ""
    ) -> Number:
        """A new variable. why: what was lost, for one whose number is not known."""
        self.names += 1
        name = f"{'?' if why else ''}{level}!{what}!{self.names}"
        if why:
            self.why[name] = why
        term = z3.Int(name)
        if low is not None:
            self.fact(term >= low, term)
        if high is not None:
            self.fact(term <= high, term)
        return Number(term, low, high)

    def unknown(self, why: str, type: Type | None = None) -> Number:
        """A number that nothing is known of but its type's limits."""
        low: int | None = None
        high: int | None = None
        if isinstance(type, Scalar) and arithmetic.is_integer(type):
            low, high = arithmetic.limits(type)
        return self.fresh("x", "p", low, high, why)

    def unknown_value(self, why: str, type: Type) -> Value:
        if isinstance(type, Record | Array):
            return Aggregate({})
        if isinstance(type, PointerType):
            return Pointer((), why)
        return self.unknown(why, type)

    def doubt(self, why: str, level: str = "p") -> Term:
        """A condition that may hold or not."""
        self.names += 1
        name = f"?{level}!c!{self.names}"
        self.why[name] = why
        return z3.Bool(name)

    def fact(self, term: Term, about: Term = None) -> None:
        """Note what holds from here on. about: the term without which it is of no interest."""
        if not z3.is_true(term):
            self.facts.append(Fact(term, about))

    def lose(self, why: str, span: Span) -> None:
        """Something of the kernel is not seen: it cannot be proved."""
        if not self.silent:
            self.losses.setdefault(why, span)

    def step(self) -> None:
        self.steps += 1
        if self.steps > STEPS or len(self.accesses) > MOST_ACCESSES:
            raise Budget

    # --- the path ---

    def assume(self, test: Term) -> None:
        if self.path is None or z3.is_true(test):
            return
        self.path = None if z3.is_false(test) else (*self.path, test)

    @property
    def here(self) -> Term:
        return FALSE if self.path is None else conj(self.path)

    def merge(self, ways: list[Left]) -> Value | None:
        """Go on where several ways meet; the value that they bring."""
        if not ways:
            self.path = None
            return None
        last = ways[-1]
        if len(ways) == 1:
            self.path, self.env = last.path, last.env
            return last.value
        common = _common([way.path for way in ways])
        rests = [way.path[common:] for way in ways]
        env, value = dict(last.env), last.value
        for way, rest in zip(reversed(ways[:-1]), reversed(rests[:-1]), strict=True):
            test = conj(rest)
            env = self._join(test, way.env, env)
            if way.value is not None:
                value = way.value if value is None else select(test, way.value, value, self._mixed)
        self.env = env
        self.path = (*last.path[:common], *_union(rests))
        return value

    def _mixed(self) -> Number:
        return self.unknown("value of mixed kinds")

    def _join(self, test: Term, then: Env, otherwise: Env) -> Env:
        joined: Env = {}
        for slot, value in otherwise.items():
            mine = then.get(slot)
            if mine is None:
                continue  # it had no value on the other way
            picked = value if same(mine, value) else select(test, mine, value, self._mixed)
            joined[slot] = picked if not isinstance(picked, Aggregate) else self._mixed()
        return joined

    # --- objects ---

    def object(
        self,
        name: str,
        space: str,
        element: int = 0,
        shape: tuple[int, ...] = (),
        size: int = 0,
        initial: bool = False,
    ) -> Object:
        """The object of that name; there is one of each."""
        found = self.objects.get(name)
        if found is None:
            found = Object(len(self.objects) + 1, name, space, element, size, initial, shape)
            self.objects[name] = found
        return found

    def private(self, what: str) -> Object:
        self.names += 1
        return self.object(f"{what}!{self.names}", "local")

    @contextmanager
    def quietly(self) -> Iterator[None]:
        """Run without recording."""
        self.silent += 1
        exits, rounds = len(self.exits), self.rounds
        try:
            yield
        finally:
            self.silent -= 1
            self.rounds = rounds
            del self.exits[exits:]

    # --- records ---

    def access(
        self, target: Target, width: int, kind: str, value: Value | None, span: Span, text: str
    ) -> None:
        """Note an access to memory that others see."""
        if target.object.space in ("local", "constant") or self.path is None:
            return
        if kind != "read":
            self.written.add(target.object.name)
        if self.silent:
            return
        path = self.path if z3.is_true(target.guard) else (*self.path, target.guard)
        self.position += 1
        self.accesses.append(
            Access(
                target.object, target.offset, width, kind, path, value, span, text,
                self.position, len(self.facts), self.rounds,
            )
        )  # fmt: skip

    def barrier(
        self,
        span: Span,
        scope: str = "block",
        path: Path | None = None,
        *,
        checked: bool = True,
    ) -> None:
        """Note a barrier at the place reached."""
        if self.silent or self.path is None:
            return
        self.position += 1
        self.barriers.append(
            Barrier(
                self.path if path is None else path, self.position, len(self.facts), span, scope,
                self.rounds, checked=checked, exits=tuple(self.exits),
            )
        )  # fmt: skip

    # --- private memory ---

    def read_slot(self, object: Object, offset: int, type: Type) -> Number | Pointer:
        value = self.env.get((object.id, offset))
        if value is not None:
            return value
        made: Number | Pointer
        if isinstance(type, PointerType):
            return Pointer((), "a pointer without a known value")
        made = self.unknown("variable without a known value", type)
        if object.id not in self.lost:
            self.env[object.id, offset] = made
        return made

    def forget(self, object: Object) -> None:
        """The contents of a private object are not known from here on."""
        for slot in [s for s in self.env if s[0] == object.id]:
            del self.env[slot]
        self.lost = self.lost | {object.id}


def _common(paths: list[Path]) -> int:
    shortest = min(len(path) for path in paths)
    count = 0
    while count < shortest and all(path[count] is paths[0][count] for path in paths):
        count += 1
    return count


def _union(rests: list[Path]) -> Path:
    """The disjunction of what the ways have beyond their common part."""
    if any(not rest for rest in rests):
        return ()
    if len(rests) == 2 and len(rests[0]) == len(rests[1]) == 1 and negate(rests[0][0]).eq(rests[1][0]):
        return ()
    pairs = [(rest[0], rest[1:]) for rest in rests]
    if len(rests) == 2 and negate(pairs[0][0]).eq(pairs[1][0]):
        test = pairs[0][0]
        parts = [z3.Implies(test, conj(pairs[0][1])), z3.Implies(negate(test), conj(pairs[1][1]))]
        kept = [part for part, (_, rest) in zip(parts, pairs, strict=True) if rest]
        return tuple(kept)
    union = disj([conj(rest) for rest in rests])
    return () if z3.is_true(union) else (union,)


def returns_reference(unit: Unit, node: e.Call) -> bool:
    """Whether the call runs a function of the program that returns a reference."""
    function = unit.defined(node.key)
    return function is not None and isinstance(function.returns, Reference)


def shifted(pointer: Pointer, by: Number) -> Pointer:
    """The pointer moved by some bytes."""
    if by.constant == 0:
        return pointer
    moved = [replace(t, offset=arithmetic.binary("+", t.offset, by, _LONG)) for t in pointer.targets]
    return Pointer(tuple(moved), pointer.lost)


_LONG = Scalar("long", "signed", 8)
