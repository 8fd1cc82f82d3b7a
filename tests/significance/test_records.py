"""What is said of arrays of records holds what experiments/records.cu measured on an H200."""

import json

import pytest

from cudalint.gpu.devices import device
from cudalint.gpu.throughput import throughput
from cudalint.significance.impact import Basis
from cudalint.significance.saving import Saving, impact
from tests.support.checkout import ROOT
from tests.support.modelled import modelled

_MEASURED = json.loads((ROOT / "experiments" / "records_2026-11-23.json").read_text(encoding="utf-8"))["rows"]
_RATES = throughput(device("H200"))
_WORDS = {1: "unsigned char", 4: "float", 8: "double"}
_NOISE = {
    256: 0.06,
    1024: 0.1,
}  # by which rates differ; large blocks hold their place until the last warp ends


def _source(kind: str, word: int, words: int, used: int, threads: int) -> str:
    each = [f"data[at * {words} + {k}]" for k in range(used)]
    loads = "float v = 0; " + " ".join(f"v += {one};" for one in each) + " if (v == 12345.0f) *out = v;"
    stores = " ".join(f"{one} = {k};" for k, one in enumerate(each))
    blocks = (1 << 30) // (word * words) // threads
    return f"""
__global__ void all({_WORDS[word]} *data, float *out)
{{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    {loads if kind == "load" else stores}
}}
void run({_WORDS[word]} *data, float *out) {{ all<<<{blocks}, {threads}>>>(data, out); }}
"""


def _holds(row: list[str | int | float]) -> bool:
    *how, together, apart = row
    unit, kernel = modelled(_source(*how))  # type: ignore[arg-type]
    accesses = tuple(one for one in kernel.accesses if one.buffer == "data")
    found = impact(Saving(Basis.SECTORS, excess=accesses), kernel, unit, _RATES)
    measured = max(0.0, 1 - float(apart) / float(together))
    noise = _NOISE[int(how[4])]
    return found.low - noise <= measured <= found.high + noise


@pytest.mark.parametrize(("kind", "least"), [("load", 1.0), ("store", 0.85)])
def test_the_intervals_hold_most_of_what_was_measured(kind: str, least: float) -> None:
    held = [_holds(row) for row in _MEASURED if row[0] == kind]
    assert sum(held) >= least * len(held)
