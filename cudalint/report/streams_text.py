"""The timelines of `cudalint inspect --streams` as text: rows of letters, one letter for each call, and below
them what each call waits for. At most 100 columns wide.
"""

import string
import textwrap
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from cudalint.source.text import as_lines

Table = dict[str, Any]

_WIDTH = 100
_NAMES = 24  # columns of the rows' names, at most
_LABELS = string.ascii_lowercase + string.ascii_uppercase + string.digits
_ROWS = 17  # rows of a picture
_CALLS = 40  # lines under it
_WHY = {
    "stream": "same stream",
    "default stream": "implicit wait of the default stream",
    "event": "event",
    "engine": "the copy engine or the device is busy",
    "host": "the host waits",
}


def render(document: Table) -> str:
    """All timelines of the JSON form."""
    return as_lines(row for file in document["files"] for row in _file(file))


def _file(file: Table) -> Iterator[str]:
    reason = f" ({file['reason']})" if file.get("reason") else ""
    yield f"{file['path']}: {file['status']}{reason}"
    if not file["streams"]:
        yield "  no host code that queues work on streams"
    for timeline in file["streams"]:
        yield ""
        yield from drawn(timeline)


def drawn(timeline: Table) -> Iterator[str]:
    """One timeline."""
    yield head(timeline)
    rows = timeline["rows"]
    labels = labels_of(rows)
    names = min(_NAMES, max(len(row["name"]) for row in rows))
    axis = _axis(rows, timeline["microseconds"], _WIDTH - names - 6)
    for row in rows[:_ROWS]:
        yield f"  {_cut(row['name'], names):{names}}  |{_drawn(row, axis, labels)}|"
    if len(rows) > _ROWS:
        yield f"  and {len(rows) - _ROWS} more streams"
    for site, label in list(labels.items())[:_CALLS]:
        yield from textwrap.wrap(
            call(site, label, rows, labels), _WIDTH, initial_indent="  ", subsequent_indent="     "
        )
    if len(labels) > _CALLS:
        yield f"  and {len(labels) - _CALLS} more calls"
    yield overlap(rows, timeline["microseconds"])


def head(timeline: Table) -> str:
    """Where it is, and how long an iteration takes."""
    place = f"{timeline['path']}:{timeline['line']}"
    count, whole = timeline["iterations"], timeline["microseconds"]
    if not timeline["loop"]:
        return f"{place}: {timeline['function']}, no loop, about {_time(whole)}"
    many = "" if count == 1 else f", {count} iterations until they repeat"
    return f"{place}: loop in {timeline['function']}{many}, about {_time(whole / count)} per iteration"


def _time(microseconds: float) -> str:
    return f"{microseconds:.3g} us" if microseconds < 1000 else f"{microseconds / 1000:.3g} ms"


def site_of(bar: Table) -> tuple[str, int, str]:
    """The call of the source that a bar belongs to."""
    return bar["path"], bar["line"], bar["name"]


def labels_of(rows: list[Table]) -> dict[tuple[str, int, str], str]:
    """A letter for each call of the source, in the order of the host."""
    sites = dict.fromkeys(site_of(bar) for row in rows for bar in row["bars"])
    return {site: _LABELS[n % len(_LABELS)] for n, site in enumerate(sites)}


def _axis(rows: list[Table], whole: float, width: int) -> dict[float, int]:
    """The column of each time at which something starts or ends: one at least between two of them, the rest
    to scale; where these are too many, those close together share one.
    """
    bars = [bar for row in rows for bar in row["bars"]]
    times = {min(max(bar[end], 0.0), whole) for bar in bars for end in ("start_us", "end_us")}
    edges = sorted({0.0, whole, *times})
    near = 0.0
    while True:
        steps = [(later - earlier) > near for earlier, later in pairwise(edges)]
        if sum(steps) <= width * 2 // 3:
            break
        near = near * 2 or whole / 4096
    rest = width - sum(steps)
    columns, at, found = 0, 0.0, {edges[0]: 0}
    for (earlier, later), own in zip(pairwise(edges), steps, strict=True):
        columns, at = columns + own, at + rest * (later - earlier) / (whole or 1.0)
        found[later] = columns + round(at)
    return found


def _drawn(row: Table, axis: dict[float, int], labels: dict[tuple[str, int, str], str]) -> str:
    last = max(axis)
    cells = ["."] * axis[last]
    for bar in row["bars"]:
        start = axis[min(max(bar["start_us"], 0.0), last)]
        end = max(axis[min(max(bar["end_us"], 0.0), last)], start + 1)
        label = labels[site_of(bar)]
        fill = "-" if row["name"] == "host" else label
        for column in range(start, min(end, len(cells))):
            cells[column] = label if column == start else fill
    return "".join(cells)


def call(
    site: tuple[str, int, str], label: str, rows: list[Table], labels: dict[tuple[str, int, str], str]
) -> str:
    """What a letter stands for, and what it waits for."""
    bars = [bar for row in rows for bar in row["bars"] if site_of(bar) == site]
    first = bars[0]
    what = "host code" if first["kind"] == "host-work" else first["name"]
    size = f" {first['bytes']:,} bytes" if first["bytes"] is not None else ""
    way = f" {first['direction']}" if first["direction"] else ""
    waits = dict.fromkeys(_waits(wait, labels) for bar in bars for wait in bar["waits_for"])
    return f"{label}  line {first['line']}: {what}{way}{size}" + "".join(f"; {wait}" for wait in waits)


def _waits(wait: Table, labels: dict[tuple[str, int, str], str]) -> str:
    label = labels.get(site_of(wait), wait["name"])
    return f"waits for {label} ({_WHY[wait['why']]})"


def overlap(rows: list[Table], whole: float) -> str:
    """How long each stream is busy, and how long two are at once."""
    spans = [_busy(row, whole) for row in rows[1:]]
    edges = sorted({edge for one in spans for bar in one for edge in bar})
    both = sum(
        later - earlier
        for earlier, later in pairwise(edges)
        if sum(any(start <= earlier < end for start, end in one) for one in spans) > 1
    )
    device = sum(
        later - earlier
        for earlier, later in pairwise(edges)
        if any(start <= earlier < end for one in spans for start, end in one)
    )
    busy, several = _share(device, whole), _share(both, whole)
    return f"  the device is busy for {busy} of the time, with two streams or more for {several}"


def _busy(row: Table, whole: float) -> list[tuple[float, float]]:
    return [(max(0.0, bar["start_us"]), min(whole, bar["end_us"])) for bar in row["bars"]]


def _share(part: float, whole: float) -> str:
    return f"{part / whole:.0%}" if whole else "0%"


def _cut(name: str, columns: int) -> str:
    return name if len(name) <= columns else name[: columns - 1] + "~"
