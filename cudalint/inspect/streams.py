"""The timeline of a program's steady iteration as the tables of `cudalint inspect`: a row for the host and
one for each stream.
"""

from typing import Any

from cudalint.gpu.throughput import throughput
from cudalint.host.timeline import Bar, Row, Timeline, Wait, timelines
from cudalint.ir.unit import Unit
from cudalint.rule.rule import Context
from cudalint.significance.call_times import Program, usual
from cudalint.source.text import shown

Table = dict[str, Any]

_MICRO = 1e6


def stream_tables(context: Context) -> tuple[Table, ...]:
    """One for each loop that queues work, in the order of the program."""
    program = Program(context.host, context.kernels, context.unit, throughput(context.target))
    costs = usual(program)
    return tuple(_timeline(one, context.unit) for one in timelines(context.host, costs))


def _timeline(one: Timeline, unit: Unit) -> Table:
    function = unit.functions.get(one.function)
    where = one.loop.span if one.loop is not None else one.rows[0].bars[0].call.span
    return {
        "function": function.name if function is not None else "",
        "path": shown(where.path),
        "line": where.line,
        "loop": one.loop is not None,
        "iterations": one.iterations,
        "microseconds": _micro(one.seconds),
        "rows": [{"name": row.name, "bars": [_bar(one, row, bar) for bar in row.bars]} for row in one.rows],
    }


def _bar(one: Timeline, row: Row, bar: Bar) -> Table:
    """known: no size had to be assumed for its length."""
    call = bar.call
    return {
        "path": shown(call.span.path),
        "line": call.span.line,
        "name": call.name,
        "kind": call.kind,
        "direction": call.direction or None,
        "bytes": call.bytes,
        "start_us": _micro(bar.start),
        "end_us": _micro(bar.end),
        "known": bar.known,
        "waits_for": [_wait(wait) for wait in bar.waits],
        "overlaps": sorted({other.call.stream for other in one.beside(row, bar)}),
    }


def _wait(wait: Wait) -> Table:
    """why: 'stream' (before it on its stream), 'default stream' (one of the two is on it), 'event', 'engine'
    (the copy engine or the multiprocessors are busy) or 'host' (the call makes the host wait).
    """
    on = wait.on
    return {
        "path": shown(on.span.path),
        "line": on.span.line,
        "name": on.name,
        "stream": on.stream or None,
        "why": wait.why,
    }


def _micro(seconds: float) -> float:
    return round(seconds * _MICRO, 3)
