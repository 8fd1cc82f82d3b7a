"""What a loop changes, found by running one iteration until nothing new shows."""

from collections.abc import Callable

import z3
from msgspec import Struct

from cudalint.prove.machine import Env, Left, Machine
from cudalint.prove.terms import level, names, number_of
from cudalint.prove.values import Number, Pointer, Target, Term, number, same

_MOST_PASSES = 10
_CHANGED = "variable changed by a loop"
_MOVED = "a pointer that a loop changes"

Slot = tuple[int, int]
Scalar = Number | Pointer


class Change(Struct, frozen=True):
    """How a variable changes. symbol: what stood for its value at the start of the trial round. step: what a
    round adds. factor: what a round multiplies it by, or, below zero, divides it by. Neither: unknown.
    uniform: alike in all threads of a block that have gone round equally often.
    """

    slot: Slot
    start: Scalar
    symbol: Scalar
    step: Number | None = None
    factor: int = 0
    uniform: bool = False


class Trial(Struct, frozen=True):
    """What a trial round shows: the condition at its start, and whether the loop may be left from within."""

    end: Env
    test: Term | None
    early: bool


class Changes(Struct, frozen=True):
    """All that a loop changes. gone: private memory without a known value at the start of a round."""

    all: tuple[Change, ...]
    gone: frozenset[Slot]
    trial: Trial


class Finder:
    """Looks for the changes of one loop. `trial` runs a round from the private memory that it is given."""

    def __init__(self, m: Machine, entry: Left, trial: Callable[[Env], Trial]) -> None:
        self.m, self.entry, self.trial = m, entry, trial
        self.symbols: dict[Slot, Scalar] = {}
        self.private: set[Slot] = set()
        self.gone: set[Slot] = set()

    def find(self) -> Changes:
        for _ in range(_MOST_PASSES):
            mark = self.m.names
            result = self.trial(self.env())
            if not self._grown(result.end):
                found = tuple(self._change(slot, result.end, mark) for slot in self.symbols)
                return Changes(found, frozenset(self.gone), result)
        self.gone |= self.symbols.keys()  # no end to it: forget what changes
        self.symbols = {}
        return Changes((), frozenset(self.gone), self.trial(self.env()))

    def env(self) -> Env:
        """The private memory at the start of a round."""
        return head_env(self.m, self.entry.env, self.gone, self.symbols)

    def _grown(self, end: Env) -> bool:
        """Take note of what the round changed; whether there was anything new."""
        grown = False
        for slot, old in self.entry.env.items():
            if slot in self.gone:
                continue
            new = end.get(slot)
            if new is None:
                self.gone.add(slot)
                self.symbols.pop(slot, None)
                grown = True
            elif slot in self.symbols:
                grown |= self._widened(slot, new)
            elif not same(new, old):
                self.symbols[slot] = self._symbol(slot, old, new)
                grown = True
        return grown

    def _symbol(self, slot: Slot, old: Scalar, new: Scalar) -> Scalar:
        if isinstance(old, Number) and isinstance(new, Number):
            if level(old.term) == "p":
                self.private.add(slot)
            low = 0 if natural(old) and natural(new) else None
            return self._unknown(slot, low)
        self.private.add(slot)
        if isinstance(old, Pointer) and isinstance(new, Pointer) and not (old.lost or new.lost):
            return _any_of(self.m, (*old.targets, *new.targets))
        return Pointer((), _MOVED)

    def _unknown(self, slot: Slot, low: int | None) -> Number:
        where = "p" if slot in self.private else "b"
        return Number(self.m.fresh("v", where, low, why=_CHANGED).term, low)

    def _widened(self, slot: Slot, new: Scalar) -> bool:
        """Whether what was assumed of a changing variable has to be given up."""
        symbol = self.symbols[slot]
        if isinstance(symbol, Number) and isinstance(new, Number):
            if slot not in self.private and level(new.term) == "p":
                self.private.add(slot)
                self.symbols[slot] = self._unknown(slot, symbol.low)
                return True
            if symbol.low is not None and not natural(new):
                self.symbols[slot] = self._unknown(slot, None)
                return True
            return False
        if isinstance(symbol, Pointer) and symbol.lost:
            return False
        if isinstance(symbol, Pointer) and isinstance(new, Pointer) and not new.lost:
            if _covers(symbol, new):
                return False
            self.symbols[slot] = _any_of(self.m, (*symbol.targets, *new.targets))
            return True
        self.symbols[slot] = Pointer((), _MOVED)
        return True

    def _change(self, slot: Slot, end: Env, mark: int) -> Change:
        old, symbol, new = self.entry.env[slot], self.symbols[slot], end[slot]
        uniform = slot not in self.private
        match old, symbol, new:
            case Number(), Number(), Number():
                step = self._step(new, symbol, mark)
                factor = _factor(new, symbol) if step is None else 0
                return Change(slot, old, symbol, step, factor, uniform)
            case Pointer(targets=(_,)), Pointer(targets=(before,)), Pointer(targets=(after,)):
                return Change(slot, old, symbol, self._step(after.offset, before.offset, mark))
        return Change(slot, old, symbol)

    def _step(self, new: Number, symbol: Number, mark: int) -> Number | None:
        """What a round adds, where that is the same in every round."""
        gap = z3.simplify(new.term - symbol.term)
        if z3.is_int_value(gap):
            return number(gap.as_long())
        changing = frozenset().union(*(_names(value) for value in self.symbols.values()))
        used = names(gap)
        if used & changing or any(number_of(name) > mark for name in used):
            return None
        return Number(gap)


def head_env(m: Machine, entry: Env, gone: set[Slot] | frozenset[Slot], values: dict[Slot, Scalar]) -> Env:
    """Private memory at the start of a round: what entered the loop, with these values for what changes."""
    env = entry | values
    return {slot: value for slot, value in env.items() if slot not in gone and slot[0] not in m.lost}


def natural(value: Scalar | None) -> bool:
    return isinstance(value, Number) and value.low is not None and value.low >= 0


def _names(value: Scalar) -> frozenset[str]:
    if isinstance(value, Number):
        return names(value.term)
    found = [names(t.offset.term) | names(t.guard) for t in value.targets]
    return frozenset().union(*found)


def _covers(symbol: Pointer, new: Pointer) -> bool:
    """Whether the symbol stands for all that the new pointer may be."""
    offsets = {t.object.id: t.offset.constant for t in symbol.targets}
    return all(
        t.object.id in offsets and offsets[t.object.id] in (None, t.offset.constant) for t in new.targets
    )


def _any_of(m: Machine, targets: tuple[Target, ...]) -> Pointer:
    """A pointer to any of these objects, at any place unless all are at the object's start."""
    offsets: dict[int, list[Target]] = {}
    for target in targets:
        offsets.setdefault(target.object.id, []).append(target)
    chosen = m.fresh("choice", "p", 0, len(offsets) - 1, _MOVED).term
    found = []
    for index, group in enumerate(offsets.values()):
        still = all(target.offset.constant == 0 for target in group)
        offset = number(0) if still else m.fresh("v", "p", why=_MOVED)
        guard = z3.BoolVal(True) if len(offsets) == 1 else chosen == index
        found.append(Target(guard, group[0].object, offset))
    return Pointer(tuple(found))


def anew(m: Machine, pointer: Pointer) -> Pointer:
    """Other variables for the unknown parts of a pointer that a loop changes."""
    return pointer if pointer.lost else _any_of(m, pointer.targets)


def _factor(new: Number, symbol: Number) -> int:
    """What the symbol is multiplied by in a round; below zero: what it is divided by; 0: neither."""
    if not natural(symbol):
        return 0
    term = z3.simplify(new.term)
    if z3.is_mul(term) and term.num_args() == 2 and term.arg(1).eq(symbol.term):
        by = term.arg(0)
        return by.as_long() if z3.is_int_value(by) and by.as_long() > 1 else 0
    if z3.is_idiv(term) and term.arg(0).eq(symbol.term) and z3.is_int_value(term.arg(1)):
        return -term.arg(1).as_long() if term.arg(1).as_long() > 1 else 0
    return 0
