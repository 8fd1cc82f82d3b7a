"""Which pointer parameters of a kernel a launch passes the same memory for."""

from collections.abc import Iterator

from cudalint.host.facts import Argument, HostFacts
from cudalint.ir import expressions as e
from cudalint.ir.unit import Function


def one_buffer(kernel: Function, pair: tuple[e.Variable, e.Variable], host: HostFacts) -> bool:
    """Whether a launch of the kernel passes the same memory for the two parameters."""
    return any(True for _ in _in_one(kernel, pair, host))


def one_place(kernel: Function, pair: tuple[e.Variable, e.Variable], host: HostFacts) -> bool:
    """Whether a launch does, and not places of it of which one is not known and their texts differ."""
    return any(
        None not in (one.offset, other.offset) or one.expression == other.expression
        for one, other in _in_one(kernel, pair, host)
    )


def _share(one: Argument, other: Argument) -> bool:
    """Whether both lead into one buffer, themselves or by a member."""
    return not {buffer.id for buffer in one.buffers}.isdisjoint(buffer.id for buffer in other.buffers)


def _in_one(
    kernel: Function, pair: tuple[e.Variable, e.Variable], host: HostFacts
) -> Iterator[tuple[Argument, Argument]]:
    """What launches pass for the two where it is in one buffer."""
    ids = [parameter.id for parameter in kernel.parameters]
    if any(variable.id not in ids for variable in pair):
        return
    one, other = (ids.index(variable.id) for variable in pair)
    for launch in host.launches:
        passed = launch.arguments if launch.key == kernel.key else None
        if passed is None or len(passed) <= max(one, other):
            continue
        if _share(passed[one], passed[other]):
            yield passed[one], passed[other]
