"""Which numbers are the same in every thread of a launch, so that the host could prepare them."""

from cudalint.analyses.device_code import Body, DeviceCode
from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.once import once
from cudalint.analyses.stepping import varies
from cudalint.analyses.varying import Varying, varying
from cudalint.ir import expressions as e
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import walk

_DEPTH = 6


def constant_in_launch(node: e.Expression, body: Body, code: DeviceCode) -> bool:
    """Whether the number is the same in all threads of every kernel that comes to it, and in all iterations
    of the loops round it, memory that is read at one address taken for unchanged.
    """
    if any(varies(node, loop, body) for loop in body.loops(node)):
        return False
    kernels = kernels_of(code.unit, body.function)
    return not any(one.varies(node) for kernel in kernels for one in _between(code.unit, kernel))


def of_indices(node: e.Expression, body: Body, depth: int = _DEPTH) -> bool:
    """Whether the number is arithmetic on the index of the thread or block, without any loaded number."""
    found = False
    for part in walk(node):
        match part:
            case e.Index() | e.Dereference() | e.Call() | e.Unknown():
                return False
            case e.Builtin(name="threadIdx" | "blockIdx"):
                found = True
            case e.VariableReference(variable=variable) if depth and variable.id in body.once:
                found |= of_indices(body.once[variable.id], body, depth - 1)
            case _:
                continue
    return found


def called_in_loop(code: DeviceCode, function: Function) -> bool:
    """Whether a loop of another function of the device calls it."""
    return any(
        call.key == function.key and any(True for _ in body.loops(call))
        for body in code.bodies
        for call in body.of(e.Call)
    )


@once
def kernels_of(unit: Unit, function: Function) -> tuple[Function, ...]:
    """The kernels that call the function, directly or not; or it itself."""
    kernels = (unit.functions[key] for key in unit.kernels if key in unit.functions)
    return tuple(kernel for kernel in kernels if any(one is function for one in reachable(unit, kernel)))


@once
def _between(unit: Unit, kernel: Function) -> tuple[Varying, Varying]:
    return varying(unit, kernel), varying(unit, kernel, "blockIdx")
