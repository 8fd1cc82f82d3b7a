"""Files to results: those that were kept, and the others from workers, the largest files first."""

from collections.abc import Callable

from msgspec import Struct

from cudalint.engine import analysis, program
from cudalint.engine.analysis import Task
from cudalint.engine.reuse import Keeper, Kept, Settled, Slot
from cudalint.engine.store import Store
from cudalint.engine.trials import Trial, tried
from cudalint.engine.workers import Limits, Pool
from cudalint.rule.findings import Fix
from cudalint.rule.outcome import UnitResult
from cudalint.source.state import state
from cudalint.source.text import shown


class Job(Struct, frozen=True):
    """A task, and where its result is kept."""

    task: Task
    slot: Slot | None = None


class TrialJob(Struct, frozen=True):
    """A trial of a fix, and where its outcome is kept."""

    trial: Trial
    slot: Slot | None = None


def results(
    tasks: list[Task], keeper: Keeper | None, workers: int, done: Callable[[], None]
) -> list[UnitResult]:
    """The results of tasks, in their order: those that were kept, and the others from workers, largest files
    first. done: called after each.
    """
    jobs = [Job(task, keeper.slot(task) if keeper is not None else None) for task in tasks]
    found = [
        keeper.found(j.task, j.slot) if keeper is not None and j.slot is not None else None for j in jobs
    ]
    for result in found:
        if result is not None:
            done()
    left = [job for job, result in zip(jobs, found, strict=True) if result is None]
    order = sorted(range(len(left)), key=lambda number: -_size(left[number].task))
    pool = Pool(analysed, lost, limits, min(workers, len(left)), kin=_program)
    if left:
        analysis.preload()
    made = dict(zip(order, pool.run([left[number] for number in order], done), strict=True))
    if made and keeper is not None:
        keeper.store.prune()
    rest = (made[number] for number in range(len(left)))
    return [result if result is not None else next(rest) for result in found]


def outcomes(trials: list[Trial], keeper: Keeper | None, workers: int) -> list[Fix | None]:
    """What comes of trials, in their order: as it was kept, or from workers."""
    jobs = [TrialJob(trial, keeper.trial(trial) if keeper is not None else None) for trial in trials]
    found = [keeper.settled(job.slot) if keeper is not None else None for job in jobs]
    left = [job for job, settled in zip(jobs, found, strict=True) if settled is None]
    pool = Pool(settle, _unsettled, lambda job: limits(Job(job.trial.task)), min(workers, len(left)))
    if left:
        analysis.preload()
    rest = iter(pool.run(left))
    return [settled.fix if settled is not None else next(rest) for settled in found]


def limits(job: Job) -> Limits:
    """What the analysis of a file may take."""
    settings = job.task.settings
    return Limits(settings.time_limit, settings.memory_limit)


def _program(job: Job) -> tuple[str, ...] | None:
    """The files of the program that a file is a part of, which all of them are read with."""
    return program.files(job.task.path) or None


def _size(task: Task) -> int:
    """Bytes of the file, which is about what it costs."""
    now = state(task.path) if task.text is None else ()
    return now[1] if now else len(task.text or "")


def analysed(job: Job) -> UnitResult:
    """Analyse one file, and keep the result where it says all that there is. Runs inside a worker."""
    result = analysis.analyse(job.task)
    slot = job.slot
    if slot is not None and result.arch and not result.outcome.rule_errors and slot.valid:
        known = {shown(path) for path, _ in slot.seen}
        if known.issuperset(result.headers):
            _keep(slot, Kept(result.enabled, result))
    return result


def _keep(slot: Slot, kept: Kept) -> None:
    store = Store(slot.folder)
    there = store.read(slot.key, Kept)
    if there is None or not there.codes > kept.codes:
        store.write(slot.key, kept)


def lost(job: Job, reason: str) -> UnitResult:
    """The result of a file whose worker was lost."""
    return analysis.failed(job.task, reason)


def settle(job: TrialJob) -> Fix | None:
    """Try a fix, and keep what came of it. Runs inside a worker."""
    fix = tried(job.trial)
    if job.slot is not None and job.slot.valid:
        Store(job.slot.folder).write(job.slot.key, Settled(fix))
    return fix


def _unsettled(job: TrialJob, reason: str) -> Fix | None:
    """What becomes of a fix whose trial did not end."""
    return None
