"""Members that are double by their declaration alone: all that the code puts there is floats."""

import re
from collections.abc import Iterator

from cudalint.analyses.once import once
from cudalint.analyses.widened import plain
from cudalint.cuda.maths import floating, pure
from cudalint.ir import expressions as e
from cudalint.ir.types import Record, Reference
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, find

_MEANT = re.compile(r"\bdouble\b")
_Field = tuple[str, str]  # the name of a record, without template arguments, and that of a member
_ALL = ""  # members of a record


def holds_float(unit: Unit, node: e.Member) -> bool:
    """Whether a double member always holds a float, of a record whose name asks for no double."""
    owner = node.base.type
    if not isinstance(owner, Record) or _MEANT.search(owner.name):
        return False
    name = _template(owner)
    written = _written(unit, unit.functions)
    return written.get((name, node.name)) is True and (name, _ALL) not in written


@once
def _written(unit: Unit, functions: dict[str, Function]) -> dict[_Field, bool]:
    """The double members that are written, with whether it is always floats; records that may be written in
    other ways, too.
    """
    found: dict[_Field, bool] = {}
    bodies = [f.body for f in functions.values() if f.body is not None]
    initials = [v.initial for v in unit.variables.values() if v.initial is not None]
    for root in (*bodies, *initials):
        for node in find(root, e.InitList, e.Assign, e.AddressOf, e.Call):
            for field, floats in _writes(unit, node):
                found[field] = found.get(field, True) and floats
    return found


def _writes(unit: Unit, node: Node) -> Iterator[tuple[_Field, bool]]:
    match node:
        case e.InitList(elements=elements, type=Record() as owner):
            layout = unit.records.get(owner.name)
            for member, value in zip(layout.fields if layout is not None else (), elements, strict=False):
                if floating(member.type, 8):
                    yield (_template(owner), member.name), floating(value.type, 4) or plain(value)
        case e.Assign(target=e.Member(base=base, name=name) as target, operator=operator, value=value):
            if isinstance(base.type, Record) and floating(target.type, 8):
                yield (_template(base.type), name), operator is None and plain(value)
        case e.AddressOf(operand=e.Member(base=base, name=name)) if isinstance(base.type, Record):
            yield (_template(base.type), name), False
        case e.AddressOf(operand=operand) if isinstance(operand.type, Record):
            yield (_template(operand.type), _ALL), False
        case e.Call() if not pure(node):
            yield from ((field, False) for field in _handed_on(unit, node))


def _handed_on(unit: Unit, call: e.Call) -> Iterator[_Field]:
    """What a function may write that takes it by reference, for all that is known of it."""
    called = unit.defined(call.key)
    kinds = [one.type for one in called.parameters] if called is not None else []
    for at, one in enumerate(call.arguments):
        kind = kinds[at] if at < len(kinds) else None
        if called is not None and not (isinstance(kind, Reference) and not kind.const):
            continue
        if isinstance(one, e.Member) and isinstance(one.base.type, Record):
            yield _template(one.base.type), one.name
        elif isinstance(one.type, Record) and called is None:
            yield _template(one.type), _ALL


def _template(owner: Record) -> str:
    return owner.name.partition("<")[0]
