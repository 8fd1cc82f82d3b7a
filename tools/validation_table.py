"""docs/validation.md from what was measured: `python -m tools.validation_table --write docs/validation.md`.

The times are those of the newest record in cudalint/measurements/, the counters those of the newest that has
any, beside what the model says today; tests/data/counters.json (tools/counters.py) has those of further
fixtures; tests/data/evidence.json is what `cudalint validate --compile-only --output-format json` prints.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cudalint.rule import measured, registry
from cudalint.rule.measured import Record
from cudalint.validate import counting
from cudalint.validate.counting import Line
from tools import counters as counted

ROOT = Path(__file__).parent.parent
EVIDENCE = ROOT / "tests" / "data" / "evidence.json"
BEGIN, END = "<!-- measured -->", "<!-- end of measured -->"


def times(record: Record) -> Iterator[str]:
    """A row a pair."""
    names = {loaded.rule.code: loaded.rule.name for loaded in registry.load()}
    yield "| rule | slow ms | fast ms | slowdown | spread | predicted | predicted / measured |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for one in record.rules:
        guess = "-" if one.predicted is None else f"{one.predicted:.2f}"
        quotient = "-" if one.predicted is None else f"{one.predicted / one.slowdown:.2f}"
        clock = "" if one.clock == "events" else ", wall clock"
        yield (
            f"| {one.code} {names[one.code]}{clock} | {one.bad_ms:.4g} | {one.good_ms:.4g}"
            f" | {one.slowdown:.2f} | {one.spread:.1%} | {guess} | {quotient} |"
        )


def evidence(document: dict[str, Any]) -> Iterator[str]:
    """A row a question, with the counts of every architecture."""
    archs = list(dict.fromkeys(one["arch"] for rule in document["rules"] for one in rule["evidence"]))
    yield f"| rule | counted in the machine code | expected | {' | '.join(archs)} |"
    yield "|---|---|---|" + "---|" * len(archs)
    for rule in document["rules"]:
        for what in dict.fromkeys(one["what"] for one in rule["evidence"]):
            mine = {one["arch"]: one for one in rule["evidence"] if one["what"] == what}
            cells = [_cell(mine.get(arch)) for arch in archs]
            relation = next(iter(mine.values()))["relation"]
            yield f"| {rule['code']} {rule['name']} | {what} | {relation} | {' | '.join(cells)} |"


def _cell(one: dict[str, Any] | None) -> str:
    if one is None:
        return "-"
    return f"{one['bad']} / {one['good']}" + ("" if one["holds"] else " (not so)")


def counters(lines: list[Line]) -> Iterator[str]:
    """How many lines agree, and those that do not."""
    exact = [line for line in lines if line.certainty == "exact"]
    other = [line for line in exact if not line.agrees]
    same = len(exact) - len(other)
    yield (
        f"{same} of {len(exact)} lines with certainty exact are as Nsight Compute counted them;"
        f" {len(lines) - len(exact)} more are not exact."
    )
    if other:
        yield ""
        yield "| fixture, line | access | counted | predicted |"
        yield "|---|---|---:|---:|"
    for line in other:
        one = line.counted
        yield (
            f"| {line.subject.file}, {one.line} | {one.space} {one.operation}"
            f" | {one.whole.per_request[0]:.2f} | {line.predicted:.2f} |"
        )


def uncounted(runnable: int) -> str:
    """Why the other fixtures were not counted."""
    others = json.loads(counted.DATA.read_text(encoding="utf-8"))["uncounted"]
    reasons = {why: len(files) for why, files in others.items()}
    reasons["counted before they changed"] = runnable - len(counted.unchanged()) - sum(reasons.values())
    return "; of the others: " + ", ".join(f"{number} {why}" for why, number in reasons.items() if number)


def page(records: tuple[Record, ...], document: dict[str, Any]) -> str:
    """What stands between the markers. records: the newest first."""
    record, runnable = records[0], len(counting.subjects(()))
    device, counts = record.device, measured.with_counters(records)
    rows = [
        f"{device.name}, {device.multiprocessors} multiprocessors at {device.clock_khz / 1e6:.2f} GHz,"
        f" {record.date}, {record.compiler}: {len(record.rules)} pairs, all with the right results.",
        "",
        *times(record),
        "",
        "## Counters",
        "",
        *(["No record has counters."] if counts is None else [f"Of the pairs, on {counts.date}:", ""]),
        *(counters(counting.today(counts)) if counts is not None else []),
        "",
        f"Of {len(counted.unchanged())} fixtures, pairs among them, of the"
        f" {runnable} that launch something{uncounted(runnable)}:",
        "",
        *counters(list(counted.lines())),
        "",
        "## Machine code",
        "",
        "Instructions in the slow / in the fast variant:",
        "",
        *evidence(document),
    ]
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", type=Path, metavar="FILE")
    options = parser.parse_args()
    text = page(measured.shipped(), json.loads(EVIDENCE.read_text(encoding="utf-8")))
    if options.write is None:
        print(text)
        return
    before, rest = options.write.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    options.write.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
