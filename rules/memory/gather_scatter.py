"""
## What it does
Finds accesses to global memory whose address depends on loaded data: a gather `x[column[k]]`, a scatter
`bin[key[i]] = v`, a walk from a loaded start. Opt-in: only the data shows whether it is slow.

## Why it costs
The lanes of a warp may access 32 different sectors: 32 sectors/request where neighbouring floats need 4, and
an eighth of the bytes moved are used. Where the addresses are close together or equal, it may be as little
as one sector.

## Example
```cuda
for (int k = start[row]; k < start[row + 1]; k++)
    sum += value[k] * x[column[k]];  // up to 32 sectors/request, depending on the data
```

## Instead
Let a warp share a row, so that its lanes read neighbouring `value[k]` and `column[k]`. Sort the keys, or
renumber the unknowns so that neighbours are close (reverse Cuthill-McKee for a matrix). Where the range is
small, gather from shared memory: there 32 words in 32 banks take one wavefront.

## Limits
- Reports the highest cost, not the actual one, once for each kernel; the impact begins at 0.
- Silent where all lanes of a warp use the same loaded number (`x[start[blockIdx.x] + i]`), where one lane
  alone makes the access, and where the address is unknown for another reason than a load.
- Silent where a vote or an upward shuffle has a part in the index: it ranks the lanes.

## Source
000 section 9.2 (coalesced access to global memory).
"""

from collections.abc import Iterator

from cudalint.analyses.data_order import axes, terms
from cudalint.analyses.definitions import definitions
from cudalint.analyses.few_values import few_values
from cudalint.analyses.kernel_queries import accessed, reachable
from cudalint.analyses.lane_ranks import are_ranks
from cudalint.analyses.origin import Origin, origins
from cudalint.analyses.pointer_roots import pointer_roots
from cudalint.ir import expressions as e
from cudalint.ir.render import render
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find
from cudalint.rule.findings import Finding
from cudalint.rule.launched_with import passed_bytes
from cudalint.rule.related import repeated
from cudalint.rule.rule import Context, Rule
from cudalint.rule.texts import listed
from cudalint.settings.severity import Severity
from cudalint.significance.impact import Basis, Impact
from cudalint.significance.saving import Saving
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.simt.query.pattern import SECTOR
from cudalint.source.span import Span

RULE = Rule(
    code="CU106",
    name="gather-scatter",
    severity=Severity.NOTE,
    summary="global memory is accessed at indices that come from loaded data",
    guides=("000 9.2",),
    speed=True,
)


def check(kernel: KernelFacts, accesses: tuple[Access, ...], context: Context) -> Iterator[Finding]:
    """One finding for the kernel, at the access that moves most, with all buffers."""
    dependent = {a.span: a for a in accesses if _depends_on_data(a) and a.span.path in context.lines}
    if not dependent:
        return
    named = dict(_buffers(context.unit, kernel.function, dependent))
    small = {span for span, name in named.items() if _is_small(name, dependent[span], kernel, context)}
    places = [span for span in named if span not in small]
    loads = {span: found for span in places if (found := _loads(context, kernel, dependent[span]))}
    group = [dependent[span] for span in loads]
    if not group:
        return
    worst = max(group, key=lambda access: access.weight.share)
    impact = context.impact(Saving(Basis.SECTORS, excess=tuple(group)), kernel)
    others = [access for access in group if access is not worst]
    row = _own_row(context.unit, kernel.function, worst)
    yield _finding(named[worst.span], worst, loads[worst.span], others, kernel.name, impact, row)


def _own_row(unit: Unit, kernel: Function, access: Access) -> str:
    """What puts each lane into a row of its own, whatever is loaded; '' where nothing does."""
    for function in reachable(unit, kernel):
        own = definitions(unit, function)
        for node in find(function.body, e.Index, e.Dereference, e.Call):
            if node.span != access.span:
                continue
            index = node.index if isinstance(node, e.Index) else accessed(node)
            for term in terms(index.pointer if isinstance(index, e.Dereference) else index, own):
                if "x" in axes(term, own) and _is_row(term, access):
                    return render(term)
    return ""


def _is_row(term: e.Expression, access: Access) -> bool:
    """Whether a term is a product with what is not known, or with as much as a sector holds."""
    if not isinstance(term, e.Binary) or term.operator != "*":
        return False
    known = [part.value for part in (term.left, term.right) if isinstance(part, e.Literal)]
    return all(isinstance(number, int) and number * access.bytes >= SECTOR for number in known)


def _depends_on_data(access: Access) -> bool:
    """Whether the address of the access depends on loaded data, in several lanes of a warp."""
    if access.space != "global" or access.lanes.most <= 1 or 0 < access.lanes.active <= 1:
        return False
    return access.basis.made_up or (
        access.transactions.certainty == "unknown" and access.basis.data_dependent
    )


def _buffers(unit: Unit, kernel: Function, spans: dict[Span, Access]) -> Iterator[tuple[Span, str]]:
    """The pointer or array of each access, in source order."""
    buffers: dict[Span, str] = {}
    pointers = pointer_roots(unit, kernel)
    for function in reachable(unit, kernel):
        for node in find(function.body, e.Index, e.Dereference, e.Member, e.Call):
            if node.span in spans:
                root = pointers.root(accessed(node))
                if root is None or not pointers.are_global(root) or _is_narrow(node, spans[node.span]):
                    continue
                if node.span not in buffers or render(node) == spans[node.span].expression:
                    buffers[node.span] = root.name
    yield from sorted(buffers.items(), key=lambda item: (item[0].path, item[0].line, item[0].column))


def _is_narrow(node: e.Expression, access: Access) -> bool:
    """Whether the index has so few values that all of them lie in as many sectors as the lanes need."""
    if isinstance(node, e.Call):
        if not node.arguments:
            return False
        node = node.arguments[0]
    while isinstance(node, e.AddressOf):
        node = node.operand
    if not isinstance(node, e.Index) or not isinstance(node.base, e.VariableReference):
        return False
    values = few_values(node.index)
    return values is not None and values * access.bytes <= SECTOR * _ideal(access)


def _is_small(name: str, access: Access, kernel: KernelFacts, context: Context) -> bool:
    """Whether all of the array that launches pass lies in as many sectors as the lanes need."""
    size = passed_bytes(kernel.function, name, context)
    return size is not None and size <= SECTOR * _ideal(access)


def _ideal(access: Access) -> int:
    return -(-access.lanes.most * access.bytes // SECTOR)


def _loads(context: Context, kernel: KernelFacts, access: Access) -> list[Origin]:
    """The loads that the address comes from; none where lanes count themselves."""
    places = origins(context.unit, kernel.function, access.span, "address", expression=access.expression)
    if are_ranks(places):
        return []
    return [place for place in places if place.kind == "load" and place.expression != access.expression]


def _finding(
    name: str,
    access: Access,
    loads: list[Origin],
    others: list[Access],
    kernel: str,
    impact: Impact,
    row: str,
) -> Finding:
    """row: what puts each lane into a row of its own."""
    kind = {"load": "gather", "store": "scatter", "atomic": "scatter"}[access.operation]
    ideal = _ideal(access)
    most = max(access.lanes.most, ideal)
    texts = list(dict.fromkeys(f"`{load.expression}`" for load in loads))
    lines = {other.span.line: other for other in others if other.span.line != access.span.line}
    return RULE.finding(
        access.span,
        f"{kind}: `{access.expression}` takes up to {most} sectors/request (ideal {ideal}): {listed(texts)}"
        f" {'is' if len(texts) == 1 else 'are'} loaded",
        notes=(
            f"`{row}` puts each lane into a row of its own, whatever is loaded"
            if row
            else "1 sector/request where the data sends all lanes to one place",
        ),
        help="store the rows of neighbouring threads side by side by element, or let a warp share a row"
        if row
        else "sort or renumber the data so that neighbouring threads access neighbouring elements, let a warp"
        " share a run of elements, or gather from shared memory",
        kernel=kernel,
        evidence={"most": most, "ideal": ideal, "bytes": access.bytes, "buffer": name, "own_rows": bool(row)},
        impact=impact,
        condition=None if row else "the indices of a warp are far apart",
        related=repeated(
            (lines[line] for line in sorted(lines)),
            lambda other: f"{other.operation} of `{other.expression}`",
        ),
    )
