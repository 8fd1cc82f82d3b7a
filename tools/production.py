"""How much of projects that teams work on is read whole, with no option: the table of docs/production.md.

    python -m tools.production measure PROJECT... --state FOLDER [--files N] [--seed S]
    python -m tools.production losses PROJECT... --state FOLDER [--limit N]
    python -m tools.production write PROJECT... --state FOLDER [--before FOLDER] [--page docs/production.md]

A project is a folder. `measure` lints its files, each in a process of its own, and keeps each result in the
folder of the state: what is there is not done again. Of a project with more than N files N are drawn, of
those with kernels or launches. The kernels that the others are compared with are counted in the text alone:
those of the files that were drawn, and of the headers of the project that these read.
"""

import argparse
import hashlib
import os
import pickle
import random
import re
import resource
import signal
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from cudalint.buildfiles.project import top
from cudalint.cuda.effects import accesses_unseen
from cudalint.engine import analysis, engine
from cudalint.engine.analysis import Task
from cudalint.engine.discovery import Candidate, Plan, discover
from cudalint.frontend.includes import SHIM, search
from cudalint.frontend.lower.lost import REASON
from cudalint.inspect.instances import Table, placed
from cudalint.rule.findings import Finding
from cudalint.rule.outcome import UnitResult
from cudalint.source.text import decode, shown
from tools.coverage import WrittenKernel, matched, sources, written_kernels

MARK = "<!-- measured -->"
PAGE = "docs/production.md"
_GIVEN = (
    "launch",
    "launch in the text",
    "launch limit",
    "launch bounds",
    "block-wide functions",
    "assumption",
)
_SPACES = ("global", "shared")
_KERNEL_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+[^\n]*\b__global__\b[^\n(]*$", re.MULTILINE)
_KERNELS = re.compile(rb"\b__global__\b|<<<")
_SHOWN = 10  # findings of a project


class Measured(Struct, frozen=True):
    """What came of one file. seconds: CPU time; mebibytes: resident peak of its process."""

    result: UnitResult
    seconds: float
    mebibytes: float


class Coverage(Struct, frozen=True):
    """The counts of one project. accesses: of global and shared memory; numbered: those that are exact, or
    whose upper bound is at most twice the lower. run: kernels that were run; given: those of which a launch,
    launch bounds or CUB's block-wide functions tell the block.
    """

    name: str
    files: int
    measured: int
    kernels: int
    whole: int
    accesses: int
    numbered: int
    run: int
    given: int
    notes: int
    findings: int
    seconds: float
    slowest: float
    mebibytes: float
    lost: int


class Project(Struct, frozen=True):
    """A project as it was measured."""

    name: str
    folder: str
    files: int
    done: tuple[Measured, ...]
    run: engine.Run


def universe(plan: Plan) -> list[Candidate]:
    """The files that a lint of the whole project analyses: all but headers that another one includes."""
    units = [c for c in plan.candidates if not c.header]
    read = {path for c in units for path in search(c.path, None, (SHIM,)).files}
    headers = (c for c in plan.candidates if c.header and os.path.abspath(c.path) not in read)
    return [*units, *headers]


def drawn(candidates: list[Candidate], number: int, seed: int, folder: str) -> list[Candidate]:
    """At most so many of the files, the same for the same seed: of those that hold a kernel or a launch, or
    read one in a header of the project.
    """
    shuffled = random.Random(seed).sample(candidates, len(candidates))
    with_kernels = (c for c in shuffled if _concerns_kernels(c, os.path.abspath(folder)))
    return sorted(islice(with_kernels, number), key=lambda c: c.path)


def _concerns_kernels(candidate: Candidate, folder: str) -> bool:
    read = search(candidate.path, None, (SHIM,)).files
    paths = [candidate.path, *(path for path in read if path.startswith(folder))]
    return any(_KERNELS.search(Path(path).read_bytes()) for path in paths if Path(path).is_file())


def analysed(candidate: Candidate, kept: Path) -> Measured:
    """One file in a process of its own; its result is kept, or, where there is one, read."""
    if not kept.exists():
        task = Task(candidate.path, candidate.settings, inspect=True)
        child = os.fork()
        if child == 0:
            resource.setrlimit(
                resource.RLIMIT_CPU, (int(candidate.settings.time_limit), resource.RLIM_INFINITY)
            )
            signal.signal(signal.SIGXCPU, signal.SIG_DFL)
            sys.setrecursionlimit(20_000)
            kept.with_suffix(".part").write_bytes(pickle.dumps(analysis.analyse(task)))
            os._exit(0)
        _, status, used = os.wait4(child, 0)
        part = kept.with_suffix(".part")
        if status == 0:
            result = pickle.loads(part.read_bytes())
        else:
            result = analysis.failed(
                task, f"its process ended with status {os.waitstatus_to_exitcode(status)}"
            )
        part.unlink(missing_ok=True)
        measured = Measured(result, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
        kept.write_bytes(pickle.dumps(measured))
    return pickle.loads(kept.read_bytes())  # type: ignore[no-any-return]


def project(
    folder: str, state: Path, number: int, seed: int, only_kept: bool = False, alike: Path | None = None
) -> Project:
    """The project, its files measured where they are not kept; only_kept: what is there alone, and in the
    other state `alike`, where one is given.
    """
    plan = discover((folder,), True, {})
    every = universe(plan)
    done = []
    for candidate in drawn(every, number, seed, folder):
        name = hashlib.sha256(candidate.path.encode()).hexdigest()[:24]
        if only_kept and not all((kept / name).exists() for kept in (state, alike or state)):
            continue
        done.append(analysed(candidate, state / name))
        if not only_kept:
            one = done[-1]
            status = one.result.outcome.status
            print(f"{one.seconds:7.1f} s {one.mebibytes:5.0f} MiB  {status:8} {candidate.path}", flush=True)
    results = [one.result for one in done]
    paths = {result.path for result in results}
    plan = replace(plan, candidates=tuple(c for c in plan.candidates if c.path in paths))
    return Project(_named(folder), folder, len(every), tuple(done), engine.joined(plan, results))


def _named(folder: str) -> str:
    """A folder from the top of its project on."""
    whole = os.path.abspath(folder)
    start = top(whole)
    return os.path.relpath(whole, os.path.dirname(start)) if start else os.path.basename(whole)


def kernels(one: Project) -> dict[WrittenKernel, str]:
    """The kernels of the text with the reason why each was not run whole, '' where it was."""
    read = {path for result in one.run.results for path in (result.path, *result.headers)}
    texts = {path: decode(Path(path).read_bytes()) for path in sorted(read) if Path(path).is_file()}
    every = (decode(source.read_bytes()) for source in sources([one.folder]))
    macros = {name for text in every for name in _KERNEL_MACRO.findall(text)}
    named = re.compile(rf"^(?!\s*#)(.*?)\b(?:{'|'.join(macros) or '(?!)'})\b", re.MULTILINE)
    written = [
        kernel
        for path, text in texts.items()
        for kernel in written_kernels(shown(path), named.sub(r"\1__global__ void", text))
    ]
    counted = matched(written, one.run.results)
    found: dict[tuple[str, int, str], list[Table]] = {}
    for item in (item for result in one.run.results for item in result.inspection):
        found.setdefault((item["path"], item["line"], item["name"]), []).append(item)
    return {
        kernel: "not seen by the frontend"
        if count is None
        else count.failure or _missing(found.get((count.path, count.line, count.name), []))
        for kernel, count in counted.items()
    }


def _missing(of_units: list[Table]) -> str:
    """What of a kernel may hold accesses that are not recorded in any of the units that ran it, or ''."""
    lost = [_unrecorded(item) for item in of_units]
    return "" if "" in lost else next(iter(lost), "not run")


def _unrecorded(item: Table) -> str:
    if item["as_written"]:
        return "template without arguments"
    reasons = (unknown["reason"] for unknown in item["unknowns"])
    return next((why for why in reasons if why == REASON or accesses_unseen(why)), "")


def accesses(one: Project) -> Iterator[Table]:
    """The accesses of global and shared memory, once each."""
    for table in tables(one):
        yield from (access for access in table["accesses"] if access["space"] in _SPACES)


def tables(one: Project) -> Iterator[Table]:
    """The tables of all kernels, each once."""
    units = {result.path: result.inspection for result in one.run.results}
    for found in placed(units, units).values():
        yield from found


def numbered(access: Table) -> bool:
    """Whether an access has a number: exact, or bounded with an upper at most twice the lower."""
    numbers = access["transactions"]
    if numbers["certainty"] == "exact":
        return True
    lower, upper = numbers["lower"], numbers["upper"]
    return lower is not None and upper is not None and upper <= 2 * lower


def coverage(one: Project) -> Coverage:
    """The counts of a project."""
    reasons = kernels(one)
    every = list(accesses(one))
    origins = [{launch["origin"] for launch in item["launches"]} for item in tables(one)]
    findings = one.run.findings
    return Coverage(
        one.name,
        one.files,
        len(one.done),
        len(reasons),
        sum(not why for why in reasons.values()),
        len(every),
        sum(map(numbered, every)),
        len(origins),
        sum(not found.isdisjoint(_GIVEN) for found in origins),
        sum(f.code == "CU001" for f in findings),
        sum(f.code != "CU001" for f in findings),
        sum(m.seconds for m in one.done),
        max((m.seconds for m in one.done), default=0.0),
        max((m.mebibytes for m in one.done), default=0.0),
        sum(m.result.outcome.status == "failed" for m in one.done),
    )


def table(counts: Iterable[Coverage]) -> str:
    """The counts as a table, with a last row for all."""
    rows = list(counts)
    everything = [sum(getattr(row, name) for row in rows) for name in Coverage.__struct_fields__[1:]]
    total = Coverage("all", *everything)
    notes, slowest, most = (max(getattr(r, n) for r in rows) for n in ("notes", "slowest", "mebibytes"))
    total = replace(total, notes=notes, slowest=slowest, mebibytes=most)
    head = (
        "| project | files | kernels in the text | run whole | accesses | with a number | kernels run "
        "| with a known block | CU001 | CPU s per file | slowest | MiB | lost |\n|---|" + "---:|" * 12
    )
    return "\n".join([head, *map(_row, [*rows, total])])


def _row(row: Coverage) -> str:
    files = str(row.files) if row.measured == row.files else f"{row.measured} of {row.files}"
    cells = (
        row.name,
        files,
        row.kernels,
        _share(row.whole, row.kernels),
        row.accesses,
        _share(row.numbered, row.accesses),
        row.run,
        _share(row.given, row.run),
        row.notes,
        f"{row.seconds / max(row.measured, 1):.1f}",
        f"{row.slowest:.0f}",
        f"{row.mebibytes:.0f}",
        row.lost,
    )
    return "| " + " | ".join(map(str, cells)) + " |"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "-"


def losses(one: Project, limit: int) -> str:
    """Why kernels were lost and accesses have no number, most frequent first, and what was slow."""
    rows = [f"== {one.name}"]
    reasons = {kernel: why for kernel, why in kernels(one).items() if why}
    rows += _counted("kernels lost", Counter(reasons.values()), limit)
    rows += [f"    {k.path}:{k.line} {k.name}: {why}" for k, why in list(reasons.items())[:limit]]
    wide = [a for a in accesses(one) if not numbered(a)]
    rows += _counted("accesses without a number", Counter(_why(a) for a in wide), limit)
    unknowns = Counter(u["reason"] for t in tables(one) for u in t["unknowns"])
    rows += _counted("unknown parts, by kernels", unknowns, limit)
    notes = [f for f in one.run.findings if f.code == "CU001"]
    rows += [f"  {f.span.path}:{f.span.line}: {f.message} | {' | '.join(f.notes)}" for f in notes]
    slow = sorted(one.done, key=lambda m: -m.seconds)[:limit]
    rows += [f"  {m.seconds:6.1f} s  {m.result.path}" for m in slow]
    lost = [m.result for m in one.done if m.result.outcome.status == "failed"]
    rows += [f"  lost: {r.path}: {r.outcome.reason}" for r in lost]
    rows += [f"  {_told(f)}" for f in _first(one.run.findings)]
    return "\n".join(rows)


def _why(access: Table) -> str:
    numbers = access["transactions"]
    bounds = "" if numbers["certainty"] == "unknown" else "bounded"
    return access["unknown"] or bounds or "no request"


def _counted(title: str, counted: "Counter[str]", limit: int) -> list[str]:
    return [f"  {title}: {counted.total()}", *(f"  {n:6d}  {why}" for why, n in counted.most_common(limit))]


def _first(findings: Iterable[Finding]) -> list[Finding]:
    return [f for f in findings if f.impact is not None][:_SHOWN]


def _told(finding: Finding) -> str:
    place = f"{finding.span.path}:{finding.span.line}"
    return f"{finding.impact} {finding.code} {place} {finding.kernel}: {finding.message}"


def write(page: Path, text: str) -> None:
    """Put the table behind the mark of the page, up to the next heading."""
    before, _, after = page.read_text(encoding="utf-8").partition(MARK)
    rest = after[after.index("\n## ") :] if "\n## " in after else "\n"
    page.write_text(f"{before}{MARK}\n\n{text}\n{rest}", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("action", choices=("measure", "losses", "table", "write"))
    parser.add_argument("projects", nargs="+", help="folders")
    parser.add_argument("--state", required=True, type=Path, help="where results are kept")
    parser.add_argument("--files", type=int, default=25, help="most files of a project")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=12, help="rows of each list of losses")
    parser.add_argument("--before", type=Path, default=None, help="an earlier state, told beside it")
    parser.add_argument("--page", type=Path, default=Path(PAGE))
    options = parser.parse_args()
    options.state.mkdir(parents=True, exist_ok=True)
    measuring = options.action == "measure"
    if measuring:
        analysis.preload()

    def read(state: Path, alike: Path | None) -> list[Project]:
        chosen = (state, options.files, options.seed, not measuring, alike)
        return [one for folder in options.projects if (one := project(folder, *chosen)).done]

    found = read(options.state, options.before)
    if options.action == "losses":
        print("\n".join(losses(one, options.limit) for one in found))
        return
    text = table(map(coverage, found))
    if options.before is not None:
        earlier = table(map(coverage, read(options.before, options.state)))
        text = f"Before:\n\n{earlier}\n\nNow:\n\n{text}"
    print(text)
    if options.action == "write":
        write(options.page, text)


if __name__ == "__main__":
    main()
