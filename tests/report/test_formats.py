"""Every format: what its readers expect, several at once, and that nothing of hostile source acts."""

import json
import os
import re
import subprocess
import xml.etree.ElementTree as ElementTree
import zlib
from pathlib import Path

import pytest
import yaml

from cudalint.report import formats, markdown, sarif
from cudalint.report.content import Content
from cudalint.rule.findings import Confidence, Edit, FileResult, Finding, Fix, Related
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis, Impact
from cudalint.source.span import Span
from cudalint.source.text import Sources
from tests.support.checkout import ROOT
from tests.support.command_line import STRIDED, Command

EVIL = (
    "x\x1b[2J\x9b31m\x07<script>alert(1)</script>]]><!--\n::error file=a::b\n##[add-path]c [l](javascript:d) "
    "`code` |cell| ![i](http://e) @team {{ f }} \u202e"
)


def evil() -> Content:
    span = Span(f"a{EVIL}.cu", 1, 1, 1, 3)
    finding = Finding(
        "CU301", "shared-memory-race", Severity.ERROR, Confidence.HIGH, span, f"race on `t` {EVIL}",
        notes=(EVIL,), help=EVIL, kernel=EVIL, evidence={"text": EVIL}, condition=EVIL,
        related=(Related(span, EVIL),), fix=Fix((Edit(span, "y"),), True),
        impact=Impact(0.1, 0.2, Basis.SECTORS),
    )  # fmt: skip
    lost = FileResult(span.path, "failed", EVIL)
    return Content((finding,), (lost,), "sm_90", Sources({span.path: EVIL}), "0")


@pytest.mark.parametrize("name", formats.FORMATS)
def test_hostile_source_reaches_no_reader_raw(name: str) -> None:
    text = formats.render(name, evil())
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", text)
    if name in ("full", "concise", "grouped", "github", "markdown"):  # what a runner's log shows
        commands = [row for row in text.splitlines() if row.lstrip().startswith("::")]
        assert len(commands) == (name == "github")
        assert "##[" not in text
    if name == "markdown":
        assert "<script" not in re.sub(r"`[^`\n]*`", "", text)
        assert not re.search(r"(?<!\\)\]\(|@team|(?<!\\)!\[", re.sub(r"`[^`\n]*`", "", text))
    if name == "junit":
        (failure,) = ElementTree.fromstring(text).iter("failure")
        assert "<script>" in str(failure.text)  # as text, not as an element
    if name == "sarif":
        message = json.loads(text)["runs"][0]["results"][0]["message"]["text"]
        assert re.findall(r"(?<!\\)\]\((.*?)\)", message) == ["1"]  # the related place alone


def test_code_spans_stay_code_in_markdown() -> None:
    assert markdown.inline("race on `tile[t]`: a*b <i>") == "race on `tile[t]`: a\\*b &lt;i&gt;"
    assert markdown.code("a`|b") == "`a'\\|b`"


def test_sarif_stays_within_the_limits_of_code_scanning(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (sarif._MOST_RESULTS, sarif._MOST_BYTES) == (25_000, 10_000_000)
    monkeypatch.setattr(sarif, "_MOST_RESULTS", 40)
    span = Span("a.cu", 1, 1, 1, 2)
    one = Finding("CU101", "n", Severity.NOTE, Confidence.HIGH, span, "m")
    many = Content((one,) * 41, (), "sm_90", Sources({"a.cu": "x"}), "0")
    run = json.loads(sarif.render(many))["runs"][0]
    assert len(run["results"]) == 40
    (told,) = run["invocations"][0]["toolExecutionNotifications"]
    assert told["message"]["text"].startswith("1 result was left out")
    monkeypatch.setattr(sarif, "_MOST_BYTES", 1500)
    text = sarif.render(many)
    assert len(zlib.compress(text.encode())) <= 1500
    assert 0 < len(json.loads(text)["runs"][0]["results"]) < 40


def test_several_reports_of_one_run(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "\u00fc.cu").write_text(STRIDED.replace("out[i]", "/*\u00fc*/ out[i]"))
    names = [name for name in formats.FORMATS if name != "full"]
    words = [word for name in names for word in ("--output-format", f"{name}:{name}.out")]
    outcome = cudalint(".", *words, "--output-format", "full")
    assert outcome.returncode == 1
    assert outcome.stdout.startswith("warning[CU101]")
    text = {name: (tmp_path / f"{name}.out").read_text(encoding="utf-8") for name in names}
    finding = json.loads(text["json"])["findings"][0]
    assert [json.loads(row) for row in text["json-lines"].splitlines()] == [finding]
    assert text["grouped"].splitlines()[0] == "\u00fc.cu:" and text["grouped"].endswith("\n1 finding\n")
    (issue,) = json.loads(text["gitlab"])
    assert issue["location"] == {"path": "\u00fc.cu", "lines": {"begin": 4, "end": 4}}
    assert (issue["severity"], issue["fingerprint"]) == ("major", finding["fingerprint"])
    (suite,) = ElementTree.fromstring(text["junit"])
    assert (suite.get("tests"), suite.get("failures"), suite[0].get("line")) == ("1", "1", "4")
    (diagnostic,) = json.loads(text["rdjson"])["diagnostics"]
    assert diagnostic["location"]["range"]["start"] == {"line": 4, "column": finding["column"] + 1}  # bytes
    assert diagnostic["code"]["url"].startswith("https://docs.nvidia.com/cuda/")
    assert f"| `\u00fc.cu:4` | CU101 {finding['name']} | warning |" in text["markdown"]
    assert json.loads(text["sarif"])["runs"][0]["tool"]["driver"]["rules"][3]["helpUri"].startswith(
        "https://"
    )


def test_two_reports_need_two_places(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(STRIDED)
    both = cudalint("a.cu", "--output-format", "json", "--output-format", "full")
    assert (both.returncode, both.stdout) == (2, "")
    assert "two reports go to standard output; name a file, as in sarif:out.sarif" in both.stderr
    assert "'xml' is not one of full, " in cudalint("a.cu", "--output-format", "xml").stderr


def test_the_action_runs_what_it_says(tmp_path: Path) -> None:
    steps = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
    (tmp_path / "a.cu").write_text(STRIDED)
    environment = {
        **os.environ,
        "PATH": f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PATHS": ".", "ARGS": "--fail-on error", "SARIF": "out.sarif", "GITHUB_STEP_SUMMARY": "summary.md",
    }  # fmt: skip
    done = subprocess.run(
        ["bash", "-e", "-c", steps[-1]["run"]],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("::warning file=a.cu,line=4")
    assert json.loads((tmp_path / "out.sarif").read_text())["version"] == "2.1.0"
    assert (tmp_path / "summary.md").read_text().startswith("### cudalint: 1 finding\n")


def test_the_gitlab_job_writes_what_it_uploads(cudalint: Command, tmp_path: Path) -> None:
    blocks = re.findall(
        r"```yaml\n(.+?)```", (ROOT / "docs" / "ci.md").read_text(encoding="utf-8"), re.DOTALL
    )
    job = yaml.safe_load(blocks[1])["cudalint"]
    (tmp_path / "a.cu").write_text(STRIDED)
    assert cudalint(*job["script"][1].split()[1:]).returncode == 1
    assert len(json.loads((tmp_path / job["artifacts"]["reports"]["codequality"]).read_text())) == 1
    assert yaml.safe_load(blocks[0])["jobs"]["cudalint"]["steps"][1]["with"].keys() <= set(
        yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    )
