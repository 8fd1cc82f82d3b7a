"""Every barrier of real kernels removed in turn: `python -m tools.mutation --root DIR [--root DIR ...]`.

A plain interpreter (tools/interpreter) runs each kernel and says whether two threads conflict once a barrier
is gone. The model runs the kernel without the barrier, and a finding of CU301, CU303 or CU304 that was not
there before counts as found. The project's own good fixtures are always among the kernels. `--write` puts the
tables into docs/mutation.md.
"""

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from cudalint.engine import analysis
from cudalint.errors import UsageError
from cudalint.frontend import UnitFailed, load
from cudalint.host import model as host_model
from cudalint.host.facts import HostFacts
from cudalint.ir.unit import Function, Unit
from cudalint.rule import registry
from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context
from cudalint.settings.assume import Assumption, parse_all
from cudalint.settings.config import arch_number
from cudalint.simt.model import ModelOptions, run_kernel
from cudalint.source.comments import assumptions
from cudalint.source.span import Span
from cudalint.source.text import decode, read_bytes
from tools.interpreter.conflicts import Pair
from tools.interpreter.judge import Evidence, judged
from tools.interpreter.removal import barriers, without

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "mutation.md"
BEGIN, END = "<!-- mutation: written by python -m tools.mutation -->", "<!-- end of mutation -->"
RACES = ("CU301", "CU303", "CU304")
_INSTANCES = 8  # of a kernel template, as the model runs them
STATES = ("matters", "matters in a warp", "does not matter", "not run")


class Removal(Struct, frozen=True):
    """A barrier of a kernel that was removed. state: one of STATES, by the interpreter; reason: why it was
    not run; pairs: accesses that conflict then; found: rules with a finding that was not there before.
    """

    kernel: str
    defined: tuple[str, int]
    span: Span
    state: str
    reason: str = ""
    pairs: tuple[Pair, ...] = ()
    found: tuple[str, ...] = ()


class Told(Struct, frozen=True):
    """A finding on a kernel as it is."""

    code: str
    span: Span
    kernel: str
    message: str
    shown: bool  # whether the interpreter shows a conflict of that kernel


class Result(Struct, frozen=True):
    """All of one file."""

    path: str
    removals: tuple[Removal, ...] = ()
    told: tuple[Told, ...] = ()
    failure: str = ""


class Case(Struct, frozen=True):
    """A parsed file and what the model is asked with."""

    unit: Unit
    host: HostFacts
    assumed: tuple[Assumption, ...]


# --- one file ---


def examine(path: str) -> Result:
    """Every kernel of a file that has a barrier."""
    try:
        unit = load(path)
    except UnitFailed as error:
        return Result(path, failure=str(error))
    case = Case(unit, host_model.run(unit), _assumed(path))
    removals: list[Removal] = []
    told: dict[tuple[str, Span], Told] = {}
    for instances in _definitions(case):
        mine, findings = kernel(case, instances)
        removals.extend(mine)
        told.update({(t.code, t.span): t for t in findings})
    return Result(path, tuple(removals), tuple(told.values()))


def _assumed(path: str) -> tuple[Assumption, ...]:
    found: list[Assumption] = []
    for text, _ in assumptions(path, decode(read_bytes(path))):
        try:
            found.extend(parse_all((text,)))
        except UsageError:
            continue
    return tuple(found)


def _definitions(case: Case) -> Iterator[list[Function]]:
    """The instances of every kernel that has a barrier, launched ones first."""
    launched = {launch.key for launch in case.host.launches}
    groups: dict[tuple[str, int], list[Function]] = {}
    for key in sorted(case.unit.kernels, key=lambda key: key not in launched):
        function = case.unit.functions.get(key)
        if function is not None and function.body is not None:
            groups.setdefault((function.extent.path, function.extent.line), []).append(function)
    for instances in groups.values():
        chosen = instances[:_INSTANCES]
        if any(barriers(case.unit, function) for function in chosen):
            yield chosen


def kernel(case: Case, instances: list[Function]) -> tuple[list[Removal], list[Told]]:
    """Every barrier of one kernel removed in turn, and the findings on the kernel as it is."""
    evidence: dict[Span, Evidence] = {}
    reason, conflicting, of = "not reached", False, {}
    for function in instances:
        launches = tuple(launch for launch in case.host.launches if launch.key == function.key)
        mine = barriers(case.unit, function)
        open_ = [span for span in mine if span not in evidence or not evidence[span].apart]
        judgement = judged(case.unit, function, launches, open_)
        reason = judgement.reason() if reason == "not reached" else reason
        conflicting = conflicting or bool(judgement.own)
        for span in mine:
            of.setdefault(span, []).append(function)
            _join(evidence.setdefault(span, Evidence()), judgement.barriers.get(span, Evidence()))
    before = {function.key: _findings(case, function) for function in instances}
    told = [_told(f, conflicting) for found in before.values() for f in found.values()]
    found = [_removal(case, of[span], span, evidence[span], reason, before) for span in of]
    return found, told


def _join(all_: Evidence, more: Evidence) -> None:
    all_.apart |= more.apart
    all_.together |= more.together
    all_.whole += more.whole


def _told(finding: Finding, conflicting: bool) -> Told:
    return Told(finding.code, finding.span, finding.kernel, finding.message, conflicting)


Key = tuple[object, ...]


def _removal(
    case: Case,
    functions: list[Function],
    span: Span,
    evidence: Evidence,
    reason: str,
    before: dict[str, dict[Key, Finding]],
) -> Removal:
    first = functions[0]
    state = state_of(evidence)
    pairs = tuple(sorted(evidence.apart or evidence.together, key=str))
    removal = Removal(first.name, (first.extent.path, first.extent.line), span, state, "", pairs)
    if state == "not run":
        return replace(removal, reason=reason)
    cut = replace(case, unit=without(case.unit, span))
    for function in functions if state == "matters" else functions[:1]:
        after = _findings(cut, cut.unit.functions[function.key])
        new = {finding.code for key, finding in after.items() if key not in before[function.key]}
        if new & set(RACES):
            return replace(removal, found=tuple(sorted(new & set(RACES))))
    return removal


def state_of(evidence: Evidence) -> str:
    if evidence.apart:
        return "matters"
    if evidence.whole:
        return "matters in a warp" if evidence.together else "does not matter"
    return "not run"


def _findings(case: Case, function: Function) -> dict[Key, Finding]:
    """What CU301 to CU304 say of a kernel."""
    number = arch_number(case.unit.arch)
    facts = run_kernel(case.unit, function, case.host, ModelOptions(number, False, case.assumed))
    context = Context(case.unit, (facts,), HostFacts((), (), ()), number)
    rules = tuple(loaded for loaded in registry.load() if loaded.rule.code in (*RACES, "CU302"))
    found: dict[Key, Finding] = {}
    for kind in dict.fromkeys(rule.subject for rule in rules):
        asked = tuple(rule for rule in rules if rule.subject is kind)
        for subject in analysis.subjects(kind, context):
            for finding in analysis.ask(asked, context, subject):
                key = (finding.code, finding.span, *(related.span for related in finding.related))
                found[key] = finding
    return found


# --- all of them ---


def files(roots: Iterable[Path]) -> list[str]:
    """Every `.cu` file of the folders, and the project's own good fixtures."""
    found = [p for root in roots for p in sorted(root.rglob("*.cu"))]
    return [str(p) for p in (*found, *sorted((ROOT / "fixtures").rglob("good.cu")))]


def together(results: Iterable[Result]) -> list[Removal]:
    """One removal for each barrier of a kernel, though several files include it."""
    best: dict[Key, Removal] = {}
    for result in results:
        for removal in result.removals:
            key = (removal.kernel, removal.defined, removal.span)
            other = best.get(key)
            if other is None or _weight(removal) < _weight(other):
                best[key] = removal
    return list(best.values())


def _weight(removal: Removal) -> tuple[int, bool]:
    return STATES.index(removal.state), not removal.found


def share(removals: list[Removal]) -> float | None:
    """Of the removals that matter, how many are found."""
    mattering = [r for r in removals if r.state == "matters"]
    return sum(bool(r.found) for r in mattering) / len(mattering) if mattering else None


def report(results: list[Result], place: "partial[str]") -> str:
    """The tables, in Markdown."""
    removals = together(results)
    told = {(t.code, t.span): t for result in results for t in result.told}.values()
    parts = [
        _numbers(removals),
        _reasons(removals, results),
        _listed("Missed", [r for r in removals if r.state == "matters" and not r.found], place),
        _listed("Missed within one warp", _of(removals, "matters in a warp", False), place, 20),
        _listed(
            "Found, though the interpreter shows nothing", _of(removals, "does not matter", True), place, 20
        ),
        _unmutated(list(told), place),
    ]
    return "\n\n".join("\n".join(part) for part in parts)


def _of(removals: list[Removal], state: str, found: bool) -> list[Removal]:
    return [r for r in removals if r.state == state and bool(r.found) == found]


def _numbers(removals: list[Removal]) -> list[str]:
    kernels = {(r.kernel, r.defined) for r in removals}
    lines = [f"{len(kernels)} kernels with barriers, {len(removals)} removals.", ""]
    lines += ["| the removal, by the interpreter | how many | found | share |", "|---|---:|---:|---:|"]
    for state in STATES:
        mine = [r for r in removals if r.state == state]
        found = sum(bool(r.found) for r in mine)
        part = f"{found / len(mine):.1%}" if mine and state != "not run" else "-"
        lines.append(f"| {state} | {len(mine)} | {found if state != 'not run' else '-'} | {part} |")
    return lines


def _reasons(removals: list[Removal], results: list[Result]) -> list[str]:
    counted = Counter(r.reason for r in removals if r.state == "not run")
    lines = ["### Not run", "", "| reason | removals |", "|---|---:|"]
    lines += [f"| {reason} | {count} |" for reason, count in counted.most_common()]
    failed = Counter(result.failure for result in results if result.failure)
    lines += [f"| file: {reason} | {count} files |" for reason, count in failed.most_common()]
    return lines


def _listed(title: str, removals: list[Removal], place: "partial[str]", most: int = 1000) -> list[str]:
    lines = [f"### {title}: {len(removals)}", ""]
    for r in sorted(removals, key=lambda r: place(r.span))[:most]:
        told = f", {' '.join(r.found)}" if r.found else ""
        pair = f": {r.pairs[0][0]}, lines {r.pairs[0][1].line} and {r.pairs[0][2].line}" if r.pairs else ""
        lines.append(f"- {place(r.span)} in {r.kernel}{pair}{told}")
    if len(removals) > most:
        lines.append(f"- and {len(removals) - most} more")
    return lines


def _unmutated(told: list[Told], place: "partial[str]") -> list[str]:
    lines = [f"### Findings on the kernels as they are: {len(told)}", ""]
    for t in sorted(told, key=lambda t: (place(t.span), t.code)):
        seen = "" if t.shown or t.code == "CU302" else " (the interpreter shows no conflict in this kernel)"
        lines.append(f"- {place(t.span)} in {t.kernel}, {t.code}: {t.message}{seen}")
    return lines


def shown(roots: list[Path], span: Span) -> str:
    """A place, relative to the folder that the root is in."""
    path = Path(span.path).resolve()
    for root in (*(root.resolve() for root in roots), ROOT / "fixtures"):
        if path.is_relative_to(root):
            return f"{path.relative_to(root.parent)}:{span.line}"
    return f"{path.name}:{span.line}"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--root", type=Path, action="append", default=[], help="a folder with .cu files")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--write", action="store_true", help="put the tables into docs/mutation.md")
    options = parser.parse_args()
    started = time.monotonic()
    results: list[Result] = []
    with ProcessPoolExecutor(options.jobs) as pool:
        for result in pool.map(_timed, files(options.root)):
            results.append(result)
    tables = report(results, partial(shown, options.root))
    if options.write:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        after = rest.partition(END)[2]
        PAGE.write_text(f"{before}{BEGIN}\n\n{tables}\n\n{END}{after}", encoding="utf-8")
    print(tables)
    print(f"\n{time.monotonic() - started:.0f} s", file=sys.stderr)
    return 0


def _timed(path: str) -> Result:
    started = time.monotonic()
    result = examine(path)
    if time.monotonic() - started > 20:
        print(f"{time.monotonic() - started:.0f} s: {path}", file=sys.stderr)
    return result


if __name__ == "__main__":
    sys.exit(main())
