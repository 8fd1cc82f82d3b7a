"""From options to a plan: settings checked, files found, standard input read, and what is wrong with them
told.
"""

import os
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from cudalint.app.options import Options
from cudalint.engine import discovery
from cudalint.engine.discovery import Candidate, Plan
from cudalint.engine.engine import Run
from cudalint.errors import UsageError
from cudalint.report.output import say
from cudalint.rule import registry
from cudalint.rule.findings import Finding
from cudalint.rule.outcome import FileOutcome
from cudalint.settings import assume, config
from cudalint.settings.config import Settings
from cudalint.source.text import Sources, decode, shown

_NAMED = 5  # degraded files with a line of their own on standard error
_WAY_OUT = "fix it, or pass the build's options (-I, -D, -p)"
_BUILTIN = ("blockDim", "gridDim", "threadIdx", "blockIdx", "warpSize")


def with_profile(options: Options) -> tuple[Options, Callable[[tuple[Finding, ...]], tuple[Finding, ...]]]:
    """The options with the launches of the profile, and what adds to findings what it says of their kernels;
    without a profile, nothing is changed.
    """
    if options.profile is None:
        return options, tuple
    from cudalint.profile import apply, read

    kernels = read.read(options.profile)
    shapes = tuple(shape for kernel in kernels for shape in kernel.shapes)
    override = {**options.override, "shapes": shapes}
    return replace(options, override=override), partial(apply.profiled, kernels=kernels)


def for_one(options: Options, command: str) -> Options:
    """The options of a command that accepts one architecture only."""
    if "," in (options.override.get("arch") or ""):
        raise UsageError(f"{command} --arch: accepts one architecture; only check accepts several")
    return options


def prepare(options: Options) -> tuple[Plan, dict[str, str], bool]:
    """The plan, text from standard input by its path, and whether something given was wrong."""
    override = dict(options.override)
    if override.get("arch"):
        config.archs(override["arch"], "--arch")
    if override.get("device"):
        override["device"] = config.named_device(override["device"], override.get("arch"))
    if override.get("std"):
        config.standard(override["std"], "--std")
    for name, option in (("fail_on", "--fail-on"), ("min_severity", "--min-severity")):
        if override.get(name) is not None:
            override[name] = config.severity(override[name], option)
    for name, option in (("min_impact", "--min-impact"), ("fail_on_impact", "--fail-on-impact")):
        if override.get(name) is not None:
            override[name] = config.share(override[name], option)
    assume.parse_all(tuple(override.get("assume") or ()))
    for folder in override.get("include_paths") or ():
        if not os.path.isdir(folder):
            say(f"-I {folder}: no such directory; check the path")
    named = tuple(path for path in options.paths if path != "-")
    plan = discovery.discover(named, options.isolated, override)
    texts: dict[str, str] = {}
    if "-" in options.paths:
        plan, texts = _with_stdin(plan, options, override)
    for message in plan.messages:
        say(message)
    for path, reason in plan.missing:
        say(f"{path}: {reason}")
    wrong = bool(plan.messages or plan.missing)
    return plan, texts, wrong


def _with_stdin(plan: Plan, options: Options, override: dict[str, Any]) -> tuple[Plan, dict[str, str]]:
    name = options.stdin_filename or "stdin.cu"
    settings = config.override(config.for_path(name, options.isolated), **override)
    texts = {name: decode(sys.stdin.buffer.read())}
    candidates = (*plan.candidates, Candidate(name, settings, False))
    roots = (*plan.roots, os.path.realpath(name))
    return Plan(candidates, plan.messages, plan.missing, roots), texts


def settings(plan: Plan) -> list[Settings]:
    return list(dict.fromkeys(candidate.settings for candidate in plan.candidates))


def report_lost(run: Run, plan: Plan, told: frozenset[str] = frozenset()) -> None:
    """One line on standard error per failed, partially analysed or empty file. told: the files whose loss the
    report on the same terminal states.
    """
    passed_over = told | {path for path, _ in plan.missing}
    placed = {r.path: _place(r.outcome) for r in run.results if r.outcome.problems}
    for file in run.files:
        if file.status == "failed" and file.path not in passed_over:
            parsed = (
                f"{placed[file.path]}: not analysed: {file.reason}; {_WAY_OUT}" if file.path in placed else ""
            )
            say(parsed or f"{file.path}: {file.reason}")
    degraded = [
        result.outcome
        for result in run.results
        if result.outcome.status == "degraded" and result.path not in told
    ]
    degraded.sort(key=lambda outcome: not outcome.lost_kernels)  # what lost a kernel is named first
    for outcome in degraded[:_NAMED]:
        say(f"{_place(outcome)}: partially analysed: {outcome.reason}; {_WAY_OUT}")
    if len(degraded) > _NAMED:
        say(f"{len(degraded) - _NAMED} more files were partially analysed; see CU001")
    for candidate in plan.candidates:
        path = Path(candidate.path)
        if path.is_file() and path.stat().st_size == 0:
            say(f"{candidate.path}: the file is empty; nothing to check")


def lost_in(findings: tuple[Finding, ...]) -> frozenset[str]:
    """The files whose loss is among the findings."""
    codes = {loaded.rule.code for loaded in registry.load() if loaded.subject is FileOutcome}
    about = [finding for finding in findings if finding.code in codes]
    return frozenset(path for f in about for path in (f.span.path, *f.evidence.get("files", ())))


def report_assumptions(run: Run, options: Options, sources: Sources) -> None:
    """Say which assumptions of the command line name nothing in the files, and which contradict a launch."""
    paths = dict.fromkeys(path for result in run.results for path in (result.path, *result.headers))
    texts = ["\n".join(sources.lines(path)) for path in paths] if options.override.get("assume") else []
    for text in options.override.get("assume", ()):
        for name in dict.fromkeys(one.name.partition(".")[0] for one in assume.parse(text)):
            if name not in _BUILTIN and not any(re.search(rf"\b{name}\b", source) for source in texts):
                say(f"--assume '{text}': nothing in the files is named '{name}'; check the spelling")
    for remark in dict.fromkeys(remark for result in run.results for remark in result.contradictions):
        say(remark)


def _place(outcome: FileOutcome) -> str:
    """Where a file was lost first: its line, or the header's that it includes."""
    first = next((problem.span for problem in outcome.problems if problem.span.line), None)
    if first is None:
        return outcome.path
    if first.path == outcome.path:
        return f"{outcome.path}:{first.line}"
    return f"{outcome.path} (through {shown(first.path)}:{first.line})"


def arch(run: Run, plan: Plan) -> str:
    """The architecture that most files were modelled for."""
    archs = [result.arch for result in run.results if result.arch]
    archs += [candidate.settings.target for candidate in plan.candidates if not archs]
    return max(dict.fromkeys(archs), key=archs.count, default=Settings().target)


def archs(run: Run, plan: Plan) -> tuple[str, ...]:
    """All architectures that files were modelled for."""
    found = [arch for result in run.results for arch in result.archs or (result.arch,) if arch]
    return tuple(dict.fromkeys(found)) or (arch(run, plan),)
