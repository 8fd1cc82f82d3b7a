"""How many instructions the compiler makes of the statements of a kernel."""

from cudalint.analyses.executed_with import homes, roots
from cudalint.analyses.instructions import instructions_of
from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.once import once
from cudalint.analyses.trip_counts import unrolled
from cudalint.cuda.effects import QUEUED
from cudalint.cuda.maths import floating
from cudalint.gpu.functions import Instructions
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, find, kept, walk
from cudalint.simt.requests.work import work as counted_work

_QUEUE = 3000  # instructions that fit in what a thread waits for the heap or the buffer of what is printed
# A call whose body nobody sees; and one of the mathematics library in double without a row in
# gpu/functions.py, whose known rows have 28 to 75 instructions, a quarter to a third of them in double.
_UNKNOWN_CALL = Instructions(20)
UNKNOWN_DOUBLE = Instructions(60, 16)
_LOOP = 3  # instructions of an iteration: step, comparison, branch


@once
def costs(unit: Unit, function: Function) -> dict[int, Instructions]:
    """Instructions of each statement of the kernel and of what it calls, by identity."""
    statements = {id(home): home for home in homes(unit, function).values()}
    found = {key: statement_cost(home) for key, home in statements.items()}
    for loop in _loops(unit, function):
        if not unrolled(loop):
            body = found.get(id(loop.body), Instructions(0))
            found[id(loop.body)] = Instructions(body.all + _LOOP, body.double, body.special)
    return found


def _loops(unit: Unit, function: Function) -> list[s.Loop]:
    return [node for current in reachable(unit, function) for node in find(current.body, s.Loop)]


@kept
def statement_cost(node: s.Statement) -> Instructions:
    """Of one execution of a statement's own expressions; of index arithmetic what is not done by the way.
    Conversions between float and double are counted with the special functions: both have 16 results a clock.
    """
    known = counted_work(node)
    calls = (part for root, _ in roots(node) for part in find(root, e.Call))
    if any(call.name in QUEUED for call in calls):
        return Instructions(_QUEUE)
    if known is None:
        return _unknown(node)
    heavy = [
        one.all
        for root, _ in roots(node)
        for part in find(root, e.Index)
        for inner in walk(part.index)
        if (one := instructions_of(inner)) is not None and one.all > 1
    ]
    plain, converted = int(known.all + known.conversions), int(known.conversions + len(known.widened))
    return Instructions(plain + sum(heavy), int(known.double), int(known.special) + converted)


def _unknown(node: s.Statement) -> Instructions:
    """Of a statement with calls that nobody sees into."""
    parts = [part for root, _ in roots(node) for part in walk(root)]
    found = [instructions_of(part) or of_unknown(part) for part in parts]
    return Instructions(
        sum(one.all for one in found), sum(one.double for one in found), sum(one.special for one in found)
    )


def of_unknown(node: Node) -> Instructions:
    """Of a call whose instructions are not known."""
    double = isinstance(node, e.Call) and any(floating(a.type, 8) for a in node.arguments)
    return UNKNOWN_DOUBLE if double else _UNKNOWN_CALL
