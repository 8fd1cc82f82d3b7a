"""Variables that a function declares at its top and gives a new value wherever it takes them up again: in
each loop or block that begins with such an assignment, the name stands for a variable of its own, declared
there. What it holds in one of them says nothing about the others.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import cast

from msgspec.structs import replace

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Pointer, Reference, Scalar
from cudalint.ir.walk import Node, find, rebuilt, walk

Copied = Callable[[e.Variable], e.Variable]
_Region = s.Block | s.Loop
_Begun = dict[int, list[_Region] | None]  # by id of the variable; None: some part may see an older value


def apart(body: s.Block, copied: Copied) -> s.Block:
    """The body with such variables declared where they are begun. copied: a further variable like one."""
    names = {one.variable.id: one.variable for one in _declared(body)}
    if not names:
        return body
    lost = _known_elsewhere(body)
    if lost is None:
        return body
    begun = _begun(body, {number for number in names if number not in lost})
    regions: dict[int, dict[int, e.Variable]] = {}  # new variables by identity of the region, then by old id
    gone: set[int] = set()
    for number, found in begun.items():
        if found and not any(_declares(region, number) for region in found):
            gone.add(number)
            for region in found:
                regions.setdefault(id(region), {})[number] = copied(names[number])
    return cast(s.Block, _renamed(body, regions, gone, {})) if gone else body


def _declared(node: s.Statement) -> Iterator[s.Declare]:
    """The scalars and pointers that a statement declares without a value."""
    match node:
        case s.Declare(variable=variable, initial=None):
            plain = isinstance(variable.type, Scalar | Pointer) and variable.storage == "local"
            if plain and not (variable.static or variable.volatile):
                yield node
        case s.Block(body=body) | s.Switch(body=body):
            for part in body:
                yield from _declared(part)
        case s.If(then=then, otherwise=otherwise):
            yield from _declared(then)
            if otherwise is not None:
                yield from _declared(otherwise)
        case s.Loop(body=inner):
            yield from _declared(inner)


def _known_elsewhere(body: s.Block) -> set[int] | None:
    """The ids of variables that a pointer, a reference, a closure or assembly may know; None where a label
    lets the code begin anywhere.
    """
    found: set[int] = set()
    for node in find(body, s.Declare, e.AddressOf, s.Opaque, e.Unknown, e.Lambda):
        match node:
            case s.Declare(variable=variable, initial=initial) if isinstance(variable.type, Reference):
                found |= _named(initial)
            case e.AddressOf(operand=operand):
                found |= _rooted(operand)
            case s.Opaque(reason="label"):
                return None
            case s.Opaque() | e.Unknown():
                found |= _named(node)
            case e.Lambda(captures=captures):
                found |= {variable.id for variable, _ in captures}
    return found


def _rooted(place: e.Expression) -> set[int]:
    """The variable that a place is a part of."""
    while isinstance(place, e.Member | e.Cast) or (
        isinstance(place, e.Index) and not isinstance(place.base.type, Pointer)
    ):
        place = place.operand if isinstance(place, e.Cast) else place.base
    return {place.variable.id} if isinstance(place, e.VariableReference) else set()


def _named(node: Node | None) -> set[int]:
    parts = walk(node) if node is not None else ()
    return {part.variable.id for part in parts if isinstance(part, e.VariableReference)}


def _declares(region: _Region, number: int) -> bool:
    """Whether the variable is declared in it already."""
    return any(part.variable.id == number for part in find(region, s.Declare))


def _begun(node: s.Statement, names: set[int]) -> _Begun:
    """The regions of the variables that a statement names."""
    match node:
        case s.Block(body=body):
            parts = [_begun(part, names) for part in body]
            found = _together(parts)
            for number in [number for number, regions in found.items() if regions is None]:
                first = next(part for part, inner in zip(body, parts, strict=True) if number in inner)
                if number in _assigned_first(first):
                    found[number] = [node]
            return found
        case s.If(condition=condition, then=then, otherwise=otherwise):
            arms = [_begun(arm, names) for arm in (then, otherwise) if arm is not None]
            return _together([_seen(condition, names), *arms])
        case s.Switch(subject=subject, body=body):
            return _together([_seen(subject, names), *(_begun(part, names) for part in body)])
        case s.Loop(initial=initial, body=inner):
            outer = (part for part in (initial, node.condition, node.step) if part is not None)
            found = _together([*(_seen(part, names) for part in outer), _begun(inner, names)])
            begun = _assigned_first(initial) if initial is not None else set()
            return {number: [node] if number in begun else known for number, known in found.items()}
        case _:
            return _seen(node, names)


def _seen(node: Node, names: set[int]) -> _Begun:
    return dict.fromkeys(_named(node) & names)


def _together(parts: Sequence[_Begun]) -> _Begun:
    found: _Begun = {}
    for part in parts:
        for number, regions in part.items():
            before = found.get(number, [])
            found[number] = None if before is None or regions is None else before + regions
    return found


def _assigned_first(node: s.Statement) -> set[int]:
    """The variables that a statement gives a value before it does anything else with them."""
    found: set[int] = set()
    seen: set[int] = set()
    for part in _one_by_one(node):
        variable = _assigned(part)
        if isinstance(part, s.Evaluate) and variable is not None:
            value = cast(e.Assign, part.expression).value
            if variable not in seen | _named(value):
                found.add(variable)
        seen |= _named(part)
    return found


def _one_by_one(node: s.Statement) -> Iterator[s.Statement]:
    """The statements that a comma puts in one."""
    match node:
        case s.Evaluate(expression=e.Binary(operator=",", left=left, right=right)):
            yield from _one_by_one(s.Evaluate(left, left.span))
            yield from _one_by_one(s.Evaluate(right, right.span))
        case _:
            yield node


def _assigned(node: s.Statement) -> int | None:
    match node:
        case s.Evaluate(
            expression=e.Assign(target=e.VariableReference(variable=variable), operator=None, value=_)
        ):
            return variable.id
    return None


def _renamed(
    node: Node, regions: dict[int, dict[int, e.Variable]], gone: set[int], names: dict[int, e.Variable]
) -> Node:
    """The node with its variables by their new names."""
    own = regions.get(id(node), {})
    inside = {**names, **own}

    def made(part: Node) -> Node:
        return _renamed(part, regions, gone, inside)

    match node:
        case e.VariableReference(variable=variable) if variable.id in names:
            return replace(node, variable=names[variable.id])
        case s.Block(body=body):
            left = dict(own)
            kept = [part for part in body if not (isinstance(part, s.Declare) and part.variable.id in gone)]
            parts = tuple(_begin(part, left, made) for part in kept)
            same = len(kept) == len(body) and all(a is b for a, b in zip(parts, body, strict=True))
            return node if same else replace(node, body=parts)
        case s.Loop(initial=initial) if own and initial is not None:
            left = dict(own)
            started = tuple(_begin(part, left, made) for part in _one_by_one(initial))
            first = started[0] if len(started) == 1 else s.Block(started, initial.span)
            return replace(cast(s.Loop, rebuilt(replace(node, initial=None), made)), initial=first)
    return rebuilt(node, made)


def _begin(node: s.Statement, left: dict[int, e.Variable], made: Callable[[Node], Node]) -> s.Statement:
    """The statement, which declares what it is the first to give a value. left: what is not declared yet."""
    number = _assigned(node)
    inner = cast(s.Statement, made(node))
    if number is None or number not in left:
        return inner
    assign = cast(e.Assign, cast(s.Evaluate, inner).expression)
    return s.Declare(left.pop(number), assign.value, node.span)
