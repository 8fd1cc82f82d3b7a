"""Arrays whose numbers the program makes all different: counted up from a start, put in another order, or the
places that a scan gives.
"""

from collections.abc import Collection

from cudalint.analyses.data_order import element_of
from cudalint.analyses.definitions import Definitions, definitions
from cudalint.analyses.kernel_queries import root_of
from cudalint.analyses.once import once
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.types import Pointer
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, find, kept

# Functions of the libraries that fill an array with such numbers.
_FILLING = frozenset(
    ("sequence", "iota", "exclusive_scan", "inclusive_scan", "ExclusiveSum", "InclusiveSum", "ExclusiveScan")
)
_COPYING = frozenset(("cudaMemcpy", "cudaMemcpyAsync", "copy", "copy_n"))


@once
def distinct_parameters(unit: Unit, function: Function) -> frozenset[str]:
    """The parameters of a kernel, by name, that launches in the file pass such arrays for."""
    passed: dict[str, set[str]] = {}
    for launch in _launches(unit, function):
        for variable, argument in zip(function.parameters, launch.arguments or (), strict=False):
            if isinstance(variable.type, Pointer):
                passed.setdefault(variable.name, set()).update(_names(argument))
    if not passed:
        return frozenset()
    made = _distinct(unit, unit.kernels)
    return frozenset(name for name, arrays in passed.items() if arrays and arrays <= made)


def _launches(unit: Unit, function: Function) -> list[e.Launch]:
    return _all_launches(unit, unit.kernels).get(function.key, [])


@once
def _all_launches(unit: Unit, kernels: Collection[str]) -> dict[str, list[e.Launch]]:
    """The launches of the file by the kernel."""
    found: dict[str, list[e.Launch]] = {}
    for function in unit.functions.values():
        for node in find(function.body, e.Launch):
            if node.key is not None:
                found.setdefault(node.key, []).append(node)
    return found


def _names(node: Node) -> set[str]:
    """The variables in an expression."""
    return {part.variable.name for part in find(node, e.VariableReference)}


@once
def _distinct(unit: Unit, kernels: Collection[str]) -> set[str]:
    """Names of the variables of the host that stand for such arrays."""
    found: set[str] = set()
    copies: list[tuple[set[str], set[str]]] = []
    for function in unit.functions.values():
        for node in _filling(function.body) if function.body is not None else ():
            if isinstance(node, e.Call) and node.name in _FILLING:
                found.update(*map(_names, node.arguments))
            elif isinstance(node, e.Call):
                copies.append((_names(node.arguments[0]), _names(node.arguments[1])))
            elif _is_own_index(node, unit, function):
                root = root_of(node.target)
                if root is not None:
                    found.update((root.name,), _arguments_for(unit, function, root.name))
    for to, source in copies:
        if source & found:
            found |= to
    return found - _overwritten(unit, kernels)


@kept
def _filling(body: s.Block) -> tuple[e.Call | e.Assign, ...]:
    """What may give elements of arrays such numbers, or copy them."""
    return tuple(
        node
        for node in find(body, e.Call, e.Assign)
        if (isinstance(node, e.Assign) and node.operator is None and element_of(node.target) is not None)
        or (isinstance(node, e.Call) and node.name in _FILLING)
        or (isinstance(node, e.Call) and node.name in _COPYING and len(node.arguments) > 1)
    )


def _overwritten(unit: Unit, kernels: Collection[str]) -> set[str]:
    """Names of what launches pass to kernels that store other numbers there: neither an element's own index,
    nor what was loaded, which may be put in another order.
    """
    found: set[str] = set()
    for key in kernels:
        kernel = unit.functions[key]
        for node in find(kernel.body, e.Assign):
            if element_of(node.target) is not None:
                root = root_of(node.target)
                own = _is_own_index(node, unit, kernel) or _is_moved(node, definitions(unit, kernel))
                if root is not None and not own:
                    found |= _arguments_for(unit, kernel, root.name)
    return found


def _is_moved(node: e.Assign, own: Definitions) -> bool:
    """Whether it stores what was loaded, or a place that an atomic or a scan gave."""
    value = own.resolve(node.value)
    while isinstance(value, e.Cast):
        value = own.resolve(value.operand)
    return node.operator is None and element_of(value) is not None


def _is_own_index(node: e.Assign, unit: Unit, function: Function) -> bool:
    """Whether an element is set to its index."""
    place = element_of(node.target)
    if place is None or node.operator is not None:
        return False
    own = definitions(unit, function)
    value, index = own.resolve(node.value), own.resolve(place.index)
    return render(value) == render(index) and not isinstance(value, e.Literal)


def _arguments_for(unit: Unit, function: Function, name: str) -> set[str]:
    """What launches pass for a parameter of a kernel."""
    position = next((at for at, variable in enumerate(function.parameters) if variable.name == name), None)
    if position is None:
        return set()
    rows = (launch.arguments or () for launch in _launches(unit, function))
    found: set[str] = set()
    return found.union(*(_names(row[position]) for row in rows if position < len(row)))
