"""Every fixture says on its lines what is found there: the whole set must be equal.

`// expect: CU101 transactions=16 ideal=4; CU102` on a line asks for these findings on that line, with at
least the evidence named; so do `# expect:` in a CMakeLists.txt and a member "expect" in a line of a
compile_commands.json. A fixture of an opt-in rule begins with `// select: CU106`, one of an old device
with `// arch: sm_20`. Fixes are applied and the result is linted again.
"""

import inspect
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from cudalint.engine.engine import Run
from cudalint.fixing import fixes
from cudalint.rule import pages, registry
from cudalint.rule.findings import Finding
from cudalint.rule.outcome import CAUSES
from cudalint.source.text import Sources, read_lines, shown
from tests.support import nvcc
from tests.support.fixtures import BUILD_FILES, CASES, FILES, FIXTURES, folder_of, lint_as, options
from tests.support.once import made_once

_EXPECT = re.compile(r"(?://|#)\s*expect:\s*(.*?)\s*$|\"expect\": \"([^\"]+)\"")


@dataclass(frozen=True)
class Expectation:
    """One finding that a line asks for; evidence in the words of the comment."""

    line: int
    code: str
    evidence: tuple[tuple[str, str], ...]


def expectations(lines: tuple[str, ...]) -> Iterator[Expectation]:
    for number, line in enumerate(lines, 1):
        match = _EXPECT.search(line)
        if match is None:
            continue
        for part in (match.group(1) or match.group(2)).split(";"):
            code, *pairs = part.split()
            evidence = tuple((key, value) for key, _, value in (pair.partition("=") for pair in pairs))
            yield Expectation(number, code, evidence)


def said(finding: Finding, key: str) -> str:
    if key == "severity":
        return finding.severity
    return str(finding.evidence.get(key, "absent")).lower()


def differences(expected: list[Expectation], findings: list[Finding]) -> list[str]:
    """What is missing, what is too much, and evidence that differs."""
    left = list(findings)
    problems = []
    for item in expected:
        candidates = [f for f in left if (f.span.line, f.code) == (item.line, item.code)]
        exact = [f for f in candidates if all(said(f, key) == value.lower() for key, value in item.evidence)]
        if not candidates:
            problems.append(f"line {item.line}: no {item.code}")
            continue
        chosen = (exact or candidates)[0]
        left.remove(chosen)
        problems += [
            f"line {item.line}: {item.code} {key} is {said(chosen, key)}, expected {value}"
            for key, value in item.evidence
            if said(chosen, key) != value.lower()
        ]
    problems += [f"line {f.span.line}: unexpected {f.code}: {f.message}" for f in left]
    return problems


def test_all_fixtures_are_looked_at(run: Run) -> None:
    assert {file.path for file in run.files} == {shown(str(file)) for file in FILES}


@pytest.mark.parametrize(
    "file", [*FILES, *BUILD_FILES], ids=lambda file: file.relative_to(FIXTURES).as_posix()
)
def test_the_findings_are_those_that_the_lines_ask_for(run: Run, file: Path) -> None:
    path = shown(str(file))
    every = [f for f in run.findings if CAUSES not in f.evidence]
    every += [f for result in run.results for f in result.findings if CAUSES in f.evidence]
    found = [finding for finding in every if finding.span.path == path]
    assert differences(list(expectations(read_lines(path))), found) == []


def test_expectations_are_read_as_written() -> None:
    lines = ("a;", "b;  // expect: CU101 transactions=16 certain=true; CU102", "// expects nothing")
    assert list(expectations(lines)) == [
        Expectation(2, "CU101", (("transactions", "16"), ("certain", "true"))),
        Expectation(2, "CU102", ()),
    ]


def test_options_stand_in_the_first_lines(tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    file.write_text("// select: CU106, CU110\n// arch: sm_20\nint a;\n// select: CU404\n")
    assert (options(file).extend_select, options(file).arch) == (("CU106", "CU110"), "sm_20")


def test_a_difference_of_any_kind_is_told(run: Run) -> None:
    finding = next(f for f in run.findings if f.code == "CU101")
    line = finding.span.line
    number = said(finding, "transactions")
    assert differences([Expectation(line, "CU101", (("transactions", number),))], [finding]) == []
    assert differences([], [finding])[0].startswith(f"line {line}: unexpected CU101")
    assert differences([Expectation(line, "CU101", ())], []) == [f"line {line}: no CU101"]
    wrong = [Expectation(line, "CU101", (("transactions", "77"), ("colour", "red")))]
    assert len(differences(wrong, [finding])) == 2


@pytest.mark.parametrize("loaded", registry.load(), ids=lambda loaded: str(loaded.rule.code))
def test_every_rule_has_its_four_cases_and_its_page(loaded: Any) -> None:
    folder = folder_of(loaded)
    assert {case for case in CASES if not (folder / f"{case}.cu").is_file()} == set()
    looked_at = [folder / f"{case}.cu" for case in ("bad", "macro", "template")]
    looked_at += [file for file in BUILD_FILES if file.is_relative_to(folder)]
    asked = {item.code for file in looked_at for item in _asked(file)}
    assert loaded.rule.code in asked
    assert all(item.code != loaded.rule.code for item in _asked(folder / "good.cu"))
    assert pages.missing_sections(loaded.page) == ()


def _asked(file: Path) -> list[Expectation]:
    return list(expectations(read_lines(str(file))))


@pytest.mark.parametrize("loaded", registry.load(), ids=lambda loaded: str(loaded.rule.code))
def test_every_rule_says_which_fixes_it_has(run: Run, loaded: Any) -> None:
    own = (f.fix for f in run.findings if f.code == loaded.rule.code)
    seen = {"safe" if fix.safe else "unsafe" for fix in own if fix is not None}
    if "proposal" in inspect.getsource(inspect.getmodule(loaded.check)):
        seen.add("unsafe")  # a fix that needs a trial, of which this run makes none
    said = set(loaded.rule.fixes)
    assert said == seen, (
        f"{loaded.rule.name}: in RULE write fixes={tuple(sorted(seen))}, as its fixtures show"
    )


def test_the_codes_and_names_of_rules_are_well_formed() -> None:
    for loaded in registry.load():
        assert re.fullmatch(r"CU\d{3}", loaded.rule.code)
        assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", loaded.rule.name)
        assert loaded.check.__module__.endswith("." + loaded.rule.name.replace("-", "_"))
        assert loaded.rule.summary


@dataclass(frozen=True)
class Mended:
    """Copies of the fixtures with fixes by the fixture's path, all fixes applied, and the run over them."""

    copies: dict[str, Path]
    after: Run


@pytest.fixture(scope="module")
def mended(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Mended:
    return made_once(tmp_path_factory, "mended", lambda: mend(run, tmp_path_factory.mktemp("mended")))


def mend(run: Run, root: Path) -> Mended:
    folder = root / "group" / "rule"  # pairs include headers one and two folders up
    folder.mkdir(parents=True)
    shutil.copy(FIXTURES / "pair.h", root)
    for header in FIXTURES.glob("*/*.h"):
        shutil.copy(header, folder.parent)
    fixed = [f for f in run.findings if f.fix is not None]
    copies = {path: folder / f"{n}.cu" for n, path in enumerate(sorted({f.span.path for f in fixed}))}
    for path, copy in copies.items():
        copy.write_bytes(Path(path).read_bytes())
    chosen = fixes.choose((_moved(finding, copies) for finding in fixed), unsafe=True)
    assert len(chosen) == len(fixed)
    assert fixes.diff(chosen, Sources()).count("\n+++ ") + 1 >= len(copies)
    assert set(fixes.write(chosen).changed) == {shown(str(copy)) for copy in copies.values()}
    return Mended(copies, lint_as({copy: Path(path).resolve() for path, copy in copies.items()}))


def _moved(finding: Finding, copies: dict[str, Path]) -> Finding:
    """The finding with a fix that changes the copies."""
    assert finding.fix is not None
    edits = tuple(
        replace(edit, span=replace(edit.span, path=shown(str(copies[edit.span.path]))))
        for edit in finding.fix.edits
    )
    return replace(finding, fix=replace(finding.fix, edits=edits))


def test_fixes_remove_their_findings_and_change_nothing_twice(run: Run, mended: Mended) -> None:
    after = mended.after
    names = {shown(str(copy)): path for path, copy in mended.copies.items()}
    assert names
    assert [f for f in after.findings if f.fix is not None] == []
    states = {file.path: (file.status, file.reason) for file in run.files}
    for file in after.files:  # what was written can be parsed
        assert (file.status, file.reason) == states[names[file.path]]
    assert len(after.files) == len(names)
    before = [f for f in run.findings if f.span.path in mended.copies]
    gone = {(f.code, f.span.path) for f in before if f.fix is not None}
    # What a fix writes in float may have an intrinsic, which CU608 then names.
    kept, left = ([f for f in of if f.fix is None and f.code != "CU608"] for of in (before, after.findings))
    assert len(left) <= len(kept), gone
    assert fixes.write(fixes.choose(after.findings, unsafe=True)) == fixes.Written(())


@pytest.mark.skipif(nvcc.COMPILER is None, reason="no nvcc here to compile the fixed fixtures with")
def test_what_fixes_write_compiles(mended: Mended, tmp_path: Path) -> None:
    origin = {copy: Path(path) for path, copy in mended.copies.items()}
    broken = nvcc.rejected(list(origin), tmp_path)
    # Some fixtures hold what newer toolkits do not compile either way.
    before = nvcc.rejected([origin[copy] for copy in broken], tmp_path) if broken else []
    assert [str(origin[copy]) for copy in broken if origin[copy] not in before] == []


@pytest.mark.skipif(nvcc.COMPILER is None, reason="no nvcc here to compile the fixed fixtures with")
def test_a_file_that_does_not_compile_is_named(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.cu", tmp_path / "bad.cu"
    good.write_text("#define N 4\n__global__ void k(float *x) { x[N] = 1.0f; }\n")
    bad.write_text("#define N 5\n__global__ void k(float *x) { x[N] = 1.0ff; }\n")
    assert nvcc.rejected([good, bad], tmp_path) == [bad]
