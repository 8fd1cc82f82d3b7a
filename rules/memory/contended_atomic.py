"""
## What it does
Finds atomic operations for which all lanes of a warp, and so all threads of the block, name one address, of
a type whose lanes the compiler does not put together: `float`, `double` and half additions, and operations
on 64-bit integers whose value differs between lanes.

## Why it costs
Atomics on one address are done one after the other. For a 32-bit integer nvcc (from CUDA 9 on) adds the
lanes of a warp up by itself where it can prove that they share the address, and one lane goes to memory;
that is so for global and for shared memory. It never does so for floating point, whose sum depends on the
order, nor for 64-bit integers unless the value is a constant: there 32 requests queue where one would do.

Measured on an H200 with 2^24 threads and one address in global memory: `atomicAdd` of a float or a double
takes 1.76 ns a thread, of a 64-bit integer .73 ns; with a warp that adds up by shuffles first and one lane
that does the atomic .055 ns, with one thread a block .007 ns. A 32-bit integer takes .024 ns either way. In
shared memory a float takes .045 ns a thread, with the retries of an emulated operation.

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
Better still, let the warps of a block add up in shared memory first (`cub::BlockReduce` does both), so that
a block does one atomic.

## Limits
Speaks only where the address does not depend on the thread in any way that the code shows, so a histogram,
or one sum a warp, is no finding. Silent for 32-bit integers, where fewer than 8 lanes take part, where the
old value is used, and for exchanges and compare-and-swap, which cannot be put together. Where data or numbers
that are passed decide which lanes take part, 32 is the most; where that is by an equality (`if (key == 0)`),
few may, and the rule is silent. Silent too where a thread does a single atomic behind loops within loops of
long arithmetic: the queue is then through before the next warp comes (32 atomics take as long as the device
needs for some 50,000 instructions of warps), or where each block has an address of its own in global memory
and a thread does a single atomic beside loops over memory within loops, of lengths that only the run knows:
the blocks do not wait for each other, and the thread goes on. Atomics that follow each other in one block of
statements are one finding. Silent for kernels that the program leaves out of what it measures, while it
measures others, and for those that a file launches nowhere while it launches others.

## Source
001 'Atomic Functions' (conflicting accesses to one address are serialized); the instructions that nvcc 13.0
makes of 30 kernels for sm_75, sm_80 and sm_90; timings on an H200.
"""

from collections.abc import Container, Iterator
from itertools import count

from msgspec import Struct

from cudalint.analyses.equality_conditions import picks
from cudalint.analyses.instructions import cost
from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.varying import Varying, varying
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.types import Pointer, Scalar
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import walk
from cudalint.rule.findings import Confidence, Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.negligible import is_open, unmeasured
from cudalint.significance.thresholds import HIDING_OPERATIONS
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.pattern import FEW_LANES, guessed, never_run, number, standing
from cudalint.source.span import Span

RULE = Rule(
    code="CU116",
    name="contended-atomic",
    severity=Severity.WARNING,
    summary="all lanes of a warp do an atomic on one address that the compiler does not put together",
    guides=("001",),
)

_VERBS = {
    "atomicAdd": "add to",
    "atomicSub": "subtract from",
    "atomicMin": "take the minimum with",
    "atomicMax": "take the maximum with",
    "atomicAnd": "do an `and` with",
    "atomicOr": "do an `or` with",
    "atomicXor": "do an `xor` with",
}
_WIDE = 8  # bytes of the integers that are not put together
_WARP = 32
_MOST_RELATED = 8


class _Place(Struct, frozen=True):
    """An atomic whose result nobody uses. block: a number for the block of statements that it stands in.
    picked: a condition round it picks few cases. once: no loop of its function is round it.
    """

    call: e.Call
    function: Function
    block: int
    picked: bool
    once: bool


def check(kernel: KernelFacts, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """One finding for the calls of a block of statements, in each memory."""
    if unmeasured(context.unit, kernel.function, context.host):
        return
    contended = {access.span: access for access in accesses if _contended(access)}
    if not contended:
        return
    known = varying(context.unit, kernel.function)
    groups: dict[tuple[str, int, str], list[_Place]] = {}
    for place in _statements(context.unit, kernel.function, contended.keys()):
        access = contended[place.call.span]
        if (access.data_dependent and place.picked) or (place.once and _hidden(place.function)):
            continue
        if access.space == "global" and _outlasted(place, kernel.function, context.unit):
            continue
        if _queues(place.call, known) and place.call.span.path in context.lines:
            key = place.function.key, place.block, access.space
            groups.setdefault(key, []).append(place)
    for group in groups.values():
        first, *others = (place.call for place in group)
        yield _finding(contended[first.span], first, others, kernel.name)


def _hidden(function: Function) -> bool:
    """Whether a thread computes for so long that it hardly ever waits for others' atomics."""
    return cost(function.body) >= HIDING_OPERATIONS.value


def _outlasted(place: _Place, kernel: Function, unit: Unit) -> bool:
    """Whether each block has an address of its own, for which its threads queue once, beside loops over
    memory within loops that go round nobody knows how often.
    """
    if not place.once or place.function.key != kernel.key or not _nested_loops(kernel):
        return False
    return varying(unit, kernel, "blockIdx").varies(place.call.arguments[0])


def _nested_loops(function: Function) -> bool:
    """Whether a loop of a length that only the run knows has another one in it."""
    loops = [node for node in walk(function.body) if isinstance(node, s.Loop)] if function.body else []
    return any(
        is_open(outer) and any(isinstance(node, s.Loop) and is_open(node) for node in walk(outer.body))
        for outer in loops
    )


def _contended(access: Access) -> bool:
    """Whether every request that was seen has one address and enough lanes."""
    if access.operation != "atomic" or access.space not in ("global", "shared"):
        return False
    return access.uniform and access.active_lanes >= FEW_LANES and not never_run(access)


def _statements(unit: Unit, kernel: Function, spans: Container[Span]) -> Iterator[_Place]:
    """The atomic calls at those places whose result nobody uses."""
    for function in reachable(unit, kernel):
        if function.body is not None:
            numbers = count()
            for call, block, picked, once in _calls(function.body, next(numbers), False, True, numbers):
                if call.span in spans:
                    yield _Place(call, function, block, picked, once)


def _calls(
    node: s.Statement, block: int, picked: bool, once: bool, numbers: Iterator[int]
) -> Iterator[tuple[e.Call, int, bool, bool]]:
    """Calls that are statements, with what stands round them: see _Place."""
    match node:
        case s.Evaluate(expression=value):
            while isinstance(value, e.Cast):
                value = value.operand
            if isinstance(value, e.Call):
                yield value, block, picked, once
        case s.Block(body=body):
            inside = next(numbers)
            for part in body:
                yield from _calls(part, inside, picked, once, numbers)
        case s.If(condition=condition, then=then, otherwise=otherwise):
            yield from _calls(then, next(numbers), picked or picks(condition), once, numbers)
            if otherwise is not None:
                yield from _calls(otherwise, next(numbers), picked, once, numbers)
        case s.Loop(body=body):
            yield from _calls(body, next(numbers), picked, False, numbers)
        case s.Switch(body=parts):
            for part in parts:
                yield from _calls(part, next(numbers), True, once, numbers)


def _verb(call: e.Call) -> str | None:
    name = call.name.rpartition("::")[2]
    return _VERBS.get(name.removesuffix("_block").removesuffix("_system"))


def _queues(call: e.Call, known: Varying) -> bool:
    """Whether the lanes go to the one address one by one."""
    if _verb(call) is None or len(call.arguments) != 2 or known.varies(call.arguments[0]):
        return False
    target = call.arguments[0].type
    pointee = target.pointee if isinstance(target, Pointer) else call.type
    if isinstance(pointee, Scalar) and pointee.kind in ("signed", "unsigned"):
        return pointee.bytes >= _WIDE and known.varies(call.arguments[1])
    return True


def _lanes(access: Access) -> str:
    """How many lanes take part; the most of them, where that is not the same for all requests."""
    active = sum(lane is not None for lane in access.worst_lanes)
    if access.data_dependent or access.active_lanes != active:
        return f"up to {_WARP}"
    return str(active)


def _finding(access: Access, call: e.Call, others: list[e.Call], kernel: str) -> Finding:
    shape = access.configuration
    threads = shape.block[0] * shape.block[1] * shape.block[2] if shape is not None else 0
    block = "all threads" if guessed(shape) else f"all {threads} threads"
    return RULE.finding(
        call.span,
        f"contended atomic: {_lanes(access)} lanes of a warp {_verb(call)} one address in {access.space}"
        " memory, one after the other",
        notes=(
            f"the address is the same for {block} of a block; the compiler puts the lanes of a warp together"
            " for 32-bit integers only",
            *standing(access),
        ),
        help="reduce in the warp first (`__shfl_down_sync`), or in the block, and let one lane do the atomic",
        kernel=kernel,
        evidence={
            "lanes": number(access.active_lanes),
            "threads": threads,
            "space": access.space,
            "bytes": access.bytes,
            "atomics": 1 + len(others),
        },
        related=tuple(
            Related(other.span, f"`{render(other)}` queues in the same way")
            for other in others[:_MOST_RELATED]
        ),
        confidence=Confidence.MEDIUM
        if access.data_dependent or guessed(access.configuration)
        else Confidence.HIGH,
    )
