"""Accesses of global memory that move fewer bytes per lane than one instruction could: elements of one or two
bytes, and records that no vector instruction fits.
"""

from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.query.pattern import FEW_LANES, never_run

WORD = 4  # bytes that a lane moves at the same cost as one byte
_WIDEST = 16  # bytes of the widest access of a lane


def is_narrow(access: Access) -> bool:
    """Whether lanes access consecutive elements of one or two bytes, one each."""
    return (
        _counts(access)
        and access.element.record is None
        and access.bytes < WORD
        and access.layout.lane_strides == (access.bytes,)
        and access.transactions.certainty == "exact"
        and not access.basis.data_dependent
    )


def in_pieces(access: Access) -> int:
    """Accesses that a whole record of narrow fields takes where one wider one would do; 0 for others."""
    record = access.element.record
    if not _counts(access) or record is None or not access.expression.endswith("]"):
        return 0
    pieces, rest = divmod(record[1], access.bytes)
    whole = not rest and access.element.bytes == record[1] and access.element.alignment == access.bytes
    return pieces if whole and pieces > 1 and access.bytes < WORD and record[1] <= _WIDEST else 0


def _counts(access: Access) -> bool:
    return (
        access.space == "global"
        and access.operation != "atomic"
        and not access.element.volatile
        and access.lanes.active >= FEW_LANES
        and bool(access.weight.requests)
        and not never_run(access)
    )
