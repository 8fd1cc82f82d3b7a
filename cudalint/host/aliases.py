"""Which pointer parameters of a kernel a launch passes the same memory for."""

from cudalint.host.facts import HostFacts
from cudalint.ir import expressions as e
from cudalint.ir.unit import Function


def one_buffer(kernel: Function, pair: tuple[e.Variable, e.Variable], host: HostFacts) -> bool:
    """Whether a launch of the kernel passes the same memory for the two parameters."""
    ids = [parameter.id for parameter in kernel.parameters]
    if any(variable.id not in ids for variable in pair):
        return False
    one, other = (ids.index(variable.id) for variable in pair)
    return any(
        launch.arguments[one].buffer is not None
        and launch.arguments[one].buffer == launch.arguments[other].buffer
        for launch in host.launches
        if launch.key == kernel.key
        and launch.arguments is not None
        and len(launch.arguments) > max(one, other)
    )
