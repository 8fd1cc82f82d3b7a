"""What conditions that stand on numbers nobody knows have to do with the thread: `i < n` sends some threads
on for every n that is not tiny, `if (n > 100)` all or none.
"""

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function
from cudalint.ir.walk import Node, find, walk

VARYING = 1  # threadIdx or blockIdx has a part in the condition
UNIFORM = 2  # it is the same for all threads, or not told apart
EVERY = VARYING | UNIFORM


def kind_of(condition: e.Expression, varying: frozenset[int]) -> int:
    """VARYING or UNIFORM; varying: the function's variables that differ between threads."""
    return VARYING if reads_thread(condition, varying) else UNIFORM


def varying(function: Function) -> frozenset[int]:
    """Variables of a function, by identity, that threadIdx or blockIdx has a part in."""
    found: set[int] = set()
    readers: dict[int, list[int]] = {}  # variables whose values read one, by its number
    for target, value in assignments(function):
        for node in walk(value):
            if isinstance(node, e.VariableReference):
                readers.setdefault(node.variable.id, []).append(target)
            elif _is_of_thread(node):
                found.add(target)
    waiting = list(found)
    while waiting:
        more = [target for target in readers.get(waiting.pop(), ()) if target not in found]
        found.update(more)
        waiting += more
    return frozenset(found)


def assignments(function: Function) -> list[tuple[int, e.Expression]]:
    found: list[tuple[int, e.Expression]] = []
    for node in find(function.body, e.Assign, s.Declare):
        match node:
            case e.Assign(target=e.VariableReference(variable=variable), value=value):
                found.append((variable.id, value))
            case s.Declare(variable=variable, initial=initial) if initial is not None:
                found.append((variable.id, initial))
    return found


def reads_thread(value: e.Expression, found: frozenset[int]) -> bool:
    return any(
        _is_of_thread(node) or (isinstance(node, e.VariableReference) and node.variable.id in found)
        for node in walk(value)
    )


def _is_of_thread(node: Node) -> bool:
    return isinstance(node, e.Builtin) and node.name in ("threadIdx", "blockIdx")
