"""The command line as a user meets it; what is common to all its runs in a new interpreter."""

import json
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from cudalint import __version__
from cudalint.rule import pages, registry
from tests.support.command_line import CLEAN, STRIDED, Command, codes, forked, report, started

RACE = """\
__global__ void reverse(float *out, const float *in)
{
    __shared__ float tile[256];
    tile[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = tile[255 - threadIdx.x];
}
void run(float *out, const float *in) { reverse<<<1, 256>>>(out, in); }
"""

DOUBLES = """\
__global__ void scale(float *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] *= 0.3;
}
void run(float *out) { scale<<<65536, 256>>>(out); }
"""


@pytest.fixture
def cudalint(tmp_path: Path) -> Command:
    """Run `cudalint ARGS...` in tmp_path."""
    return partial(forked, cwd=tmp_path)


@pytest.fixture
def strided(tmp_path: Path) -> Path:
    file = tmp_path / "a.cu"
    file.write_text(STRIDED)
    return file


def test_version(tmp_path: Path) -> None:
    cudalint = partial(started, cwd=tmp_path)
    for arguments in (["--version"], ["--version", "--help"]):
        outcome = cudalint(*arguments)
        assert (outcome.returncode, outcome.stderr) == (0, "")
    assert cudalint("--version").stdout == f"cudalint {__version__}\n"


def test_what_a_plain_run_does_not_need_is_not_imported(strided: Path) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "cudalint", "--isolated", str(strided)]
    loaded = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    assert re.search(r"\|\s+numpy\b", loaded)
    for name in ("rich", "pycparser", "pathspec", "networkx", "cudalint.report.sarif"):
        assert not re.search(rf"\|\s+{name}\b", loaded)


def test_help_names_every_option_of_check(cudalint: Command) -> None:
    text = cudalint("check", "--help").stdout
    for option in (
        "--select --ignore --extend-select --fail-on --fix --diff --output-format -o --statistics --assume "
        "--arch --isolated --no-cache --exit-zero --stdin-filename -p -I -D --std --extra-arg"
    ).split():
        assert option in text
    assert cudalint().returncode == 2 or "Usage" in cudalint().stdout


def test_paths_alone_are_a_check(cudalint: Command, strided: Path) -> None:
    short, long = cudalint("a.cu"), cudalint("check", "a.cu")
    assert (short.returncode, short.stdout) == (long.returncode, long.stdout)
    assert short.returncode == 1
    assert cudalint("--select", "CU101", "a.cu").returncode == 1  # options may come first


def test_exit_statuses(strided: Path, tmp_path: Path) -> None:
    cudalint = partial(started, cwd=tmp_path)
    (tmp_path / "clean.cu").write_text(CLEAN)
    (tmp_path / "race.cu").write_text(RACE)
    assert cudalint("clean.cu").returncode == 0
    assert cudalint("a.cu").returncode == 1
    assert cudalint("a.cu", "--exit-zero").returncode == 0
    assert cudalint("a.cu", "--fail-on", "error").returncode == 0
    assert cudalint("race.cu", "--fail-on", "error").returncode == 1
    assert cudalint("gone.cu", "--exit-zero").returncode == 2
    (tmp_path / "note.cu").write_text('#include "gone.h"\n__global__ void part(gone::T *a);\n')
    assert cudalint("note.cu").returncode == 0
    assert cudalint("note.cu", "--fail-on", "note").returncode == 1


def test_a_lost_kernel_is_named_and_fails_a_strict_run(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "half.cu").write_text(
        "template <class T> __global__ void lost(typename T::nowhere::type *a) { a[threadIdx.x] = 0; }\n"
        + CLEAN
    )
    plain, strict = cudalint("half.cu"), cudalint("half.cu", "--strict")
    assert (plain.returncode, strict.returncode) == (0, 2)
    assert "1 partially analysed (1 kernel lost)" in strict.stdout
    assert cudalint("half.cu", "--strict", "--exit-zero").returncode == 2
    (file,) = report(cudalint("half.cu", "--output-format", "json"))["files"]
    assert file["lost"] == ["lost"]
    (tmp_path / "clean.cu").write_text(CLEAN)
    assert cudalint("clean.cu", "--strict").returncode == 0


def test_select_ignore_and_extend(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(STRIDED + DOUBLES)

    def found(*arguments: str) -> set[str]:
        return {code for _, _, code in codes(cudalint("a.cu", "--output-format", "json", *arguments))}

    assert found() == {"CU101", "CU119", "CU601"}
    assert found("--select", "CU101") == {"CU101"}
    assert found("--select", "CU6,CU3") == {"CU601"}
    assert found("--select", "double-literal") == {"CU601"}
    assert found("--select", "CU101", "--extend-select", "CU601") == {"CU101", "CU601"}
    assert found("--ignore", "CU1") == {"CU601"}
    assert found("--select", "ALL", "--ignore", "CU601") >= {"CU101"}


def test_the_full_report_persuades(cudalint: Command, strided: Path) -> None:
    rows = cudalint("a.cu").stdout.splitlines()
    assert rows[0].startswith("warning[CU101] strided global load and store: 8 sectors/request (ideal 4)")
    assert rows[1] == " --> a.cu:4:5  in kernel spread"
    assert rows[3] == "4 |     out[i] = in[i];"
    assert rows[4] == "  |     ^^^^^^"
    assert any(row.startswith("  = note: ") for row in rows)
    assert any(row.startswith("  = help: ") for row in rows)
    assert rows[-1].startswith("1 file: 1 warning")


def test_a_race_shows_both_threads_and_both_places(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "r.cu").write_text(RACE)
    text = cudalint("r.cu", "--select", "CU301").stdout
    assert "r.cu:4:" in text
    assert "r.cu:5:" in text
    assert "    tile[threadIdx.x] = in[threadIdx.x];" in text
    assert "    out[threadIdx.x] = tile[255 - threadIdx.x];" in text
    assert text.count("thread (") >= 2
    assert "__syncthreads()" in text


def test_every_format_goes_to_a_file(cudalint: Command, strided: Path, tmp_path: Path) -> None:
    for name in ("full", "concise", "json", "sarif", "github"):
        direct = cudalint("a.cu", "--output-format", name)
        outcome = cudalint("a.cu", "--output-format", name, "-o", f"{name}.out")
        assert (outcome.returncode, outcome.stdout, outcome.stderr) == (1, "", "")
        assert (tmp_path / f"{name}.out").read_text(encoding="utf-8") == direct.stdout


def test_json_holds_the_contract(cudalint: Command, strided: Path) -> None:
    document = report(cudalint("a.cu", "--output-format", "json", "--arch", "sm_75", "--no-cache"))
    assert document["version"] == 1
    assert document["tool"] == {"name": "cudalint", "version": __version__}
    assert document["arch"] == "sm_75"
    one = document["findings"][0]
    assert (one["path"], one["line"], one["column"], one["end_line"], one["end_column"]) == (
        "a.cu", 4, 5, 4, 11,
    )  # fmt: skip
    assert (one["name"], one["kernel"], one["confidence"]) == ("strided-global-access", "spread", "high")
    assert one["evidence"]["transactions"] == 8


def test_runs_are_equal_and_do_not_depend_on_jobs(cudalint: Command, tmp_path: Path) -> None:
    for number in range(6):
        (tmp_path / f"f{number}.cu").write_text(STRIDED + f"// {number}\n")
    one = cudalint(".", "--output-format", "json", "-j", "1")
    two = cudalint(".", "--output-format", "json", "-j", "3")
    assert one.stdout == two.stdout


def test_what_an_impact_decides(cudalint: Command, strided: Path, tmp_path: Path) -> None:
    (impact,) = (
        finding["impact"] for finding in report(cudalint("a.cu", "--output-format", "json"))["findings"]
    )
    assert 0.2 < impact["low"] < impact["high"] < 0.7
    more, less = f"{100 * impact['high'] + 1:g}", f"{100 * impact['high'] - 1:g}"
    assert codes(cudalint("a.cu", "--min-impact", less, "--output-format", "json")) != []
    silent = cudalint("a.cu", "--min-impact", more, "--output-format", "json")
    assert (codes(silent), silent.returncode) == ([], 0)
    statistics = cudalint("a.cu", "--select", "CU101", "--min-impact", more, "--statistics").stdout
    assert "findings below --min-impact: 1\n" in statistics
    assert "below" not in cudalint("a.cu", "--select", "CU101", "--statistics").stdout
    (tmp_path / "cudalint.toml").write_text(f"min-impact = {more}\n")
    assert cudalint("a.cu").returncode == 0
    (tmp_path / "cudalint.toml").unlink()
    only = ("a.cu", "--fail-on", "error")
    assert cudalint(*only).returncode == 0
    assert cudalint(*only, "--fail-on-impact", less).returncode == 1
    assert cudalint(*only, "--fail-on-impact", more).returncode == 0
    assert cudalint(*only, "--fail-on-impact", "0", "--min-impact", more).returncode == 0
    (tmp_path / "cudalint.toml").write_text(f'fail-on = "error"\nfail-on-impact = {less}\n')
    assert cudalint("a.cu").returncode == 1


@pytest.mark.parametrize("option", ["--min-impact", "--fail-on-impact"])
def test_a_percentage_out_of_range_is_named(cudalint: Command, strided: Path, option: str) -> None:
    for given in ("-3", "100.5", "nan"):
        outcome = cudalint("a.cu", option, given)
        assert outcome.returncode == 2
        assert outcome.stderr == f"cudalint: {option} must be a percentage from 0 to 100, not {given}\n"
    assert "20%" in cudalint("a.cu", option, "20%").stderr


def test_statistics(cudalint: Command, strided: Path) -> None:
    text = cudalint("a.cu", "--statistics").stdout
    assert "files: 1, ok 1, degraded 0, failed 0" in text
    assert "kernels in the source: 1" in text
    assert "kernels modelled: 1 (100.0%)" in text
    assert "1  CU101 strided-global-access" in text


def test_assumptions_narrow_what_is_tried(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(
        "__global__ void f(float *o, int n) { o[(blockIdx.x * blockDim.x + threadIdx.x) * n] = 1.0f; }\n"
        "void run(float *o, int n) { f<<<64, 256>>>(o, n); }\n"
    )

    def numbers(*arguments: str) -> dict[str, object]:
        document = report(cudalint("inspect", "a.cu", "--output-format", "json", *arguments))
        transactions: dict[str, object] = document["files"][0]["kernels"][0]["accesses"][0]["transactions"]
        return transactions

    assert numbers()["per_request"] == 32.0  # no stride is assumed to be small
    narrowed = numbers("--assume", "n == 2")
    assert (narrowed["certainty"], narrowed["per_request"]) == ("exact", 8.0)
    file = tmp_path / "a.cu"
    file.write_text(file.read_text() + "// cudalint: assume n == 1\n")
    assert numbers()["per_request"] == 4.0


def test_defines_includes_and_standard_reach_the_parser(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "elsewhere" / "deep").mkdir(parents=True)
    (tmp_path / "elsewhere" / "deep" / "step.h").write_text("#define STEP 2\n")
    (tmp_path / "a.cu").write_text(
        '#include "step.h"\n#if WANTED == 3 && __cplusplus >= 202002L\n'
        + STRIDED.replace("* 2", "* STEP")
        + "#endif\n"
    )
    without = cudalint("a.cu", "-I", "elsewhere/deep", "--output-format", "json")
    assert codes(without) == [("a.cu", 3, "CU001")]  # its kernel hangs on WANTED
    options = ["-I", "elsewhere/deep", "-D", "WANTED=3", "--std", "c++20", "--output-format", "json"]
    assert {line for _, line, code in codes(cudalint("a.cu", *options)) if code == "CU101"} == {6}
    assert report(cudalint("a.cu", *options))["files"][0]["status"] == "ok"
    joined = ["--extra-arg", "-Ielsewhere/deep", "--extra-arg=-DWANTED=3", "--std=c++20"]
    assert cudalint("a.cu", *joined).returncode == 1


def test_fix_and_diff(cudalint: Command, tmp_path: Path) -> None:
    file = tmp_path / "d.cu"
    file.write_text(DOUBLES)
    assert cudalint("d.cu", "--diff").stdout == ""  # 0.3f is another number
    shown = cudalint("d.cu", "--diff", "--unsafe-fixes")
    assert file.read_text() == DOUBLES
    assert "-    out[blockIdx.x * blockDim.x + threadIdx.x] *= 0.3;\n" in shown.stdout
    assert "+    out[blockIdx.x * blockDim.x + threadIdx.x] *= 0.3f;\n" in shown.stdout
    fixed = cudalint("d.cu", "--fix", "--unsafe-fixes")
    assert file.read_text() == DOUBLES.replace("0.3", "0.3f")
    assert (fixed.returncode, "1 fixed" in fixed.stdout) == (0, True)
    again = cudalint("d.cu", "--fix", "--unsafe-fixes")
    assert (again.returncode, "fixed" in again.stdout) == (0, False)
    assert cudalint("d.cu", "--diff", "--unsafe-fixes").stdout == ""


def test_rule_pages(cudalint: Command) -> None:
    text = cudalint("rule", "CU301").stdout
    assert text.startswith("CU301 shared-memory-race\n")
    for heading in pages.SECTIONS:
        assert heading.upper() in text
    assert cudalint("rule", "shared-memory-race").stdout == text
    assert cudalint("rule", "cu301").stdout == text
    table = json.loads(cudalint("rule", "CU301", "--output-format", "json").stdout)
    assert (table["code"], table["severity"]) == ("CU301", "error")
    assert cudalint("rule", "CU301", "--output-format", "markdown").stdout.startswith("# shared-memory-race")


def test_all_rules(cudalint: Command) -> None:
    rows = cudalint("rule", "--all").stdout.splitlines()
    assert [row.split()[0] for row in rows] == [loaded.rule.code for loaded in registry.load()]
    tables = json.loads(cudalint("rule", "--all", "--output-format", "json").stdout)
    assert [table["name"] for table in tables] == [loaded.rule.name for loaded in registry.load()]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rule"], "name a rule, or pass --all"),
        (["rule", "CU399"], "no rule named 'CU399'"),
        (["rule", "shared-memory-rase"], "did you mean shared-memory-race?"),
        (["rule", "CU301", "--output-format", "html"], "'html' is not one of text, markdown, json"),
    ],
)
def test_a_rule_that_is_not_there(cudalint: Command, arguments: list[str], said: str) -> None:
    outcome = cudalint(*arguments)
    assert (outcome.returncode, outcome.stdout) == (2, "")
    (line,) = outcome.stderr.splitlines()
    assert said in line


def test_a_reader_that_stops_reading_is_no_error(strided: Path) -> None:
    command = f"{sys.executable} -m cudalint rule --all --output-format json | head -c 10"
    outcome = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert "Traceback" not in outcome.stderr
    assert "BrokenPipe" not in outcome.stderr
