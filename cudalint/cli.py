"""The command line: typer only. `cudalint PATH...` is `cudalint check PATH...`.

Each command imports what it needs when it is called: `--help` needs none of it.
"""

import os
import sys
from typing import Annotated

import typer

from cudalint import __version__
from cudalint.errors import UsageError
from cudalint.report import output

_COMMANDS = ("check", "inspect", "advise", "prove", "rule", "validate")
_ROOT_OPTIONS = ("--help", "-h", "--version")

app = typer.Typer(
    name="cudalint",
    help="Lint CUDA C++: find what is slow or wrong on the GPU, without a GPU, and how to fix it. "
    "`cudalint PATH...` is `cudalint check PATH...`.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Words = list[str] | None
Paths = Annotated[Words, typer.Argument(metavar="PATH", help="Files or directories; - for standard input.")]
Select = Annotated[
    Words,
    typer.Option("--select", metavar="CODES", help="Enable only these rules: codes, names, prefixes or ALL."),
]
Extend = Annotated[
    Words, typer.Option("--extend-select", metavar="CODES", help="Enable these rules in addition.")
]
Ignore = Annotated[Words, typer.Option("--ignore", metavar="CODES", help="Disable these rules.")]
FailOn = Annotated[
    str | None,
    typer.Option(
        "--fail-on", metavar="SEVERITY", help="Lowest severity that exits with 1: error, warning or note."
    ),
]
MinImpact = Annotated[
    float | None,
    typer.Option(
        "--min-impact",
        metavar="PERCENT",
        help="Report what fixing may save at least this much of the time; 0: all that is known [default: 5].",
    ),
]
FailOnImpact = Annotated[
    float | None,
    typer.Option(
        "--fail-on-impact",
        metavar="PERCENT",
        help="Exit with 1 also where fixing a reported finding may save at least this much of the time.",
    ),
]
Exclude = Annotated[Words, typer.Option("--exclude", metavar="PATTERN", help="Exclude (gitignore syntax).")]
Assume = Annotated[
    Words, typer.Option("--assume", metavar="EXPR", help="Assume that a C expression holds: 'n % 32 == 0'.")
]
Arch = Annotated[
    str | None,
    typer.Option(
        "--arch",
        metavar="SM",
        help="Target architecture [default: sm_90]; check accepts several: sm_75,sm_90.",
    ),
]
Device = Annotated[
    str | None,
    typer.Option(
        "--device",
        metavar="NAME",
        help="The device that the code runs on [default: the fastest of the architecture].",
    ),
]
Include = Annotated[Words, typer.Option("-I", "--include-path", metavar="DIR", help="Include directory.")]
Define = Annotated[Words, typer.Option("-D", "--define", metavar="NAME[=VALUE]", help="Macro definition.")]
Standard = Annotated[str | None, typer.Option("--std", metavar="STD", help="C++ standard, such as c++17.")]
Extra = Annotated[Words, typer.Option("--extra-arg", metavar="ARG", help="Additional compiler argument.")]
Build = Annotated[
    str | None,
    typer.Option("-p", "--compile-commands", metavar="DIR", help="Directory of compile_commands.json."),
]
Isolated = Annotated[bool, typer.Option("--isolated", help="Ignore configuration files.")]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Do not use a cache.")]
Jobs = Annotated[
    int | None, typer.Option("--jobs", "-j", min=1, metavar="N", help="Number of worker processes.")
]
Output = Annotated[
    str | None, typer.Option("-o", "--output", metavar="FILE", help="Write the report to this file.")
]
Profile = Annotated[
    str | None,
    typer.Option(
        "--profile", metavar="FILE", help="Weigh kernels by this CSV export of Nsight Compute or Systems."
    ),
]
StdinName = Annotated[
    str | None, typer.Option("--stdin-filename", metavar="PATH", help="Path to report for standard input.")
]


@app.callback(invoke_without_command=True)
def _root(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    if version:
        print(f"cudalint {__version__}")
        raise typer.Exit


@app.command(help="Lint files and directories (the default command).")
def check(
    paths: Paths = None,
    select: Select = None,
    extend_select: Extend = None,
    ignore: Ignore = None,
    fail_on: FailOn = None,
    min_impact: MinImpact = None,
    fail_on_impact: FailOnImpact = None,
    fix: Annotated[bool, typer.Option("--fix", help="Apply safe fixes.")] = False,
    unsafe_fixes: Annotated[
        bool,
        typer.Option("--unsafe-fixes", help="With --fix or --diff: include fixes that may change results."),
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Print the changes of --fix as a diff instead of applying them.")
    ] = False,
    output_format: Annotated[
        str,
        typer.Option(
            "--output-format", metavar="FORMAT", help="Report format: full, concise, json, sarif or github."
        ),
    ] = "full",
    output: Output = None,
    statistics: Annotated[
        bool, typer.Option("--statistics", help="Print counts instead of findings.")
    ] = False,
    assume: Assume = None,
    arch: Arch = None,
    device: Device = None,
    include: Include = None,
    define: Define = None,
    std: Standard = None,
    extra_arg: Extra = None,
    compile_commands: Build = None,
    exclude: Exclude = None,
    isolated: Isolated = False,
    no_cache: NoCache = False,
    exit_zero: Annotated[
        bool, typer.Option("--exit-zero", help="Exit with 0 even if there are findings.")
    ] = False,
    jobs: Jobs = None,
    stdin_filename: StdinName = None,
    profile: Profile = None,
    explain_silence: Annotated[
        str | None,
        typer.Option(
            "--explain-silence", metavar="FILE:LINE", help="Say why this line draws nothing, rule by rule."
        ),
    ] = None,
) -> None:
    from cudalint.app import commands

    override = commands.overrides(
        select=select,
        extend_select=extend_select,
        ignore=ignore,
        exclude=exclude,
        arch=arch,
        device=device,
        assume=assume,
        include_paths=include,
        defines=define,
        std=std,
        extra_args=extra_arg,
        compile_commands=compile_commands,
        fail_on=fail_on,
        min_impact=min_impact,
        fail_on_impact=fail_on_impact,
    )
    options = commands.Options(
        paths=commands.paths(paths, stdin_filename, explain_silence),
        override=override,
        output_format=output_format,
        output=output,
        isolated=isolated,
        exit_zero=exit_zero,
        statistics=statistics,
        fix=fix,
        unsafe_fixes=unsafe_fixes,
        diff=diff,
        jobs=jobs,
        stdin_filename=stdin_filename,
        profile=profile,
        explain=explain_silence,
    )
    run = commands.check if explain_silence is None else commands.explain_silence
    raise typer.Exit(run(options))


@app.command(help="Print the facts about every kernel: launches, memory accesses, branches, barriers.")
def inspect(
    paths: Paths = None,
    explain: Annotated[
        str | None,
        typer.Option("--explain", metavar="FILE:LINE", help="Explain the numbers on this line."),
    ] = None,
    output_format: Annotated[
        str, typer.Option("--output-format", metavar="FORMAT", help="Report format: text or json.")
    ] = "text",
    output: Output = None,
    assume: Assume = None,
    arch: Arch = None,
    include: Include = None,
    define: Define = None,
    std: Standard = None,
    extra_arg: Extra = None,
    compile_commands: Build = None,
    exclude: Exclude = None,
    isolated: Isolated = False,
    no_cache: NoCache = False,
    jobs: Jobs = None,
    stdin_filename: StdinName = None,
) -> None:
    from cudalint.app import commands

    override = commands.overrides(
        exclude=exclude,
        arch=arch,
        assume=assume,
        include_paths=include,
        defines=define,
        std=std,
        extra_args=extra_arg,
        compile_commands=compile_commands,
    )
    options = commands.Options(
        paths=commands.paths(paths, stdin_filename),
        override=override,
        output_format=output_format,
        output=output,
        isolated=isolated,
        explain=explain,
        jobs=jobs,
        stdin_filename=stdin_filename,
    )
    raise typer.Exit(commands.inspect(options))


@app.command(
    help="Say what bounds each kernel and what to change first: one card per kernel, one ranked list."
)
def advise(
    paths: Paths = None,
    output_format: Annotated[
        str,
        typer.Option("--output-format", metavar="FORMAT", help="Report format: text, markdown or json."),
    ] = "text",
    output: Output = None,
    no_nvcc: Annotated[
        bool, typer.Option("--no-nvcc", help="Do not compile with nvcc to learn the registers per thread.")
    ] = False,
    assume: Assume = None,
    arch: Arch = None,
    device: Device = None,
    include: Include = None,
    define: Define = None,
    std: Standard = None,
    extra_arg: Extra = None,
    compile_commands: Build = None,
    exclude: Exclude = None,
    isolated: Isolated = False,
    no_cache: NoCache = False,
    jobs: Jobs = None,
    stdin_filename: StdinName = None,
    profile: Profile = None,
) -> None:
    from cudalint.app import advising, commands

    override = commands.overrides(
        exclude=exclude,
        arch=arch,
        device=device,
        assume=assume,
        include_paths=include,
        defines=define,
        std=std,
        extra_args=extra_arg,
        compile_commands=compile_commands,
    )
    options = commands.Options(
        paths=commands.paths(paths, stdin_filename),
        override=override,
        output_format=output_format,
        output=output,
        isolated=isolated,
        jobs=jobs,
        stdin_filename=stdin_filename,
        profile=profile,
    )
    raise typer.Exit(advising.advise(options, ask_nvcc=not no_nvcc))


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
    include: Include = None,
    define: Define = None,
    std: Standard = None,
    extra_arg: Extra = None,
    compile_commands: Build = None,
    exclude: Exclude = None,
    isolated: Isolated = False,
    stdin_filename: StdinName = None,
) -> None:
    from cudalint.app import commands

    override = commands.overrides(
        exclude=exclude,
        arch=arch,
        assume=assume,
        include_paths=include,
        defines=define,
        std=std,
        extra_args=extra_arg,
        compile_commands=compile_commands,
    )
    options = commands.Options(
        paths=commands.paths(paths, stdin_filename),
        override=override,
        output_format=output_format,
        output=output,
        isolated=isolated,
        stdin_filename=stdin_filename,
    )
    raise typer.Exit(commands.prove(options, commands.ProofOptions(timeout, kernel)))


@app.command(help="Explain a rule, or list all rules.")
def rule(
    code: Annotated[str | None, typer.Argument(metavar="[CODE]", help="Code or name of a rule.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="List all rules.")] = False,
    output_format: Annotated[
        str, typer.Option("--output-format", metavar="FORMAT", help="Page format: text, markdown or json.")
    ] = "text",
) -> None:
    from cudalint.app import commands

    raise typer.Exit(commands.rules(code, everything, output_format))


@app.command(help="Measure the rules on this machine's GPU: time a slow and a fast variant of each.")
def validate(
    rule: Annotated[
        Words,
        typer.Option("--rule", metavar="CODES", help="Validate only these rules: codes, names or prefixes."),
    ] = None,
    device: Annotated[int, typer.Option("--device", min=0, metavar="N", help="Index of the GPU.")] = 0,
    arch: Annotated[
        str | None,
        typer.Option(
            "--arch", metavar="SM", help="Compile for these architectures: sm_75,sm_90 [default: the GPU's]."
        ),
    ] = None,
    repeat: Annotated[int, typer.Option("--repeat", min=2, metavar="N", help="Timed repetitions.")] = 50,
    compile_only: Annotated[
        bool,
        typer.Option("--compile-only", help="Compile and inspect the machine code only; needs no GPU."),
    ] = False,
    counters: Annotated[
        bool,
        typer.Option(
            "--counters", help="Compare predicted transactions with Nsight Compute's counters (ncu)."
        ),
    ] = False,
    sanitizer: Annotated[
        bool,
        typer.Option(
            "--sanitizer", help="Compare race and barrier findings with those of compute-sanitizer."
        ),
    ] = False,
    record: Annotated[
        str | None,
        typer.Option(
            "--record", metavar="DIR", help="Write the measurements of this device to this directory."
        ),
    ] = None,
    driver: Annotated[
        str | None,
        typer.Option("--driver", metavar="NAME", help="nvcc or cupy [default: nvcc if installed]."),
    ] = None,
    output_format: Annotated[
        str, typer.Option("--output-format", metavar="FORMAT", help="Report format: text or json.")
    ] = "text",
    output: Output = None,
    jobs: Jobs = None,
) -> None:
    from cudalint.app import commands
    from cudalint.validate import main

    choice = main.Choice(
        rules=commands.words(rule),
        device=device,
        arch=arch,
        repeat=repeat,
        compile_only=compile_only,
        counters=counters,
        sanitizer=sanitizer,
        record=record,
        driver=driver or "",
        output_format=output_format,
        output=output,
        jobs=jobs,
    )
    raise typer.Exit(main.main(choice))


def run(arguments: list[str]) -> None:
    """Run the command line and exit the process."""
    if arguments and arguments[0] not in (*_COMMANDS, *_ROOT_OPTIONS):
        arguments = ["check", *arguments]
    try:
        try:
            app(args=arguments, prog_name="cudalint")
        finally:
            sys.stdout.flush()  # a failure can still be reported here, at interpreter exit it cannot
    except UsageError as error:
        output.say(str(error))
        sys.exit(output.WRONG)
    except OSError as error:  # a broken pipe ends in typer: this is a full disk and the like
        output.say(f"cannot write to standard output: {error.strerror or error}; use -o FILE")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # discard what is still buffered
        sys.exit(output.WRONG)
    except KeyboardInterrupt:
        output.say("interrupted")
        sys.exit(130)
