"""`--arch` with several architectures: each linted, one report."""

from pathlib import Path

import pytest

from cudalint.errors import UsageError
from cudalint.settings import config
from tests.support.command_line import STRIDED, Command, codes, report

# Without a barrier of the warp: right where warps run in lock step, a race since sm_70.
TAIL = """\
__global__ void last_warp(volatile float *out)
{
    __shared__ volatile float part[64];
    int t = threadIdx.x;
    part[t] = t;
    __syncthreads();
    if (t < 32) {
        part[t] += part[t + 16];
        part[t] += part[t + 8];
    }
    out[2 * t] = part[t];
}
void run(float *out, int blocks) { last_warp<<<blocks, 32>>>(out); }
"""
SELECT = ("--isolated", "--select", "CU101,CU304", "--output-format")


def test_findings_say_for_which_they_hold_where_not_for_all(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(TAIL)
    document = report(cudalint("a.cu", "--arch", "sm_60,sm_75,sm_90", *SELECT, "json"))
    assert (document["arch"], document["archs"]) == ("sm_60", ["sm_60", "sm_75", "sm_90"])
    assert {(f["code"], tuple(f["archs"])) for f in document["findings"]} == {
        ("CU101", ("sm_60", "sm_75", "sm_90")),
        ("CU304", ("sm_75", "sm_90")),
    }
    notes = [f["notes"][-1] for f in document["findings"] if f["code"] == "CU304"]
    assert set(notes) == {"for sm_75, sm_90; not for sm_60"}
    assert len(document["files"]) == 1


def test_the_other_forms_of_report_tell_it_too(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(TAIL)
    concise = cudalint("a.cu", "--arch", "sm_60,sm_90", *SELECT, "concise").stdout.splitlines()
    assert all(line.endswith(" [sm_90]") is ("CU304" in line) for line in concise)
    sarif = report(cudalint("a.cu", "--arch", "sm_60,sm_90", *SELECT, "sarif"))
    told = {r["ruleId"]: r["properties"].get("archs") for r in sarif["runs"][0]["results"]}
    assert told == {"CU101": None, "CU304": ["sm_90"]}


def test_one_architecture_is_told_as_before(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(STRIDED)
    document = report(cudalint("a.cu", "--arch", "sm_80", *SELECT, "json"))
    assert (document["arch"], document["archs"]) == ("sm_80", ["sm_80"])
    assert {tuple(f["archs"]) for f in document["findings"]} == {("sm_80",)}


def test_a_header_and_a_suppression_count_for_all(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text('#include "k.cuh"\n')
    (tmp_path / "b.cu").write_text('#include "k.cuh"\n')
    lines = TAIL.splitlines()
    lines[7] += "  // cudalint: ignore[CU304] only for old devices"
    (tmp_path / "k.cuh").write_text(
        "#pragma once\n" + "\n".join(lines).replace("void run", "inline void run")
    )
    arguments = ("--isolated", "--select", "CU304,CU003", "--output-format", "json")
    outcome = cudalint(".", "--arch", "sm_60,sm_90", *arguments)
    assert {code for _, _, code in codes(outcome)} <= {"CU304"}
    assert ("k.cuh", 9, "CU304") not in codes(outcome)


def test_a_configuration_names_several_and_the_command_line_replaces_them(
    cudalint: Command, tmp_path: Path
) -> None:
    (tmp_path / "a.cu").write_text(STRIDED)
    (tmp_path / "cudalint.toml").write_text('arch = ["sm_75", "sm_90"]\n')
    assert report(cudalint("a.cu", "--output-format", "json"))["archs"] == ["sm_75", "sm_90"]
    assert report(cudalint("a.cu", "--arch", "sm_80", "--output-format", "json"))["archs"] == ["sm_80"]
    assert report(cudalint("inspect", "a.cu", "--output-format", "json"))["arch"] == "sm_75"


@pytest.mark.parametrize("text", ['arch = ["sm_75", "volta"]', "arch = []", "arch = [75]", 'arch = "sm_75,"'])
def test_a_wrong_list_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "cudalint.toml").write_text(text + "\n")
    with pytest.raises(UsageError, match="key 'arch'"):
        config.for_path(str(tmp_path))


def test_commands_that_take_one_say_so(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(STRIDED)
    outcome = cudalint("inspect", "a.cu", "--arch", "sm_75,sm_90")
    assert outcome.returncode == 2
    assert "accepts one architecture" in outcome.stderr


def test_a_device_is_one_of_several(tmp_path: Path) -> None:
    (tmp_path / "cudalint.toml").write_text('arch = ["sm_80", "sm_90"]\ndevice = "H200"\n')
    assert config.for_path(str(tmp_path)).archs == ("sm_80", "sm_90")


def test_a_fix_that_one_architecture_asks_for_is_applied(cudalint: Command, tmp_path: Path) -> None:
    text = TAIL.splitlines()
    text[5:11] = ["    out[t] = part[t ^ 1];"]  # in place of the barrier and the last steps
    (tmp_path / "a.cu").write_text("\n".join(text))
    arguments = ("a.cu", "--isolated", "--select", "CU304", "--unsafe-fixes", "--diff")
    alone = cudalint(*arguments, "--arch", "sm_90").stdout
    assert "+    __syncwarp();" in alone
    assert cudalint(*arguments, "--arch", "sm_60,sm_90").stdout == alone
