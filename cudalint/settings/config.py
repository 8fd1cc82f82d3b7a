"""Settings: defaults, cudalint.toml or [tool.cudalint] of a pyproject.toml, and the command line on top."""

import difflib
import operator
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import fields, replace

from cudalint import __version__
from cudalint.errors import UsageError
from cudalint.settings.launch_shape import LaunchShape
from cudalint.settings.severity import Severity
from cudalint.source.text import read_bytes

DEFAULT_ARCH = "sm_90"


class Settings(Struct, frozen=True):
    """Everything that decides how a file is linted. Times in seconds, memory in MiB.

    select empty: the rules that are on by default. arch None: the device's, else the build's, else the
    default. further_archs: those that are linted for as well. device: the name of the row in
    cudalint.gpu.devices that the code runs on. min_impact: the share (0..1) of the time that a fix has to be
    able to save for its finding to be reported. fail_on_impact: the share from which on a reported finding
    fails the run, whatever its severity. min_severity: the lowest that is reported. shapes: of launches, as a
    profile has them. root: the directory `exclude` is relative to. origin: the configuration file, '' without
    one. force_exclude: `exclude` holds also for files that are named. per_file_ignores: (pattern, rules)
    pairs. severity: (rules, level) pairs, the last that names a rule counts. baseline: the file of known
    findings. preview: rules that are new are on as well. required_version: what this version of cudalint has
    to satisfy, such as '>=0.2'.
    """

    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    arch: str | None = None
    further_archs: tuple[str, ...] = ()
    device: str | None = None
    assume: tuple[str, ...] = ()
    include_paths: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    std: str | None = None
    extra_args: tuple[str, ...] = ()
    compile_commands: str | None = None
    fail_on: Severity = Severity.WARNING
    min_severity: Severity = Severity.NOTE
    min_impact: float = 0.05
    fail_on_impact: float | None = None
    shapes: tuple[LaunchShape, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    severity: tuple[tuple[str, Severity], ...] = ()
    baseline: str | None = None
    preview: bool = False
    required_version: str | None = None
    respect_gitignore: bool = True
    force_exclude: bool = False
    time_limit: float = 60.0
    memory_limit: int = 1024
    root: str = "."
    origin: str = ""

    @property
    def target(self) -> str:
        """The architecture where no build says another."""
        return self.arch or DEFAULT_ARCH

    @property
    def archs(self) -> tuple[str, ...]:
        """All that are asked for, in order; none where the build says it."""
        return (self.arch, *self.further_archs) if self.arch else ()

    def each(self) -> tuple["Settings", ...]:
        """The settings of one lint for each architecture."""
        if not self.further_archs:
            return (self,)
        return tuple(replace(self, arch=arch, further_archs=()) for arch in self.archs)

    @property
    def arch_number(self) -> int:
        """The compute capability times ten: 90 for sm_90."""
        return arch_number(self.target)


_LISTS = frozenset(
    ["select", "extend_select", "ignore", "exclude", "assume", "include_paths", "defines", "extra_args"]
)
_FLAGS = frozenset(["respect_gitignore", "force_exclude", "preview"])
_PATHS = frozenset(["include_paths", "compile_commands", "baseline"])
_COMPARE = {">=": operator.ge, "<=": operator.le, "==": operator.eq, "<": operator.lt, ">": operator.gt}
_HEADER = re.compile(r"\s*\[\[?([^\[\]]+)\]")
_KEY = re.compile(r"\s*([\w.\-\"' ]+?)\s*=")
_NAMED_DEVICES = 6  # that a message lists, the newest
_WAY_OUT = "fix it, or ignore it with --isolated"
_NO_KEYS = ("root", "origin", "further_archs", "shapes")
KEYS = {field.name.replace("_", "-"): field.name for field in fields(Settings) if field.name not in _NO_KEYS}


def for_path(path: str, isolated: bool = False) -> Settings:
    """The settings of the nearest configuration at or above the path; defaults when there is none."""
    if isolated:
        return Settings()
    start = Path(path).absolute()
    found = _nearest(start if start.is_dir() else start.parent)
    return Settings() if found is None else _read(found)


def from_mapping(table: Mapping[str, Any]) -> Settings:
    """The settings of a table with the keys of a configuration file, relative to the working directory."""
    settings = _from_table(dict(table), _File("config", "config", "", ""), Path("."))
    return replace(settings, origin="")


def forget() -> None:
    """Read configuration files again when they are next asked for: they may have changed."""
    _nearest.cache_clear()
    _read.cache_clear()


@cache
def _nearest(directory: Path) -> Path | None:
    own = directory / "cudalint.toml"
    if own.is_file():
        return own
    project = directory / "pyproject.toml"
    if project.is_file() and _mentions_us(project):
        return project
    return None if directory.parent == directory else _nearest(directory.parent)


def _mentions_us(project: Path) -> bool:
    try:
        return b"[tool.cudalint" in read_bytes(project)
    except OSError:
        return False


class _File(Struct, frozen=True):
    """A configuration file: its name, that for messages, its text, and the table of it that is ours."""

    name: str
    shown: str
    text: str
    table: str

    def place(self, key: str) -> str:
        """File and line of a key; the file alone where the line is written in a form not looked for."""
        line = _line_of(f"{self.table}.{key}".lstrip("."), self.text)
        return f"{self.shown}:{line}" if line else self.shown


@cache
def _read(path: Path) -> Settings:
    shown = _shown(path)
    try:
        text = read_bytes(path).decode("utf-8")
        table: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{shown}: not valid TOML: {error}; {_WAY_OUT}") from None
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"{shown}: cannot be read: {reason}; {_WAY_OUT}") from None
    ours = ""
    if path.name == "pyproject.toml":
        ours = "tool.cudalint"
        tool = table.get("tool", {})
        table = tool.get("cudalint", {}) if isinstance(tool, dict) else {}
    return _from_table(table, _File(path.name, shown, text, ours), path.parent)


def place_of(settings: Settings, key: str) -> str:
    """File and line of a key of the configuration that the settings come from."""
    path = Path(settings.origin)
    ours = "tool.cudalint" if path.name == "pyproject.toml" else ""
    return _File(path.name, _shown(path), read_bytes(path).decode("utf-8"), ours).place(key)


def _line_of(wanted: str, text: str) -> int:
    """The first line that sets a key or opens a table of that dotted name; 0 when there is none.

    tomllib tells no lines: they are looked for in the text, whose keys are known to be there.
    """
    section = ""
    for number, row in enumerate(text.splitlines(), 1):
        header = _HEADER.match(row)
        key = None if header else _KEY.match(row)
        if header:
            section = _bare(header.group(1))
            name = section
        elif key:
            name = f"{section}.{_bare(key.group(1))}".lstrip(".")
        else:
            continue
        if f"{name}.".startswith(f"{wanted}."):
            return number
    return 0


def _bare(name: str) -> str:
    """A dotted TOML key without quotes and blanks."""
    return re.sub(r"[\s\"']", "", name)


def _from_table(table: Any, file: _File, root: Path) -> Settings:
    """Settings from a configuration table; an unknown key or a wrong type is an error that names its file,
    line and key.
    """
    if not isinstance(table, dict):
        raise UsageError(f"{file.shown}: tool.cudalint must be a table; {_WAY_OUT}")
    values: dict[str, Any] = {"root": str(root), "origin": str(root / file.name)}
    for key, value in table.items():
        name = KEYS.get(key)
        if name is None:
            raise UsageError(f"{file.place(key)}: unknown key '{key}'; {_known(key)}; {_WAY_OUT}")
        if name == "arch":
            values["arch"], *values["further_archs"] = _archs_of_key(value, f"{file.place(key)}: key '{key}'")
        else:
            values[name] = _value(name, key, value, file, root)
    values["further_archs"] = tuple(values.get("further_archs", ()))
    settings = Settings(**values)
    return replace(settings, arch=_arch_of_device(settings, file)) if settings.device else settings


def _archs_of_key(value: Any, place: str) -> list[str]:
    """The architectures of a configuration: one as a string, or a list of them."""
    words = value if isinstance(value, list) else [value]
    if not words or not all(isinstance(word, str) for word in words):
        raise UsageError(f"{place} must be a string or a list of strings, not {value!r}")
    return [name for word in words for name in archs(word, place)]


def _arch_of_device(settings: Settings, file: _File) -> str:
    """The architecture of the device that is named; the configuration may not name another one beside it."""
    name = settings.device or ""
    own = _arch_of(name)
    if settings.arch and not _is_among(own, settings.archs):
        raise UsageError(
            f"{file.place('arch')}: key 'arch' is {', '.join(settings.archs)}, but device '{name}' is {own}; "
            "remove one of the two"
        )
    return settings.arch or own


def _known(key: str) -> str:
    """What an unknown key may have meant."""
    close = difflib.get_close_matches(key, KEYS, 1)
    return f"did you mean '{close[0]}'?" if close else f"known keys: {', '.join(sorted(KEYS))}"


def _value(name: str, key: str, value: Any, file: _File, root: Path) -> Any:
    place = f"{file.place(key)}: key '{key}'"

    def wrong(expected: str) -> UsageError:
        return UsageError(f"{place} must be {expected}, not {value!r}")

    if name in _LISTS:
        if not _are_words(value):
            raise wrong("a list of strings")
        return tuple(str(root / item) for item in value) if name in _PATHS else tuple(value)
    if name in ("fail_on", "min_severity"):
        return severity(value, place)
    if name in _FLAGS:
        if not isinstance(value, bool):
            raise wrong("true or false")
        return value
    if name == "per_file_ignores":
        if not isinstance(value, dict) or not all(map(_are_words, value.values())):
            raise wrong("a table from patterns to lists of rules")
        return tuple((pattern, tuple(words)) for pattern, words in value.items())
    if name == "severity":
        if not isinstance(value, dict):
            raise wrong("a table from rules to severities")
        return tuple((word, severity(level, place)) for word, level in value.items())
    if name in ("min_impact", "fail_on_impact"):
        return share(value, place)
    if name in ("time_limit", "memory_limit"):
        if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
            raise wrong("a number above 0")
        return float(value) if name == "time_limit" else int(value)
    if not isinstance(value, str):
        raise wrong("a string")
    if name == "device":
        return device(value, place)
    if name == "std":
        return standard(value, place)
    if name == "required_version":
        return required(value, place)
    return str(root / value) if name in _PATHS else value


def _are_words(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def required(words: str, place: str) -> str:
    """Versions that are asked for, such as '>=0.2, <1'; UsageError where this one is none of them."""
    for word in words.split(","):
        found = re.fullmatch(r"\s*(>=|<=|==|<|>|)\s*(\d+(?:\.\d+)*)\s*", word)
        if found is None:
            raise UsageError(f"{place}: '{word}' is not a version; expected one like '>=0.2'")
        if not _COMPARE[found[1] or "=="](_numbers(__version__), _numbers(found[2])):
            raise UsageError(
                f"{place}: this is cudalint {__version__}, but {words} is required; install that"
            )
    return words


def _numbers(version: str) -> tuple[int, ...]:
    """1.2.0 as (1, 2): zeros at the end say nothing."""
    return tuple(map(int, re.findall(r"\d+", re.sub(r"(\.0+)+$", "", version))))


def share(percent: Any, place: str) -> float:
    """A share (0..1) of what is given in percent; UsageError names the place otherwise."""
    if isinstance(percent, bool) or not isinstance(percent, int | float) or not 0 <= percent <= 100:
        given = f"{percent:g}" if isinstance(percent, float) else repr(percent)
        raise UsageError(f"{place} must be a percentage from 0 to 100, not {given}")
    return percent / 100


def severity(word: Any, place: str) -> Severity:
    """The severity of a word; UsageError names the place otherwise."""
    if word not in [level.value for level in Severity]:
        raise UsageError(f"{place}: '{word}' is not a severity; expected error, warning or note")
    return Severity(word)


def arch(word: str, place: str) -> str:
    """An architecture name such as sm_90 or sm_90a, checked."""
    digits = word.removeprefix("sm_").removesuffix("a").removesuffix("f")
    if not word.startswith("sm_") or not digits.isdigit() or not 10 <= int(digits) <= 150:
        raise UsageError(f"{place}: '{word}' is not an architecture; expected one like sm_90")
    return word


def archs(words: str, place: str) -> tuple[str, ...]:
    """The architectures of a list with commas, each once, checked."""
    return tuple(dict.fromkeys(arch(word.strip(), place) for word in words.split(",")))


def device(word: str, place: str) -> str:
    """The name of a device as its table has it, in any case."""
    from cudalint.gpu.devices import DEVICES

    names = {row.name.lower(): row.name for row in DEVICES}
    wanted = " ".join(word.lower().split())
    if wanted in names:
        return names[wanted]
    close = [name for key, name in names.items() if wanted and wanted in key]
    close += [names[key] for key in difflib.get_close_matches(wanted, names, 3) if names[key] not in close]
    listed = ", ".join(f"'{name}'" for name in close or list(names.values())[-_NAMED_DEVICES:])
    hint = f"did you mean one of {listed}?" if close else f"known are, among others, {listed}"
    raise UsageError(f"{place}: no device named '{word}'; {hint}")


def standard(word: str, place: str) -> str:
    """The name of a C++ standard such as c++17 or gnu++20, checked."""
    if not re.fullmatch(r"(?:c|gnu)\+\+(?:98|03|0x|1[14yz7]|2[03abc6])", word):
        raise UsageError(f"{place}: '{word}' is not a C++ standard; expected one like c++17")
    return word


def arch_number(word: str) -> int:
    """The compute capability times ten: 90 for sm_90a."""
    return int("".join(c for c in word if c.isdigit()))


def override(settings: Settings, **given: Any) -> Settings:
    """The settings with the command line's values on top: lists that add up are appended, the others
    replace. An architecture replaces all that the configuration names, and so does that of a device which is
    none of them.
    """
    added = ("extend_select", "ignore", "assume", "include_paths", "defines", "extra_args", "exclude")
    changes: dict[str, Any] = {}
    for name, value in given.items():
        if value is None or value == ():
            continue
        changes[name] = getattr(settings, name) + tuple(value) if name in added else value
    if "arch" in changes:
        changes["arch"], *further = archs(changes["arch"], "--arch")
        changes["further_archs"] = tuple(further)
    elif "device" in changes:
        own = _arch_of(changes["device"])
        if not _is_among(own, settings.archs):
            changes |= {"arch": own, "further_archs": ()}
    return replace(settings, **changes)


def named_device(word: str, arch_words: str | None) -> str:
    """The device of the command line, which an architecture beside it may not contradict."""
    name = device(word, "--device")
    if arch_words and not _is_among(_arch_of(name), archs(arch_words, "--arch")):
        raise UsageError(f"--device: '{name}' is {_arch_of(name)}, but --arch is {arch_words}")
    return name


def _arch_of(name: str) -> str:
    """The architecture of a device of the table."""
    from cudalint.gpu.devices import device as row

    return f"sm_{row(name).arch}"


def _is_among(own: str, names: tuple[str, ...]) -> bool:
    return any(arch_number(name) == arch_number(own) for name in names)


def _shown(path: Path) -> str:
    try:
        return path.relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()
