"""Places that loaded data moves: updates in global memory, by no atomic, as `y[i + offset[i]] += 1`, and
elements of shared arrays that other threads go over as a whole. Where data alone decides, as in
`count[key[i]] += 1`, an update is no race if the keys are all different, which the host may see to.
"""

from collections.abc import Iterator

from cudalint.host.definitions import Definitions, definitions
from cudalint.ir import expressions as e
from cudalint.ir.source import Span
from cudalint.ir.types import Pointer
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, walk
from cudalint.simt.merge import Run
from cudalint.simt.static import accessed, reachable, root_of

Pair = frozenset[Span]  # of the read and of the write


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


def scattered_updates(unit: Unit, function: Function, runs: list[Run]) -> frozenset[Pair]:
    """Reads and writes of one statement, through one pointer, whose places the runs could not tell: those of
    the threads, moved by data.
    """
    unknown = unknown_places(runs)
    if not unknown:
        return frozenset()
    return frozenset(
        frozenset((write, read))
        for current in reachable(unit, function)
        for node in (walk(current.body) if current.body else ())
        if isinstance(node, e.Assign)
        for write, read in _updates(node)
        if write in unknown and read in unknown and _is_moved(node.target, definitions(unit, current))
    )


def _is_moved(target: e.Expression, own: Definitions) -> bool:
    """Whether the place is a sum with a part that is the thread's own, whatever data says."""
    place = target.index if isinstance(target, e.Index) else target
    place = place.pointer if isinstance(place, e.Dereference) else place
    return any(_is_own(term, own) for term in _terms(place, own))


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


def _is_own(term: e.Expression, own: Definitions) -> bool:
    """Whether it tells threads of a block apart, and no data is in it."""
    parts = list(_behind(term, own, set()))
    asks = any(isinstance(part, e.Builtin) and part.name == "threadIdx" for part in parts)
    return asks and not any(isinstance(part, e.Index | e.Dereference | e.Call) for part in parts)


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
