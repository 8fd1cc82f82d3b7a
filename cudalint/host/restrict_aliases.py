"""Launches that pass one place of memory for a `__restrict__` parameter and another one, where the kernel
writes.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations

from msgspec import Struct

from cudalint.analyses.index_arithmetic import assigned
from cudalint.analyses.kernel_queries import reachable, root_of
from cudalint.analyses.once import once
from cudalint.analyses.pointer_choices import asked_round, choices, steady
from cudalint.host.facts import Argument, HostFacts, LaunchFact
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.types import Pointer
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, walk

_ACCESSORS = frozenset(
    """get data front back at begin raw_pointer_cast addressof forward move
    operator[] operator-> operator*""".split()
)  # calls that answer the same when they are made again
_CHANGING = (e.Assign, e.Unknown, e.Construct)


class Use(Struct):
    """What a kernel does through one pointer parameter: the places that load and store, and whether each one
    stands alone outside of loops.
    """

    loads: list[str]  # subscripts as they are written
    stores: list[str]
    looped: bool = False


class RestrictAlias(Struct, frozen=True):
    """Two parameters that a launch passes the same pointer for. written: the one that is stored through;
    elementwise: each is accessed once, at the same index. condition: under which they are one, if not always.
    """

    launch: LaunchFact
    written: e.Variable
    other: e.Variable
    passed: str
    elementwise: bool
    condition: str = ""


def restrict_aliases(unit: Unit, host: HostFacts) -> Iterator[RestrictAlias]:
    for launch in host.launches:
        kernel = unit.defined(launch.key)
        if kernel is None or launch.arguments is None or not launch.reached:
            continue
        given = launch.expression.arguments if isinstance(launch.expression, e.Launch) else None
        written_as = given if given is not None else (None,) * len(launch.arguments)
        passed = list(zip(kernel.parameters, launch.arguments, written_as, strict=False))
        pointers = [one for one in passed if isinstance(one[0].type, Pointer)]
        for (one, first, text), (other, second, same_text) in combinations(pointers, 2):
            condition = ""
            if not (_is_strict(one) or _is_strict(other)):
                continue
            if not _is_one_place(first, second) and not _are_written_alike(first, second, text, same_text):
                condition = _chosen(unit, launch, text, same_text)
                if not condition:
                    continue
            uses = pointer_uses(unit, kernel)
            mine, theirs = uses.get(one.id), uses.get(other.id)
            if mine is None or theirs is None or not (mine.stores or theirs.stores):
                continue
            written, read = (one, other) if mine.stores else (other, one)
            alone = len(mine.loads + mine.stores) == len(theirs.loads + theirs.stores) == 1
            same = (mine.loads + mine.stores) == (theirs.loads + theirs.stores)
            elementwise = alone and same and not (mine.looped or theirs.looped)
            if not elementwise or (_is_strict(one) and _is_strict(other)):
                yield RestrictAlias(launch, written, read, first.expression, elementwise, condition)


def _is_strict(parameter: e.Variable) -> bool:
    return isinstance(parameter.type, Pointer) and parameter.type.restrict


def _chosen(unit: Unit, launch: LaunchFact, one: e.Expression | None, other: e.Expression | None) -> str:
    """Under which condition of the function one of the pointers is the other, where it chooses between values
    of which that is one; '' for none, and where the launch stands under conditions on the same numbers.
    """
    function = unit.functions.get(launch.function)
    if function is None or one is None or other is None:
        return ""
    for pointer, fixed in ((one, other), (other, one)):
        if choices(unit, function, fixed, launch.span) or not steady(unit, function, fixed):
            continue
        for choice in choices(unit, function, pointer, launch.span):
            same = render(choice.value) == render(fixed) and bool(_variables(walk(fixed)))
            if same and not choice.about & asked_round(function, launch.span):
                return choice.condition or f"`{render(pointer)}` is `{render(fixed)}`"
    return ""


def _is_one_place(one: Argument, other: Argument) -> bool:
    """Whether both are known to point to the same byte."""
    if one.buffer is None or other.buffer is None or None in (one.offset, other.offset):
        return False
    return one.buffer == other.buffer and one.offset == other.offset


def _are_written_alike(
    one: Argument, other: Argument, text: e.Expression | None, same_text: e.Expression | None
) -> bool:
    """Whether two pointers that are not known are one expression of the same variables. The parameters that a
    pack stands for have one name.
    """
    if text is None or same_text is None or _is_one_known(one, other):
        return False
    nodes = list(walk(text))
    asked = all(n.name in _ACCESSORS for n in nodes if isinstance(n, e.Call))
    if not asked or any(isinstance(n, _CHANGING) for n in nodes):
        return False
    named = _variables(nodes)
    return bool(named) and named == _variables(walk(same_text)) and render(text) == render(same_text)


def _variables(nodes: Iterable[Node]) -> list[int]:
    return [node.variable.id for node in nodes if isinstance(node, e.VariableReference)]


def _is_one_known(one: Argument, other: Argument) -> bool:
    """Whether the model knows both places, or that the buffers differ."""
    if one.buffer is None or other.buffer is None:
        return False
    return one.buffer != other.buffer or None not in (one.offset, other.offset)


@once
def pointer_uses(unit: Unit, kernel: Function) -> dict[int, Use]:
    """What the kernel and what it calls do through each pointer parameter of the kernel."""
    known = assigned(unit, kernel)
    own = {p.id for p in kernel.parameters}
    found: dict[int, Use] = {}
    for function in reachable(unit, kernel):
        nodes = list(walk(function.body)) if function.body is not None else []
        loops = [node for node in nodes if isinstance(node, s.Loop)]
        inside = {id(part) for loop in loops for part in walk(loop)} | (
            {id(node) for node in nodes} if function is not kernel else set()
        )
        stores, updates = _stored(nodes)
        for node in nodes:
            if not isinstance(node, e.Index | e.Dereference):
                continue
            index = render(node.index) if isinstance(node, e.Index) else "0"
            for parameter in _parameters(node, known, own):
                use = found.setdefault(parameter, Use([], []))
                use.looped |= id(node) in inside
                if id(node) in stores:
                    use.stores.append(index)
                if id(node) not in stores or id(node) in updates:
                    use.loads.append(index)
    return found


def _stored(nodes: list[Node]) -> tuple[set[int], set[int]]:
    """The lvalues that are stored to, by identity, and those of them that are loaded as well."""
    stores: set[int] = set()
    updates: set[int] = set()
    for node in nodes:
        match node:
            case e.Assign(target=target, operator=operator):
                while isinstance(target, e.Member | e.Cast):
                    target = target.base if isinstance(target, e.Member) else target.operand
                stores.add(id(target))
                if operator is not None:
                    updates.add(id(target))
            case e.Call(name=name, arguments=(first, *_)) if name.startswith("atomic"):
                inner = {id(part) for part in walk(first)}
                stores |= inner
                updates |= inner
    return stores, updates


def _parameters(node: e.Expression, known: dict[int, tuple[e.Expression, ...]], own: set[int]) -> set[int]:
    """The kernel's parameters that the element is reached through."""
    found: set[int] = set()
    seen: set[int] = set()
    stack: list[e.Expression] = [node]
    while stack:
        root = root_of(stack.pop())
        if root is None or root.id in seen:
            continue
        seen.add(root.id)
        if root.id in own:
            found.add(root.id)
        elif isinstance(root.type, Pointer):
            stack.extend(known.get(root.id, ()))
    return found
