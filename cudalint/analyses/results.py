"""What surely becomes of a value: whether it gets into memory that outlives the block. It is followed through
variables and their members, out of a function to all its calls, and into the functions that it is handed to.
"""

from collections.abc import Callable, Mapping

from msgspec import Struct

from cudalint.analyses.definitions import place as read_from
from cudalint.analyses.device_code import Body
from cudalint.analyses.trip_counts import surely_runs
from cudalint.cuda import effects
from cudalint.cuda.maths import base, calculates
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.walk import Node, walk
from cudalint.source.span import Span

_KEEPS = frozenset(("+", "-", "*", "/", "&", "|", "^", "<<", ">>"))  # a comparison may not tell values apart
_LINKS = 6  # variables and functions that a value goes through
_PRIVATE = ("local", "parameter")
_PLACES = e.Index | e.Member | e.Dereference | e.VariableReference
_CHOICES = s.If | s.Loop | s.Switch | e.Conditional
_COMPARISONS = frozenset(("<", "<=", ">", ">=", "==", "!="))

Outlives = Callable[[Span], bool]  # whether a place in the source writes such memory


class Bodies(Struct, frozen=True):
    """The functions that a kernel reaches, by key. calls: those by which a value comes out of a function,
    where not all of them bring one that is asked for.
    """

    by_key: Mapping[str, Body]
    calls: frozenset[Span | None] = frozenset()

    def calls_of(self, key: str) -> list[tuple[e.Call, Body]]:
        """The calls of a function that may bring the value, and what they stand in."""
        every = [(c, body) for body in self.by_key.values() for c in body.of(e.Call) if c.key == key]
        return [(call, body) for call, body in every if call.span in self.calls] or every


class _Held(Struct, frozen=True):
    """What a variable holds, or one of its members."""

    variable: e.Variable
    members: tuple[str, ...] = ()


def kept(
    load: Node, body: Body, outlives: Outlives, bodies: Bodies, every: bool = True, links: int = _LINKS
) -> bool:
    """Whether each lane that loads the value stores it, or what arithmetic makes of it. every: False where
    only lanes that come to such a store are asked for, and what becomes of the element itself is another
    question.
    """
    end = _end(load, body, bodies)
    match end:
        case e.Assign(target=target) if outlives(target.span) or (every and target is load):
            return True
        case e.Call() if outlives(end.span):
            return True
        case None:
            return every and links > 0 and _kept_where_tested(load, body, outlives, bodies, links - 1)
    if links == 0:
        return False
    follows = _always_after if every else _after
    return _goes_on(
        load,
        end,
        body,
        bodies,
        lambda use, made, where: follows(use, made, where),
        lambda use, where: kept(use, where, outlives, bodies, every, links - 1),
    )


def _kept_where_tested(load: Node, body: Body, outlives: Outlives, bodies: Bodies, links: int) -> bool:
    """Whether an `if` asks only for the value, and an arm loads it again and stores that."""
    if not isinstance(load, _PLACES):
        return False
    text = render(load)
    for above in body.ancestors(load):
        if isinstance(above, s.If):
            again = (node for node in walk(above) if isinstance(node, _PLACES) and render(node) == text)
            return _asks_only_for(load, above) and any(
                node is not load
                and _always_after(node, load, body)
                and kept(node, body, outlives, bodies, links=links)
                for node in again
            )
        if not isinstance(above, e.Expression):
            return False
    return False


def comes_to(load: Node, store: Node, body: Body, bodies: Bodies, links: int = _LINKS) -> bool:
    """Whether each lane that loads the value and comes to the store puts there what arithmetic makes of it.
    store: the place.
    """
    end = _end(load, body, bodies)
    match end:
        case e.Assign(target=target) if target is store:
            return True
        case e.Call() if end is store:
            return True
        case None:
            return False
    if links == 0:
        return False
    return _goes_on(
        load,
        end,
        body,
        bodies,
        lambda use, made, where: _on_the_way(use, made, store, where),
        lambda use, where: comes_to(use, store, where, bodies, links - 1),
    )


def _goes_on(
    load: Node,
    end: Node,
    body: Body,
    bodies: Bodies,
    follows: Callable[[Node, Node | None, Body], bool],
    asked: Callable[[Node, Body], bool],
) -> bool:
    """Whether what is asked is true of one use of the variable that the value ends in, or of all calls that
    it is returned to. follows: whether every lane concerned comes from one place to the other.
    """
    match end:
        case s.Return():
            calls = bodies.calls_of(body.function.key)
            return bool(calls) and all(asked(call, one) for call, one in calls)
        case e.Call():
            where, made = bodies.by_key[end.key or ""], None
            held = _handed(load, end, body, where)
        case _:
            where, made = body, end
            held = _holds(end)
    if held is None:
        return False
    return any(asked(use, where) for use in _uses(held, made, where) if follows(use, made, where))


def is_arithmetic(node: Node) -> bool:
    """Whether what it gives tells its operands apart: a comparison may not."""
    match node:
        case e.Cast() | e.Member() | e.Unary(operator="-" | "+" | "~"):
            return True
        case e.Binary(operator=operator):
            return operator in _KEEPS
        case e.Call(name=name):
            return name in effects.MINIMA | effects.MAXIMA or bool(base(name)) or calculates(name)
    return False


def _end(node: Node, body: Body, bodies: Bodies) -> Node | None:
    """The assignment, declaration, atomic, return, or call of a function of the kernel that arithmetic takes
    the value to; None for anything else.
    """
    below = node
    for above in body.ancestors(node):
        match above:
            case _ if is_arithmetic(above):
                pass
            case e.InitList() | e.Construct():
                pass
            case e.Call(name=name) if name.startswith("make_"):
                pass
            case e.Assign(target=target, operator=operator):
                return above if below is not target or operator is not None else None
            case s.Declare() | s.Return():
                return above
            case e.Call(name=name, arguments=(_, *values)) if name.startswith("atomic"):
                return above if any(below is value for value in values) else None
            case e.Call(key=key) if key in bodies.by_key:
                return above
            case _:
                return None
        below = above
    return None


def _holds(end: Node) -> _Held | None:
    """Where an assignment or a declaration puts the value."""
    if isinstance(end, s.Declare):
        return _Held(end.variable)
    found = read_from(end.target) if isinstance(end, e.Assign) else None
    if found is None or found[0].storage not in _PRIVATE or "*" in found[1]:
        return None
    return _Held(*found)


def _handed(node: Node, call: e.Call, body: Body, callee: Body) -> _Held | None:
    """The parameter that takes the value, or what arithmetic makes of it."""
    above = {id(node), *(id(one) for one in body.ancestors(node))}
    pairs = zip(callee.function.parameters, call.arguments, strict=False)
    return next((_Held(parameter) for parameter, argument in pairs if id(argument) in above), None)


def _uses(held: _Held, made: Node | None, body: Body) -> list[e.Expression]:
    """Where the variable is read, or the member, if what was put into it there is not put out again. made:
    None for the start of the function.
    """
    uses: list[e.Expression] = []
    for reference in body.of(e.VariableReference):
        if reference.variable.id != held.variable.id:
            continue
        part, members = _part(reference, body)
        if any(a != b for a, b in zip(members, held.members, strict=False)):
            continue
        above = body.parent(part)
        if isinstance(above, e.AddressOf | e.Lambda):
            return []
        if not (isinstance(above, e.Assign) and above.target is part):
            uses.append(part)
        elif above.operator is None and above is not made and not _done_before(above, made, body):
            return []
    return uses


def _part(reference: e.Expression, body: Body) -> tuple[e.Expression, tuple[str, ...]]:
    """The member of a variable that is read or written there, and its name."""
    members: tuple[str, ...] = ()
    above = body.parent(reference)
    while isinstance(above, e.Member):
        reference, members = above, (*members, above.name)
        above = body.parent(above)
    return reference, members


def _done_before(one: Node, made: Node | None, body: Body) -> bool:
    """Whether one place comes before the other, and no loop comes back to it."""
    if made is None:
        return False
    around = {id(loop) for loop in body.loops(one)}
    return _place(one) < _place(made) and not any(id(loop) in around for loop in body.loops(made))


def _always_after(use: Node, made: Node | None, body: Body) -> bool:
    """Whether every lane that comes to one place comes to the other behind it, but for what that one asks of
    the value itself.
    """
    round_it = {id(node) for node in body.ancestors(made)} if made is not None else set[int]()
    round_use = set[int]()
    below = use
    for above in body.ancestors(use):
        if id(above) in round_it and not isinstance(above, s.If | s.Switch):
            break
        if not _asks_only_for(use, above) and (_chooses(above) or _skips(above, below)):
            return False
        round_use.add(id(above))
        below = above
    first, last = _place(made), _place(use)
    jumps: tuple[Node, ...] = (
        *(jump for jump in body.of(s.Return) if id(jump) not in round_use),
        *body.of(s.Break),
        *body.of(s.Continue),
        *body.of(s.Opaque),
    )
    return first < last and not any(first < _place(jump) < last for jump in jumps)


def _asks_only_for(value: Node, choice: Node) -> bool:
    """Whether an `if` compares a value, as written, with a number, or asks whether it is one but zero."""
    if not isinstance(choice, s.If) or not isinstance(value, _PLACES):
        return False
    text, condition = render(value), _plain(choice.condition)
    if isinstance(condition, e.Binary) and condition.operator in _COMPARISONS:
        sides = _plain(condition.left), _plain(condition.right)
        return any(
            render(one) == text and isinstance(other, e.Literal) for one, other in (sides, sides[::-1])
        )
    return render(condition) == text


def _plain(node: e.Expression) -> e.Expression:
    while isinstance(node, e.Cast):
        node = node.operand
    return node


def _on_the_way(use: Node, made: Node | None, store: Node, body: Body) -> bool:
    """Whether every lane that comes from one place to the store passes the other in between; where the store
    is in another function, every lane that comes from the place at all.
    """
    if id(store) not in body.parents:
        return _always_after(use, made, body)
    round_made = {id(node) for node in body.ancestors(made)} if made is not None else set[int]()
    round_store = {id(store), *(id(node) for node in body.ancestors(store))}
    below = use
    for above in body.ancestors(use):
        if id(above) in round_made:
            if isinstance(above, s.If | s.Switch):
                return False
            break
        conditional = _chooses(above) or _skips(above, below)
        if conditional and id(below) not in round_store:
            return False
        below = above
    first, between, last = _place(made), _place(use), _place(store)
    jumps: tuple[Node, ...] = (*body.of(s.Break), *body.of(s.Continue), *body.of(s.Opaque))
    return first < between and first < last and not any(first < _place(jump) < last for jump in jumps)


def _after(use: Node, made: Node | None, body: Body) -> bool:
    return _place(made) < _place(use)


def _chooses(node: Node) -> bool:
    """Whether what stands in it may not be executed: a loop may make no iteration."""
    return isinstance(node, _CHOICES) and not (isinstance(node, s.Loop) and surely_runs(node))


def _skips(node: Node, below: Node) -> bool:
    return isinstance(node, e.Binary) and node.operator in ("&&", "||") and below is node.right


def _place(node: Node | None) -> tuple[int, int]:
    return (node.span.line, node.span.column) if node is not None else (0, 0)


def at(span: Span, body: Body) -> Node | None:
    """The outermost expression at a place."""
    found = body.function.body
    return next((node for node in walk(found) if node.span == span), None) if found is not None else None
