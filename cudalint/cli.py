"""The command line: typer only. `cudalint PATH...` is `cudalint check PATH...`."""

import os
import sys
from typing import Annotated

import typer

from cudalint import __version__
from cudalint.app import commands
from cudalint.errors import UsageError
from cudalint.report import output

_COMMANDS = ("check", "inspect", "prove", "rule", "validate")
_ROOT_OPTIONS = ("--help", "-h", "--version")

app = typer.Typer(
    name="cudalint",
    help="Lint CUDA C++: what will be slow or wrong on the GPU, where, and what to write instead. "
    "`cudalint PATH...` is `cudalint check PATH...`.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Words = list[str] | None
Paths = Annotated[Words, typer.Argument(metavar="PATH", help="Files or directories; - is standard input.")]
Select = Annotated[
    Words, typer.Option("--select", metavar="CODES", help="Only these rules: codes, names, prefixes, ALL.")
]
Extend = Annotated[Words, typer.Option("--extend-select", metavar="CODES", help="These rules as well.")]
Ignore = Annotated[Words, typer.Option("--ignore", metavar="CODES", help="Not these rules.")]
FailOn = Annotated[
    str | None,
    typer.Option("--fail-on", metavar="SEVERITY", help="Exit 1 from this severity on: error, warning, note."),
]
Exclude = Annotated[
    Words, typer.Option("--exclude", metavar="PATTERN", help="Leave out, as .gitignore writes it.")
]
Assume = Annotated[
    Words, typer.Option("--assume", metavar="EXPR", help="A C expression that holds: 'n % 32 == 0'.")
]
Arch = Annotated[
    str | None,
    typer.Option(
        "--arch", metavar="SM", help="Target architecture [default: sm_90]; check takes several: sm_75,sm_90."
    ),
]
Include = Annotated[Words, typer.Option("-I", "--include-path", metavar="DIR", help="Include directory.")]
Define = Annotated[Words, typer.Option("-D", "--define", metavar="NAME[=VALUE]", help="Macro definition.")]
Standard = Annotated[str | None, typer.Option("--std", metavar="STD", help="C++ standard, such as c++17.")]
Extra = Annotated[Words, typer.Option("--extra-arg", metavar="ARG", help="A further compiler argument.")]
Build = Annotated[
    str | None,
    typer.Option("-p", "--compile-commands", metavar="DIR", help="Folder of compile_commands.json."),
]
Isolated = Annotated[bool, typer.Option("--isolated", help="Read no configuration file.")]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Neither read nor write a cache.")]
Jobs = Annotated[int | None, typer.Option("--jobs", "-j", min=1, metavar="N", help="Worker processes.")]
Output = Annotated[str | None, typer.Option("-o", "--output", metavar="FILE", help="Write the report here.")]
StdinName = Annotated[
    str | None, typer.Option("--stdin-filename", metavar="PATH", help="The path of standard input's text.")
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
    fix: Annotated[bool, typer.Option("--fix", help="Apply safe fixes.")] = False,
    unsafe_fixes: Annotated[
        bool, typer.Option("--unsafe-fixes", help="With --fix or --diff: also fixes that may change results.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Print what --fix would change; change nothing.")
    ] = False,
    output_format: Annotated[
        str, typer.Option("--output-format", metavar="FORMAT", help="full, concise, json, sarif or github.")
    ] = "full",
    output: Output = None,
    statistics: Annotated[bool, typer.Option("--statistics", help="Counts instead of findings.")] = False,
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
    exit_zero: Annotated[bool, typer.Option("--exit-zero", help="Exit 0 also with findings.")] = False,
    jobs: Jobs = None,
    stdin_filename: StdinName = None,
) -> None:
    override = commands.overrides(
        select=select,
        extend_select=extend_select,
        ignore=ignore,
        exclude=exclude,
        arch=arch,
        assume=assume,
        include_paths=include,
        defines=define,
        std=std,
        extra_args=extra_arg,
        compile_commands=compile_commands,
        fail_on=fail_on,
    )
    options = commands.Options(
        paths=commands.paths(paths, stdin_filename),
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
    )
    raise typer.Exit(commands.check(options))


@app.command(help="Print what the models know of every kernel: launches, accesses, branches, barriers.")
def inspect(
    paths: Paths = None,
    explain: Annotated[
        str | None,
        typer.Option("--explain", metavar="FILE:LINE", help="How the numbers on this line came about."),
    ] = None,
    output_format: Annotated[
        str, typer.Option("--output-format", metavar="FORMAT", help="text or json.")
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


@app.command(help="Prove that kernels have no data race, or show the two threads that have one (needs z3).")
def prove(
    paths: Paths = None,
    kernel: Annotated[
        str | None, typer.Option("--kernel", metavar="NAME", help="Only the kernel of this name.")
    ] = None,
    timeout: Annotated[
        float, typer.Option("--timeout", min=0.1, metavar="SECONDS", help="The most time for a kernel.")
    ] = 10.0,
    output_format: Annotated[
        str, typer.Option("--output-format", metavar="FORMAT", help="text or json.")
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


@app.command(help="Explain a rule, or list all of them.")
def rule(
    code: Annotated[str | None, typer.Argument(metavar="[CODE]", help="A code or a name.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="All rules.")] = False,
    output_format: Annotated[
        str, typer.Option("--output-format", metavar="FORMAT", help="text, markdown or json.")
    ] = "text",
) -> None:
    raise typer.Exit(commands.rules(code, everything, output_format))


@app.command(help="Measure what the rules cost: a slow and a fast variant of each, on this machine's GPU.")
def validate(
    rule: Annotated[
        Words, typer.Option("--rule", metavar="CODES", help="Only these rules: codes, names, prefixes.")
    ] = None,
    device: Annotated[int, typer.Option("--device", min=0, metavar="N", help="Number of the GPU.")] = 0,
    arch: Annotated[
        str | None,
        typer.Option("--arch", metavar="SM", help="Compile for these: sm_75,sm_90 [default: the GPU's own]."),
    ] = None,
    repeat: Annotated[int, typer.Option("--repeat", min=2, metavar="N", help="Timed rounds.")] = 50,
    compile_only: Annotated[
        bool,
        typer.Option("--compile-only", help="Needs no GPU: compile, and look at the machine code."),
    ] = False,
    counters: Annotated[
        bool, typer.Option("--counters", help="Compare counted transactions with Nsight Compute's (ncu).")
    ] = False,
    sanitizer: Annotated[
        bool,
        typer.Option("--sanitizer", help="Compare findings on races and barriers with compute-sanitizer's."),
    ] = False,
    record: Annotated[
        str | None, typer.Option("--record", metavar="DIR", help="Write the record of this device there.")
    ] = None,
    driver: Annotated[
        str | None, typer.Option("--driver", metavar="NAME", help="nvcc or cupy [default: nvcc if there].")
    ] = None,
    output_format: Annotated[
        str, typer.Option("--output-format", metavar="FORMAT", help="text or json.")
    ] = "text",
    output: Output = None,
    jobs: Jobs = None,
) -> None:
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
            sys.stdout.flush()  # here, where a failure can be told; at the interpreter's end it cannot
    except UsageError as error:
        output.say(str(error))
        sys.exit(output.WRONG)
    except OSError as error:  # a broken pipe ends in typer: this is a full disk and the like
        output.say(f"standard output cannot be written: {error.strerror or error}; name a file with -o")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is still held goes nowhere
        sys.exit(output.WRONG)
    except KeyboardInterrupt:
        output.say("interrupted")
        sys.exit(130)
