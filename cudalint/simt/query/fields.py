"""Which fields of a record a kernel uses, and whether the compiler merges their accesses."""

from collections.abc import Iterable

from cudalint.simt.facts.accesses.access import Access

# Sizes that one access can move when the record is aligned to its size.
VECTOR_BYTES = (2, 4, 8, 16)


def used_fields(first: Access, accesses: Iterable[Access]) -> dict[str, int]:
    """Bytes of each field of the record accessed by the same operation; a copied record counts as a whole."""
    return {
        access.expression: moved_bytes(access)
        for access in accesses
        if (access.buffer, access.element.record, access.operation)
        == (first.buffer, first.element.record, first.operation)
    }


def moved_bytes(access: Access) -> int:
    """Bytes of a lane that it moves: of a record that is copied, all, although it goes piece by piece."""
    element = access.element
    return element.record[1] if element.whole and element.record is not None else access.bytes


def is_one_vector(first: Access, used: dict[str, int]) -> bool:
    """Whether one access can move the record, and all of it is used: the compiler merges the fields. One that
    moves all of it by itself (`__ldg` of a vector) is merged with nothing.
    """
    size = first.element.record[1] if first.element.record else 0
    merged = size in VECTOR_BYTES and first.element.alignment >= size and sum(used.values()) >= size
    return merged and first.bytes < size
