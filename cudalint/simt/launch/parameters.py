"""What the parameters of a kernel hold when a run begins, as facts."""

from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from cudalint.host.facts import Argument
from cudalint.ir import expressions as e
from cudalint.ir.layout import part_name
from cudalint.ir.types import Array, Record, Reference
from cudalint.ir.unit import Function
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.launch.configure import Plan
from cudalint.simt.values.lanes import Value
from cudalint.simt.values.memory import offset_of


class Parameter(Struct, frozen=True):
    """What a kernel parameter, or a field of one, held at the start of a run.

    value: the number the launch passes, when it is known. tried: numbers of a free one, one a valuation.
    pointer: the numbers are bytes from the start of `buffer`, which has so many `bytes` (0: not known; buffer
    '': one of its own, as no launch says which). unknown: why there is no number.
    """

    name: str
    value: float | None = None
    tried: tuple[float, ...] = ()
    pointer: bool = False
    buffer: str = ""
    bytes: int = 0
    unknown: str = ""


def tie_grid(m: Machine, function: Function, plan: Plan) -> None:
    """Where an unknown extent of the grid is what a launch passes for a parameter, gridDim is that number."""
    samples = m.state.samples
    for axis, position in enumerate(plan.as_passed):
        if position is None or samples.known_grid[axis] or position >= len(function.parameters):
            continue
        memory = m.state.variables.get(function.parameters[position].id)
        value = memory.slots.get(0) if memory is not None else None
        if value is not None and value.known is True:
            samples.builtins["gridDim", "xyz"[axis]] = value


def parameters(m: Machine, function: Function, plan: Plan) -> tuple[Parameter, ...]:
    """The parameters as `enter_parameters` left them, the fields of structs one by one."""
    given = plan.arguments if plan.arguments and len(plan.arguments) == len(function.parameters) else None
    found: list[Parameter] = []
    for position, variable in enumerate(function.parameters):
        found.extend(_of(m, variable, given[position] if given else Argument()))
    return tuple(found)


def _of(m: Machine, variable: e.Variable, argument: Argument) -> Iterator[Parameter]:
    memory = m.state.variables.get(variable.id)
    if isinstance(variable.type, Reference) or memory is None:
        yield Parameter(variable.name, unknown="a reference")
        return
    whole = not isinstance(variable.type, Record | Array)
    fields = dict(argument.fields)
    for at, value in memory.slots.items():
        part = argument if whole or not isinstance(variable.type, Record) else fields.get(at, Argument())
        name = variable.name + part_name(m.unit, variable.type, at)
        yield _parameter(m, name, value, part)


def _parameter(m: Machine, name: str, value: Value, argument: Argument) -> Parameter:
    if value.known is not True:
        return Parameter(name, unknown=value.why or "no number")
    numbers = _by_valuation(m, value)
    target = m.state.object_at(int(numbers[0])) if argument.value is None else None  # as a pointer has one
    if target is None:
        return _number(name, numbers, bool(value.free))
    buffer = argument.buffer.name if argument.buffer is not None else ""
    off = tuple(offset_of(int(number)) for number in numbers)
    known = not value.free
    return Parameter(name, off[0] if known else None, () if known else off, True, buffer, target.bytes)


def _number(name: str, numbers: tuple[float, ...], free: bool) -> Parameter:
    return Parameter(name, tried=numbers) if free else Parameter(name, numbers[0])


def _by_valuation(m: Machine, value: Value) -> tuple[float, ...]:
    """The number of each valuation: parameters are the same for all lanes of one."""
    if not isinstance(value.data, np.ndarray):
        return (value.data,)
    return tuple(value.data.reshape(m.state.samples.valuations, -1)[:, 0].tolist())
