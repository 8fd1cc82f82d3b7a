"""Costly values that all threads of a launch compute alike, or that all blocks do: what the host, or one
kernel before, could compute once.
"""

from collections.abc import Iterator
from enum import Enum
from itertools import zip_longest

from msgspec import Struct

from cudalint.analyses.device_code import Body, DeviceCode
from cudalint.analyses.equality_conditions import picks
from cudalint.analyses.instructions import instructions_of
from cudalint.analyses.kernel_queries import is_memory, root_of
from cudalint.analyses.launch_constants import kernels_of
from cudalint.analyses.launch_invariants import NOTHING, VARYING, Source, Sources, sources
from cudalint.analyses.stepping import varies
from cudalint.analyses.trip_counts import constant_trips, counter, unrolled
from cudalint.analyses.unused import is_unused
from cudalint.analyses.varying import private
from cudalint.cuda import effects
from cudalint.cuda.maths import base, floating
from cudalint.gpu.functions import Instructions, instructions
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Pointer, Scalar, Type
from cudalint.ir.walk import Node, find, kept, walk
from cudalint.source.span import Span

_COSTLY = 7  # instructions of a call from which on a load of its result takes fewer
_SEVERAL = 8  # iterations with costly calls, from which on one thread could do them for its block
_ARITHMETIC = ("+", "-", "*", "/")
_LONG = 32  # iterations of a loop from which on the threads of a block could share it


class Alike(Enum):
    """Who computes the same."""

    THREADS = "every thread computes"
    BLOCKS = "every block computes"
    WITHIN = "every thread of a block computes"
    FEW = "threads compute again and again"


class RepeatedValue(Struct, frozen=True):
    """A call, or an assignment of a loop that computes nothing else: then `loop`. place: what it is executed
    with, or the loop that the compiler takes it out of; depth: loops that it stays in; source: what it is
    made of.
    """

    node: e.Expression
    place: Node
    depth: int
    alike: Alike
    source: Source
    loop: s.Loop | None = None

    @property
    def span(self) -> Span:
        return self.node.span


def repeated_values(body: Body, code: DeviceCode) -> Iterator[RepeatedValue]:
    """Of one function: whole loops, and the calls in none of these."""
    candidates = [loop for loop in body.of(s.Loop) if not _does_more(loop)]
    calls = [call for call in body.of(e.Call) if _is_costly(call) and not _in_costly(call, body)]
    if not candidates and not calls:
        return
    known = [sources(code.unit, kernel) for kernel in kernels_of(code.unit, body.function)]
    if not known:
        return
    alike = {id(loop): _computes_alike(loop, body, known) for loop in candidates}
    loops = [loop for loop in candidates if alike[id(loop)] is not None]
    whole = [loop for loop in loops if not any(outer in loops for outer in body.loops(loop))]
    for loop in whole:
        yield from _of_loop(loop, body, known, alike[id(loop)] or Alike.THREADS)
    inside = {id(part) for loop in whole for part in walk(loop)}
    for call in calls:
        if id(call) not in inside:
            found = _of_call(call, body, known)
            if found is not None and not is_unused(call, body, code):
                yield found


def _of_call(call: e.Call, body: Body, known: list[Sources]) -> RepeatedValue | None:
    source = source_of(_inputs(call), known)
    alike = alike_of(source)
    if alike is None or _is_folded(call, source, body) or is_for_few(call, body):
        return None
    inside = list(body.loops(call))
    loop = next((at for at in inside if any(varies(part, at, body) for part in _inputs(call))), None)
    if loop is None and alike is not Alike.THREADS:
        return None  # once a thread: a load would take about as long
    left = inside[: inside.index(loop)] if loop is not None else inside
    return RepeatedValue(call, left[-1] if left else call, len(inside) - len(left), alike, source)


def _of_loop(loop: s.Loop, body: Body, known: list[Sources], alike: Alike) -> Iterator[RepeatedValue]:
    """The first variable that it leaves changed."""
    own = {part.variable.id for part in find(loop, s.Declare)}
    for node in find(loop.body, e.Assign):
        variable = private(node.target)
        if variable is not None and variable.id not in own:
            depth = sum(1 for _ in body.loops(node))
            yield RepeatedValue(node, node, depth, alike, source_of((node.value,), known), loop)
            return


@kept
def _does_more(loop: s.Loop) -> bool:
    """Whether a loop may do more than give variables values."""
    return (
        bool(find(loop, s.Opaque, s.Return, e.Unknown, e.Lambda, e.Construct))
        or any(private(node.target) is None or is_memory(node.target) for node in find(loop, e.Assign))
        or not all(
            base(node.name) or effects.is_pure(node.name) or node.name in effects.LOADS
            for node in find(loop, e.Call)
        )
    )


def _computes_alike(loop: s.Loop, body: Body, known: list[Sources]) -> Alike | None:
    """Whether the values that a loop gives to variables are the same in all threads, or in those of a block:
    from calls of the mathematics library, for all threads from a table among the arguments or in constant
    memory, or, where it counts to what is not known, from divisions and memory that the kernel only reads.
    """
    trips = constant_trips(loop)
    if is_for_few(loop, body) or (trips is not None and trips < 2):
        return None
    costs = calls = works = changes = copies = False
    source = NOTHING
    for node in find(loop, e.Assign, e.Call, e.Index, e.Dereference, e.Binary):
        match node:
            case e.Assign(target=target):
                changes = changes or node is not loop.step
                copies = copies or isinstance(target, e.Index)
                source |= source_of((node.value, target), known)
            case e.Call():
                calls = calls or _is_costly(node)
            case e.Index(base=table) if not isinstance(table.type, Pointer):
                root = root_of(table)
                costs = costs or (root is not None and root.storage in ("constant", "parameter"))
            case e.Index() | e.Dereference() | e.Binary(operator="%" | "/"):
                works = True
    if loop.condition is not None:
        source |= source_of((loop.condition,), known) & (VARYING | Source.FEW)
    within = bool(source & Source.BLOCK)
    alike = Alike.WITHIN if within and not source & Source.THREAD else alike_of(source & ~Source.BLOCK)
    copies = copies and not (_makes_numbers(loop) and _stays(loop, body))
    works = works or (bool(source & Source.ARGUMENT) and _makes_numbers(loop))
    long = counter(loop) is not None and (trips is None or trips >= _LONG)
    if not changes or source & (Source.DATA | Source.FEW) or alike not in (Alike.THREADS, Alike.WITHIN):
        return None
    if calls and within and (trips is None or trips >= _SEVERAL):
        return alike
    if unrolled(loop):
        return None
    if (calls or costs) and not within:
        return alike
    return alike if works and long and not copies else None


def _makes_numbers(loop: s.Loop) -> bool:
    """Whether it fills arrays of the thread with what it computes in floating point from round to round, such
    as `table[k] = p; p *= q;`.
    """
    assigned = find(loop.body, e.Assign)
    fills = [node for node in assigned if node.operator is None and isinstance(node.target, e.Index)]
    return bool(fills) and any(
        floating(part.type)
        for node in assigned
        for part in ((node,) if node.operator is not None else walk(node.value))
        if isinstance(part, e.Assign | e.Binary) and part.operator in _ARITHMETIC
    )


def _stays(loop: s.Loop, body: Body) -> bool:
    """Whether nothing else may write the arrays that it fills."""
    inside = {id(part) for part in walk(loop)}
    filled = {
        root.id
        for node in find(loop.body, e.Assign)
        if isinstance(node.target, e.Index)
        if (root := private(node.target)) is not None
    }
    written = [node.target for node in body.of(e.Assign) if id(node) not in inside]
    written += [node.operand for node in body.of(e.AddressOf)]
    for node in (*body.of(e.Call), *body.of(e.Construct)):
        assert isinstance(node, e.Call | e.Construct)
        called = body.callees.get(node.key or "")
        kinds = [one.type for one in called.function.parameters] if called is not None else []
        pairs = zip_longest(node.arguments, kinds[: len(node.arguments)])
        written += [part for part, kind in pairs if not _is_const(kind)]
    return not any(root.id in filled for part in written if (root := root_of(part)) is not None)


def _is_const(kind: Type | None) -> bool:
    """Whether a parameter lets the called function read only."""
    return isinstance(kind, Scalar) or (isinstance(kind, Pointer) and kind.const)


def _inputs(call: e.Call) -> tuple[e.Expression, ...]:
    """The arguments that are no places for results."""
    return tuple(part for part in call.arguments if not isinstance(part, e.AddressOf))


def source_of(parts: tuple[e.Expression, ...], known: list[Sources]) -> Source:
    """In all kernels that come to it."""
    found = NOTHING
    for one in known:
        for part in parts:
            found |= one.of(part)
    return found


def alike_of(source: Source) -> Alike | None:
    """None: of no argument, so that the compiler may fold it, or different in all threads."""
    if source & (Source.DATA | Source.BLOCK) or not source & (Source.ARGUMENT | Source.LOOP | Source.FEW):
        return None
    if source & Source.THREAD:
        return Alike.BLOCKS
    return Alike.FEW if source & Source.FEW else Alike.THREADS


def _is_costly(call: e.Call) -> bool:
    cost = cost_of(call)
    return bool(base(call.name)) and cost is not None and cost.all >= _COSTLY


def cost_of(call: e.Call) -> Instructions | None:
    """Of one call of the mathematics library; in double no fewer than in float, where there is no number."""
    return instructions_of(call) or instructions(base(call.name), 4)


def _in_costly(call: e.Call, body: Body) -> bool:
    """Whether it is an argument of another such call, which then stands for both."""
    return any(isinstance(above, e.Call) and _is_costly(above) for above in body.ancestors(call))


def _is_folded(call: e.Call, source: Source, body: Body) -> bool:
    """Whether unrolling leaves constants only."""
    if source & (Source.ARGUMENT | Source.THREAD | Source.FEW):
        return False
    return all(unrolled(loop) for loop in body.loops(call))


def is_for_few(node: Node, body: Body) -> bool:
    """Whether an equality picks those that come to it."""
    return any(isinstance(above, s.If) and picks(above.condition) for above in body.ancestors(node))
