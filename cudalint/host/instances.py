"""Objects that code outside of the unit makes: what the functions of a library find in them.

Each class has one instance, made by its constructor where the unit has one. What a function leaves in it and
in global variables is there for those that are walked later. Numbers may have changed since: they are samples
from then on.
"""

from itertools import islice

from cudalint.host.machine import Machine
from cudalint.host.memory import LOST, Contents, State
from cudalint.host.values import UNKNOWN, Address, Aggregate, Value, candidates, sampled
from cudalint.ir import types as t
from cudalint.ir.unit import Function

_DEEPEST = 3  # structs in structs that are looked into for pointers


def subject(m: Machine, function: Function) -> tuple[int, t.Record] | None:
    """The object that an entry point works on: its own (-1), or that of the first parameter which refers to
    one that the unit makes buffers or streams for.
    """
    for index, variable in enumerate((function.this, *function.parameters), -1):
        type_ = _referred(variable.type) if variable is not None else t.VOID
        known = isinstance(type_, t.Record) and (index < 0 or type_.name in m.reach.filled)
        if isinstance(type_, t.Record) and known and _holds_pointers(m, type_):
            return index, type_
    return None


def _referred(type_: t.Type) -> t.Type:
    match type_:
        case t.Pointer(pointee=inner) | t.Reference(target=inner):
            return inner
    return t.VOID


def _holds_pointers(m: Machine, type_: t.Type, depth: int = 0) -> bool:
    if isinstance(type_, t.Array):
        return _holds_pointers(m, type_.element, depth)
    layout = m.unit.records.get(type_.name) if isinstance(type_, t.Record) else None
    if layout is None or depth > _DEEPEST:
        return isinstance(type_, t.Pointer)
    return any(_holds_pointers(m, one.type, depth + 1) for one in layout.fields)


def constructor(m: Machine, type_: t.Record) -> Function | None:
    """The constructor that makes most of an object: one that reaches CUDA, or has most arguments."""
    short = type_.name.partition("<")[0].rsplit("::", 1)[-1]
    found = [
        function
        for function in m.unit.functions.values()
        if function.name.partition("<")[0] == short
        and function.this is not None
        and _referred(function.this.type) == type_
        and m.may_enter(function)
        and not any(_referred(p.type) == type_ for p in function.parameters)
    ]
    return max(found, key=lambda f: (f.key in m.reach.cuda, len(f.parameters)), default=None)


def given(m: Machine, function: Function) -> tuple[Value | None, tuple[Value, ...]]:
    """The object of an entry point, and the arguments up to the one that refers to an instance."""
    found = subject(m, function)
    if found is None:
        return None, ()
    index, type_ = found
    place = instance(m, type_)
    return (place, ()) if index < 0 else (None, (*(UNKNOWN,) * index, place))


def instance(m: Machine, type_: t.Record) -> Address:
    """Where the instance of a class is; nothing is known of one without a constructor."""
    place = m.instance(type_)
    m.state.objects.setdefault(place.object, LOST)
    return place


def adopt(m: Machine, function: Function, made: Value) -> None:
    """The object that an entry point makes and returns is the one that later ones are handed: a handle of
    a library that C uses.
    """
    type_ = function.returns if isinstance(function.returns, t.Record) else _referred(function.returns)
    if not isinstance(type_, t.Record) or type_.name not in m.reach.filled or m.in_main:
        return
    place = m.instance(type_)
    if isinstance(made, Aggregate):
        m.state.objects[place.object] = Contents(dict(made.cells))
    elif len(numbers := candidates(made)) == 1:
        contents = m.state.objects.get(next(iter(numbers)))
        if contents is not None:
            m.state.objects[place.object] = contents


def lasting(m: Machine) -> list[int]:
    """Objects that outlive the walk of an entry point: instances and variables that are not local."""
    for key, number in islice(m.ids.items(), m.looked, None):
        kind, name = (*key, "")[:2] if isinstance(key, tuple) else ("", "")
        variable = m.unit.variables.get(name) if kind == "variable" else None
        fixed = variable is not None and (variable.static or variable.storage not in ("local", "parameter"))
        if kind == "instance" or fixed:
            m.lasts.append(number)
    m.looked = len(m.ids)
    return m.lasts


def kept(m: Machine, before: State) -> State:
    """What the instances and the global variables hold now, with all that they point to."""
    if m.state.dead:
        return before
    state = State(writes=m.state.writes)
    work = [*lasting(m)]
    while work:
        number = work.pop()
        contents = m.state.objects.get(number)
        if contents is not None and number not in state.objects:
            cells = {k: _later(v) for k, v in contents.cells.items()}
            state.objects[number] = Contents(cells, _later(contents.default))
            work += [other for cell in contents.cells.values() for other in candidates(cell)]
    return state


def _later(value: Value) -> Value:
    """A value by the time of the next call: what was made stays, a number may be another one."""
    if isinstance(value, (bool, float)):
        return UNKNOWN
    return sampled(1, value) if isinstance(value, int) else value
