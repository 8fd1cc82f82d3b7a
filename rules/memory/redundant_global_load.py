"""
## What it does
Finds loads in a loop with which several warps of a block request the same bytes of global memory in the same
iteration, four times per byte or more, where the kernel never writes the buffer: a matrix row that every row
of threads reads again, a list that every thread scans. The number is counted from the lane addresses of a
whole block; bytes that the lanes of one request share count once.

## Why it costs
Each of these requests goes through the L1 cache and waits for it. A tile that the block loads once into
shared memory is read with less latency, and leaves L1 to other data. From sm_70 on, L1 and shared memory are
one unit, which takes part of the gain; what is left was measured on an H200, with blocks of 256 threads
unless stated otherwise:

| loop | from global memory | from shared memory |
|---|---|---|
| C = AB, 4096 x 4096, blocks of 32 x 32 | 22.5 ms | 15.4 ms with both tiles |
| the same, blocks of 16 x 16 | 25.2 ms | 16.9 ms |
| C = AB with 32 columns of A, 32 x 32 | 2.81 ms | 2.23 ms |
| all pairs, 1 operation each | 3.98 ms | 1.54 ms |
| all pairs, 8 multiply-adds each | 8.47 ms | 6.13 ms |
| all pairs, 32 multiply-adds each | 21.4 ms | 19.3 ms |
| a table of 64 floats by all threads | .165 ms | .130 ms |
| a table of 16 floats by all threads | .067 ms | .071 ms |
| the nearest of 32 centres in 16 dimensions | .187 ms | .186 ms |
| 3 x 3 window of an image | .258 ms | .427 ms |
| 11 x 11 window of an image | 1.30 ms | 1.22 ms |
| all pairs, 1 difference each | .317 ms | .196 ms |
| the same and 1 `__sinf` each | .555 ms | .549 ms |
| the same and 2 `__sinf` each | 1.08 ms | 1.10 ms |
| two lists, a sine and a cosine for both | 1.63 ms | 1.63 ms |
| all pairs of `float4`, 1 `rsqrtf` each | 1.12 ms | .864 ms |

The rule therefore reports loops over at least 256 bytes with at most 64 operations per load. Nothing is
gained where the loop executes one special function (`__sinf`, a division) for every four bytes loaded, or
where other accesses in it are uncoalesced or touch new sectors in each iteration, as in the search for the
nearest centre. Overlapping windows (a stencil, a convolution) are not reported: L1 serves them as well as a
tile does, up to some hundred loads per byte.

## Example
```cuda
for (int k = 0; k < n; k++)
    sum += a[row * n + k] * b[k * n + column];  // block 32x32: each byte of b is loaded by 32 warps
```

## Instead
```cuda
__shared__ float ta[32][32], tb[32][32];
for (int k = 0; k < n; k += 32) {
    ta[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    tb[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int i = 0; i < 32; i++)
        sum += ta[threadIdx.y][i] * tb[i][threadIdx.x];
    __syncthreads();
}
```
For a product of large matrices a library (cuBLAS, CUTLASS) also uses the tensor cores.

## Limits
- Silent where the loop already reads shared memory, has lanes that leave it at different times (a tile needs
  a barrier that all threads reach), or calls code that may write the buffer.
- Silent where the address or the execution of the load depends on loaded data.
- Silent where CU101, CU103, CU104 or CU105 reports the access: the same tile fixes it.
- Silent where the loads are less than 10% of the kernel's sectors or otherwise not significant (see CU101).
- Loads repeated across iterations are not counted: the number is a lower bound.

## Source
000 section 9.2 (shared memory in a matrix product); 002 'Shared Memory'; 004 'Shared Memory'; timings on an
H200.
"""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.analyses.instructions import cost
from cudalint.analyses.kernel_queries import reachable
from cudalint.cuda.effects import is_long
from cudalint.cuda.maths import base, whole
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Scalar, Type
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import walk
from cudalint.rule.findings import Finding, Related
from cudalint.rule.related import repeated
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import on_shape
from cudalint.settings.severity import Severity
from cudalint.significance.excess import asked
from cudalint.significance.negligible import negligible
from cudalint.significance.thresholds import REREAD_BYTES, REREAD_OPERATIONS, REREAD_TIMES, SECTOR_SHARE
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.branches.branch import Branch
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.facts.rereads import Reread
from cudalint.simt.query.pattern import Pattern, classify, guessed, in_excess, never_run, number
from cudalint.source.span import Span

RULE = Rule(
    code="CU107",
    name="redundant-global-load",
    severity=Severity.WARNING,
    summary="the warps of a block load the same bytes of global memory repeatedly",
    guides=("000 9.2", "002", "004"),
)

_DOUBLE = 8  # bytes
_VERY_LONG = 4  # functions that a power, or a function in double precision, counts for
_WORD = 4  # bytes of a load that one function of single precision hides
_SECTOR = 32


class _Candidate(Struct, frozen=True):
    reread: Reread
    access: Access
    loop: s.Loop

    @property
    def span(self) -> Span:
        return self.access.span


def check(
    kernel: KernelFacts,
    rereads: tuple[Reread, ...],
    accesses: tuple[Access, ...],
    branches: tuple[Branch, ...],
    context: Context,
) -> Iterator[Finding]:
    """One finding for the kernel, at the load that repeats most."""
    repeated = {r.span: r for r in rereads if r.times >= REREAD_TIMES.value and r.span.path in context.lines}
    loads = [a for a in accesses if a.span in repeated and _is_candidate(a)]
    if not loads:
        return
    loops = _loops(context.unit, kernel.function)
    candidates = []
    for access in loads:
        loop = _innermost(loops, access.span)
        if loop is not None:
            candidates.append(_Candidate(repeated[access.span], access, loop))
    chosen = [
        candidate
        for candidate in candidates
        if not _takes_apart(candidate, loops) and _worth(candidate, candidates, kernel, context.unit)
    ]
    if asked(candidate.access for candidate in chosen) < SECTOR_SHARE.value:
        return
    places = (candidate.access for candidate in chosen)
    if not negligible(places, kernel, context.unit, context.host, context.device):
        yield _finding(chosen, kernel)


def _is_candidate(access: Access) -> bool:
    """Whether the load has a known step per iteration and no other rule reports its cause."""
    if (
        access.operation != "load"
        or access.space != "global"
        or access.element.volatile
        or access.basis.data_dependent
    ):
        return False
    if not access.layout.step_stride or never_run(access):
        return False
    return classify(access) in (Pattern.IDEAL, Pattern.MISALIGNED)


def _loops(unit: Unit, kernel: Function) -> list[s.Loop]:
    return [
        node
        for function in reachable(unit, kernel)
        for node in (walk(function.body) if function.body is not None else ())
        if isinstance(node, s.Loop)
    ]


def _innermost(loops: list[s.Loop], span: Span) -> s.Loop | None:
    around = [loop for loop in loops if loop.body.span.contains(span)]
    return max(around, key=lambda loop: (loop.span.line, loop.span.column), default=None)


def _takes_apart(candidate: _Candidate, loops: list[s.Loop]) -> bool:
    """Whether a loop around the load divides integers by loaded values: extents of a tensor."""
    return any(
        isinstance(node, e.Binary)
        and node.operator in ("/", "%")
        and whole(node.type)
        and _loaded(node.right)
        for loop in loops
        if loop.span.contains(candidate.access.span)
        for node in walk(loop.body)
    )


def _one_element(access: Access) -> bool:
    return access.layout.uniform or access.layout.lane_strides == (0,)


def _loaded(node: e.Expression) -> bool:
    while isinstance(node, e.Cast):
        node = node.operand
    return isinstance(node, e.Index | e.Dereference)


def _worth(candidate: _Candidate, candidates: list[_Candidate], kernel: KernelFacts, unit: Unit) -> bool:
    """Whether a tile in shared memory pays: see the page."""
    loop = candidate.loop
    if loop.condition is None or any(isinstance(part, s.Break | s.Return) for part in walk(loop.body)):
        return False
    called = _called(unit, loop)
    places = (loop.span, *(function.extent for function in called))
    inside = [a for a in kernel.accesses if any(place.contains(a.span) for place in places)]
    if any(a.space == "shared" or _streams(a, kernel) for a in inside):
        return False
    branch = next((b for b in kernel.branches if b.kind == "loop" and b.span == loop.condition.span), None)
    if branch is None or branch.divergence != "uniform" or branch.loop.trips is None:
        return False
    if (
        branch.loop.trips[1] * min(candidate.reread.bytes, abs(candidate.access.layout.step_stride or 0))
        < REREAD_BYTES.value
    ):
        return False
    loads = [other.access for other in candidates if other.loop is loop]
    bodies = (loop.body, *(function.body for function in called))
    if sum(map(_long, bodies)) >= sum(max(1, access.bytes // _WORD) for access in loads):
        return False
    return sum(map(cost, bodies)) <= REREAD_OPERATIONS.value * len(loads)


def _long(body: s.Statement | None) -> int:
    """How many special functions a body executes, or instructions that take as long."""
    functions = 0
    for node in walk(body) if body is not None else ():
        match node:
            case e.Call(name=name, type=type) if is_long(name.removeprefix("__").removeprefix("std::")):
                functions += _VERY_LONG if _double(type) or base(name.removeprefix("std::")) == "pow" else 1
            case (
                e.Binary(operator="/", right=right, type=type)
                | e.Assign(operator="/", value=right, type=type)
            ) if not isinstance(right, e.Literal) and not whole(type):
                functions += _VERY_LONG if _double(type) else 1
    return functions


def _double(type: Type) -> bool:
    return isinstance(type, Scalar) and type.kind == "float" and type.bytes == _DOUBLE


def _streams(access: Access, kernel: KernelFacts) -> bool:
    """Whether each iteration accesses new sectors of global memory, many of them, or unknown ones."""
    if access.space != "global" or access.span in {r.span for r in kernel.of(Reread)}:
        return False
    if access.transactions.per_request is None:
        return True
    if not _one_element(access) and abs(access.layout.step_stride or 0) >= _SECTOR:
        return True
    return in_excess(access.transactions) and classify(access) is not Pattern.MISALIGNED


def _called(unit: Unit, loop: s.Loop) -> list[Function]:
    """The functions that the loop calls, as far as their bodies are known."""
    keys = [node.key for node in walk(loop.body) if isinstance(node, e.Call) and node.key in unit.functions]
    return [unit.functions[key] for key in keys if key is not None]


def _finding(candidates: list[_Candidate], kernel: KernelFacts) -> Finding:
    worst = max(
        candidates,
        key=lambda candidate: (candidate.reread.times * candidate.access.bytes, -candidate.access.span.line),
    )
    reread, access, line = worst.reread, worst.access, worst.loop.span.line
    others = [candidate for candidate in candidates if candidate is not worst]
    times = number(reread.times)
    loads, note = _described(reread)
    return RULE.finding(
        access.span,
        f"redundant global load: {loads} in each iteration of the loop at line {line}",
        notes=(f"{note}, which the kernel never writes",),
        help="load a tile into shared memory once per block, then `__syncthreads()`, and read it from there",
        kernel=kernel.name,
        evidence={"times": times, "warps": reread.warps, "bytes": reread.bytes, "loop": line},
        related=(
            *repeated(
                others,
                lambda other: (
                    f"`{other.access.expression}`: each byte is loaded {number(other.reread.times)} times"
                ),
            ),
            *_broadcasts(candidates, worst.loop, kernel),
        ),
        standing=on_shape(reread.configuration),
    )


def _described(reread: Reread) -> tuple[str, str]:
    """Who loads what, and the note. Without a known launch, the number of warps is a typical block's."""
    times, what, shape = (
        number(reread.times),
        f"{reread.bytes} bytes of `{reread.buffer}`",
        reread.configuration,
    )
    if not guessed(shape):
        return (
            f"a block loads the same {what} {times} times",
            f"all {reread.warps} warps of the block load these bytes",
        )
    size = f"a block of {_size(shape.block)} threads"
    if times == reread.warps:
        return (
            f"each warp of a block loads the same {what}",
            f"in {size} these are {times} loads of the same bytes",
        )
    return (
        f"{size} loads the same {what} {times} times",
        f"all {reread.warps} warps of such a block load these bytes",
    )


def _size(block: tuple[int, int, int]) -> str:
    return "x".join(str(side) for side in block if side > 1)


def _broadcasts(candidates: list[_Candidate], loop: s.Loop, kernel: KernelFacts) -> Iterator[Related]:
    """Other loads of the loop that fetch one element for many lanes, and the next one in the next iteration:
    the same sector is requested again until all of it is used.
    """
    reported = {candidate.access.span for candidate in candidates}
    for access in kernel.accesses:
        step = abs(access.layout.step_stride or 0)
        if access.operation != "load" or access.space != "global" or access.span in reported:
            continue
        if loop.span.contains(access.span) and _one_element(access) and 0 < step < _SECTOR:
            text = f"`{access.expression}`: {access.bytes} of a sector's {_SECTOR} bytes per request"
            yield Related(access.span, f"{text}, the next {step} in the next iteration")
