"""Places that loaded data moves: updates in global memory, by no atomic, as `y[i + offset[i]] += 1`, and
elements of shared arrays that other threads go over as a whole. Where data alone keeps two threads apart, as
in `count[key[i]] += 1` or in the row of `y[row * width + column[i]] += 1`, an update is no race if the keys
are all different, which the host may see to.
"""

from collections.abc import Iterator

from cudalint.analyses.definitions import Definitions, definitions
from cudalint.analyses.kernel_queries import accessed, reachable, root_of
from cudalint.ir import expressions as e
from cudalint.ir.types import Pointer
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, walk
from cudalint.simt.launch.kernel_run import Run
from cudalint.source.span import Span

Pair = frozenset[Span]  # of the read and of the write
Updates = dict[Pair, frozenset[str]]  # with the axes on which threads differ by their own part of the place


def unknown_places(runs: list[Run]) -> frozenset[Span]:
    """Accesses whose places the runs could not tell."""
    return frozenset(
        site.node.span for run in runs for site in run.machine.recorder.accesses.values() if site.unknown
    )


def unknown_shared_places(function: Function, runs: list[Run]) -> dict[Span, e.Variable | None]:
    """Those that may be in shared memory, with the variables that they go through: through a pointer that was
    handed on, the space is a guess.
    """
    sites = [site for run in runs for site in run.machine.recorder.accesses.values()]
    if not any(site.space == "shared" for site in sites):
        return {}
    roots = {site.node.span: root_of(accessed(site.node)) for site in sites if site.unknown}
    told = {site.node.span for site in sites if site.unknown and site.space == "shared"}
    return {span: root for span, root in roots.items() if span in told or root not in function.parameters}


def scattered_updates(unit: Unit, function: Function, runs: list[Run]) -> Updates:
    """Reads and writes of one statement, through one pointer, whose places the runs could not tell: those of
    the threads, moved by data.
    """
    unknown = unknown_places(runs)
    found: Updates = {}
    for current in reachable(unit, function) if unknown else ():
        for node in walk(current.body) if current.body else ():
            if not isinstance(node, e.Assign):
                continue
            pairs = [(w, r) for w, r in _updates(node) if w in unknown and r in unknown]
            if pairs and (axes := _own_axes(node.target, definitions(unit, current))):
                found |= {frozenset(pair): axes for pair in pairs}
    return found


def _own_axes(target: e.Expression, own: Definitions) -> frozenset[str]:
    """The axes in those parts of the place, a sum, that are the thread's own, whatever data says."""
    place = target.index if isinstance(target, e.Index) else target
    place = place.pointer if isinstance(place, e.Dereference) else place
    return frozenset(axis for term in _terms(place, own) for axis in _axes(term, own))


def _terms(node: e.Expression, own: Definitions) -> Iterator[e.Expression]:
    """What is added up."""
    match own.resolve(node):
        case e.Binary(operator="+" | "-", left=left, right=right):
            yield from _terms(left, own)
            yield from _terms(right, own)
        case e.Cast(operand=operand):
            yield from _terms(operand, own)
        case term:
            yield term


def _axes(term: e.Expression, own: Definitions) -> frozenset[str]:
    """The axes on which it tells threads of a block apart; none where data is in it."""
    parts = list(_behind(term, own, set()))
    if any(isinstance(part, e.Index | e.Dereference | e.Call) for part in parts):
        return frozenset()
    return frozenset(p.axis for p in parts if isinstance(p, e.Builtin) and p.name == "threadIdx")


def _behind(node: e.Expression, own: Definitions, seen: set[int]) -> Iterator[Node]:
    """Every part, and those of what variables in it are set to."""
    for part in walk(node):
        yield part
        if isinstance(part, e.VariableReference) and part.variable.id not in seen:
            seen.add(part.variable.id)
            for value in own.values.get(part.variable.id, ()):
                yield from _behind(value, own, seen)


def _updates(node: e.Assign) -> Iterator[tuple[Span, Span]]:
    """(the place written, a place read through the same pointer) of an assignment."""
    target = node.target
    if not isinstance(target, e.Index | e.Dereference):
        return
    if node.operator:
        yield target.span, target.span
    written = _pointer(target)
    for part in walk(node.value):
        if isinstance(part, e.Index | e.Dereference) and written and _pointer(part) == written:
            yield target.span, part.span


def _pointer(node: e.Expression) -> int | None:
    """The pointer variable (by identity) that an access goes through."""
    variable = root_of(node)
    return variable.id if variable is not None and isinstance(variable.type, Pointer) else None
