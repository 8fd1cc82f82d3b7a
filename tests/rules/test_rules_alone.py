"""Every rule with no other rule selected finds what it finds with all of them.

It takes the facts that the parameters of its `check` name, and no others: a fact that another rule happens to
have asked for is not there when the rule is alone, and the file is then reported as degraded. The run over
all fixtures hides such facts from each rule, and from each fact those that it does not need; here the model
works out those of one rule alone, in the rule's four cases.
"""

from pathlib import Path

import pytest
from msgspec.structs import replace

from cudalint.engine import engine
from cudalint.engine.discovery import Candidate, Plan
from cudalint.engine.engine import Run
from cudalint.host.facts import HostFacts
from cudalint.ir.types import VOID
from cudalint.ir.unit import Function, Unit
from cudalint.rule import registry
from cudalint.rule.outcome import CAUSES
from cudalint.rule.rule import Context, LoadedRule
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.catalogue import facts
from cudalint.simt.facts.fact import Fact, KernelRuns
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.races.race import Race
from cudalint.simt.launch.kernel_run import ModelOptions
from cudalint.source.span import Span
from cudalint.source.text import shown
from tests.support.fixtures import CASES, folder_of, options
from tests.support.narrowed import concluded, narrowed
from tests.support.once import made_once

# A comment that silences a rule which is not selected is not called unused (CU003).
RULES = [loaded for loaded in registry.load() if loaded.rule.code != "CU003"]


def files_of(loaded: LoadedRule) -> list[Path]:
    return [folder_of(loaded) / f"{case}.cu" for case in CASES]


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

    def own(of: Run) -> list[object]:  # where kernels stand depends on what else is found in them
        every = [f for f in of.findings if CAUSES not in f.evidence]
        every += [f for result in of.results for f in result.findings if CAUSES in f.evidence]
        mine = (f for f in every if f.code == loaded.rule.code and f.span.path in paths)
        return sorted(mine, key=lambda f: (f.span.path, f.span.line, f.span.column))

    def outcomes(of: Run) -> list[object]:
        return [file for file in of.files if file.path in paths]

    assert outcomes(alone) == outcomes(run)
    assert own(alone) == own(run)


def test_a_fact_that_a_rule_does_not_ask_for_is_hidden_from_it() -> None:
    span = Span("a.cu", 1, 1, 1, 1)
    function = Function("k", "k", "k", (), None, VOID, span, span)
    kernel = KernelFacts("k", function, (), dict.fromkeys(facts(), ()))
    context = Context(Unit("a.cu", "sm_90", {}, {}, {}, (), (), ()), (kernel,), HostFacts((), (), ()), 90)
    (own,) = narrowed(context, "CU101").kernels
    assert own.of(Access) == ()
    with pytest.raises(LookupError, match="Race was not requested"):
        own.of(Race)
    fact = Fact(of=(Race,), conclude=lambda kernel: (kernel.of(Access),))
    runs = KernelRuns(context.unit, function, (), ModelOptions(), (), [], found={Access: ()})
    with pytest.raises(KeyError, match="Access"):
        concluded(fact, runs)
    assert runs.found == {Access: ()}
