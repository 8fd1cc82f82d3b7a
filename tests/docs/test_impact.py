"""The page about impact: its example, calculated by hand, agrees with the tool."""

import math
import re
from pathlib import Path

import pytest

from cudalint.settings.config import Settings
from cudalint.significance.impact import Basis
from tests.support.checkout import ROOT
from tests.support.command_line import Command, report

PAGE = (ROOT / "docs" / "impact.md").read_text(encoding="utf-8")
(EXAMPLE,) = re.findall(r"```cuda\n(.+?)```", PAGE, flags=re.DOTALL)

_CLOCK, _DRAM = 1.98e9, 0.9 * 4800e9  # Hz; bytes/s
_TURNS = 65536 / (8 * 132)
_STARTS = 8 * 80e-9 * _CLOCK  # clocks in which a multiprocessor starts its blocks
_LAUNCH = 3e-6 * _CLOCK / _TURNS  # clocks of the launch, for as many blocks as run at a time
_ROOTS = {
    "far": 2,
    "compiled": 11,
    "issued": 13,
    "serial": 19,
    "started": 23,
    "left": 41,
}  # whose multiples are drawn


def _high() -> tuple[float, float]:
    """Clocks with the excess and without it, all from device memory."""
    each = 32 * 132 * _CLOCK / _DRAM
    return 8 * 96 * each + _LAUNCH / 4, 8 * 64 * each + _LAUNCH / 4


def _drawn(number: int) -> tuple[list[float], tuple[float, float], float]:
    """Of one draw: the numbers that the page has, the clocks with the excess and without it, the saving."""
    at = {name: number * math.sqrt(root) % 1 for name, root in _ROOTS.items()}
    each, l2_loads, l2_stores = 32 * 132 * _CLOCK, 34 * 132 * _CLOCK, 18 * 132 * _CLOCK
    load = each / (l2_loads * (_DRAM / l2_loads) ** at["far"])
    store = each / (l2_stores * (_DRAM / l2_stores) ** at["far"])
    issue, serial = 64 * 0.5 * 3 ** at["compiled"], at["serial"] ** 2 / 2
    waits = [300 * (0.7e-6 * _CLOCK / 300) ** at["far"], issue / 16 * 4 ** at["issued"]]
    starts, launch = _STARTS * at["started"], _LAUNCH * (0.5 + at["started"] / 2)

    def time(sectors: int, lines: int) -> float:
        latency = max(waits) + serial * min(waits)
        parts = [8 * (sectors * load + 32 * store), 8 * lines, issue, latency, starts]
        return max(parts) + serial * (sum(parts) - max(parts)) + launch

    memory = [8 * (sectors * load + 32 * store) for sectors in (64, 32)]
    before, after = time(64, 24), time(32, 16)
    saved = (1 - after / before) * (1 - 0.2 * at["left"])
    return [*memory, issue, waits[0], starts, launch], (before, after), saved


def test_the_example_by_hand_agrees_with_the_tool(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(EXAMPLE)
    (found,) = report(cudalint("a.cu", "--select", "CU101", "--output-format", "json"))["findings"]
    draws = sorted((_drawn(number)[2], number) for number in range(1, 65))
    (before, after), (low, number) = _high(), draws[6]
    parts, times, _ = _drawn(number)
    assert found["impact"]["high"] == pytest.approx(1 - after / before, abs=5e-5)
    assert found["impact"]["low"] == pytest.approx(low, abs=5e-5)
    assert f"that of draw {number}." in PAGE
    for clocks in (before, after, *parts, *times, _TURNS):
        assert f"{clocks:.1f}" in PAGE
    assert re.findall(r"\*\*(\d+%)\*\*", PAGE) == [f"{1 - after / before:.0%}", f"{low:.0%}"]
    assert f'"low": {found["impact"]["low"]}, "high": {found["impact"]["high"]}' in PAGE


def test_every_basis_is_explained() -> None:
    rows = re.findall(r"^\| ([\w ]+) \|", PAGE.partition("## Bases")[2].partition("## An")[0], re.MULTILINE)
    assert rows == ["basis", *(basis.value for basis in Basis)]


def test_thresholds_are_those_of_the_page() -> None:
    assert f"default {100 * Settings().min_impact:g})" in PAGE
