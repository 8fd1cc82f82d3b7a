"""The models beside what an H200 counted of the fixtures (tests/data/counters.json)."""

import json

import pytest

from tools import counters

GROUPS = sorted({file.partition("/")[0] for file in json.loads(counters.DATA.read_text())["fixtures"]})


@pytest.mark.parametrize("group", GROUPS)
def test_what_is_exact_is_what_was_counted(group: str) -> None:
    exact = [line for line in counters.lines(f"{group}/") if line.certainty == "exact"]
    assert exact
    assert [(line.subject.file, line.counted.line) for line in exact if not line.agrees] == []


def test_most_of_the_fixtures_are_still_those_that_were_counted() -> None:
    told = json.loads(counters.DATA.read_text())["fixtures"]
    assert len(counters.unchanged()) >= 0.9 * len(told)


def test_comments_do_not_change_what_was_counted() -> None:
    plain = counters.digest_of("int a;\nint b;\n")
    assert counters.digest_of("int a;  // expect: CU101\nint b; /* b */\n") == plain
    assert counters.digest_of("int a;\n// between\nint b;\n") != plain  # lines have moved
    assert counters.digest_of("int a;\nlong b;\n") != plain
