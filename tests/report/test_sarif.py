"""SARIF 2.1.0: valid by the schema, and what GitHub code scanning asks for beyond it."""

import json
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cudalint.report.fingerprint import line_hashes
from tests.support.checkout import ROOT
from tests.support.command_line import STRIDED, Command

SCHEMA = ROOT / "tests" / "data" / "sarif-schema-2.1.0.json"

RACE = """\
__global__ void reverse(float *out, const float *in)
{
    __shared__ float tile[256];
    tile[threadIdx.x] = in[threadIdx.x] * 2.2;
    out[threadIdx.x] = tile[255 - threadIdx.x];
}
void run(float *out, const float *in) { reverse<<<1, 256>>>(out, in); }
"""


@pytest.fixture(scope="module")
def validator() -> Any:
    return jsonschema.Draft4Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


def sarif(cudalint: Command, *arguments: str, **options: Any) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(cudalint(*arguments, "--output-format", "sarif", **options).stdout)
    return document


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with findings, a race, a fix, a suppression, a lost file and an odd name."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "race.cu").write_text(RACE)
    (tmp_path / "src" / "strided \u00fc.cu").write_text(STRIDED, encoding="utf-8")
    (tmp_path / "src" / "lost.cu").write_bytes(b"\0")
    (tmp_path / "src" / "part.cu").write_text('#include "gone.h"\n__global__ void part(gone::T *a);\n')
    return tmp_path


def test_the_log_is_valid(cudalint: Command, repository: Path, validator: Any) -> None:
    document = sarif(cudalint, "src", cwd=repository)
    assert [error.message for error in validator.iter_errors(document)] == []
    assert len(document["runs"][0]["results"]) >= 5


def test_a_log_without_results_is_valid(cudalint: Command, tmp_path: Path, validator: Any) -> None:
    (tmp_path / "a.cu").write_text("int a;\n")
    document = sarif(cudalint, "a.cu")
    assert [error.message for error in validator.iter_errors(document)] == []
    assert document["runs"][0]["results"] == []
    assert document["runs"][0]["invocations"][0]["executionSuccessful"] is True


def test_the_schema_refuses_what_is_wrong(cudalint: Command, repository: Path, validator: Any) -> None:
    document = sarif(cudalint, "src", cwd=repository)
    document["runs"][0]["results"][0]["level"] = "fatal"
    assert list(validator.iter_errors(document))


def test_uris_are_relative_to_the_repository_from_any_folder(cudalint: Command, repository: Path) -> None:
    above = sarif(cudalint, "src", cwd=repository)["runs"][0]
    inside = sarif(cudalint, ".", cwd=repository / "src")["runs"][0]
    for run in (above, inside):
        places = [r["locations"][0]["physicalLocation"]["artifactLocation"] for r in run["results"]]
        assert {place["uri"] for place in places} == {
            "src/race.cu", "src/strided%20%C3%BC.cu", "src/lost.cu", "src/part.cu",
        }  # fmt: skip
        assert {place["uriBaseId"] for place in places} == {"%SRCROOT%"}
    hashes = [[r["partialFingerprints"] for r in run["results"]] for run in (above, inside)]
    assert [h.get("primaryLocationLineHash") for h in hashes[0]] == [
        h.get("primaryLocationLineHash") for h in hashes[1]
    ]


def test_every_result_has_what_code_scanning_reads(cudalint: Command, repository: Path) -> None:
    run = sarif(cudalint, "src", cwd=repository)["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        rule = rules[result["ruleIndex"]]
        assert rule["id"] == result["ruleId"]
        assert rule["help"]["markdown"].startswith("# ")
        assert rule["help"]["text"]
        assert rule["shortDescription"]["text"]
        assert len(rule["fullDescription"]["text"]) <= 1024
        assert rule["properties"]["problem.severity"] in ("error", "warning", "recommendation")
        assert rule["properties"]["precision"] in ("high", "medium")
        assert len(rule["properties"]["tags"]) <= 20
        region = result["locations"][0]["physicalLocation"]["region"]
        assert region["startLine"] >= 1
        assert (region["endLine"], region["endColumn"]) >= (region["startLine"], region["startColumn"])
        path = repository / "src" / "race.cu"
        if result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].endswith("race.cu"):
            hashes = line_hashes(path.read_text())
            assert result["partialFingerprints"]["primaryLocationLineHash"] == hashes[region["startLine"]]
    levels = {"error": "error", "warning": "warning", "note": "recommendation"}
    for result in run["results"]:
        assert result["properties"]["problem.severity"] == levels[result["level"]]


def test_a_race_links_both_threads(cudalint: Command, repository: Path) -> None:
    run = sarif(cudalint, "src/race.cu", cwd=repository)["runs"][0]
    race = next(result for result in run["results"] if result["ruleId"] == "CU301")
    own, other = race["relatedLocations"]
    assert own["physicalLocation"] == race["locations"][0]["physicalLocation"]
    assert other["physicalLocation"]["region"]["startLine"] == 4
    reading, writing = (f"thread ({x}, {y}, {z})" for x, y, z in race["properties"]["evidence"]["threads"])
    assert own["message"]["text"] == f"{reading} reads `tile[255 - threadIdx.x]`"
    assert other["message"]["text"] == f"{writing} writes `tile[threadIdx.x]`"
    text = race["message"]["text"]
    assert f"[{reading} reads `tile\\[255 - threadIdx.x\\]`]({own['id']})" in text
    assert f"[{writing} writes `tile\\[threadIdx.x\\]`]({other['id']})" in text
    assert race["locations"][0]["logicalLocations"][0]["name"] == "reverse"


def test_a_fix_is_told_as_replacements(cudalint: Command, repository: Path) -> None:
    run = sarif(cudalint, "src/race.cu", "--min-impact", "0", cwd=repository)["runs"][0]
    double = next(result for result in run["results"] if result["ruleId"] == "CU601")
    (fix,) = double["fixes"]
    (change,) = fix["artifactChanges"]
    assert change["artifactLocation"]["uri"] == "src/race.cu"
    (replacement,) = change["replacements"]
    region = replacement["deletedRegion"]
    line = RACE.splitlines()[region["startLine"] - 1]
    before, after = line[: region["startColumn"] - 1], line[region["endColumn"] - 1 :]
    assert (before + replacement["insertedContent"]["text"] + after).strip() == (
        "tile[threadIdx.x] = in[threadIdx.x] * 2.2f;"
    )


def test_lost_files_are_notifications(cudalint: Command, repository: Path) -> None:
    (invocation,) = sarif(cudalint, "src", cwd=repository)["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    told = {n["message"]["text"].split(":")[0]: n["level"] for n in invocation["toolExecutionNotifications"]}
    assert told == {"src/lost.cu": "error", "src/part.cu": "warning"}


def test_the_hashes_of_repeated_lines_are_those_of_the_reference() -> None:
    # what the reference prints for ten such lines: equal windows are counted, the last ones reach the end
    hashes = line_hashes("Lorem ipsum dolor sit amet.\n" * 10)
    assert [hashes[n] for n in (1, 2, 6)] == [f"a7f2ff13bc495cf2:{n}" for n in (1, 2, 6)]
    assert [hashes[n] for n in (7, 8, 9, 10, 11)] == [
        "a7f2ff1481e87703:1", "a9cf91f7bbf1862b:1", "55ec222b86bcae53:1", "cc97dc7b1d7d8f7b:1",
        "c129715d7a2bc9a3:1",
    ]  # fmt: skip


def plain_hashes(text: str) -> list[str]:
    """The same numbers from their definition: a polynomial over 100 characters from each line's first."""
    characters = [c for c in text.replace("\r\n", "\n").replace("\r", "\n") if c not in " \t"]
    units = [ord(c) for c in characters] + [0xFFFF]
    starts = [0] + [n + 1 for n, unit in enumerate(units[:-1]) if unit == 10]
    window = [*units, *([0] * 100)]
    values = [sum(window[s + k] * 37 ** (99 - k) for k in range(100)) % 2**64 for s in starts]
    return [f"{value:x}:{values[: n + 1].count(value)}" for n, value in enumerate(values)]


@given(st.text(alphabet="ab;\n\r \t{}", max_size=400))
def test_the_rolling_hash_is_its_definition(text: str) -> None:
    text = text.replace("\r\n", "\n").replace("\r ", "\r").replace("\r\t", "\r").replace("\r\n", "\n")
    assert list(line_hashes(text).values()) == plain_hashes(text)


def test_bytes_that_are_no_utf8_hash_as_code_scanning_reads_them() -> None:
    raw = b"// caf\xe9\nint a;\n"
    assert line_hashes(raw.decode("utf-8", "surrogateescape")) == line_hashes(raw.decode("utf-8", "replace"))
