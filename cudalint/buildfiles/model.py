"""What is known of how a unit is compiled: its command in the database, else the lists of CMake."""

import os

from msgspec.structs import replace

from cudalint.buildfiles import cmake, database
from cudalint.buildfiles.facts import BuildFacts, Option
from cudalint.settings.config import Settings

_HEADERS = (".cuh", ".h", ".hpp", ".hh", ".hxx", ".inl")


def facts(path: str, settings: Settings) -> BuildFacts | None:
    """None where nothing is known. An option that CMake's lists write is told there, where it can be changed,
    and not in the database that CMake writes.
    """
    if path.lower().endswith(_HEADERS) or not os.path.isfile(path):
        return None
    named = settings.arch is not None
    written = cmake.facts(path, named)
    built = database.facts(path, settings.compile_commands, named)
    if built is None or written is None:
        return built or written
    code = built.code
    if code and written.code and code.native == written.code.native and code.virtual == written.code.virtual:
        code = written.code
    moved = {(o.name, o.value): _where_written(o, written) for o in built.options}
    rest = [option for option in written.options if (option.name, option.value) not in moved]
    return replace(built, options=(*moved.values(), *rest), code=code)


def _where_written(option: Option, written: BuildFacts) -> Option:
    for other in reversed(written.options):
        if (other.name, other.value) == (option.name, option.value):
            return replace(option, span=other.span, release=option.release or other.release)
    return option
