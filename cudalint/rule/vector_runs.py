"""Accesses of a thread to neighbouring elements that one access of a vector type could make."""

from collections.abc import Iterator

from cudalint.host.facts import Argument
from cudalint.rule.launched_with import launched_with
from cudalint.rule.rule import Context
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.pattern import SECTOR, Pattern, classify, never_run, strides

WIDEST = 16  # bytes of one access of a thread

_REPORTED_ELSEWHERE = (Pattern.STRIDED, Pattern.TRANSPOSED, Pattern.RECORDS)
_Group = tuple[str, str, str, int, int]


def vector_runs(
    kernel: KernelFacts, accesses: tuple[Access, ...], context: Context, lines: float
) -> Iterator[tuple[Access, ...]]:
    """Two or four accesses of one operation to neighbouring elements of a buffer, at most so many lines apart
    in the source, whose first one is aligned for all of them. Those at a stride are loads that together are
    all of it: the others miss bytes that no wider access brings.
    """
    aligned = _aligned(kernel, context)
    groups: dict[_Group, list[Access]] = {}
    for access in accesses:
        if access.buffer in aligned and access.span.path in context.lines and _plain(access):
            key = access.span.path, access.buffer, access.operation, access.bytes, access.weight.requests
            groups.setdefault(key, []).append(access)
    for group in groups.values():
        yield from (run for run in _runs(group, lines) if not any(map(_strided, run)) or fills_stride(run))


def fills_stride(run: tuple[Access, ...]) -> bool:
    """Whether the loads of a run are all that lies between neighbouring lanes."""
    wide = len(run) * run[0].bytes
    return all(one.operation == "load" and list(strides(one)) == [wide] for one in run)


def _aligned(kernel: KernelFacts, context: Context) -> frozenset[str]:
    """Pointer parameters, and fields of struct parameters, to which every launch passes an aligned address in
    an allocation.
    """
    passed = launched_with(kernel.function, context)
    return frozenset(
        name
        for name in (passed[0] if passed else ())
        if all(name in row and _starts_aligned(row[name]) for row in passed)
    )


def _starts_aligned(argument: Argument) -> bool:
    return argument.buffer is not None and argument.offset is not None and argument.offset % WIDEST == 0


def _plain(access: Access) -> bool:
    """Whether the places of its lanes are known, as far as rows go that begin anywhere, and no other rule
    reports it whatever its neighbours are.
    """
    if access.space != "global" or access.operation == "atomic" or access.element.volatile:
        return False
    if access.element.record is not None and access.element.record[1] != access.bytes:
        return False
    placed = access.transactions.certainty == "exact" or bool(access.layout.lane_strides)
    if not placed or access.basis.data_dependent or access.basis.made_up or never_run(access):
        return False
    pattern = classify(access)
    return (
        bool(access.lanes.worst)
        and bool(access.weight.requests)
        and (pattern is Pattern.STRIDED or pattern not in _REPORTED_ELSEWHERE)
    )


def _strided(access: Access) -> bool:
    """Whether CU101 is about the access, which leaves out records."""
    return classify(access) is Pattern.STRIDED and access.element.record is None


def _runs(accesses: list[Access], lines: float) -> Iterator[tuple[Access, ...]]:
    """Two or four neighbouring accesses whose first one is aligned for all of them in every lane."""
    ordered = sorted(accesses, key=lambda a: next(at for at in a.lanes.worst if at is not None))
    while ordered:
        first = ordered.pop(0)
        for count in (4, 2):
            rest = ordered[: count - 1]
            wide = count * first.bytes
            fits = wide <= WIDEST and len(rest) == count - 1 and _on_boundary(first, wide)
            fits = fits and _lines_of((first, *rest)) <= lines
            if fits and all(_follows(first, other, at) for at, other in enumerate(rest, 1)):
                del ordered[: count - 1]
                yield (first, *rest)
                break


def _lines_of(run: tuple[Access, ...]) -> int:
    """Source lines between the first and the last one."""
    lines = [access.span.line for access in run]
    return max(lines) - min(lines)


def _on_boundary(access: Access, wide: int) -> bool:
    """Whether every lane of every request starts at a multiple of `wide` bytes."""
    if any(at % wide for at in (*access.layout.offsets, *access.layout.lane_strides)):
        return False
    return all(at is None or at % wide == 0 for at in access.lanes.worst)


def _follows(first: Access, other: Access, count: int) -> bool:
    """Whether in every lane `other` is `count` elements after `first`, wherever in a sector that lies."""
    behind = {(at + count * first.bytes) % SECTOR for at in first.layout.offsets}
    if behind != set(other.layout.offsets):
        return False
    pairs = zip(first.lanes.worst, other.lanes.worst, strict=True)
    return all((a is None) == (b is None) and (a is None or b == a + count * first.bytes) for a, b in pairs)
