"""
## What it does
Finds shared-memory accesses in which several lanes of a warp need different words of one bank.

## Why it costs
Shared memory has 32 banks of 4 bytes. A pass (a wavefront) serves one word of each bank, however many lanes
want that word. When n different words lie in one bank, the request takes n passes. The column of a 32 x 32
float tile lies in one bank: 32 passes instead of 1.

## Example
```cuda
__shared__ float tile[32][32];
out[i] = tile[threadIdx.x][threadIdx.y];  // 32-way
```

## Instead
```cuda
__shared__ float tile[32][33];
out[i] = tile[threadIdx.x][threadIdx.y];  // neighbouring rows start in different banks
```
An odd number of words between neighbouring lanes never conflicts. Where padding costs too much room,
exchange the indices or swizzle them (`column ^ row`).

## Limits
Silent when addresses depend on data that the model does not know, and below a tenth of excess passes. The
padding that it names was tried on the addresses of the request that it speaks of; other uses of the array
have to be looked at too.

## Source
000 section 9.2 (shared memory, C = A times its transpose); 001 'Shared memory'; 004 'Shared Memory: Bank
conflicts'.
"""

from collections.abc import Iterator

import numpy as np

from cudalint.findings import Finding, Severity
from cudalint.ir.expressions import Variable
from cudalint.ir.types import Array, Type
from cudalint.rule import Context, Rule
from cudalint.simt.facts import Access, KernelFacts
from cudalint.simt.pattern import amount, evidence, lowest, number, standing
from cudalint.simt.transactions import wavefronts

RULE = Rule(
    code="CU201",
    name="bank-conflict",
    severity=Severity.WARNING,
    summary="lanes of a warp need different words of one shared-memory bank",
    guides=("000 9.2", "001", "004"),
)

# Below this share of excess passes it is an edge of a tile, not the pattern of the access.
_LEAST_EXCESS = 1.1

_MOST_PADDING = 8  # elements a row
_WORD = 4


def check(kernel: KernelFacts, context: Context) -> Iterator[Finding]:
    """One finding for each shared array and line with conflicts."""
    groups: dict[tuple[str, int, str], list[Access]] = {}
    for access in kernel.accesses:
        if _conflicts(access):
            groups.setdefault((access.span.path, access.span.line, access.buffer), []).append(access)
    for accesses in groups.values():
        yield _finding(max(accesses, key=_ways), accesses, kernel.name, context)


def _conflicts(access: Access) -> bool:
    fewest, ideal = lowest(access.transactions), access.transactions.ideal
    if access.space != "shared" or access.data_dependent or fewest is None or not ideal:
        return False
    return fewest >= ideal * _LEAST_EXCESS


def _ways(access: Access) -> float:
    return (access.transactions.per_request or 0.0) / (access.transactions.ideal or 1.0)


def _finding(access: Access, accesses: list[Access], kernel: str, context: Context) -> Finding:
    ways = max(2, round(_ways(access)))
    operation = " and ".join(sorted({other.operation for other in accesses}))
    pad = padding(access, context)
    facts = {**evidence(access), "ways": ways}
    if pad is not None:
        facts["padding"] = pad[1]
    return RULE.finding(
        access.span,
        f"{ways}-way bank conflict: {amount(access.transactions)} wavefronts a shared {operation}, ideal"
        f" {number(access.transactions.ideal or 0.0)}",
        notes=(_reason(access), *standing(access)),
        help=_help(access, pad),
        kernel=kernel,
        evidence=facts,
    )


def _reason(access: Access) -> str:
    if access.lane_stride:
        words = number(abs(access.lane_stride) / _WORD)
        return f"neighbouring lanes of `{access.expression}` are {words} words apart, and there are 32 banks"
    return f"the lanes of `{access.expression}` need different words of the same banks"


def _help(access: Access, pad: tuple[str, int] | None) -> str:
    if pad is not None:
        elements = f"{pad[1]} element{'s' if pad[1] > 1 else ''}"
        return f"pad the rows of `{pad[0]}` by {elements}: this access then has no conflict"
    if access.lane_stride and abs(access.lane_stride) > access.bytes:
        return "use an odd number of words between neighbouring lanes, or let them use neighbouring words"
    return "let the lanes of a warp use different banks: exchange indices, pad rows, or swizzle the column"


def padding(access: Access, context: Context) -> tuple[str, int] | None:
    """(array, elements to add to each row) after which the worst request has no conflict, or None."""
    for variable in context.unit.variables.values():
        if variable.storage != "shared" or variable.name != access.buffer:
            continue
        row = _row(variable)
        if row is None:
            continue
        pitch, element = row
        for extra in range(1, _MOST_PADDING + 1):
            if _passes(access, pitch, extra * element) == _fewest(access):
                return variable.name, extra
    return None


def _row(variable: Variable) -> tuple[int, int] | None:
    """(bytes a row, bytes an element) of an array of two or more dimensions."""
    match variable.type:
        case Array(element=Array() as row):
            return row.bytes, _innermost(row).bytes
        case _:
            return None


def _innermost(type: Type) -> Type:
    while isinstance(type, Array):
        type = type.element
    return type


def _passes(access: Access, pitch: int, extra: int) -> int | None:
    """Wavefronts of the worst request if every row of `pitch` bytes had `extra` bytes more."""
    if not pitch or len(access.worst_lanes) != 32:
        return None
    addresses = np.array([a or 0 for a in access.worst_lanes], dtype=np.int64)
    active = np.array([a is not None for a in access.worst_lanes])
    if (addresses < 0).any() or not active.any():
        return None
    moved = addresses + addresses // pitch * extra
    return int(wavefronts(moved[None, :], active[None, :], access.bytes)[0])


def _fewest(access: Access) -> int:
    """Passes of a conflict-free request of this width."""
    return max(1, access.bytes // _WORD)
