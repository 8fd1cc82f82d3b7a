"""Findings of host code that stand in a helper: the calls that lead to it."""

from collections.abc import Iterable, Iterator
from itertools import islice

from msgspec.structs import replace

from cudalint.analyses.once import once
from cudalint.host.facts import HostCall, HostFacts, Rounds
from cudalint.host.walks import holds, rounds_by_id
from cudalint.ir.unit import Unit
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context
from cudalint.source.span import Span

_NEAREST = 3  # calls of one way that are named
_MOST = 8


def called_at(came_by: tuple[Span, ...], context: Context, outer: Span | None = None) -> Iterator[Related]:
    """The nearest calls by which control comes to a place, in the project's own code, the innermost first.
    outer: the loop that the last one named is to stand in.
    """
    named = 0
    for span in reversed(came_by):
        if span.path not in context.lines or named == _NEAREST:
            continue
        named += 1
        text = " ".join(context.text(span).split())
        yield Related(span, f"called here: `{text}`" if len(text) <= 60 else "called here")
        if outer is not None and holds(outer, span):
            return


def placed(found: Iterable[tuple[object, Finding]], context: Context) -> list[Finding]:
    """Findings, each with what the rule was asked about: those in a helper name its calls as related places,
    where a loop round them repeats it or several functions call it.
    """
    named: dict[tuple[str, Span], dict[Span, Related]] = {}
    kept: list[Finding] = []
    calls = _by_place(context.unit, context.host)
    for subject, finding in found:
        places = named.setdefault((finding.code, finding.span), {})
        for span in (finding.span, *(place.span for place in finding.related)):
            if _is_open(finding, calls.get(span, [])):
                ways = _ways(calls[span], subject, context, among=span == finding.span)
                places.update((related.span, related) for related in ways)
        kept.append(finding)
    return [_with(finding, named[finding.code, finding.span]) for finding in kept]


@once
def _by_place(unit: Unit, host: HostFacts) -> dict[Span, list[HostCall]]:
    found: dict[Span, list[HostCall]] = {}
    for call in host.calls:
        found.setdefault(call.span, []).append(call)
    return found


def _is_open(finding: Finding, ways: list[HostCall]) -> bool:
    """Whether the finding itself names none of the calls."""
    sites = {span for call in ways for span in call.came_by}
    return bool(sites) and not any(place.span in sites for place in finding.related)


def _ways(calls: list[HostCall], subject: object, context: Context, among: bool) -> Iterator[Related]:
    """The calls that lead to one place. subject: of the calls there, the one that the finding is about.
    among: they are told too where there are several.
    """
    rounds = rounds_by_id(context.host)
    ways = [subject] if isinstance(subject, HostCall) and subject in calls else calls
    outer = {index: _outer(call, rounds) for index, call in enumerate(ways)}
    sites = {call.came_by[-1] for call in calls if call.came_by}
    several = among and len(sites) > 1 and not any(outer.values())
    for index, call in enumerate(ways):
        if outer[index] is not None:
            yield from called_at(call.came_by, context, outer[index])
        elif several:
            yield from islice(called_at(call.came_by, context), 1)


def _outer(call: HostCall, rounds: dict[int, Rounds]) -> Span | None:
    """The outermost loop round a call that does not stand in the same function."""
    loops = (rounds[number].span for number in call.loops if number in rounds)
    return next((span for span in loops if not holds(span, call.span)), None)


def _with(finding: Finding, places: dict[Span, Related]) -> Finding:
    known = {place.span for place in finding.related} | {finding.span}
    new = tuple(related for span, related in places.items() if span not in known)[:_MOST]
    return replace(finding, related=(*finding.related, *new)) if new else finding
