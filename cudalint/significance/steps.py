"""Steps that a block takes one after the other: the loop of a thread that works alone, and the rounds of a
tree with a barrier in each.

Clocks are those of devices since sm_70: about 4 for an instruction that waits for the one before it, 23 to 30
for a load from shared memory and 200 to 700 for one from global memory; the microbenchmarks of Jia and others
(arXiv:1804.06826) and of the CUDA programming guide's latency section agree on these.
"""

from collections.abc import Iterator

from cudalint.analyses.executed_with import roots
from cudalint.analyses.kernel_queries import is_memory, reachable, root_of
from cudalint.analyses.shared_trees import SharedTree
from cudalint.analyses.trip_counts import uncast
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Pointer
from cudalint.ir.unit import Unit
from cudalint.ir.walk import Node, walk
from cudalint.significance.impact import Basis
from cudalint.significance.saving import Chain, Saving
from cudalint.significance.statement_costs import statement_cost

_INSTRUCTION = (2.0, 5.0)
_SHARED = (8.0, 30.0)  # the least: several loads of an iteration, or of those that are unrolled, overlap
_GLOBAL = (60.0, 600.0)
_TEAM = 128  # threads that a kernel of one thread could have
_SPARED = (0.5, 1.0)  # of the steps that the other threads take over: what they have to agree on takes time


def of_one_thread(
    loop: s.Loop, unit: Unit, threads: int, iterations: int | None, longer: float = 1.0, busy: int = 1
) -> Saving:
    """What it saves to share out the iterations of a loop that one thread of a block runs. threads: of the
    block; iterations: where they are known; longer: times as many as a run made, at most; busy: threads that
    run the loop, each its own.
    """
    team = min(threads // busy if threads > 1 else _TEAM, iterations or _TEAM)
    least, most = ((1 - 1 / team) * part for part in _SPARED)
    return Saving(
        Basis.LATENCY,
        chains=tuple(
            Chain(one, _clocks(one, longer), (least, most), alone=True)
            for one in _statements(loop.body, unit)
        ),
    )


def _statements(body: s.Statement, unit: Unit) -> Iterator[s.Statement]:
    """All that the body and what it calls are made of."""
    nodes = list(walk(body))
    keys = {part.key for part in nodes if isinstance(part, e.Call | e.Construct)}
    called = [f for key in keys if (start := unit.defined(key)) is not None for f in reachable(unit, start)]
    bodies = {one.key: one.body for one in called if one.body is not None}
    nodes += [node for held in bodies.values() for node in walk(held)]
    yield from (node for node in nodes if isinstance(node, s.Statement))


def _clocks(node: s.Statement, longer: float = 1.0) -> tuple[float, float]:
    """Of one execution; at most of so many."""
    instructions = statement_cost(node).all
    sent = {id(place) for place in _sent(node)}
    parts = [part for root, _ in roots(node) for part in walk(root) if id(part) not in sent]
    shared = sum(_loads(part, "shared") for part in parts)
    far = sum(_loads(part, "global") for part in parts)
    least, most = (
        instructions * _INSTRUCTION[end] + shared * _SHARED[end] + far * _GLOBAL[end] for end in (0, 1)
    )
    return least, most * longer


def _sent(node: s.Statement) -> Iterator[e.Expression]:
    """Places that nothing waits for: of a store, and of an atomic whose result is not used."""
    match node:
        case s.Evaluate(expression=e.Assign(target=target, operator=None)):
            yield uncast(target)
        case s.Evaluate(expression=e.Call(name=name, arguments=(pointer, *_))) if name.startswith("atomic"):
            place = uncast(pointer)
            yield place.operand if isinstance(place, e.AddressOf) else place


def _loads(node: Node, space: str) -> bool:
    """Whether it names an element in shared memory, or one that a pointer leads to."""
    if not isinstance(node, e.Index | e.Dereference) or not is_memory(node):
        return False
    root = root_of(node)
    shared = root is not None and root.storage == "shared"
    pointed = root is not None and isinstance(root.type, Pointer)
    return shared if space == "shared" else pointed and not shared


# --- trees ---

_ROUND = (40.0, 90.0)  # a load from shared memory, an addition, a store, the loop's own instructions
_BARRIER = (20.0, 50.0)
_SHUFFLED = (350.0, 250.0)  # two levels of shuffles, at most ten, with a barrier between them and one after
_ROUNDS = 8  # where nobody knows how many


def of_tree(tree: SharedTree, rounds: int | None) -> Saving:
    """What shuffles save of the rounds of a reduction or scan."""
    count = rounds or _ROUNDS
    least, most = (_ROUND[end] + tree.barriers * _BARRIER[end] for end in (0, 1))
    low, high = max(0.0, 1 - _SHUFFLED[0] / (count * least)), max(0.0, 1 - _SHUFFLED[1] / (count * most))
    return Saving(
        Basis.LATENCY,
        chains=tuple(Chain(step, (least, most), (low, high), alone=False) for step in tree.steps),
    )
