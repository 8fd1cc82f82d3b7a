"""Accesses of global memory that move fewer bytes per lane than one instruction could: elements of one or two
bytes, and records that no vector instruction fits.
"""

from collections.abc import Iterable, Iterator

from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.query.pattern import FEW_LANES, never_run

WORD = 4  # bytes that a lane moves at the same cost as one byte
_WIDEST = 16  # bytes of the widest access of a lane


def is_narrow(access: Access) -> bool:
    """Whether lanes access consecutive elements of one or two bytes, one each."""
    return (
        _counts(access)
        and (access.element.record is None or access.element.record[1] == access.bytes)
        and access.bytes < WORD
        and access.layout.lane_strides == (access.bytes,)
        and access.transactions.certainty != "unknown"
        and not access.basis.data_dependent
    )


def in_pieces(access: Access) -> int:
    """Accesses that a whole record of narrow fields takes where one wider one would do; 0 for others."""
    record = access.element.record
    if not _counts(access) or record is None or not access.element.whole:
        return 0
    pieces, rest = divmod(record[1], access.bytes)
    whole = not rest and access.element.alignment == access.bytes
    return pieces if whole and pieces > 1 and access.bytes < WORD and record[1] <= _WIDEST else 0


def by_field(accesses: Iterable[Access]) -> Iterator[tuple[Access, int]]:
    """Accesses of the fields of such a record, where a place of the source accesses all of them one by one:
    each with how many there are.
    """
    groups: dict[tuple[str, int, str, str], dict[str, Access]] = {}
    for access in accesses:
        record = access.element.record
        value, dot, field = access.expression.rpartition(".")
        small = record is not None and record[1] <= _WIDEST and access.bytes < WORD
        if small and dot and _counts(access) and access.element.alignment == access.bytes:
            key = access.span.path, access.span.line, value, access.operation
            groups.setdefault(key, {}).setdefault(field, access)
    for fields in groups.values():
        first = next(iter(fields.values()))
        count = len(fields)
        if count > 1 and first.element.record is not None and count * first.bytes == first.element.record[1]:
            yield from ((access, count) for access in fields.values())


def _counts(access: Access) -> bool:
    return (
        access.space == "global"
        and access.operation != "atomic"
        and not access.element.volatile
        and access.lanes.active >= FEW_LANES
        and bool(access.weight.requests)
        and not never_run(access)
    )
