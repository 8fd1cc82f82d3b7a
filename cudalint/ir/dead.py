"""Code that constants keep from running."""

from cudalint.ir import statements as s
from cudalint.ir.device import Body
from cudalint.ir.walk import Node


def dead(node: Node, body: Body) -> bool:
    """Whether the node stands in the arm of an `if` that a constant condition never takes."""
    below = node
    for above in body.ancestors(node):
        if isinstance(above, s.If) and below is not above.condition:
            held = body.constant(above.condition)
            if held is not None and (below is above.then) != bool(held):
                return True
        below = above
    return False
