"""
## What it does
Finds shared-memory accesses where lanes of a warp need different words of the same bank.

## Why it costs
Shared memory has 32 banks of 4 bytes. One wavefront serves one word of each bank, however many lanes want
that word. When n different words are in one bank, the request takes n wavefronts. The column of a 32x32 float
tile is in one bank: 32 wavefronts instead of 1.

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
An odd number of elements between neighbouring lanes never conflicts, for elements of 4, 8 or 16 bytes. Where
padding takes too much memory, swap the indices or swizzle them (`column ^ row`).

## Limits
- Silent where addresses depend on unknown data, a two-dimensional block or a template argument is assumed,
  calls of one function differ, or some sizes tried do not reach the access.
- Silent where the excess is less than 5% of the kernel's sectors and wavefronts, with fewer than 8 active
  lanes, and where the compiler merges neighbouring elements into a wide access without conflict.
- Silent for atomics on one address, and for 2-way conflicts between rows of threads that no padding improves.
- The ways are those of the worst request, the wavefronts a mean.
- Silent for kernels that the file does not launch or time while it launches or times others.

## Source
000 section 9.2 (shared memory, C = A times its transpose); 001 'Shared memory'; 004 'Shared Memory: Bank
conflicts'.
"""

from collections.abc import Iterator

import numpy as np

from cudalint.analyses.static_shared import shared_variables
from cudalint.cuda.warp import WARP
from cudalint.ir.expressions import Variable
from cudalint.ir.types import Array, Type
from cudalint.rule.access_notes import confidence, same_pattern
from cudalint.rule.findings import Finding
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance import speedup_bound
from cudalint.significance.excess import wasted
from cudalint.significance.negligible import unmeasured
from cudalint.significance.thresholds import (
    CONFLICT_EXCESS,
    CONFLICT_SHARE,
    CONFLICT_SHARE_OF_GUESS,
    CONFLICT_SLIGHT,
)
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.pattern import (
    FEW_LANES,
    Site,
    amount,
    chosen_size,
    depends_on_sizes,
    evidence,
    guessed,
    guessed_rows,
    lowest,
    never_run,
    number,
    other_lines,
    shape_note,
)
from cudalint.simt.requests.transactions import ideal_wavefronts, wavefronts

RULE = Rule(
    code="CU201",
    name="bank-conflict",
    severity=Severity.WARNING,
    summary="lanes of a warp need different words of the same shared-memory bank",
    guides=("000 9.2", "001", "004"),
)


# Bounds further apart than this are too vague to report.
_WIDEST_RANGE = 2


_MOST_PADDING = 8  # elements per row
_BANKS = 32
_WORD = 4
_WIDEST = 16  # bytes of the widest access


def check(kernel: KernelFacts, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """One finding for each shared array and distance between lanes with conflicts."""
    if unmeasured(context.unit, kernel.function, context.host):
        return
    if chosen_size(kernel.function):
        return
    groups: dict[tuple[str, str | int, int | None], list[Access]] = {}
    for access in sorted(accesses, key=lambda a: (a.span.path, a.span.line, a.span.column)):
        if _conflicts(access) and not _may_merge(access, kernel) and not _calls_differ(access, kernel):
            array = access.buffer or access.span.line
            groups.setdefault((access.span.path, array, access.lane_stride), []).append(access)
    for group in groups.values():
        worst = max(group, key=_ways)
        if wasted(group) < (
            CONFLICT_SHARE_OF_GUESS.value if guessed(worst.configuration) else CONFLICT_SHARE.value
        ):
            continue
        pad = padding(worst, kernel, context)
        if pad is not None or not _slight(worst):
            yield _finding(worst, group, kernel, pad, context)


def _slight(access: Access) -> bool:
    """Whether two rows of threads overlap by a word or so: the price of a padding that is there for another
    access.
    """
    return _rows_meet(access) and _ways(access) <= CONFLICT_SLIGHT.value


def _conflicts(access: Access) -> bool:
    fewest, ideal = lowest(access.transactions), access.transactions.ideal
    if access.space != "shared" or access.data_dependent or fewest is None or not ideal:
        return False
    if never_run(access) or guessed_rows(access.configuration) or not _always_run(access):
        return False
    if access.active_lanes < FEW_LANES or (access.operation == "atomic" and access.uniform):
        return False
    if (access.transactions.upper or fewest) > _WIDEST_RANGE * fewest:
        return False  # it depends on what is passed more than on how the code is written
    return fewest >= max(ideal, _groups(access)) * CONFLICT_EXCESS.value


def _always_run(access: Access) -> bool:
    """Whether some shape reaches the access with all sizes tried: else some sizes do not fit, and the others
    need not be those that are passed.
    """
    return not access.trials or any(None not in trial.per_request for trial in access.trials)


def _calls_differ(access: Access, kernel: KernelFacts) -> bool:
    """Whether calls of the access's function have different numbers: then its own is a mean."""
    counts = {
        other.transactions.per_request
        for other in kernel.all_of(Access)
        if (other.span, other.operation) == (access.span, access.operation)
        and other.transactions.per_request is not None
    }
    return bool(counts) and max(counts) > min(counts) * CONFLICT_EXCESS.value


def _groups(access: Access) -> int:
    """How many groups of lanes the worst request has that are served one after the other."""
    if access.bytes <= _WORD or not access.worst_lanes:
        return 1
    size = WARP * _WORD // min(access.bytes, _WIDEST)
    lanes = access.worst_lanes
    served = sum(
        any(at is not None for at in lanes[first : first + size]) for first in range(0, len(lanes), size)
    )
    return served if served < WARP // size else 1


def _may_merge(access: Access, kernel: KernelFacts) -> bool:
    """Whether each lane uses 2 or 4 neighbouring elements, which the compiler merges into a wide access
    without conflict (seen in the SASS of nvcc 13 for sm_90, and in its counters).
    """
    return any(served <= ideal for _, served, ideal in _merged(access, kernel))


def _merged(access: Access, kernel: KernelFacts) -> Iterator[tuple[int, int, int]]:
    """(bytes, wavefronts, ideal) of each wide access that neighbouring elements may make of the worst
    request.
    """
    lanes = [at for at in access.worst_lanes if at is not None]
    for width in (4 * access.bytes, 2 * access.bytes):
        if width > _WIDEST or len(access.worst_lanes) != WARP or access.operation == "atomic":
            continue
        if len({at % width for at in lanes}) == 1 and _neighbours(access, kernel, width):
            yield width, *_counted(access, width)


def _neighbours(access: Access, kernel: KernelFacts, width: int) -> bool:
    """Whether each lane uses all elements of so many bytes, in a loop or in several accesses."""
    if 0 < abs(access.step_stride or 0) <= access.bytes:
        return True
    if abs(access.lane_stride or 0) != width:
        return False  # the model merges what is adjacent in the source
    like = (access.buffer, access.operation, access.lane_stride, access.bytes)
    starts = {
        other.worst_lanes[0] % width
        for other in kernel.accesses
        if (other.buffer, other.operation, other.lane_stride, other.bytes) == like
        and other.worst_lanes
        and other.worst_lanes[0] is not None
    }
    return starts == set(range(0, width, access.bytes))


def _counted(access: Access, width: int) -> tuple[int, int]:
    """The wavefronts of the worst request, and the ideal, if its lanes accessed so many bytes each."""
    addresses = np.array([[at or 0 for at in access.worst_lanes]], dtype=np.int64) // width * width
    active = np.array([[at is not None for at in access.worst_lanes]])
    store = access.operation == "store"
    served = wavefronts(addresses, active, width, store)
    return int(served[0]), int(ideal_wavefronts(addresses, active, width, store)[0])


def _ways(access: Access) -> float:
    return (access.transactions.per_request or 0.0) / (access.transactions.ideal or 1.0)


def _finding(
    access: Access,
    accesses: list[Access],
    kernel: KernelFacts,
    pad: tuple[str, int] | None,
    context: Context,
) -> Finding:
    site = Site(access, tuple(accesses))
    mean, most = round(_ways(access)), _most(access)
    ways = max(2, mean, most)
    wide = next(_merged(access, kernel), None)
    count = amount(access.transactions) if wide is None else number(access.transactions.per_request or 0.0)
    bound = speedup_bound.of_wavefronts(site, kernel, context.unit) if wide is None else None
    sizes = ", depends on sizes" if depends_on_sizes(access) else ""
    facts = {**evidence(access), **speedup_bound.facts(bound), "ways": ways}
    if pad is not None:
        facts["padding"] = pad[1]
    return RULE.finding(
        access.span,
        f"{'up to ' if most > mean else ''}{ways}-way bank conflict: {count} wavefronts per shared"
        f" {site.operation} (ideal {number(access.transactions.ideal or 0.0)}{sizes})",
        notes=(
            _reason(access),
            *_widened(wide),
            *speedup_bound.notes(bound),
            *other_lines(site),
            *shape_note(access),
        ),
        help=_help(access, pad, kernel, context),
        kernel=kernel.name,
        evidence=facts,
        related=same_pattern(site),
        confidence=confidence(access),
    )


def _most(access: Access) -> int:
    """How many ways the conflict of the worst request has; 0 where that is not known."""
    if len(access.worst_lanes) != WARP or access.operation == "atomic":
        return 0
    served, ideal = _counted(access, access.bytes)
    return round(served / max(1, ideal))


def _widened(wide: tuple[int, int, int] | None) -> tuple[str, ...]:
    """The note on a compiler that merges neighbouring elements into one access."""
    if wide is None:
        return ()
    width, served, ideal = wide
    return (
        f"if the compiler merges neighbouring elements into {width}-byte accesses: {served} wavefronts"
        f" (ideal {ideal})",
    )


def _rows_meet(access: Access) -> bool:
    """Whether lanes of one row of threads have no conflict, only different rows of a warp."""
    if not access.lane_stride:
        return False
    stride, unit = abs(access.lane_stride), max(access.bytes, _WORD)
    return stride <= unit or (stride % unit == 0 and stride // unit % 2 == 1)


def _reason(access: Access) -> str:
    if _rows_meet(access) and access.configuration is not None:
        row = access.configuration.block[0]
        return f"a warp covers {max(1, 32 // row)} rows of {row} threads, whose words are in the same banks"
    if access.lane_stride:
        words = number(abs(access.lane_stride) / _WORD)
        return (
            f"neighbouring lanes of `{access.expression}` are {words} words apart; shared memory has 32 banks"
        )
    return f"lanes of `{access.expression}` need different words of the same banks"


def _help(access: Access, pad: tuple[str, int] | None, kernel: KernelFacts, context: Context) -> str:
    if pad is not None:
        elements = f"{pad[1]} element{'s' if pad[1] > 1 else ''}"
        return f"pad the rows of `{pad[0]}` by {elements}, which removes this conflict"
    if _rows_meet(access):
        return "make blockDim.x a multiple of 32, or choose a row pitch that puts them in different banks"
    extra = spacing(access)
    if extra is not None:
        unit, apart = max(access.bytes, _WORD), abs(access.lane_stride or 0) + extra
        return (
            f"place neighbouring lanes {apart} bytes apart, {extra} more than now{_odd(apart, unit)}: this"
            f" removes the conflict{_interleaved(access, kernel)}"
        )
    if _array(access, kernel, context) is not None:  # no padding that was tried helps
        return "spread the lanes of a warp over the banks: swap indices, or swizzle the column"
    return "spread the lanes of a warp over the banks: swap indices, pad rows, or swizzle the column"


def _odd(apart: int, unit: int) -> str:
    return f" (an odd number of {unit}-byte words)" if apart % unit == 0 and apart // unit % 2 else ""


def _interleaved(access: Access, kernel: KernelFacts) -> str:
    """The alternative where all accesses to the array have the same lane stride."""
    distances = {abs(a.lane_stride or 0) for a in kernel.accesses if a.buffer == access.buffer}
    return (
        "; or let neighbouring lanes access neighbouring words"
        if access.buffer and len(distances) == 1
        else ""
    )


def spacing(access: Access) -> int | None:
    """The fewest extra bytes between neighbouring lanes that remove the conflict of the worst request, where
    its lanes are evenly spaced; None where they are not, or nothing helps.
    """
    stride = access.lane_stride
    if not stride or access.operation == "atomic" or len(access.worst_lanes) != WARP:
        return None
    places = [(lane, at) for lane, at in enumerate(access.worst_lanes) if at is not None]
    first, start = places[0]
    if any(at - start != (lane - first) * stride for lane, at in places):
        return None
    unit = max(access.bytes, _WORD)
    active = np.array([at is not None for at in access.worst_lanes])
    for extra in range(unit, _BANKS * _WORD + 1, unit):
        moved = np.arange(WARP, dtype=np.int64) * (abs(stride) + extra)
        if _is_free(moved, active, access):
            return extra
    return None


def _is_free(addresses: np.ndarray, active: np.ndarray, access: Access) -> bool:
    rows, on, store = addresses[None, :], active[None, :], access.operation == "store"
    served = wavefronts(rows, on, access.bytes, store)
    return bool(served[0] <= max(1, *ideal_wavefronts(rows, on, access.bytes, store)))


def padding(access: Access, kernel: KernelFacts, context: Context) -> tuple[str, int] | None:
    """(array, elements to add to each row) that removes the conflict of the worst request, or None.

    Of several paddings, the one with the fewest wavefronts over all accesses to the array; None where they
    are no fewer than now.
    """
    row = _array(access, kernel, context)
    if row is None:
        return None
    name, pitch, element = row
    whole = [a for a in kernel.accesses if a.space == "shared" and a.buffer == access.buffer]
    best: tuple[int, int] | None = None
    now = _total(whole, pitch, 0)
    for extra in range(1, _MOST_PADDING + 1):
        if any(extra * element % max(element, other.bytes) for other in whole):
            continue  # a vector would no longer be aligned
        if _passes(access, pitch, extra * element) != _fewest(access):
            continue
        total = _total(whole, pitch, extra * element)
        if total < now and (best is None or total < best[0]):
            best = total, extra
    return (name, best[1]) if best is not None else None


def _total(accesses: list[Access], pitch: int, extra: int) -> int:
    """Wavefronts of the worst requests of all accesses, as far as their lanes are known."""
    return sum(_passes(access, pitch, extra) or 0 for access in accesses)


def _array(access: Access, kernel: KernelFacts, context: Context) -> tuple[str, int, int] | None:
    """(name, bytes per row, bytes per element) of the shared array of an access; None for one row, and where
    the kernel has arrays of that name with different rows.
    """
    rows = {
        _row(variable)
        for variable in shared_variables(context.unit, kernel.function)
        if variable.name == access.buffer
    }
    row = rows.pop() if len(rows) == 1 else None
    return None if row is None else (access.buffer, *row)


def _row(variable: Variable) -> tuple[int, int] | None:
    """(bytes per row, bytes per element) of an array of two or more dimensions."""
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
    """Wavefronts of the worst request if every row of `pitch` bytes had `extra` more bytes."""
    if not pitch or len(access.worst_lanes) != 32:
        return None
    addresses = np.array([a or 0 for a in access.worst_lanes], dtype=np.int64)
    active = np.array([a is not None for a in access.worst_lanes])
    if (addresses < 0).any() or not active.any():
        return None
    moved = addresses + addresses // pitch * extra
    return int(wavefronts(moved[None, :], active[None, :], access.bytes)[0])


def _fewest(access: Access) -> int:
    """Wavefronts of a conflict-free request of this width."""
    return max(1, access.bytes // _WORD)
