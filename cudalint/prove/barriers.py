"""Which statements may synchronise threads."""

from cudalint.cuda import effects
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Unit
from cudalint.ir.walk import find
from cudalint.simt.interpret.library.groups import group_kind

_METHODS = ("sync", "barrier_wait", "barrier_arrive", "synchronize")


def may_wait(unit: Unit, node: s.Statement) -> bool:
    """Whether a barrier of the block or the grid may be reached from the statement."""
    seen: set[str] = set()
    stack: list[s.Statement] = [node]
    while stack:
        for part in find(stack.pop(), e.Call, e.Construct, e.Lambda):
            if isinstance(part, e.Call) and _waits(part):
                return True
            for key in _keys(part):
                function = unit.functions.get(key)
                if key not in seen and function is not None and function.body is not None:
                    seen.add(key)
                    stack.append(function.body)
    return False


def _keys(part: e.Call | e.Construct | e.Lambda) -> list[str]:
    keys = [part.key]
    if isinstance(part, e.Call) and isinstance(part.target, e.FunctionReference | e.Lambda):
        keys.append(part.target.key)
    return [key for key in keys if key is not None]


def _waits(part: e.Call) -> bool:
    if part.name in effects.BLOCK_BARRIERS | effects.PART_BARRIERS:
        return True
    if part.name not in _METHODS:
        return False
    of = part.operands[0] if part.operands else None
    kind = group_kind(of.type) if of is not None else None
    return kind is not None and kind[0] in ("block", "cluster", "grid")
