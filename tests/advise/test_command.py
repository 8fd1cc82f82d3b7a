"""`cudalint advise` as a user runs it: text, Markdown, JSON and its schema."""

import json
from pathlib import Path

import jsonschema
import pytest

from tests.support.checkout import ROOT
from tests.support.command_line import CLEAN, STRIDED, Command, report

_SCHEMA = json.loads((ROOT / "docs" / "advise.schema.json").read_text(encoding="utf-8"))
_LOST = """\
template <int N> __global__ void lost(gone::T *a) { static_assert(N == 77); a[0] = N; }
void go(gone::T *a) { lost<77><<<1, 32>>>(a); }
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "a.cu").write_text(CLEAN)
    (tmp_path / "b.cu").write_text(STRIDED)
    return tmp_path


def test_the_text_has_a_card_per_kernel_and_a_ranked_list(cudalint: Command, tree: Path) -> None:
    outcome = cudalint("advise", ".", "--no-nvcc")
    assert outcome.returncode == 0
    cards, ranked = outcome.stdout.split("what to do first\n")
    assert cards.startswith("2 kernels, on H200 (sm_90, 132 multiprocessors)")
    assert [row for row in cards.splitlines() if row.startswith("kernel")] == [
        "kernel copy (a.cu:1)",
        "kernel spread (b.cu:1)",
    ]
    assert "16 bytes requested per thread (32-byte sectors, before any cache), 50% of them useful" in cards
    assert "registers unknown (nvcc was not asked)" in cards
    assert "`in[i]`: 8 sectors/request (ideal 4)" in cards
    assert ranked.startswith("  1. saves ") and "[CU101]" in ranked.splitlines()[0]


def test_the_json_follows_the_schema_and_is_ranked(cudalint: Command, tree: Path) -> None:
    (tree / "c.cu").write_text(_LOST)
    document = report(cudalint("advise", ".", "--no-nvcc", "--output-format", "json"))
    jsonschema.Draft202012Validator(_SCHEMA).validate(document)
    gains = [one["gain"]["low"] + one["gain"]["high"] for one in document["ranked"] if one["gain"]]
    assert gains and gains == sorted(gains, reverse=True)
    assert {card["kernel"] for card in document["cards"]} == {"copy", "spread", "lost"}


def test_what_is_below_the_usual_threshold_is_in_the_advice(cudalint: Command, tree: Path) -> None:
    (tree / "cudalint.toml").write_text("min-impact = 100\n")
    shown = report(cudalint("check", "b.cu", "--output-format", "json"))["findings"]
    document = report(cudalint("advise", "b.cu", "--no-nvcc", "--output-format", "json"))
    assert "CU101" not in {one["code"] for one in shown}
    assert "CU101" in {one["code"] for one in document["ranked"]}


def test_a_kernel_that_is_not_modelled_has_a_card_that_says_why(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "lost.cu").write_text(_LOST)
    outcome = cudalint("advise", "lost.cu", "--no-nvcc")
    assert "not modelled: nothing that could be parsed says what its template arguments are" in outcome.stdout
    assert "bytes requested" not in outcome.stdout


def test_the_markdown_has_headings_lists_and_balanced_code(cudalint: Command, tree: Path) -> None:
    rows = cudalint("advise", ".", "--no-nvcc", "--output-format", "markdown").stdout.splitlines()
    assert [row for row in rows if row.startswith("#")] == [
        "# Advice",
        "## `copy` (`a.cu:1`)",
        "## `spread` (`b.cu:1`)",
        "## What to do first",
    ]
    assert any(row.startswith("1. saves ") for row in rows)
    assert all(row.count("`") % 2 == 0 for row in rows)
    lists = [row for row in rows if row and not row.startswith(("#", "**", "2 kernels"))]
    assert lists and all(row.lstrip().startswith(("- ", *"123456789")) for row in lists)


def test_the_device_changes_the_waves(cudalint: Command, tree: Path) -> None:
    """1,024 blocks of 256 threads: an A100 holds 8 on each of 108 multiprocessors."""
    outcome = cudalint("advise", "a.cu", "--no-nvcc", "--device", "A100 80GB", "--output-format", "json")
    document = report(outcome)
    assert (document["device"], document["multiprocessors"]) == ("A100 80GB", 108)
    (launch,) = document["cards"][0]["launches"]
    assert launch["residency"]["waves"] == pytest.approx(1024 / (8 * 108))


def test_a_profile_gives_the_share_of_the_measured_time(cudalint: Command, tree: Path) -> None:
    """Of 3 and 1 ms, `spread` has 75%."""
    export = ROOT / "tests" / "data" / "profiles" / "systems.csv"
    outcome = cudalint("advise", ".", "--no-nvcc", "--profile", str(export), "--output-format", "json")
    document = report(outcome)
    jsonschema.Draft202012Validator(_SCHEMA).validate(document)
    first = document["ranked"][0]
    assert (first["kernel"], first["profile"]["share"]) == ("spread", 0.75)


def test_a_finding_of_a_called_function_is_on_the_card_of_the_kernel(
    cudalint: Command, tmp_path: Path
) -> None:
    (tmp_path / "f.cuh").write_text("__device__ float f(const float *in, int i) { return in[i * 8]; }\n")
    (tmp_path / "k.cu").write_text(
        '#include "f.cuh"\n__global__ void k(float *out, const float *in)\n'
        "{ int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = f(in, i); }\n"
        "void go(float *a, float *b) { k<<<65536, 256>>>(a, b); }\n"
    )
    (card,) = report(cudalint("advise", "k.cu", "--no-nvcc", "--output-format", "json"))["cards"]
    assert [code["name"] for code in card["functions"]] == ["f", "k"]
    assert ("CU101", "f.cuh") in {(one["code"], one["path"]) for one in card["changes"]}


def test_a_report_is_written_to_a_file(cudalint: Command, tree: Path) -> None:
    assert cudalint("advise", "a.cu", "--no-nvcc", "-o", "advice.txt").stdout == ""
    assert "kernel copy (a.cu:1)" in (tree / "advice.txt").read_text()


def test_wrong_usage(cudalint: Command, tree: Path) -> None:
    assert cudalint("advise", ".", "--output-format", "sarif").returncode == 2
    assert cudalint("advise", ".", "--arch", "sm_80,sm_90").returncode == 2
    assert cudalint("advise", "gone.cu", "--no-nvcc").returncode == 2
