"""Bytes of allocations and copies that the host computes in 32 bits, from sizes that nobody knows."""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.analyses.divisibility import factors
from cudalint.analyses.index_arithmetic import is_int, is_long
from cudalint.host.facts import HostFacts
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.unit import Unit
from cudalint.ir.walk import find, kept
from cudalint.source.span import Span


class NarrowSize(Struct, frozen=True):
    """A product in 32 bits, or a longer one that 32 bits are to hold, and the first call that takes it for
    bytes.
    """

    node: e.Expression
    call: e.Call


def narrow_sizes(host: HostFacts, unit: Unit) -> Iterator[NarrowSize]:
    """Those with a factor `sizeof`, one for each place."""
    sized = [call for call in host.calls if call.kind in ("allocate", "copy", "memset")]
    unknown = {call.span for call in sized if call.bytes is None}
    unknown -= {call.span for call in sized if call.bytes is not None}
    found: dict[Span, NarrowSize] = {}
    for function in unit.functions.values() if unknown else ():
        if function.body is None or unknown.isdisjoint(_calls(function.body)):
            continue
        held = _held(function.body)
        for call in find(function.body, e.Call):
            if call.span in unknown:
                for argument in call.arguments:
                    node = _product(argument, held)
                    if node is not None:
                        found.setdefault(node.span, NarrowSize(node, call))
    yield from found.values()


@kept
def _calls(body: s.Block) -> frozenset[Span]:
    """The places of a body's calls."""
    return frozenset(call.span for call in find(body, e.Call))


@kept
def _held(body: s.Block) -> dict[int, e.Expression]:
    """What variables are declared with that nothing else is assigned to, by number."""
    declared = {node.variable.id: node.initial for node in find(body, s.Declare) if node.initial is not None}
    for node in find(body, e.Assign):
        if isinstance(node.target, e.VariableReference):
            declared.pop(node.target.variable.id, None)
    return declared


def _product(argument: e.Expression, held: dict[int, e.Expression]) -> e.Expression | None:
    """What computes an argument of 64 bits, where that has 32."""
    if not isinstance(argument, e.Cast) or not is_int(argument.operand.type):
        return None
    node: e.Expression | None = argument.operand
    if isinstance(node, e.VariableReference):
        node = held.get(node.variable.id)
    return node if node is not None and is_int(node.type) and _is_bytes(node, held) else None


def _is_bytes(node: e.Expression, held: dict[int, e.Expression]) -> bool:
    """Whether it is a product with a `sizeof`, in 32 bits or cut to them, and with what is no constant."""
    whole = node.operand if isinstance(node, e.Cast) else node
    if not isinstance(whole, e.Binary) or whole.operator != "*":
        return False
    parts = [_value(factor, held) for factor in factors(whole)]
    return any(_is_size(part) for part in parts) and not all(isinstance(part, e.Literal) for part in parts)


def _value(node: e.Expression, held: dict[int, e.Expression]) -> e.Expression:
    """A factor, or what the variable that it is was declared with."""
    found = held.get(node.variable.id, node) if isinstance(node, e.VariableReference) else node
    while isinstance(found, e.Cast):
        found = found.operand
    return found


def _is_size(node: e.Expression) -> bool:
    """Whether it is a `sizeof`: a number of type size_t that nobody has written as one."""
    return isinstance(node, e.Literal) and is_long(node.type) and node.spelling is None
