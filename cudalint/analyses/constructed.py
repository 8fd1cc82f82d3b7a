"""What the members of an object are made with: the arguments of its constructor, or elements of a list."""

from cudalint.analyses.once import once
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import walk


def made_with(
    unit: Unit, made: e.Expression, name: str
) -> tuple[e.Expression, dict[int, e.Expression]] | None:
    """The value that an object starts with in a member which no method sets later, with the arguments for the
    parameters that the value is written with; None where the code does not say.
    """
    while isinstance(made, e.Cast):
        made = made.operand
    match made:
        case e.InitList(elements=elements, type=t.Record(name=record)):
            names = [field.name for field in unit.records[record].fields] if record in unit.records else []
            at = names.index(name) if name in names else len(elements)
            return (elements[at], {}) if at < len(elements) and not _setters(unit, record, name) else None
        case e.Construct(key=str() as key, arguments=arguments, type=t.Record(name=record)):
            constructor = unit.functions.get(key)
            if constructor is None or _setters(unit, record, name) - {key}:
                return None
            values = _set_by(constructor, name)
            if len(values) != 1 or len(constructor.parameters) != len(arguments):
                return None
            return values[0], {p.id: a for p, a in zip(constructor.parameters, arguments, strict=True)}
    return None


def _set_by(method: Function, name: str) -> list[e.Expression]:
    """What a method sets a member of its object to, if it only does so in statements under no condition."""
    plain = [
        node.expression.value
        for node in (method.body.body if method.body is not None else ())
        if isinstance(node, s.Evaluate)
        and isinstance(node.expression, e.Assign)
        and node.expression.operator is None
        and _member(node.expression.target, method) == name
    ]
    every = [node for node in walk(method.body) if _sets(node, method) == name] if method.body else []
    return plain if len(every) == len(plain) else []


@once
def _all_setters(unit: Unit, _: Unit) -> dict[tuple[str, str], set[str]]:
    """Keys of the methods that change a member of their object, or lend it, by the record and the member."""
    found: dict[tuple[str, str], set[str]] = {}
    for function in unit.functions.values():
        record = _record(function)
        for node in walk(function.body) if function.body is not None and record else ():
            name = _sets(node, function)
            if name:
                found.setdefault((record, name), set()).add(function.key)
    return found


def _setters(unit: Unit, record: str, name: str) -> set[str]:
    return _all_setters(unit, unit).get((record, name), set())


def _record(method: Function) -> str:
    kind = method.this.type if method.this is not None else None
    pointee = kind.pointee if isinstance(kind, t.Pointer) else None
    return pointee.name if isinstance(pointee, t.Record) else ""


def _sets(node: object, method: Function) -> str:
    """The member of its object that a method changes or lends there; or ''."""
    match node:
        case e.Assign(target=place) | e.AddressOf(operand=place):
            return _member(place, method)
    return ""


def _member(node: e.Expression, method: Function) -> str:
    """The outermost member of the method's object that a place is in; or ''."""
    name = ""
    while isinstance(node, e.Member | e.Index | e.Cast):
        name = node.name if isinstance(node, e.Member) else name
        node = node.operand if isinstance(node, e.Cast) else node.base
    match node:
        case e.Dereference(pointer=e.VariableReference(variable=variable)) if variable == method.this:
            return name
    return ""
