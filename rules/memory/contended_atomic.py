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
old value is used, and for exchanges and compare-and-swap, which cannot be put together. Where data decides
which lanes take part, 32 is the most.

## Source
001 'Atomic Functions' (conflicting accesses to one address are serialized); the instructions that nvcc 13.0
makes of 30 kernels for sm_75, sm_80 and sm_90; timings on an H200.
"""

from collections.abc import Container, Iterator

from cudalint.findings import Confidence, Finding, Severity
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.source import Span
from cudalint.ir.types import Pointer, Scalar
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import walk
from cudalint.rule import Context, Rule
from cudalint.simt.facts import Access, KernelFacts
from cudalint.simt.pattern import FEW_LANES, guessed, never_run, number, standing
from cudalint.simt.static import reachable
from cudalint.simt.varying import Varying, varying

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


def check(kernel: KernelFacts, context: Context) -> Iterator[Finding]:
    """One finding for each such call."""
    contended = {access.span: access for access in kernel.accesses if _contended(access)}
    if not contended:
        return
    known = varying(context.unit, kernel.function)
    for call in _statements(context.unit, kernel.function, contended.keys()):
        if _queues(call, known) and call.span.path in context.lines:
            yield _finding(contended[call.span], call, kernel.name)


def _contended(access: Access) -> bool:
    """Whether every request that was seen has one address and enough lanes."""
    if access.operation != "atomic" or access.space not in ("global", "shared"):
        return False
    return access.uniform and access.active_lanes >= FEW_LANES and not never_run(access)


def _statements(unit: Unit, kernel: Function, spans: Container[Span]) -> Iterator[e.Call]:
    """The atomic calls at those places whose result nobody uses."""
    for function in reachable(unit, kernel):
        for node in walk(function.body) if function.body is not None else ():
            if isinstance(node, s.Evaluate):
                value = node.expression
                while isinstance(value, e.Cast):
                    value = value.operand
                if isinstance(value, e.Call) and value.span in spans:
                    yield value


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


def _finding(access: Access, call: e.Call, kernel: str) -> Finding:
    lanes = number(access.active_lanes)
    most = "up to 32" if access.data_dependent else str(round(lanes))
    shape = access.configuration
    threads = shape.block[0] * shape.block[1] * shape.block[2] if shape is not None else 0
    return RULE.finding(
        call.span,
        f"contended atomic: {most} lanes of a warp {_verb(call)} one address in {access.space} memory, one"
        " after the other",
        notes=(
            f"the address is the same for all {threads} threads of a block; the compiler puts the lanes of a"
            " warp together for 32-bit integers only",
            *standing(access),
        ),
        help="reduce in the warp first (`__shfl_down_sync`), or in the block, and let one lane do the atomic",
        kernel=kernel,
        evidence={"lanes": lanes, "threads": threads, "space": access.space, "bytes": access.bytes},
        confidence=Confidence.MEDIUM
        if access.data_dependent or guessed(access.configuration)
        else Confidence.HIGH,
    )
