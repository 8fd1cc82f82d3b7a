"""Loops that wait for a word of global memory: they read it again and again, and do nothing else.

A word is read anew each time where it is volatile, or through an atomic that leaves it as it is. A loop that
tries to take a lock (a compare-and-swap or an exchange that changes the word) is none: who holds a lock runs,
and gives it back. Nor is one that waits for a word that only comes after the wait to be written by those who
wait, as the number of a ticket lock does.
"""

from msgspec import Struct

from cudalint.analyses.kernel_queries import reachable, root_of
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, find, kept, walk
from cudalint.simt.facts.fact import Fact, KernelRuns
from cudalint.simt.launch.configuration import Configuration
from cudalint.simt.launch.kernel_run import Run
from cudalint.simt.threads.global_log import GlobalLog, LoggedAccess, meet, thread_of
from cudalint.simt.values.samples import Samples
from cudalint.simt.values.thread import Thread
from cudalint.source.span import Span

_FRESH_LOADS = frozenset(("__ldcg", "__ldcv", "__nv_atomic_load_n"))
_KEEPING = {"atomicAdd": 0, "atomicSub": 0, "atomicOr": 0, "atomicXor": 0}  # with this operand
_IDLE = frozenset(
    """
    __nanosleep __threadfence __threadfence_block __threadfence_system __syncwarp __activemask clock clock64
    printf min max
    """.split()
)


class SpinLoop(Struct, frozen=True):
    """A loop that ends only when another block has changed a word of global memory."""

    span: Span
    read: Span  # where the loop reads the word
    expression: str
    change: Span  # where the kernel changes such words
    waiting: Thread  # a thread that waits
    buffer: str
    kernel: str
    configuration: Configuration


class WaitingLoop(Struct, frozen=True):
    """A loop that reads a word until it changes."""

    loop: s.Loop
    reads: tuple[Span, ...]  # of the expressions that read the word

    @property
    def span(self) -> Span:
        return self.loop.condition.span if self.loop.condition is not None else self.loop.span


def waiting_loops(unit: Unit, function: Function) -> list[WaitingLoop]:
    """The loops of a kernel and what it calls that may do nothing but wait."""
    loops = []
    for current in reachable(unit, function):
        for node in find(current.body, s.Loop):
            if reads := _awaited(node):
                loops.append(WaitingLoop(node, reads))
    return loops


@kept
def _awaited(loop: s.Loop) -> tuple[Span, ...]:
    """The reads of a loop that only they can end; none where it does other work or counts."""
    parts = [part for part in (loop.condition, loop.step, loop.body) if part is not None]
    nodes = [node for part in parts for node in walk(part)]
    reads = [node for node in nodes if _reads_anew(node)]
    if not reads or not all(_is_idle(node) for node in nodes):
        return ()
    tested = [loop.condition] if loop.condition is not None else []
    tested += [node.condition for node in nodes if isinstance(node, s.If) and _ends(node)]
    changed = {v.id for node in nodes if (v := _changed(node)) is not None}
    fed = {v.id for node in nodes if (v := _changed(node)) is not None and _feeds(node)}
    used = {part.variable.id for condition in tested for part in find(condition, e.VariableReference)}
    direct = any(_reads_anew(part) for condition in tested for part in walk(condition))
    ends = used & changed <= fed and (direct or used & fed)
    return tuple(read.span for read in reads) if ends else ()


def _reads_anew(node: Node) -> bool:
    """Whether the expression reads memory anew each time, and leaves it as it is."""
    match node:
        case e.Index(base=base):
            return getattr(base.type, "volatile", False)
        case e.Dereference(pointer=pointer):
            return getattr(pointer.type, "volatile", False)
        case e.VariableReference(variable=variable):
            return variable.volatile and variable.storage in ("device", "managed")
        case e.Call(name=name, arguments=arguments) if name in _FRESH_LOADS:
            return bool(arguments)
        case e.Call(name=name, arguments=(_, value)):
            plain = name.removesuffix("_system").removesuffix("_block")
            return plain in _KEEPING and _number(value) == _KEEPING[plain]
        case e.Call(name="atomicCAS" | "atomicCAS_system", arguments=(_, old, new)):
            return _number(old) is not None and _number(old) == _number(new)
        case _:
            return False


def _number(node: e.Expression) -> int | float | None:
    while isinstance(node, e.Cast):
        node = node.operand
    return node.value if isinstance(node, e.Literal) and not isinstance(node.value, str) else None


def _is_idle(node: Node) -> bool:
    """Whether a part of a loop changes nothing but private variables."""
    match node:
        case e.Call(name=name):
            return name in _IDLE or _reads_anew(node)
        case e.Assign(target=target):
            root = root_of(target)
            plain = isinstance(target, e.VariableReference)
            return plain and root is not None and root.storage in ("local", "parameter")
        case s.Return() | s.Opaque() | e.Unknown() | e.Construct() | e.Launch() | e.Lambda():
            return False
        case _:
            return True


def _ends(node: s.If) -> bool:
    """Whether one of the arms leaves the loop."""
    return bool(find(node, s.Break))


def _changed(node: Node) -> e.Variable | None:
    """The private variable that a part of a loop gives a value."""
    match node:
        case e.Assign(target=e.VariableReference(variable=variable)):
            return variable
        case s.Declare(variable=variable, initial=initial) if initial is not None:
            return variable
        case _:
            return None


def _feeds(node: Node) -> bool:
    """Whether the value comes from a read of the word."""
    match node:
        case e.Assign(value=value, operator=None) | s.Declare(initial=value) if value is not None:
            return any(_reads_anew(part) for part in walk(value))
        case _:
            return False


def _conclude(kernel: KernelRuns) -> tuple[tuple[SpinLoop, ...]]:
    """The loops that wait for another block, as what they read and what the kernel writes shows."""
    found: dict[object, SpinLoop] = {}
    function = kernel.function
    loops = waiting_loops(kernel.unit, function)
    for run in kernel.runs if loops else ():
        for touches in run.seen(GlobalLog).by_memory():
            for loop in loops:
                wait = _wait(run, function, loop, touches)
                if wait is not None:
                    found.setdefault(loop.span, wait)
    return (tuple(found.values()),)


def _wait(run: Run, function: Function, loop: WaitingLoop, touches: list[LoggedAccess]) -> SpinLoop | None:
    samples = run.machine.state.samples
    reads = [t for t in touches if t.node.span in loop.reads]
    changes = [t for t in touches if t.operation != "load" and t.node.span not in loop.reads]
    for read in reads:
        if read.chance or any(change.chance for change in changes):
            continue
        change = _by_others(samples, read, changes)
        if change is not None:
            return SpinLoop(
                span=loop.span,
                read=read.node.span,
                expression=render(read.node),
                change=change.node.span,
                waiting=thread_of(samples, int(read.mask.argmax())),
                buffer=read.memory.name,
                kernel=function.name,
                configuration=run.plan.configuration,
            )
    return None


def _by_others(samples: Samples, read: LoggedAccess, changes: list[LoggedAccess]) -> LoggedAccess | None:
    """A change of the word that is waited for, by another block: one that the reader's block does not make,
    or that it made too, before it waits, as all blocks do that come to a barrier of the grid. What it makes
    itself afterwards may be the reset of a word that a neighbour sets elsewhere in the source.
    """
    own = other = alone = None
    for change in changes:
        met = meet(samples, read, change, sure=False)
        same = samples.sample[met.first] == samples.sample[met.second]
        if same.any() and (own is None or change.order < own.order):
            own = change
        if (~same).any():
            other = other or change
            alone = alone or (change if not same.any() else None)
    return alone if own is not None and own.order > read.order else other


FACT = Fact(of=(SpinLoop,), conclude=_conclude, watch=(GlobalLog,))
