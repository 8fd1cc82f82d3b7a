"""Where the arrays of a thread are indexed by numbers that the compiler does not know.

A kernel's body is walked in the order of its statements, with the functions that it calls inlined. A number
is one of the data (read from memory, a parameter, a thread's index), a count (of a loop that the compiler
does not write out), or neither.
"""

from collections.abc import Callable
from math import prod
from typing import TypeVar, cast

from cudalint.analyses.array_objects import Objects
from cudalint.analyses.array_owners import is_array, with_arrays
from cudalint.analyses.array_uses import COUNT, DATA, FIXED, WORD, Alias, Level, OpenLoop, Seen, Use, width
from cudalint.analyses.kernel_queries import is_memory
from cudalint.analyses.loop_changes import assigned, breaks, carried, changed, leaves
from cudalint.analyses.lvalue_parts import is_pointer, operands, written_root
from cudalint.analyses.trip_counts import ASSUMED_TRIPS, constant_trips, folded, uncast, written_out
from cudalint.gpu.local import words
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Array, Pointer, Record, Reference
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find

_DEPTH = 8  # of calls
_STEPS = 6000  # statements of one kernel that are looked at
_PERIOD = 16  # rounds that are written out of a loop make a count below this a fixed number
_OPEN_PERIOD = 12  # likewise of a loop whose length the code does not say (nvcc 13.0)
_WRITTEN_OUT = 3500  # operations of a loop of known length beyond which it surely stays a loop

_T = TypeVar("_T")


class Walks:
    """Goes through the kernels of a unit. with_arrays: keys of functions that have arrays, or call one that
    does.
    """

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.known: dict[tuple[str, int], object] = {}  # of statements, by what is asked and their identity
        self.with_arrays = with_arrays(unit)

    def arrays(self, function: Function) -> tuple[Seen, ...]:
        """The arrays of a kernel and of what it calls, in the order of their declarations."""
        if function.key not in self.with_arrays or function.body is None:
            return ()
        walker = _Walker(self)
        for parameter in function.parameters:
            walker.levels[parameter.id] = DATA
        walker.statement(function.body)
        for number, seen in walker.arrays.items():
            seen.holds = walker.levels.get(number, FIXED)
            seen.rounds = walker.gone_round
        return tuple(walker.arrays.values())

    def once(self, question: Callable[[s.Loop], _T], node: s.Loop) -> _T:
        """The answer for a loop, which is the same each time it is come to."""
        key = question.__name__, id(node)
        if key not in self.known:
            self.known[key] = question(node)
        return cast(_T, self.known[key])


class _Walker:
    """Goes through a kernel as the compiler does after inlining. levels: of variables, FIXED where absent."""

    def __init__(self, walks: Walks) -> None:
        self.walks = walks
        self.unit = walks.unit
        self.levels: dict[int, Level] = {}
        self.arrays: dict[int, Seen] = {}
        self.aliases: dict[int, Alias] = {}
        self.calls: list[str] = []
        self.returned: list[Level] = [FIXED]
        self.steps = 0
        self.rounds: list[OpenLoop] = []  # of the loops round the current statement
        self.watching = True
        self.chosen: set[int] = set()  # variables that an arm gave their number
        self.objects = Objects(walks.unit)
        self.gone_round: dict[int, float] = {0: 1.0}  # rounds by the identity of the loop

    # --- statements ---

    def statement(self, node: s.Statement) -> None:
        self.steps += 1
        if self.steps > _STEPS:
            return
        match node:
            case s.Block(body=body):
                for inner in body:
                    self.statement(inner)
            case s.Declare():
                self._declare(node)
            case s.Evaluate(expression=expression):
                self.level(expression)
            case s.If():
                self._if(node)
            case s.Loop():
                self._loop(node)
            case s.Switch():
                self._switch(node)
            case s.Return(value=value) if value is not None:
                self.returned[-1] = max(self.returned[-1], self.level(value))
            case s.Opaque(operands=operands):
                for operand in operands:
                    self.level(operand)

    def _declare(self, node: s.Declare) -> None:
        variable = node.variable
        if is_array(variable):
            self.arrays.setdefault(variable.id, Seen(variable))
        self.levels.pop(variable.id, None)
        for part in self.objects.declared(variable):
            self.levels.pop(part.id, None)
            if is_array(part):
                self.arrays.setdefault(part.id, Seen(part)).fixed |= node.initial is not None
        if node.initial is None:
            return
        self._pass_on(variable, node.initial)
        if variable.id in self.arrays:
            self.arrays[variable.id].fixed = True
            self._ask(self.arrays[variable.id], variable.type.bytes / WORD, variable.type.bytes / WORD)
        if isinstance(variable.type, Reference | Pointer):
            self._bind(variable, node.initial)
        self._set(variable, self.level(node.initial))

    def _set(self, variable: e.Variable, level: Level) -> None:
        """A variable is given a value; of an array or a record, a part of it."""
        if isinstance(variable.type, Array | Record):
            level = max(level, self.levels.get(variable.id, FIXED))
        self.levels[variable.id] = level

    def _if(self, node: s.If) -> None:
        condition = self.level(node.condition)
        before = dict(self.levels)
        self.statement(node.then)
        after = self.levels
        self.levels = dict(before)
        if node.otherwise is not None:
            self.statement(node.otherwise)
        if leaves(node.then):
            after = before if node.otherwise is None else self.levels
        elif node.otherwise is not None and leaves(node.otherwise):
            self.levels = after
        self._join(after)
        if condition != FIXED:
            arms = [arm for arm in (node.then, node.otherwise) if arm is not None and not leaves(arm)]
            self._chosen(arms)

    def _join(self, other: dict[int, Level]) -> None:
        levels = self.levels
        for key, level in other.items():
            if level > levels.get(key, -1):
                levels[key] = level

    def _chosen(self, arms: list[s.Statement]) -> None:
        """What is assigned where the run decides is a number of the run."""
        for arm in arms:
            for variable in assigned(arm):
                self.levels[variable.id] = DATA
                self.chosen.add(variable.id)

    def _switch(self, node: s.Switch) -> None:
        subject = self.level(node.subject)
        for inner in node.body:
            before = dict(self.levels)
            self.statement(inner)
            self._join(before)
        if subject != FIXED:
            self._chosen(list(node.body))

    def _loop(self, node: s.Loop) -> None:
        if node.initial is not None:
            self.statement(node.initial)
        trips = self.walks.once(constant_trips, node)
        carries = self.walks.once(carried, node)
        stays = self._stays(node, trips)
        if stays:
            self._count(carries)
        watching, self.watching = self.watching, False
        before, self.objects.turned = self.objects.turned, set()
        self._round(node)
        turned = self.objects.turned
        self.objects.turned = before | turned
        if not stays and self._stays(node, trips):  # what the rounds do to the condition shows in the second
            stays = True
            self._count(carries)
        if stays:
            self._raise(turned, COUNT)
        self.watching = watching
        if watching:
            changes = turned | self.walks.once(changed, node)
            self.rounds.append(
                OpenLoop(id(node), stays, trips, changes, {variable.id for variable in carries})
            )
            self.gone_round[id(node)] = self.gone_round.get(id(node), 0.0) + self._times()
            self._round(node)
            self.rounds.pop()
        if stays or self._may_end_early(node):
            self._raise({*turned, *(variable.id for variable in carries)}, DATA)

    def _count(self, carries: tuple[e.Variable, ...]) -> None:
        self._raise({variable.id for variable in carries}, COUNT)

    def _raise(self, variables: set[int], level: Level) -> None:
        for number in variables:
            self.levels[number] = max(level, self.levels.get(number, FIXED))

    def _round(self, node: s.Loop) -> None:
        before = dict(self.levels)
        if node.condition is not None:
            self.level(node.condition)
        self.statement(node.body)
        if node.step is not None:
            self.level(node.step)
        self._join(before)

    def _stays(self, node: s.Loop, trips: int | None) -> bool:
        """Whether the loop surely stays one in the machine code."""
        if node.unroll == 1:
            return True
        if node.unroll == 0 or (node.unroll is not None and trips is not None and trips <= node.unroll):
            return False
        if trips is not None:
            return self.walks.once(written_out, node) > _WRITTEN_OUT
        return _wholly(node.condition, self)

    def _may_end_early(self, node: s.Loop) -> bool:
        """Whether the run decides how many rounds the loop makes."""
        if node.condition is not None and self._silently(node.condition) != FIXED:
            return True
        return self.walks.once(breaks, node)

    # --- expressions ---

    def level(self, node: e.Expression) -> Level:
        """What a value stands on; accesses below are noted."""
        match node:
            case e.Literal() | e.FunctionReference() | e.Lambda() | e.Launch():
                return FIXED
            case e.Builtin():
                return DATA
            case e.VariableReference(variable=variable):
                return self._variable(variable)
            case e.Assign():
                return self._assign(node)
            case e.Binary():
                return self._binary(node)
            case e.Conditional():
                parts = [self.level(part) for part in (node.condition, node.then, node.otherwise)]
                return DATA if parts[0] != FIXED else max(parts)
            case e.Index() | e.Dereference() | e.Member():
                return self._lvalue(node, "load")
            case e.AddressOf(operand=operand):
                return self._lvalue(operand, "")
            case e.Call():
                return self._call(node)
            case _:
                return max((self.level(part) for part in operands(node)), default=FIXED)

    def _variable(self, variable: e.Variable) -> Level:
        if variable.storage in ("shared", "constant", "device", "managed", "texture"):
            return DATA
        return self.levels.get(variable.id, FIXED)

    def _binary(self, node: e.Binary) -> Level:
        left, right = self.level(node.left), self.level(node.right)
        if node.operator in ("%", "&") and max(left, right) == COUNT:
            period = max(folded(part) or 0 for part in (node.left, node.right))
            if self._open_ended() and period > _OPEN_PERIOD:
                return DATA  # the rounds until it comes back are not written out
            if 0 < period <= _PERIOD:
                return FIXED
        return max(left, right)

    def _open_ended(self) -> bool:
        """Whether a loop round the current statement goes on as long as the run says."""
        return any(loop.stays and loop.trips is None for loop in self.rounds)

    def _assign(self, node: e.Assign) -> Level:
        value = self.level(node.value)
        target = uncast(node.target)
        if isinstance(target, e.VariableReference):
            return self._assign_variable(node, target.variable, value)
        old = self._lvalue(target, "store" if node.operator is None else "update")
        root, found = written_root(target), self._target(target)
        if root is not None and root.storage in ("local", "parameter"):
            written = found.array if found is not None else root.id
            if written < 0 and node.operator is None and written not in self.arrays:
                self.levels[written] = value
            self.levels[written] = max(value, self.levels.get(written, FIXED))
            self.objects.note_turn(written, node, self._used(node.value))
        return value if node.operator is None else max(value, old)

    def _assign_variable(self, node: e.Assign, variable: e.Variable, value: Level) -> Level:
        alias = self.aliases.get(variable.id)
        if alias is not None and isinstance(variable.type, Pointer):
            if node.operator is None:
                self.aliases.pop(variable.id)
                self._bind(variable, node.value)
            else:
                moved = max(value, COUNT if any(r.stays for r in self.rounds) else FIXED)
                self.aliases[variable.id] = Alias(alias.array, max(alias.level, moved), node.target)
        elif node.operator is None and isinstance(variable.type, Pointer):
            self._bind(variable, node.value)
        if node.operator is not None:
            value = max(value, self.levels.get(variable.id, FIXED))
        else:
            self.chosen.discard(variable.id)
        self._set(variable, value)
        return value

    # --- arrays ---

    def _bind(self, variable: e.Variable, initial: e.Expression) -> None:
        found = self._target(initial) if isinstance(variable.type, Reference) else self._pointee(initial)
        if found is not None:
            self.aliases[variable.id] = found

    def _target(self, node: e.Expression) -> Alias | None:
        """The array, and where in it, that an lvalue or a pointer names."""
        node = uncast(node)
        match node:
            case e.AddressOf(operand=operand):
                return self._target(operand)
            case e.VariableReference(variable=variable):
                if variable.id in self.arrays or variable.id in self.objects.owners:
                    return Alias(variable.id)
                return self.aliases.get(variable.id)
            case e.Index(base=base, index=index):
                return self._moved(base, index)
            case e.Binary(operator="+" | "-", left=left, right=right) if is_pointer(left.type):
                return self._moved(left, right)
            case e.Binary(operator="+", left=left, right=right) if is_pointer(right.type):
                return self._moved(right, left)
            case e.Dereference(pointer=pointer) | e.Assign(target=pointer):
                return self._pointee(pointer)
            case e.Member(base=base, name=name):
                return self.objects.part(self._target(base), name)
            case _:
                return None

    def _pointee(self, node: e.Expression) -> Alias | None:
        """What a pointer points at, where no memory holds the pointer."""
        bare = uncast(node)
        loaded = isinstance(bare, e.Index | e.Dereference | e.Member) and isinstance(bare.type, Pointer)
        return None if loaded else self._target(bare)

    def _moved(self, base: e.Expression, index: e.Expression) -> Alias | None:
        found = self._pointee(base)
        if found is None:
            return None
        level = self._silently(index)
        return found if level <= found.level else Alias(found.array, level, index)

    def _silently(self, node: e.Expression) -> Level:
        watching, self.watching = self.watching, False
        level = self.level(node)
        self.watching = watching
        return level

    def _lvalue(self, node: e.Expression, how: str) -> Level:
        """What an lvalue holds, once its parts are looked at and the access is noted."""
        node = uncast(node)
        if isinstance(node, e.VariableReference):
            return self._variable(node.variable)
        inner = FIXED
        for part in operands(node):
            inner = max(inner, self._part(part))
        target = self._target(node)
        if target is None:
            return DATA if is_memory(node) else inner
        if how and not isinstance(node.type, Array):
            self._note(node, target, how)
        return max(self.levels.get(target.array, FIXED), target.level)

    def _part(self, node: e.Expression) -> Level:
        """A part of an lvalue: what it goes through is no access of its own."""
        bare = uncast(node)
        chained = isinstance(bare, e.Index | e.Member | e.Dereference)
        if chained and (isinstance(bare, e.Member) or isinstance(bare.type, Array | Record)):
            return self._lvalue(bare, "")
        return self.level(node)

    def _note(self, node: e.Expression, target: Alias, how: str) -> None:
        seen = self.arrays.get(target.array)
        if seen is None or not self.watching:
            return
        seen.touched.setdefault(node.span, node)
        self._ask(seen, 1.0, words(node.type.bytes) * (2 if how == "update" else 1))
        seen.read |= how != "store"
        outermost = self.rounds[0].number if self.rounds else 0
        if how != "load":
            seen.written_in.add(outermost)
        if how != "store":
            seen.kept |= bool(seen.written_in) and outermost not in seen.written_in
        if target.level == FIXED or target.index is None:
            seen.fixed = True
            return
        use = seen.uses.get(node.span)
        if use is None:
            use = seen.uses[node.span] = Use(node, target.index, width(self.unit, node.type))
        used = self._used(target.index)
        moving = [loop for loop in self.rounds if used & loop.changed]
        times = min(_STEPS, prod(loop.trips or 1 for loop in moving if not loop.stays))
        use.loads += times if how == "load" else 0
        use.stores += times if how != "load" else 0
        use.updates |= how == "update"
        use.weight += 2 if how == "update" else 1
        staying = {loop.number for loop in moving if loop.stays}
        use.in_loop |= bool(staying)
        use.moves |= bool(moving)
        use.loops |= staying
        use.turns |= staying if target.level == DATA else set()
        use.picked = self._picked(target.index)

    def _ask(self, seen: Seen, times: float, moved: float) -> None:
        """The thread accesses the array so often in each round of the loops round the current statement, and
        moves so many words.
        """
        if self.watching:
            around = self.rounds[-1].number if self.rounds else 0
            seen.asked += times * self._times()
            seen.moved[around] = seen.moved.get(around, 0.0) + moved * self._times()
            seen.repeated |= any(loop.stays or loop.trips is None for loop in self.rounds)

    def _times(self) -> int:
        """How often a thread comes to the current statement."""
        return prod(loop.trips or ASSUMED_TRIPS for loop in self.rounds)

    def _picked(self, index: e.Expression) -> bool:
        index = uncast(index)
        index = uncast(index.target) if isinstance(index, e.Assign) else index
        if not isinstance(index, e.VariableReference):
            return False
        number = index.variable.id
        return number in self.chosen or any(loop.stays and number in loop.carried for loop in self.rounds)

    # --- calls ---

    def _call(self, node: e.Call) -> Level:
        arguments = [self._argument(argument) for argument in node.arguments]
        if node.receiver is not None:
            arguments.append(self._argument(node.receiver))
        level = max(arguments, default=FIXED)
        function = self.unit.functions.get(node.key or "")
        if function is None or function.body is None:
            return DATA if not node.arguments else level
        given_array = any(self._target(argument) is not None for argument in node.arguments)
        own = self._target(node.receiver) if node.receiver is not None else None
        own = own if own is not None and own.array in self.objects.owners else None
        if not given_array and own is None and function.key not in self.walks.with_arrays:
            return level
        if node.key in self.calls or len(self.calls) >= _DEPTH or self.steps > _STEPS:
            return level
        self.calls.append(function.key)
        self.returned.append(FIXED)
        for parameter, argument, given in zip(function.parameters, node.arguments, arguments, strict=False):
            self.aliases.pop(parameter.id, None)
            if is_pointer(parameter.type) or isinstance(parameter.type, Reference):
                self._bind(parameter, argument)
            self.levels[parameter.id] = given
            self._pass_on(parameter, argument)
        if function.this is not None:
            self.aliases.pop(function.this.id, None)
            if own is not None:
                self.aliases[function.this.id] = own
        self.statement(function.body)
        self.calls.pop()
        return self.returned.pop()

    def _pass_on(self, parameter: e.Variable, argument: e.Expression) -> None:
        """A parameter, or a local variable, changes in the loops that change what is passed for it."""
        used = self._used(argument)
        for loop in self.rounds:
            if used & loop.changed:
                loop.changed.add(parameter.id)

    def _used(self, node: e.Expression) -> frozenset[int]:
        """The variables that a value is made from, and the fields of objects with arrays."""
        used = {part.variable.id for part in find(node, e.VariableReference)}
        members = (self._target(part) for part in find(node, e.Member))
        return frozenset((*used, *(found.array for found in members if found is not None)))

    def _argument(self, node: e.Expression) -> Level:
        """What is passed. An array as such is not read by that."""
        bare = uncast(node)
        if isinstance(bare.type, Array) and not isinstance(bare, e.VariableReference):
            return self._lvalue(bare, "")
        return self.level(node)


def _wholly(condition: e.Expression | None, walker: _Walker) -> bool:
    """Whether every part of a condition is the run's, so that no part bounds the rounds."""
    if isinstance(condition, e.Binary) and condition.operator == "&&":
        return _wholly(condition.left, walker) and _wholly(condition.right, walker)
    return condition is not None and walker._silently(condition) == DATA
