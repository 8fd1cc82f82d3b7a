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
- Where addresses depend on loaded data, one finding for the kernel gives the highest cost; its impact begins
  at 0.
- Silent where a two-dimensional block is assumed, calls of one function differ, some
  sizes tried do not reach the access, and where the number depends most on the sizes tried.
- Silent where the compiler merges neighbouring elements into a wide access without conflict, for atomics on
  one address, and for atomics at addresses that depend on data.
- Where nothing names a template argument, the condition says what was assumed.
- The ways are those of the worst request, the wavefronts a mean.

## Source
000 section 9.2 (shared memory, C = A times its transpose); 001 'Shared memory'; 004 'Shared Memory: Bank
conflicts'.
"""

from collections.abc import Collection, Iterator

from cudalint.analyses.few_values import few_values
from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.lane_ranks import are_ranks
from cudalint.analyses.origin import origins
from cudalint.analyses.static_shared import most_wavefronts, shared_rows
from cudalint.cuda.warp import WARP
from cudalint.ir import expressions as e
from cudalint.ir.types import Pointer
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find
from cudalint.rule.findings import Finding
from cudalint.rule.related import repeated, same_pattern
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import on_access
from cudalint.rule.texts import listed
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis
from cudalint.significance.saving import Saving
from cudalint.significance.thresholds import CONFLICT_EXCESS
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.accesses.merge import MISFIT
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.bank_conflicts import Merged, groups, merged, padding, rows_meet, spacing, worst_ways
from cudalint.simt.query.pattern import (
    Site,
    amount,
    chosen,
    depends_on_sizes,
    evidence,
    guessed_rows,
    lowest,
    number,
    place,
)
from cudalint.simt.requests.transactions import BANK_BYTES
from cudalint.source.span import Span

RULE = Rule(
    code="CU201",
    name="bank-conflict",
    severity=Severity.WARNING,
    summary="lanes of a warp need different words of the same shared-memory bank",
    guides=("000 9.2", "001", "004"),
    speed=True,
)

# Bounds further apart than this are too vague to report.
_WIDEST_RANGE = 2
_ROW = WARP * BANK_BYTES  # bytes of a word of each bank


def check(kernel: KernelFacts, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """One finding for each shared array and distance between lanes with conflicts; one for the kernel where
    data decides.
    """
    groups: dict[tuple[str, str | int, int | None], list[Access]] = {}
    for access in sorted(accesses, key=place):
        if _conflicts(access) and not _merges(access, kernel) and not _calls_differ(access, kernel):
            array = access.buffer or access.span.line
            groups.setdefault((access.span.path, array, access.layout.lane_stride), []).append(access)
    for group in groups.values():
        worst = max(group, key=_ways)
        rows = shared_rows(context.unit, kernel.function, worst.buffer)
        pad = padding(worst, kernel.accesses, *rows) if rows is not None else None
        yield _finding(worst, group, kernel, pad, context)
    yield from _by_data(kernel, accesses, context)


def _merges(access: Access, kernel: KernelFacts) -> bool:
    """Whether the compiler may merge it into wide accesses without conflict."""
    return any(wide.wavefronts <= wide.ideal for wide in merged(access, kernel.accesses))


def _conflicts(access: Access) -> bool:
    fewest, ideal = lowest(access.transactions), access.transactions.ideal
    if access.space != "shared" or access.basis.made_up or fewest is None or not ideal:
        return False
    if guessed_rows(access.configuration) or not _always_run(access) or access.lanes.active < 2:
        return False
    if access.operation == "atomic" and access.layout.uniform:
        return False
    if access.basis.data_dependent:  # which lanes are active: those that are show how they conflict
        fewest = access.transactions.per_request or 0.0
    elif (access.transactions.upper or fewest) > _WIDEST_RANGE * fewest:
        return False  # it depends on what is passed more than on how the code is written
    return fewest >= max(ideal, groups(access)) * CONFLICT_EXCESS.value


def _by_data(kernel: KernelFacts, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """The finding on all loads and stores at indices that come from loaded data."""
    unknown = {
        access.span: access
        for access in accesses
        if _index_is_data(access) and access.span.path in context.lines
    }
    ways = _ways_by_data(context.unit, kernel.function, unknown) if unknown else {}
    unknown = {span: access for span, access in unknown.items() if ways.get(span, WARP) > 1}
    sources = {
        span: (access, loads)
        for span, access in unknown.items()
        if (loads := _loads(access, kernel, context))
    }
    if not sources:
        return
    worst, loads = max(sources.values(), key=lambda one: one[0].weight.share)
    group = tuple(access for access, _ in sources.values())
    most = min(ways.get(worst.span, WARP), worst.lanes.most)
    impact = context.impact(Saving(Basis.WAVEFRONTS, excess=group), kernel)
    ideal = max(1, worst.bytes // BANK_BYTES)
    others = [access for access in group if access is not worst]
    yield RULE.finding(
        worst.span,
        f"bank conflicts that depend on data: up to {most} wavefronts per shared {worst.operation}"
        f" (ideal {ideal}): {listed(loads)} {'is' if len(loads) == 1 else 'are'} loaded",
        notes=("1 wavefront where the lanes need different banks, or one word",),
        help="renumber the data so that the lanes of a warp need different banks, or keep what they share in"
        " registers and exchange it by shuffles",
        kernel=kernel.name,
        evidence={"most": most, "ideal": ideal, "bytes": worst.bytes},
        impact=impact,
        condition=", ".join(filter(None, ("the lanes of a warp need one bank", chosen(kernel.function)))),
        related=repeated(others, lambda a: f"{a.operation} of `{a.expression}`"),
        standing=on_access(worst),
    )


def _index_is_data(access: Access) -> bool:
    """Whether loaded data decides where in shared memory a load or store goes."""
    if access.space != "shared" or access.operation == "atomic" or access.lanes.most < 2:
        return False
    unknown = access.transactions.certainty == "unknown" and access.basis.unknown != MISFIT
    return access.basis.made_up or (unknown and access.basis.data_dependent)


def _ways_by_data(unit: Unit, kernel: Function, places: Collection[Span]) -> dict[Span, int]:
    """The most wavefronts that a request can take whose index has few values, or whose array few elements:
    one where each element has banks of its own.
    """
    found: dict[Span, int] = {}
    for function in reachable(unit, kernel):
        for node in find(function.body, e.Index):
            if node.span in places:
                values = few_values(node.index) if isinstance(node.base, e.VariableReference) else None
                few = -(-values * node.type.bytes // _ROW) if values is not None else WARP
                few = few if any(_is_loaded(unit, kernel, one) for one in _bank_indices(node)) else 1
                found[node.span] = min(WARP, few, most_wavefronts(node, _ROW) or WARP)
    return found


def _bank_indices(node: e.Expression) -> Iterator[e.Expression]:
    """The indices of an element that decide on its bank: not those of rows that take all banks."""
    while isinstance(node, e.Index):
        if node.type.bytes % _ROW:
            yield node.index
        node = node.base
        if isinstance(node.type, Pointer):
            break
    if not isinstance(node, e.VariableReference) or isinstance(node.type, Pointer):
        yield node


def _is_loaded(unit: Unit, kernel: Function, index: e.Expression) -> bool:
    return bool(origins(unit, kernel, index.span, "value"))


def _loads(access: Access, kernel: KernelFacts, context: Context) -> list[str]:
    """The loads that the address comes from; none where lanes count themselves."""
    places = origins(context.unit, kernel.function, access.span, "address")
    if are_ranks(places):
        return []
    found = [one.expression for one in places if one.kind == "load" and one.expression != access.expression]
    return list(dict.fromkeys(f"`{expression}`" for expression in found))


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


def _ways(access: Access) -> float:
    return (access.transactions.per_request or 0.0) / (access.transactions.ideal or 1.0)


def _finding(
    access: Access,
    accesses: list[Access],
    kernel: KernelFacts,
    pad: int | None,
    context: Context,
) -> Finding:
    site = Site(access, tuple(accesses))
    mean, most = round(_ways(access)), worst_ways(access)
    ways = max(2, mean, most)
    wide = next(merged(access, kernel.accesses), None)
    count = amount(access.transactions) if wide is None else number(access.transactions.per_request or 0.0)
    sizes = ", for the sizes tried" if depends_on_sizes(access) else ""
    facts = {**evidence(access), "ways": ways}
    if pad is not None:
        facts["padding"] = pad
    return RULE.finding(
        access.span,
        f"{'up to ' if most > mean else ''}{ways}-way bank conflict: {count} wavefronts per shared"
        f" {site.operation} (ideal {number(access.transactions.ideal or 0.0)}{sizes})",
        notes=(
            _reason(access),
            *_widened(wide),
        ),
        help=_help(access, pad, kernel, context),
        kernel=kernel.name,
        evidence=facts,
        impact=context.impact(Saving(Basis.WAVEFRONTS, excess=tuple(accesses)), kernel),
        condition=chosen(kernel.function),
        related=same_pattern(site),
        standing=on_access(access),
    )


def _widened(wide: Merged | None) -> tuple[str, ...]:
    """The note on a compiler that merges neighbouring elements into one access."""
    if wide is None:
        return ()
    return (
        f"if the compiler merges neighbouring elements into {wide.bytes}-byte accesses: {wide.wavefronts}"
        f" wavefronts (ideal {wide.ideal})",
    )


def _reason(access: Access) -> str:
    if rows_meet(access) and access.configuration is not None:
        row = access.configuration.block[0]
        return f"a warp covers {max(1, 32 // row)} rows of {row} threads, whose words are in the same banks"
    if access.layout.lane_stride:
        words = number(abs(access.layout.lane_stride) / BANK_BYTES)
        return (
            f"neighbouring lanes of `{access.expression}` are {words} words apart; shared memory has 32 banks"
        )
    return f"lanes of `{access.expression}` need different words of the same banks"


def _help(access: Access, pad: int | None, kernel: KernelFacts, context: Context) -> str:
    if pad is not None:
        elements = f"{pad} element{'s' if pad > 1 else ''}"
        return f"pad the rows of `{access.buffer}` by {elements}, which removes this conflict"
    if rows_meet(access):
        return "make blockDim.x a multiple of 32, or choose a row pitch that puts them in different banks"
    extra = spacing(access)
    if extra is not None:
        unit, apart = max(access.bytes, BANK_BYTES), abs(access.layout.lane_stride or 0) + extra
        return (
            f"place neighbouring lanes {apart} bytes apart, {extra} more than now{_odd(apart, unit)}: this"
            f" removes the conflict{_interleaved(access, kernel)}"
        )
    if shared_rows(context.unit, kernel.function, access.buffer) is not None:  # but no padding helps
        return "spread the lanes of a warp over the banks: swap indices, or swizzle the column"
    return "spread the lanes of a warp over the banks: swap indices, pad rows, or swizzle the column"


def _odd(apart: int, unit: int) -> str:
    return f" (an odd number of {unit}-byte words)" if apart % unit == 0 and apart // unit % 2 else ""


def _interleaved(access: Access, kernel: KernelFacts) -> str:
    """The alternative where all accesses to the array have the same lane stride."""
    distances = {abs(a.layout.lane_stride or 0) for a in kernel.accesses if a.buffer == access.buffer}
    return (
        "; or let neighbouring lanes access neighbouring words"
        if access.buffer and len(distances) == 1
        else ""
    )
