"""Which results of an earlier run still hold: keys of all that a result depends on, and what is kept.

A result depends on the file and all that it may include, their contents and which of the places that are
looked at hold one; on flags, build files and settings; and on cudalint's own code and its libraries. It is
kept with the codes of the rules that were asked, so that a run of fewer rules takes its part of it.
"""

import functools
import os

from msgspec import Struct
from msgspec.structs import replace

from cudalint.buildfiles import fast_math, model, run_lines
from cudalint.buildfiles.compile_commands import DatabaseError
from cudalint.engine import analysis, program
from cudalint.engine.analysis import Task
from cudalint.engine.elsewhere.launches import Elsewhere
from cudalint.engine.own_code import code_digest
from cudalint.engine.selection import enabled
from cudalint.engine.store import Store, digest, packed
from cudalint.engine.subjects import facts_for
from cudalint.engine.trials import Trial
from cudalint.frontend.inputs import inputs
from cudalint.rule import registry
from cudalint.rule.findings import Fix
from cudalint.rule.outcome import UnitResult
from cudalint.settings.config import Settings
from cudalint.source.state import State, state
from cudalint.source.text import encode, read_bytes

# What of the settings does not change the result of a file for a set of codes.
_WITHOUT = (
    "select extend_select ignore preview per_file_ignores severity baseline exclude force_exclude "
    "respect_gitignore fail_on fail_on_impact min_severity time_limit memory_limit required_version root "
    "origin"
).split()
_DEFAULTS = {name: getattr(Settings(), name) for name in _WITHOUT}


class Slot(Struct, frozen=True):
    """Where the result of a task is kept. seen: all files that it depends on, with their states when the key
    was made.
    """

    folder: str
    key: bytes
    seen: tuple[tuple[str, State], ...]

    def further(self, *parts: bytes) -> "Slot":
        """The place of something that depends on the parts besides."""
        return replace(self, key=digest(self.key, *parts))

    @property
    def valid(self) -> bool:
        """Whether none of the files has changed since the key was made."""
        return all(state(path) == then for path, then in self.seen)


class Kept(Struct, frozen=True):
    """A result with the codes of the rules that were asked."""

    codes: frozenset[str]
    result: UnitResult


class Settled(Struct, frozen=True):
    """What came of a trial."""

    fix: Fix | None


class Keeper:
    """Looks results up for one run: each file is read once."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._contents: dict[str, tuple[bytes, State]] = {}
        self._settings: dict[Settings, tuple[frozenset[str], bytes]] = {}
        self._code = code_digest(store)

    def slot(self, task: Task) -> Slot | None:
        """Where the result of a task is kept; None where it cannot be told what it depends on."""
        if task.inspect or task.explain is not None or task.advise:
            return None
        try:
            options = analysis.load_options(task.settings, task.text)
            needed = inputs(task.path, options)
            others = [path for path in program.files(task.path) if path != task.path]
            beside = [inputs(path, replace(options, text=None)) for path in others]
            built = model.facts(task.path, task.settings)
            fast = fast_math.fast_math(task.path, task.settings.compile_commands)
            line = run_lines.run_line(task.path)
            depends = packed((os.getcwd(), task.path, needed, others, beside, built, fast, line))
        except (OSError, ValueError, DatabaseError, RecursionError):
            return None
        if not all(one.whole for one in (needed, *beside)):
            return None
        codes, settings = self._asked(task.settings)
        files = [*needed.files] if task.text is not None else [task.path, *needed.files]
        files += (path for own, one in zip(others, beside, strict=True) for path in (own, *one.files))
        files = list(dict.fromkeys(files))
        contents = [self._content(path) for path in files]
        key = digest(
            self._code,
            depends,
            settings,
            encode(task.text) if task.text is not None else b"",
            bytes([task.text is not None, _runs_kernels(codes)]),
            *(content for content, _ in contents),
        )
        seen = tuple((path, now) for path, (_, now) in zip(files, contents, strict=True))
        return Slot(self.store.folder, key, seen)

    def found(self, task: Task, slot: Slot | None) -> UnitResult | None:
        """The result of a task as far as it was kept."""
        kept = self.store.read(slot.key, Kept) if slot is not None else None
        if kept is not None and not Elsewhere(task.path).still(kept.result.elsewhere):
            return None
        return _part(kept, self._asked(task.settings)[0]) if kept is not None else None

    def trial(self, trial: Trial) -> Slot | None:
        """Where the outcome of a trial is kept."""
        slot = self.slot(trial.task)
        asked = sorted(self._asked(trial.task.settings)[0])
        try:
            told = packed((asked, trial.finding, trial.before, trial.status))
        except (TypeError, ValueError, OverflowError):
            return None
        return slot.further(told) if slot is not None else None

    def settled(self, slot: Slot | None) -> Settled | None:
        """The outcome of a trial as far as it was kept."""
        return self.store.read(slot.key, Settled) if slot is not None else None

    def _content(self, path: str) -> tuple[bytes, State]:
        known = self._contents.get(path)
        if known is None:
            now = state(path)
            try:
                known = digest(read_bytes(path)), now
            except OSError:
                known = b"", now
            self._contents[path] = known
        return known

    def _asked(self, settings: Settings) -> tuple[frozenset[str], bytes]:
        """The codes of the rules that are on, and what of the settings counts besides."""
        known = self._settings.get(settings)
        if known is None:
            known = enabled(settings), packed(replace(settings, **_DEFAULTS))
            self._settings[settings] = known
        return known


def _part(kept: Kept, codes: frozenset[str]) -> UnitResult | None:
    """What rules of these codes alone would have given; None where others are among them."""
    if codes == kept.codes:
        return kept.result
    if not codes < kept.codes:
        return None
    result = kept.result
    return replace(
        result,
        findings=tuple(finding for finding in result.findings if finding.code in codes),
        below=tuple(finding for finding in result.below if finding.code in codes),
        suppressions=tuple(replace(use, used=use.used & codes) for use in result.suppressions),
        enabled=codes,
    )


@functools.lru_cache(maxsize=64)
def _runs_kernels(codes: frozenset[str]) -> bool:
    """Whether rules of these codes have kernels run, which also tells those that cannot be."""
    rules = tuple(loaded for loaded in registry.load() if loaded.rule.code in codes)
    return facts_for(rules, ()).kernels
