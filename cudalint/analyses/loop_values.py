"""What the body of a loop gives to variables, and what an expression is made of through them."""

from collections.abc import Iterable, Iterator

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.walk import Node, walk


def own_values(nodes: Iterable[s.Declare | e.Assign]) -> dict[int, list[e.Expression]]:
    """What the body gives to variables."""
    found: dict[int, list[e.Expression]] = {}
    for node in nodes:
        match node:
            case s.Declare(variable=variable, initial=value) if value is not None:
                found.setdefault(variable.id, []).append(value)
            case e.Assign(target=e.VariableReference(variable=variable), value=value):
                found.setdefault(variable.id, []).append(value)
    return found


def expanded(node: e.Expression, own: dict[int, list[e.Expression]]) -> Iterator[Node]:
    """The parts of an expression, and of what the body gives to the variables in it."""
    seen: set[int] = set()
    stack = [node]
    while stack:
        for part in walk(stack.pop()):
            yield part
            if isinstance(part, e.VariableReference) and part.variable.id not in seen:
                seen.add(part.variable.id)
                stack.extend(own.get(part.variable.id, ()))
