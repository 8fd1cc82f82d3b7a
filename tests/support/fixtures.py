"""The fixtures, linted as their first lines ask for."""

import re
from pathlib import Path

from msgspec.structs import replace

from cudalint.engine import engine
from cudalint.engine.discovery import Candidate, Plan
from cudalint.engine.engine import Run
from cudalint.rule import pages
from cudalint.rule.rule import LoadedRule
from cudalint.settings.config import Settings
from cudalint.source.text import shown
from tests.support.checkout import ROOT

FIXTURES = ROOT / "fixtures"
FILES = sorted(FIXTURES.rglob("*.cu"))
BUILD_FILES = sorted([*FIXTURES.rglob("CMakeLists.txt"), *FIXTURES.rglob("compile_commands.json")])
CASES = ("bad", "good", "macro", "template")  # that every rule has
LAUNCH_SHAPES = ("CU501", "CU502", "CU504", "CU505", "CU506")  # what a small launch draws
SIMPLE = ("CU119", "few_bytes_in_flight")  # what most kernels of fixtures draw: one element per thread
_OPTION = re.compile(r"//\s*(select|ignore|arch|min-impact):\s*(.*?)\s*$")


def folder_of(loaded: LoadedRule) -> Path:
    """The folder of a rule's fixtures."""
    return FIXTURES / pages.category(loaded) / loaded.check.__module__.rpartition(".")[2]


def lint(*files: Path) -> Run:
    """What `cudalint check --isolated FILES` finds."""
    return lint_as({file: file for file in files})


def lint_as(files: dict[Path, Path]) -> Run:
    """The same of files of which each is linted with the options of another."""
    plan = [Candidate(shown(str(file)), options(origin), False) for file, origin in files.items()]
    return engine.lint(Plan(tuple(plan), (), ()))


def options(file: Path) -> Settings:
    """The settings that a fixture's first lines ask for. Most launches in fixtures are small and most kernels
    simple, so that this is reported only where the fixture is about it: in its room, or where it is selected.
    """
    settings = replace(Settings(), time_limit=120.0)
    for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
        match = _OPTION.match(line)
        if match is None:
            break
        if match.group(1) == "select":
            settings = replace(settings, extend_select=tuple(match.group(2).replace(",", " ").split()))
        elif match.group(1) == "ignore":
            settings = replace(settings, ignore=tuple(match.group(2).replace(",", " ").split()))
        elif match.group(1) == "min-impact":
            settings = replace(settings, min_impact=float(match.group(2)) / 100)
        else:
            settings = replace(settings, arch=match.group(2))
    if file.is_relative_to(FIXTURES):
        codes = () if file.is_relative_to(FIXTURES / "launch") else LAUNCH_SHAPES
        codes = codes if file.parent.name == SIMPLE[1] else (*codes, SIMPLE[0])
        unasked = tuple(code for code in codes if code not in settings.extend_select)
        settings = replace(settings, ignore=(*settings.ignore, *unasked))
    return settings
