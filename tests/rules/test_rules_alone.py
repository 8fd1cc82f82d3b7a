"""Every rule with no other rule selected finds what it finds with all of them.

It takes the facts that the parameters of its `check` name, and no others: a fact that another rule happens to
have asked for is not there when the rule is alone, and the file is then reported as degraded.
"""

from pathlib import Path

import pytest
from msgspec.structs import replace

from cudalint.engine import engine
from cudalint.engine.discovery import Candidate, Plan
from cudalint.engine.engine import Run
from cudalint.rule import registry
from cudalint.rule.outcome import CAUSES
from cudalint.rule.rule import LoadedRule
from cudalint.source.text import shown
from tests.support.fixtures import folder_of, made_once, options

# A comment that silences a rule which is not selected is not called unused (CU003).
RULES = [loaded for loaded in registry.load() if loaded.rule.code != "CU003"]


def files_of(loaded: LoadedRule) -> list[Path]:
    """Those of a rule's fixtures in which it finds something, and the good one."""
    files = sorted(folder_of(loaded).rglob("*.cu"))
    return [
        file
        for file in files
        if file.name == "good.cu" or loaded.rule.code in file.read_text(errors="replace")
    ]


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The fixtures of all rules, those of a rule linted with nothing but this rule selected."""
    candidates = [
        Candidate(
            shown(str(file)), replace(options(file), select=(loaded.rule.code,), extend_select=()), False
        )
        for loaded in RULES
        for file in files_of(loaded)
    ]
    return made_once(tmp_path_factory, "alone", lambda: engine.lint(Plan(tuple(candidates), (), ())))


@pytest.mark.parametrize("loaded", RULES, ids=lambda loaded: str(loaded.rule.code))
def test_a_rule_alone_finds_the_same(run: Run, alone: Run, loaded: LoadedRule) -> None:
    paths = {shown(str(file)) for file in files_of(loaded)}
    assert paths

    def own(of: Run) -> list[object]:  # where kernels stand depends on what else is found in them
        every = [f for f in of.findings if CAUSES not in f.evidence]
        every += [f for result in of.results for f in result.findings if CAUSES in f.evidence]
        mine = (f for f in every if f.code == loaded.rule.code and f.span.path in paths)
        return sorted(mine, key=lambda f: (f.span.path, f.span.line, f.span.column))

    def outcomes(of: Run) -> list[object]:
        return [file for file in of.files if file.path in paths]

    assert outcomes(alone) == outcomes(run)
    assert own(alone) == own(run)
