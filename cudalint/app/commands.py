"""The subcommands: settings from options, a run, a report, an exit status."""

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cudalint import __version__
from cudalint.engine import discovery, engine, selection
from cudalint.engine.discovery import Candidate, Plan
from cudalint.engine.engine import Run
from cudalint.errors import UsageError
from cudalint.fixing import fixes
from cudalint.inspect import instances
from cudalint.report.content import Content
from cudalint.report.output import CLEAN, FINDINGS, WRONG, say, write
from cudalint.rule import registry
from cudalint.rule.findings import Finding
from cudalint.rule.outcome import FileOutcome
from cudalint.settings import assume, config
from cudalint.settings.config import Settings
from cudalint.settings.location import Place
from cudalint.settings.location import parse as parse_place
from cudalint.source.text import Sources, decode, printable, shown

_NAMED = 5  # degraded files with a line of their own on standard error
FORMATS = ("full", "concise", "json", "sarif", "github")


class Options(Struct, frozen=True):
    """The command line of check and inspect."""

    paths: tuple[str, ...]
    override: dict[str, Any]  # settings given as options, by their names in Settings
    output_format: str = "full"
    output: str | None = None
    isolated: bool = False
    exit_zero: bool = False
    statistics: bool = False
    fix: bool = False
    unsafe_fixes: bool = False
    diff: bool = False
    jobs: int | None = None
    stdin_filename: str | None = None
    profile: str | None = None
    explain: str | None = None  # of check: the line whose silence is explained


class ProofOptions(Struct, frozen=True):
    """The options of `prove` alone."""

    timeout: float = 10.0  # seconds per kernel
    kernel: str | None = None


def paths(given: list[str] | None, stdin_filename: str | None, place: str | None = None) -> tuple[str, ...]:
    """The paths to lint: standard input where only its name is given, the file of a FILE:LINE where that is
    all.
    """
    if given:
        return tuple(given)
    if place is not None:
        return (place.rpartition(":")[0],)
    if stdin_filename is None:
        raise UsageError("no path given; name files or directories, or - for standard input")
    return ("-",)


def words(given: list[str] | None) -> tuple[str, ...]:
    """The words of options that are given several times or separated by commas."""
    return tuple(word.strip() for item in given or () for word in item.split(",") if word.strip())


def overrides(**given: Any) -> dict[str, Any]:
    """Options as settings: rule words may also be separated by commas."""
    found: dict[str, Any] = {}
    for name, value in given.items():
        if value is None or value == []:
            continue
        if name in ("select", "extend_select", "ignore"):
            value = words(value)
        found[name] = tuple(value) if isinstance(value, list) else value
    return found


def check(options: Options) -> int:
    """Lint, report, and the exit status."""
    if options.output_format not in FORMATS:
        raise UsageError(f"--output-format: '{options.output_format}' is not one of {', '.join(FORMATS)}")
    if options.fix and "-" in options.paths:
        raise UsageError("--fix: cannot change standard input; print the changes with --diff")
    options, profiled = with_profile(options)
    plan, texts, wrong = prepare(options)
    wrong |= _unknown_codes(plan)
    if _nothing_selected(plan):
        return WRONG
    run = engine.lint(
        plan,
        jobs=options.jobs,
        texts=texts,
        try_fixes=_shows_fixes(options),
        progress=progress(len(plan.candidates)),
    )
    sources = Sources(texts)
    if options.diff:
        chosen = engine.chosen_fixes(plan, run, options.unsafe_fixes)
        sys.stdout.write(printable(fixes.diff(chosen, sources)))
        return _status(run, plan, wrong, options)
    if options.fix:
        run = engine.fix(plan, run, unsafe=options.unsafe_fixes, jobs=options.jobs)
        sources = Sources(texts)  # the files have changed
        for path, reason in run.refused:
            say(f"{path}: {reason}")
        wrong |= bool(run.refused)
    run = replace(run, findings=profiled(run.findings))
    report_lost(run, plan)
    wrong |= not _report(run, plan, sources, options)
    return _status(run, plan, wrong, options)


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


def explain_silence(options: Options) -> int:
    """Say which rules looked at a line, what they saw, and why they do not report it."""
    if options.output_format not in ("full", "json"):
        raise UsageError("--explain-silence: prints as text (full) or json only")
    options = for_one(options, "--explain-silence")
    place = parse_place(options.explain or "", "--explain-silence")
    plan, texts, wrong = prepare(options)
    run = engine.lint(plan, jobs=options.jobs, texts=texts, explain=place, silence=True)
    report_lost(run, plan)
    of_line = sorted(run.results, key=lambda result: shown(result.path) != place.path)
    found = next((r for r in of_line if r.silence is not None and r.silence["text"]), None)
    if found is None or found.silence is None:
        say(f"--explain-silence {place}: no such line of code in the files given")
        return WRONG
    document = {"version": 1, **found.silence, "kernels": list(found.explanation)}
    if options.output_format == "json":
        from cudalint.report.json_report import dump

        text = dump(document)
    else:
        from cudalint.report.silence import render

        text = printable(render(document))
    wrong |= not write(text, options.output)
    return WRONG if wrong or any(file.status == "failed" for file in run.files) else CLEAN


def _shows_fixes(options: Options) -> bool:
    """Whether fixes that need a trial are applied, or part of a machine-readable report."""
    if options.fix or options.diff:
        return options.unsafe_fixes
    return options.output_format in ("json", "sarif")


def inspect(options: Options) -> int:
    """Print the facts of the models."""
    if options.output_format not in ("full", "text", "json"):
        raise UsageError(f"inspect --output-format: '{options.output_format}' is not one of text, json")
    options = for_one(options, "inspect")
    place = parse_place(options.explain, "--explain") if options.explain is not None else None
    plan, texts, wrong = prepare(options)
    run = engine.lint(
        plan,
        jobs=options.jobs,
        texts=texts,
        inspect=True,
        explain=place,
        progress=progress(len(plan.candidates)),
    )
    report_lost(run, plan)
    kernels = instances.placed({r.path: r.inspection for r in run.results}, [f.path for f in run.files])
    document: dict[str, Any] = {
        "version": 1,
        "arch": arch(run, plan),
        "files": [
            {"path": f.path, "status": f.status, "reason": f.reason, "kernels": kernels.get(f.path, [])}
            for f in run.files
        ],
    }
    if place is not None:
        wrong |= not _explain(document, run, place)
    if options.output_format == "json":
        from cudalint.report.json_report import dump

        text = dump(document)
    elif place is not None:
        from cudalint.report.explain import render as render_explanation

        text = printable(render_explanation(document["explain"]))
    else:
        from cudalint.report.inspect_text import render

        text = printable(render(document))
    wrong |= not write(text, options.output)
    return WRONG if wrong or any(file.status == "failed" for file in run.files) else CLEAN


def for_one(options: Options, command: str) -> Options:
    """The options of a command that accepts one architecture only."""
    if "," in (options.override.get("arch") or ""):
        raise UsageError(f"{command} --arch: accepts one architecture; only check accepts several")
    return options


def _explain(document: dict[str, Any], run: Run, place: Place) -> bool:
    """Put the explanation of a line into the document of `inspect`; whether there is anything on it."""
    from cudalint.inspect import explanation

    found = explanation.distinct(tuple(table for result in run.results for table in result.explanation))
    document["explain"] = {"path": place.path, "line": place.line, "kernels": found}
    if not found:
        near = explanation.nearest(document["files"], place)
        other = f"the nearest is {near}" if near else "nor on any other line of the file"
        say(f"--explain {place}: no memory access, branch or barrier of a kernel on this line; {other}")
    return bool(found)


def prove(options: Options, proof: ProofOptions) -> int:
    """Judge every kernel, and the exit status: 1 when a race was shown."""
    if options.output_format not in ("text", "json"):
        raise UsageError(f"prove --output-format: '{options.output_format}' is not one of text, json")
    if importlib.util.find_spec("z3") is None:
        raise UsageError("prove needs the z3 solver; install it with: pip install 'cudalint[prove]'")
    options = for_one(options, "prove")
    from cudalint.prove import command, report
    from cudalint.report.json_report import dump

    plan, texts, wrong = prepare(options)
    files = [
        command.judge(candidate, texts.get(candidate.path), proof.timeout, proof.kernel)
        for candidate in plan.candidates
    ]
    verdicts = [verdict for file in files for verdict in file.verdicts]
    if proof.kernel is not None and not verdicts:
        raise UsageError(f"prove --kernel: no kernel named '{proof.kernel}'")
    for file in files:
        if file.failure:
            say(f"{file.path}: {file.failure}")
    as_json = options.output_format == "json"
    text = dump(report.document(files, __version__)) if as_json else printable(report.render(files))
    wrong |= not write(text, options.output)
    if wrong or any(file.failure for file in files):
        return WRONG
    return FINDINGS if any(verdict.answer == "refuted" for verdict in verdicts) else CLEAN


def rules(code: str | None, everything: bool, output_format: str) -> int:
    """Print one rule's page, or all rules."""
    from cudalint.report.json_report import dump
    from cudalint.rule import pages

    if output_format not in ("text", "markdown", "json"):
        raise UsageError(f"rule --output-format: '{output_format}' is not one of text, markdown, json")
    if everything:
        chosen = registry.load()
    else:
        if code is None:
            raise UsageError("rule: name a rule, or pass --all")
        found = registry.find(code)
        if found is None:
            raise UsageError(f"rule: no rule named '{code}'; {registry.suggest(code)}")
        chosen = (found,)
    if output_format == "json":
        tables = [pages.metadata(loaded) for loaded in chosen]
        sys.stdout.write(dump(tables if everything else tables[0]))
    elif output_format == "markdown":
        sys.stdout.write("\n".join(pages.markdown(loaded) for loaded in chosen))
    elif everything:
        for loaded in chosen:
            rule = loaded.rule
            state = "on" if rule.default else "opt-in"
            sys.stdout.write(
                f"{rule.code}  {rule.name:28} {rule.severity.value:8} {state:7} {rule.summary}\n"
            )
    else:
        sys.stdout.write("\n".join(pages.terminal(loaded) for loaded in chosen))
    return CLEAN


def prepare(options: Options) -> tuple[Plan, dict[str, str], bool]:
    """The plan, text from standard input by its path, and whether something given was wrong."""
    override = dict(options.override)
    if override.get("arch"):
        config.archs(override["arch"], "--arch")
    if override.get("device"):
        override["device"] = config.named_device(override["device"], override.get("arch"))
    if override.get("std"):
        config.standard(override["std"], "--std")
    if override.get("fail_on") is not None:
        override["fail_on"] = config.severity(override["fail_on"], "--fail-on")
    for name, option in (("min_impact", "--min-impact"), ("fail_on_impact", "--fail-on-impact")):
        if override.get(name) is not None:
            override[name] = config.share(override[name], option)
    assume.parse_all(tuple(override.get("assume") or ()))
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


def _unknown_codes(plan: Plan) -> bool:
    """Report selectors that match no rule; the others still apply."""
    words = dict.fromkeys(w for s in _settings(plan) for w in selection.unknown(s))
    for word in words:
        say(f"no rule named '{word}'; {registry.suggest(word)}")
    return bool(words)


def _nothing_selected(plan: Plan) -> bool:
    """Whether every word of --select was unknown: a run would then look clean."""
    chosen = [s.select for s in _settings(plan)]
    return bool(chosen) and all(
        words and not any(registry.matching(word) for word in words) for words in chosen
    )


def _settings(plan: Plan) -> list[Settings]:
    return list(dict.fromkeys(candidate.settings for candidate in plan.candidates))


def report_lost(run: Run, plan: Plan) -> None:
    """One line on standard error per failed, partially analysed or empty file."""
    missing = {path for path, _ in plan.missing}
    for file in run.files:
        if file.status == "failed" and file.path not in missing:
            say(f"{file.path}: {file.reason}")
    degraded = [result.outcome for result in run.results if result.outcome.status == "degraded"]
    for outcome in degraded[:_NAMED]:
        say(
            f"{_place(outcome)}: partially analysed: {outcome.reason}; fix it, or pass the build's options "
            "(-I, -D, -p)"
        )
    if len(degraded) > _NAMED:
        say(f"{len(degraded) - _NAMED} more files were partially analysed; see CU001")
    for candidate in plan.candidates:
        path = Path(candidate.path)
        if path.is_file() and path.stat().st_size == 0:
            say(f"{candidate.path}: the file is empty; nothing to check")


def _place(outcome: FileOutcome) -> str:
    """Where a file was lost first: its line, or the header's that it includes."""
    first = next((problem.span for problem in outcome.problems if problem.span.line), None)
    if first is None:
        return outcome.path
    if first.path == outcome.path:
        return f"{outcome.path}:{first.line}"
    return f"{outcome.path} (through {shown(first.path)}:{first.line})"


def _status(run: Run, plan: Plan, wrong: bool, options: Options) -> int:
    if wrong or any(file.status == "failed" for file in run.files):
        return WRONG
    if options.exit_zero:
        return CLEAN
    return FINDINGS if engine.fails(run, plan) else CLEAN


def arch(run: Run, plan: Plan) -> str:
    """The architecture that most files were modelled for."""
    archs = [result.arch for result in run.results if result.arch]
    archs += [candidate.settings.target for candidate in plan.candidates if not archs]
    return max(dict.fromkeys(archs), key=archs.count, default=Settings().target)


def _archs(run: Run, plan: Plan) -> tuple[str, ...]:
    """All architectures that files were modelled for."""
    found = [arch for result in run.results for arch in result.archs or (result.arch,) if arch]
    return tuple(dict.fromkeys(found)) or (arch(run, plan),)


def _report(run: Run, plan: Plan, sources: Sources, options: Options) -> bool:
    """Write the report; whether it could be written where it was asked for."""
    codes = {code for s in _settings(plan) for code in selection.enabled(s)}
    content = Content(
        findings=run.findings,
        files=run.files,
        arch=arch(run, plan),
        archs=_archs(run, plan),
        sources=sources,
        version=__version__,
        rules=tuple(loaded for loaded in registry.load() if loaded.rule.code in codes),
        fixed=run.fixed,
        failed=any(file.status == "failed" for file in run.files),
    )
    if options.statistics:
        from cudalint.report.statistics import render as render_statistics

        statistics = printable(render_statistics(run.findings, run.files, run.results))
        if options.output_format in ("full", "concise"):
            return write(statistics, options.output)
        sys.stderr.write(statistics)
    if options.output_format == "full" and options.output is None and sys.stdout.isatty():
        from cudalint.report import full, styled

        styled.to_terminal(full.lines(content), sys.stdout)
        return True
    return write(_renderer(options.output_format)(content), options.output)


def _renderer(output_format: str) -> Callable[[Content], str]:
    """The format's own module does it: the others are not imported."""
    if output_format == "full":
        from cudalint.report import full, styled

        return lambda content: styled.plain(full.lines(content))
    name = "json_report" if output_format == "json" else output_format
    render: Callable[[Content], str] = importlib.import_module(f"cudalint.report.{name}").render
    return render


def progress(total: int) -> engine.Progress:
    """A bar on a terminal when there are several files; nothing in a pipe."""
    if total < 2 or not sys.stderr.isatty():
        return engine.silent
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("linting"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        auto_refresh=False,  # no thread while workers are forked
        transient=True,
    )
    task = bar.add_task("linting", total=total)
    bar.start()

    def show(done: int, _: int) -> None:
        bar.update(task, completed=done, refresh=True)
        if done >= total:
            bar.stop()

    return show
