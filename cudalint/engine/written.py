"""What the texts of a unit say: their lines, and the comments in them that are about cudalint."""

import os

from cudalint.errors import UsageError
from cudalint.ir.unit import Problem, Unit
from cudalint.rule import registry
from cudalint.settings.assume import Assumption, parse_all
from cudalint.settings.config import Settings
from cudalint.source.suppressions import Suppression
from cudalint.source.text import decode, display_path, read_bytes, split


def lines_of(unit: Unit, text: str, unsaved: tuple[tuple[str, str], ...]) -> dict[str, tuple[str, ...]]:
    here = os.getcwd()
    lines = {display_path(path, here): split(held) for path, held in unsaved} | {unit.path: split(text)}
    for path in dict.fromkeys((*unit.project_files, *unit.headers)):
        if path not in lines:
            try:
                lines[path] = split(decode(read_bytes(path)))
            except OSError:
                continue
    return lines


def suppressions_of(path: str, lines: tuple[str, ...]) -> tuple[Suppression, ...]:
    if not any("cudalint" in line or "NOLINT" in line for line in lines):
        return ()
    from cudalint.source.comments import suppressions

    names = {loaded.rule.name: loaded.rule.code for loaded in registry.load()}
    return tuple(suppressions(path, "\n".join(lines), names))


def assumptions_of(
    settings: Settings, lines: dict[str, tuple[str, ...]]
) -> tuple[tuple[Assumption, ...], tuple[Problem, ...]]:
    """Assumptions of the command line and of comments; invalid comments become problems."""
    found = list(parse_all(settings.assume))
    wrong: list[Problem] = []
    for path, rows in lines.items():
        if not any("cudalint" in row and "assume" in row for row in rows):
            continue
        from cudalint.source.comments import assumptions

        for text, span in assumptions(path, "\n".join(rows)):
            try:
                found.extend(parse_all((text,)))
            except UsageError as error:
                wrong.append(Problem(str(error), span))
    return tuple(found), tuple(wrong)
