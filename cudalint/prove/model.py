"""Prove one kernel: a symbolic run of one thread, then queries about pairs of threads."""

import time

import z3
from msgspec import Struct
from msgspec.structs import replace

from cudalint.ir.unit import Function, Unit
from cudalint.prove.answers import Found, Open, answer
from cudalint.prove.calls import run_call
from cudalint.prove.data import Order
from cudalint.prove.execute import execute
from cudalint.prove.given import Case, cases_of, usual
from cudalint.prove.machine import Budget, Frame, Machine
from cudalint.prove.memory import display
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
    chosen = [function for key in unit.kernels if not (function := unit.functions[key]).made]
    if options.kernel is not None:
        chosen = [function for function in chosen if function.name.partition("<")[0] == options.kernel]
    return [prove_kernel(unit, function, options) for function in chosen]


def prove_kernel(unit: Unit, function: Function, options: Options) -> Verdict:
    """The verdict on one kernel."""
    begun = time.monotonic()
    verdict = _over_launches(unit, function, options)
    seconds = round(time.monotonic() - begun, 3)
    return replace(verdict, assumed=function.assumed, seconds=seconds)


def _over_launches(unit: Unit, function: Function, options: Options) -> Verdict:
    """The verdict for all launches of the file; the first that is refuted decides."""
    if function.dependent or function.body is None:
        return _open(function, ("template without an instantiation",))
    proved: list[Verdict] = []
    undecided: Verdict | None = None
    for case in cases_of(unit, function, options.assumptions):
        verdict = replace(_for_case(unit, function, options, case), launches=case.spans)
        if verdict.answer == "refuted":
            return verdict
        if verdict.answer == "proved":
            proved.append(verdict)
        else:
            undecided = undecided or verdict
    if undecided is not None:
        return undecided
    conditions = dict.fromkeys(text for verdict in proved for text in verdict.conditions)
    spans = tuple(span for verdict in proved for span in verdict.launches)
    return replace(proved[0], conditions=tuple(conditions), launches=spans)


def _for_case(unit: Unit, function: Function, options: Options, case: Case) -> Verdict:
    """The verdict for one kind of launch; a proof takes for granted no more of the usual than it needs."""
    known = (*options.assumptions, *case.assumptions)

    def judged(*more: Assumption, ordered: bool, refute: bool = False) -> tuple[Verdict, frozenset[str]]:
        return _guarded(unit, function, options, case, Premise((*known, *more), ordered, refute))

    plain, rows = judged(ordered=False)
    if plain.answer == "proved":
        return plain
    taken = usual(unit, function, known)
    verdict, rows = judged(*taken, ordered=True, refute=True)
    if verdict.answer != "proved":
        return verdict
    ordered = bool(rows) and judged(*taken, ordered=False)[0].answer != "proved"
    for one in taken:
        fewer = tuple(assumption for assumption in taken if assumption is not one)
        if judged(*fewer, ordered=ordered)[0].answer == "proved":
            taken = fewer
    said = [assumption.text for assumption in taken]
    said += [f"{row} is sorted" for row in sorted(rows)] if ordered else []
    return replace(verdict, conditions=tuple(said))


class Premise(Struct, frozen=True):
    """What a kernel is judged for. ordered: row pointers are sorted. refute: a witness is looked for."""

    assumptions: tuple[Assumption, ...]
    ordered: bool
    refute: bool


def _guarded(
    unit: Unit, function: Function, options: Options, case: Case, premise: Premise
) -> tuple[Verdict, frozenset[str]]:
    """The verdict under some assumptions, and the arrays of row pointers."""
    try:
        return _judge(unit, function, options, case, premise)
    except Budget:
        return _open(function, ("step limit exceeded",)), frozenset()
    except z3.Z3Exception as error:
        return _open(function, (f"the solver gave up: {str(error)[:80]}",)), frozenset()
    except RecursionError:
        return _open(function, ("nested too deeply",)), frozenset()


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


def _judge(
    unit: Unit, function: Function, options: Options, case: Case, premise: Premise
) -> tuple[Verdict, frozenset[str]]:
    assumptions = premise.assumptions
    first = _run(unit, function, assumptions, case, frozenset())[0]
    read_only = frozenset(first.objects) - first.written
    m, launch = _run(unit, function, assumptions, case, read_only)
    rows = frozenset(display(m.objects[name]) for name in m.rows)
    lost = _lost_source(unit, function)
    reasons = dict.fromkeys((*lost, *m.losses))
    questions = Questions(m, launch, 0 < options.arch < _LOCKSTEP)
    distinct = frozenset(a.name for a in assumptions if a.operator == "distinct")
    order = Order(frozenset(m.rows) if premise.ordered else frozenset(), distinct)
    clock = Clock(options.timeout)
    for count, question in enumerate(questions.all()):
        if clock.over or count > _MOST_QUESTIONS:
            reasons.setdefault("out of time" if clock.over else "too many pairs of accesses")
        if reasons and (clock.over or count > _MOST_QUESTIONS or not premise.refute):
            break
        found = answer(question, m, questions, order, clock, refute=premise.refute and not lost)
        if isinstance(found, Found):
            return Verdict(function.name, function.span, "refuted", witness(found, m, launch)), rows
        if isinstance(found, Open):
            reasons.setdefault(found.reason)
    if reasons:
        return _open(function, tuple(reasons)), rows
    return Verdict(function.name, function.span, "proved"), rows


def _run(
    unit: Unit, function: Function, assumptions: tuple[Assumption, ...], case: Case, read_only: frozenset[str]
) -> tuple[Machine, Launch]:
    """The symbolic run of one thread, and what it knows of the launch."""
    launch = launch_of(unit, function, assumptions)
    m = Machine(unit, run_call, read_only, launch.extents)
    m.frames.append(Frame(function))
    enter(m, launch, function, assumptions, case.aliases)
    assert function.body is not None
    execute(m, function.body)
    return m, launch
