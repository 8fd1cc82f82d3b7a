"""The Example on each rule's page, linted: it draws the finding that the page is about.

An example is a piece of a file. `fixtures/<group>/<name>/example.frame` is the rest of it: the lines of the
example take the place of its line `// example` (or of `// example 1-4` and `// example 5-5`, where they
belong to several places). Without a frame the example is a whole file. First lines as those of fixtures.
CU002 is left out: its example cannot be shown as text.
"""

import re
from pathlib import Path

import pytest
from msgspec import Struct
from msgspec.structs import replace

from cudalint.engine import engine
from cudalint.engine.discovery import Candidate, Plan
from cudalint.engine.engine import Run
from cudalint.rule import pages, registry
from cudalint.rule.rule import LoadedRule
from cudalint.source.text import shown
from tests.support.checkout import ROOT
from tests.support.fixtures import folder_of, options

_HOLE = re.compile(r"\s*// example(?: (\d+)-(\d+))?$")
_BLOCK = re.compile(r"```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
SHOWN = [loaded for loaded in registry.load() if loaded.rule.code != "CU002"]
_KERNEL = "__global__ void fill(float *data) { data[threadIdx.x] = 1.0f; }\n"


class Example(Struct, frozen=True):
    """A whole file, and which of its lines are the example's."""

    text: str
    lines: frozenset[int]


def frame(loaded: LoadedRule) -> Path:
    return folder_of(loaded) / "example.frame"


def code_of(loaded: LoadedRule) -> tuple[str, list[str]]:
    """The language and the lines of the page's example."""
    text = pages.sections(loaded.page)["Example"]
    block = _BLOCK.search(text)
    assert block is not None, f"{loaded.rule.name}: the Example has no block of code (```cuda)"
    return block.group(1), block.group(2).splitlines()


def filled(rows: list[str], code: list[str]) -> Example:
    """The frame's lines with the example in its places."""
    whole: list[str] = []
    own: set[int] = set()
    for row in rows:
        match = _HOLE.match(row)
        if match is None:
            whole.append(row)
            continue
        first, last = int(match.group(1) or 1), int(match.group(2) or len(code))
        chosen = code[first - 1 : last]
        own |= set(range(len(whole) + 1, len(whole) + len(chosen) + 1))
        whole += chosen
    return Example("\n".join(whole) + "\n", frozenset(own))


def example(loaded: LoadedRule) -> Example:
    """The example of a page in its frame."""
    _, code = code_of(loaded)
    file = frame(loaded)
    rows = file.read_text(encoding="utf-8").splitlines() if file.is_file() else ["// example"]
    made = filled(rows, code)
    used = len(made.lines)
    assert used == len(code), f"{file}: has places for {used} of the example's {len(code)} lines"
    return made


@pytest.fixture(scope="module")
def linted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, dict[str, Path]]:
    """All examples at once, each with its rule selected; one in CMake's language beside a kernel."""
    folder = tmp_path_factory.mktemp("examples")
    files: dict[str, Path] = {}
    candidates = []
    for loaded in SHOWN:
        name, (language, _) = loaded.rule.code, code_of(loaded)
        (folder / name).mkdir()
        unit = folder / name / "example.cu"
        files[name] = folder / name / "CMakeLists.txt" if language == "cmake" else unit
        unit.write_text(_KERNEL, encoding="utf-8")
        files[name].write_text(example(loaded).text, encoding="utf-8")
        settings = replace(options(files[name]), extend_select=(name,))
        candidates.append(Candidate(shown(str(unit)), settings, False))
    return engine.lint(Plan(tuple(candidates), (), ()), jobs=1), files


@pytest.mark.parametrize("loaded", SHOWN, ids=lambda loaded: str(loaded.rule.code))
def test_the_example_of_a_page_draws_its_finding(
    linted: tuple[Run, dict[str, Path]], loaded: LoadedRule
) -> None:
    run, files = linted
    code = loaded.rule.code
    path = shown(str(files[code]))
    lines = example(loaded).lines
    found = {f.code for f in run.findings if f.span.path == path and f.span.line in lines}
    (reason,) = [f.reason for f in run.files if f.path == shown(str(files[code].parent / "example.cu"))]
    hint = f"write {frame(loaded).relative_to(ROOT)}, or mend it: what the example needs round it"
    assert code in found, f"{code} {loaded.rule.name}: its Example draws {sorted(found)} ({reason}); {hint}"
    assert reason is None or pages.category(loaded) == "run", (
        f"{code}: its Example is broken: {reason}; {hint}"
    )


def test_lines_of_an_example_take_their_places() -> None:
    made = filled(["a", "    // example 1-2", "b", "// example 3-3"], ["x", "y", "z"])
    assert (made.text, made.lines) == ("a\nx\ny\nb\nz\n", {2, 3, 5})
    assert filled(["// example"], ["x"]) == Example("x\n", frozenset([1]))
    assert filled(["// example of something"], ["x"]).lines == frozenset()
