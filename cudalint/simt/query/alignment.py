"""Alignment of an access as seen in the source: whether only one thread or row executes it, and whether every
launch passes a sector-aligned pointer.
"""

from collections.abc import Iterator

from cudalint.analyses.condition_kinds import reads_thread, varying
from cudalint.host.facts import LaunchFact
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.layout import leaves, part_name
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find, walk
from cudalint.source.span import Span


def one_row_only(function: Function, place: Span) -> bool:
    """Whether the place is guarded by a comparison of the thread or block index with one number."""
    if function.body is None:
        return False
    found = varying(function)
    return any(
        _holds(node, place)
        and any(
            part.operator == "==" and (reads_thread(part.left, found) or reads_thread(part.right, found))
            for part in find(node.condition, e.Binary)
        )
        for node in find(function.body, s.If)
    )


def whole_sector(
    unit: Unit, function: Function, name: str, launches: tuple[LaunchFact, ...], sector: int
) -> bool:
    """Whether every launch passes a sector-aligned pointer, known or passed on unchanged. name: of a
    parameter, or of a field of one: `p.rows`.
    """
    place = next(_places(unit, function, name), None)
    mine = [launch for launch in launches if launch.key == function.key]
    if place is None or not mine:
        return False
    at, field = place
    return all(
        _starts_one(launch, at, sector) if field is None else _field_starts_one(launch, at, field, sector)
        for launch in mine
    )


def _places(unit: Unit, function: Function, name: str) -> Iterator[tuple[int, int | None]]:
    """The parameter of that name by its position; of a field, with its byte offset."""
    for at, parameter in enumerate(function.parameters):
        if parameter.name == name:
            yield at, None
        elif isinstance(parameter.type, t.Record) and name.startswith(f"{parameter.name}."):
            for offset, _ in leaves(unit, parameter.type):
                if name == f"{parameter.name}{part_name(unit, parameter.type, offset)}":
                    yield at, offset


def _field_starts_one(launch: LaunchFact, at: int, field: int, sector: int) -> bool:
    if launch.arguments is None or at >= len(launch.arguments):
        return False
    found = dict(launch.arguments[at].fields).get(field)
    return (
        found is not None
        and found.buffer is not None
        and found.offset is not None
        and found.offset % sector == 0
    )


def _starts_one(launch: LaunchFact, at: int, sector: int) -> bool:
    given = launch.expression.arguments
    if launch.arguments is None or given is None or at >= len(given):
        return False
    argument, written = launch.arguments[at], given[at]
    if argument.buffer is not None:
        return argument.offset is not None and argument.offset % sector == 0
    while isinstance(written, e.Cast):
        written = written.operand
    return isinstance(written, e.VariableReference) and written.variable.storage == "parameter"


def _holds(branch: s.If, place: Span) -> bool:
    return any(getattr(node, "span", None) == place for node in walk(branch.then))
