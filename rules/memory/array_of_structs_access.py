"""
## What it does
Finds arrays of structs whose fields are loaded or stored one at a time, one struct per thread: neighbouring
lanes are sizeof(struct) bytes apart.

## Why it costs
A float3 is 12 bytes: a load of one field by 32 lanes spans 384 bytes, 12 sectors where 4 hold the 128 bytes
requested. The loads of the other fields touch the same sectors again.

## Example
```cuda
struct Particle { float x, y, z, mass, charge; };
sum += particles[i].x;  // lane stride 20 bytes: 20 sectors/request (ideal 4)
```

## Instead
Store one array per field (a struct of arrays), so that neighbouring lanes read neighbouring floats. Where a
thread needs all fields, align structs of 8 or 16 bytes to their size (`__align__(16)`, or use float2 and
float4): they move in one access. Other sizes can be staged through shared memory.

## Limits
- Whether a struct of arrays is better depends on every other user of the structs.
- Silent for aligned structs of 8 or 16 bytes that are used whole, which the compiler moves in one access, and
  for structs of whole sectors copied in 16-byte pieces.
- Silent for cuRAND states, float2 and double2, whose layout belongs to libraries.
- Where neighbouring accesses use at least 90% of the bytes, sectors are only requested repeatedly, and L1 may
  serve them: the low end of the impact assumes that.
- Silent where block rows are assumed; where nothing names a template argument, the condition says what was.

## Source
004 'Coalescing structs of size other than 4, 8, 16' and its summary.
"""

from collections.abc import Iterator

from cudalint.rule.findings import Finding
from cudalint.rule.related import repeated
from cudalint.rule.rule import Context, Rule
from cudalint.rule.standing import on_access
from cudalint.settings.severity import Severity
from cudalint.significance.excess import wasted
from cudalint.significance.impact import Basis, Impact
from cudalint.significance.saving import Removed, Saving
from cudalint.significance.thresholds import NEARLY_ALL_USED
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.fields import VECTOR_BYTES, is_one_vector, used_fields
from cudalint.simt.query.narrow import in_pieces
from cudalint.simt.query.neighbours import CombinedUse, stands, together
from cudalint.simt.query.pattern import (
    SECTOR,
    Pattern,
    chosen,
    classify,
    evidence,
    guessed_rows,
    per_request,
    place,
    useful_share,
)

RULE = Rule(
    code="CU104",
    name="array-of-structs-access",
    severity=Severity.WARNING,
    summary="fields of an array of structs are accessed one by one",
    guides=("004",),
    speed=True,
)

_MOST_BYTES = 16  # of one access of a thread

_STAGE = "stage the structs of a block through shared memory: neighbouring threads copy neighbouring words"

# Generator states of cuRAND, and the pairs that libraries use for complex numbers.
_LIBRARIES = ("curandState", "float2", "double2")


def check(kernel: KernelFacts, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """One finding for each struct of the kernel, at the access that wastes most."""
    arrays: dict[tuple[str, tuple[str, int], str], list[Access]] = {}
    for access in accesses:
        if access.element.record is not None and classify(access) is Pattern.RECORDS:
            arrays.setdefault((access.buffer, access.element.record, access.operation), []).append(access)
    structs: dict[tuple[str, int], list[Access]] = {}
    for (_, record, _), group in arrays.items():
        if not _is_library(record[0]) and not _moved_whole(group[0], used_fields(group[0], accesses)):
            structs.setdefault(record, []).extend(group)
    for group in structs.values():
        first = max(sorted(group, key=place), key=lambda access: wasted([access]))
        if guessed_rows(first.configuration):
            continue
        used = sum(used_fields(first, accesses).values())
        combined = _used_up(first, kernel, context)
        impact = context.impact(_saving(group), kernel)
        yield _finding(first, group, used, kernel, combined, impact)


def _saving(group: list[Access]) -> Saving:
    """The sectors beyond the ideal, and the requests that one access in the place of all pieces spares."""
    pieces = [(one, count) for one in group if (count := in_pieces(one))]
    joined = tuple(Removed(one, 1 - 1 / count) for one, count in pieces)
    return Saving(Basis.SECTORS, excess=tuple(group), joined=joined)


def _used_up(first: Access, kernel: KernelFacts, context: Context) -> CombinedUse | None:
    """The combined use of its sectors by the neighbouring accesses, where it is nearly all: nothing is
    fetched in vain, but each sector several times. None for a struct that one access can move.
    """
    if first.element.record is None or first.element.record[1] in VECTOR_BYTES:
        return None
    use = together(first, kernel.accesses, stands(context.unit, kernel.function))
    return use if use is not None and use.used >= NEARLY_ALL_USED.value else None


def _is_library(record: str) -> bool:
    """Whether the struct's layout belongs to a library, so that the program cannot change it."""
    return record.startswith(_LIBRARIES)


def _moved_whole(first: Access, used: dict[str, int]) -> bool:
    """Whether every fetched byte is used: the compiler merges the fields (vector size and alignment), or the
    widest accesses move whole sectors.
    """
    size = first.element.record[1] if first.element.record else 0
    if is_one_vector(first, used):
        return True
    return sum(used.values()) >= size and first.bytes == _MOST_BYTES and size % SECTOR == 0


def _finding(
    first: Access,
    accesses: list[Access],
    used: int,
    kernel: KernelFacts,
    combined: CombinedUse | None,
    impact: Impact,
) -> Finding:
    name, size = first.element.record or ("", 0)
    share = f"lane stride {size} bytes: {useful_share(first)} of the bytes moved are used"
    if combined is not None:
        share += (
            f", {100 * combined.used:.3g}% with the neighbouring {first.operation}s, which request the same"
            " sectors again"
        )
    others = [access for access in accesses if access.span != first.span]
    pieces = in_pieces(first)
    part = f"{first.bytes} of the {size} bytes of `{name}`"
    moved = f"{pieces} {first.operation}s of {part}" if pieces else f"{first.operation} of {part}"
    return RULE.finding(
        first.span,
        f"array of structs: {per_request(first, 'sectors')}, {moved}",
        notes=(share,),
        help=_STAGE if combined is not None else _help(first, used),
        kernel=kernel.name,
        evidence={
            **evidence(first),
            "record": size,
            "fields": len({access.expression for access in accesses}),
        },
        related=repeated(others, lambda a: f"separate {a.operation} of `{a.expression}`"),
        impact=impact,
        condition=chosen(kernel.function),
        standing=on_access(first),
    )


def _help(first: Access, used: int) -> str:
    name, size = first.element.record or ("", 0)
    arrays = "store one array per field (a struct of arrays)"
    if in_pieces(first) and size not in VECTOR_BYTES:
        wide = 1 << (size - 1).bit_length()
        return f"pad `{name}` to {wide} bytes and align it to that, so that one access moves it, or {arrays}"
    if first.bytes == _MOST_BYTES:
        return f"{arrays}, or let neighbouring threads move neighbouring 16-byte pieces of the structs"
    if size in VECTOR_BYTES and 2 * used > size:
        if first.element.alignment < size:
            return f"{arrays}, or declare `{name}` `__align__({size})` so that it moves in one access"
        return f"move the whole `{name}` in one access (`{name} v = ...`) and work on the copy"
    return arrays
