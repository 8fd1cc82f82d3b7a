"""What a kernel is run with: the shape and arguments of its launch, made-up ones where no launch tells."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from cudalint.host.facts import Argument, LaunchFact
from cudalint.ir import types as t
from cudalint.ir.unit import Function, Unit
from cudalint.simt.launch.configure import Plan, axes_used, plans
from tools.interpreter import translate
from tools.interpreter.conflicts import Conflicts, Trace, conflicts, trace
from tools.interpreter.layout import Contents, code, leaves
from tools.interpreter.memory import GLOBAL, Memory, fitted
from tools.interpreter.program import DYNAMIC, Program
from tools.interpreter.stop import Stop
from tools.interpreter.threads import Interval, Shape, run_block

# Numbers of the free integers of a trial, one after the other, and the bound of made-up integers in memory.
TRIALS = (
    ((256,), 64),
    ((100,), 7),
    ((2, 64, 64, 1, 1), 16),
    ((1, 2, 3), 64),
    ((16,), 4),
    ((1024, 4), 2),
)
_SHAPES: tuple[Shape, ...] = (
    (256, 1, 1), (16, 16, 1), (128, 1, 1), (64, 1, 1), (32, 8, 1), (32, 32, 1), (512, 1, 1), (8, 8, 1),
)  # fmt: skip
_GRID = (4, 3, 2)
_FUEL = 250_000  # iterations of loops in a block


@dataclass(frozen=True)
class Outcome:
    """One block of one trial. stopped: why it did not come to its end; shape: of the block; work: accesses
    and iterations; own: conflicts that are there with every barrier; intervals: what its threads did.
    """

    program: Program
    run: Trace
    own: Conflicts
    stopped: str
    shape: Shape
    work: int
    intervals: tuple[Interval, ...]


def shapes(function: Function, launches: tuple[LaunchFact, ...]) -> tuple[Plan, ...]:
    """The shapes to run; of a kernel that no launch tells one of, several to choose from, with no more axes
    than the kernel reads: threads that it does not tell apart would do the same.
    """
    found = plans(function, launches, ())
    first = found[0].configuration
    if first.origin != "usual shape":
        return tuple(found)
    given = [plan.configuration.block for plan in found]
    axes = axes_used(function)
    others = [s for s in _SHAPES if s not in given and all(extent == 1 for extent in s[axes:])]
    more = (replace(found[0], configuration=replace(first, block=shape)) for shape in others)
    return (*found, *more)


def outcomes(unit: Unit, function: Function, plan: Plan, trial: int) -> Iterator[Outcome]:
    """The first block of a trial and an inner one."""
    numbers, least = TRIALS[trial]
    memory = Memory()
    contents = Contents(unit, memory, least)
    program = translate.program(unit, memory, contents, plan.configuration.dynamic_shared_bytes or DYNAMIC)
    block = plan.configuration.block
    grid = tuple(g or d for g, d in zip(plan.configuration.grid, _GRID, strict=True))
    arguments = Arguments(unit, memory, contents, numbers).of(function, plan.arguments)
    places = dict.fromkeys(((0, 0, 0), tuple(min(1, extent - 1) for extent in grid)))
    for at in places:
        memory.reset()
        program.fuel[0] = _FUEL
        yield _outcome(program, function.key, arguments, block, grid, at)  # type: ignore[arg-type]


def _outcome(
    program: Program, key: str, arguments: list[Any], block: Shape, grid: Shape, at: Shape
) -> Outcome:
    intervals: list[Interval] = []
    stopped = ""
    try:
        for interval in run_block(program, key, arguments, block, grid, at):
            intervals.append(interval)  # what came before a stop is kept
    except Stop as reason:
        stopped = str(reason)
    except RecursionError:
        stopped = "recursion"
    except (
        ArithmeticError,
        LookupError,
        TypeError,
        ValueError,
        NameError,
        AttributeError,
        struct.error,
    ) as error:
        stopped = f"the interpreter failed: {type(error).__name__}: {error}"
    work = _FUEL - program.fuel[0] + sum(len(log) for i in intervals for _, log in i.logs)
    run = trace(program.sites, intervals)
    return Outcome(program, run, conflicts(run), stopped, block, work, tuple(intervals))


@dataclass
class Arguments:
    """Makes arguments: what the launch passes, else the trial's numbers and made-up buffers."""

    unit: Unit
    memory: Memory
    contents: Contents
    numbers: tuple[int, ...]
    taken: int = 0

    def of(self, function: Function, told: tuple[Argument, ...] | None) -> list[Any]:
        if told is None or len(told) != len(function.parameters):
            told = (Argument(),) * len(function.parameters)
        self.buffers: dict[int, int] = {}
        return [self._argument(p.type, a) for p, a in zip(function.parameters, told, strict=True)]

    def _argument(self, kind: t.Type, told: Argument) -> Any:
        if isinstance(kind, t.Record):
            return self._record(kind, told)
        if isinstance(kind, t.Opaque) and not kind.bytes:
            return b""  # what uses it says why it cannot be run
        if isinstance(kind, t.Reference):
            return self.contents.buffer(kind.target)
        if isinstance(kind, t.Pointer | t.Array):
            return self._pointer(kind, told)
        return self._number(kind, told)

    def _record(self, kind: t.Record, told: Argument) -> bytes:
        whole, fields = bytearray(kind.bytes), dict(told.fields)
        for at, inner in leaves(self.unit, kind):
            letter = code(inner)
            if letter is not None:
                value = self._argument(inner, fields.get(at, Argument()))
                struct.pack_into("<" + letter, whole, at, fitted(letter, value))
        return bytes(whole)

    def _pointer(self, kind: t.Pointer | t.Array, told: Argument) -> int:
        pointee = kind.pointee if isinstance(kind, t.Pointer) else kind.element
        buffer = told.buffer
        if buffer is None:
            return self.contents.buffer(pointee)
        if buffer.id not in self.buffers:
            pattern = self.contents.pattern(pointee)
            self.buffers[buffer.id] = self.memory.create(GLOBAL, len(pattern), pattern, grows=True)
        return self.buffers[buffer.id] + (told.offset or 0)

    def _number(self, kind: t.Type, told: Argument) -> Any:
        if told.value is not None:
            return told.value
        if isinstance(kind, t.Scalar) and kind.kind == "float":
            return 0.75
        if told.values:
            return told.values[self.numbers[0] % len(told.values)]
        number = self.numbers[self.taken % len(self.numbers)]
        self.taken += 1
        multiple = told.multiple_of or 1
        return (
            -(-number // multiple) * multiple
            if isinstance(kind, t.Scalar) and kind.kind != "bool"
            else number & 1
        )
