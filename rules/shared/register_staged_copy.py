"""
## What it does
Finds copies from global to shared memory through a register, `tile[t] = in[i]`, in code for sm_80 and later,
where the hardware copies asynchronously.

## Why it costs
A plain copy is a load into a register, a wait for it, and a store. `memcpy_async` (cp.async, LDGSTS) writes
to shared memory directly: the thread continues meanwhile, no register is needed, and copies of 16 bytes per
thread bypass L1. It pays most where the next tile is copied while the current one is processed.

## Example
```cuda
tile[threadIdx.x] = in[i];
__syncthreads();
```

## Instead
```cuda
__pipeline_memcpy_async(&tile[threadIdx.x], &in[i], sizeof(float));
__pipeline_commit();
__pipeline_wait_prior(0);
__syncthreads();
```

## Limits
- Opt-in: a single tile that is waited for immediately gains little.
- Reported only where one assignment stores an unconverted element of 4, 8 or 16 bytes: the instruction
  supports no other sizes and converts nothing.
- Silent below sm_80, with fewer than 8 active lanes, and where the addresses are not known.
- One finding for each kernel, at its first copy.

## Source
000 'Asynchronous copy from global to shared memory' (LDGSTS).
"""

from collections.abc import Iterator

from cudalint.analyses.kernel_queries import reachable
from cudalint.ir import expressions as e
from cudalint.ir.walk import find
from cudalint.rule.findings import Finding
from cudalint.rule.related import repeated
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import Standing
from cudalint.settings.severity import Severity
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.pattern import FEW_LANES, guessed, never_run
from cudalint.source.span import Span

RULE = Rule(
    code="CU205",
    name="register-staged-copy",
    severity=Severity.NOTE,
    summary="a copy from global to shared memory goes through a register",
    default=False,
    guides=("000",),
)

_SINCE = 80
_WIDTHS = (4, 8, 16)


def check(kernel: KernelFacts, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """One finding for each kernel with such copies."""
    if context.arch < _SINCE:
        return
    stores = _places(kernel, "shared", "store")
    loads = _places(kernel, "global", "load")
    copies: dict[Span, e.Assign] = {}
    for function in reachable(context.unit, kernel.function) if stores and loads else ():
        for node in find(function.body, e.Assign):
            if node.span.path in context.lines and _copies(node, stores, loads):
                copies.setdefault(node.span, node)
    if copies:
        yield _finding(tuple(copies.values()), kernel, stores)


def _places(kernel: KernelFacts, space: str, operation: str) -> dict[Span, Access]:
    """The accesses of that kind whose addresses are known, by span."""
    return {
        access.span: access
        for access in kernel.accesses
        if access.space == space
        and access.operation == operation
        and access.transactions.certainty != "unknown"
        and not access.basis.made_up
        and not access.element.volatile
        and not never_run(access)
        and access.lanes.active >= FEW_LANES
    }


def _copies(node: e.Assign, stores: dict[Span, Access], loads: dict[Span, Access]) -> bool:
    value = node.value
    while isinstance(value, e.Cast) and value.type == value.operand.type:
        value = value.operand
    if node.operator is not None or not isinstance(value, e.Index | e.Dereference | e.Member):
        return False
    if value.type != node.target.type or value.type.bytes not in _WIDTHS:
        return False
    return node.target.span in stores and value.span in loads


def _finding(copies: tuple[e.Assign, ...], kernel: KernelFacts, stores: dict[Span, Access]) -> Finding:
    first = copies[0]
    size = first.target.type.bytes
    count = f"; {len(copies) - 1} more in this kernel" if len(copies) > 1 else ""
    return RULE.finding(
        first.span,
        f"{size} bytes per thread are copied from global to shared memory through a register{count}",
        notes=("since sm_80 the copy can be asynchronous, without a register",),
        help=f"use `__pipeline_memcpy_async` or `cuda::memcpy_async` of {size} bytes, then wait for it",
        kernel=kernel.name,
        evidence={"bytes": size, "copies": len(copies)},
        related=repeated(copies[1:], "same pattern"),
        standing=Standing(sure=not guessed(stores[first.target.span].configuration)),
    )
