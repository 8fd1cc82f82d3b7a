"""A kernel that is not run to its end because its budget was spent is named, and the summary says so."""

import json
from pathlib import Path

import pytest

from cudalint.simt import model
from cudalint.simt.launch.budget import Budget
from tests.support.command_line import CLEAN, Command

LONG = """\
__global__ void nested(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            sum += in[(a * n + b * i) % (a + 1)];
    out[i] = sum;
}
void run(float *out, const float *in, int n) { nested<<<65536, 256>>>(out, in, n); }
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a.cu").write_text(LONG)
    (tmp_path / "b.cu").write_text(CLEAN)
    monkeypatch.setenv("CUDALINT_NO_CACHE", "1")
    return tmp_path


def test_a_spent_budget_is_said(cudalint: Command, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = cudalint(".")
    assert "budget" not in whole.stdout
    monkeypatch.setattr(model, "Budget", lambda: Budget(2_000, 1_000))
    short = cudalint(".", "--output-format", "json")
    assert [file.get("bounded") for file in json.loads(short.stdout)["files"]] == [["nested"], None]
    assert [file["status"] for file in json.loads(short.stdout)["files"]] == ["ok", "ok"]
    assert "; budget of 1 kernel spent (counts are bounds)" in cudalint(".").stdout.splitlines()[-1]
    assert "budget" not in cudalint("b.cu").stdout
