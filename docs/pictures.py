"""The pictures of docs/models.md: lanes, and the sectors or banks that they need, as `cudalint inspect`
counts them for docs/pictures.cu.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
_SOURCE = "docs/pictures.cu"
_CELL, _HIGH, _LEFT = 22, 118, 10  # of a lane, of one access, of the margin: pixels
_SECTOR, _WORD, _BANKS = 32, 4, 32  # bytes, bytes, banks


def pictures() -> dict[str, str]:
    """The name of each picture and its SVG."""
    return {
        "sectors.svg": _picture([_access(5, "load"), _access(6, "load")], "sector", _sectors),
        "banks.svg": _picture([_access(15, "store"), _access(16, "store")], "bank", _banks),
    }


@cache
def _access(line: int, operation: str) -> dict[str, Any]:
    """The facts about the first access of a line that loads, or stores."""
    command = [sys.executable, "-m", "cudalint", "inspect", "--explain", f"{_SOURCE}:{line}"]
    done = subprocess.run(
        [*command, "--output-format", "json"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    (kernel,) = json.loads(done.stdout)["explain"]["kernels"]
    found: dict[str, Any] = next(one for one in kernel["accesses"] if one["operation"] == operation)
    return found


def _sectors(lanes: list[int]) -> tuple[list[int], int]:
    """(the sector of each lane, how many there are)."""
    sectors = [address // _SECTOR for address in lanes]
    return [sector - min(sectors) for sector in sectors], max(sectors) - min(sectors) + 1


def _banks(lanes: list[int]) -> tuple[list[int], int]:
    return [address // _WORD % _BANKS for address in lanes], _BANKS


def _picture(accesses: list[dict[str, Any]], unit: str, where: Any) -> str:
    wide, high = 32 * _CELL + 2 * _LEFT, len(accesses) * _HIGH
    rows = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" '
        f'viewBox="0 0 {wide} {high}" font-family="sans-serif" font-size="11">',
        f'<rect width="{wide}" height="{high}" fill="white"/>',
    ]
    for number, access in enumerate(accesses):
        rows += _drawn(access, unit, *where(access["worst_request"]["lanes"]), number * _HIGH)
    return "\n".join([*rows, "</svg>"]) + "\n"


def _drawn(access: dict[str, Any], unit: str, places: list[int], count: int, top: int) -> Iterator[str]:
    """One access: a row of lanes, a row of sectors or banks, and which lane needs which. places: of each
    lane, from 0 to count - 1.
    """
    cost = access["transactions"]
    measure = "sector" if unit == "sector" else "wavefront"
    measure += "" if cost["per_request"] == 1 else "s"
    title = f"{access['expression']}: {cost['per_request']:g} {measure}/request (ideal {cost['ideal']:g})"
    yield f'<text x="{_LEFT}" y="{top + 16}" font-size="13">{escape(title)}</text>'
    wide = 32 * _CELL / count
    colour = "#2a7d4f" if cost["per_request"] <= cost["ideal"] else "#b3441f"
    for lane, place in enumerate(places):
        middle, end = _LEFT + (lane + 0.5) * _CELL, _LEFT + (place + 0.5) * wide
        yield _box(_LEFT + lane * _CELL, top + 24, _CELL, "#e8edf2", str(lane))
        yield (
            f'<line x1="{middle:g}" y1="{top + 42}" x2="{end:g}" y2="{top + 84}" stroke="{colour}" '
            'stroke-width="1"/>'
        )
    for place in range(count):
        word = str(place) if count > 16 else f"{unit} {place}"
        fill = "#fbe9c6" if place in places else "#ffffff"
        yield _box(_LEFT + place * wide, top + 84, wide, fill, word)


def _box(left: float, top: int, wide: float, fill: str, word: str) -> str:
    return (
        f'<rect x="{left:g}" y="{top}" width="{wide:g}" height="18" fill="{fill}" stroke="#7b8794"/>'
        f'<text x="{left + wide / 2:g}" y="{top + 13}" text-anchor="middle">{word}</text>'
    )
