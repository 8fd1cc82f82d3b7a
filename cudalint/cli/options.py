"""Options that several commands take. The name of a parameter is that of the setting, or of the field of
`Options`, that it fills.
"""

from typing import Annotated

import typer

Words = list[str] | None
Paths = Annotated[Words, typer.Argument(metavar="PATH", help="Files or directories; - for standard input.")]
Assume = Annotated[
    Words, typer.Option("--assume", metavar="EXPR", help="Assume a C expression, such as 'n % 32 == 0'.")
]
Arch = Annotated[
    str | None,
    typer.Option("--arch", metavar="SM", help="Target, or several: sm_75,sm_90 [sm_90]."),
]
Device = Annotated[
    str | None,
    typer.Option("--device", metavar="NAME", help="Device to run on [fastest of its target]."),
]
Include = Annotated[Words, typer.Option("-I", "--include-path", metavar="DIR", help="Include directory.")]
Define = Annotated[Words, typer.Option("-D", "--define", metavar="NAME[=VALUE]", help="Macro definition.")]
Standard = Annotated[str | None, typer.Option("--std", metavar="STD", help="C++ standard, such as c++17.")]
Extra = Annotated[Words, typer.Option("--extra-arg", metavar="ARG", help="Additional compiler argument.")]
Build = Annotated[
    str | None,
    typer.Option("-p", "--compile-commands", metavar="DIR", help="Folder of compile_commands.json."),
]
Exclude = Annotated[Words, typer.Option("--exclude", metavar="PATTERN", help="Exclude (gitignore syntax).")]
Isolated = Annotated[bool, typer.Option("--isolated", help="Ignore configuration files.")]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Neither use nor keep results of runs.")]
CacheDir = Annotated[
    str | None, typer.Option("--cache-dir", metavar="DIR", help="Where results are kept [user cache].")
]
Jobs = Annotated[
    int | None, typer.Option("--jobs", "-j", min=1, metavar="N", help="Number of worker processes.")
]
Output = Annotated[
    str | None, typer.Option("-o", "--output", metavar="FILE", help="Write the report to this file.")
]
Profile = Annotated[
    str | None,
    typer.Option("--profile", metavar="FILE", help="Weigh kernels by this Nsight CSV."),
]
StdinName = Annotated[
    str | None, typer.Option("--stdin-filename", metavar="PATH", help="Its name for standard input.")
]
