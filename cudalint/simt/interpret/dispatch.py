"""Running a node of a kernel: the machine holds the handler for each type of node."""

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.values.lanes import Value, unknown
from cudalint.simt.values.state import Place, Result


def execute(m: Machine, node: s.Statement) -> None:
    """Run one statement for the active lanes."""
    m.state.step()
    if m.recorder.effort is not None:
        m.recorder.effort.spend(node, m.state.mask)
    if m.visits is not None:
        m.visits.visit(node, m.state.mask, m.recorder.factor, m.state.any_doubt)
    m.handlers.statements[type(node)](m, node)


def evaluate(m: Machine, node: e.Expression) -> Result:
    """The value of an expression for the active lanes."""
    state = m.state
    state.work += state.cost
    return m.handlers.expressions[type(node)](m, node)


def number(m: Machine, node: e.Expression) -> Value:
    """The value of a scalar expression; a record's is unknown."""
    state = m.state
    state.work += state.cost
    result = m.handlers.expressions[type(node)](m, node)
    return result if type(result) is Value else unknown("a record where a number is needed")


def place(m: Machine, node: e.Expression) -> Place:
    """Where an lvalue lives. A temporary gets storage of its own."""
    m.touched.add(node.span)
    return m.handlers.places[type(node)](m, node)
