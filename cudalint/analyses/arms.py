"""What the ways of a branch hold."""

from cudalint.analyses.instructions import LOOPED, cost, own_cost
from cudalint.analyses.kernel_queries import is_memory, reachable
from cudalint.analyses.once import once
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.types import Pointer, Scalar
from cudalint.ir.unit import Unit
from cudalint.ir.walk import Node, children, find, walk

_PLAIN = (e.Binary, e.Unary, e.Cast, e.Literal, e.VariableReference, e.Builtin)


@once
def arms(unit: Unit, statement: e.Expression | s.Statement) -> tuple[int, int]:
    """Operations in each arm, with those of the functions that it calls; of a switch those of its two longest
    cases.
    """
    match statement:
        case s.If(then=left, otherwise=right) | e.Conditional(then=left, otherwise=right):
            return _full(unit, left), _full(unit, right)
        case s.Loop(body=body):
            return _full(unit, body), 0
        case s.Switch():
            first, second, *_ = [*sorted(cases(unit, statement).values(), reverse=True), 0, 0]
            return first, second
        case _:
            return 0, 0


@once
def guarded(unit: Unit, statement: e.Expression | s.Statement) -> tuple[int, int]:
    """Operations in each arm that have to stand under the branch: not what both compute alike, which is done
    before it, nor what a parameter may leave out.
    """
    if isinstance(statement, s.If):
        plain = _plain(statement)
        both = statement.otherwise is not None
        shared = _texts(statement.then, plain) & _texts(statement.otherwise, plain) if both else frozenset()
        then, otherwise = statement.then, statement.otherwise
        return (
            _arm(then, shared, plain) + _called(unit, then),
            _arm(otherwise, shared, plain) + _called(unit, otherwise),
        )
    return arms(unit, statement)


@once
def cases(unit: Unit, node: s.Switch) -> dict[int, int]:
    """Operations of each case, from its label to the next one, by the index of its first statement."""
    starts = sorted({case.index for case in node.cases})
    ends = [*starts[1:], len(node.body)]
    return {a: sum(_full(unit, b) for b in node.body[a:z]) for a, z in zip(starts, ends, strict=True)}


def _full(unit: Unit, way: Node | None) -> int:
    """Operations of a way and of the functions that it calls."""
    return cost(way) + _called(unit, way)


def _called(unit: Unit, way: Node | None) -> int:
    """Operations of the functions that a way calls, each counted once."""
    keys = {part.key or "" for part in find(way, e.Call, e.Construct)}
    called = {id(f): f for key in keys & unit.functions.keys() for f in reachable(unit, unit.functions[key])}
    return sum(cost(function.body) for function in called.values())


def _arm(node: s.Statement | None, shared: frozenset[str], plain: frozenset[int]) -> int:
    """Operations of an arm. One that does nothing but store a value is a predicated instruction, and where it
    goes is computed before it without a branch.
    """
    only = node
    while isinstance(only, s.Block) and len(only.body) == 1:
        only = only.body[0]
    match only:
        case s.Evaluate(expression=e.Assign(target=target, value=value)) if is_memory(target):
            return 1 + cost(value) + (cost(target) if _calls(target) else 0)
        case s.Opaque(operands=operands, text=text) if text:
            return text.count(";") + sum(cost(part) for part in operands if _calls(part) or not _place(part))
        case _:
            return _sure(node, set(shared), plain)


def _sure(node: Node | None, known: set[str], plain: frozenset[int]) -> int:
    """As `cost`, each plain number computed once, and of arms that a parameter chooses the shorter one."""
    if node is None:
        return 0
    if isinstance(node, e.Binary) and id(node) in plain:
        text = render(node)
        if text in known:
            return 0
        known.add(text)
    if isinstance(node, s.If) and _of_parameters(node.condition):
        return min(_sure(node.then, set(known), plain), _sure(node.otherwise, set(known), plain))
    inner = sum(_sure(child, known, plain) for child in children(node))
    return own_cost(node) + inner * (LOOPED if isinstance(node, s.Loop) else 1)


def _texts(node: s.Statement | None, plain: frozenset[int]) -> frozenset[str]:
    """The plain numbers that a statement computes."""
    return frozenset(render(part) for part in find(node, e.Binary) if id(part) in plain)


def _plain(statement: s.Statement) -> frozenset[int]:
    """Expressions, by identity, of constants and of variables that nothing in the statement changes."""
    changed = _changed(statement)
    plain: set[int] = set()
    for node in reversed(find(statement, *_PLAIN)):
        fixed = not (isinstance(node, e.VariableReference) and node.variable.id in changed)
        if fixed and all(id(part) in plain for part in children(node)):
            plain.add(id(node))
    return frozenset(plain)


def _changed(statement: s.Statement) -> frozenset[int]:
    """Variables that the statement declares, assigns, or lets others change."""
    found: set[int] = set()
    for node in find(statement, s.Declare, e.Assign, e.AddressOf, e.Call):
        match node:
            case s.Declare(variable=variable):
                found.add(variable.id)
            case (
                e.Assign(target=e.VariableReference(variable=variable))
                | e.AddressOf(operand=e.VariableReference(variable=variable))
            ):
                found.add(variable.id)
            case e.Call(arguments=arguments):
                found.update(a.variable.id for a in arguments if isinstance(a, e.VariableReference))
    return frozenset(found)


def _of_parameters(condition: e.Expression) -> bool:
    """Whether the same is chosen for all threads of a launch."""
    names = find(condition, e.VariableReference)
    return (
        bool(names)
        and all(isinstance(part, _PLAIN) and not isinstance(part, e.Builtin) for part in walk(condition))
        and all(name.variable.storage == "parameter" and name.variable.const for name in names)
    )


def _calls(node: e.Expression) -> bool:
    return bool(find(node, e.Call))


def _place(node: e.Expression) -> bool:
    """Whether the operand may be an address."""
    kind = node.type
    return isinstance(kind, Pointer) or (isinstance(kind, Scalar) and kind.kind in ("signed", "unsigned"))
