"""Loops whose rounds cannot be shared out: each makes a number of what the one before made of it, or loads
behind a barrier what the one before stored.
"""

from collections import Counter

from cudalint.analyses.kernel_queries import lvalues, root_of
from cudalint.cuda.effects import BLOCK_BARRIERS
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.types import Pointer
from cudalint.ir.unit import Function
from cudalint.ir.walk import Node, find, kept, walk

_SUMS = frozenset(("+", "-", "*", "&", "|", "^", "&&", "||"))  # parts of these can be put together later
_PICKS = frozenset(("min", "max", "fmin", "fmax", "fminf", "fmaxf"))


def serial(function: Function) -> bool:
    """Whether the function has such a loop."""
    return any(carries(loop) or _passes_on(loop) or _hands_on(loop) for loop in find(function.body, s.Loop))


@kept
def _passes_on(loop: s.Loop) -> bool:
    """Whether the loop makes an element of an array of the thread, declared outside, of another one, which
    a variable tells.
    """
    own = {node.variable.id for node in find(loop, s.Declare)}
    for node in find(loop.body, e.Assign):
        if isinstance(node.target, e.Index) and not _told(node.target):
            array, place = _array_of(node.target), render(node.target)
            if array is not None and array not in own:
                parts = find(node.value, e.Index)
                if any(_array_of(part) == array and render(part) != place for part in parts):
                    return True
    return False


def _told(place: e.Index) -> bool:
    """Whether the source says which element it is."""
    return not find(place.index, e.VariableReference)


def _array_of(place: e.Expression) -> int | None:
    """The private array that an element is of."""
    while isinstance(place, e.Index) and not isinstance(place.base.type, Pointer):
        place = place.base
    local = isinstance(place, e.VariableReference) and place.variable.storage == "local"
    return place.variable.id if local and isinstance(place, e.VariableReference) else None


@kept
def _hands_on(loop: s.Loop) -> bool:
    """Whether a loop with a barrier of the block stores to global memory that it also loads, elsewhere."""
    if not any(node.name in BLOCK_BARRIERS for node in find(loop.body, e.Call)):
        return False
    stored, loaded = dict[int, set[str]](), dict[int, set[str]]()
    for node in find(loop.body, s.Evaluate, s.Declare):
        for place, operation in lvalues(node):
            root = root_of(place)
            if isinstance(place, e.Index) and root is not None and root.storage != "shared":
                found = loaded if operation == "load" else stored
                found.setdefault(root.id, set()).add(render(place.index))
    return any(loaded.get(root, set()) - places for root, places in stored.items())


@kept
def carries(loop: s.Loop) -> bool:
    """Whether the rounds of the loop cannot be shared out."""
    own = {node.variable.id for node in find(loop, s.Declare)}
    return any(
        variable not in own
        for node in find(loop.body, e.Assign, e.Call)
        for variable in _made_of_itself(node)
    ) or any(map(_made_of_the_one_before, find(loop.body, e.Assign)))


def _made_of_the_one_before(node: e.Assign) -> bool:
    """Whether an element is made of its neighbour, as in `a[i] = 3 * a[i - 1]`, but for sums: a scan shares
    those out.
    """
    target = node.target
    if not isinstance(target, e.Index):
        return False
    array, place = render(target.base), render(target.index)
    return any(
        render(part.base) == array and _is_beside(part.index, place) and not _is_summed(node.value, part)
        for part in find(node.value, e.Index)
    )


def _is_beside(index: e.Expression, place: str) -> bool:
    """Whether an index is a constant less than another one, or that one more."""
    match _bare(index):
        case e.Binary(operator="-" | "+", left=left, right=right):
            return isinstance(_bare(right), e.Literal) and render(_bare(left)) == place
        case _:
            return False


def _is_summed(value: e.Expression, part: e.Expression) -> bool:
    """Whether the part is a term of a sum, or one of what is picked of."""
    match _bare(value):
        case found if found is part:
            return True
        case e.Binary(operator=operator, left=left, right=right) if operator in _SUMS:
            return _is_summed(left, part) or (operator != "-" and _is_summed(right, part))
        case e.Call(name=name, arguments=arguments) if name in _PICKS:
            return any(_is_summed(argument, part) for argument in arguments)
        case _:
            return False


def _made_of_itself(node: Node) -> list[int]:
    """Variables that the node makes of what they are: `x = f(x)`, `f(&x, &x)`, but for parts of a sum."""
    match node:
        case e.Assign(target=e.VariableReference(variable=variable), operator=None, value=value):
            used = any(_is(part, variable.id) for part in walk(value))
            return [variable.id] if used and not _part_of_sum(value, variable.id) else []
        case e.Call(arguments=arguments):
            lent = [argument for argument in map(_bare, arguments) if isinstance(argument, e.AddressOf)]
            names = Counter(a.operand.variable.id for a in lent if isinstance(a.operand, e.VariableReference))
            return [name for name, times in names.items() if times > 1]
        case _:
            return []


def _part_of_sum(value: e.Expression, variable: int, outer: str = "") -> bool:
    """outer: the operator that the value stands under, which is to be the same all the way."""
    match _bare(value):
        case e.Binary(operator=operator, left=left, right=right) if operator in _SUMS:
            kind = "+" if operator == "-" else operator
            sides = (left,) if operator == "-" else (left, right)
            return outer in ("", kind) and any(
                _is(_bare(side), variable) or _part_of_sum(side, variable, kind) for side in sides
            )
        case e.Call(name=name, arguments=arguments) if name in _PICKS:
            return any(_is(_bare(argument), variable) for argument in arguments)
        case e.Conditional(then=then, otherwise=otherwise):
            return any(_is(_bare(side), variable) for side in (then, otherwise))
        case _:
            return False


def _bare(node: e.Expression) -> e.Expression:
    while isinstance(node, e.Cast):
        node = node.operand
    return node


def _is(node: Node, variable: int) -> bool:
    return isinstance(node, e.VariableReference) and node.variable.id == variable
