"""What a load of a file depends on, told without parsing: its flags and the files that it may read."""

import itertools
import os
from contextlib import suppress

from msgspec import Struct

from cudalint.buildfiles import preprocessor
from cudalint.buildfiles.compile_commands import DatabaseError, command_for
from cudalint.frontend.flags import ParseFlags, combined, translate
from cudalint.frontend.includes import include_paths, search
from cudalint.frontend.options import LoadOptions

_FORCED = ("-include", "-imacros")
# What clang looks at besides its arguments.
_VARIABLES = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "SDKROOT", "CCC_OVERRIDE_OPTIONS")


class Inputs(Struct, frozen=True):
    """directories: that includes are searched in besides those of the flags. stand_ins: headers that are
    nowhere and known. files: besides the file itself, all that it may read; one that appears or goes changes
    them. whole: whether these are all.
    """

    flags: ParseFlags
    directories: tuple[str, ...]
    stand_ins: tuple[str, ...]
    files: tuple[str, ...]
    whole: bool
    variables: tuple[str | None, ...]


def flags_of(path: str, options: LoadOptions) -> ParseFlags:
    """The flags of the build, as far as its command or its files say them, and those of the options, which
    come first.
    """
    directory = options.directory or os.getcwd()
    arguments = [
        *(f"-I{p}" for p in options.include_paths),
        *(f"-D{d}" for d in options.defines),
        *((f"-std={options.std}",) if options.std else ()),
        *((f"-arch={options.arch}",) if options.arch else ()),
        *options.extra_args,
    ]
    with suppress(DatabaseError):  # discovery has told of it, once for all files
        command = command_for(path, options.compile_commands)
        if command is not None:
            return combined(translate(command.arguments, command.directory), translate(arguments, directory))
    words = preprocessor.told(path, options.root)
    macros, folders = (preprocessor.arguments(words, option) for option in ("-D", "-I"))
    return translate([*macros, *arguments, *folders], directory)


def inputs(path: str, options: LoadOptions) -> Inputs:
    """The inputs of a load. The paths are absolute, or relative to the working directory."""
    flags = flags_of(path, options)
    given = flags.arguments
    paths = include_paths(given)
    parts = [search(path, options.text, paths, options.root)]
    forced = [name for option, name in itertools.pairwise(given) if option in _FORCED]
    parts += [search(name, None, paths, options.root) for name in forced]
    macros = {macro for part in parts for macro in part.macros}
    on_line = {one[2:].partition("=")[0] for one in given if one.startswith("-D")}
    return Inputs(
        flags,
        tuple(directory for part in parts for directory in part.directories),
        tuple(name for part in parts for name, _ in part.stand_ins),
        tuple(dict.fromkeys((*forced, *(file for part in parts for file in part.files)))),
        all(part.whole for part in parts) and all(map(os.path.isfile, forced)) and not macros & on_line,
        tuple(os.environ.get(name) for name in _VARIABLES),
    )
