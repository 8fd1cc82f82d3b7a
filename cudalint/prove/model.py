"""Prove one kernel: a symbolic run of one thread, then queries about pairs of threads."""

import time

import z3
from msgspec import Struct

from cudalint.ir.unit import Function, Unit
from cudalint.prove.answers import Found, Open, answer
from cudalint.prove.calls import run_call
from cudalint.prove.execute import execute
from cudalint.prove.machine import Budget, Frame, Machine
from cudalint.prove.pairs import Questions
from cudalint.prove.shapes import Launch, enter, launch_of
from cudalint.prove.solve import Clock
from cudalint.prove.verdict import Verdict
from cudalint.prove.witness import witness
from cudalint.settings.assume import Assumption

_MOST_QUESTIONS = 6_000
_LOCKSTEP = 70  # independent thread scheduling from this architecture on


class Options(Struct, frozen=True):
    """The options of a proof."""

    assumptions: tuple[Assumption, ...] = ()
    timeout: float = 10.0  # seconds per kernel
    arch: int = 0  # 0 if not specified
    kernel: str | None = None


def prove(unit: Unit, options: Options) -> list[Verdict]:
    """A verdict for each kernel of the unit."""
    chosen = [unit.functions[key] for key in unit.kernels]
    if options.kernel is not None:
        chosen = [function for function in chosen if function.name.partition("<")[0] == options.kernel]
    return [prove_kernel(unit, function, options) for function in chosen]


def prove_kernel(unit: Unit, function: Function, options: Options) -> Verdict:
    """The verdict on one kernel."""
    begun = time.monotonic()
    clock = Clock(options.timeout)
    lost = _lost_source(unit, function)
    try:
        verdict = _judge(unit, function, options, clock, lost)
    except Budget:
        verdict = _open(function, ("step limit exceeded",))
    except z3.Z3Exception as error:
        verdict = _open(function, (f"the solver gave up: {str(error)[:80]}",))
    except RecursionError:
        verdict = _open(function, ("nested too deeply",))
    seconds = round(time.monotonic() - begun, 3)
    return Verdict(
        verdict.kernel, verdict.span, verdict.answer, verdict.witness, verdict.reasons, verdict.notes,
        function.assumed, seconds,
    )  # fmt: skip


def _lost_source(unit: Unit, function: Function) -> tuple[str, ...]:
    """Parts of the kernel's own source that could not be parsed."""
    extent = function.extent
    return tuple(
        problem.reason
        for problem in unit.problems
        if problem.span.path == extent.path and extent.line <= problem.span.line <= extent.end_line
    )


def _open(function: Function, reasons: tuple[str, ...]) -> Verdict:
    return Verdict(function.name, function.span, "not decided", None, reasons)


def _judge(unit: Unit, function: Function, options: Options, clock: Clock, lost: tuple[str, ...]) -> Verdict:
    if function.dependent or function.body is None:
        return _open(function, ("template without an instantiation",))
    launch = launch_of(unit, function, options.assumptions)
    first = _run(unit, function, launch, options, frozenset())
    read_only = frozenset(first.objects) - first.written
    launch = launch_of(unit, function, options.assumptions)
    m = _run(unit, function, launch, options, read_only)
    reasons = dict.fromkeys((*lost, *m.losses))
    lockstep = 0 < options.arch < _LOCKSTEP
    questions = Questions(m, launch, lockstep)
    for count, question in enumerate(questions.all()):
        if clock.over or count > _MOST_QUESTIONS:
            reasons.setdefault("out of time" if clock.over else "too many pairs of accesses")
            break
        found = answer(question, m, questions, clock, refute=not lost)
        if isinstance(found, Found):
            return Verdict(function.name, function.span, "refuted", witness(found, m, launch))
        if isinstance(found, Open):
            reasons.setdefault(found.reason)
    if reasons:
        return _open(function, tuple(reasons))
    return Verdict(function.name, function.span, "proved")


def _run(
    unit: Unit, function: Function, launch: Launch, options: Options, read_only: frozenset[str]
) -> Machine:
    """The symbolic run of one thread."""
    m = Machine(unit, run_call, read_only, launch.extents)
    m.frames.append(Frame(function))
    enter(m, launch, function, options.assumptions)
    assert function.body is not None
    execute(m, function.body)
    return m
