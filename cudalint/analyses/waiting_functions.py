"""Functions that only wait: barriers by another name, which stand where they are called."""

from cudalint.analyses.once import once
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import walk

_NOTHING = (
    s.Block, s.Evaluate, s.If, s.Return, e.Call, e.VariableReference, e.Member, e.Dereference, e.Literal,
    e.Builtin, e.Cast, e.Unary, e.Binary,
)  # fmt: skip


@once
def only_calls(unit: Unit, function: Function) -> bool:
    """Whether a function makes one call, or waits for its warp instead, and does nothing else."""
    if function.kernel or function.body is None:
        return False
    nodes = list(walk(function.body))
    calls = [node for node in nodes if isinstance(node, e.Call) and node.name != "__syncwarp"]
    return len(calls) == 1 and all(isinstance(node, _NOTHING) for node in nodes)
