"""What is said of a grid whose atomics share one address holds what experiments/one_address.cu measured."""

import json
from pathlib import Path

import pytest

from tests.support.checkout import ROOT
from tests.support.fixtures import lint

_MEASURED = json.loads((ROOT / "experiments" / "one_address_2026-11-27.json").read_text(encoding="utf-8"))
_SOURCE = """\
__global__ void least(const int *from, int *found, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMin(found, from[i]);
}
void run(const int *from, int *found) { least<<<(1 << 26) / BLOCK, BLOCK>>>(from, found, 1 << 26); }
"""


@pytest.mark.parametrize("block", (128, 256, 1024))
def test_the_interval_holds_what_was_measured(block: int, tmp_path: Path) -> None:
    source = tmp_path / "least.cu"
    source.write_text(_SOURCE.replace("BLOCK", str(block)))
    (impact,) = [found.impact for found in lint(source).findings if found.code == "CU116"]
    saved = [
        1 - row["ms_by_block"] / row["ms"]
        for row in _MEASURED
        if row["what"] == "minimum" and row["block"] == block
    ]
    assert impact is not None and len(saved) == 2
    assert all(impact.low <= one <= impact.high for one in saved)
