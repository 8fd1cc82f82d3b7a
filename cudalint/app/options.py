"""The command line as data: what is a setting, and what says how the run is done and reported."""

from typing import Any

from msgspec import Struct
from msgspec.structs import fields

from cudalint.errors import UsageError
from cudalint.settings.config import Settings


class Options(Struct, frozen=True):
    """The command line of check, inspect and advise."""

    paths: tuple[str, ...]
    override: dict[str, Any]  # settings given as options, by their names in Settings
    output_format: str = "text"
    output_formats: tuple[str, ...] = ()  # of check: FORMAT or FORMAT:FILE
    output: str | None = None
    isolated: bool = False
    exit_zero: bool = False
    strict: bool = False  # a lost kernel fails the run
    statistics: bool = False
    fix: bool = False
    unsafe_fixes: bool = False
    diff: bool = False
    diff_base: str | None = None
    write_baseline: bool = False
    add_ignores: bool = False
    show_files: bool = False
    show_settings: bool = False
    watch: bool = False
    jobs: int | None = None
    stdin_filename: str | None = None
    profile: str | None = None
    explain: str | None = None  # the line that is explained; of check: whose silence is
    streams: bool = False  # of inspect: timelines instead of kernels
    no_cache: bool = False
    shard: str | None = None  # the part of the files that is linted: '3/8'
    scheduler: str | None = None  # the address of a Dask cluster that lints
    cache_dir: str | None = None


class ProofOptions(Struct, frozen=True):
    """The options of `prove` alone."""

    timeout: float = 10.0  # seconds per kernel
    kernel: str | None = None


_SETTINGS = frozenset(field.name for field in fields(Settings))
_OPTIONS = frozenset(field.name for field in fields(Options)) - {"paths", "override"}
_CODES = ("select", "extend_select", "ignore")


def of(given: dict[str, Any]) -> Options:
    """The options of a command: its parameters are named like the settings and options that they fill."""
    return Options(
        paths=paths(given.get("paths"), given.get("stdin_filename"), given.get("explain")),
        override=overrides({name: value for name, value in given.items() if name in _SETTINGS}),
        **{name: _plain(value) for name, value in given.items() if name in _OPTIONS and value is not None},
    )


def _plain(value: Any) -> Any:
    """A list as a tuple."""
    return tuple(value) if isinstance(value, list) else value


def paths(given: list[str] | None, stdin_filename: str | None, place: str | None = None) -> tuple[str, ...]:
    """The paths to lint: standard input where only its name is given, the file of a FILE:LINE where that is
    all.
    """
    if given:
        if stdin_filename is not None and "-" not in given:
            raise UsageError("--stdin-filename: nothing is read from standard input; name - as the path")
        return tuple(given)
    if place is not None:
        return (place.rpartition(":")[0],)
    if stdin_filename is None:
        raise UsageError("no path given; name files or directories, or - for standard input")
    return ("-",)


def words(given: list[str] | None) -> tuple[str, ...]:
    """The words of options that are given several times or separated by commas."""
    return tuple(word.strip() for item in given or () for word in item.split(",") if word.strip())


def overrides(given: dict[str, Any]) -> dict[str, Any]:
    """What is given of the settings: rule words may also be separated by commas."""
    found: dict[str, Any] = {}
    for name, value in given.items():
        if value is None or value is False or value == []:
            continue
        if name in _CODES:
            value = words(value)
        found[name] = tuple(value) if isinstance(value, list) else value
    return found
