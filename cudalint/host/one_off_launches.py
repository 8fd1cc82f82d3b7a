"""Launches that are made once, beside loops that launch."""

from cudalint.host.facts import HostCall, HostFacts
from cudalint.host.timing import measured
from cudalint.host.walks import rounds_by_id, walks
from cudalint.source.span import Span

_MANY = 16  # rounds, where their number is known


def once_beside_loops(site: Span, host: HostFacts) -> bool:
    """Whether every walk makes the launch outside of loops and others in them, and measures it with those if
    at all.
    """
    walked = [calls for calls in walks(host) if any(_is_launch(call, site) for call in calls)]
    return bool(walked) and all(_beside(calls, site, host) for calls in walked)


def _beside(calls: tuple[HostCall, ...], site: Span, host: HostFacts) -> bool:
    rounds = rounds_by_id(host)
    here = [call for call in calls if _is_launch(call, site)]
    repeated = [
        call
        for call in calls
        if call.kind == "launch"
        and any(n not in rounds or (rounds[n].count or _MANY) >= _MANY for n in call.loops)
    ]
    if any(call.loop for call in here) or not repeated:
        return False
    parts = measured(calls, host.intervals)
    return all(
        any(first <= other.order < last for other in repeated)
        for first, last in parts
        if any(first <= call.order < last for call in here)
    )


def _is_launch(call: HostCall, site: Span) -> bool:
    return call.kind == "launch" and call.span == site
