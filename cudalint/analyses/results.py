"""What surely becomes of a value: whether it gets into memory that outlives the block."""

from collections.abc import Callable

from cudalint.analyses.device_code import Body
from cudalint.cuda import effects
from cudalint.cuda.maths import base
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.walk import Node, walk
from cudalint.source.span import Span

_KEEPS = frozenset(("+", "-", "*", "/", "&", "|", "^", "<<", ">>"))  # a comparison may not tell values apart
_LINKS = 4  # variables that a value goes through

Outlives = Callable[[Span], bool]  # whether a place in the source writes such memory


def kept(load: Node, body: Body, outlives: Outlives, every: bool = True, links: int = _LINKS) -> bool:
    """Whether each lane that loads the value stores it, or what arithmetic makes of it. every: False where
    only lanes that come to such a store are asked for, and what becomes of the element itself is another
    question.
    """
    end = _end(load, body)
    match end:
        case e.Assign(target=target) if outlives(target.span) or (every and target is load):
            return True
        case e.Call() if outlives(end.span):
            return True
        case e.Assign(target=e.VariableReference(variable=variable)) | s.Declare(variable=variable):
            follows = _always_after if every else _after
            uses = (use for use in _uses(variable, end, body) if follows(use, end, body))
            return links > 0 and any(kept(use, body, outlives, every, links - 1) for use in uses)
        case _:
            return False


def comes_to(load: Node, store: Node, body: Body, links: int = _LINKS) -> bool:
    """Whether each lane that loads the value and comes to the store puts there what arithmetic makes of it.
    store: the place.
    """
    end = _end(load, body)
    match end:
        case e.Assign(target=target) if target is store:
            return True
        case e.Call() if end is store:
            return True
        case e.Assign(target=e.VariableReference(variable=variable)) | s.Declare(variable=variable):
            uses = (use for use in _uses(variable, end, body) if _on_the_way(use, end, store, body))
            return links > 0 and any(comes_to(use, store, body, links - 1) for use in uses)
        case _:
            return False


def is_arithmetic(node: Node) -> bool:
    """Whether what it gives tells its operands apart: a comparison may not."""
    match node:
        case e.Cast() | e.Member() | e.Unary(operator="-" | "+" | "~"):
            return True
        case e.Binary(operator=operator):
            return operator in _KEEPS
        case e.Call(name=name):
            return name in effects.MINIMA | effects.MAXIMA or bool(base(name))
    return False


def _end(node: Node, body: Body) -> Node | None:
    """The assignment, declaration or atomic that arithmetic takes the value to; None for anything else."""
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
            case s.Declare():
                return above
            case e.Call(name=name, arguments=(_, *values)) if name.startswith("atomic"):
                return above if any(below is value for value in values) else None
            case _:
                return None
        below = above
    return None


def _uses(variable: e.Variable, made: Node, body: Body) -> list[e.VariableReference]:
    """Where the variable is read, if what was put into it there is not put out again."""
    uses = []
    for reference in body.of(e.VariableReference):
        if reference.variable.id != variable.id:
            continue
        above = body.parent(reference)
        if isinstance(above, e.AddressOf | e.Lambda):
            return []
        if not (isinstance(above, e.Assign) and above.target is reference):
            uses.append(reference)
        elif above.operator is None and above is not made and not _done_before(above, made, body):
            return []
    return uses


def _done_before(one: Node, made: Node, body: Body) -> bool:
    """Whether one place comes before the other, and no loop comes back to it."""
    around = {id(loop) for loop in body.loops(one)}
    return _place(one) < _place(made) and not any(id(loop) in around for loop in body.loops(made))


def _always_after(use: Node, made: Node, body: Body) -> bool:
    """Whether every lane that comes to one place comes to the other behind it."""
    round_it = {id(node) for node in body.ancestors(made)}
    below = use
    for above in body.ancestors(use):
        if id(above) in round_it and not isinstance(above, s.If | s.Switch):
            break
        if isinstance(above, s.If | s.Loop | s.Switch | e.Conditional) or _skips(above, below):
            return False
        below = above
    first, last = _place(made), _place(use)
    jumps: tuple[Node, ...] = (
        *body.of(s.Return),
        *body.of(s.Break),
        *body.of(s.Continue),
        *body.of(s.Opaque),
    )
    return first < last and not any(first < _place(jump) < last for jump in jumps)


def _on_the_way(use: Node, made: Node, store: Node, body: Body) -> bool:
    """Whether every lane that comes from one place to the store passes the other in between."""
    round_made = {id(node) for node in body.ancestors(made)}
    round_store = {id(store), *(id(node) for node in body.ancestors(store))}
    below = use
    for above in body.ancestors(use):
        if id(above) in round_made:
            if isinstance(above, s.If | s.Switch):
                return False
            break
        conditional = isinstance(above, s.If | s.Loop | s.Switch | e.Conditional) or _skips(above, below)
        if conditional and id(below) not in round_store:
            return False
        below = above
    first, between, last = _place(made), _place(use), _place(store)
    jumps: tuple[Node, ...] = (*body.of(s.Break), *body.of(s.Continue), *body.of(s.Opaque))
    return first < between and first < last and not any(first < _place(jump) < last for jump in jumps)


def _after(use: Node, made: Node, body: Body) -> bool:
    return _place(made) < _place(use)


def _skips(node: Node, below: Node) -> bool:
    return isinstance(node, e.Binary) and node.operator in ("&&", "||") and below is node.right


def _place(node: Node) -> tuple[int, int]:
    return node.span.line, node.span.column


def at(span: Span, body: Body) -> Node | None:
    """The outermost expression at a place."""
    found = body.function.body
    return next((node for node in walk(found) if node.span == span), None) if found is not None else None
