"""The models beside what an H200 counted of the fixtures (tests/data/counters.json)."""

import json
from pathlib import Path

import pytest

from tests import counters

# Lines of which the model is right about what it was told, and the run was of something else.
OTHERWISE = {
    ("sync/global_memory_race/good.cu", 63): "the run's n is its number of arguments, which is 1",
    ("memory/redundant_global_load/regression_extents.cu", 11): "the run's extents and steps are zeros",
}
GROUPS = sorted({file.partition("/")[0] for file in json.loads(counters.DATA.read_text())["fixtures"]})


@pytest.mark.parametrize("group", GROUPS)
def test_what_is_exact_is_what_was_counted(group: str) -> None:
    exact = [line for line in counters.lines(f"{group}/") if line.certainty == "exact"]
    wrong = {(line.subject.file, line.counted.line) for line in exact if not line.agrees}
    assert wrong <= OTHERWISE.keys()


def test_most_of_the_fixtures_are_still_those_that_were_counted() -> None:
    told = json.loads(counters.DATA.read_text())["fixtures"]
    fixtures = Path(__file__).parent.parent / "fixtures"
    same = [
        f
        for f in told
        if (fixtures / f).is_file() and counters.digest(counters.Subject("", f)) == told[f]["source"]
    ]
    assert len(same) >= 385
