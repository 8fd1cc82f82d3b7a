"""The arithmetic of the table of judged findings."""

from tests.precision import EACH, density, draw, table


def _finding(code: str, line: int) -> dict[str, object]:
    return {"code": code, "name": f"rule-{code.lower()}", "severity": "warning", "line": line}


def test_a_sample_is_the_same_whatever_the_order_and_holds_each_finding_once():
    findings = [_finding("CU101", n) for n in range(50)] + [_finding("CU201", n) for n in range(3)]
    sample = draw(findings, 1)
    assert sample == draw(findings[::-1], 1)
    assert sample != draw(findings, 2)
    assert [f["id"] for f in sample] == list(range(1, EACH + 4))
    assert len({(f["code"], f["line"]) for f in sample}) == EACH + 3
    assert sorted(f["line"] for f in sample if f["code"] == "CU201") == [0, 1, 2]


def test_precision_leaves_out_what_is_unclear_and_not_judged():
    sample = draw([_finding("CU101", n) for n in range(6)], 1)
    rows = table(sample, {1: "true", 2: "true", 3: "true", 4: "false", 5: "unclear"}).splitlines()
    assert rows[2] == "| CU101 rule-cu101 | warning | 5 | 3 | 1 | 1 | 0.75 |"
    assert rows[3] == "| **all** |  | 5 | 3 | 1 | 1 | 0.75 |"


def test_density_is_per_thousand_lines():
    linted = [{"corpus": "a", "files": 2, "lines": 4000}, {"corpus": "b", "files": 1, "lines": 500}]
    rows = density(linted, {"a": {"CU101": 6, "CU201": 2}}).splitlines()
    assert "| **findings per 1,000 lines** | **2.00** | **0.00** |" in rows
    assert "| CU101 | 1.500 | 0 |" in rows
