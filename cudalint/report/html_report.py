"""One self-contained page: counts, the kernels that lose most, the tree of files, findings in their source,
streams in a steady iteration, roofs and occupancy.

It loads nothing: its policy allows the style and, by its hash, the one script that stand in it. Source text
is escaped. Pictures are drawn when a finding is opened, so that thousands of findings stay small.
"""

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from html import escape
from itertools import groupby
from pathlib import Path

from cudalint.advise.card import Card, LaunchCard
from cudalint.report import html_streams, html_tree
from cudalint.report.advise_words import occupancy
from cudalint.report.content import Content, plural
from cudalint.rule import guides
from cudalint.rule.findings import Finding
from cudalint.rule.related import other_lines
from cudalint.settings.severity import Severity
from cudalint.source.text import one_line

_ABOUT = 3  # lines shown before and after a finding
_WIDEST = 200  # characters of a line
_WORST = 15  # kernels named first
_LEVELS = (Severity.ERROR, Severity.WARNING, Severity.NOTE)


def render(content: Content) -> str:
    """The page."""
    style, script = (_asset(name) for name in ("page.css", "page.js"))
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src '{_hash(script)}'; base-uri 'none'"
    ordered = sorted(content.findings, key=lambda f: (f.span.path, f.span.line, f.span.column, f.code))
    numbers = {id(finding): number for number, finding in enumerate(ordered)}
    parts = [
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>cudalint: {plural(len(ordered), 'finding')}</title>\n<style>{style}</style></head><body>\n",
        *_overview(content, numbers),
        *html_tree.tree(content),
        *_files(ordered, numbers, content),
        *html_streams.sections(content.streams),
        *_cards(content.cards),
        f"</main>\n<script>{script}</script></body></html>\n",
    ]
    return "".join(parts)


def _asset(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def _hash(script: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(script.encode('utf-8')).digest()).decode()}"


def _text(text: str) -> str:
    return escape(one_line(text))


def _overview(content: Content, numbers: dict[int, int]) -> Iterator[str]:
    counts = Counter(finding.severity for finding in content.findings)
    lost = sum(file.status == "failed" for file in content.files)
    partly = sum(file.status == "degraded" for file in content.files)
    told = ", ".join(f'<b class="{level}">{plural(counts[level], level.value)}</b>' for level in _LEVELS)
    yield f"<header><h1>cudalint</h1><p>{plural(len(content.files), 'file')}: {told}"
    yield f"; {partly} partially analysed, {lost} not analysed" if lost or partly else ""
    yield f'</p><p class="dim">version {_text(content.version)}, {_text(content.arch)}</p></header>\n<main>'
    worst = [finding for finding in content.findings if finding.impact is not None]
    worst.sort(key=lambda finding: -(finding.impact.high if finding.impact else 0))
    kernels = {(f.span.path, f.kernel): f for f in reversed(worst) if f.kernel}
    ranked = sorted(kernels.values(), key=worst.index)[:_WORST]
    if ranked:
        yield '<h2>Most to gain</h2><div class="scroll"><table><tr><th>kernel<th>finding<th>saves</tr>'
    for finding in ranked:
        place = f"{finding.span.path}:{finding.span.line}"
        yield (
            f"<tr><td><code>{_text(finding.kernel)}</code><br><span class='dim place'>{_text(place)}</span>"
            f'<td><a href="#f{numbers[id(finding)]}">{finding.code}</a> {_text(finding.message)}'
            f"<td>{_text(str(finding.impact))}</tr>"
        )
    yield "</table></div>" if ranked else ""
    rules = Counter((finding.code, finding.name) for finding in content.findings)
    if rules:
        yield '<h2>Rules</h2><div class="scroll"><table>'
    for (code, name), count in sorted(rules.items(), key=lambda item: (-item[1], item[0])):
        yield f'<tr><td class="number">{count}<td>{code} {_text(name)}</tr>'
    yield "</table></div>" if rules else ""


def _cards(cards: tuple[Card, ...]) -> Iterator[str]:
    known = [(card, row) for card in cards for row in card.launches if row.work is not None]
    if known:
        yield "<h2>Kernels: roofs and occupancy</h2><p class='dim'>How long each part of a multiprocessor is "
        yield "busy, as a share of the busiest, if nothing is in a cache and all work overlaps.</p>"
    for card, row in known:
        shape = f"block {'x'.join(map(str, row.block))}"
        yield f"<div class='card'><h3>{_text(card.kernel)} "
        yield f"<span class='dim'>{_text(card.path)}:{card.line}, {shape}</span></h3>"
        yield from _bars(row)
        yield "</div>"


def _bars(row: LaunchCard) -> Iterator[str]:
    if row.residency is not None:
        yield _bar("occupancy", row.residency.occupancy)
        yield f"<p class='dim'>{_text(occupancy(row.residency, row))}</p>"
    for unit in row.work.roofs[0].units if row.work is not None else ():
        yield _bar(unit.unit, unit.share.high)


def _bar(name: str, share: float) -> str:
    percent = f"{min(1.0, share):.0%}"
    bar = f"<span style='--part:{percent}'></span>"
    return f"<div class='bar'><span>{_text(name)}</span>{bar}<span>{percent}</span></div>"


def _files(ordered: list[Finding], numbers: dict[int, int], content: Content) -> Iterator[str]:
    yield '<h2>Findings</h2><form role="search"><input type="search" id="query" '
    yield 'placeholder="filter: words of rule, file, kernel, text  ( / )" aria-label="Filter findings">'
    for level in _LEVELS:
        yield f'<label><input type="checkbox" name="severity" value="{level}" checked> {level}</label>'
    yield '<span id="shown" role="status" class="dim"></span></form>'
    for path, group in groupby(ordered, key=lambda finding: finding.span.path):
        yield f'<section class="file"><h3 class="place">{_text(path)}</h3>'
        for finding in group:
            yield from _finding(finding, numbers[id(finding)], content)
        yield "</section>"


def _finding(finding: Finding, number: int, content: Content) -> Iterator[str]:
    level, span = finding.severity.value, finding.span
    kernel = f" <span class='dim'>in {_text(finding.kernel)}</span>" if finding.kernel else ""
    yield f'<details class="finding {level}" data-severity="{level}" id="f{number}"><summary>'
    yield f'<b class="{level}">{level}</b> {finding.code} line {span.line}: {_text(finding.message)}{kernel}'
    yield "</summary><div class='body'>"
    yield _source(finding, content)
    yield _picture(finding)
    notes = [f"holds if {finding.condition}"] if finding.condition else []
    notes += [f"fixing it saves {finding.impact}"] if finding.impact is not None else []
    notes += [*finding.notes, *other_lines(finding)]
    notes += [
        f"{item.span.path}:{item.span.line}: {item.message}" for item in finding.related[:8] if not item.same
    ]
    notes += [f"help: {finding.help}"] if finding.help else []
    notes.append(f"{finding.name}, {finding.confidence.value} confidence; cudalint rule {finding.code}")
    yield f"<ul>{''.join(f'<li>{_text(note)}</li>' for note in notes)}</ul>"
    rule = next((loaded.rule for loaded in content.rules if loaded.rule.code == finding.code), None)
    address = guides.address(rule.guides) if rule is not None else None
    yield f'<a href="{escape(address)}" rel="noreferrer">guide</a>' if address else ""
    yield "</div></details>"


def _source(finding: Finding, content: Content) -> str:
    """The lines around the finding, its own range marked."""
    span, rows = finding.span, content.sources.lines(finding.span.path)
    if not 0 < span.line <= len(rows):
        return ""
    made = []
    for number in range(max(1, span.line - _ABOUT), min(len(rows), span.line + _ABOUT) + 1):
        row = rows[number - 1][:_WIDEST]
        if number == span.line:
            begin = span.column - 1
            end = span.end_column - 1 if span.end_line == span.line else len(row)
            shown = f"{_text(row[:begin])}<mark>{_text(row[begin:end])}</mark>{_text(row[end:])}"
        else:
            shown = _text(row)
        made.append(f"<i>{number:5} </i>{shown}\n")
    return f"<pre>{''.join(made)}</pre>"


def _picture(finding: Finding) -> str:
    """What the script draws: the lanes of an access at a constant stride, or the two threads of a race."""
    evidence = finding.evidence
    if "threads" in evidence and len(finding.related) >= 2:
        rows = [f"line {item.span.line}: {one_line(item.message)}" for item in finding.related[:2]]
        return f'<div class="picture" data-rows="{escape(json.dumps(rows))}"></div>'
    stride, width, lanes = (evidence.get(key) for key in ("stride", "bytes", "active_lanes"))
    now, ideal = evidence.get("transactions"), evidence.get("ideal")
    numbers = (stride, width, lanes, now, ideal)
    if not all(isinstance(n, int | float) and n == int(n) and n > 0 for n in numbers):
        return ""
    kind = "banks" if "ways" in evidence else "sectors"
    steps = [lane * int(stride or 0) for lane in range(int(lanes or 0))]
    counted = (
        len({a // 32 for a in steps})
        if kind == "sectors"
        else max(Counter(a // 4 % 32 for a in steps).values())
    )
    if counted != now:  # the lanes do not follow the stride alone
        return ""
    return f'<div class="picture" data-access="{escape(json.dumps([kind, *numbers]))}"></div>'
