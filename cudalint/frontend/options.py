"""What the command line and the configuration say about parsing."""

from msgspec import Struct


class LoadOptions(Struct, frozen=True):
    """Options of one load. arch as written ('sm_90'), None: from the command line, else the default.

    compile_commands: a directory with (or the path of) compile_commands.json, None: look in the parents.
    text: the source, when it is not the file's (standard input). root: the project's top, which bounds the
    search for headers. directory: what paths are relative to, None: the working directory. unsaved: absolute
    paths of other files and what they hold, where that is not on disk. first_variable: below the numbers of
    the variables, which tells those of several files apart.
    """

    arch: str | None = None
    include_paths: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    std: str | None = None
    extra_args: tuple[str, ...] = ()
    compile_commands: str | None = None
    text: str | None = None
    root: str | None = None
    directory: str | None = None
    unsaved: tuple[tuple[str, str], ...] = ()
    first_variable: int = 0
