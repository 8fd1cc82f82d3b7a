"""Loads that both arms of `?:` make: the compiler makes them once, before it branches."""

from collections.abc import Iterator
from typing import cast

from msgspec import Struct

from cudalint.ir import expressions as e
from cudalint.ir.render import render
from cudalint.ir.types import Array, Record
from cudalint.ir.walk import children, walk

_PLAIN = (
    e.Literal,
    e.VariableReference,
    e.Builtin,
    e.Unary,
    e.Binary,
    e.Cast,
    e.Index,
    e.Dereference,
    e.Member,
)


class Both(Struct, frozen=True):
    """loads: the outermost elements that are read whichever way it goes, as the first arm names them; made:
    the nodes of both arms, by identity, that read an element which is loaded with these.
    """

    loads: tuple[e.Expression, ...] = ()
    made: frozenset[int] = frozenset()


def loads_in_both(node: e.Conditional) -> Both:
    """None where an arm does anything but compute."""
    arms = [list(_parts(arm)) for arm in (node.then, node.otherwise)]
    if not all(isinstance(part, _PLAIN) for parts in arms for part in parts):
        return Both()
    then, otherwise = ({id(one): render(one) for one in parts if _is_element(one)} for parts in arms)
    both = set(then.values()) & set(otherwise.values())
    shared = [part for part in arms[0] if then.get(id(part)) in both]
    inner = {id(below) for part in shared for child in children(part) for below in walk(child)}
    made = frozenset(key for named in (then, otherwise) for key, text in named.items() if text in both)
    return Both(tuple(part for part in shared if id(part) not in inner), made)


def _parts(node: e.Expression) -> Iterator[e.Expression]:
    """The expression and all that it is made of, but for what only some lanes evaluate."""
    yield node
    if isinstance(node, e.Binary) and node.operator in ("&&", "||"):
        yield from _parts(node.left)
        return
    for child in children(node):
        yield from _parts(cast(e.Expression, child))


def _is_element(node: e.Expression) -> bool:
    """Whether a node is read as it stands: of a record only a member may be."""
    return isinstance(node, e.Index | e.Dereference) and not isinstance(node.type, Array | Record)
