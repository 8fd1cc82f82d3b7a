"""The formats of `check`, by name, and where each report goes: `--output-format sarif:out.sarif`."""

import importlib
from collections.abc import Callable

from msgspec import Struct

from cudalint.errors import UsageError
from cudalint.report.content import Content

_MODULES = {
    "full": "full",
    "concise": "concise",
    "grouped": "grouped",
    "json": "json_report",
    "json-lines": "json_lines",
    "sarif": "sarif",
    "github": "github",
    "gitlab": "gitlab",
    "junit": "junit",
    "rdjson": "rdjson",
    "markdown": "markdown",
    "html": "html_report",
}
FORMATS = tuple(_MODULES)
TEXT = ("full", "concise", "grouped")
WITH_FIXES = ("json", "json-lines", "sarif", "rdjson")


class Target(Struct, frozen=True):
    """A report and the file that it goes to; None: standard output."""

    format: str
    output: str | None


def targets(words: tuple[str, ...], output: str | None) -> tuple[Target, ...]:
    """What FORMAT and FORMAT:FILE ask for. `output` is the file of the format that names none."""
    found = []
    for word in words:
        name, colon, file = word.partition(":")
        if name not in _MODULES:
            raise UsageError(f"--output-format: '{name}' is not one of {', '.join(FORMATS)}")
        if colon and not file:
            raise UsageError(f"--output-format: '{word}' names no file; expected {name}, or {name}:FILE")
        found.append(Target(name, file or output))
    files = [target.output for target in found]
    if len(set(files)) < len(files):
        place = next(file for file in files if files.count(file) > 1) or "standard output"
        raise UsageError(f"--output-format: two reports go to {place}; name a file, as in sarif:out.sarif")
    return tuple(found)


def render(name: str, content: Content) -> str:
    """The report. The format's own module does it: the others are not imported."""
    function: Callable[[Content], str] = importlib.import_module(f"cudalint.report.{_MODULES[name]}").render
    return function(content)
