"""Loads of what their threads have stored themselves, with nothing between that may have changed it."""

from msgspec import Struct

from cudalint.simt.facts.fact import Fact, KernelRuns
from cudalint.source.span import Span


class ReadBack(Struct, frozen=True):
    """One load of global memory that no thread makes otherwise."""

    span: Span


def _conclude(kernel: KernelRuns) -> tuple[tuple[ReadBack, ...]]:
    """What holds whenever a run came there."""
    stores = [run.machine.own_stores for run in kernel.runs]
    missed = set().union(*(one.missed for one in stores))
    served = set().union(*(one.served for one in stores)) - missed
    places = sorted(served, key=lambda span: (span.path, span.line, span.column))
    return (tuple(map(ReadBack, places)),)


FACT = Fact(of=(ReadBack,), conclude=_conclude)
