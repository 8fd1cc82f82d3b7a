"""`--shard`, which lints a part of the files, and `cudalint merge`, which reports on all parts."""

from functools import partial

from msgspec.structs import replace

from cudalint import __version__
from cudalint.app import caching, checking
from cudalint.app.options import Options
from cudalint.app.preparing import prepare, report_lost, with_profile
from cudalint.app.progress import progress
from cudalint.engine import engine, parts
from cudalint.errors import UsageError
from cudalint.report import formats
from cudalint.report.output import WRONG, write
from cudalint.source.text import Sources


def part(options: Options) -> int:
    """Lint the files of one part and write what was found, for `merge`."""
    number, of = parts.numbers(options.shard or "")
    if options.fix or options.diff or "-" in options.paths:
        raise UsageError("--shard: lints files and writes what it finds; it takes no --fix, --diff or -")
    options, _ = with_profile(options)
    plan, _, wrong = prepare(options)
    wrong |= checking.unknown_codes(plan, options)
    if checking.nothing_selected(plan):
        return WRONG
    own = parts.share(plan, number, of)
    with progress(len(own.candidates)) as show:
        results = engine.results(own, jobs=options.jobs, progress=show, store=caching.chosen(options))
    run = engine.joined(own, results)
    report_lost(run, own)
    wrong |= not write(
        parts.encoded(parts.Part(__version__, number, of, own, tuple(results))), options.output
    )
    return checking.status(run, own, wrong, options)


def merge(options: Options) -> int:
    """Report on the parts that the paths name as on one run."""
    targets = formats.targets(options.output_formats or ("full",), options.output)
    plan, results = parts.joined([parts.read(path) for path in options.paths])
    run = engine.joined(plan, results)
    everything = run.findings
    keep = partial(checking.kept, options=options, file=checking.baseline_of(plan, options), texts={})
    run = replace(run, findings=keep(everything))
    report_lost(run, plan)
    hidden = len(everything) - len(run.findings)
    wrong = not checking.report(run, plan, Sources({}), options, targets, hidden=hidden)
    return checking.status(run, plan, wrong or bool(plan.messages or plan.missing), options)
