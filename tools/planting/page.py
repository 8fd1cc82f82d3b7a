"""What the page says of earlier draws, as a record: its places are known where they were missed."""

import re
from collections.abc import Iterable
from pathlib import Path

from tools.planting.kind import Kind
from tools.planting.trial import Planted

BEGIN = "<!-- sensitivity: written by python -m tools.sensitivity -->"
_MISSED = re.compile(r"^- (.+): ([^:\n]+):(\d+)$", re.MULTILINE)


def planted(page: Path, kinds: Iterable[Kind]) -> list[Planted]:
    """One entry for each that the tables count; those found, and those that are no mistakes, without a place.
    Found ones are said to be found by all rules of their kind, for the page does not say which.
    """
    text = page.read_text(encoding="utf-8").partition(BEGIN)[2]  # other tables stand before it
    missed = [Planted(kind, path, int(line), "mistake") for kind, path, line in _MISSED.findall(text)]
    done: list[Planted] = []
    for kind in kinds:
        row = re.search(rf"^\| {re.escape(kind.name)} \|.*$", text, re.MULTILINE)
        if row is None:
            continue
        cells = row[0].strip("| ").split(" | ")
        found, shown, none, undecided = (int(cells[at]) for at in (3, 5, 6, 7))
        done += [
            Planted(kind.name, "", 0, "mistake", kind.codes, kind.codes if at < shown else ())
            for at in range(found)
        ]
        done += [one for one in missed if one.kind == kind.name]
        done += [Planted(kind.name, "", 0, "none")] * none
        done += [Planted(kind.name, "", 0, "undecided")] * undecided
    return done
