"""Which launch shapes a kernel is run with, and what its parameters hold.

Shapes come from an assumption, else from the launches, else from the block-wide functions that the kernel
calls, else from what the launches have at most, else from launches of which only the text of the project
tells, else from `__launch_bounds__`, else from usual shapes.
"""

import math
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from cudalint.analyses.array_lengths import array_lengths
from cudalint.analyses.captured import captured
from cudalint.analyses.checked_sizes import checked_multiples
from cudalint.analyses.guard_values import Numbers
from cudalint.cuda.warp import WARP
from cudalint.host.facts import Argument, LaunchFact, TextLaunch
from cudalint.ir import expressions as e
from cudalint.ir.layout import innermost, leaves, part_name
from cudalint.ir.types import Array, Opaque, Pointer, Record, Reference, Scalar, Type
from cudalint.ir.unit import Function
from cudalint.ir.walk import find
from cudalint.settings.assume import Assumption
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.interpret.objects import fresh
from cudalint.simt.launch.arguments import together
from cudalint.simt.launch.configuration import Configuration, Origin
from cudalint.simt.launch.passed_pointers import Passed
from cudalint.simt.launch.shapes import (
    ALONE,
    NOTHING,
    OTHERS,
    USUAL,
    Partial,
    Shape,
    agreed,
    agrees,
    shapes,
)
from cudalint.simt.launch.written_blocks import WrittenBlock, written_blocks
from cudalint.simt.values.different import different
from cudalint.simt.values.lanes import CHOSEN, Value, unknown
from cudalint.simt.values.memory import Memory
from cudalint.simt.values.samples import Samples, Sizes, free_alignment, free_value, make
from cudalint.simt.values.state import Place

VALUATIONS = 4
SCALES = 16  # valuations where sizes are of different scales
MAX_CONFIGURATIONS = 3
# Kinds of host memory that a kernel reads where they are.
_OVER_THE_BUS = ("mapped", "pinned", "write-combined")
_USUAL_THREADS = 256  # of a block whose launch tells a part of its shape
ALLOCATION = 256  # bytes: what starts of allocations are aligned to
_GRID = (512, 32, 8)  # blocks where no launch tells their number
_FEW_BLOCKS, _FEW_THREADS = 4, 4096  # the same for a loop that steps by the size of the grid
_FAR = 26_700  # a thread of the far block: in the fourth row of every width the valuations try
_MOST_PARTS = 1_024  # numbers of a parameter: what its 4 KiB hold


class Plan(Struct, frozen=True):
    """One run: its shape, the launches behind it, and what is known of each argument.

    told: what the launches tell of the block where they do not tell the whole of it. as_passed: positions of
    the arguments that are the unknown extents of the grid.
    """

    configuration: Configuration
    arguments: tuple[Argument, ...] | None
    told: Partial = NOTHING
    as_passed: Partial = NOTHING


def axes_used(function: Function) -> int:
    """1, 2 or 3: how many axes of threadIdx the body itself reads."""
    used = {node.axis for node in find(function.body, e.Builtin) if node.name == "threadIdx"}
    return 3 if "z" in used else 2 if "y" in used else 1


def _assumed_block(assumptions: tuple[Assumption, ...]) -> tuple[int | None, int | None, int | None]:
    found: dict[str, int] = {}
    for a in assumptions:
        if a.name.startswith("blockDim.") and a.operator == "==" and a.modulus is None:
            found[a.name[-1]] = a.value
    return found.get("x"), found.get("y"), found.get("z")


def _assumed_grid(assumptions: tuple[Assumption, ...]) -> tuple[int | None, int | None, int | None]:
    found = {
        a.name[-1]: a.value
        for a in assumptions
        if a.name.startswith("gridDim.") and a.operator == "==" and a.modulus is None
    }
    return found.get("x"), found.get("y"), found.get("z")


def plans(
    function: Function,
    launches: tuple[LaunchFact, ...],
    assumptions: tuple[Assumption, ...],
    alone: bool = False,
    launched: bool = False,
    defaults: tuple[LaunchFact, ...] = (),
    collective: Shape | None = None,
    elsewhere: Callable[[], tuple[TextLaunch, ...]] = tuple,
) -> list[Plan]:
    """The runs for a kernel, at most MAX_CONFIGURATIONS, launches with known shapes first. alone: the kernel
    never asks which thread it is in, so one thread is the usual shape. launched: the text launches it.
    defaults: the launches of the program as it is run, where its command line decides about the others.
    collective: the block that the kernel's block-wide functions are made for. elsewhere: launches of which
    only the text of the project tells, asked for where nothing else tells the block.
    """
    block = _assumed_block(assumptions)
    grid = _assumed_grid(assumptions)
    if block[0] is not None:
        shape = (block[0], block[1] or 1, block[2] or 1)
        configuration = Configuration(shape, grid, None, "default", Origin.ASSUMPTION, None)
        arguments = together(launches)
        return [Plan(configuration, arguments)]
    unreached = any(not launch.reached for launch in launches)
    launches = tuple(launch for launch in launches if launch.reached)
    known = _by_block(launches)
    if known:
        return [
            _from_launches(shape, tuple(group)) for shape, group in list(known.items())[:MAX_CONFIGURATIONS]
        ]
    if collective is not None and agrees(collective, agreed([one.block for one in launches])):
        return [_for_collectives(collective, launches)]
    limits = {launch.limit: launch for launch in reversed(launches) if launch.limit is not None}
    fitting = [limit for limit in reversed(limits) if math.prod(limit) <= 1024]
    if fitting:
        return [_within(limit, limits[limit], launches) for limit in fitting[:MAX_CONFIGURATIONS]]
    if not unreached and (
        written := written_blocks(function, elsewhere(), agreed([one.block for one in launches]))
    ):
        return [_as_written(one, launches, grid) for one in written[:MAX_CONFIGURATIONS]]
    if usual := list(_by_block(defaults).items())[:MAX_CONFIGURATIONS]:
        return [_as_usual(shape, group[0], launches) for shape, group in usual]
    return _without_launch(function, launches, grid, alone, launched or bool(launches))


def _by_block(launches: tuple[LaunchFact, ...]) -> dict[Shape, list[LaunchFact]]:
    """The launches whose block is known, and one that a device can have."""
    known: dict[Shape, list[LaunchFact]] = {}
    for launch in launches:
        x, y, z = launch.block
        if x is not None and y is not None and z is not None and 0 < x * y * z <= 1024:
            known.setdefault((x, y, z), []).append(launch)
    return known


def _as_usual(shape: Shape, default: LaunchFact, launches: tuple[LaunchFact, ...]) -> Plan:
    """The run with the block that the program launches unless it is told otherwise; the rest stays open."""
    grid = agreed([one.grid for one in launches])
    shared = default.dynamic_shared_bytes
    configuration = Configuration(shape, grid, shared, default.stream, Origin.DEFAULT, default.span)
    told, as_passed = agreed([one.block for one in launches]), agreed([one.as_passed for one in launches])
    return Plan(configuration, together(launches), told, as_passed)


def _as_written(block: WrittenBlock, launches: tuple[LaunchFact, ...], grid: Partial) -> Plan:
    """The run with a block of which only the text tells; the rest is as the launches of the unit have it."""
    if grid == NOTHING:
        grid = agreed([one.grid for one in launches])
    configuration = Configuration(block.shape, grid, None, "default", block.origin, block.where)
    told, as_passed = agreed([one.block for one in launches]), agreed([one.as_passed for one in launches])
    return Plan(configuration, together(launches), told, as_passed)


def _for_collectives(shape: Shape, launches: tuple[LaunchFact, ...]) -> Plan:
    """The run with the block that the kernel's block-wide functions are made for."""
    grid = agreed([one.grid for one in launches])
    configuration = Configuration(shape, grid, None, "default", Origin.COLLECTIVE, None)
    as_passed = agreed([one.as_passed for one in launches])
    return Plan(configuration, together(launches), as_passed=as_passed)


def _within(limit: Shape, launch: LaunchFact, launches: tuple[LaunchFact, ...]) -> Plan:
    """The run with the largest block that a launch can have."""
    grid = agreed([one.grid for one in launches])
    configuration = Configuration(limit, grid, None, launch.stream, Origin.LIMIT, launch.span)
    told, as_passed = agreed([one.block for one in launches]), agreed([one.as_passed for one in launches])
    return Plan(configuration, together(launches), told, as_passed)


def _from_launches(shape: tuple[int, int, int], group: tuple[LaunchFact, ...]) -> Plan:
    first = group[0]
    grid = agreed([launch.grid for launch in group])
    shared = first.dynamic_shared_bytes
    if any(launch.dynamic_shared_bytes != shared for launch in group):
        shared = None
    measured = any(launch.measured for launch in group)
    configuration = Configuration(
        shape, grid, shared, first.stream, Origin.LAUNCH, first.span, measured=measured
    )
    as_passed = agreed([launch.as_passed for launch in group])
    return Plan(configuration, together(group), as_passed=as_passed)


def _without_launch(
    function: Function, launches: tuple[LaunchFact, ...], grid: Partial, alone: bool, launched: bool
) -> list[Plan]:
    axes = axes_used(function)
    arguments = together(launches)
    told = agreed([launch.block for launch in launches])
    as_passed = agreed([launch.as_passed for launch in launches])
    if grid == NOTHING:
        grid = agreed([launch.grid for launch in launches])
    bounds = function.launch_bounds
    if bounds and 0 < bounds[0] <= 1024:
        most = bounds[0]
        bounded: dict[int, tuple[Shape, ...]] = {n: ((WARP, max(1, most // WARP), 1),) for n in (2, 3)}
        found = shapes({1: ((most, 1, 1),), **bounded}, axes, told, most)
        origin = Origin.CHOSEN_BOUNDS if function.chosen_number else Origin.BOUNDS
    else:
        usual = ALONE if alone and told == NOTHING else USUAL
        found, origin = shapes(usual, axes, told, _USUAL_THREADS), Origin.USUAL
    unread = launched and (told[0] is None or told[0] % WARP != 0)
    return [
        Plan(Configuration(shape, grid, None, "default", origin, None, unread), arguments, told, as_passed)
        for shape in found
    ]


def other_shapes(function: Function, plan: Plan) -> list[Plan]:
    """The plan of a kernel that is launched nowhere, with shapes unlike the usual ones."""
    return [
        replace(plan, configuration=replace(plan.configuration, block=shape))
        for shape in shapes(OTHERS, axes_used(function), plan.told)
    ]


def samples_of(
    configuration: Configuration,
    whole: bool,
    axes: frozenset[str],
    sizes: Sizes = "usual",
    striding: bool = False,
) -> Samples:
    """The samples of one configuration; `whole` when every argument has a number, axes: of blockIdx that the
    kernel reads, striding: whether a loop steps by the size of the grid, so that a grid that nobody knows is
    a small one and threads make several iterations.

    Blocks run: the first and the one next to it on every axis, for rows of threads one far enough that an
    index divided by a usual width is not zero (an even one, as every second block may begin at another
    place of a sector), where several axes count the blocks at each axis' edge that
    are the first one's neighbours, and, when all is known, the last, and the last of each axis.
    """
    block = configuration.block
    usual = (max(_FEW_BLOCKS, _FEW_THREADS // math.prod(block)), *_GRID[1:]) if striding else _GRID
    grid = tuple(g if g is not None and g > 0 else d for g, d in zip(configuration.grid, usual, strict=True))
    known = tuple(extent is not None for extent in configuration.grid)
    inner = tuple(min(1, grid[at] - 1) if known[at] or "xyz"[at] in axes else 0 for at in range(3))
    candidates = [inner]
    far = 2 * (_FAR // (2 * block[0]) + 1)
    if block[1] == block[2] == 1 and grid[0] - 1 > far:
        candidates.append((far, inner[1], inner[2]))
    several = [at for at in range(3) if grid[at] > 1 and (known[at] or "xyz"[at] in axes)]
    if len(several) > 1:
        candidates += [tuple(inner[at] if at == axis else 0 for at in range(3)) for axis in several]
        if all(known):
            candidates += [(*inner[:axis], 0, *inner[axis + 1 :]) for axis in several]
    if whole:
        if len(several) > 1:
            between = [at if at < extent - 1 else 0 for at, extent in zip(inner, grid, strict=True)]
            candidates += [(*between[:axis], grid[axis] - 1, *between[axis + 1 :]) for axis in several]
        candidates.append(tuple(g - 1 for g in grid))
    blocks = [(0, 0, 0)]
    for candidate in candidates:
        if candidate not in blocks:
            blocks.append(cast("tuple[int, int, int]", candidate))
    return make(
        block,
        cast("tuple[int, int, int]", grid),
        tuple(blocks),
        SCALES if sizes == "mixed" else VALUATIONS,
        cast("tuple[bool, bool, bool]", known),
        sizes,
    )


# --- parameters ---


def enter_parameters(
    m: Machine,
    function: Function,
    plan: Plan,
    assumptions: tuple[Assumption, ...],
    numbers: Numbers,
) -> None:
    """Give every parameter its storage and value, and what closures bring along. numbers: for those that
    nobody knows, by identity.
    """
    arguments = plan.arguments
    if arguments is not None and len(arguments) != len(function.parameters):
        arguments = None
    given = arguments or ()
    buffers = Passed()
    checked, lengths = checked_multiples(m.unit, function), array_lengths(m.unit, function)
    variables = (*function.parameters, *captured(m.unit, function))
    for position, variable in enumerate(variables):
        argument = given[position] if position < len(given) else Argument()
        if variable.id in checked:
            multiple = math.lcm(argument.multiple_of or 1, checked[variable.id])
            argument = replace(argument, multiple_of=multiple)
        memory = fresh(m, variable)
        memory.given = isinstance(variable.type, Record)
        if isinstance(variable.type, Reference):
            target = m.state.create(variable.name, "global", 0, innermost(variable.type.target).bytes)
            m.state.bound[variable.id] = Place(None, 0, Value(target.base))
            continue
        fields = dict(argument.fields)
        for at, kind in leaves(m.unit, variable.type, limit=_MOST_PARTS):
            name = f"{variable.name}{part_name(m.unit, variable.type, at)}"
            part = fields.get(at, Argument()) if isinstance(variable.type, Record) else argument
            salt = position * 3 + at // 4
            value = _parameter_value(m, name, kind, part, buffers, assumptions, salt)
            most = lengths.get((variable.type.name, at)) if isinstance(variable.type, Record) else None
            memory.slots[at] = value if most is None or not value.free else _at_most(value, most)
        if variable.id in numbers and memory.slots[0].free:
            memory.slots[0] = _one_of(m.state.samples, numbers[variable.id], position)


def _parameter_value(
    m: Machine,
    name: str,
    type: Type,
    argument: Argument,
    buffers: Passed,
    assumptions: tuple[Assumption, ...],
    salt: int,
) -> Value:
    if isinstance(type, Pointer | Array):
        return _pointer_value(m, name, cast(Pointer, type), argument, buffers)
    if argument.value is not None and isinstance(type, Scalar):
        return Value(float(argument.value) if type.kind == "float" else int(argument.value))
    if isinstance(type, Opaque):
        return unknown("parameter of an opaque type")
    mine = tuple(a for a in assumptions if a.name == name)
    if argument.values and not mine and isinstance(type, Scalar):
        return _launched(m.state.samples, argument.values, type)
    value = free_value(m.state.samples, salt, type)
    if isinstance(type, Scalar) and type.kind in ("signed", "unsigned") and (mine or argument.multiple_of):
        return _narrowed(m.state.samples, value, mine, argument.multiple_of or 1)
    return value


def _at_most(value: Value, most: int) -> Value:
    """Numbers that valuations chose, as how much of an array is used: half of what it has, or less."""
    return replace(value, data=1 + (cast(Any, value.data) - 1) % -(-most // 2))


def _one_of(samples: Samples, choice: tuple[int, ...], position: int) -> Value:
    """The numbers in turn, one a valuation."""
    numbers = np.array([choice[(v + position) % len(choice)] for v in range(samples.valuations)])
    return Value(numbers[samples.valuation], free=CHOSEN)


def _launched(samples: Samples, values: tuple[int | float, ...], type: Scalar) -> Value:
    """What several launches pass, one a valuation."""
    convert = float if type.kind == "float" else int
    numbers = np.array([convert(values[v % len(values)]) for v in range(samples.valuations)])
    return Value(numbers[samples.valuation], free=CHOSEN)


def _narrowed(samples: Samples, value: Value, assumptions: tuple[Assumption, ...], multiple: int) -> Value:
    """The free numbers moved to the next ones that satisfy the assumptions; unmoved when none is near. Where
    they are less than what they are a multiple of, its first multiples: nothing at all is no size.
    """
    fixed = next((a.value for a in assumptions if a.operator == "==" and a.modulus is None), None)
    if fixed is not None:
        return Value(fixed)
    upper = min(
        (
            a.value - (a.operator == "<")
            for a in assumptions
            if a.operator in ("<", "<=") and a.modulus is None
        ),
        default=None,
    )
    chosen: list[int] = []
    for number in different(np.asarray(value.data)):
        start = int(number) if upper is None else min(int(number), upper - len(chosen))
        start = start if start >= multiple or upper is not None else multiple * (len(chosen) + 1)
        chosen.append(_satisfying(start, assumptions, multiple, -1 if upper is not None else 1))
    numbers = np.array([chosen[v % len(chosen)] for v in range(samples.valuations)])
    return Value(numbers[samples.valuation], free=CHOSEN)


def _satisfying(start: int, assumptions: tuple[Assumption, ...], multiple: int, step: int) -> int:
    start = start // multiple * multiple
    for k in range(5000):
        candidate = start + step * k * multiple
        if candidate >= 0 and all(a.holds(candidate) for a in assumptions):
            return candidate
    return start


def _promises(type: Type) -> tuple[bool, bool]:
    """Whether the parameter says that nothing else reaches its memory, and that nothing writes it."""
    restrict = isinstance(type, Pointer) and type.restrict
    return restrict, restrict and isinstance(type, Pointer) and type.const


def _pointer_value(m: Machine, name: str, type: Pointer, argument: Argument, buffers: Passed) -> Value:
    element = innermost(type.pointee).bytes if isinstance(type, Pointer) else 4
    buffer = argument.buffer
    if argument.value == 0 and argument.expression == "0":
        return Value(0)  # null is written there; a variable that holds it may have been set elsewhere
    restrict, read_only = _promises(type)
    if buffer is None:
        memory = m.state.create(name, "global", 0, element)
        memory.restrict, memory.read_only = restrict, read_only
        return _shifted(m, type, memory, argument.multiple_of or ALLOCATION)
    found = buffers.of(argument, name)
    if found is None:
        found = m.state.create(name, "global", buffer.bytes or 0, element)
        found.restrict, found.read_only = restrict, read_only
        found.own, found.buffer = buffer.id >= 0, buffer.id  # below 0: a stand-in for several
        found.host = buffer.space in _OVER_THE_BUS
        buffers.enter(argument, name, found)
    found.restrict, found.read_only = found.restrict and restrict, found.read_only and read_only
    if argument.offset is None:
        return _shifted(m, type, found, argument.multiple_of or 1)
    return Value(found.base + argument.offset)


def _shifted(m: Machine, type: Pointer, memory: Memory, multiple: int) -> Value:
    """A pointer at an offset of which only a divisor is known, in bytes."""
    if multiple % ALLOCATION == 0:
        return Value(memory.base)
    memory.aligned = False
    starts = cast(np.ndarray, free_alignment(m.state.samples, type).data)
    element = max(type.pointee.bytes if isinstance(type, Pointer) else 4, 1)
    step = math.lcm(element, math.gcd(multiple, ALLOCATION))
    return Value(starts // element * step + memory.base, True, CHOSEN)
