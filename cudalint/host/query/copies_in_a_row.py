"""Copies of a few numbers each that a loop makes one after the other, to or from several buffers: one copy of
a struct could replace them.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby

from cudalint.host.facts import HostCall

_FEW = 256  # bytes of a copy: what a struct of numbers holds
LEAST = 3  # copies

Key = tuple[str, str, tuple[int, ...], tuple[int, ...]]


def copies_in_a_row(calls: Iterable[HostCall]) -> Iterator[tuple[HostCall, ...]]:
    """Of the calls of one walk those copies of one direction and stream that follow each other in an
    iteration of a loop, each from its own place in the source, at least three of them.
    """
    made = (call for call in calls if call.kind != "host-work")
    for key, run in groupby(made, key=_key):
        first = {call.span: call for call in run} if key is not None else {}
        if len(first) >= LEAST:
            yield tuple(first.values())


def _key(call: HostCall) -> Key | None:
    """What small copies have in common that one could replace; None for other calls."""
    small = call.kind == "copy" and call.bytes is not None and 0 < call.bytes <= _FEW
    if not (small and call.loops) or call.captured or call.direction not in ("HtoD", "DtoH"):
        return None
    return call.direction, call.stream, call.loops, call.conditions
