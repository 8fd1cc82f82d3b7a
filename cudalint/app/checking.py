"""`cudalint check`: lint, fix, report."""

import os
import sys
from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from cudalint import __version__
from cudalint.app import caching
from cudalint.app.options import Options
from cudalint.app.preparing import (
    arch,
    archs,
    for_one,
    lost_in,
    prepare,
    report_assumptions,
    report_lost,
    settings,
    with_profile,
)
from cudalint.app.progress import progress
from cudalint.engine import engine, selection
from cudalint.engine.discovery import Plan
from cudalint.engine.engine import Run
from cudalint.errors import UsageError
from cudalint.fixing import fixes
from cudalint.report import formats
from cudalint.report.content import Content, plural
from cudalint.report.formats import Target
from cudalint.report.output import CLEAN, FINDINGS, WRONG, say, write
from cudalint.rule import registry
from cudalint.rule.findings import Finding
from cudalint.settings import config
from cudalint.settings.config import Settings
from cudalint.settings.location import parse as parse_place
from cudalint.source.text import Sources, printable, shown

_SELECTORS = ("select", "extend_select", "ignore", "per_file_ignores", "severity")


def check(options: Options) -> int:
    """Lint, report, and the exit status."""
    targets = formats.targets(options.output_formats or ("full",), options.output)
    if options.fix and "-" in options.paths:
        raise UsageError("--fix: cannot change standard input; print the changes with --diff")
    _one_job(options)
    if options.scheduler is not None and ("-" in options.paths or any(t.format == "html" for t in targets)):
        raise UsageError("--scheduler: lints files, and not for html; leave it out for - and for html")
    if options.watch:
        from cudalint.app import watching

        return watching.watch(sys.argv[1:], options.paths)
    options, profiled = with_profile(options)
    plan, texts, wrong = prepare(options)
    wrong |= unknown_codes(plan, options)
    if nothing_selected(plan) or (plan.messages and not plan.candidates):
        return WRONG  # an empty report would look clean
    if options.show_files or options.show_settings:
        from cudalint.app import listing

        shown_text = listing.files(plan) if options.show_files else listing.settings(plan)
        return WRONG if not write(shown_text, options.output) or wrong else CLEAN
    with progress(len(plan.candidates)) as show:
        if options.scheduler is not None:
            from cudalint.engine import cluster

            found = cluster.results(plan, options.scheduler, _shows_fixes(options), show)
            run = engine.joined(plan, found)
        else:
            run = engine.lint(
                plan,
                jobs=options.jobs,
                texts=texts,
                advise=any(target.format == "html" for target in targets),
                try_fixes=_shows_fixes(options),
                progress=show,
                store=caching.chosen(options),
            )
    sources = Sources(texts)
    report_assumptions(run, options, sources)
    file = baseline_of(plan, options)
    if options.write_baseline:
        from cudalint.app import baseline

        target = file or baseline.DEFAULT
        baseline.write(run.findings, target, sources, __version__)
        configured = file is not None and options.override.get("baseline") is None
        hint = "" if configured else f"; to hide them: --baseline {target}, or `baseline` in cudalint.toml"
        say(f"{shown(target)}: {plural(len(run.findings), 'finding')} written{hint}")
        return WRONG if wrong else CLEAN
    keep = partial(kept, options=options, file=file, texts=texts)
    everything = run.findings
    run = replace(run, findings=keep(everything))
    if options.diff:
        chosen = engine.chosen_fixes(plan, run, options.unsafe_fixes)
        left_out = 0 if options.unsafe_fixes else len(engine.chosen_fixes(plan, run, True)) - len(chosen)
        if left_out:
            say(f"{plural(left_out, 'fix', 'fixes')} that may change results left out; pass --unsafe-fixes")
        elif not chosen:
            hidden = len(everything) - len(run.findings)
            say("nothing to fix: the diff is empty" + (f"; {hidden} hidden" if hidden else ""))
        wrong |= not write(printable(fixes.diff(chosen, sources)), options.output)
        return status(run, plan, wrong, options)
    if options.fix:
        run = replace(run, findings=everything)
        run = engine.fix(plan, run, unsafe=options.unsafe_fixes, jobs=options.jobs, keep=keep)
        sources = Sources(texts)  # the files have changed
        everything = run.findings
        run = replace(run, findings=keep(everything))
        for path, reason in run.refused:
            say(f"{path}: {reason}")
        wrong |= bool(run.refused)
    if options.add_ignores:
        from cudalint.engine import ignores

        added = ignores.add(run.findings, plan)
        for text in (*added.refused, f"{plural(added.lines, 'line')} changed"):
            say(text)
        return WRONG if wrong or added.refused else CLEAN
    run = replace(run, findings=profiled(run.findings))
    on_screen = not options.statistics and any(t.output is None and t.format in formats.TEXT for t in targets)
    report_lost(run, plan, lost_in(run.findings) if on_screen else frozenset())
    wrong |= not report(run, plan, sources, options, targets, hidden=len(everything) - len(run.findings))
    return status(run, plan, wrong, options)


def _one_job(options: Options) -> None:
    """UsageError where two options ask for different things to be done with the findings."""
    asked = {
        "--write-baseline": options.write_baseline,
        "--add-ignores": options.add_ignores,
        "--fix": options.fix and not options.diff,
        "--diff": options.diff,
        "--show-files": options.show_files,
        "--show-settings": options.show_settings,
    }
    names = [name for name, given in asked.items() if given]
    if len(names) > 1:
        raise UsageError(f"{names[0]} and {names[1]}: one at a time")


def baseline_of(plan: Plan, options: Options) -> str | None:
    """The file of known findings, if one is given or configured."""
    if options.override.get("baseline") is not None:
        return str(options.override["baseline"])
    return next((own.baseline for own in settings(plan) if own.baseline), None)


def kept(
    findings: tuple[Finding, ...], options: Options, file: str | None, texts: dict[str, str]
) -> tuple[Finding, ...]:
    """The findings that are not in the baseline and touch a changed line, as far as these are asked for."""
    if file is not None and not options.write_baseline:
        from cudalint.app import baseline

        findings = baseline.new(findings, file, Sources(texts))
    if options.diff_base is not None:
        from cudalint.app import changes

        base = changes.changed_lines(options.diff_base, changes.folders(options.paths))
        findings = changes.touched(findings, base)
    return findings


def explain_silence(options: Options) -> int:
    """Say which rules looked at a line, what they saw, and why they do not report it."""
    as_json = options.output_formats == ("json",)
    if not as_json and options.output_formats not in ((), ("full",)):
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
    if as_json:
        from cudalint.report.json_report import dump

        text = dump(document)
    else:
        from cudalint.report.silence import render

        text = render(document)
    wrong |= not write(text, options.output)
    return WRONG if wrong or any(file.status == "failed" for file in run.files) else CLEAN


def _shows_fixes(options: Options) -> bool:
    """Whether fixes that need a trial are applied, or part of a machine-readable report."""
    if options.fix or options.diff:
        return options.unsafe_fixes
    return any(word.partition(":")[0] in formats.WITH_FIXES for word in options.output_formats)


def unknown_codes(plan: Plan, options: Options) -> bool:
    """Report selectors that match no rule, each where it stands; the others still apply."""
    found = dict.fromkeys(_unknown_selectors(plan, options))
    for place, word in found:
        say(f"{place}: no rule named '{word}'; {registry.suggest(word)}")
    return bool(found)


def _unknown_selectors(plan: Plan, options: Options) -> Iterator[tuple[str, str]]:
    """(option, or file, line and key; word) of each."""
    for own in settings(plan):
        for name in _SELECTORS:
            key = name.replace("_", "-")
            for word in _words(own, name):
                if not registry.matching(word):
                    given = word in options.override.get(name, ())
                    yield f"--{key}" if given else f"{config.place_of(own, key)}: key '{key}'", word


def _words(own: Settings, name: str) -> tuple[str, ...]:
    """The words for rules in a setting."""
    if name == "severity":
        return tuple(word for word, _ in own.severity)
    if name == "per_file_ignores":
        return tuple(word for _, words in own.per_file_ignores for word in words)
    words: tuple[str, ...] = getattr(own, name)
    return words


def nothing_selected(plan: Plan) -> bool:
    """Whether every word of --select was unknown: a run would then look clean."""
    chosen = [s.select for s in settings(plan)]
    return bool(chosen) and all(
        words and not any(registry.matching(word) for word in words) for words in chosen
    )


def status(run: Run, plan: Plan, wrong: bool, options: Options) -> int:
    if wrong or any(file.status == "failed" for file in run.files):
        return WRONG
    if options.strict and any(file.lost for file in run.files):
        return WRONG
    if options.exit_zero:
        return CLEAN
    return FINDINGS if engine.fails(run, plan) else CLEAN


def report(
    run: Run, plan: Plan, sources: Sources, options: Options, targets: tuple[Target, ...], hidden: int
) -> bool:
    """Write the reports; whether all could be written where they were asked for."""
    codes = {code for s in settings(plan) for code in selection.enabled(s)}
    content = Content(
        findings=run.findings,
        files=run.files,
        arch=arch(run, plan),
        archs=archs(run, plan),
        sources=sources,
        version=__version__,
        rules=tuple(loaded for loaded in registry.load() if loaded.rule.code in codes),
        fixed=run.fixed,
        cards=tuple(card for result in run.results for card in result.cards),
        streams=tuple(timeline for result in run.results for timeline in result.streams),
        hidden=hidden,
        failed=any(file.status == "failed" for file in run.files),
    )
    if options.statistics:
        from cudalint.report.statistics import render as render_statistics

        statistics = render_statistics(run.findings, run.files, run.results)
        if all(target.format in formats.TEXT for target in targets):
            return write(statistics, options.output)
        sys.stderr.write(statistics)
    written = [_written(target, content) for target in targets]
    return all(written)


def _written(target: Target, content: Content) -> bool:
    """Write one report; in colours on a terminal, and where FORCE_COLOR asks for them."""
    coloured = sys.stdout.isatty() or bool(os.environ.get("FORCE_COLOR"))
    if target == Target("full", None) and coloured:
        from cudalint.report import full, styled

        styled.to_terminal(full.lines(content), sys.stdout)
        return True
    return write(formats.render(target.format, content), target.output)
