"""What cudalint says of the items of a list that careful readers of a source agreed on, and why it does not
speak of the others.

`python -m tools.recall LIST.csv --root DIR --codes CODES.json [--write docs/recall.md]`. The list has
a row for each item: folder (below the root), file, lines, kernel, kind, severity. CODES.json names the rules
of each kind; a kind that is not in it has none. Only counts go into the document.
"""

import argparse
import csv
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from cudalint.engine import engine
from cudalint.engine.discovery import discover
from cudalint.rule import registry
from cudalint.rule.findings import Finding
from cudalint.settings.location import Place
from cudalint.source.text import shown

BEGIN, END = "<!-- recall: written by python -m tools.recall -->", "<!-- end of recall -->"
CAUSES = {
    "reported": "reported",
    "below": "found, impact below the threshold",
    "opt-in": "found by an opt-in rule",
    "elsewhere": "reported in the kernel, at other lines",
    "unknown": "the fact has no number",
    "silent": "the fact is there, the rule finds nothing",
    "no fact": "no fact at these lines",
    "no rule": "no rule for it",
}
_SEVERITIES = ("high", "medium", "low")
_RELATED = 8  # places of a finding that count as its own
_LINES = 4  # of an item that are asked about


class Item(Struct, frozen=True):
    """A row of the list. codes: the rules that could say it."""

    folder: str
    file: str
    lines: tuple[int, ...]
    kernel: str
    kind: str
    severity: str
    codes: tuple[str, ...]


def items(rows: Iterable[dict[str, str]], codes: dict[str, list[str]]) -> list[Item]:
    """The rows of the list, with the rules of their kinds."""
    return [
        Item(
            folder=row["folder"],
            file=row["file"],
            lines=tuple(map(int, row["lines"].split())),
            kernel=row["kernel"],
            kind=row["kind"],
            severity=row["severity"],
            codes=tuple(codes.get(row["kind"], ())),
        )
        for row in rows
    ]


def covers(finding: Finding, item: Item) -> bool:
    """Whether the finding, or one of the first places that belong to it, is on a line of the item."""
    spans = (finding.span, *(related.span for related in finding.related[:_RELATED]))
    return any(
        Path(span.path).name == item.file and any(span.line <= n <= span.end_line for n in item.lines)
        for span in spans
    )


def cause(item: Item, known: set[str], shown_ones: list[Finding], all_ones: list[Finding]) -> str | None:
    """What became of an item, by the findings of a run as users have it and of one with every rule and
    without a threshold; None where no rule has a finding on its lines or in its kernel. known: the codes
    of all rules; those that are on are enough for `below`.
    """
    codes = known & set(item.codes)
    if not codes:
        return "no rule"
    if any(covers(finding, item) for finding in shown_ones if finding.code in codes):
        return "reported"
    hidden = [finding for finding in all_ones if finding.code in codes and covers(finding, item)]
    if hidden:
        on = {loaded.rule.code for loaded in registry.load() if loaded.rule.default}
        return "below" if any(finding.code in on for finding in hidden) else "opt-in"
    if item.kernel and any(_kernel(f) == item.kernel for f in shown_ones if f.code in codes):
        return "elsewhere"
    return None


def _kernel(finding: Finding) -> str:
    return finding.kernel.split("<")[0].split("::")[-1]


def verdict(tables: Iterable[dict[str, Any]], codes: tuple[str, ...]) -> str:
    """Why rules are silent about lines, by what --explain-silence says of each: the nearest miss."""
    rows = [row for table in tables for row in table["rules"] if row["code"] in codes]
    seen = {row["verdict"] for row in rows}
    return "unknown" if "unknown" in seen else "silent" if "nothing found" in seen else "no fact"


def table(judged: list[tuple[Item, str]]) -> str:
    """Causes by severity, then kinds by what was reported."""
    counts = Counter((why, item.severity) for item, why in judged)
    every = Counter(item.severity for item, _ in judged)
    rows = [f"| what becomes of an item | {' | '.join(_SEVERITIES)} |", "|---|---:|---:|---:|"]
    for key, text in CAUSES.items():
        rows.append(f"| {text} | {' | '.join(str(counts[key, s]) for s in _SEVERITIES)} |")
    rows.append(f"| **all** | {' | '.join(f'**{every[s]}**' for s in _SEVERITIES)} |")
    rows += ["", "| kind (medium and high) | items | reported | most frequent cause of silence |"]
    rows.append("|---|---:|---:|---|")
    kinds: dict[str, Counter[str]] = {}
    for item, why in judged:
        if item.severity != "low":
            kinds.setdefault(item.kind, Counter())[why] += 1
    for kind, whys in sorted(kinds.items(), key=lambda pair: (-pair[1].total(), pair[0])):
        silent = [(n, why) for why, n in whys.most_common() if why != "reported"]
        why = f"{CAUSES[silent[0][1]]} ({silent[0][0]})" if silent else ""
        rows.append(f"| {kind} | {whys.total()} | {whys['reported']} | {why} |")
    return "\n".join(rows)


def judge(root: Path, wanted: list[Item]) -> Iterator[tuple[Item, str]]:
    """Every item with what became of it. The paths of the list are below the root."""
    os.chdir(root)
    known = {loaded.rule.code for loaded in registry.load()}
    everything = {"select": ("ALL",), "min_impact": 0.0}
    for folder in dict.fromkeys(item.folder for item in wanted):
        shown_ones = list(engine.lint(discover((folder,), True, {})).findings)
        all_ones = list(engine.lint(discover((folder,), True, everything)).findings)
        for item in (item for item in wanted if item.folder == folder):
            why = cause(item, known, shown_ones, all_ones)
            yield item, why if why is not None else verdict(_silences(item), item.codes)


def _silences(item: Item) -> Iterator[dict[str, Any]]:
    plan = discover((item.folder,), True, {})
    file = next((str(p) for p in sorted(Path(item.folder).rglob(item.file))), item.file)
    for line in item.lines[:_LINES]:
        run = engine.lint(plan, explain=Place(shown(file), line), silence=True)
        yield from (result.silence for result in run.results if result.silence is not None)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("list", type=Path)
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--codes", type=Path, required=True)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--rows", action="store_true", help="print each item with its cause")
    options = parser.parse_args(arguments)
    document = options.write.resolve() if options.write else None
    with options.list.open(encoding="utf-8") as file:
        rows = items(csv.DictReader(file), json.loads(options.codes.read_text(encoding="utf-8")))
    judged = list(judge(options.root, rows))
    for item, why in judged if options.rows else ():
        print(item.severity, item.kind, f"{item.folder}/{item.file}:{item.lines[0]}", why, sep="\t")
    text = table(judged)
    print(text)
    if document is not None:
        before, _, rest = document.read_text(encoding="utf-8").partition(BEGIN)
        after = rest.partition(END)[2]
        document.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
