"""Launches whose grid is a number of elements rounded up, of kernels that access the element of their
thread's number whatever that number is.
"""

from msgspec import Struct

from cudalint.analyses.always import always
from cudalint.analyses.coverage import thread_indices
from cudalint.analyses.definitions import Definitions, same
from cudalint.analyses.divisibility import bare
from cudalint.analyses.remainders import is_anybodys, is_kept_parameter, is_looked_after
from cudalint.host.facts import LaunchFact
from cudalint.host.rounding import Quotient, quotients
from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.ir.unit import Function
from cudalint.ir.walk import find

_ALLOCATE = ("cudaMalloc", "cudaMallocManaged", "cudaMallocAsync")

_Accesses = list[tuple[e.Index, e.Variable]]  # and the parameter that each goes through


class Unguarded(Struct, frozen=True):
    """An access of every thread of a grid that is `count` rounded up. exact: the buffer has `count` elements;
    else the function is given it, and whoever calls may have padded it.
    """

    access: e.Index
    parameter: e.Variable
    quotient: Quotient
    exact: bool


def unguarded(launch: LaunchFact, kernel: Function, known: Definitions) -> Unguarded | None:
    """The first such access of a launch with blocks and a grid of one axis. known: of the host function."""
    rounded = [quotient for quotient in quotients(launch, known) if quotient.direction == "up"]
    if len(rounded) != 1 or rounded[0].axis != 0 or launch.grid[1:] != (1, 1) or launch.block[1:] != (1, 1):
        return None
    quotient, every = rounded[0], always(known.unit, kernel)
    accesses = [
        (access, parameter)
        for access, parameter in thread_indices(known.unit, kernel, quotient.per)
        if id(access) in every
    ]
    if not accesses or not _is_open(quotient, known):
        return None
    given = dict(zip((p.id for p in kernel.parameters), launch.expression.arguments or (), strict=False))
    return _of_count(accesses, given, quotient, known) or _of_caller(accesses, given, quotient, known)


def _is_open(quotient: Quotient, known: Definitions) -> bool:
    """Whether a caller or the command line chooses all that the number is computed from, and the function
    does not look after any of it.
    """
    read = [node.variable for node in find(known.resolve(quotient.count), e.VariableReference)]
    return bool(read) and all(
        (is_kept_parameter(variable, known) or is_anybodys(variable, known))
        and not is_looked_after(variable, known.function, quotient.asks)
        for variable in read
    )


def _of_count(
    accesses: _Accesses, given: dict[int, e.Expression], quotient: Quotient, known: Definitions
) -> Unguarded | None:
    """Of a buffer that the function allocates with exactly that many elements."""
    count = quotient.count
    if not isinstance(count, e.VariableReference) or not is_anybodys(count.variable, known):
        return None
    exact = _exact_buffers(known, count)
    for access, parameter in accesses:
        passed = _variable(given.get(parameter.id))
        if passed is not None and exact.get(passed.id) == access.type.bytes:
            return Unguarded(access, parameter, quotient, exact=True)
    return None


def _of_caller(
    accesses: _Accesses, given: dict[int, e.Expression], quotient: Quotient, known: Definitions
) -> Unguarded | None:
    """Of a buffer that the function is given."""
    for access, parameter in accesses:
        passed = _variable(given.get(parameter.id))
        if passed is not None and is_kept_parameter(passed, known):
            return Unguarded(access, parameter, quotient, exact=False)
    return None


def _exact_buffers(known: Definitions, count: e.VariableReference) -> dict[int, int]:
    """The bytes of an element of each pointer (by id) that is allocated once, with `count` elements."""
    sizes_of: dict[int, list[int | None]] = {}
    for node in find(known.function.body, e.Call):
        if node.name in _ALLOCATE and len(node.arguments) > 1:
            address = bare(node.arguments[0])
            variable = _variable(address.operand) if isinstance(address, e.AddressOf) else None
            if variable is not None:
                sizes_of.setdefault(variable.id, []).append(_element(node.arguments[1], known, count))
    return {key: sizes[0] for key, sizes in sizes_of.items() if len(sizes) == 1 and sizes[0] is not None}


def _element(size: e.Expression, known: Definitions, count: e.VariableReference) -> int | None:
    """The bytes that `count` is multiplied by."""
    node = known.resolve(size)
    if not isinstance(node, e.Binary) or node.operator != "*" or not isinstance(node.type, t.Scalar):
        return None
    for one, other in ((node.left, node.right), (node.right, node.left)):
        if same(known.resolve(one), count):
            return known.constant(other)
    return None


def _variable(node: e.Expression | None) -> e.Variable | None:
    found = bare(node) if node is not None else None
    return found.variable if isinstance(found, e.VariableReference) else None
