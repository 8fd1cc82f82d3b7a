"""Threads that made-up data leads to one place: where that is a race with any data, and where it is none."""

from collections.abc import Iterator

import numpy as np

from cudalint.analyses.bracketed import bracketed
from cudalint.analyses.data_order import behind, element_of, terms
from cudalint.analyses.definitions import Definitions
from cudalint.analyses.kernel_queries import accessed, is_memory, lvalues, root_of
from cudalint.analyses.tested_loads import tested_loads
from cudalint.analyses.trip_counts import harmless, uncast
from cudalint.analyses.varying import varying
from cudalint.cuda.effects import PRODUCTS
from cudalint.cuda.maths import whole
from cudalint.ir import expressions as e
from cudalint.ir.unit import Unit
from cudalint.ir.walk import find
from cudalint.simt.facts.races.data_witness import own_definitions, passed, place_index, source_of
from cudalint.simt.launch.kernel_run import Run
from cudalint.simt.threads.conflicts import Conflict
from cudalint.simt.threads.logged import Event
from cudalint.simt.values.lanes import DATA

_MANY = 8  # threads that data leads to one place


def is_meant(run: Run, found: Conflict) -> bool:
    """Whether the program's data lets no threads meet there, or it does no harm."""
    (a, _), (b, _) = found.first, found.second
    if not a.by_data | b.by_data:
        return False
    if a.operation == b.operation == "store":
        return _is_permutation(run, a, b) or (found.same_block and _is_own_interval(run, a, b))
    if {a.operation, b.operation} == {"load", "store"}:
        read, write = (a, b) if a.operation == "load" else (b, a)
        return _is_mark(run, read, write) or _is_of_one_colour(run, write, (a, b))
    return False


def is_of_any_shape(run: Run, found: Conflict) -> bool:
    """Whether the launch shape does not decide the place: it is one for all, or just a loaded number."""
    sides = (found.first, found.second)
    if all(_is_one_place(event) for event, _ in sides):
        return True
    sources = (source_of(run, event, lane) for event, lane in sides)
    return run.machine.data is not None and all(source is not None and source.whole for source in sources)


def is_lost_update(found: Conflict) -> bool:
    """Whether many threads update one word that is the same whatever the data is."""
    (a, _), (b, _) = found.first, found.second
    store = a if a.operation == "store" else b
    if (a.free | b.free) & DATA or not (store.counting or found.kind == "read-write"):
        return False
    return int(store.mask.sum()) >= _MANY and all(_is_one_place(event) for event in (a, b))


def _is_one_place(event: Event) -> bool:
    if not isinstance(event.addresses, np.ndarray):
        return True
    places = event.addresses[event.mask]
    return bool((places == places[0]).all())


def _is_mark(run: Run, read: Event, write: Event) -> bool:
    """Whether one thread only tests what the other marks with a number that all threads write."""
    function = run.machine.state.frames[0].function
    return id(read.node) in tested_loads(run.machine.unit, function) and _is_one_number(run, write)


def _is_one_number(run: Run, write: Event) -> bool:
    """Whether all threads write the same, in each valuation."""
    if write.value is None or write.value_free & DATA or write.counting:
        return False
    if not isinstance(write.value, np.ndarray):
        return True
    samples = run.machine.state.samples
    rows = np.where(write.mask, write.value, np.nan).reshape(samples.valuations, -1)
    return bool((np.nanmax(rows, axis=1) == np.nanmin(rows, axis=1)).all())


def _is_of_one_colour(run: Run, write: Event, events: tuple[Event, Event]) -> bool:
    """Whether a thread reads at a place that data names what another writes at its own, and both are let in
    by a number in the data that a parameter of the launch gives: the program may colour its data so that no
    two of one number are neighbours.
    """
    parameters = run.machine.state.frames[0].function.parameters
    return not write.free & DATA and any(
        part.operator in ("==", "!=")
        and any(root_of(side) in parameters and harmless(side) for side in (part.left, part.right))
        and not all(harmless(side) for side in (part.left, part.right))
        for event in events
        if event.under is not None
        for part in find(event.under, e.Binary)
    )


def _is_permutation(run: Run, a: Event, b: Event) -> bool:
    """Whether threads only put something where a number of their own says, `out[to[i]] = x`, or at a place
    that is put together of loaded numbers, as a start and a rank: those are made so that all places differ.
    """
    if a.node is not b.node or a.counting or not a.free & DATA:
        return False
    own = own_definitions(run, a)
    if own is None:
        return False
    indices = _alternatives(place_index(a), own)
    return all(_is_put_in_order(run, index, own) for index in indices) or _is_of_own_record(run, a, own)


def _is_of_own_record(run: Run, event: Event, own: Definitions) -> bool:
    """Whether the pointer that it goes through is what a function returns for a number of the thread's own
    that is loaded: the slot of a pool, `slot(free[i])`.
    """
    place = accessed(event.node)
    match place:
        case e.Index(base=pointer) | e.Dereference(pointer=pointer):
            found = uncast(pointer)
        case _:
            return False
    if isinstance(found, e.VariableReference):
        value = own.only(found.variable)
        found = uncast(value) if value is not None else found
    return isinstance(found, e.Call) and any(
        whole(argument.type) and _is_put_in_order(run, argument, own) for argument in found.arguments
    )


def _is_put_in_order(run: Run, index: e.Expression, own: Definitions) -> bool:
    parts = [_loaded(term, own) for part in terms(index, own) for term in _begun(part, own)]
    loaded = [part for part in parts if part is not None]
    if len(loaded) > 1:
        return True
    if loaded:
        return _is_own(loaded[0], own)
    bare = own.resolve(index)
    if not isinstance(bare, e.VariableReference) or bare.variable.id in own.changed:
        return False
    given = passed(run, bare.variable)
    return given is not None and _is_put_in_order(run, *given)


def _begun(term: e.Expression, own: Definitions) -> Iterator[e.Expression]:
    """The term; of the counter of a loop, what is added up where it begins."""
    found = own.resolve(term)
    if isinstance(found, e.VariableReference) and found.variable.id in own.changed:
        values = own.values.get(found.variable.id, ())
        if len(values) == 1:
            yield from terms(values[0], own)
            return
    yield term


def _alternatives(index: e.Expression, own: Definitions) -> list[e.Expression]:
    """The index, or each of those that a condition chooses between."""
    found = own.resolve(index)
    while isinstance(found, e.Cast):
        found = own.resolve(found.operand)
    if isinstance(found, e.Conditional):
        return [one for arm in (found.then, found.otherwise) for one in _alternatives(arm, own)]
    return [index]


def _is_own_interval(run: Run, a: Event, b: Event) -> bool:
    """Whether the thread writes whose interval holds a number that is the same for all threads, as in
    `before < k && k <= before + own`: sums up to each thread make intervals that do not overlap.
    """
    if a.node is not b.node or (a.free | b.free) & DATA or a.under is None:
        return False
    own = own_definitions(run, a)
    if own is None:
        return False
    differs = varying(run.machine.unit, run.machine.state.frames[0].function).varies
    return any(
        differs(below) and differs(above) and not differs(number)
        for below, number, above in bracketed(a.under, own)
    )


def _loaded(term: e.Expression, own: Definitions) -> e.Expression | None:
    """The index of the element that the term is, or a multiple of it."""
    match own.resolve(term):
        case e.Cast(operand=operand):
            return _loaded(operand, own)
        case e.Binary(operator="*" | "<<", left=left, right=right):
            return _loaded(left, own) or _loaded(right, own)
        case e.VariableReference(variable=variable) if (value := own.only(variable)) is not None:
            element = element_of(value)
        case found:
            element = element_of(found)
    return element.index if element is not None else None


def _is_own(index: e.Expression, own: Definitions) -> bool:
    """Whether the index is the thread's own, not one that data leads to."""
    parts = list(behind(index, own))
    return any(isinstance(part, e.Builtin) for part in parts) and not any(
        (isinstance(part, e.Index | e.Dereference) and is_memory(part))
        or (isinstance(part, e.Call) and not _calculates(part, own.unit))
        for part in parts
    )


def _calculates(call: e.Call, unit: Unit) -> bool:
    """Whether it gives a number that is made of its arguments alone."""
    if call.name in PRODUCTS:
        return True
    called = unit.defined(call.key)
    if called is None or called.body is None:
        return False
    inner = (part for part in find(called.body, e.Call) if part.name not in PRODUCTS)
    return not any(inner) and not any(is_memory(lvalue) for lvalue, _ in lvalues(called.body))
