"""Accesses without a separate request."""

from msgspec import Struct

from cudalint.cuda.spaces import Space
from cudalint.ir.render import render
from cudalint.simt.facts.accesses.merge import is_made
from cudalint.simt.facts.fact import Fact, KernelRuns
from cudalint.source.span import Span


class Reused(Struct, frozen=True):
    """An access without a separate request: its value is in a register, or a wider access includes it."""

    span: Span
    expression: str
    space: Space


def _reused(kernel: KernelRuns) -> tuple[tuple[Reused, ...]]:
    """Accesses that needed no request in any run."""
    made = {
        site.node.span
        for run in kernel.runs
        for site in run.machine.recorder.accesses.values()
        if is_made(site, run.machine.recorder)
    }
    found = {
        span: Reused(span, render(node), space)
        for run in kernel.runs
        for span, (node, space) in run.machine.recorder.reused.items()
        if span not in made
    }
    return (tuple(found[span] for span in sorted(found, key=lambda s: (s.path, s.line, s.column))),)


FACT = Fact(of=(Reused,), conclude=_reused)
