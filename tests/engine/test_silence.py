"""Why a line draws nothing."""

import json
from pathlib import Path
from typing import Any

from tests.support.command_line import STRIDED, Command

_LOADED = """\
__global__ void gather(float *out, const float *in, const int *at)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[at[i]];
}
void run(float *o, const float *i, const int *a) { gather<<<65536, 256>>>(o, i, a); }
"""


def told(cudalint: Command, line: int, *arguments: str) -> dict[str, tuple[str, str]]:
    """(verdict, why) of each rule."""
    outcome = cudalint("--explain-silence", f"a.cu:{line}", "--output-format", "json", *arguments)
    assert (outcome.returncode, outcome.stderr) == (0, "")
    document: dict[str, Any] = json.loads(outcome.stdout)
    return {rule["code"]: (rule["verdict"], rule["why"]) for rule in document["rules"]}


def test_the_settings_that_keep_a_finding_back_are_named(cudalint: Command, tmp_path: Path) -> None:
    line = "out[i] = in[i];"
    (tmp_path / "a.cu").write_text(STRIDED)
    assert told(cudalint, 4)["CU101"] == ("reported", "")
    assert told(cudalint, 4, "--select", "CU2")["CU101"] == ("not reported", "not selected")
    verdict, why = told(cudalint, 4, "--min-impact", "90")["CU101"]
    assert verdict == "not reported"
    assert why.startswith("below --min-impact 90: fixing it saves ") and why.endswith("(sectors)")
    (tmp_path / "a.cu").write_text(STRIDED.replace(line, line + "  // cudalint: ignore[CU101]"))
    assert told(cudalint, 4)["CU101"] == ("not reported", "silenced by the comment on line 4")
    (tmp_path / "a.cu").write_text(STRIDED.replace(line, line + "  // cudalint: ignore[CU301]"))
    assert told(cudalint, 4)["CU101"] == ("reported", "")


def test_what_rules_looked_at_is_said(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(STRIDED)
    rules = told(cudalint, 4)
    assert rules["CU103"] == ("nothing found", "access")
    assert rules["CU303"][0] == "no fact" and rules["CU303"][1].startswith("race")
    assert rules["CU604"] == ("nothing found", "the whole file")
    assert told(cudalint, 12)["CU103"] == ("no fact", "access")


def test_what_is_not_known_is_said(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(_LOADED)
    rules = told(cudalint, 4)
    assert rules["CU103"][0] == "unknown"
    assert rules["CU103"][1].startswith("`in[at[i]]` has no number: ")
    verdict, why = rules["CU106"]
    assert verdict == "reported" or (verdict, why) == ("not reported", "opt-in: --extend-select CU106")


def test_the_text_groups_rules_and_shows_the_facts(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(STRIDED)
    rows = cudalint("--explain-silence", "a.cu:4", "--min-impact", "90").stdout.splitlines()
    assert rows[0] == "a.cu:4: out[i] = in[i];"
    assert "  access: out[i], in[i]" in rows
    at = rows.index("  found, but not reported:")
    assert rows[at + 1].startswith("    CU101 strided-global-access: below --min-impact 90")
    assert any("8 sectors/request (ideal 4); exact" in row for row in rows)
    assert max(map(len, rows)) <= 100


def test_a_place_that_is_none_is_refused(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(STRIDED)
    for place, says in (
        ("a.cu", "--explain-silence: 'a.cu' is not FILE:LINE"),
        ("a.cu:999", "--explain-silence a.cu:999: no such line of code"),
    ):
        outcome = cudalint("--explain-silence", place, "a.cu")
        assert outcome.returncode == 2
        assert says in outcome.stderr
