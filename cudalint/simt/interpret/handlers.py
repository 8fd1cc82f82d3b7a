"""The handlers of every type of node, for the machine of a run."""

from cudalint.ir import expressions as e
from cudalint.simt.interpret import (
    assignments,
    calls,
    conditions,
    expressions,
    lvalues,
    operators,
    statements,
)
from cudalint.simt.interpret.machine import Handlers

_EXPRESSIONS = {
    **expressions.EXPRESSIONS,
    **operators.EXPRESSIONS,
    **conditions.EXPRESSIONS,
    **assignments.EXPRESSIONS,
    **calls.EXPRESSIONS,
}

HANDLERS = Handlers(
    expressions=_EXPRESSIONS,
    places={
        **dict.fromkeys(_EXPRESSIONS, lvalues.temporary),
        **lvalues.PLACES,
        **conditions.PLACES,
        e.Call: calls.call_place,
    },
    statements=statements.STATEMENTS,
)
