"""The arithmetic of the table of judged findings."""

import json
from pathlib import Path

from tools.precision import EACH, carried_over, density, draw, main, table


def _finding(code: str, line: int, message: str = "") -> dict[str, object]:
    rest = {"corpus": "a", "path": "k.cu", "kernel": None, "message": message, "notes": [], "help": ""}
    return {"code": code, "name": f"rule-{code.lower()}", "severity": "warning", "line": line, **rest}


def test_a_sample_is_the_same_whatever_the_order_and_holds_each_finding_once():
    findings = [_finding("CU101", n) for n in range(2 * EACH)] + [_finding("CU201", n) for n in range(3)]
    sample = draw(findings, 1)
    assert sample == draw(findings[::-1], 1)
    assert sample != draw(findings, 2)
    assert [f["id"] for f in sample] == list(range(1, EACH + 4))
    assert len({(f["code"], f["line"]) for f in sample}) == EACH + 3
    assert sorted(f["line"] for f in sample if f["code"] == "CU201") == [0, 1, 2]


def test_what_is_mended_leaves_the_rest_of_a_sample_as_it_was():
    findings = [_finding("CU101", n) for n in range(2 * EACH)]
    before = {f["line"] for f in draw(findings, 1)}
    gone = min(before)
    after = {f["line"] for f in draw([f for f in findings if f["line"] != gone], 1)}
    assert before - after == {gone} and len(after) == EACH


def test_a_verdict_stands_for_the_same_rule_at_the_same_place():
    judged = [{**_finding("CU101", 1, "4 lines"), "verdict": "true", "why": "read"}, _finding("CU101", 2)]
    again = carried_over(
        [_finding("CU101", 1, "5 lines"), _finding("CU101", 2), _finding("CU201", 1)], judged
    )
    assert [f.get("verdict") for f in again] == ["true", None, None]
    assert [f["message"] for f in again] == ["5 lines", "", ""]


def test_a_verdict_of_one_of_several_findings_on_a_line_is_that_of_its_column():
    judged = [
        {**_finding("CU101", 1), "column": column, "verdict": verdict, "why": "read"}
        for column, verdict in ((5, "true"), (9, "false"))
    ]
    sample = [{**_finding("CU101", 1), "column": column} for column in (5, 9, 13)]
    assert [f.get("verdict") for f in carried_over(sample, judged)] == ["true", "false", None]
    without = [{key: f[key] for key in f if key != "column"} for f in judged]
    assert [f.get("verdict") for f in carried_over(sample, without)] == [None] * 3
    assert [f.get("verdict") for f in carried_over(sample, without[:1])] == ["true"] * 3


def test_precision_leaves_out_what_is_unclear_and_not_judged(tmp_path: Path):
    sample = tmp_path / "sample.json"
    sample.write_text(json.dumps({"sample": draw([_finding("CU101", n) for n in range(7)], 1)}))
    verdicts = tmp_path / "verdicts.json"
    said = ["true", "true", "true", "false", "unclear", "deliberate"]
    verdicts.write_text(json.dumps([{"id": n, "verdict": v, "why": "read"} for n, v in enumerate(said, 1)]))
    assert main(["judge", str(sample), str(verdicts)]) == 0
    rows = table(json.loads(sample.read_text())["sample"]).splitlines()
    assert rows[2] == "| CU101 rule-cu101 | warning | 6 | 3 | 1 | 1 | 1 | 0.75 |"
    assert rows[3] == "| **all** |  | 6 | 3 | 1 | 1 | 1 | 0.75 |"


def test_density_is_per_thousand_lines():
    linted = [{"corpus": "a", "files": 2, "lines": 4000}, {"corpus": "b", "files": 1, "lines": 500}]
    rows = density(linted, {"a": {"CU101": 6, "CU201": 2}}).splitlines()
    assert "| **findings per 1,000 lines** | **2.00** | **0.00** |" in rows
    assert "| CU101 | 1.500 | 0 |" in rows
