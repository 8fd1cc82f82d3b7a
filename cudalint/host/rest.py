"""What is left of a walk: the same as what was left of an earlier one where nothing that it reads is another.

A program is walked again with words on its command line, and with numbers for what nobody knows. What these
reach is often over early: from there on, the earlier walk has told what comes. Only of `main`: what a caller
chooses for other functions is what their launches hang on.
"""

from msgspec.structs import replace

from cudalint.analyses.cuda_reach import Reach
from cudalint.host.facts import Buffer
from cudalint.host.forms import Form
from cudalint.host.log import Reads, Stage
from cudalint.host.machine import Machine
from cudalint.host.memory import Contents
from cudalint.host.options import NAMES
from cudalint.host.sizes import READ_IN
from cudalint.host.values import Address, Moment, Unknown, Value, candidates
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.walk import find, walk

Forms = dict[Form | None, Form | None]  # of the earlier walk, each with what it is called in this one

_ASKING = READ_IN | NAMES  # functions whose answers come from the command line


def comes(m: Machine, body: tuple[s.Statement, ...], index: int) -> None:
    """Control comes to a statement of the body of `main`. Where the rest is known, the walk ends there."""
    if m.state.dead or m.tasks or m.captures or not m.in_main:
        return
    if m.earlier is None:
        state, buffers, compared = m.state.copy(), dict(m.buffers), frozenset(m.compared)
        m.stages.setdefault(m.entry, {})[index] = Stage(state, buffers, compared, m.log, m.log.mark())
        return
    known = m.earlier.stages.get(m.entry, {}).get(index)
    if known is None or m.earlier.tasks:
        return
    if m.entry not in m.earlier.rests:
        m.earlier.rests[m.entry] = _rests(m.reach, body)
    launches = known.log.launches[known.mark[0] :]
    checked = any(one.guarded or (one.size_guarded and one.dynamic_shared_bytes) for one in launches)
    if checked and not known.compared <= m.compared:  # they may owe that to the numbers of that walk
        return
    if _is_same(m, known, m.earlier.rests[m.entry][index]):
        m.log.launches += launches
        m.log.calls += known.log.calls[known.mark[1] :]
        m.state.dead = True


def _rests(reach: Reach, body: tuple[s.Statement, ...]) -> list[Reads]:
    """For each statement what it and those after it read, also as objects end that are made before."""
    ends = [one for one in body if isinstance(one, s.Declare) and isinstance(one.variable.type, t.Record)]
    made = _reads(reach, [*ends])
    rest = Reads(made.variables | {one.variable.id for one in ends}, made.asks)
    found = []
    for one in reversed(body):
        rest = _from(reach, one, rest)
        if isinstance(one, s.Loop) and one.initial is not None:
            rest = _from(reach, one.initial, rest)
        found.append(rest)
    return found[::-1]


def _from(reach: Reach, one: s.Statement, rest: Reads) -> Reads:
    """What a statement and the rest after it read; of a loop, after its initial statement."""
    parts: tuple[e.Expression | s.Statement | None, ...] = (one,)
    assigned = one.expression if isinstance(one, s.Evaluate) else None
    written: e.Variable | None = None
    match one, assigned:
        case s.Loop(condition=condition, step=step, body=body), _:
            parts = condition, step, body
        case s.Declare(variable=variable, initial=value), _:
            parts, written = (value,), variable
        case _, e.Assign(target=e.VariableReference(variable=variable), operator=None, value=value):
            parts, written = (value,), variable
    if written is not None and isinstance(written.type, t.Scalar | t.Pointer) and not written.static:
        rest = Reads(rest.variables - {written.id}, rest.asks)
    else:
        parts = (one,) if written is not None else parts
    own = _reads(reach, [node for part in parts if part is not None for node in walk(part)])
    return Reads(rest.variables | own.variables, rest.asks or own.asks)


def _reads(reach: Reach, nodes: list[e.Expression | s.Statement]) -> Reads:
    """The variables that are named there and in all that is called."""
    functions = [reach.unit.functions.get(key) for key in reach.called(nodes)]
    for one in functions:
        nodes += find(one.body, e.VariableReference, e.Call) if one is not None else ()
    variables = frozenset(node.variable.id for node in nodes if isinstance(node, e.VariableReference))
    return Reads(variables, any(isinstance(node, e.Call) and node.name in _ASKING for node in nodes))


def _is_same(m: Machine, known: Stage, reads: Reads) -> bool:
    """Whether all that is read holds what it did in the earlier walk, with all that it points to."""
    if reads.asks:
        return False
    here, there, forms = m.state, known.state, Forms()
    work: list[int] = []
    for number in reads.variables:
        bound = here.bindings.get(number)
        if bound != there.bindings.get(number):
            return False
        work += candidates(bound) if bound is not None else ()
        work += [m.ids[key]] if (key := ("variable", number)) in m.ids else ()
    parts = _parts(m)
    seen: set[int] = set()
    while work:
        number = work.pop()
        if number in seen:
            continue
        seen.add(number)
        contents = here.objects.get(number)
        same = _holds(there.objects.get(number), contents, forms)
        if not same or not _is_alike(known.buffers.get(number), m.buffers.get(number), forms):
            return False
        work += parts.get(number, ())
        for cell in (*contents.cells.values(), contents.default) if contents is not None else ():
            work += candidates(cell)
    return True


def _parts(m: Machine) -> dict[int, list[int]]:
    """By object: those that are found by it, and not by what it holds."""
    found: dict[int, list[int]] = {}
    for key, number in m.ids.items():
        match key:
            case ("storage", int(holder), *_) | ("host", Address(object=holder), *_):
                found.setdefault(holder, []).append(number)
    return found


def _holds(one: Contents | None, other: Contents | None, forms: Forms) -> bool:
    if one is None or other is None:
        return one is other
    return one.cells.keys() == other.cells.keys() and all(
        _is_alike(one.at(at), other.at(at), forms) for at in (*one.cells, -1)
    )


def _is_alike(one: Value | Buffer | None, other: Value | Buffer | None, forms: Forms) -> bool:
    """Whether values tell the same: when a clock was read does not count, nor what a form calls its parts."""
    if isinstance(one, Moment) and isinstance(other, Moment):
        return one.span == other.span
    if isinstance(one, Unknown | Buffer) and isinstance(other, Unknown | Buffer):
        same = forms.setdefault(one.form, other.form) == other.form
        return same and _formless(one) == _formless(other)
    return one == other


def _formless(one: Unknown | Buffer) -> Unknown | Buffer:
    return replace(one, form=None)
