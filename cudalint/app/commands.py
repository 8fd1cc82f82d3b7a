"""The commands that print facts, proofs and rule pages: settings from options, a run, a report, an exit
status.
"""

import importlib.util
import sys
from typing import Any

from cudalint import __version__
from cudalint.app.options import Options, ProofOptions
from cudalint.app.preparing import arch, for_one, prepare, report_lost
from cudalint.app.progress import progress
from cudalint.engine import engine
from cudalint.engine.engine import Run
from cudalint.errors import UsageError
from cudalint.inspect import instances
from cudalint.report.output import CLEAN, FINDINGS, WRONG, say, write
from cudalint.rule import registry
from cudalint.rule.rule import LoadedRule
from cudalint.settings.location import Place
from cudalint.settings.location import parse as parse_place


def inspect(options: Options) -> int:
    """Print the facts of the models."""
    if options.output_format not in ("text", "json"):
        raise UsageError(f"inspect --output-format: '{options.output_format}' is not one of text, json")
    options = for_one(options, "inspect")
    place = parse_place(options.explain, "--explain") if options.explain is not None else None
    plan, texts, wrong = prepare(options)
    with progress(len(plan.candidates)) as show:
        run = engine.lint(plan, jobs=options.jobs, texts=texts, inspect=True, explain=place, progress=show)
    report_lost(run, plan)
    kernels = instances.placed({r.path: r.inspection for r in run.results}, [f.path for f in run.files])
    streams = {result.path: list(result.streams) for result in run.results}
    document: dict[str, Any] = {
        "version": 1,
        "arch": arch(run, plan),
        "files": [
            {
                "path": f.path,
                "status": f.status,
                "reason": f.reason,
                "kernels": kernels.get(f.path, []),
                "streams": streams.get(f.path, []),
            }
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

        text = render_explanation(document["explain"])
    elif options.streams:
        from cudalint.report.streams_text import render as render_streams

        text = render_streams(document)
    else:
        from cudalint.report.inspect_text import render

        text = render(document)
    wrong |= not write(text, options.output)
    return WRONG if wrong or any(file.status == "failed" for file in run.files) else CLEAN


def _explain(document: dict[str, Any], run: Run, place: Place) -> bool:
    """Put the explanation of a line into the document of `inspect`; whether there is anything on it."""
    from cudalint.inspect import explanation

    found = explanation.distinct(tuple(table for result in run.results for table in result.explanation))
    queued = explanation.distinct(explanation.timelines_at(document["files"], place))
    document["explain"] = {"path": place.path, "line": place.line, "kernels": found, "streams": queued}
    if not found and not queued:
        near = explanation.nearest(document["files"], place)
        other = f"the nearest is {near}" if near else "nor on any other line of the file"
        what = "no memory access, branch or barrier of a kernel and no CUDA call of a timeline"
        say(f"--explain {place}: {what} on this line; {other}")
    return bool(found or queued)


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
        raise UsageError(
            f"prove --kernel: no kernel named '{proof.kernel}'; `cudalint inspect` lists those of the files"
        )
    for file in files:
        if file.failure:
            say(f"{file.path}: {file.failure}")
    as_json = options.output_format == "json"
    text = dump(report.document(files, __version__)) if as_json else report.render(files)
    wrong |= not write(text, options.output)
    if wrong or any(file.failure for file in files):
        return WRONG
    return FINDINGS if any(verdict.answer == "refuted" for verdict in verdicts) else CLEAN


def serve(debounce: int, patience: int) -> int:
    """Run the language server until the editor ends it. debounce, patience: milliseconds."""
    if importlib.util.find_spec("pygls") is None:
        raise UsageError("server needs pygls; install it with: pip install 'cudalint[lsp]'")
    from cudalint.server import service

    service.serve(debounce / 1000, patience / 1000)
    return CLEAN


def rules(codes: tuple[str, ...], everything: bool, output_format: str) -> int:
    """Print the pages of the rules named, or all rules."""
    from cudalint.report.json_report import dump
    from cudalint.rule import pages

    if output_format not in ("text", "markdown", "json"):
        raise UsageError(f"rule --output-format: '{output_format}' is not one of text, markdown, json")
    chosen = registry.load() if everything else tuple(_named(code) for code in codes)
    if not chosen:
        raise UsageError("rule: name a rule, or pass --all")
    if output_format == "json":
        tables = [pages.metadata(loaded) for loaded in chosen]
        sys.stdout.write(dump(tables if everything or len(tables) > 1 else tables[0]))
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


def _named(code: str) -> LoadedRule:
    found = registry.find(code)
    if found is None:
        raise UsageError(f"rule: no rule named '{code}'; {registry.suggest(code)}")
    return found
