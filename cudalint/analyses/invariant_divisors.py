"""Divisions by a value that all threads of a launch have alike: its reciprocal, computed once, makes them
multiplications.
"""

from cudalint.analyses.device_code import Body, DeviceCode
from cudalint.analyses.launch_constants import kernels_of
from cudalint.analyses.launch_invariants import Source, sources
from cudalint.cuda.maths import floating
from cudalint.ir.expressions import Binary


def invariant_divisors(body: Body, code: DeviceCode) -> list[Binary]:
    """The divisions of a function in double precision whose divisor depends on arguments of the launch alone,
    in every kernel that comes to them. Constants are left out: the compiler has their reciprocals.
    """
    divisions = [
        node
        for node in body.of(Binary)
        if node.operator == "/" and floating(node.type, 8) and not body.is_constant(node.right)
    ]
    kernels = kernels_of(code.unit, body.function) if divisions else ()
    known = [sources(code.unit, kernel) for kernel in kernels]
    alike = (node for node in divisions if all(one.of(node.right) is Source.ARGUMENT for one in known))
    return list(alike) if known else []
