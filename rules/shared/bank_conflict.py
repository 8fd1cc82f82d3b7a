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
Silent when addresses depend on data that the model does not know, below a tenth of excess passes, for
atomics on one address (they queue up for another reason), for requests of fewer than 8 lanes, where two rows
of threads only just overlap (2-way, and no padding is better), and where the shape of a two-dimensional
block is a guess. One finding for each array and distance between lanes in a kernel, at its worst access. The
padding that it names was tried on the worst request of every access of the kernel to that array: it removes
this conflict, and the passes of all of them together are fewer.

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
from cudalint.simt.pattern import (
    FEW_LANES,
    Site,
    also,
    amount,
    confidence,
    evidence,
    guessed_rows,
    lowest,
    more,
    never_run,
    number,
    standing,
)
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

# Bounds further apart than this say little.
_WIDEST_RANGE = 2

_MOST_PADDING = 8  # elements a row
_WORD = 4
_WIDEST = 16  # bytes of the widest access
_SLIGHT = 2.0  # ways


def check(kernel: KernelFacts, context: Context) -> Iterator[Finding]:
    """One finding for each shared array and distance between lanes with conflicts."""
    groups: dict[tuple[str, str | int, int | None], list[Access]] = {}
    for access in sorted(kernel.accesses, key=lambda a: (a.span.path, a.span.line, a.span.column)):
        if _conflicts(access) and not _may_merge(access, kernel):
            array = access.buffer or access.span.line
            groups.setdefault((access.span.path, array, access.lane_stride), []).append(access)
    for accesses in groups.values():
        worst = max(accesses, key=_ways)
        pad = padding(worst, kernel, context)
        if pad is not None or not _slight(worst):
            yield _finding(worst, accesses, kernel, pad)


def _slight(access: Access) -> bool:
    """Whether two rows of threads overlap by a word or so: the price of a padding that is there for another
    access.
    """
    return _rows_meet(access) and _ways(access) <= _SLIGHT


def _conflicts(access: Access) -> bool:
    fewest, ideal = lowest(access.transactions), access.transactions.ideal
    if access.space != "shared" or access.data_dependent or fewest is None or not ideal:
        return False
    if never_run(access) or guessed_rows(access.configuration):
        return False
    if access.active_lanes < FEW_LANES or (access.operation == "atomic" and access.uniform):
        return False
    if (access.transactions.upper or fewest) > _WIDEST_RANGE * fewest:
        return False  # it depends on what is passed more than on how the code is written
    return fewest >= ideal * _LEAST_EXCESS


def _may_merge(access: Access, kernel: KernelFacts) -> bool:
    """Whether each lane uses 2 or 4 neighbouring elements: the compiler makes one wide access of them (seen
    in the machine code of nvcc 13 for sm_90, and in its counters), and that has no conflict.
    """
    stride, size = access.lane_stride or 0, access.bytes
    if stride not in (2 * size, 4 * size) or stride > _WIDEST:
        return False
    if access.step_stride == size:
        return True
    like = (access.buffer, access.operation, stride, size)
    starts = {
        other.worst_lanes[0] % stride
        for other in kernel.accesses
        if (other.buffer, other.operation, other.lane_stride, other.bytes) == like
        and other.worst_lanes
        and other.worst_lanes[0] is not None
    }
    return starts == set(range(0, stride, size))


def _ways(access: Access) -> float:
    return (access.transactions.per_request or 0.0) / (access.transactions.ideal or 1.0)


def _finding(
    access: Access, accesses: list[Access], kernel: KernelFacts, pad: tuple[str, int] | None
) -> Finding:
    site = Site(access, tuple(accesses))
    ways = max(2, round(_ways(access)))
    facts = {**evidence(access), "ways": ways}
    if pad is not None:
        facts["padding"] = pad[1]
    return RULE.finding(
        access.span,
        f"{ways}-way bank conflict: {amount(access.transactions)} wavefronts a shared {site.operation}, ideal"
        f" {number(access.transactions.ideal or 0.0)}",
        notes=(_reason(access), *more(site), *standing(access)),
        help=_help(access, pad),
        kernel=kernel.name,
        evidence=facts,
        related=also(site),
        confidence=confidence(access),
    )


def _rows_meet(access: Access) -> bool:
    """Whether lanes use neighbouring words and conflict only because a warp holds several rows of threads."""
    return access.lane_stride is not None and 0 < abs(access.lane_stride) <= max(access.bytes, _WORD)


def _reason(access: Access) -> str:
    if _rows_meet(access) and access.configuration is not None:
        row = access.configuration.block[0]
        return (
            f"a warp holds {max(1, 32 // row)} rows of {row} threads, and their words lie in the same banks"
        )
    if access.lane_stride:
        words = number(abs(access.lane_stride) / _WORD)
        return f"neighbouring lanes of `{access.expression}` are {words} words apart, and there are 32 banks"
    return f"the lanes of `{access.expression}` need different words of the same banks"


def _help(access: Access, pad: tuple[str, int] | None) -> str:
    if pad is not None:
        elements = f"{pad[1]} element{'s' if pad[1] > 1 else ''}"
        return f"pad the rows of `{pad[0]}` by {elements}: this access then has no conflict"
    if _rows_meet(access):
        return (
            "make blockDim.x a multiple of 32, or choose a row pitch that puts a warp's rows in other banks"
        )
    if access.lane_stride and abs(access.lane_stride) > access.bytes:
        return "use an odd number of words between neighbouring lanes, or let them use neighbouring words"
    return "let the lanes of a warp use different banks: exchange indices, pad rows, or swizzle the column"


def padding(access: Access, kernel: KernelFacts, context: Context) -> tuple[str, int] | None:
    """(array, elements to add to each row) with which the worst request has no conflict, or None.

    Of several paddings, the one with the fewest passes of all accesses to the array; none at all when they
    are not fewer than now.
    """
    row = _array(access, context)
    if row is None:
        return None
    name, pitch, element = row
    whole = [a for a in kernel.accesses if a.space == "shared" and a.buffer == access.buffer]
    best: tuple[int, int] | None = None
    now = _total(whole, pitch, 0)
    for extra in range(1, _MOST_PADDING + 1):
        if _passes(access, pitch, extra * element) != _fewest(access):
            continue
        total = _total(whole, pitch, extra * element)
        if total < now and (best is None or total < best[0]):
            best = total, extra
    return (name, best[1]) if best is not None else None


def _total(accesses: list[Access], pitch: int, extra: int) -> int:
    """Passes of the worst requests of all accesses, as far as their lanes are known."""
    return sum(_passes(access, pitch, extra) or 0 for access in accesses)


def _array(access: Access, context: Context) -> tuple[str, int, int] | None:
    """(name, bytes a row, bytes an element) of the shared array behind an access; None for one row."""
    for variable in context.unit.variables.values():
        if variable.storage == "shared" and variable.name == access.buffer:
            row = _row(variable)
            if row is not None:
                return variable.name, *row
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
