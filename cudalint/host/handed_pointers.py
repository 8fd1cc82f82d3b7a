"""The pointers that a launch hands a kernel: its arguments, and the members of structs passed by value."""

from collections.abc import Iterator

from cudalint.host.facts import Argument
from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.ir.layout import leaves
from cudalint.ir.unit import Unit


def handed_pointers(
    argument: Argument, parameter: e.Variable, unit: Unit
) -> Iterator[tuple[int, t.Pointer, Argument]]:
    """Those of one parameter, each with its byte offset in it, its type and what is passed."""
    if isinstance(parameter.type, t.Pointer):
        yield 0, parameter.type, argument
    parts = dict(argument.fields)
    for offset, kind in leaves(unit, parameter.type) if parts else ():
        if offset in parts and isinstance(kind, t.Pointer):
            yield offset, kind, parts[offset]
