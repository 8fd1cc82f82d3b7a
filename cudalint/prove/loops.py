"""Loops of a symbolic run.

A loop whose iterations can be counted out is run as often as it goes round, where that is little. Any other
is run once, in a round that stands for all of them: what counts has the value `start + round * step`, and
what else changes is not known. A loop with barriers is gone through by all threads of a block together, so
the number of the round is the block's; it is run for two consecutive rounds, so that the end of one meets
the start of the next.
"""

from collections.abc import Callable
from itertools import product

import z3
from msgspec import Struct
from msgspec.structs import replace

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import LONG
from cudalint.ir.walk import find
from cudalint.prove import data
from cudalint.prove.arithmetic import binary
from cudalint.prove.barriers import may_wait
from cudalint.prove.changes import Change, Changes, Finder, Scalar, Slot, Trial, anew, head_env, natural
from cudalint.prove.evaluate import condition, evaluate
from cudalint.prove.machine import Barrier, Env, Left, Machine, Path, Scope
from cudalint.prove.terms import counts, is_lost, level, names
from cudalint.prove.values import (
    FALSE,
    TRUE,
    Number,
    Pointer,
    Target,
    Term,
    conj,
    disj,
    negate,
    number,
    select_number,
)

_UNROLLED = 8  # rounds of a loop without a barrier that are written out
_UNROLLED_WAITING = 64  # of one with barriers
_MOST_RECORDS = 200  # accesses that rounds written out may make
_MOST_STEPS = 8_000
_LARGEST_POWER = 1 << 31
_EARLY = "a loop that may be left early"
_UNCOUNTED = "loop with an unknown trip count"

Execute = Callable[[Machine, s.Statement], None]
Rounds = tuple[tuple[int, int], ...]


def run(m: Machine, node: s.Loop, execute: Execute) -> None:
    """Run a loop; `execute` runs one statement."""
    if node.initial is not None:
        execute(m, node.initial)
    if m.path is None:
        return
    waiting = may_wait(m.unit, node)
    if not _written_out(m, node, execute, _UNROLLED_WAITING if waiting else _UNROLLED):
        loop = _Loop(m, node, execute, waiting)
        loop.run_together() if waiting else loop.run()


# --- one round ---


class Round(Struct, frozen=True):
    """What one round came to: the path under which it was begun, and the ways out of it."""

    entered: Path | None
    end: Left | None
    breaks: list[Left]


def _iterate(m: Machine, node: s.Loop, execute: Execute, tested: bool, reach: Term = TRUE) -> Round:
    """Run the condition (where `tested`), the body and the step; the run stands nowhere afterwards."""
    scope = Scope()
    m.frames[-1].scopes.append(scope)
    m.assume(reach)
    if node.condition is not None and tested:
        m.assume(condition(m, node.condition))
    entered = m.path
    execute(m, node.body)
    m.merge(([Left(m.path, m.env)] if m.path is not None else []) + scope.continues)
    if m.path is not None and node.step is not None:
        evaluate(m, node.step)
    end = Left(m.path, m.env) if m.path is not None else None
    m.frames[-1].scopes.pop()
    m.path = None
    return Round(entered, end, scope.breaks)


def _written_out(m: Machine, node: s.Loop, execute: Execute, most: int) -> bool:
    """Run all rounds, where the condition is decided in each; False, and nothing done, where it is not."""
    if node.condition is None and not find(node.body, s.Break, s.Return):
        return False
    before = _Snapshot(m)
    breaks: list[Left] = []
    records, steps = len(m.accesses) + _MOST_RECORDS, m.steps + _MOST_STEPS
    for count in range(most + 1):
        tested = node.kind != "do" or count > 0
        going = _decided(m, node) if tested else True
        if going is None or (node.condition is None and count == most):
            break
        if not going:
            if node.condition is not None:
                condition(m, node.condition)
            m.merge([*([Left(m.path, m.env)] if m.path is not None else []), *breaks])
            return True
        made = _iterate(m, node, execute, tested)
        breaks += made.breaks
        if made.end is None:
            m.merge(breaks)
            return True
        m.path, m.env = made.end.path, made.end.env
        if len(m.accesses) > records or m.steps > steps:
            break
    before.restore(m)
    return False


def _decided(m: Machine, node: s.Loop) -> bool | None:
    """Whether another round follows, where that is known here."""
    if node.condition is None:
        return True
    path, env = m.path, dict(m.env)
    with m.quietly():
        test = z3.simplify(condition(m, node.condition))
    m.path, m.env = path, env
    return True if z3.is_true(test) else False if z3.is_false(test) else None


class _Snapshot:
    """What a run has recorded and knows, to come back to."""

    def __init__(self, m: Machine) -> None:
        self.path, self.env, self.lost, self.position = m.path, dict(m.env), m.lost, m.position
        self.lengths = (len(m.accesses), len(m.barriers), len(m.exits), len(m.frames[-1].returns))
        self.tickets, self.claims = len(m.tickets), len(m.claims)
        self.losses, self.variables, self.bound = dict(m.losses), dict(m.variables), dict(m.bound)

    def restore(self, m: Machine) -> None:
        m.path, m.env, m.lost, m.position = self.path, dict(self.env), self.lost, self.position
        accesses, barriers, exits, returns = self.lengths
        del m.accesses[accesses:], m.barriers[barriers:], m.exits[exits:], m.frames[-1].returns[returns:]
        del m.tickets[self.tickets :], m.claims[self.claims :]
        m.losses, m.variables, m.bound = dict(self.losses), dict(self.variables), dict(self.bound)


# --- a round that stands for all ---


class _Loop:
    """One loop, run in a round that stands for all."""

    def __init__(self, m: Machine, node: s.Loop, execute: Execute, waiting: bool) -> None:
        self.m, self.node, self.execute, self.waiting = m, node, execute, waiting
        self.entry = Left(m.path or (), dict(m.env))
        self.frame = m.frames[-1]
        self.before = (len(self.frame.returns), len(m.exits))
        self.doing = node.kind == "do"
        self.pure = node.condition is None or _harmless(node.condition)
        self.changes: Changes = Finder(m, self.entry, self._try).find()
        self.early = self.changes.trial.early
        self.counted = not self.early and self._counted()
        self._note_rows()

    def _try(self, env: Env) -> Trial:
        """One round from this private memory, of which nothing is recorded."""
        m = self.m
        returns, self.frame.returns = self.frame.returns, []
        with m.quietly():
            test = None
            if self.node.condition is not None:
                m.path, m.env = self.entry.path, dict(env)
                test = condition(m, self.node.condition)
            m.path, m.env = self.entry.path, dict(env)
            made = _iterate(m, self.node, self.execute, not self.doing)
            end = made.end
            if self.doing and end is not None and self.node.condition is not None:
                m.path, m.env = end.path, end.env
                condition(m, self.node.condition)
                end = Left(end.path, m.env)
            early = bool(made.breaks or self.frame.returns)
        self.frame.returns = returns
        return Trial(end.env if end is not None else env, test, early)

    def _counted(self) -> bool:
        """Whether a round is reached exactly where its condition holds, as it does where a counter is
        compared with a bound.
        """
        test = self.changes.trial.test
        if test is None or not self.pure:
            return False
        counters = frozenset().union(*(self._counter(change) for change in self.changes.all))
        if {name for name in names(test) if is_lost(name)} - counters:
            return False
        return counts(test, counters) or self._until(test) is not None

    def _note_rows(self) -> None:
        """Note an array whose neighbours are the first and the last number of a counter."""
        test = self.changes.trial.test
        if test is None:
            return
        for change in self.changes.all:
            if change.step is None or not isinstance(change.start, Number):
                continue
            pairs = product(data.loads([change.start.term]), data.loads([test]))
            self.m.rows |= {data.parts_of(one)[0] for one, other in pairs if data.neighbour(one, other)}

    def _counter(self, change: Change) -> frozenset[str]:
        """The symbol of a variable that counts."""
        if not isinstance(change.symbol, Number) or not isinstance(change.start, Number):
            return frozenset()
        steady = change.step is not None or (change.factor and change.start.constant is not None)
        return names(change.symbol.term) if steady else frozenset()

    def _until(self, test: Term) -> Change | None:
        """The counter of a condition `counter != bound` that one round moves by one."""
        if not z3.is_not(test) or not z3.is_eq(test.arg(0)):
            return None
        for change in self.changes.all:
            unit = change.step is not None and change.step.constant in (1, -1)
            if unit and isinstance(change.symbol, Number) and test.arg(0).arg(0).eq(change.symbol.term):
                others = names(test.arg(0).arg(1))
                if not any(is_lost(name) for name in others):
                    return change
        return None

    # --- values at the start of a round ---

    def _head(self, count: Number, together: bool) -> Env:
        """Private memory at the start of round `count`. together: all threads of a block are in it."""
        values: dict[Slot, Scalar] = {c.slot: self._value(c, count, together) for c in self.changes.all}
        return head_env(self.m, self.entry.env, self.changes.gone, values)

    def _value(self, change: Change, count: Number, together: bool) -> Scalar:
        start, symbol = change.start, change.symbol
        if change.step is not None:
            return _counted_value(change, count)
        if not isinstance(start, Number) or not isinstance(symbol, Number):
            return anew(self.m, symbol) if isinstance(symbol, Pointer) else symbol
        where = "b" if change.uniform and together else "p"
        if change.factor:
            return _power(self.m, start, change.factor, count, where)
        later = self.m.fresh("v", where, symbol.low, None, "variable changed by a loop")
        return select_number(count.term == 0, start, later)

    def _test_at(self, count: Number) -> Term | None:
        """The condition at the start of round `count`, where it stands on what counts."""
        test = self.changes.trial.test
        if test is None:
            return None
        pairs = []
        for change in self.changes.all:
            if isinstance(change.symbol, Number) and names(change.symbol.term) & names(test):
                if change.step is None:
                    return None
                value = _counted_value(change, count)
                assert isinstance(value, Number)
                pairs.append((change.symbol.term, value.term))
        return z3.substitute(test, *pairs) if pairs else test

    # --- a loop without barriers ---

    def run(self) -> None:
        """Run it and stand behind it."""
        m = self.m
        count = m.fresh("round", "p", 0)
        m.path, m.env = self.entry.path, self._head(count, False)
        m.alone += 1
        self._begin(count, "p")
        m.alone -= 1
        stayed = self._returned("p")
        self._leave(stayed)

    def _begin(self, count: Number, where: str) -> Round:
        """Run the round that stands for all."""
        m, node = self.m, self.node
        made = _iterate(m, node, self.execute, not self.doing, self._reached(count, where))
        if self.doing and made.end is not None and node.condition is not None:
            m.path, m.env = made.end.path, dict(made.end.env)
            condition(m, node.condition)
            made = replace(made, end=Left(made.end.path, m.env))
            m.path = None
        return made

    def _reached(self, count: Number, where: str) -> Term:
        """What else holds in a round that is reached."""
        parts: list[Term] = []
        first = count.term == 0
        if self.doing and self.pure and self.node.condition is not None:
            path, env = self.m.path, self.m.env
            with self.m.quietly():
                parts.append(disj([first, condition(self.m, self.node.condition)]))
            self.m.path, self.m.env = path, env
        if not self.counted:
            parts.append(disj([first, self.m.doubt(_EARLY if self.early else _UNCOUNTED, where)]))
            return conj(parts)
        if not self.doing:
            begun = self._test_at(number(0))
            parts += [begun] if begun is not None else []
            parts += self._short_of_end(count)
        return conj(parts)

    def _short_of_end(self, count: Number) -> list[Term]:
        """A counter that moves by one up to a bound it begins below stays below it."""
        test = self.changes.trial.test
        change = self._until(test) if test is not None else None
        if test is None or change is None or change.step is None or not isinstance(change.start, Number):
            return []
        value, bound = _counted_value(change, count), test.arg(0).arg(1)
        assert isinstance(value, Number)
        if change.step.constant == 1:
            return [z3.Implies(change.start.term <= bound, value.term < bound)]
        return [z3.Implies(change.start.term >= bound, value.term > bound)]

    def _returned(self, where: str) -> Term:
        """The condition of not having returned from a round; which threads have is not known."""
        m = self.m
        returns, exits = self.before
        if len(self.frame.returns) == returns and len(m.exits) == exits:
            return TRUE
        left = m.doubt("loop that may exit by return", where)
        ways = self.frame.returns[returns:]
        self.frame.returns[returns:] = [Left((*self.entry.path, left), way.env, way.value) for way in ways]
        if len(m.exits) > exits:
            m.exits[exits:] = [conj([*self.entry.path, left])]
        return negate(left)

    def _leave(self, stayed: Term) -> Number:
        """Stand behind the loop; how often it went round."""
        m = self.m
        test = self.changes.trial.test
        uniform = self.waiting or (not self.early and test is not None and level(test) != "p")
        least = 1 if self.doing else 0
        why = "" if self.counted else "trip count of a loop"
        count = m.fresh("rounds", "b" if uniform else "p", least if not self.early else 0, None, why)
        returns, exits = self.frame.returns, list(m.exits)
        self.frame.returns = []
        head = self._head(count, uniform)
        with m.quietly():
            ways, broke = self._early_ways(head, "b" if self.waiting else "p")
            ended = self._last_way(head, count, conj([negate(broke), stayed]))
        self.frame.returns, m.exits = returns, exits
        m.merge([*ways, *([ended] if ended is not None else [])])
        m.assume(stayed)
        return count

    def _early_ways(self, head: Env, where: str) -> tuple[list[Left], Term]:
        """Out by a break: the ways, and the condition of having taken one."""
        m = self.m
        if not self.early:
            return [], FALSE
        broke = m.doubt("loop that may exit by break", where)
        m.path, m.env = (*self.entry.path, broke), dict(head)
        made = _iterate(m, self.node, self.execute, not self.doing)
        return made.breaks, broke if made.breaks else FALSE

    def _last_way(self, head: Env, count: Number, ending: Term) -> Left | None:
        """Out by the condition."""
        m = self.m
        if self.node.condition is None:
            return None
        m.path, m.env = self.entry.path, dict(head)
        test = condition(m, self.node.condition)
        if m.path is None:
            return None
        if self.pure or not self.doing:
            m.fact(z3.Implies(conj([*self.entry.path, ending]), negate(test)), count.term)
        if self.counted:
            before = self._test_at(binary("-", count, number(1), LONG))
            if before is not None:
                more = count.term > (1 if self.doing else 0)
                m.fact(z3.Implies(conj([*self.entry.path, ending, more]), before), count.term)
        env = m.env if self.pure or not self.doing else head
        return Left(self.entry.path if z3.is_true(ending) else (*self.entry.path, ending), env)

    # --- a loop with barriers ---

    def run_together(self) -> None:
        """Run it for two rounds that all threads of a block are in together, and stand behind it."""
        m = self.m
        outer, entry = m.rounds, self.entry.path
        m.loops += 1
        loop = m.loops
        m.position += 1
        place = m.position
        count = m.fresh("round", "b", 0)
        facts, first = len(m.facts), len(m.barriers)
        m.path, m.env = entry, self._head(count, True)
        m.rounds = (*outer, (loop, 0))
        made = self._begin(count, "b")
        always = _passed(made, m.barriers[first:])
        sure = TRUE if always else m.doubt("barrier that not every iteration reaches", "b")
        self._second(count, made, always, (*outer, (loop, 1)))
        stayed = self._returned("p")
        m.rounds = outer
        rounds = self._leave(stayed)
        if m.silent:
            return
        span, inside = self.node.span, outer
        m.barriers.append(
            Barrier((*entry, count.term > 0, sure), place, facts, span, "block", inside, (), (loop,), False)
        )
        last = rounds.term != count.term + 1
        if self.early:
            last = z3.And(last, rounds.term != count.term)
        m.position += 1
        known = len(m.facts)
        m.barriers += [
            Barrier((*entry, last, sure), m.position, known, span, "block", inside, (), (loop,), False),
            Barrier(
                (*entry, rounds.term > 0, sure), m.position, known, span, "block", inside, (loop,), (), False
            ),
        ]
        if not always:
            for path in (made.entered, made.end.path if made.end is not None else None):
                if path is not None:
                    m.barriers.append(Barrier(path, m.position, known, span, "agreement"))

    def _second(self, count: Number, made: Round, always: bool, rounds: Rounds) -> None:
        """The round after: the next one, or any later one where rounds may have no barrier."""
        m = self.m
        if made.end is None:
            return
        exits, returns = list(m.exits), self.frame.returns
        self.frame.returns = []
        later = binary("+", count, number(1), LONG)
        if always:
            m.path, m.env = made.end.path, dict(made.end.env)
        else:
            later = binary("+", later, m.fresh("later", "b", 0), LONG)
            m.path, m.env = self.entry.path, self._head(later, True)
        m.rounds = rounds
        self._begin(later, "b")
        m.exits, self.frame.returns = exits, returns


def _passed(made: Round, barriers: list[Barrier]) -> bool:
    """Whether all who came to the end of the round have passed one of its barriers."""
    if made.end is None:
        return any(b.scope in ("block", "grid") and b.checked for b in barriers)
    path = made.end.path
    return any(
        barrier.scope in ("block", "grid")
        and barrier.checked
        and len(barrier.path) <= len(path)
        and all(mine is theirs for mine, theirs in zip(barrier.path, path, strict=False))
        for barrier in barriers
    )


def _counted_value(change: Change, count: Number) -> Scalar:
    """The value in round `count` of what a round moves by a step."""
    start, step = change.start, change.step
    assert step is not None
    moved = binary("*", step, count, LONG)
    if isinstance(start, Number):
        total = binary("+", start, moved, LONG)
        low = 0 if natural(change.symbol) else None
        if start.low is not None and step.constant is not None and step.constant >= 0:
            low = start.low
        down = start.high is not None and step.constant is not None and step.constant <= 0
        return Number(total.term, low, start.high if down else None, wraps=start.wraps or step.wraps)
    target = start.targets[0]
    return Pointer((Target(target.guard, target.object, binary("+", target.offset, moved, LONG)),))


def _power(m: Machine, start: Number, factor: int, count: Number, where: str) -> Number:
    """What a round multiplies, or divides where the factor is below zero."""
    if start.constant is not None and start.constant > 0:
        values = [start.constant]
        while (factor > 0 and values[-1] * factor <= _LARGEST_POWER) or (factor < 0 and values[-1]):
            values.append(values[-1] * factor if factor > 0 else values[-1] // -factor)
        made = m.fresh("power", where, min(values), max(values))
        m.fact(disj([made.term == value for value in values]), made.term)
        m.fact((count.term == 0) == (made.term == start.term), made.term)
        result = Number(made.term, min(values), max(values), None, tuple(sorted(values)))
    else:
        later = m.fresh("power", where, 0, start.high if factor < 0 else None, "variable changed by a loop")
        m.fact(later.term <= start.term if factor < 0 else later.term >= start.term, later.term)
        result = select_number(count.term == 0, start, later)
    return result


def _harmless(node: e.Expression) -> bool:
    """Whether evaluating the expression changes nothing."""
    return not find(node, e.Assign, e.Call, e.Construct, e.Unknown)
