"""One file -> its findings: parse, run both models, ask the rules, apply suppressions. Runs inside a
worker.
"""

from __future__ import annotations

import importlib
import os
import traceback
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from cudalint.analyses.device_code import DeviceCode
from cudalint.analyses.felt_problems import felt
from cudalint.buildfiles.facts import BuildFacts
from cudalint.engine import instantiations, suppression
from cudalint.engine.contradictions import contradictions
from cudalint.engine.elsewhere.launches import Elsewhere
from cudalint.engine.running import run_host, run_simt
from cudalint.engine.selection import enabled
from cudalint.engine.subjects import Wanted, facts_for, facts_of, subjects
from cudalint.engine.touched import Edited, Lines, Touched, touched
from cudalint.engine.worth import worth
from cudalint.engine.written import assumptions_of, lines_of, suppressions_of
from cudalint.gpu.devices import Device, device
from cudalint.host.facts import HostCall, HostFacts, LaunchFact
from cudalint.inspect.inspection import INSPECTED
from cudalint.ir.unit import Function, Unit
from cudalint.profile.launches import filled
from cudalint.rule import called_from, host_callers, macros, registry
from cudalint.rule.findings import Edit, Finding
from cudalint.rule.outcome import FileOutcome, KernelCount, SuppressionUse, UnitResult
from cudalint.rule.ranking import place
from cudalint.rule.rule import Context, LoadedRule
from cudalint.settings.config import Settings, arch_number
from cudalint.settings.location import Place
from cudalint.simt.facts.barriers import Barrier
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.workload import Workload
from cudalint.source.span import Span
from cudalint.source.suppressions import Suppression
from cudalint.source.text import decode, encode, read_bytes, shown

# Numpy's thread pool costs start-up time and memory and helps vectors of 1,024 lanes not at all.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

if TYPE_CHECKING:
    from cudalint.engine.held import Held

_T = TypeVar("_T")

_NO_HOST = HostFacts((), (), ())
_SYNTAX = ("expected ", "extraneous ", "unterminated ")  # begins what clang says of text that is no C++
_HEADER_MISSING = "file not found"


class Task(Struct, frozen=True):
    """One file to analyse."""

    path: str
    settings: Settings
    text: str | None = None  # its contents, where they are not on disk
    inspect: bool = False  # return the facts as well
    explain: Place | None = None  # the line whose facts are explained
    silence: bool = False  # and why rules are silent there
    advise: bool = False  # return the cards of the kernels as well
    edited: Edited | None = None  # run only the kernels that these lines belong to
    tried: Lines | None = None  # that a fix on trial writes: run only their kernels, and return the barriers
    unsaved: tuple[tuple[str, str], ...] = ()  # other files whose contents are not on disk: paths and texts


def preload() -> None:
    """Import what every worker needs before workers are forked."""
    registry.load()
    for name in (
        "cudalint.frontend.instances",
        "cudalint.frontend.lower.unit",
        "cudalint.host.model",
        "cudalint.simt.model",
        "cudalint.buildfiles.model",
        "cudalint.buildfiles.fast_math",
    ):
        importlib.import_module(name)


def analyse(task: Task) -> UnitResult:
    """Analyse one file; every failure is part of the result."""
    try:
        raw = encode(task.text) if task.text is not None else read_bytes(task.path)
    except OSError as error:
        reason = f"cannot be read: {error.strerror or error}"
        return failed(task, f"{reason}; check the path and its permissions, or `exclude` it")
    if b"\0" in raw:
        place = raw.index(b"\0")
        return failed(task, f"is binary, not source text (NUL at byte {place}); `exclude` it")
    if not raw.strip():
        return UnitResult(task.path, FileOutcome(task.path, "ok"), enabled=enabled(task.settings))
    try:
        return _analyse_text(task, decode(raw))
    except MemoryError:
        return failed(task, "needs more memory than allowed; raise `memory-limit`, or `exclude` it")
    except RecursionError:
        return failed(task, "is nested too deeply to be analysed; `exclude` it")


def failed(task: Task, reason: str) -> UnitResult:
    """The result of a file that could not be analysed, with the finding that reports it."""
    outcome = FileOutcome(task.path, "failed", reason)
    codes = enabled(task.settings)
    findings, _ = _ask(_rules(codes), empty_context(task.path, task.settings), outcome)
    return UnitResult(task.path, outcome, tuple(_displayed(f) for f in findings), enabled=codes)


def _analyse_text(task: Task, text: str) -> UnitResult:
    from cudalint.frontend.errors import UnitFailed

    try:
        held = _loaded(task)
    except UnitFailed as error:
        return failed(task, str(error))
    unit = held.unit
    lines = lines_of(unit, text, task.unsaved)
    notes, wrong = assumptions_of(task.settings, lines)
    unit = replace(unit, problems=(*unit.problems, *wrong))
    near = _near(unit, task)
    unit = unit if near is None else near.alone(unit)
    errors: list[str] = []
    known = task.edited is not None and held.host is not None
    host = _guarded("host model", lambda: run_host(unit, held), _NO_HOST, errors)
    if task.edited is not None and task.edited.nothing:
        return UnitResult(task.path, FileOutcome(task.path, "ok"))
    host = filled(host, task.settings.shapes)
    kernels: tuple[KernelFacts, ...] = ()
    elsewhere = Elsewhere(task.path)
    codes = enabled(task.settings)
    unasked: frozenset[str] = _about(HostFacts, HostCall, LaunchFact) if known else frozenset()
    asked = codes - unasked if not task.silence else frozenset(one.rule.code for one in registry.load())
    inspected = task.inspect or task.advise or task.explain is not None
    wanted = facts_for(_rules(asked), INSPECTED if inspected else (Barrier,) if task.tried else ())
    arch = arch_number(unit.arch)
    build = _guarded("build model", lambda: _read_build(task), None, errors)
    fast = unit.fast_math or _guarded("build model", lambda: _read_fast_math(task), None, errors)
    context = Context(unit, kernels, host, arch, lines, _device(task.settings, arch), build, fast)
    if wanted.impacts and not _finds(context, asked):
        wanted = Wanted(False, frozenset())
    simt = partial(run_simt, unit, host, notes, wanted, elsewhere, task.inspect, task.edited is not None)
    kernels = _guarded("warp model", simt, kernels, errors)
    context = replace(context, kernels=kernels)
    cards: tuple[Any, ...] = ()
    if task.advise:
        cards = _guarded("advisor", lambda: _cards(context), cards, errors)
    streams: tuple[dict[str, Any], ...] = ()
    if (task.inspect or task.advise) and near is None and Workload in wanted.facts:
        streams = _guarded("timeline", lambda: _streams(context), streams, errors)
    outcome, findings = _judge(context, asked, errors)
    comments = tuple(s for path, rows in lines.items() for s in suppressions_of(path, rows))
    silence = (
        _silence(task.explain, _rules(asked), deduplicated(findings), comments, context, task.settings)
        if task.silence and task.explain is not None
        else None
    )
    findings = [finding for finding in findings if finding.span.path not in unit.beside]
    kept, uses = suppression.apply(deduplicated(findings), comments)
    kept, below = worth(deduplicated(kept), task.settings.min_impact)
    return UnitResult(
        path=task.path,
        outcome=outcome,
        findings=tuple(
            _displayed(finding)
            for finding in macros.together(_decided(kept, unit), context, _about(DeviceCode))
        ),
        suppressions=tuple(_displayed_use(use) for use in uses),
        headers=tuple(shown(header) for header in unit.headers),
        kernels=counts(unit, kernels),
        inspection=_inspection(kernels, task),
        streams=streams,
        explanation=_explanation(unit, kernels, task.explain) if task.explain else (),
        cards=cards,
        silence=silence,
        enabled=codes,
        below=tuple(_displayed(finding) for finding in below),
        contradictions=contradictions(notes, host),
        arch=unit.arch,
        touched=near.lines if near is not None else (),
        hasty=task.edited is not None and any(kernel.modelling.budget_spent for kernel in kernels),
        unasked=unasked,
        elsewhere=elsewhere.answers,
    )


def _decided(findings: tuple[Finding, ...], unit: Unit) -> tuple[Finding, ...]:
    """The findings about the file itself, and those in code that is known to be compiled."""
    own = _about(FileOutcome)
    return tuple(f for f in findings if f.code in own or not any(u.holds(f.span) for u in unit.undecided))


def _device(settings: Settings, arch: int) -> Device | None:
    """The device that the settings name, if the unit is compiled for its architecture."""
    named = device(settings.device) if settings.device else None
    return named if named is not None and named.arch == arch else None


def load_options(settings: Settings, text: str | None = None) -> Any:
    """The frontend's options for these settings."""
    from cudalint.frontend.options import LoadOptions

    return LoadOptions(
        arch=settings.arch,
        include_paths=settings.include_paths,
        defines=settings.defines,
        std=settings.std,
        extra_args=settings.extra_args,
        compile_commands=settings.compile_commands,
        text=text,
    )


def _read_build(task: Task) -> BuildFacts | None:
    from cudalint.buildfiles.model import facts

    return facts(task.path, task.settings)


def _read_fast_math(task: Task) -> bool | None:
    from cudalint.buildfiles.fast_math import fast_math

    return fast_math(task.path, task.settings.compile_commands)


def _loaded(task: Task) -> Held:
    """The unit of a file; of one that is being edited, what is held of it serves again."""
    from cudalint.engine import held

    options = replace(load_options(task.settings, task.text), unsaved=task.unsaved)
    edited = task.edited
    if edited is None:
        return held.anew(task.path, options)
    return held.loaded(task.path, options, edited.path, patient=edited.nothing)


def _guarded(what: str, action: Callable[[], _T], default: _T, errors: list[str]) -> _T:
    """The action's result; an exception in cudalint itself becomes a reason, never a crash."""
    try:
        return action()
    except (MemoryError, RecursionError):
        raise
    except Exception as error:
        errors.append(f"the {what} {_describe(error)}")
        return default


def _describe(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"raised {type(error).__name__}: {error} ({Path(frame.filename).name}:{frame.lineno})"


def _judge(context: Context, codes: frozenset[str], errors: list[str]) -> tuple[FileOutcome, list[Finding]]:
    """Run all enabled rules, those about the outcome of the file last."""
    rules = _rules(codes)
    findings: list[Finding] = []
    for kind in dict.fromkeys(rule.subject for rule in rules):
        asked = tuple(rule for rule in rules if rule.subject is kind)
        of_kernels: list[instantiations.Asked] = []
        of_host: list[tuple[object, Finding]] = []
        for subject in subjects(kind, context):
            found, raised = _ask(asked, context, subject)
            errors.extend(raised)
            if isinstance(subject, KernelFacts):  # what stands in headers of libraries is not for the reader
                of_kernels.append((subject, called_from.placed(found, context, subject.function)))
            elif isinstance(subject, (HostFacts, HostCall, LaunchFact)):
                of_host.extend((subject, finding) for finding in found)
            else:
                findings.extend(found)
        findings.extend(instantiations.named(context.unit, of_kernels))
        findings.extend(host_callers.placed(of_host, context))
    outcome = judge_outcome(context, tuple(dict.fromkeys(errors)))
    about, _ = _ask(rules, context, outcome)
    return outcome, findings + about


def _finds(context: Context, codes: frozenset[str]) -> bool:
    """Whether rules find anything, or fail, before any kernel is run."""
    errors: list[str] = []
    _, findings = _judge(context, codes, errors)
    return bool(findings or errors)


def _ask(rules: tuple[LoadedRule, ...], context: Context, subject: Any) -> tuple[list[Finding], list[str]]:
    """Findings of the rules for the subject's type, and the rules that raised."""
    findings: list[Finding] = []
    errors: list[str] = []
    for loaded in rules:
        if loaded.subject is not type(subject):
            continue
        try:
            findings.extend(loaded.findings(subject, facts_of(loaded, subject, context), context))
        except MemoryError:
            raise
        except Exception as error:
            errors.append(f"rule {loaded.rule.code} {_describe(error)}")
    return findings, errors


def ask(rules: tuple[LoadedRule, ...], context: Context, subject: Any) -> tuple[Finding, ...]:
    """Findings of the rules for the subject's type."""
    return tuple(_displayed(finding) for finding in _ask(rules, context, subject)[0])


def _rules(codes: frozenset[str]) -> tuple[LoadedRule, ...]:
    return tuple(loaded for loaded in registry.load() if loaded.rule.code in codes)


def _about(*subjects: type) -> frozenset[str]:
    """Codes of the rules for subjects of these types."""
    return frozenset(loaded.rule.code for loaded in registry.load() if loaded.subject in subjects)


def judge_outcome(context: Context, errors: tuple[str, ...]) -> FileOutcome:
    """ok, degraded (some code was not analysed) or failed (no kernel was)."""
    unit = context.unit
    kernels = counts(unit, context.kernels)
    lost = tuple((kernel.name, kernel.failure) for kernel in kernels if not kernel.modelled)
    problems = felt(unit, context.lines)
    reasons = [problem.reason for problem in problems] + list(errors)
    reasons += [f"kernel {name}: {why}" for name, why in lost]
    fatal = any(problem.fatal for problem in problems)
    status = "ok" if not reasons else "degraded"
    if fatal or _unparsed(unit, bool(kernels)) or (kernels and len(lost) == len(kernels)):
        status = "failed"
    reason = None
    if reasons:
        reason = reasons[0] if len(reasons) == 1 else f"{reasons[0]} (and {len(reasons) - 1} more)"
    unseen = {p.kernel for p in problems if p.template} - {kernel.name for kernel in kernels}
    number = len(kernels) + len(unseen)
    spent = tuple(dict.fromkeys(k.name for k in context.kernels if k.modelling.budget_spent))
    return FileOutcome(unit.path, status, reason, problems, number, lost, errors, unit.undecided, spent)


def _unparsed(unit: Unit, has_kernels: bool) -> bool:
    """Whether the file itself is no CUDA C++: it begins with a syntax error, or has one and no kernel, and no
    header is missing that could explain it.
    """
    if any(_HEADER_MISSING in problem.reason for problem in unit.problems):
        return False
    wrong = [
        problem.reason.startswith(_SYNTAX) for problem in unit.problems if problem.span.path == unit.path
    ]
    return any(wrong[:1]) if has_kernels else any(wrong)


def counts(unit: Unit, kernels: tuple[KernelFacts, ...]) -> tuple[KernelCount, ...]:
    """One count per kernel definition of the source, over all its instantiations."""
    found: list[KernelCount] = []
    for path, line, name in unit.kernels_in_source:
        mine = [facts for facts in kernels if _defines(facts.function, path, line, name)]
        modelled = any(facts.modelled for facts in mine)
        unknowns: dict[str, int] = {}
        for facts in mine:
            for reason, count in facts.modelling.unknowns:
                unknowns[reason] = unknowns.get(reason, 0) + count
        failure = (
            ""
            if modelled
            else next(
                (f.modelling.failure for f in mine if f.modelling.failure), "not reached by the frontend"
            )
        )
        found.append(KernelCount(shown(path), line, name, modelled, failure, tuple(unknowns.items())))
    return tuple(found)


def _defines(function: Function, path: str, line: int, name: str) -> bool:
    extent = function.extent
    return function.name == name and extent.path == path and extent.line <= line <= extent.end_line


def deduplicated(findings: Iterable[Finding]) -> list[Finding]:
    """One finding for each code and place: instantiations and launches of one kernel repeat it.

    The most severe one is kept, then the one that costs most, then the most confident, then the first, for
    all their architectures.
    """
    best: dict[tuple[str, Span], Finding] = {}
    for finding in findings:
        key = (finding.code, finding.span)
        other = best.get(key)
        if other is not None and other.archs != finding.archs:
            all_ = not other.archs or not finding.archs
            both = () if all_ else tuple(dict.fromkeys((*other.archs, *finding.archs)))
            finding, other = replace(finding, archs=both), replace(other, archs=both)
            best[key] = other
        if other is None or _weight(finding) > _weight(other):
            best[key] = finding
    return sorted(best.values(), key=place)


def _weight(finding: Finding) -> tuple[int, float, bool, bool]:
    cost = finding.impact.middle if finding.impact is not None else 0.0
    return finding.severity.rank, cost, finding.confidence.value == "high", finding.fix is not None


def _displayed(finding: Finding) -> Finding:
    """The finding with its paths relative to the working directory."""

    def moved(span: Span) -> Span:
        return replace(span, path=shown(span.path))

    fix = finding.fix
    if fix is not None:
        fix = replace(fix, edits=tuple(Edit(moved(edit.span), edit.text) for edit in fix.edits))
    related = tuple(replace(item, span=moved(item.span)) for item in finding.related)
    return replace(finding, span=moved(finding.span), related=related, fix=fix)


def _displayed_use(use: SuppressionUse) -> SuppressionUse:
    """The use with the comment's path relative to the working directory."""
    place = use.suppression.span
    return replace(use, suppression=replace(use.suppression, span=replace(place, path=shown(place.path))))


def empty_context(path: str, settings: Settings) -> Context:
    """The context of a file that was not analysed."""
    unit = Unit(path, settings.target, {}, {}, {}, (), (), ())
    return Context(unit, (), _NO_HOST, settings.arch_number)


def _near(unit: Unit, task: Task) -> Touched | None:
    """What edited lines belong to; None where all kernels are run."""
    if task.tried is not None:
        return touched(unit, Edited(unit.path, task.tried)).with_sharers(unit)
    return touched(unit, task.edited) if task.edited is not None else None


def _inspection(kernels: tuple[KernelFacts, ...], task: Task) -> tuple[dict[str, Any], ...]:
    from cudalint.inspect.inspection import barrier_tables, kernel_tables

    if task.tried is not None:
        return barrier_tables(kernels)
    return kernel_tables(kernels) if task.inspect else ()


def _streams(context: Context) -> tuple[dict[str, Any], ...]:
    from cudalint.inspect.streams import stream_tables

    return stream_tables(context)


def _silence(
    place: Place,
    rules: tuple[LoadedRule, ...],
    findings: list[Finding],
    comments: tuple[Suppression, ...],
    context: Context,
    settings: Settings,
) -> dict[str, Any]:
    from cudalint.engine.silence import table

    return table(place, rules, findings, comments, context, settings)


def _cards(context: Context) -> tuple[Any, ...]:
    from cudalint.advise.cards import cards

    return cards(context)


def _explanation(unit: Unit, kernels: tuple[KernelFacts, ...], place: Place) -> tuple[dict[str, Any], ...]:
    from cudalint.inspect.explanation import kernels_at

    return kernels_at(unit, kernels, place)
