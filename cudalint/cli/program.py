"""The commands and their options."""

from collections.abc import Callable
from typing import Annotated, Any

import typer

from cudalint import __version__
from cudalint.cli.options import (
    Arch,
    Assume,
    Build,
    CacheDir,
    Define,
    Device,
    Exclude,
    Extra,
    Include,
    Isolated,
    Jobs,
    NoCache,
    Output,
    Paths,
    Profile,
    Standard,
    StdinName,
    Words,
)
from cudalint.errors import Interrupted

_FORMATS = (
    "full, concise, grouped, json[-lines], sarif, github, gitlab, junit, rdjson, markdown, html; repeatable"
)
Formats = Annotated[Words, typer.Option("--output-format", metavar="FORMAT[:FILE]", help=_FORMATS)]

app = typer.Typer(
    name="cudalint",
    help="Lint CUDA C++: find what is slow or wrong on the GPU, without a GPU, and how to fix it. "
    "`cudalint PATH...` is `cudalint check PATH...`.",
    epilog="Options of the default command: `cudalint check --help`. Most used: --select, --fix, --diff, "
    "--output-format, --baseline, --min-impact, --assume, --arch.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)


def _exit(command: Callable[[], int]) -> None:
    """Leave with the command's exit status. Ctrl-C is not typer's to report."""
    try:
        raise typer.Exit(command())
    except KeyboardInterrupt:
        raise Interrupted from None


@app.callback(invoke_without_command=True)
def _root(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    if version:
        print(f"cudalint {__version__}")
        raise typer.Exit


@app.command(help="Lint files and directories (the default command).")
def check(
    paths: Paths = None,
    select: Annotated[
        Words,
        typer.Option("--select", metavar="CODES", help="Only these: codes, names, prefixes, ALL."),
    ] = None,
    extend_select: Annotated[
        Words, typer.Option("--extend-select", metavar="CODES", help="Enable these rules in addition.")
    ] = None,
    ignore: Annotated[Words, typer.Option("--ignore", metavar="CODES", help="Disable these rules.")] = None,
    fail_on: Annotated[
        str | None,
        typer.Option("--fail-on", metavar="SEVERITY", help="What exits with 1: error, [warning] or note."),
    ] = None,
    min_severity: Annotated[
        str | None,
        typer.Option(
            "--min-severity", metavar="SEVERITY", help="Report this and worse: error, warning [note]."
        ),
    ] = None,
    min_impact: Annotated[
        float | None,
        typer.Option("--min-impact", metavar="PERCENT", help="Report what may save this much [5]; 0: all."),
    ] = None,
    fail_on_impact: Annotated[
        float | None,
        typer.Option(
            "--fail-on-impact", metavar="PERCENT", help="Exit with 1 also where a fix may save this."
        ),
    ] = None,
    preview: Annotated[bool, typer.Option("--preview", help="Enable rules that are new as well.")] = False,
    baseline: Annotated[
        str | None,
        typer.Option("--baseline", metavar="FILE", help="Report only what this file does not list."),
    ] = None,
    write_baseline: Annotated[
        bool, typer.Option("--write-baseline", help="List all findings in the baseline.")
    ] = False,
    diff_base: Annotated[
        str | None,
        typer.Option("--diff-base", metavar="REV", help="Report what touches lines changed since."),
    ] = None,
    add_ignores: Annotated[
        bool, typer.Option("--add-ignores", help="Write ignore comments where findings are.")
    ] = False,
    fix: Annotated[bool, typer.Option("--fix", help="Apply safe fixes.")] = False,
    unsafe_fixes: Annotated[
        bool,
        typer.Option("--unsafe-fixes", help="Fix also what may change results."),
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Print what --fix would change, as a diff.")] = False,
    output_formats: Formats = None,
    output: Output = None,
    statistics: Annotated[
        bool, typer.Option("--statistics", help="Print counts instead of findings.")
    ] = False,
    assume: Assume = None,
    arch: Arch = None,
    device: Device = None,
    include_paths: Include = None,
    defines: Define = None,
    std: Standard = None,
    extra_args: Extra = None,
    compile_commands: Build = None,
    exclude: Exclude = None,
    force_exclude: Annotated[
        bool, typer.Option("--force-exclude", help="Exclude named files too (for hooks).")
    ] = False,
    isolated: Isolated = False,
    no_cache: NoCache = False,
    cache_dir: CacheDir = None,
    shard: Annotated[
        str | None, typer.Option("--shard", metavar="K/N", help="Lint this part of the files, for merge.")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option("--scheduler", metavar="ADDRESS", help="Lint on this Dask cluster.")
    ] = None,
    exit_zero: Annotated[bool, typer.Option("--exit-zero", help="Exit with 0 despite findings.")] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 2 if a kernel is not analysed.")
    ] = False,
    jobs: Jobs = None,
    stdin_filename: StdinName = None,
    profile: Profile = None,
    show_files: Annotated[
        bool, typer.Option("--show-files", help="List the files that would be linted.")
    ] = False,
    show_settings: Annotated[
        bool, typer.Option("--show-settings", help="Print the settings, and their places.")
    ] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Lint again at each change, until Ctrl-C.")] = False,
    explain: Annotated[
        str | None,
        typer.Option("--explain-silence", metavar="FILE:LINE", help="Say why this line draws nothing."),
    ] = None,
) -> None:
    given = locals()
    from cudalint.app import checking, options, sharding

    run = sharding.part if shard is not None else checking.check
    run = run if explain is None else checking.explain_silence
    _exit(lambda: run(options.of(given)))


@app.command(help="Write a first cudalint.toml, after a look at the tree.")
def init(
    folder: Annotated[str, typer.Argument(metavar="[DIR]", help="The top folder of the project.")] = ".",
) -> None:
    from cudalint.app import starting

    _exit(lambda: starting.init(folder))


@app.command(help="Print the facts about every kernel: launches, memory accesses, branches, barriers.")
def inspect(
    paths: Paths = None,
    explain: Annotated[
        str | None,
        typer.Option("--explain", metavar="FILE:LINE", help="Explain the numbers on this line."),
    ] = None,
    streams: Annotated[
        bool, typer.Option("--streams", help="Draw the host and its streams in a steady iteration.")
    ] = False,
    output_format: Annotated[
        str, typer.Option("--output-format", metavar="FORMAT", help="Report format: text or json.")
    ] = "text",
    output: Output = None,
    assume: Assume = None,
    arch: Arch = None,
    include_paths: Include = None,
    defines: Define = None,
    std: Standard = None,
    extra_args: Extra = None,
    compile_commands: Build = None,
    exclude: Exclude = None,
    isolated: Isolated = False,
    no_cache: NoCache = False,
    jobs: Jobs = None,
    stdin_filename: StdinName = None,
) -> None:
    given = locals()
    from cudalint.app import commands, options

    chosen = options.of(given)
    _exit(lambda: commands.inspect(chosen))


@app.command(help="Say what bounds each kernel and what to change first: a card per kernel, a ranked list.")
def advise(
    paths: Paths = None,
    output_format: Annotated[
        str,
        typer.Option("--output-format", metavar="FORMAT", help="Report format: text, markdown or json."),
    ] = "text",
    output: Output = None,
    html: Annotated[
        str | None, typer.Option("--html", metavar="FILE", help="Write a page to look at, with all findings.")
    ] = None,
    no_nvcc: Annotated[
        bool, typer.Option("--no-nvcc", help="Do not compile with nvcc to learn the registers per thread.")
    ] = False,
    assume: Assume = None,
    arch: Arch = None,
    device: Device = None,
    include_paths: Include = None,
    defines: Define = None,
    std: Standard = None,
    extra_args: Extra = None,
    compile_commands: Build = None,
    exclude: Exclude = None,
    isolated: Isolated = False,
    no_cache: NoCache = False,
    jobs: Jobs = None,
    stdin_filename: StdinName = None,
    profile: Profile = None,
) -> None:
    given = locals()
    from cudalint.app import advising, options

    chosen = options.of(given)
    _exit(lambda: advising.advise(chosen, ask_nvcc=not no_nvcc, html=html))


@app.command(help="Prove kernels free of data races, or show the two threads that race (needs z3).")
def prove(
    paths: Paths = None,
    kernel: Annotated[
        str | None, typer.Option("--kernel", metavar="NAME", help="Check only this kernel.")
    ] = None,
    timeout: Annotated[
        float, typer.Option("--timeout", min=0.1, metavar="SECONDS", help="Solver steps per kernel, as time.")
    ] = 10.0,
    output_format: Annotated[
        str, typer.Option("--output-format", metavar="FORMAT", help="Report format: text or json.")
    ] = "text",
    output: Output = None,
    assume: Assume = None,
    arch: Arch = None,
    include_paths: Include = None,
    defines: Define = None,
    std: Standard = None,
    extra_args: Extra = None,
    compile_commands: Build = None,
    exclude: Exclude = None,
    isolated: Isolated = False,
    stdin_filename: StdinName = None,
) -> None:
    given = locals()
    from cudalint.app import commands, options

    chosen = options.of(given)
    _exit(lambda: commands.prove(chosen, options.ProofOptions(timeout, kernel)))


@app.command(help="Explain rules, or list all of them.")
def rule(
    codes: Annotated[Words, typer.Argument(metavar="[CODE]...", help="Codes or names of rules.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="List all rules.")] = False,
    output_format: Annotated[
        str, typer.Option("--output-format", metavar="FORMAT", help="Page format: text, markdown or json.")
    ] = "text",
) -> None:
    from cudalint.app import commands

    _exit(lambda: commands.rules(tuple(codes or ()), everything, output_format))


@app.command(help="Serve an editor by the language server protocol, on standard input and output.")
def server(
    debounce: Annotated[
        int, typer.Option("--debounce", min=0, metavar="MS", help="Pause after a change before it is linted.")
    ] = 20,
    patience: Annotated[
        int,
        typer.Option(
            "--patience",
            min=0,
            metavar="MS",
            help="Time to judge a change; after it, earlier findings are shown at new lines until then.",
        ),
    ] = 70,
) -> None:
    from cudalint.app import commands

    _exit(lambda: commands.serve(debounce, patience))


@app.command(help="Report on the parts of one run that `check --shard` wrote, as on the whole.")
def merge(
    paths: Annotated[list[str], typer.Argument(metavar="PART...", help="Files of all parts.")],
    output_formats: Formats = None,
    output: Output = None,
    exit_zero: Annotated[bool, typer.Option("--exit-zero", help="Exit with 0 despite findings.")] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 2 if a kernel is not analysed.")
    ] = False,
) -> None:
    given = locals()
    from cudalint.app import options, sharding

    chosen = options.of(given)
    _exit(lambda: sharding.merge(chosen))


@app.command(help="Remove the results that are kept of earlier runs.")
def clean(cache_dir: CacheDir = None) -> None:
    from cudalint.app import caching

    _exit(lambda: caching.clean(cache_dir))


@app.command(help="Measure the rules on this machine's GPU: time a slow and a fast variant of each.")
def validate(
    rules: Annotated[
        Words,
        typer.Option("--rule", metavar="CODES", help="Validate only these rules: codes, names or prefixes."),
    ] = None,
    device: Annotated[int, typer.Option("--device", min=0, metavar="N", help="Index of the GPU.")] = 0,
    arch: Annotated[
        str | None,
        typer.Option("--arch", metavar="SM", help="Compile for these: sm_75,sm_90 [the GPU's]."),
    ] = None,
    repeat: Annotated[int, typer.Option("--repeat", min=2, metavar="N", help="Timed repetitions.")] = 50,
    compile_only: Annotated[
        bool,
        typer.Option("--compile-only", help="Compile and inspect the machine code only; needs no GPU."),
    ] = False,
    counters: Annotated[
        bool,
        typer.Option("--counters", help="Compare predicted transactions with the counters of ncu."),
    ] = False,
    sanitizer: Annotated[
        bool,
        typer.Option("--sanitizer", help="Compare race and barrier findings with compute-sanitizer's."),
    ] = False,
    record: Annotated[
        str | None,
        typer.Option("--record", metavar="DIR", help="Write this device's measurements to this directory."),
    ] = None,
    driver: Annotated[
        str | None,
        typer.Option("--driver", metavar="NAME", help="nvcc or cupy [nvcc if installed]."),
    ] = None,
    output_format: Annotated[
        str, typer.Option("--output-format", metavar="FORMAT", help="Report format: text or json.")
    ] = "text",
    output: Output = None,
    jobs: Jobs = None,
) -> None:
    given: dict[str, Any] = locals()
    from cudalint.app import options
    from cudalint.validate import main

    choice = main.Choice(**given | {"rules": options.words(rules), "driver": driver or ""})
    _exit(lambda: main.main(choice))
