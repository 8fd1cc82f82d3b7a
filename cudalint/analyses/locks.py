"""Which loops wait for a word of memory that other threads change (a lock, a flag), and which branches are
for the threads that such a word lets pass: holders of a lock, the last block to arrive.

A loop round a compare-and-swap whose expected value is renewed each time only emulates an atomic update: it
waits for nobody, and its plain load of the word races with nobody. Nor does a loop wait for others that
stores a word until it finds there what it has stored.
"""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.analyses import kernel_queries
from cudalint.analyses.once import once
from cudalint.cuda import assembly, effects
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.types import Record
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, children, find, kept, walk

_READS = frozenset(("__ldcg", "__ldcv", "__nv_atomic_load_n"))
_TAKES = ("atomicCAS", "atomicExch", "__nv_atomic_exchange", "__nv_atomic_compare_exchange")
_MEMBERS = frozenset(
    """
    load exchange compare_exchange_weak compare_exchange_strong test test_and_set try_acquire try_wait
    try_wait_parity
    """.split()
)
_DEPTH = 4  # of calls that are looked into

_COMPARED = ("==", "!=", "<", "<=", ">", ">=")

_Name = int | str | None  # of a variable by identity, of an element as it is written
_Told = set[_Name]


class Study(Struct, frozen=True):
    """Of one function, by identity: its loops that wait, its branches on what an atomic told, and its loads
    of words that a loop updates by compare-and-swap.
    """

    loops: frozenset[int]
    branches: frozenset[int]
    loads: frozenset[int]


def leaves(node: s.Statement | None) -> bool:
    """Whether some lanes may leave in it, so that what follows is for the others only."""
    return bool(find(node, s.Return, s.Break, s.Continue))


@once
def study(unit: Unit, function: Function) -> Study:
    """Look through a function's body."""
    if function.body is None:
        return Study(frozenset(), frozenset(), frozenset())
    branches, loads = _seen(function.body)
    return Study(
        frozenset(id(loop) for loop in find(function.body, s.Loop) if _waits(unit, loop)), branches, loads
    )


@kept
def _seen(body: s.Block) -> tuple[frozenset[int], frozenset[int]]:
    """The branches and the loads."""
    nodes = list(walk(body))
    if not any(isinstance(node, e.Call | s.Opaque) or kernel_queries.is_volatile(node) for node in nodes):
        return frozenset(), frozenset()
    loops, told = find(body, s.Loop), _told(nodes)
    held = {id(part) for loop in loops for part in find(loop.body, s.If)}
    branches = (node for node in find(body, s.If) if _is_told(node.condition, told, id(node) in held))
    return frozenset(map(id, branches)), frozenset(_updated(loops, nodes))


# --- loops that wait ---


def _waits(unit: Unit, loop: s.Loop) -> bool:
    return any(_polls(unit, node, _DEPTH) for node in _awaited(loop))


@kept
def _awaited(loop: s.Loop) -> tuple[Node, ...]:
    """What the loop hangs on, where it may wait for others."""
    if any(part.name in effects.WAITING for part in find(loop.body, e.Call)):
        return ()
    exits = list(_exits(loop))
    swaps = [part for node in (*exits, loop.body) for part in find(node, e.Call) if _is_swap(part)]
    if any(_renews(loop, swap) for swap in swaps) or any(_is_own(node, loop) for node in exits):
        return ()
    used = {part.variable.id for node in exits for part in find(node, e.VariableReference)}
    return (*exits, *_behind(loop.body, used, ()))


def _exits(loop: s.Loop) -> Iterator[e.Expression]:
    """The conditions that the loop ends by."""
    if loop.condition is not None:
        yield loop.condition
    for part in find(loop.body, s.If):
        if any(find(arm, s.Break, s.Return) for arm in (part.then, part.otherwise) if arm):
            yield part.condition


def _is_own(exit: e.Expression, loop: s.Loop) -> bool:
    """Whether the loop ends when a word holds what each round of it stores there: it waits for nobody."""
    exit = _bare(exit)
    if not isinstance(exit, e.Binary) or exit.operator != "!=" or not isinstance(loop.body, s.Block):
        return False
    stored = {
        frozenset((render(_bare(each.expression.target)), render(_bare(each.expression.value))))
        for each in loop.body.body
        if isinstance(each, s.Evaluate)
        and isinstance(each.expression, e.Assign)
        and each.expression.operator is None
    }
    return frozenset((render(_bare(exit.left)), render(_bare(exit.right)))) in stored


def _behind(node: Node, used: set[int], conditions: tuple[e.Expression, ...]) -> Iterator[Node]:
    """What is assigned to the variables, and the conditions under which it is."""
    match node:
        case e.Assign(target=e.VariableReference(variable=variable), value=value) if variable.id in used:
            yield value
            yield from conditions
        case s.Declare(variable=variable, initial=initial) if variable.id in used and initial is not None:
            yield initial
            yield from conditions
        case s.Opaque(operands=operands):
            if any(isinstance(o, e.VariableReference) and o.variable.id in used for o in operands):
                yield node
        case s.If(condition=condition):
            conditions = (*conditions, condition)
    for child in children(node):
        yield from _behind(child, used, conditions)


def _polls(unit: Unit, node: Node, depth: int) -> bool:
    """Whether evaluating it reads a word that others change, and changes nothing but to take a lock."""
    return any(_is_poll(unit, part, depth) for part in walk(node))


def _is_poll(unit: Unit, part: Node, depth: int) -> bool:
    match part:
        case s.Opaque(text=text):
            return assembly.polls(text)
        case e.Call(name=name, receiver=receiver) if receiver is not None and name in _MEMBERS:
            return isinstance(receiver.type, Record) and _is_shared_word(receiver.type.name)
        case e.Call(name=name, arguments=arguments) if name.startswith(effects.ATOMIC_PREFIXES):
            return name in _READS or _is_swap(part) or _is_take(part) or _is_zero(arguments)
        case e.Call(name=name, key=key):
            function = unit.functions.get(key) if key else None
            body = function.body if function is not None else None
            return name in _READS or (body is not None and depth > 0 and _polls(unit, body, depth - 1))
        case e.Index() | e.Dereference() | e.Member() | e.VariableReference():
            return kernel_queries.is_volatile(part) and kernel_queries.is_memory(part)
        case _:
            return False


def _is_shared_word(name: str) -> bool:
    return any(word in name for word in ("atomic", "semaphore", "latch", "barrier"))


def _is_swap(part: Node) -> bool:
    return isinstance(part, e.Call) and part.name.startswith("atomicCAS") and len(part.arguments) == 3


def _is_take(part: e.Call) -> bool:
    """An exchange that puts a constant there: the word is a lock."""
    return part.name.startswith(_TAKES) and len(part.arguments) > 1 and _is_literal(part.arguments[1])


def _is_zero(arguments: tuple[e.Expression, ...]) -> bool:
    """An atomic that changes nothing, as `atomicAdd(p, 0)`: a load."""
    value = _bare(arguments[1]) if len(arguments) == 2 else None
    return isinstance(value, e.Literal) and value.value == 0


# --- branches on what an atomic told ---


def _told(nodes: list[Node]) -> _Told:
    """What holds values that come from atomics."""
    told: set[_Name] = set()
    for _ in range(3):
        before = len(told)
        for node in nodes:
            match node:
                case s.Declare(variable=variable, initial=value) if value is not None:
                    name: _Name = variable.id
                    from_atomics = _from_atomics(value, told)
                case e.Assign(target=target, value=value, operator=None):
                    name, from_atomics = _name(target), _from_atomics(value, told)
                case s.Opaque(text=text, operands=(result, *_)):
                    name, from_atomics = _name(result), assembly.updates(text)
                case _:
                    continue
            if from_atomics:
                told.add(name)
        if len(told) == before:
            break
    return told - {None}


def _name(node: e.Expression) -> _Name:
    """What an lvalue is known by: a variable, or an element as it is written."""
    node = _bare(node)
    if isinstance(node, e.VariableReference):
        return node.variable.id
    return render(node) if isinstance(node, e.Index | e.Dereference | e.Member) else None


def _from_atomics(node: e.Expression, told: _Told) -> bool:
    return any(
        (isinstance(part, e.Call) and part.name.startswith("atomic")) or _name(part) in told
        for part in find(node, e.Call, e.VariableReference, e.Index, e.Dereference, e.Member)
    )


def _is_told(condition: e.Expression, told: _Told, in_loop: bool) -> bool:
    """Whether the condition asks an atomic's result for one number, or for the last one, or in a loop for a
    lock.
    """
    if any(_name(part) in told for part in _truths(condition)):
        return True
    for part in walk(condition):
        match part:
            case e.Binary(operator=operator, left=left, right=right) if operator in _COMPARED:
                exact = operator in ("==", "!=") or _is_next(left) or _is_next(right)
                if exact and (_counts(left, told) or _counts(right, told)):
                    return True
            case e.VariableReference() | e.Index() | e.Member():
                root = kernel_queries.root_of(part)
                if root is not None and root.storage == "shared" and _name(part) in told:
                    return True
        if in_loop and isinstance(part, e.Call) and (_is_swap(part) or _is_take(part)):
            return True
    return False


def _truths(condition: e.Expression) -> Iterator[e.Expression]:
    """What a condition asks to be true or false as it is."""
    match _bare(condition):
        case e.Unary(operator="!", operand=operand):
            yield from _truths(operand)
        case e.Binary(operator="&&" | "||", left=left, right=right):
            yield from _truths(left)
            yield from _truths(right)
        case other:
            yield other


def _is_next(node: e.Expression) -> bool:
    """Whether it is one more or less than something, as in `arrived + 1 < blocks`."""
    node = _bare(node)
    if not isinstance(node, e.Binary) or node.operator not in ("+", "-"):
        return False
    side = _bare(node.right)
    return isinstance(side, e.Literal) and side.value == 1


def _counts(node: e.Expression, told: _Told) -> bool:
    """Whether it is the result of an atomic that counts those who came, or what holds one."""
    node = _bare(node)
    if isinstance(node, e.Call):
        return node.name.startswith(("atomicAdd", "atomicInc", "atomicSub", "atomicDec"))
    if isinstance(node, e.Binary) and node.operator in ("+", "-"):
        return any(_counts(side, told) for side in (node.left, node.right))
    return _name(node) in told


# --- updates by compare-and-swap ---


def _updated(loops: tuple[s.Loop, ...], nodes: list[Node]) -> Iterator[int]:
    """Plain loads of the words that loops update."""
    words = {
        _word(part.arguments[0])
        for loop in loops
        for part in find(loop, e.Call)
        if _is_swap(part) and _renews(loop, part)
    }
    if words:
        for node in nodes:
            if (
                isinstance(node, e.Index | e.Dereference | e.Member | e.VariableReference)
                and render(_bare(node)) in words
            ) or (isinstance(node, e.Dereference) and _word(node.pointer) in words):
                yield id(node)


def _renews(loop: s.Loop, swap: Node) -> bool:
    """Whether the value that a compare-and-swap expects is set anew, to no constant, in each round."""
    assert isinstance(swap, e.Call)
    used = {part.variable.id for part in find(swap.arguments[1], e.VariableReference)}
    for part in find(loop, e.Assign, s.Declare):
        match part:
            case e.Assign(target=e.VariableReference(variable=variable), value=value) if variable.id in used:
                if not _is_literal(value):
                    return True
            case s.Declare(variable=variable, initial=value) if variable.id in used and value is not None:
                if not _is_literal(value):
                    return True
    return False


def _word(pointer: e.Expression) -> str:
    """The lvalue that a pointer names, as it is written."""
    pointer = _bare(pointer)
    if isinstance(pointer, e.AddressOf):
        return render(_bare(pointer.operand))
    return f"*{render(pointer)}"


def _bare(node: e.Expression) -> e.Expression:
    while isinstance(node, e.Cast):
        node = node.operand
    return node


def _is_literal(node: e.Expression) -> bool:
    node = _bare(node)
    if isinstance(node, e.Unary):
        node = _bare(node.operand)
    return isinstance(node, e.Literal)
