"""Files -> findings: discovery, workers, headers once, suppressions, fixes."""

import os
from collections.abc import Callable, Iterable

from msgspec import Struct, field
from msgspec.structs import replace

from cudalint.engine import analysis, architectures, partial, selection, suppression, trials, work
from cudalint.engine.adjusted import adjusted
from cudalint.engine.analysis import Task
from cudalint.engine.discovery import Candidate, Plan
from cudalint.engine.reuse import Keeper
from cudalint.engine.store import Store
from cudalint.fixing import fixes
from cudalint.rule import registry
from cudalint.rule.findings import FileResult, Finding, Fix
from cudalint.rule.outcome import UnitResult
from cudalint.rule.ranking import by_impact
from cudalint.settings.config import Settings
from cudalint.settings.location import Place
from cudalint.source.text import Sources

_FIX_PASSES = 5
Progress = Callable[[int, int], None]
Kept = Callable[[tuple[Finding, ...]], tuple[Finding, ...]]


class Run(Struct, frozen=True):
    """All results of a run."""

    findings: tuple[Finding, ...]
    files: tuple[FileResult, ...]  # of every file, headers that units include too
    results: tuple[UnitResult, ...]  # by path
    fixed: int = 0
    changed: tuple[str, ...] = field(default=())  # paths that fixes were written to
    refused: tuple[tuple[str, str], ...] = ()  # paths that could not be written, with reasons


def silent(done: int, total: int) -> None:
    """No progress shown."""
    return


def lint(
    plan: Plan,
    *,
    jobs: int | None = None,
    inspect: bool = False,
    explain: Place | None = None,
    silence: bool = False,
    advise: bool = False,
    texts: dict[str, str] | None = None,
    try_fixes: bool = False,
    progress: Progress = silent,
    store: Store | None = None,
) -> Run:
    """Analyse the plan's files and merge their results. silence: say why rules are silent on the line that is
    explained. advise: make the cards of the kernels. try_fixes: try the fixes that need a trial, else drop
    them. texts: what files hold by their paths, where that is not on disk: those of the plan, and others that
    these include. store: where results of earlier runs are, and those of this one are kept.
    """
    results = _analyse(
        plan.candidates,
        jobs,
        inspect,
        texts or {},
        progress,
        explain=explain,
        silence=silence,
        advise=advise,
        try_fixes=try_fixes,
        store=store,
    )
    return assembled(plan, results)


def results(
    plan: Plan,
    *,
    jobs: int | None = None,
    progress: Progress = silent,
    store: Store | None = None,
    try_fixes: bool = True,
) -> list[UnitResult]:
    """The results of the plan's files, for `joined` with those of others."""
    return _analyse(plan.candidates, jobs, False, {}, progress, try_fixes=try_fixes, store=store, alone=False)


def joined(plan: Plan, results: list[UnitResult]) -> Run:
    """What results that several runs found of the plan's files say together."""
    headers = {candidate.path for candidate in plan.candidates if candidate.header}
    units = _without_included([result for result in results if result.path not in headers])
    covered = {header for result in units for header in result.headers}
    rest = [result for result in results if result.path in headers and result.path not in covered]
    return assembled(plan, units + rest)


def fix(
    plan: Plan, run: Run, *, unsafe: bool, jobs: int | None = None, keep: Kept = lambda findings: findings
) -> Run:
    """Apply the fixes of the findings kept and lint the changed files again, until nothing changes."""
    applied = 0
    changed: set[str] = set()
    refused: dict[str, str] = {}
    for _ in range(_FIX_PASSES):
        chosen = chosen_fixes(plan, replace(run, findings=keep(run.findings)), unsafe)
        written = fixes.write(chosen)
        refused |= dict(written.refused)
        if not written.changed:
            break
        applied += sum(all(e.span.path in written.changed for e in fix.edits) for fix in chosen)
        changed |= set(written.changed)
        stale = {r.path for r in run.results if {r.path, *r.headers} & set(written.changed)}
        again = _analyse(
            tuple(c for c in plan.candidates if c.path in stale),
            jobs,
            False,
            {},
            silent,
            by_itself=True,
            try_fixes=unsafe,
        )
        kept = [result for result in run.results if result.path not in stale]
        run = assembled(plan, [*kept, *again])
    return replace(run, fixed=applied, changed=tuple(sorted(changed)), refused=tuple(sorted(refused.items())))


def chosen_fixes(plan: Plan, run: Run, unsafe: bool) -> tuple[Fix, ...]:
    """The fixes that do not overlap and change only files below the paths given."""
    return fixes.choose((f for f in run.findings if _may_fix(plan, f)), unsafe)


def _may_fix(plan: Plan, finding: Finding) -> bool:
    return finding.fix is not None and all(plan.may_change(edit.span.path) for edit in finding.fix.edits)


def _analyse(
    candidates: tuple[Candidate, ...],
    jobs: int | None,
    inspect: bool,
    texts: dict[str, str],
    progress: Progress,
    by_itself: bool = False,
    explain: Place | None = None,
    silence: bool = False,
    advise: bool = False,
    try_fixes: bool = False,
    store: Store | None = None,
    alone: bool = True,
) -> list[UnitResult]:
    """The results of files. alone: nobody else has results of further files."""
    keeper = Keeper(store) if store is not None else None
    units = [c for c in candidates if by_itself or not c.header]
    headers = [c for c in candidates if not by_itself and c.header]
    own = {candidate.path for candidate in candidates}
    unsaved = tuple((os.path.abspath(path), text) for path, text in texts.items() if path not in own)
    total, count = sum(len(c.settings.each()) for c in candidates), 0
    workers = jobs or os.cpu_count() or 1

    def done() -> None:
        nonlocal count
        count += 1
        progress(count, total)

    def run(chosen: list[Candidate]) -> list[UnitResult]:
        each = [(c.path, settings) for c in chosen for settings in c.settings.each()]
        tasks = [
            Task(path, settings, texts.get(path), inspect, explain, silence, advise, unsaved=unsaved)
            for path, settings in each
        ]
        return architectures.together(tasks, work.results(tasks, keeper, workers, done))

    results = run(units)
    results = _without_included(results) if alone else results
    covered = {header for result in results for header in result.headers}
    results += run([c for c in headers if c.path not in covered])
    if not try_fixes:
        return trials.settled(results, [])
    tasks = {c.path: Task(c.path, c.settings, texts.get(c.path)) for c in candidates}
    asked = [trial for result in results for trial in trials.trials(result, tasks[result.path])]
    return trials.settled(results, work.outcomes(asked, keeper, workers))


def _without_included(results: list[UnitResult]) -> list[UnitResult]:
    """The results without files that another unit includes and analyses as well or better.

    A `.cu` file that another one includes often cannot be parsed alone. Of files that include each other, one
    stays.
    """
    worse = {"ok": 0, "degraded": 1, "failed": 2}
    results = sorted(results, key=lambda result: result.path)
    includers: dict[str, list[UnitResult]] = {}
    for result in results:
        for path in result.headers:
            includers.setdefault(path, []).append(result)
    dropped: set[str] = set()
    for result in results:
        for other in includers.get(result.path, ()):
            as_good = worse[other.outcome.status] <= worse[result.outcome.status]
            if as_good and other.path not in dropped and other.path != result.path:
                dropped.add(result.path)
    return [result for result in results if result.path not in dropped]


def assembled(plan: Plan, results: list[UnitResult]) -> Run:
    """What the results of one run say together."""
    results = sorted(results, key=lambda result: result.path)
    settings = {candidate.path: candidate.settings for candidate in plan.candidates}
    findings = [finding for result in results for finding in result.findings]
    findings += _unused_suppressions(results, settings)
    settings_of = _owners(results, settings)
    return Run(
        findings=by_impact(adjusted(analysis.deduplicated(partial.together(findings)), settings_of)),
        files=_files(plan, results),
        results=tuple(results),
    )


def _unused_suppressions(results: list[UnitResult], settings: dict[str, Settings]) -> list[Finding]:
    found: list[Finding] = []
    known = {loaded.rule.code: loaded.rule.default for loaded in registry.load()}
    for item in suppression.unused(results, known):
        path = item.suppression.span.path
        owner = next((r for r in results if path == r.path or path in r.headers), None)
        if owner is None:
            continue
        own = settings[owner.path]
        rules = tuple(rule for rule in registry.load() if rule.rule.code in selection.enabled(own))
        found.extend(analysis.ask(rules, analysis.empty_context(path, own), item))
    return found


def _files(plan: Plan, results: list[UnitResult]) -> tuple[FileResult, ...]:
    files = {path: FileResult(path, "failed", reason) for path, reason in plan.missing}
    for result in results:
        outcome = result.outcome
        files[result.path] = FileResult(
            result.path, outcome.status, outcome.reason, outcome.lost_kernels, outcome.bounded
        )
    for candidate in plan.candidates:  # headers that units cover
        files.setdefault(candidate.path, FileResult(candidate.path, "ok"))
    return tuple(files[path] for path in sorted(files))


def fails(run: Run, plan: Plan) -> bool:
    """Whether a finding reaches the `fail-on` severity or the `fail-on-impact` of its file's settings."""
    settings = {candidate.path: candidate.settings for candidate in plan.candidates}
    settings_of = _owners(run.results, settings)
    return any(_reaches(finding, settings_of(finding.span.path)) for finding in run.findings)


def _owners(results: Iterable[UnitResult], settings: dict[str, Settings]) -> Callable[[str], Settings]:
    """The settings for a path: its own, else those of the first unit that includes it."""
    owners = dict(settings)
    for result in results:
        for path in result.headers:
            owners.setdefault(path, settings[result.path])
    default = next(iter(settings.values()), Settings())
    return lambda path: owners.get(path, default)


def _reaches(finding: Finding, settings: Settings) -> bool:
    least = settings.fail_on_impact
    grave = least is not None and finding.impact is not None and finding.impact.high >= least
    return grave or finding.severity.rank >= settings.fail_on.rank


def sources(texts: dict[str, str]) -> Sources:
    """Source lines for the reports, with standard input under its given name."""
    return Sources(texts)
