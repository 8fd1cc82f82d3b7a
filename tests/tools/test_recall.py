"""Causes of silence about the items of a review list."""

from cudalint.rule.findings import Confidence, Finding, Related
from cudalint.settings.severity import Severity
from cudalint.source.span import Span
from tools.recall import cause, covers, items, table, verdict

_ROW = {"folder": "src/a", "file": "k.cu", "lines": "10 12", "kernel": "walk", "severity": "high"}
_CODES = {"strided": ["CU101"], "launch-bounds": ["CU508"], "unheard": ["CU999"]}
_KNOWN = {"CU101", "CU508"}


def _item(kind="strided"):
    return items([{**_ROW, "kind": kind}], _CODES)[0]


def _finding(line, code="CU101", kernel="walk", also=()):
    return Finding(
        code=code,
        name="",
        severity=Severity.NOTE,
        confidence=Confidence.HIGH,
        span=Span("src/a/k.cu", line, 1, line, 5),
        message="",
        kernel=kernel,
        related=tuple(Related(Span("src/a/k.cu", n, 1, n, 5), "") for n in also),
    )


def test_a_finding_covers_an_item_with_its_own_or_its_first_related_lines():
    assert covers(_finding(12), _item())
    assert covers(_finding(1, also=(3, 10)), _item())
    assert not covers(_finding(11), _item())
    assert not covers(_finding(1, also=(2, 3, 4, 5, 6, 7, 8, 9, 10)), _item())


def test_the_cause_is_the_first_thing_that_kept_a_finding_from_the_user():
    here, there = _finding(10), _finding(90, kernel="ns::walk<float>")
    assert cause(_item(), _KNOWN, [here], [here]) == "reported"
    assert cause(_item(), _KNOWN, [there], [there, here]) == "below"
    assert cause(_item("launch-bounds"), _KNOWN, [], [_finding(10, "CU508")]) == "opt-in"
    assert cause(_item(), _KNOWN, [there], [there]) == "elsewhere"
    assert cause(_item(), _KNOWN, [], []) is None
    assert cause(_item("unheard"), _KNOWN, [here], [here]) == "no rule"
    assert cause(_item("never named"), _KNOWN, [here], [here]) == "no rule"


def test_of_several_lines_the_nearest_miss_counts():
    def said(*verdicts):
        return [{"rules": [{"code": "CU101", "verdict": one}]} for one in verdicts]

    assert verdict(said("no fact", "nothing found"), ("CU101",)) == "silent"
    assert verdict(said("nothing found", "unknown"), ("CU101",)) == "unknown"
    assert verdict(said("unknown"), ("CU102",)) == "no fact"


def test_the_table_counts_by_cause_and_names_the_most_frequent_silence_of_a_kind():
    text = table(
        [(_item(), "reported"), (_item(), "below"), (_item(), "below"), (_item("unheard"), "no rule")]
    )
    assert "| found, impact below the threshold | 2 | 0 | 0 |" in text
    assert "| **all** | **4** | **0** | **0** |" in text
    assert "| strided | 3 | 1 | found, impact below the threshold (2) |" in text
    assert "| unheard | 1 | 0 | no rule for it (1) |" in text
