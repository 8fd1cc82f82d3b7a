"""The two threads of a conflict, with all numbers."""

from typing import Any

import z3

from cudalint.prove import data
from cudalint.prove.answers import Found
from cudalint.prove.machine import Access, Barrier, Machine
from cudalint.prove.memory import display
from cudalint.prove.shapes import Launch
from cudalint.prove.terms import names
from cudalint.prove.threads import Threads
from cudalint.prove.values import Number, Object, Term, conj
from cudalint.prove.verdict import Side, Witness
from cudalint.source.span import Span

_DOES = {"read": "reads", "write": "writes", "atomic": "updates"}
Triple = tuple[int, int, int]


def witness(found: Found, m: Machine, launch: Launch) -> Witness:
    """The conflict of a model in words and numbers."""
    question, model = found.question, found.model
    of = Threads(question.scope == "grid").of
    first, second = question.first, question.second
    of_launch = {fact.get_id() for fact in launch.facts}
    said = [term for term in question.given if term.get_id() not in of_launch]
    used = names(conj([*question.core, question.differing, *said]))
    values = tuple(
        (name, _number(model, term)) for name, term in launch.parameters.items() if term.decl().name() in used
    )
    block = _triple(model, launch, "blockDim", of, 1)
    grid = _triple(model, launch, "gridDim", of, 1)
    needed = tuple((_loaded(m, load), value) for load, value in found.data)
    if isinstance(first, Access) and isinstance(second, Access):
        byte = max(_number(model, of(first.offset.term, 1)), _number(model, of(second.offset.term, 2)))
        place = element(first.object, byte, min(first.width, second.width))
        sides = [_side(model, launch, of, a, n) for n, a in ((1, first), (2, second))]
        name, space = display(first.object), first.object.space
        return Witness("race", place, name, byte, space, sides[0], sides[1], block, grid, values, needed)
    assert isinstance(first, Barrier)
    waits = _threads_side(model, launch, of, 1, "waits", first.span)
    other = _threads_side(model, launch, of, 2, "does not wait", first.span)
    return Witness("divergence", "", "", 0, first.scope, waits, other, block, grid, values, needed)


def element(object: Object, byte: int, width: int) -> str:
    """The element of an array that a byte lies in, as `tile[3][4]`."""
    size = object.element or width
    index, rest = divmod(byte, size)
    places = []
    for extent in reversed(object.shape):
        if extent > 0:
            index, inner = divmod(index, extent)
            places.append(inner)
    text = "".join(f"[{place}]" for place in (index, *reversed(places)))
    return f"{display(object)}{text}" + (f" byte {rest}" if rest else "")


def _loaded(m: Machine, load: Term) -> str:
    """The element that a load is of."""
    name, kind = data.parts_of(load)
    return element(m.objects[name], load.arg(0).as_long(), data.width_of(kind))


def _side(model: Any, launch: Launch, of: Any, access: Access, thread: int) -> Side:
    index = [_triple(model, launch, name, of, thread) for name in ("threadIdx", "blockIdx")]
    return Side(index[0], index[1], _DOES[access.kind], access.text, access.span)


def _threads_side(model: Any, launch: Launch, of: Any, thread: int, does: str, span: Span) -> Side:
    index = [_triple(model, launch, name, of, thread) for name in ("threadIdx", "blockIdx")]
    return Side(index[0], index[1], does, "", span)


def _triple(model: Any, launch: Launch, name: str, of: Any, thread: int) -> Triple:
    x, y, z = (_extent(model, launch.extents[f"{name}.{axis}"], of, thread) for axis in "xyz")
    return x, y, z


def _extent(model: Any, number: Number, of: Any, thread: int) -> int:
    return number.constant if number.constant is not None else _number(model, of(number.term, thread))


def _number(model: Any, term: Term) -> int:
    value = z3.simplify(model.eval(term, model_completion=True))
    return int(value.as_long()) if z3.is_int_value(value) else 0
