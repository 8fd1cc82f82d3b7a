"""The timelines of steady iterations on the page: rows for the host and each stream, drawn to scale."""

from collections.abc import Iterator
from html import escape
from typing import Any

from cudalint.report.content import plural
from cudalint.report.streams_text import call, head, labels_of, overlap, site_of
from cudalint.source.text import one_line

Table = dict[str, Any]

_TIMELINES = 12  # of a page
_ROWS = 17  # of a timeline
_CALLS, _FEW = 40, 8  # lines below it, and those that are shown at once
_WIDTH, _NAMES, _HEIGHT = 1000, 100, 24  # of the picture, of the rows' names and of a row, in its units
_CHARACTERS = 13  # of a row's name
_READABLE = 16  # units of a bar that has room for its letter
_KINDS = {"HtoD": "copy to the device", "DtoH": "copy from the device", "launch": "kernel", "": "other"}


def sections(streams: tuple[Table, ...]) -> Iterator[str]:
    """The timelines of all programs: of loops, and where a file has none, of its calls."""
    looping = {timeline["path"] for timeline in streams if timeline["loop"]}
    streams = tuple(t for t in streams if t["loop"] or t["path"] not in looping)
    if streams:
        yield "<h2>Streams: one steady iteration</h2><p class='dim'>When the host comes to each call, and "
        yield "when its work runs on its stream, as modelled: copies at the bandwidth of the bus, kernels as "
        yield "the roofline says. Pale: a size that nobody knows.</p>"
    for timeline in streams[:_TIMELINES]:
        yield f"<div class='card streams'><h3>{_text(head(timeline))}</h3>"
        yield from _drawn(timeline)
        yield "</div>"
    if len(streams) > _TIMELINES:
        yield f"<p class='dim'>and {len(streams) - _TIMELINES} more: cudalint inspect --streams</p>"


def _text(text: str) -> str:
    return escape(one_line(text))


def _drawn(timeline: Table) -> Iterator[str]:
    rows, whole = timeline["rows"], timeline["microseconds"] or 1.0
    labels = labels_of(rows)
    shown = rows[:_ROWS]
    busy = overlap(rows, timeline["microseconds"]).strip()
    height = len(shown) * _HEIGHT + 20
    box = f"viewBox='0 0 {_WIDTH} {height}' role='img' aria-label='{_text(busy)}'"
    yield f"<div class='scroll'><svg class='wide' {box}>"
    for number, row in enumerate(shown):
        top = number * _HEIGHT
        yield f"<text x='0' y='{top + 16}'>{_text(_cut(row['name']))}</text>"
        yield f"<line class='row' x1='{_NAMES}' x2='{_WIDTH}' y1='{top + 22}' y2='{top + 22}'/>"
        for bar in row["bars"]:
            yield _bar(bar, labels[site_of(bar)], top, whole)
    yield f"<text x='{_NAMES}' y='{height - 4}'>0</text>"
    yield f"<text x='{_WIDTH}' y='{height - 4}' text-anchor='end'>{whole:.4g} us</text></svg></div>"
    kinds = dict.fromkeys(_kind(bar) for row in rows for bar in row["bars"])
    keys = (f"<span class='key {kind or 'other'}'></span>{_KINDS[kind]}" for kind in _KINDS if kind in kinds)
    yield f"<p class='dim'>{' '.join(keys)}; {_text(busy)}</p>"
    opened = " open" if len(labels) <= _FEW else ""
    yield f"<details{opened}><summary>{plural(len(labels), 'call')}</summary><ul>"
    for site, label in list(labels.items())[:_CALLS]:
        yield f"<li><code>{_text(call(site, label, rows, labels))}</code></li>"
    yield "</ul></details>"
    if len(rows) > _ROWS or len(labels) > _CALLS:
        yield "<p class='dim'>More streams or calls: cudalint inspect --streams</p>"


def _bar(bar: Table, label: str, top: int, whole: float) -> str:
    scale = (_WIDTH - _NAMES) / whole
    start = _NAMES + scale * min(max(bar["start_us"], 0.0), whole)
    end = _NAMES + scale * min(max(bar["end_us"], 0.0), whole)
    width = max(end - start, 1.0)
    kind = f"{_kind(bar) or 'other'}{'' if bar['known'] else ' unknown'}"
    told = f"{label}: line {bar['line']}, {bar['name']}, {bar['end_us'] - bar['start_us']:.3g} us"
    letter = f"<text x='{start + width / 2:.1f}' y='{top + 16}' text-anchor='middle'>{label}</text>"
    place = f"x='{start:.1f}' y='{top + 3}' width='{width:.1f}' height='{_HEIGHT - 6}' rx='2'"
    shown = letter if width >= _READABLE else ""
    return f"<g><title>{_text(told)}</title><rect class='{kind}' {place}/>{shown}</g>"


def _kind(bar: Table) -> str:
    kind = bar["direction"] or bar["kind"]
    return kind if kind in _KINDS else ""


def _cut(name: str) -> str:
    return name if len(name) <= _CHARACTERS else f"{name[: _CHARACTERS - 1]}\u2026"
