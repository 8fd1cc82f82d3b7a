"""`validate --sanitizer`: findings on the fixtures of the rules about races and barriers, beside what
compute-sanitizer's racecheck and synccheck report of them.

Beside racecheck stand CU301 and CU304, which are about shared memory as it is; beside synccheck CU302 and
CU306. Both agree on a finding where they name a common line.
"""

import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from cudalint import __version__
from cudalint.engine import engine
from cudalint.engine.discovery import Candidate, Plan
from cudalint.errors import UsageError
from cudalint.report.json_report import dump
from cudalint.rule import registry
from cudalint.rule.findings import Finding
from cudalint.settings.config import Settings
from cudalint.source.text import shown
from cudalint.validate import driver, gpu, pairs, toolchain
from cudalint.validate.build import CompileError
from cudalint.validate.command import Options, Progress
from cudalint.validate.counting import Comparison
from cudalint.validate.toolchain import Toolchain

GROUP = "sync"
CODES = {"racecheck": frozenset(("CU301", "CU304")), "synccheck": frozenset(("CU302", "CU306"))}
Who = Literal["both", "cudalint", "sanitizer"]

_SECONDS = 60.0
_AT_ONCE = 4  # programs on the GPU: beside more of them, some do not end in time
_AT = re.compile(r"\bat (?:void )?(\w+)(?:<.*?>)?\(.*?\)\+0x[0-9a-f]+ in (\S+?):(\d+)")


class Examined(Struct, frozen=True):
    """What the tools said of a fixture. kernels: lines that a tool's reports name, by tool and kernel. why:
    the reason for which it was not built.
    """

    built: bool
    kernels: dict[str, dict[str, list[int]]] = {}
    ended: dict[str, int | str] = {}
    why: str = ""


class Row(Struct, frozen=True):
    """One finding or report; what: the function and its lines."""

    file: str
    tool: str
    what: str
    who: Who


def compared(options: Options, progress: Progress) -> Comparison:
    """Compare the fixtures of the rules that are asked for. UsageError without the tools."""
    tools = toolchain.find()
    _ = tools.compiler
    if tools.sanitizer is None:
        raise UsageError(
            "validate --sanitizer: no compute-sanitizer on PATH or below CUDA_HOME; install the CUDA"
            " toolkit or `pip install nvidia-cuda-sanitizer-api`"
        )
    gpu.require()
    files = fixtures(options.rules)
    root = pairs.folder() / GROUP
    with tempfile.TemporaryDirectory(prefix="cudalint-") as folder, gpu.visible(options.device):
        sanitizer = tools.sanitizer
        with ThreadPoolExecutor(min(options.jobs, _AT_ONCE)) as pool:
            found = pool.map(lambda file: examined(tools, sanitizer, file, Path(folder)), files)
            data = {}
            for number, (file, one) in enumerate(zip(files, found, strict=True), 1):
                data[str(file.relative_to(root))] = one
                progress(number, len(files))
    return _comparison(data, list(rows(data, lint(files))))


def fixtures(words: tuple[str, ...]) -> list[Path]:
    """Those of the group, or of the rules of it that the words name."""
    named = {code for word in words for code in registry.matching(word)}
    folders = {r.rule.name.replace("-", "_") for r in registry.load() if not words or r.rule.code in named}
    found = [f for f in sorted((pairs.folder() / GROUP).rglob("*.cu")) if f.parent.name in folders]
    found = [file for file in found if file.name != pairs.FILE]
    if not found:
        raise UsageError(
            f"--rule {' '.join(words)}: --sanitizer supports only rules about races and barriers"
        )
    return found


def examined(tools: Toolchain, sanitizer: Path, file: Path, folder: Path) -> Examined:
    """Build one fixture, with a `main` that calls its `run` where it has none, and run both tools on it."""
    into = folder / f"{file.parent.name}_{file.stem}"
    try:
        program = driver.program(tools, file, into, "native")
    except CompileError as error:
        return Examined(False, why=str(error)[-300:])
    kernels: dict[str, dict[str, list[int]]] = {}
    ended: dict[str, int | str] = {}
    for tool in CODES:
        said, ended[tool] = _output([str(sanitizer), "--tool", tool, "--print-limit", "400", str(program)])
        for name, lines in reports(said).items():
            kernels.setdefault(name, {})[tool] = lines
    return Examined(True, kernels, ended)


def _output(words: list[str]) -> tuple[str, int | str]:
    """What a command says, and how it ends."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired as late:
        return (late.stdout or b"").decode(errors="replace") if isinstance(late.stdout, bytes) else "", "time"
    return done.stdout + done.stderr, done.returncode


def reports(text: str) -> dict[str, list[int]]:
    """Lines of the source that the tool's reports name, by kernel."""
    found: dict[str, set[int]] = {}
    for name, _, line in _AT.findall(text):
        found.setdefault(name, set()).add(int(line))
    return {name: sorted(lines) for name, lines in sorted(found.items())}


def lint(files: list[Path]) -> list[Finding]:
    """Findings of the fixtures, with the default settings."""
    settings = replace(Settings(), time_limit=120.0)
    plan = Plan(tuple(Candidate(shown(str(file)), settings, False) for file in files), (), ())
    return list(engine.lint(plan, jobs=2).findings)


def rows(data: dict[str, Examined], findings: list[Finding]) -> Iterator[Row]:
    """Every finding and every report, paired where they name a common line."""
    for file, one in data.items():
        path = shown(str(pairs.folder() / GROUP / file))
        for tool, codes in CODES.items():
            mine = [f for f in findings if f.span.path == path and f.code in codes]
            said = {name: set(tools[tool]) for name, tools in one.kernels.items() if tool in tools}
            matched: set[str] = set()
            for finding in mine:
                met = {name for name, lines in said.items() if lines & _lines(finding)}
                matched |= met
                what = f"`{finding.kernel}` line {finding.span.line}, {finding.code}"
                yield Row(file, tool, what, "both" if met else "cudalint")
            for name in said.keys() - matched:
                lines = ", ".join(map(str, sorted(said[name])))
                yield Row(file, tool, f"`{name}` lines {lines}", "sanitizer")


def _lines(finding: Finding) -> set[int]:
    return {finding.span.line, *(related.span.line for related in finding.related)}


def _comparison(data: dict[str, Examined], found: list[Row]) -> Comparison:
    built = [file for file, one in data.items() if one.built]
    lines = [f"{row.file}: {row.tool}: {row.what}: {row.who}" for row in found if row.file in built]
    lines += [f"{file}: build failed: {one.why}" for file, one in data.items() if not one.built]
    count = Counter((row.tool, row.who) for row in found if row.file in built)
    lines += [
        f"{tool}: {count[tool, 'both']} reported by both, {count[tool, 'cudalint']} by cudalint only,"
        f" {count[tool, 'sanitizer']} by {tool} only"
        for tool in CODES
    ]
    document = {
        "version": 1,
        "tool": {"name": "cudalint", "version": __version__},
        "fixtures": {
            file: {"built": one.built, "kernels": one.kernels, "ended": one.ended, "why": one.why}
            for file, one in data.items()
        },
    }
    silent = all(count[tool, "sanitizer"] == 0 for tool in CODES)
    return Comparison("\n".join(lines) + "\n", dump(document), silent)
