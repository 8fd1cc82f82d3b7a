"""
## What it does
Finds atomic operations where all lanes of a warp, and so all threads of the block, use the same address, of
types for which the compiler does not aggregate the lanes: `float`, `double` and half additions, and 64-bit
integers whose value differs between lanes. And of the others those on one address in global memory that all
blocks share: there is still one for each warp. Also atomics of a loop that combine something with the same
address in every iteration, which nothing in the loop reads.

## Why it costs
Atomics on the same address are serialised. For a 32-bit integer, nvcc (since CUDA 9) aggregates the lanes of
a warp where it can prove that they share the address, and one lane performs the atomic, in global and in
shared memory. It never does so for floating point, where the sum depends on the order, nor for 64-bit
integers unless the value is a constant: there 32 requests queue where one suffices.

Measured on an H200 with 2^24 threads and one address in global memory: `atomicAdd` of a float or a double
takes 1.76 ns per thread, of a 64-bit integer .73 ns; with a warp reduction by shuffles first and one atomic
per warp .055 ns, with one atomic per block .007 ns. A 32-bit integer takes .024 ns either way. In shared
memory a float takes .045 ns per thread, including the retries of an emulated operation. On an H100 with 2^26
threads one atomic per block of 256 instead of each warp's took 81% to 83% less time (a minimum, and appending
to a list), of 128 61% to 70%.

## Example
```cuda
__global__ void sum(float *total, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(total, in[i]);  // 32 lanes queue for one float
}
```

## Instead
```cuda
__global__ void sum(float *total, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = in[i];
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_down_sync(0xffffffff, value, step);
    if (threadIdx.x % 32 == 0)
        atomicAdd(total, value);
}
```
Better still, let the warps of a block reduce in shared memory first (`cub::BlockReduce` does both), so that a
block performs one atomic.

## Limits
- Silent where the address depends on the thread (a histogram, one sum per warp), for 32-bit integers in
  shared memory or in blocks of less than four warps, with fewer than 8 active lanes, and for exchanges and
  compare-and-swap.
- Where data or arguments decide which lanes are active, 32 is an upper bound; under an equality such as
  `if (key == 0)` the rule is silent.
- The impact counts .7 to 1.75 ns for each operation on an address that all blocks share, and
  up to 12 clocks in shared memory. It begins at 0 where data decides which lanes take part, or the address
  changes from iteration to iteration.

## Source
001 'Atomic Functions' (conflicting accesses to one address are serialized); the instructions that nvcc 13.0
generates for 30 kernels on sm_75, sm_80 and sm_90; timings on an H200, and `experiments/one_address.cu`.
"""

import math
from collections.abc import Container, Iterator
from itertools import count

from msgspec import Struct
from msgspec.structs import replace

from cudalint.analyses.equality_conditions import picks
from cudalint.analyses.kernel_queries import pointer_of, reachable, root_of
from cudalint.analyses.repeated_atomics import repeated_atomics
from cudalint.analyses.varying import Varying, varying
from cudalint.cuda.warp import WARP
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.types import Pointer, Scalar
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, find
from cudalint.rule.findings import Finding
from cudalint.rule.related import repeated
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import on_access
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis, Impact
from cudalint.significance.roofline import Shared
from cudalint.significance.saving import Queue, Removed, Saving
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.pattern import FEW_LANES, guessed, never_run, number
from cudalint.simt.query.trips import one_count
from cudalint.source.span import Span

RULE = Rule(
    code="CU116",
    name="contended-atomic",
    severity=Severity.WARNING,
    summary="all lanes of a warp, or all warps of a grid, perform atomics on one address",
    guides=("001",),
    speed=True,
)

_VERBS = {
    "atomicAdd": "add to",
    "atomicSub": "subtract from",
    "atomicMin": "update the minimum at",
    "atomicMax": "update the maximum at",
    "atomicAnd": "`and` into",
    "atomicOr": "`or` into",
    "atomicXor": "`xor` into",
}
_UNUSED = "reduce in the warp (`__shfl_down_sync`) or block first, then let one lane perform the atomic"
_USED = (
    "count in a 32-bit integer, or let one lane add the sum of the warp and shuffle to each what it starts at"
)
_USED_JOINED = (
    "let each block add its sum once, and give its threads their places in what it got (a scan of the block)"
)
_UNUSED_JOINED = "reduce in the block first (`cub::BlockReduce`), then let one thread perform the atomic"
_SEVERAL = 4  # warps of a block, from which on one atomic for all of them is worth the steps to it
_WIDE = 8  # bytes of the integers that are not aggregated


class _Place(Struct, frozen=True):
    """An atomic."""

    call: e.Call
    function: Function
    block: int  # numbers the block of statements that contains it
    picked: bool  # a condition around it selects few cases
    used: bool  # what it returns is
    under: tuple[e.Expression, ...]  # the conditions that hold round it
    joined: bool = False  # the compiler makes one of those of a warp


_Call = tuple[e.Call, int, bool, bool, tuple[e.Expression, ...]]


def check(
    kernel: KernelFacts, accesses: tuple[Access, ...], branches: tuple[Branch, ...], context: Context
) -> Iterator[Finding]:
    """One finding for the calls in a block of statements, for each memory space; of those that the compiler
    joins one in a function where data decides who takes part, and one for the others.
    """
    contended = {access.span: access for access in accesses if _contended(access)}
    known = varying(context.unit, kernel.function)
    own = varying(context.unit, kernel.function, "blockIdx")
    groups: dict[tuple[str, int, str], list[_Place]] = {}
    joined: dict[tuple[str, bool], list[_Place]] = {}
    for place in _statements(context.unit, kernel.function, contended.keys()):
        access = contended[place.call.span]
        if access.basis.data_dependent and place.picked:
            continue
        if place.call.span.path not in context.lines:
            continue
        if _queues(place.call, known):
            key = place.function.key, place.block, access.space
            groups.setdefault(key, []).append(place)
        elif _warps_queue(place.call, access, known, own):
            doubt = place.function.key, _in_doubt(access)
            joined.setdefault(doubt, []).append(replace(place, joined=True))
    for group in (*groups.values(), *joined.values()):
        first = group[0].call
        impact = context.impact(_saving([contended[place.call.span] for place in group], group, own), kernel)
        if any(_in_doubt(contended[place.call.span]) for place in group):
            impact = replace(impact, low=0.0)
        yield _finding(contended[first.span], group, kernel.name, impact)
    told = {place.call.span for group in (*groups.values(), *joined.values()) for place in group}
    yield from _repeated(kernel, accesses, branches, told, context)


def _repeated(
    kernel: KernelFacts,
    accesses: tuple[Access, ...],
    branches: tuple[Branch, ...],
    told: set[Span],
    context: Context,
) -> Iterator[Finding]:
    """One finding for each loop whose iterations combine something with one place."""
    made = {access.span: access for access in accesses if access.operation == "atomic"}
    loops: dict[int, list[e.Call]] = {}
    rounds: dict[int, s.Loop] = {}
    for call, loop in repeated_atomics(context.unit, kernel.function):
        if call.span in made and call.span not in told and call.span.path in context.lines:
            loops.setdefault(id(loop), []).append(call)
            rounds[id(loop)] = loop
    for number_, (first, *others) in loops.items():
        loop, access = rounds[number_], made[first.span]
        trips = one_count(branches, loop)
        if trips == 1:
            continue
        spared = 1 - 1 / trips if trips else 1.0
        removed = tuple(Removed(made[call.span], spared) for call in (first, *others))
        basis = Basis.WAVEFRONTS if access.space == "shared" else Basis.SECTORS
        impact = context.impact(Saving(basis, removed=removed), kernel)
        yield RULE.finding(
            first.span,
            f"repeated atomic: each iteration of the loop at line {loop.span.line} {_third(first)} the same"
            f" address in {access.space} memory",
            notes=("nothing in the loop reads it",),
            help="combine in a register, and perform one atomic after the loop",
            kernel=kernel.name,
            evidence={"loop": loop.span.line, "iterations": trips, "space": access.space},
            impact=replace(impact, low=0.0),
            related=repeated(others, lambda other: f"same pattern: `{render(other)}`"),
            standing=on_access(access, sure=not access.basis.data_dependent),
        )


def _third(call: e.Call) -> str:
    """'adds to'."""
    verb, _, rest = (_verb(call) or "").partition(" ")
    return f"{verb}s {rest}" if verb.isalpha() else f"`{verb.strip('`')}`s {rest}"


def _saving(accesses: list[Access], places: list[_Place], own: Varying) -> Saving:
    """One lane of a warp is left, or one thread of a block. own: what differs between blocks."""
    queues = (
        Queue(access, 1, "grid", 1 / _warps(access))
        if place.joined
        else Queue(access, _active(access), _within(access, own.varies(place.call.arguments[0])))
        for access, place in zip(accesses, places, strict=True)
    )
    return Saving(Basis.SERIALISED, queues=tuple(queues))


def _warps(access: Access) -> int:
    """Of a block."""
    return -(-math.prod(access.configuration.block) // WARP) if access.configuration is not None else _SEVERAL


def _within(access: Access, own: bool) -> Shared:
    """Who waits for the address. own: of the block."""
    if access.space == "shared":
        return "multiprocessor"
    return "block" if own else "grid"


def _in_doubt(access: Access) -> bool:
    """Whether data decides which lanes take part, or further addresses share the work."""
    return access.basis.data_dependent or bool(access.layout.step_stride)


def _active(access: Access) -> int:
    """Lanes of a full request."""
    return sum(lane is not None for lane in access.lanes.worst) or WARP


def _contended(access: Access) -> bool:
    """Whether every request has one address and enough active lanes."""
    if access.operation != "atomic" or access.space not in ("global", "shared"):
        return False
    return access.layout.uniform and access.lanes.active >= FEW_LANES and not never_run(access)


def _statements(unit: Unit, kernel: Function, spans: Container[Span]) -> Iterator[_Place]:
    """The atomic calls at those places."""
    for function in reachable(unit, kernel):
        if function.body is not None:
            numbers = count()
            for call, block, picked, used, under in _calls(function.body, next(numbers), False, numbers):
                if call.span in spans:
                    yield _Place(call, function, block, picked, used, under)


def _calls(node: s.Statement, block: int, picked: bool, numbers: Iterator[int]) -> Iterator[_Call]:
    """Calls with the fields of _Place."""
    match node:
        case s.Block(body=body):
            inside = next(numbers)
            for part in body:
                yield from _calls(part, inside, picked, numbers)
        case s.If(condition=condition, then=then, otherwise=otherwise):
            yield from _in(condition, block, picked)
            for call, own, few, used, under in _calls(
                then, next(numbers), picked or picks(condition), numbers
            ):
                yield call, own, few or _looks_first(condition, call), used, (condition, *under)
            if otherwise is not None:
                yield from _calls(otherwise, next(numbers), picked, numbers)
        case s.Loop(condition=condition, body=body):
            if condition is not None:
                yield from _in(condition, block, picked)
            yield from _calls(body, next(numbers), picked, numbers)
        case s.Switch(body=parts):
            for part in parts:
                yield from _calls(part, next(numbers), True, numbers)
        case _:
            yield from _in(node, block, picked)


def _looks_first(condition: e.Expression, call: e.Call) -> bool:
    """Whether a condition reads the place first, such as `if (v > *best) atomicMax(best, v)`."""
    read = find(condition, e.Index, e.Dereference)
    place = pointer_of(call)
    if place is not None:  # it may be one of several fields of an object
        return any((one := pointer_of(part)) is not None and render(one) == render(place) for part in read)
    array = root_of(call.arguments[0]) if call.arguments else None
    return array is not None and any(root_of(part) is array for part in read)


def _in(node: Node, block: int, picked: bool) -> Iterator[_Call]:
    """Those in an expression, or in a statement without others in it."""
    whole = node.expression if isinstance(node, s.Evaluate) else None
    while isinstance(whole, e.Cast):
        whole = whole.operand
    for part in find(node, e.Call):
        yield part, block, picked, part is not whole, ()


def _verb(call: e.Call) -> str | None:
    name = call.name.rpartition("::")[2]
    return _VERBS.get(name.removesuffix("_block").removesuffix("_system"))


def _queues(call: e.Call, known: Varying) -> bool:
    """Whether the atomics of the lanes are serialised."""
    return _is_alike(call, known) and not _is_joined(call, known)


def _is_alike(call: e.Call, known: Varying) -> bool:
    """Whether all lanes combine something with one place."""
    return _verb(call) is not None and len(call.arguments) == 2 and not known.varies(call.arguments[0])


def _is_joined(call: e.Call, known: Varying) -> bool:
    """Whether the compiler makes one atomic of those of a warp."""
    target = call.arguments[0].type
    pointee = target.pointee if isinstance(target, Pointer) else call.type
    whole = isinstance(pointee, Scalar) and pointee.kind in ("signed", "unsigned")
    return whole and (pointee.bytes < _WIDE or not known.varies(call.arguments[1]))


def _warps_queue(call: e.Call, access: Access, known: Varying, own: Varying) -> bool:
    """Whether all warps of a grid do one atomic each on one address, of blocks that have several."""
    shape = access.configuration
    return (
        access.space == "global"
        and _is_alike(call, known)
        and not own.varies(call.arguments[0])
        and not _only_reads(call.arguments[1])
        and not access.layout.step_stride
        and shape is not None
        and math.prod(shape.block) >= _SEVERAL * WARP
    )


def _only_reads(value: e.Expression) -> bool:
    """Whether it adds nothing."""
    while isinstance(value, e.Cast):
        value = value.operand
    return isinstance(value, e.Literal) and value.value == 0


def _lanes(access: Access) -> str:
    """How many lanes are active; an upper bound where requests differ."""
    active = _active(access)
    if access.basis.data_dependent or access.lanes.active != active:
        return f"up to {WARP}"
    return str(active)


def _condition(access: Access, first: _Place) -> str | None:
    """What data decides on, where it does."""
    if not first.under or not access.basis.data_dependent:
        return None
    under = " and ".join(f"`{render(condition)}`" for condition in first.under[-2:])
    return f"{under} hold{'s' * (len(first.under) == 1)} for many lanes"


def _finding(access: Access, places: list[_Place], kernel: str, impact: Impact) -> Finding:
    (call, *others), used = (place.call for place in places), any(place.used for place in places)
    shape = access.configuration
    threads = shape.block[0] * shape.block[1] * shape.block[2] if shape is not None else 0
    block = "all threads" if guessed(shape) else f"all {threads} threads"
    who = f"{_lanes(access)} lanes of a warp"
    note = (
        f"{block} of a block use the same address, one after the other: the compiler aggregates the lanes"
        " of a warp for 32-bit integers only"
    )
    help = _USED if used else _UNUSED
    if places[0].joined:
        who, help = "all warps of the grid", _USED_JOINED if used else _UNUSED_JOINED
        note = "the compiler makes one atomic of a warp's lanes; those of all warps queue, .8 ns each (H200)"
    return RULE.finding(
        call.span,
        f"contended atomic: {who} {_verb(call)} the same address in {access.space} memory",
        notes=(note,),
        help=help,
        kernel=kernel,
        evidence={
            "lanes": number(access.lanes.active),
            "threads": threads,
            "space": access.space,
            "bytes": access.bytes,
            "atomics": 1 + len(others),
            "joined": places[0].joined,
        },
        impact=impact,
        condition=_condition(access, places[0]),
        related=repeated(others, lambda other: f"same pattern: `{render(other)}`"),
        standing=on_access(access, sure=not access.basis.data_dependent),
    )
