"""Whether the program asks where a pointer points before it does something with it."""

from collections.abc import Iterator

from cudalint.host.library import is_plain
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.unit import Unit
from cudalint.ir.walk import Node, find, walk

_ATTRIBUTES = frozenset("cudaPointerGetAttributes cuPointerGetAttribute cuPointerGetAttributes".split())
_OF_CUDA = ("cuda", "cu")  # whose other functions do not tell where a pointer points


def is_asked(call: e.Call, unit: Unit) -> bool:
    """Whether a call stands in a branch whose condition hangs on what a function said of one of the call's
    pointers: it looks up the pointer's attributes, or cannot be seen.
    """
    pointers = frozenset(_pointers(call))
    for function in unit.functions.values():
        if function.body is not None and any(node is call for node in walk(function.body)):
            answers = frozenset(_answers(function.body, pointers, unit)) - pointers
            return any(
                _hangs(condition, answers, pointers, unit) for condition in _round(function.body, call)
            )
    return False


def _pointers(node: Node) -> Iterator[int]:
    for part in find(node, e.VariableReference):
        if isinstance(part.variable.type, t.Pointer):
            yield part.variable.id


def _round(body: s.Block, call: e.Call) -> Iterator[e.Expression]:
    """The conditions of the branches that the call stands in."""
    for node in walk(body):
        match node:
            case s.If(condition=condition, then=then, otherwise=otherwise):
                arms = [arm for arm in (then, otherwise) if arm is not None]
            case s.Switch(subject=condition, body=statements):
                arms = list(statements)
            case _:
                continue
        if any(part is call for arm in arms for part in walk(arm)):
            yield condition


def _answers(body: s.Block, pointers: frozenset[int], unit: Unit) -> Iterator[int]:
    """Variables that hold what a function said of the pointers."""
    for node in find(body, s.Declare, e.Assign, e.Call):
        match node:
            case s.Declare(variable=variable, initial=value) if value is not None:
                if any(_asks(part, pointers, unit) for part in walk(value)):
                    yield variable.id
            case e.Assign(target=e.VariableReference(variable=variable), value=value):
                if any(_asks(part, pointers, unit) for part in walk(value)):
                    yield variable.id
            case e.Call(name=name, arguments=arguments) if name in _ATTRIBUTES:
                if not pointers.isdisjoint(_pointers(node)):
                    references = (part for argument in arguments for part in walk(argument))
                    yield from (r.variable.id for r in references if isinstance(r, e.VariableReference))


def _hangs(condition: e.Expression, answers: frozenset[int], pointers: frozenset[int], unit: Unit) -> bool:
    return any(
        (isinstance(part, e.VariableReference) and part.variable.id in answers) or _asks(part, pointers, unit)
        for part in walk(condition)
    )


def _asks(node: Node, pointers: frozenset[int], unit: Unit) -> bool:
    """Whether a node is a call with one of the pointers that may tell where it points."""
    if not isinstance(node, e.Call) or node.name in _ATTRIBUTES:  # those answer by an argument
        return False
    given = any(not pointers.isdisjoint(_pointers(argument)) for argument in node.arguments)
    return given and _may_tell(node, unit, frozenset())


def _may_tell(call: e.Call, unit: Unit, seen: frozenset[str]) -> bool:
    """Whether a function looks up the attributes of a pointer, itself or by others, or cannot be seen."""
    if call.name in _ATTRIBUTES:
        return True
    function = unit.defined(call.key)
    if function is None or function.body is None:
        return not is_plain(call) and not call.name.startswith(_OF_CUDA)
    if function.key in seen:
        return False
    inner = find(function.body, e.Call)
    return any(_may_tell(node, unit, seen | {function.key}) for node in inner)
