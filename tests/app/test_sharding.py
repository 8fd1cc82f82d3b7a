"""One run in parts: together they say what one run says, byte for byte."""

from pathlib import Path

import pytest

from cudalint.engine import parts
from cudalint.engine.discovery import discover
from cudalint.errors import UsageError
from tests.support.command_line import CLEAN, STRIDED, Command

RACE = """\
__global__ void turn(float *out, const float *in)
{
    __shared__ float tile[256];
    tile[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = tile[255 - threadIdx.x];
}
void run(float *a, float *b) { turn<<<1, 256>>>(a, b); }
"""
SHARED = """\
__global__ void wide(float *out, const float *in)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * STEP;
    out[i] = in[i];  // cudalint: ignore[CU301]
}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "a.cu").write_text(STRIDED)
    (tmp_path / "b.cu").write_text(RACE)
    (tmp_path / "c.cu").write_text(CLEAN)
    (tmp_path / "wide.cuh").write_text("#ifndef STEP\n#define STEP 1\n#endif\n" + SHARED)
    (tmp_path / "d.cu").write_text('#define STEP 2\n#include "wide.cuh"\n' + CLEAN.replace("copy", "other"))
    (tmp_path / "e.cu").write_text('#include "gone.h"\n' + CLEAN + "\nGONE x;\n")
    (tmp_path / "f.cu").write_text('#include "gone.h"\n' + STRIDED + "\nGONE y;\n")
    return tmp_path


def test_the_parts_say_what_one_run_says(cudalint: Command, project: Path) -> None:
    kept = ("--cache-dir", str(project / ".kept"))
    whole = {name: cudalint("check", ".", *kept, "--output-format", name) for name in ("json", "sarif")}
    for number in (1, 2):
        cudalint("check", ".", *kept, "--shard", f"{number}/2", "-o", f"part{number}.json")
    for name, outcome in whole.items():
        merged = cudalint("merge", "part2.json", "part1.json", "--output-format", name)
        assert (merged.stdout, merged.returncode) == (outcome.stdout, outcome.returncode)
    assert "CU101" in merged.stdout
    assert "files partially analysed" in merged.stdout  # a note of a run, not of a part


def test_every_file_is_in_one_part(project: Path) -> None:
    plan = discover((str(project),), isolated=True, override={})
    shares = [parts.share(plan, number, 3).candidates for number in (1, 2, 3)]
    assert sorted(one.path for share in shares for one in share) == sorted(c.path for c in plan.candidates)
    assert sorted(map(len, shares)) == [2, 2, 3]


def test_a_part_that_is_missing_is_told(cudalint: Command, project: Path) -> None:
    cudalint("check", "c.cu", "--shard", "1/2", "-o", "one.json")
    for names in (["one.json"], ["one.json", "one.json"]):
        outcome = cudalint("merge", *names)
        assert (outcome.returncode, outcome.stdout) == (2, "")
        assert "2/2" in outcome.stderr
    (project / "wrong.json").write_text("{}")
    assert "is not what" in cudalint("merge", "wrong.json").stderr


@pytest.mark.parametrize("words", ["", "3", "0/2", "3/2", "a/b", "1/2/3"])
def test_a_shard_is_one_of_several(words: str) -> None:
    with pytest.raises(UsageError, match="expected one like 3/8"):
        parts.numbers(words)
    assert parts.numbers("3/8") == (3, 8)
