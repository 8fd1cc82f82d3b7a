"""The page about impact: its example, calculated by hand, agrees with the tool."""

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


def _high() -> tuple[float, float]:
    """Clocks with the excess and without it, all from device memory."""
    each = 32 * 132 * _CLOCK / _DRAM
    return 8 * 96 * each + _LAUNCH / 4, 8 * 64 * each + _LAUNCH / 4


def _low() -> tuple[float, float]:
    """The same where caches hold what they can and nothing overlaps."""
    load, store, others = 32 / 34, 32 / 18, 8 * 12 + 24 + 700 + _STARTS + _LAUNCH
    return 8 * (64 * load + 32 * store + 24) + others, 8 * (32 * load + 32 * store + 16) + others


def _caught() -> tuple[float, float]:
    """The same where all overlaps: the memory with the excess, what warps wait for without it."""
    each = 32 * 132 * _CLOCK / _DRAM
    return 8 * 96 * each + _LAUNCH, max(8 * 64 * each, _STARTS, 0.7e-6 * _CLOCK) + _LAUNCH


def test_the_example_by_hand_agrees_with_the_tool(cudalint: Command, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(EXAMPLE)
    (found,) = report(cudalint("a.cu", "--select", "CU101", "--output-format", "json"))["findings"]
    (before, after), (one_by_one, rest), (caught, waits) = _high(), _low(), _caught()
    low = min(1 - rest / one_by_one, 1 - waits / caught)
    assert found["impact"]["high"] == pytest.approx(1 - after / before, abs=5e-5)
    assert found["impact"]["low"] == pytest.approx(low, abs=5e-5)
    for number in (before, after, one_by_one, rest, caught, waits, _STARTS, _LAUNCH, _LAUNCH / 4, _TURNS):
        assert f"{number:.1f}" in PAGE
    assert re.findall(r"\*\*(\d+%)\*\*", PAGE) == [f"{1 - after / before:.0%}", f"{low:.0%}"]
    assert f'"low": {found["impact"]["low"]}, "high": {found["impact"]["high"]}' in PAGE


def test_every_basis_is_explained() -> None:
    rows = re.findall(r"^\| ([\w ]+) \|", PAGE.partition("## Bases")[2].partition("## An")[0], re.MULTILINE)
    assert rows == ["basis", *(basis.value for basis in Basis)]


def test_thresholds_are_those_of_the_page() -> None:
    assert f"default {100 * Settings().min_impact:g})" in PAGE
