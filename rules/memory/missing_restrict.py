"""
## What it does
Finds pointer parameters that a kernel only reads, without `__restrict__`, where a loop loads through them and
stores through another pointer or waits at a barrier: the loads wait for the stores and the barriers, and what
every iteration loads from one address is loaded again. Only the author can make the promise.

## Why it costs
The compiler must assume that the store, or another thread at the barrier, changes what the next iteration
loads, so it keeps their order: the loads of each iteration wait until those of the previous one have
returned. With `__restrict__` it moves the loads of four iterations ahead of their stores and barriers, and a
value that two iterations use is loaded once. Measured on an H200, for a loop over the rows of a matrix with
one thread per column: 1.62 ms become .24 ms with 16,384 threads, .46 ms become .14 ms with 65,536, and .18 ms
become .15 ms with a million, which hide the latency anyway.

For a loop that stages 500 rows in shared memory between two barriers, on an H100:

| blocks x threads | plain | `__restrict__` |
|---|---|---|
| 132 x 128 | .098 ms | .040 ms |
| 1,056 x 256 | .135 ms | .090 ms |
| 8,448 x 1,024 | 4.35 ms | 2.59 ms |

There the rows lie in caches. Where the loop only loads one value again, 1% to 15% are saved; nothing where it
waits for the bandwidth of device memory.

## Example
```cuda
__global__ void scale(const float *in, float *out, int columns, int rows)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; j < rows; j++)
        out[j * columns + i] = 2.0f * in[j * columns + i];
}
```

## Instead
```cuda
__global__ void scale(const float *__restrict__ in, float *__restrict__ out, int columns, int rows)
```
This promises that nothing the kernel writes is read through the parameter: only where no launch passes
overlapping memory.

## Limits
- Silent where either pointer already has `__restrict__` (with a barrier, the one that is read), and where a
  launch passes one place of a buffer for both. Parts of a buffer at unknown places are a condition.
- In loops that the compiler does not unroll (with a grid stride or an inner loop), only loads count whose
  address the loop does not change, and no branch leaves out.
- Silent for loops with atomics, fences, or barriers of cooperative groups; for what is loaded again outside
  of loops; for pointers in structs and arrays of the program.
- The impact begins at 0: many threads hide waits.
- The fix is unsafe: other files may pass overlapping memory.

## Source
000 (`__restrict__` and the read-only cache); timings on an H200 and an H100; the machine code that nvcc 13.0
generates for 20 loops with barriers.
"""

import re
from collections.abc import Container, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from cudalint.analyses.kernel_queries import lvalues
from cudalint.analyses.private_objects import is_private
from cudalint.analyses.seen_through import inlined
from cudalint.analyses.trip_counts import constant_trips, counter, side_by_side, unrolled
from cudalint.analyses.updates import Sources, changed_in, stays, touches_nothing
from cudalint.cuda import effects
from cudalint.host.aliases import one_buffer, one_place
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.types import Pointer
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, find, walk
from cudalint.rule.findings import Edit, Finding, Fix, Related
from cudalint.rule.related import at_spans
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis, Impact
from cudalint.significance.saving import Removed, Saving
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.source.span import Span

RULE = Rule(
    code="CU110",
    name="missing-restrict",
    severity=Severity.NOTE,
    summary="a loop orders loads through a read-only parameter that lacks `__restrict__`",
    fixes=("unsafe",),
    guides=("000",),
    speed=True,
    made=False,
)

_BARRIERS = effects.BLOCK_BARRIERS | effects.WARP_BARRIERS
_KEPT = 32  # values that a thread keeps in registers for the next iteration
_DECLARATION = re.compile(r"[^()\[\]]*\*\s*(?:const\s+)?(\w+)")


class _Loop(Struct, frozen=True):
    """A loop whose stores or barriers order its loads. apart: parameters for which launches pass parts of one
    buffer, by name.
    """

    loop: s.Loop
    loads: dict[int, list[e.Expression]]  # by the parameter that they go through
    same: frozenset[Span]  # those of them whose address the loop does not change
    order: e.Expression  # a store that may alias them, else a barrier
    apart: frozenset[tuple[str, str]]

    @property
    def waits(self) -> bool:
        """Whether barriers alone order the loads."""
        return isinstance(self.order, e.Call)


def check(kernel: KernelFacts, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """One finding per kernel, at the first such parameter."""
    function = kernel.function
    readable = _readable(function, accesses)
    if not readable or function.body is None or function.extent.path not in context.lines:
        return
    made = {a.span: a for a in accesses if a.space == "global"}
    buffers = {a.buffer for a in accesses if a.operation != "load"}
    written = [p for p in function.parameters if p.name in buffers]
    seen = inlined(context.unit, function)
    sources = Sources(seen)
    places = lvalues(seen.body) if seen.body is not None else ()
    stored = {sources.of(place)[0] for place, operation in places if operation != "load"}
    readable = {number: one for number, one in readable.items() if one not in stored}
    loops = [
        aliasing
        for loop in find(seen.body, s.Loop)
        if _is_plain(loop, function, context.unit)
        if (aliasing := _look(loop, readable, written, sources, made.keys(), kernel, context)) is not None
    ]
    if loops:
        impact = context.impact(_saving(loops, made), kernel)
        yield _finding(loops, readable, kernel, context, replace(impact, low=0.0))


def _readable(function: Function, accesses: tuple[Access, ...]) -> dict[int, e.Variable]:
    """The pointer parameters that the kernel only reads and that promise nothing."""
    written = {a.buffer for a in accesses if a.operation != "load"}
    lost = any(a.operation != "load" and not a.buffer for a in accesses)
    return {
        p.id: p
        for p in function.parameters
        if isinstance(p.type, Pointer) and not p.type.restrict and not p.type.volatile
        if p.name not in written and (p.type.const or not lost)
    }


def _saving(loops: list[_Loop], made: dict[Span, Access]) -> Saving:
    """Loads from one address are made once, and L1 has served them; of the others those of some iterations
    are under way at once.
    """
    loads = {
        load.span: aliasing for aliasing in loops for through in aliasing.loads.values() for load in through
    }
    again = tuple(Removed(made[span], 1.0, again="block") for span, one in loads.items() if span in one.same)
    waits = tuple(
        Removed(made[span], 1 - 1 / side_by_side(one.loop))
        for span, one in loads.items()
        if span not in one.same
    )
    return Saving(Basis.LATENCY if waits else Basis.SECTORS, removed=again, waits=waits)


def _is_plain(node: Node, kernel: Function, unit: Unit, depth: int = 3) -> bool:
    """Whether nothing below it orders its accesses besides their addresses and barriers. A function of the
    file may change objects of the thread's own.
    """
    for part in walk(node):
        if isinstance(part, s.Opaque):
            return False
        if not isinstance(part, e.Call) or (part.receiver is None and _keeps(part.name)):
            continue
        called = unit.defined(part.key)
        if called is None or called.body is None or not depth:
            return False
        if not all(is_private(unit, kernel, lvalue) for lvalue, _ in lvalues(called.body)):
            return False
        if not _is_plain(called.body, kernel, unit, depth - 1):
            return False
    return True


def _keeps(name: str) -> bool:
    return touches_nothing(name) or name in _BARRIERS


def _barrier(loop: s.Loop) -> e.Call | None:
    """The first of the loop."""
    return next((node for node in find(loop, e.Call) if node.name in _BARRIERS), None)


def _unrolls(loop: s.Loop) -> bool:
    """Whether the compiler may interleave several iterations: a constant step, nothing that leaves it, and no
    pragma that forbids it.
    """
    if loop.unroll == 1:
        return False
    steps = find(loop.step, e.Assign)
    return any(map(_is_constant, steps)) and not find(loop.body, s.Loop, s.Break, s.Return)


def _is_constant(step: e.Assign) -> bool:
    """Whether it moves a counter on by a constant."""
    value = step.value if step.operator in ("+", "-") else None
    while isinstance(value, e.Cast):
        value = value.operand
    return isinstance(value, e.Literal)


def _look(
    loop: s.Loop,
    readable: Mapping[int, e.Variable],
    written: Sequence[e.Variable],
    sources: Sources,
    made: Container[Span],
    kernel: KernelFacts,
    context: Context,
) -> _Loop | None:
    """The loads of a loop through those parameters, where it stores through another pointer or waits."""
    loads: dict[int, list[e.Expression]] = {}
    stores: list[e.Expression] = []
    for lvalue, operation in lvalues(loop.body):
        root, restricted = sources.of(lvalue)
        if root is None or lvalue.span not in made or restricted:
            continue
        if operation == "load" and root.id in readable:
            loads.setdefault(root.id, []).append(lvalue)
        elif operation == "store" and root.storage in ("parameter", "device", "managed"):
            stores.append(lvalue)
    order = stores[0] if stores else _barrier(loop)
    if order is None:
        return None
    changed, always = changed_in(loop) - _written_out(loop.body), _always(loop.body)
    same = {
        load.span
        for through in loads.values()
        for load in through
        if id(load) in always and stays(load, changed)
    }
    kept: dict[int, list[e.Expression]] = {}
    apart: set[tuple[str, str]] = set()
    for number, through in loads.items():
        pairs = [(readable[number], other) for other in written]
        own = through if _unrolls(loop) else [load for load in through if load.span in same]
        if own and not any(one_place(kernel.function, pair, context.host) for pair in pairs):
            kept[number] = own
            apart |= {
                (one.name, other.name)
                for one, other in pairs
                if one_buffer(kernel.function, (one, other), context.host)
            }
    return _Loop(loop, kept, frozenset(same), order, frozenset(apart)) if kept else None


def _always(body: s.Statement) -> set[int]:
    """The memory that every iteration accesses, by identity: of the statements of the loop itself and of the
    loops in it that are written out.
    """
    parts = _parts(body)
    plain = (part for part in parts if isinstance(part, s.Evaluate | s.Declare))
    chosen = (e.Conditional,)
    found = {
        id(lvalue)
        for part in plain
        if not any(isinstance(node, chosen) for node in walk(part))
        for lvalue, _ in lvalues(part)
    }
    return found.union(*(_always(part.body) for part in parts if isinstance(part, s.Loop) and unrolled(part)))


def _parts(body: s.Statement) -> tuple[s.Statement, ...]:
    """The statements one after the other, those of blocks in it among them."""
    if not isinstance(body, s.Block):
        return (body,)
    return tuple(part for one in body.body for part in _parts(one))


def _written_out(body: s.Statement, times: int = 1) -> set[int]:
    """The counters of the loops that are written out, so that each iteration has the same places of its own,
    and no more than registers hold.
    """
    found: set[int] = set()
    for part in _parts(body):
        if isinstance(part, s.Loop) and unrolled(part) and (count := counter(part)) is not None:
            each = times * (constant_trips(part) or 1)
            if each <= _KEPT:
                found |= {count.variable.variable.id} | _written_out(part.body, each)
    return found


def _finding(
    loops: list[_Loop],
    readable: dict[int, e.Variable],
    kernel: KernelFacts,
    context: Context,
    impact: Impact,
) -> Finding:
    chosen = [p for number, p in readable.items() if any(number in aliasing.loads for aliasing in loops)]
    first = next(aliasing for aliasing in loops if chosen[0].id in aliasing.loads)
    spans = {load.span for aliasing in loops for loads in aliasing.loads.values() for load in loads}
    same = spans & frozenset().union(*(aliasing.same for aliasing in loops))
    names = ", ".join(f"`{p.name}`" for p in chosen)
    line = first.loop.span.line
    edits = tuple(edit for p in chosen if (edit := _edit(p, context)) is not None)
    apart = sorted(frozenset().union(*(aliasing.apart for aliasing in loops)))
    return RULE.finding(
        chosen[0].span,
        f"{names} {'are' if len(chosen) > 1 else 'is'} read-only but not `__restrict__`:"
        f" {_what(len(spans), len(same), first.waits)}",
        notes=(_why(first),),
        help="declare read-only parameters `const` and `__restrict__` if no launch passes overlapping memory"
        + (", or load what does not change before the loop" if same else ""),
        kernel=kernel.name,
        evidence={"parameters": len(chosen), "loads": len(spans), "same": len(same), "loop": line},
        impact=impact,
        condition=f"`{apart[0][0]}` and `{apart[0][1]}` do not overlap" if apart else None,
        related=(
            *at_spans(sorted(spans, key=lambda span: (span.line, span.column)), "loaded here"),
            Related(first.order.span, "barrier here" if first.waits else "stored here"),
        ),
        fix=Fix(edits, safe=False) if len(edits) == len(chosen) else None,
    )


def _why(aliasing: _Loop) -> str:
    """What the compiler must assume."""
    line = aliasing.loop.span.line
    if aliasing.waits:
        return f"for the compiler, other threads may change it at the barrier in the loop at line {line}"
    return f"the store to `{render(aliasing.order)}` in the loop at line {line} may alias what is loaded"


def _what(loads: int, same: int, waits: bool) -> str:
    """What the loads do, and those from an address that stays. waits: barriers order them."""
    if same == loads:
        return (
            "a load in a loop, always of one address, is made in every iteration"
            if loads == 1
            else f"{loads} loads in a loop, each always of one address, are made in every iteration"
        )
    wait = f"{loads} loads in a loop wait" if loads > 1 else "a load in a loop waits"
    return f"{wait} for the {'barriers' if waits else 'stores'} of the previous iteration"


def _edit(parameter: e.Variable, context: Context) -> Edit | None:
    """Inserts `__restrict__` before the name of a plainly declared parameter that points to const."""
    span = parameter.span
    match = _DECLARATION.fullmatch(context.text(span)) if span.line == span.end_line else None
    if match is None or match[1] != parameter.name:
        return None
    if not isinstance(parameter.type, Pointer) or not parameter.type.const:
        return None
    column = span.column + match.start(1)
    return Edit(Span(span.path, span.line, column, span.line, column), "__restrict__ ")
