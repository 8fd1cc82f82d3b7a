"""
## What it does
Finds arrays of structs whose fields are fetched or stored one at a time, each thread its own struct:
neighbouring lanes are sizeof(struct) bytes apart.

## Why it costs
A float3 is 12 bytes: a load of one field by 32 lanes covers 384 bytes, 12 sectors where 4 carry the 128
bytes asked for. The other fields' loads touch the same sectors again.

## Example
```cuda
struct Particle { float x, y, z, mass, charge; };
sum += particles[i].x;  // 20 bytes between lanes: 20 sectors a request, ideal 4
```

## Instead
Store one array a field (a struct of arrays), so that neighbouring lanes read neighbouring floats. Where a
thread needs all fields, give a struct of 8 or 16 bytes that alignment (`__align__(16)`, or float2 and
float4): it moves in one access. Other sizes can go through shared memory.

## Limits
Off unless selected: whether a struct of arrays would be better hangs on every other kernel that reads the
structs, and on who else knows their layout. Of 31 findings on real code 20 were of use (docs/precision.md).

Silent for a struct of 8 or 16 bytes with that alignment of which a kernel uses every field: the compiler
merges the fields into one access; and for one of whole sectors that is copied in pieces of 16 bytes. Silent
for the states of cuRAND and for float2 and double2: the layout of complex numbers is that of the libraries.
A note for structs of other sizes whose fields are moved side by side and fill their sectors: nothing is
fetched in vain, but each sector is asked for several times (float3 in the pair of this rule). Silent where
the sectors above the ideal are less than a tenth of all that the kernel asks for (what is loaded once before
a long loop), and where how threads stand in rows is not known, or what a template is instantiated with.
Silent where launches are so small, or what the threads do besides so long, that no access can be felt: see
CU101. One finding for each struct of a kernel, at the access that wastes most.

## Source
004 'Coalescing structs of size other than 4, 8, 16' and its summary.
"""

from collections.abc import Iterator

from cudalint.rule.access_notes import confidence
from cudalint.rule.findings import Finding, Related
from cudalint.rule.rule import Context, Rule
from cudalint.settings.severity import Severity
from cudalint.significance.negligible import negligible
from cudalint.significance.thresholds import NEARLY_ALL_USED
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.fields import VECTOR_BYTES, is_one_vector, used_fields
from cudalint.simt.query.neighbours import CombinedUse, stands, together
from cudalint.simt.query.pattern import (
    SECTOR,
    Pattern,
    amount,
    chosen_size,
    classify,
    evidence,
    guessed_rows,
    matters,
    number,
    place,
    standing,
    tried,
    useful_share,
    wasted,
)

RULE = Rule(
    code="CU104",
    name="array-of-structs-access",
    severity=Severity.WARNING,
    default=False,
    summary="fields of an array of structs are accessed one by one",
    guides=("004",),
)

_MOST_BYTES = 16  # of one thread's one access

_MOST_RELATED = 8
_STAGE = (
    "move the structs of a block through shared memory, as words: neighbouring threads neighbouring words"
)

# Generator states of cuRAND, and the pairs that complex numbers are for every library.
_LIBRARIES = ("curandState", "float2", "double2")


def check(kernel: KernelFacts, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """One finding for each struct of the kernel, at the access that wastes most."""
    if chosen_size(kernel.function):
        return
    arrays: dict[tuple[str, tuple[str, int], str], list[Access]] = {}
    for access in accesses:
        if access.record is not None and classify(access) is Pattern.RECORDS:
            arrays.setdefault((access.buffer, access.record, access.operation), []).append(access)
    structs: dict[tuple[str, int], list[Access]] = {}
    for (_, record, _), group in arrays.items():
        if not _foreign(record[0]) and not _moved_whole(group[0], used_fields(group[0], accesses)):
            structs.setdefault(record, []).extend(group)
    for group in structs.values():
        first = max(sorted(group, key=place), key=wasted)
        if not matters(group) or guessed_rows(first.configuration):
            continue
        if not negligible(group, kernel, context.unit, context.host):
            used = sum(used_fields(first, accesses).values())
            yield _finding(first, group, used, kernel.name, _used_up(first, kernel, context))


def _used_up(first: Access, kernel: KernelFacts, context: Context) -> CombinedUse | None:
    """What the fields loaded beside it make of its sectors, where they use nearly all: a warp then fetches
    nothing in vain, but asks for each sector several times. None for a struct that one access can move.
    """
    if first.record is None or first.record[1] in VECTOR_BYTES:
        return None
    told = together(first, kernel.accesses, stands(context.unit, kernel.function))
    return told if told is not None and told.used >= NEARLY_ALL_USED.value else None


def _foreign(record: str) -> bool:
    """Whether the struct's layout is a library's: nothing that the program could change."""
    return record.startswith(_LIBRARIES)


def _moved_whole(first: Access, used: dict[str, int]) -> bool:
    """Whether nothing that is fetched goes unused: the compiler makes one access of the fields (vector size
    and alignment), or the widest accesses that there are move all of whole sectors.
    """
    size = first.record[1] if first.record else 0
    if is_one_vector(first, used):
        return True
    return sum(used.values()) >= size and first.bytes == _MOST_BYTES and size % SECTOR == 0


def _finding(
    first: Access, accesses: list[Access], used: int, kernel: str, beside: CombinedUse | None
) -> Finding:
    name, size = first.record or ("", 0)
    ideal = number(first.transactions.ideal or 0.0)
    share = f"lanes are {size} bytes apart: {useful_share(first)} of what a request moves is used"
    if beside is not None:
        share += f", {100 * beside.used:.3g}% with the {first.operation}s beside it, which ask for them again"
    others = [access for access in accesses if access.span != first.span][:_MOST_RELATED]
    return RULE.finding(
        first.span,
        f"array of structs: {amount(first.transactions)} sectors a request{tried(first)}, ideal {ideal}"
        f" (`{name}` is {size} bytes, this {first.operation} {first.bytes})",
        notes=(
            share,
            *standing(first),
        ),
        help=_STAGE if beside is not None else _help(first, used),
        kernel=kernel,
        evidence={
            **evidence(first),
            "record": size,
            "fields": len({access.expression for access in accesses}),
        },
        related=tuple(Related(a.span, f"{a.operation} of `{a.expression}` apart") for a in others),
        severity=Severity.NOTE if beside is not None else None,
        confidence=confidence(first),
    )


def _help(first: Access, used: int) -> str:
    name, size = first.record or ("", 0)
    arrays = "store one array for each field (a struct of arrays)"
    if first.bytes == _MOST_BYTES:
        return f"{arrays}, or let neighbouring threads move neighbouring 16-byte pieces of the structs"
    if size in VECTOR_BYTES and 2 * used > size:
        if first.record_align < size:
            return f"{arrays}, or declare `{name}` `__align__({size})` so that it moves in one access"
        return f"move the whole `{name}` in one access (`{name} v = ...`) and work on the copy"
    return arrays
