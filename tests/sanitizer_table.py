"""cudalint beside compute-sanitizer on the fixtures: `python -m tests.sanitizer_table --write FILE`.

tests/data/sanitizer.json holds what racecheck and synccheck said of each fixture on a GPU (see
tests/hardware/sanitize.py). Beside racecheck stand CU301 and CU304, which are about shared memory as it is;
beside synccheck CU302 and CU306. Both agree on a finding where they name a common line.

With --write FILE the table replaces what stands between the markers in FILE.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from cudalint import engine
from cudalint.config import Settings
from cudalint.discovery import Candidate, Plan
from cudalint.findings import Finding
from cudalint.source import shown

ROOT = Path(__file__).parent.parent
FIXTURES = ROOT / "fixtures" / "sync"
DATA = ROOT / "tests" / "data" / "sanitizer.json"
ALONE = {"cudalint": "cudalint", "sanitizer": "the tool"}
BEGIN, END = "<!-- table -->", "<!-- end of table -->"
CODES = {"racecheck": frozenset(("CU301", "CU304")), "synccheck": frozenset(("CU302", "CU306"))}


@dataclass(frozen=True)
class Row:
    """One finding or report. who: 'both', 'cudalint' or 'sanitizer'."""

    file: str
    tool: str
    what: str  # the function and its lines
    who: str


def lint(files: list[Path]) -> list[Finding]:
    """Findings of the fixtures, with the default settings."""
    settings = replace(Settings(), time_limit=120.0)
    plan = Plan(tuple(Candidate(shown(str(file)), settings, False) for file in files), (), ())
    return list(engine.lint(plan, jobs=2).findings)


def lines_of(finding: Finding) -> set[int]:
    return {finding.span.line, *(related.span.line for related in finding.related)}


def rows(data: dict[str, dict[str, object]], findings: list[Finding]) -> Iterator[Row]:
    """Every finding and every report, paired where they name a common line."""
    for file, examined in data.items():
        path = shown(str(FIXTURES / file))
        for tool, codes in CODES.items():
            mine = [f for f in findings if f.span.path == path and f.code in codes]
            kernels: dict[str, dict[str, list[int]]] = examined.get("kernels", {})  # type: ignore[assignment]
            reports = {name: set(tools[tool]) for name, tools in kernels.items() if tool in tools}
            told: set[str] = set()
            for finding in mine:
                met = {name for name, lines in reports.items() if lines & lines_of(finding)}
                told |= met
                what = f"`{finding.kernel}` line {finding.span.line}, {finding.code}"
                yield Row(file, tool, what, "both" if met else "cudalint")
            for name in reports.keys() - told:
                lines = ", ".join(map(str, sorted(reports[name])))
                yield Row(file, tool, f"`{name}` lines {lines}", "sanitizer")


def page(data: dict[str, dict[str, object]], found: list[Row]) -> str:
    """The tables: counts, and where the two differ."""
    built = [file for file, examined in data.items() if examined["built"]]
    count = Counter((row.tool, row.who) for row in found if row.file in built)
    quiet = [file for file in built if not any(row.file == file for row in found)]
    text = [
        f"{len(built)} of {len(data)} fixtures were built and run; {len(quiet)} draw nothing from either.",
        "",
        "| tool | both | cudalint alone | the tool alone |",
        "|---|---|---|---|",
    ]
    for tool in CODES:
        numbers = (count[tool, who] for who in ("both", "cudalint", "sanitizer"))
        text.append(f"| {tool} | {' | '.join(map(str, numbers))} |")
    text += ["", "Where they differ:", "", "| fixture | tool | what | who |", "|---|---|---|---|"]
    text += [
        f"| {row.file} | {row.tool} | {row.what} | {ALONE[row.who]} alone |"
        for row in found
        if row.file in built and row.who != "both"
    ]
    return "\n".join(text)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", type=Path, metavar="FILE")
    options = parser.parse_args()
    data = json.loads(DATA.read_text())["fixtures"]
    table = page(data, list(rows(data, lint([FIXTURES / file for file in data]))))
    print(table)
    if options.write:
        before, rest = options.write.read_text().split(BEGIN)
        after = rest.split(END)[1]
        options.write.write_text(f"{before}{BEGIN}\n\n{table}\n\n{END}{after}")


if __name__ == "__main__":
    main()
