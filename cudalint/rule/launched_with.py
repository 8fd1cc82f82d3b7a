"""What launches pass for the buffers of a kernel."""

from cudalint.host.facts import Argument
from cudalint.ir.layout import part_name
from cudalint.ir.unit import Function
from cudalint.rule.rule import Context


def launched_with(kernel: Function, context: Context) -> list[dict[str, Argument]]:
    """For each launch what it passes, by the names that the warp model gives to parameters and to fields of
    struct parameters; [] where no launch is known, or the arguments of one are not.
    """
    rows = [launch.arguments for launch in context.host.launches if launch.key == kernel.key]
    if None in rows:
        return []
    return [_by_name(kernel, row, context) for row in rows if row is not None]


def passed_bytes(kernel: Function, buffer: str, context: Context) -> int | None:
    """The most bytes that a launch passes for a buffer, from its pointer on; None where one is not known."""
    passed = [row.get(buffer, Argument()) for row in launched_with(kernel, context)]
    sizes = [
        None
        if one.buffer is None or one.buffer.bytes is None or one.offset is None
        else one.buffer.bytes - one.offset
        for one in passed
    ]
    known = [size for size in sizes if size is not None]
    return max(known) if known and len(known) == len(sizes) else None


def _by_name(kernel: Function, row: tuple[Argument, ...], context: Context) -> dict[str, Argument]:
    found: dict[str, Argument] = {}
    for parameter, argument in zip(kernel.parameters, row, strict=False):
        found[parameter.name] = argument
        for at, part in argument.fields:
            found.setdefault(f"{parameter.name}{part_name(context.unit, parameter.type, at)}", part)
    return found
