"""The warp model against hardware counters (tests/hardware/README.md)."""

import json

import numpy as np
import pytest

from cudalint.frontend import load
from cudalint.frontend.options import LoadOptions
from cudalint.host.model import run as run_host
from cudalint.simt.model import ModelOptions, run
from cudalint.simt.requests import transactions as t
from tests.support.checkout import ROOT

ROWS = json.loads((ROOT / "tests" / "data" / "shared_wavefronts.json").read_text())
REQUESTS = json.loads((ROOT / "tests" / "data" / "requests.json").read_text())
WIDTHS = {"1": 1, "2": 2, "4": 4, "8": 8, "16": 16}


def counted(instruction: str, row: dict) -> tuple[int, int]:
    """Wavefronts and ideal of one pattern by the model."""
    operation = instruction.rstrip("0123456789")
    width = int(instruction[len(operation) :])
    addresses = np.array([row["index"]], dtype=np.int64) * width
    active = np.array([[bool(row["mask"] >> lane & 1) for lane in range(32)]])
    if operation in ("load", "store"):
        store = operation == "store"
        done, best = (
            t.wavefronts(addresses, active, width, store),
            t.ideal_wavefronts(addresses, active, width, store),
        )
    else:
        done = t.atomic_wavefronts(addresses, active, width, operation)
        best = t.ideal_atomic_wavefronts(addresses, active, width, operation)
    return int(done[0]), int(best[0])


@pytest.mark.parametrize("instruction", sorted(ROWS[0]["wavefronts"]))
def test_wavefronts_and_ideal_are_those_the_hardware_counted(instruction):
    wrong = {}
    for row in ROWS:
        done = row["wavefronts"][instruction]
        # One pattern's reported ideal is above its count; the model never says so.
        truth = done, min(row["ideal"][instruction], done)
        if counted(instruction, row) != truth:
            wrong[row["pattern"], hex(row["mask"])] = counted(instruction, row), truth
    assert not wrong


def test_requests_a_warp_are_those_the_hardware_counted():
    unit = load(str(ROOT / "tests" / "hardware" / "requests.cu"), LoadOptions())
    found = {}
    for facts in run(unit, run_host(unit), ModelOptions()):
        counts = dict.fromkeys(REQUESTS[facts.name], 0)
        for access in facts.accesses:
            if access.operation != "atomic":
                counts[f"{access.space} {access.operation}"] += 1
        found[facts.name] = counts
    assert found == REQUESTS
