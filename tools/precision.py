"""How many findings are true, on real code, as people judge them.

`draw --root NAME=DIR ... --out SAMPLE` lints the trees and draws up to 50 findings of every rule that is on
by default, with a fixed seed. With `--judged OLD` a verdict of an earlier round stands for a finding of the
same rule at the same place, whatever its words. `SAMPLE.md` is for those who judge: findings without a
verdict, and their places. They write lists of {"id", "verdict", "why"}, which `judge SAMPLE VERDICTS...`
enters. `table SAMPLE --write docs/precision.md` counts them.
"""

import argparse
import glob
import itertools
import json
import random
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

from cudalint.engine import engine
from cudalint.engine.discovery import Plan, discover
from cudalint.rule import registry
from cudalint.rule.findings import Finding
from cudalint.source.text import read_lines

EACH = 50
# deliberate: what the finding states is correct, in code that is there to show or to measure just that.
VERDICTS = ("true", "false", "deliberate", "unclear")
BEGIN, END = "<!-- judged findings -->", "<!-- end of judged findings -->"
Json = dict[str, Any]


def draw(findings: list[Json], seed: int, each: int = EACH) -> list[Json]:
    """Up to `each` findings a rule, whatever the order they come in; numbered from 1. A finding's place
    decides whether it is drawn, so that what is mended elsewhere leaves the rest of a sample as it was.
    """

    def lot(finding: Json) -> tuple[str, str]:
        place = f"{seed} {finding['code']} {finding['corpus']} {finding['path']} {finding['line']}"
        return sha256(place.encode()).hexdigest(), json.dumps(finding, sort_keys=True)

    drawn = []
    for code in sorted({finding["code"] for finding in findings}):
        drawn += sorted((f for f in findings if f["code"] == code), key=lot)[:each]
    return [{"id": number, **finding} for number, finding in enumerate(drawn, 1)]


def carried_over(sample: list[Json], judged: list[Json]) -> list[Json]:
    """The sample with the verdicts of an earlier one on the same rule and place, whatever the words are.
    Where one line has several findings, those of the same column count; none, where they were judged
    differently.
    """
    known: dict[tuple[str, ...], list[Json]] = {}
    for finding in judged:
        if "verdict" in finding:
            known.setdefault(_line_of(finding), []).append(finding)
    return [{**finding, **_verdict(finding, known.get(_line_of(finding), []))} for finding in sample]


def _line_of(finding: Json) -> tuple[str, ...]:
    return tuple(str(finding[key]) for key in ("corpus", "code", "path", "line"))


def _verdict(finding: Json, judged: list[Json]) -> Json:
    """What was judged of the findings on a line; samples of earlier rounds have no column."""
    same = [one for one in judged if one.get("column") in (None, finding.get("column"))]
    if len({one["verdict"] for one in same}) != 1:
        return {}
    return {key: same[0][key] for key in ("verdict", "why")}


def lint(name: str, folder: str, most: int, seed: int) -> tuple[list[Json], Json]:
    """(all findings on the folders that a pattern names, what was linted). most: files to take of them, at
    random; 0 for all.
    """
    plan = discover(tuple(sorted(glob.glob(folder))), True, {})
    candidates = list(plan.candidates)
    if most and len(candidates) > most:
        candidates = random.Random(seed).sample(candidates, most)
    run = engine.lint(Plan(tuple(candidates), (), ()))
    findings = [_plain(name, _fixed(folder), finding) for finding in run.findings]
    lines = sum(len(read_lines(file.path)) for file in run.files if file.status != "failed")
    return findings, {"corpus": name, "files": len(run.files), "lines": lines}


def _fixed(pattern: str) -> Path:
    """The part of a pattern before its first wildcard."""
    parts = Path(pattern).parts
    return Path(*itertools.takewhile(lambda part: not glob.has_magic(part), parts))


def _plain(name: str, folder: Path, finding: Finding) -> Json:
    def place(path: str) -> str:
        resolved = Path(path).resolve()
        return (
            str(resolved.relative_to(folder.resolve())) if resolved.is_relative_to(folder.resolve()) else path
        )

    def plain(text: str) -> str:
        return text.replace(f"{folder.resolve()}/", "")

    return {
        "corpus": name,
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.value,
        "path": place(finding.span.path),
        "line": finding.span.line,
        "column": finding.span.column,
        "kernel": finding.kernel,
        "message": plain(finding.message),
        "notes": [plain(note) for note in finding.notes],
        "help": plain(finding.help),
        "related": [f"{place(r.span.path)}:{r.span.line} {plain(r.message)}" for r in finding.related],
    }


def for_judges(sample: list[Json]) -> str:
    """The sample as text: what a user sees, and where."""
    parts = []
    for f in sample:
        kernel = f" in kernel {f['kernel']}" if f["kernel"] else ""
        rows = [
            f"## {f['id']}. {f['corpus']}: {f['path']}:{f['line']}{kernel}",
            f"{f['severity']}[{f['code']} {f['name']}]",
        ]
        rows += [f["message"], *(f"  note: {n}" for n in f["notes"]), f"  help: {f['help']}"]
        rows += [f"  related: {r}" for r in f["related"]]
        parts.append("\n".join(rows))
    return "\n\n".join(parts) + "\n"


def table(sample: list[Json]) -> str:
    """A row a rule: judged, each verdict, and the share of true ones among the true and the false."""
    rows = [
        "| rule | severity | judged | true | false | deliberate | unclear | precision |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    whole: Counter[str] = Counter()
    for code in sorted({f["code"] for f in sample}):
        mine = [f for f in sample if f["code"] == code and "verdict" in f]
        counts = Counter(f["verdict"] for f in mine)
        whole += counts
        severity = "/".join(sorted({f["severity"] for f in mine}))
        name = next(f["name"] for f in sample if f["code"] == code)
        rows.append(_row(f"{code} {name}", severity, counts))
    return "\n".join([*rows, _row("**all**", "", whole)])


def _row(name: str, severity: str, counts: Counter[str]) -> str:
    decided = counts["true"] + counts["false"]
    share = f"{counts['true'] / decided:.2f}" if decided else "-"
    numbers = " | ".join(str(counts[verdict]) for verdict in VERDICTS)
    return f"| {name} | {severity} | {sum(counts.values())} | {numbers} | {share} |"


def density(linted: list[Json], totals: dict[str, dict[str, int]]) -> str:
    """Findings per 1,000 lines, by corpus, and for each rule."""
    names = [one["corpus"] for one in linted]
    rows = [f"| | {' | '.join(names)} |", "|---|" + "---:|" * len(names)]
    rows.append("| files | " + " | ".join(str(one["files"]) for one in linted) + " |")
    rows.append("| lines | " + " | ".join(f"{one['lines']:,}" for one in linted) + " |")
    everything = [sum(totals.get(one["corpus"], {}).values()) / max(one["lines"], 1) * 1000 for one in linted]
    rows.append("| **findings per 1,000 lines** | " + " | ".join(f"**{n:.2f}**" for n in everything) + " |")
    for code in sorted({code for counts in totals.values() for code in counts}):
        each = [totals.get(one["corpus"], {}).get(code, 0) / max(one["lines"], 1) * 1000 for one in linted]
        rows.append(f"| {code} | " + " | ".join(f"{n:.3f}" if n else "0" for n in each) + " |")
    return "\n".join(rows)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    drawing = commands.add_parser("draw")
    drawing.add_argument("--root", action="append", required=True, metavar="NAME=DIR[=FILES]")
    drawing.add_argument("--seed", type=int, default=2)
    drawing.add_argument("--judged", type=Path)
    drawing.add_argument("--out", type=Path, required=True)
    judging = commands.add_parser("judge")
    judging.add_argument("sample", type=Path)
    judging.add_argument("verdicts", type=Path, nargs="+")
    telling = commands.add_parser("table")
    telling.add_argument("sample", type=Path)
    telling.add_argument("--write", type=Path)
    options = parser.parse_args(arguments)
    {"draw": _draw, "judge": _judge, "table": _table}[options.command](options)
    return 0


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _write(path: Path, document: Json) -> None:
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def _draw(options: argparse.Namespace) -> None:
    default = {loaded.rule.code for loaded in registry.load() if loaded.rule.default}
    findings: list[Json] = []
    linted: list[Json] = []
    for root in options.root:
        name, folder, *most = root.split("=")
        found, what = lint(name, folder, int(most[0]) if most else 0, options.seed)
        findings += found
        linted.append(what)
        print(f"{name}: {len(found)} findings in {what['files']} files", file=sys.stderr)
    totals: dict[str, dict[str, int]] = {}
    for finding in findings:
        counts = totals.setdefault(finding["corpus"], {})
        counts[finding["code"]] = counts.get(finding["code"], 0) + 1
    sample = draw([f for f in findings if f["code"] in default], options.seed)
    if options.judged is not None:
        sample = carried_over(sample, _read(options.judged)["sample"])
    _write(options.out, {"seed": options.seed, "linted": linted, "totals": totals, "sample": sample})
    open_ones = [finding for finding in sample if "verdict" not in finding]
    options.out.with_suffix(".md").write_text(for_judges(open_ones), encoding="utf-8")


def _judge(options: argparse.Namespace) -> None:
    document = _read(options.sample)
    verdicts: dict[int, Json] = {}
    for file in options.verdicts:
        for judged in _read(file):
            if judged["verdict"] not in VERDICTS:
                raise SystemExit(
                    f"{file}: finding {judged['id']}: '{judged['verdict']}' is none of {VERDICTS}"
                )
            verdicts[judged["id"]] = {key: judged[key] for key in ("verdict", "why")}
    document["sample"] = [{**finding, **verdicts.get(finding["id"], {})} for finding in document["sample"]]
    _write(options.sample, document)


def _table(options: argparse.Namespace) -> None:
    document = _read(options.sample)
    text = f"{table(document['sample'])}\n\n{density(document['linted'], document['totals'])}\n"
    if options.write is None:
        print(text)
        return
    page = options.write.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    options.write.write_text(f"{before}{BEGIN}\n\n{text}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
