"""Launches: their shape, stream and arguments as facts."""

import math

from msgspec.structs import replace

from cudalint.host.describe import render
from cudalint.host.facts import Argument, LaunchFact
from cudalint.host.machine import Machine
from cudalint.host.values import (
    Address,
    Aggregate,
    Handle,
    Nothing,
    Somewhere,
    Unknown,
    Value,
    bounded,
    callees,
    candidates,
    form_of,
    most_of,
    sample_of,
)
from cudalint.ir import expressions as e
from cudalint.ir.layout import leaves
from cudalint.ir.types import Record, Scalar, Type
from cudalint.source.span import Span

DIM3 = ("dim3", "uint3")
_AXES = (0, 4, 8)  # byte offsets of x, y, z
Pair = tuple[Value, Value]
Extent = tuple[int | None, int | None, int | None]


def dim3(values: tuple[Value, ...]) -> Aggregate:
    """`dim3(x)`, `dim3(x, y)`, `dim3(x, y, z)`: what is not given is 1."""
    padded = (*values, 1, 1, 1)[:3]
    return Aggregate(tuple(zip(_AXES, padded, strict=True)), 1)


def extent(value: Value) -> Extent:
    """The three extents of a dim3, or of an integer that becomes one."""
    if isinstance(value, Aggregate):
        cells = dict(value.cells)
        x, y, z = (_integer(cells.get(axis, value.default)) for axis in _AXES)
        return x, y, z
    if isinstance(value, (bool, int, float)):
        return _integer(value), 1, 1
    return None, None, None


def _integer(value: Value) -> int | None:
    return int(value) & 0xFFFFFFFF if isinstance(value, (bool, int, float)) else None


def stream_name(m: Machine, value: Value) -> str:
    """'default', 'per-thread', 'unknown' or the name of a created stream."""
    match value:
        case bool() | int():
            match int(value):
                case 0:
                    return "per-thread" if m.unit.default_stream_per_thread else "default"
                case 1:
                    return "default"
                case 2:
                    return "per-thread"
        case Handle(kind="stream", name=name) if name:
            return name
    return "unknown"


_MOST_THREADS = 1024  # of a block
_MOST_PARTS = 64  # of a struct that is passed, which are looked at
_STATIC = 48 * 1024  # bytes: the most static shared memory, which a compared number may include


def launch(
    m: Machine,
    node: e.Launch,
    kernel: Value,
    grid: Value,
    block: Value,
    shared: Value,
    stream: Value,
    given: tuple[Pair, ...] | None,
) -> None:
    """Log a launch; the kernel may write whatever its pointers reach. kernel: the pointer to it, where the
    text does not name it; each of several that it may be is a launch fact.
    """
    several = callees(kernel)
    key, name = (several[0].key, several[0].name) if several else (node.key, node.name)
    arguments = None
    if given is not None and node.arguments is not None:
        pairs = zip(given, node.arguments, strict=True)
        arguments = tuple(_whole(m, argument(m, value, render(x)), x.type) for (value, _), x in pairs)
    blocks, shape = _shape(grid, node.grid), _shape(block, node.block)
    fact = LaunchFact(
        key=key,
        name=name,
        span=node.span,
        grid=blocks,
        block=shape,
        dynamic_shared_bytes=_integer(shared) if isinstance(shared, int) else None,
        stream=stream_name(m, stream),
        arguments=arguments,
        expression=node,
        function=m.function,
        block_expression=_written(node.block),
        reached=not m.unreached,
        guarded=_guarded(m, shape) or _guarded(m, blocks),
        limit=_limit(block),
        most_blocks=_most_blocks(grid),
        as_passed=_as_passed(grid, tuple(value for value, _ in given or ())),
        size_guarded=isinstance(shared, int) and any(0 <= n - shared <= _STATIC for n in m.compared),
    )
    log_launch(m, fact, tuple(value for value, _ in given or ()))
    if not m.state.dead:
        m.log.launches += [replace(fact, key=other.key, name=other.name) for other in several[1:]]


def _as_passed(grid: Value, given: tuple[Value, ...]) -> Extent:
    """The positions of arguments that are the unknown extents of the grid."""
    forms = [form_of(value) if isinstance(value, Unknown) else None for value in given]

    def position(size: Value) -> int | None:
        form = form_of(size) if isinstance(size, Unknown) else None
        return forms.index(form) if form is not None and form in forms else None

    x, y, z = map(position, _extents(grid))
    return x, y, z


def _guarded(m: Machine, shape: Extent) -> bool:
    """Whether an extent of the shape, or its volume, was compared with an unknown number."""
    known = [n for n in shape if n is not None]
    return any(n in m.compared for n in (*known, math.prod(known)) if n != 1)


def log_launch(m: Machine, fact: LaunchFact, values: tuple[Value, ...]) -> None:
    if m.state.dead:
        return
    if m.working is not None:
        m.log.launches += _made(m, fact, m.working)
        return
    m.log.launches.append(fact)
    touched = {n for value in values for n in reached(m, value)}
    call = m.call("launch", fact.name, fact.span, fact.stream)
    m.record(replace(call, launch=fact, expression=fact.expression, arguments=tuple(sorted(touched))))
    for number in touched:
        if number in m.buffers and m.buffers[number].space != "device":
            m.state.forget(number)


def _made(m: Machine, fact: LaunchFact, call: e.Call) -> list[LaunchFact]:
    """The launch as that of the kernel that is made for the call of an algorithm, where there is one."""
    own = m.unit.functions.values()
    kernel = next((one for one in own if one.made == fact.key and one.extent == call.span), None)
    if kernel is None:
        return []
    return [replace(fact, key=kernel.key, name=kernel.name, span=call.span, made=True)]


def reached(m: Machine, value: Value) -> set[int]:
    """The objects that a kernel argument points to."""
    if isinstance(value, Aggregate):
        return {n for _, v in value.cells for n in candidates(v)}
    return set(candidates(value))


def _shape(value: Value, node: e.Expression) -> Extent:
    """An integer configuration is (x, 1, 1) even when x is not known."""
    if isinstance(node.type, Scalar) and not isinstance(value, Aggregate):
        return extent(value)[0], 1, 1
    return extent(value)


def argument(m: Machine, value: Value, text: str) -> Argument:
    """What a launch passes for one parameter."""
    match value:
        case bool() | int() | float():
            return Argument(value=value, expression=text)
        case Unknown(multiple_of=n, among=numbers):
            return Argument(multiple_of=n if n > 1 else None, expression=text, values=numbers)
        case Address(offset=offset, step=step):
            divisor = step if offset is None and step > 1 else None
            return Argument(buffer=m.buffer(value), offset=offset, multiple_of=divisor, expression=text)
        case Somewhere(objects=objects):
            among = tuple(m.buffers[number] for number in sorted(objects) if number in m.buffers)
            return Argument(expression=text, among=among)
        case Aggregate(cells=cells):
            known = tuple((k, argument(m, v, "")) for k, v in cells if not isinstance(v, Nothing))
            return Argument(fields=known, expression=text)
    return Argument(expression=text)


def _whole(m: Machine, passed: Argument, type_: Type) -> Argument:
    """Whether all that a struct points to is known; null points to nothing."""
    if not isinstance(type_, Record):
        return passed
    parts, fields = leaves(m.unit, type_, limit=_MOST_PARTS), dict(passed.fields)
    pointers = [fields.get(at, Argument()) for at, kind in parts if not isinstance(kind, Scalar)]
    known = all(part.buffers or part.value == 0 for part in pointers)
    return replace(passed, whole=known and 0 < len(parts) < _MOST_PARTS)


def _limit(value: Value) -> tuple[int, int, int] | None:
    """What a block is at most, where one of its extents is not known and all are bounded. Where that is more
    than a block can have, an extent that is a quotient is what it is while the others are at their most.
    """
    extents = _extents(value)
    if all(isinstance(one, int) for one in extents) or not bounded(*extents):
        return None
    x, y, z = map(most_of, extents)
    if x * y * z > _MOST_THREADS:
        y, z = (max(1, sample_of(one) or 1) for one in extents[1:])
    return x, y, z


def _most_blocks(value: Value) -> int | None:
    """What a grid has at most, where one of its extents is not known and all are bounded."""
    extents = _extents(value)
    if all(isinstance(one, int) for one in extents) or not bounded(*extents):
        return None
    return math.prod(map(most_of, extents))


def _extents(value: Value) -> tuple[Value, ...]:
    """The three extents of a shape as values."""
    if not isinstance(value, Aggregate):
        value = dim3((value,))
    cells = dict(value.cells)
    return tuple(cells.get(axis, value.default) for axis in _AXES)


def _written(node: e.Expression) -> Span:
    """Where the block's size is written: past conversions and a constructor of one argument."""
    while True:
        match node:
            case e.Cast(operand=inner) | e.Construct(arguments=(inner,)):
                node = inner
            case _:
                return node.span
