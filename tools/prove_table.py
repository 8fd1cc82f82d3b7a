"""`cudalint prove` against labelled kernels: `python -m tools.prove_table --labels CSV --root REPO=DIR`.

CSV has the columns repo, path, label (race, race-free or divergence), block, grid, defines and note: kernels
of the test suites of GPUVerify and Faial with the verdict that the suite expects. DIR is a checkout of REPO.
Shapes become assumptions, one row a file; a file is refuted when a kernel of it is, and proved when all are.

The macros by which the suites state preconditions become `__builtin_assume`, their hints for loop invariants
nothing. Rows noted as warp-synchronous are run for threads of a warp in lock step.

With --write the tables replace what stands between the markers in docs/prove.md.
"""

import argparse
import csv
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from cudalint.frontend import LoadOptions, UnitFailed, load
from cudalint.prove.model import Options, prove
from cudalint.settings.assume import parse_all

PAGE = Path(__file__).parent.parent / "docs" / "prove.md"
BEGIN, END = "<!-- tables: written by tools/prove_table.py -->", "<!-- end of tables -->"
LABELS = ("race", "divergence", "race-free")
ANSWERS = ("proved", "refuted", "not decided")
_PRECONDITIONS = ("__requires", "__assume", "__global_requires")
_HINTS = """
__invariant __global_invariant __candidate_invariant __ensures __assert __requires_fresh_array
""".split()
_LOCKSTEP = 60


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one row. seconds: one number a kernel."""

    path: str
    label: str
    answer: str
    reasons: tuple[str, ...]
    kind: str
    seconds: tuple[float, ...]


def defines(row: Mapping[str, str]) -> tuple[str, ...]:
    """The macros of a row and of the suites."""
    suite = [f"{name}(...)=__builtin_assume(__VA_ARGS__)" for name in _PRECONDITIONS]
    suite += [f"{name}(...)=((void)0)" for name in _HINTS]
    suite += ["__implies(a,b)=(!(a)||(b))", "__is_pow2(e)=(((e)&((e)-1))==0)"]
    return (*row["defines"].split(), *suite)


def assumptions(row: Mapping[str, str]) -> tuple[str, ...]:
    """The shape of a row."""
    found = []
    for name, shape in (("blockDim", row["block"]), ("gridDim", row["grid"])):
        for axis, extent in zip("xyz", shape.split(",") if shape else (), strict=False):
            found.append(f"{name}.{axis} == {extent}")
    return tuple(found)


def judged(row: Mapping[str, str], root: str, timeout: float) -> Outcome:
    """The outcome of one row."""
    arch = _LOCKSTEP if row["note"] == "warp-synchronous" else 0
    options = Options(parse_all(assumptions(row)), timeout, arch)
    path = f"{row['repo'].partition('/')[2]}/{row['path']}"
    try:
        verdicts = prove(load(str(Path(root, row["path"])), LoadOptions(defines=defines(row))), options)
    except UnitFailed:
        return Outcome(path, row["label"], "not decided", ("the file could not be read",), "", ())
    answers = [verdict.answer for verdict in verdicts]
    best = "proved" if answers else "not decided"
    answer = next((a for a in ("refuted", "not decided") if a in answers), best)
    reasons = [v.reasons[0] for v in verdicts if v.answer == "not decided"]
    kind = next((v.witness.kind for v in verdicts if v.witness is not None), "")
    if not answers:
        reasons = ["no kernel is in the file"]
    return Outcome(path, row["label"], answer, tuple(reasons), kind, tuple(v.seconds for v in verdicts))


def counts(outcomes: Sequence[Outcome]) -> list[str]:
    """The table of answers by label."""
    lines = ["| label | rows | " + " | ".join(ANSWERS) + " |", "|---|---|---|---|---|"]
    for label in LABELS:
        mine = [o for o in outcomes if o.label == label]
        numbers = [sum(o.answer == answer for o in mine) for answer in ANSWERS]
        lines.append(f"| {label} | {len(mine)} | " + " | ".join(map(str, numbers)) + " |")
    return lines


def wrong(outcomes: Sequence[Outcome]) -> list[str]:
    """The rows where the answer is not the label's."""
    lines = []
    for outcome in outcomes:
        if outcome.answer == "proved" and outcome.label != "race-free":
            lines.append(f"- proved, labelled {outcome.label}: {outcome.path}")
        if outcome.answer == "refuted" and outcome.label == "race-free":
            lines.append(f"- refuted ({outcome.kind}), labelled race-free: {outcome.path}")
    return lines or ["None."]


def reasons(outcomes: Sequence[Outcome]) -> list[str]:
    """Why rows are not decided, the first reason of each."""
    found = Counter(o.reasons[0] for o in outcomes if o.answer == "not decided")
    return ["| reason | rows |", "|---|---|", *(f"| {reason} | {n} |" for reason, n in found.most_common())]


def text(outcomes: Sequence[Outcome]) -> str:
    """All tables in Markdown."""
    seconds = [s for outcome in outcomes for s in outcome.seconds]
    decided = sum(outcome.answer != "not decided" for outcome in outcomes)
    middle = median(seconds)
    parts = [
        *counts(outcomes),
        "",
        f"{decided} of {len(outcomes)} rows are decided; a kernel takes {middle:.2f} seconds in the median.",
        "",
        "Answers that differ from the label:",
        "",
        *wrong(outcomes),
        "",
        "Why rows are not decided:",
        "",
        *reasons(outcomes),
    ]
    return "\n".join(parts)


def written(page: str, tables: str) -> str:
    """The page with the tables between the markers."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{tables}\n{END}{after}"


def _job(job: tuple[dict[str, str], str, float]) -> Outcome:
    return judged(*job)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--labels", required=True)
    parser.add_argument("--root", action="append", default=[], help="REPO=DIR")
    parser.add_argument("--timeout", type=float, default=10.0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--each", action="store_true", help="print every row as well")
    parser.add_argument("--only", default="", help="rows whose path contains this")
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    roots = dict(root.split("=", 1) for root in chosen.root)
    with Path(chosen.labels).open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["repo"] in roots and chosen.only in row["path"]]
    jobs = [(row, roots[row["repo"]], chosen.timeout) for row in rows]
    with ProcessPoolExecutor(chosen.jobs) as pool:
        outcomes = list(pool.map(_job, jobs))
    if chosen.each:
        for o in outcomes:
            why = o.kind or "; ".join(o.reasons)
            print(f"{o.answer:12} {o.label:10} {sum(o.seconds):6.2f} {o.path} {why}")
    tables = text(outcomes)
    print(tables)
    if chosen.write:
        PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), tables), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
