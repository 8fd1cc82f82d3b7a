"""Reads of shared memory that nobody has written, for the rules that ask whether they matter."""

from collections.abc import Iterator, Set

from cudalint.analyses.carried import carried
from cudalint.analyses.device_code import device_code
from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.results import Bodies, at, comes_to, kept
from cudalint.rule.rule import Context
from cudalint.simt.facts.empty_reads import EmptyRead
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.source.span import Span


def used(kernel: KernelFacts, context: Context) -> Iterator[EmptyRead]:
    """The reads whose value certainly affects the result."""
    if not kernel.of(EmptyRead):
        return
    keys = {function.key for function in reachable(context.unit, kernel.function)}
    code = device_code(context.unit, context.code)
    by_key = {body.function.key: body for body in code.bodies if body.function.key in keys}
    written = {a.span for a in kernel.accesses if a.space == "global" and a.operation != "load"}
    ragged: dict[str, list[EmptyRead]] = {}
    for read in kernel.of(EmptyRead):
        bodies = Bodies(by_key, read.calls)
        if read.remainder is not None:
            ragged.setdefault(read.array, []).append(read)
        elif (
            read.operation == "atomic"
            or _is_used(read.span, bodies, written)
            or _is_stored(read, bodies)
            or _is_shuffled(read, bodies)
        ):
            yield read
    for reads in ragged.values():
        if any(_is_used(read.span, Bodies(by_key), read.stores, every=False) for read in reads):
            yield from (read for read in reads if read.direct)


def _is_stored(read: EmptyRead, bodies: Bodies) -> bool:
    """Whether what the read gives is in one of the stores that threads come to which read nothing."""
    for body in bodies.by_key.values():
        load = at(read.span, body)
        if load is not None:
            stores = [
                store
                for span in read.stores
                for one in bodies.by_key.values()
                if (store := at(span, one)) is not None
            ]
            return any(comes_to(load, store, body, bodies) for store in stores)
    return False


def _is_shuffled(read: EmptyRead, bodies: Bodies) -> bool:
    """Whether shuffles take what the read gives to lanes that store what they make of it."""
    for body in bodies.by_key.values() if read.carries else ():
        load = at(read.span, body)
        if load is not None:
            way = carried(load, body, bodies.by_key.values())
            for carry in read.carries:
                if carry.span not in way.shuffles or not way.calls.issuperset(carry.way):
                    return False  # it may shuffle something else
                if carry.stores & way.stores:
                    return True
            return False
    return False


def _is_used(span: Span, bodies: Bodies, written: Set[Span], every: bool = True) -> bool:
    for body in bodies.by_key.values():
        load = at(span, body)
        if load is not None:
            return kept(load, body, written.__contains__, bodies, every)
    return False
