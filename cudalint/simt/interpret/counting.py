"""Counting the requests of an access: loads of held values make none, the compiler merges neighbours."""

import numpy as np
from msgspec import Struct

from cudalint.analyses.kernel_queries import is_volatile
from cudalint.analyses.once import once
from cudalint.cuda.effects import LOADS
from cudalint.cuda.spaces import Operation
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.layout import chunk
from cudalint.ir.types import Array, Record, Type
from cudalint.ir.unit import Unit
from cudalint.ir.walk import find
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.interpret.objects import is_reference
from cudalint.simt.requests.sites import AccessSite
from cudalint.simt.requests.wide import Made
from cudalint.simt.values.lanes import Bools
from cudalint.simt.values.memory import Memory

_WORD = 4  # narrower members of records are left as they are: not measured
_MOST_CALLS = 4  # that return what another one returns
_SHARED_ALIGNMENT = 16  # that the compiler gives shared arrays


def count_requests(
    m: Machine,
    node: e.Expression,
    memory: Memory,
    operation: Operation,
    addresses: np.ndarray | int,
    type: Type,
    mask: Bools,
    free: int,
) -> None:
    """Count the requests of one access and their transactions, as the compiler makes them."""
    state = m.state
    width = chunk(type)
    if _kept(m, node, memory, operation, addresses, type, mask):
        m.recorder.reuse(node, memory)
        return
    sites: tuple[AccessSite, ...] = ()
    attributed_to = state.attributed_to(node.span)
    pieces = max(1, min(type.bytes // width, 16)) if isinstance(type, Record) else 1
    for piece in range(pieces):
        at = addresses + piece * width if piece else addresses
        counted = m.recorder.access(node, attributed_to, memory, operation, width, at, mask, state.any_doubt)
        sites = tuple(one.site for one in counted)
    if pieces == 1 and (align := _sure_alignment(m, node, memory, operation)) > width:
        if m.partly and operation == "load":
            m.recorder.widen(counted, width, align)
        sites = m.neighbours.add(
            m.recorder,
            Made(
                node,
                attributed_to,
                memory,
                operation,
                width,
                addresses,
                mask,
                state.any_doubt,
                align,
                counted,
            ),
        )
    named = _named(m.unit, node)
    for site in sites:
        if state.loop_depth:
            m.recorder.step(site, addresses, mask, tuple(frame.call for frame in state.frames))
        site.sampled |= state.spent
        site.free |= bool(free)
        site.volatile |= named.volatile
        if named.owner is not None:
            site.record = (named.owner.name, named.owner.bytes)
            site.whole = named.whole


class _Named(Struct, frozen=True):
    """What an access names."""

    volatile: bool
    owner: Record | None  # the struct whose field it is
    whole: bool  # it is the struct itself


@once
def _named(unit: Unit, node: e.Expression) -> _Named:
    lvalue = _behind_calls(unit, node)
    owner = owner_record(lvalue)
    return _Named(is_volatile(node), owner, owner is not None and lvalue.type == owner)


def _behind_calls(unit: Unit, node: e.Expression) -> e.Expression:
    """What a function that only returns a reference names, or a load by the library goes through."""
    for _ in range(_MOST_CALLS):
        match node:
            case e.Call(key=str() as key) if (returned := _only_returned(unit, key)) is not None:
                node = returned
            case e.Call(name=name, arguments=(e.AddressOf(operand=operand), *_)) if name in LOADS:
                node = operand
            case _:
                break
    return node


def _only_returned(unit: Unit, key: str) -> e.Expression | None:
    """The value of the one statement that returns from a function."""
    function = unit.functions.get(key)
    body = function.body if function is not None else None
    returns = find(body, s.Return) if body is not None else []
    return returns[0].value if len(returns) == 1 else None


def _sure_alignment(m: Machine, node: e.Expression, memory: Memory, operation: Operation) -> int:
    """Bytes that the compiler knows the surroundings of an access to be aligned to."""
    named = _named(m.unit, node)
    if operation == "atomic" or isinstance(node, e.Call) or named.volatile:
        return 0
    if memory.space == "shared":
        return _SHARED_ALIGNMENT
    owner = named.owner
    return owner.align if owner is not None and memory.aligned and node.type.bytes >= _WORD else 0


def _kept(
    m: Machine,
    node: e.Expression,
    memory: Memory,
    operation: Operation,
    addresses: np.ndarray | int,
    type: Type,
    mask: Bools,
) -> bool:
    """Whether the access is a load of what a register holds; what registers hold is brought up to date."""
    registers = m.registers
    if memory.space not in ("global", "shared") or memory.several:
        return False
    if operation == "atomic" or _named(m.unit, node).volatile:
        m.fence()
        return False
    parts = registers.parts_of(m.unit, memory, addresses, type, mask)
    if operation == "load" and registers.holds(parts, mask):
        return True
    if operation == "store":
        registers.written(memory, addresses, type.bytes)
        m.neighbours.written(memory, addresses, type.bytes)
    else:
        m.neighbours.loaded(memory, addresses, type.bytes)
    registers.hold(memory, parts, mask)
    return False


def owner_record(node: e.Expression) -> Record | None:
    """The struct whose field, or an element of one, an access names: `p[i].x` gives the type of `p[i]`."""
    while isinstance(node, e.Index) and isinstance(node.base, e.Member) and isinstance(node.base.type, Array):
        node = node.base
    while isinstance(node, e.Member):
        node = node.base
        if _is_referred(node) and isinstance(node.type, Record):
            return node.type
    if _is_referred(node) and isinstance(node.type, Record):
        return node.type
    return None


def _is_referred(node: e.Expression) -> bool:
    """Whether the expression names what a pointer or a reference leads to, also one that is returned."""
    if isinstance(node, e.VariableReference):
        return is_reference(node.variable)
    return isinstance(node, e.Index | e.Dereference | e.Call)
