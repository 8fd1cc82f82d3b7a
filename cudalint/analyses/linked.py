"""One unit for a program of several files: calls lead into the functions of the others."""

from collections.abc import Iterable

from msgspec.structs import replace

from cudalint.ir import expressions as e
from cudalint.ir.unit import Unit
from cudalint.ir.walk import find


def linked(unit: Unit, others: Iterable[Unit]) -> Unit:
    """The unit with the functions of others, matched by their keys, which tell a function's name, parameters
    and, where it is one of its file alone, the file. The kernels that are looked at stay its own. The
    variables of all have to be numbered apart; the number of a declaration leads to the definition.
    """
    functions, records, templates = dict(unit.functions), dict(unit.records), dict(unit.templates)
    variables, destructors = dict(unit.variables), dict(unit.destructors)
    algorithms = dict(unit.algorithms)
    beside: set[str] = set()
    for other in others:
        for key, function in other.functions.items():
            if key not in functions or functions[key].body is None:
                functions[key] = function
        records = {**other.records, **records}
        templates = {**other.templates, **templates}
        variables = {**other.variables, **variables}
        destructors = {**other.destructors, **destructors}
        algorithms = {**other.algorithms, **algorithms}
        beside.update((other.path, *other.headers, *other.project_files))
    by_name: dict[str, list[e.Variable]] = {}
    for variable in variables.values():
        if variable.storage == "global" and not variable.extern:
            by_name.setdefault(variable.name, []).append(variable)
    return replace(
        unit,
        functions=functions,
        records=records,
        variables={number: _definition(one, by_name) for number, one in variables.items()},
        destructors=destructors,
        templates=templates,
        algorithms=algorithms,
        beside=frozenset(beside.difference((unit.path, *unit.headers, *unit.project_files))),
    )


def _definition(variable: e.Variable, by_name: dict[str, list[e.Variable]]) -> e.Variable:
    """What defines a variable that is declared alone, if one file does."""
    found = by_name.get(variable.name, []) if variable.extern and variable.storage == "global" else []
    return found[0] if len(found) == 1 and found[0].type == variable.type else variable


def undefined(unit: Unit) -> frozenset[str]:
    """The keys of functions that a unit calls or hands on, and that have no body in it."""
    found: set[str] = set()
    for function in unit.functions.values():
        for node in find(function.body, e.Call, e.FunctionReference, e.Launch):
            if node.key is not None:
                found.add(node.key)
    return frozenset(key for key in found if unit.defined(key) is None)
