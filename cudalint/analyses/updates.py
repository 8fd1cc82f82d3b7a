"""Loops that update one place in memory in every iteration, and why a compiler leaves the store inside.

A compiler moves such a store behind the loop where nothing else in the loop may touch the place and every
iteration makes it; what it does was read off the PTX that nvcc 13.0 makes of 24 kernels.
"""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from cudalint.analyses.equality_conditions import picks
from cudalint.analyses.kernel_queries import is_memory, is_volatile, lvalues, reachable, root_of
from cudalint.analyses.once import once
from cudalint.analyses.seen_through import body_of, seen_through
from cudalint.analyses.trip_counts import uncast
from cudalint.analyses.varying import private
from cudalint.cuda import effects
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.render import render
from cudalint.ir.types import Pointer
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import Node, find

_COMPUTING: frozenset[str] = frozenset().union(
    effects.MINIMA, effects.MAXIMA, effects.ABSOLUTES, effects.PRODUCTS, effects.LOADS, effects.BITS,
    effects.ROUNDINGS, effects.FUNCTIONS, effects.CONVERSIONS,
)  # fmt: skip
_DEPTH = 3  # calls in each other
_MOST_HOPS = 8  # of pointers that are made of other pointers


class Update(Struct, frozen=True):
    """An assignment in a loop to a place that the loop does not change. other: an access that may be to the
    same memory, for all the compiler knows; None where the update is made under a condition. partners: the
    parameters behind the two pointers, where both are. under: it is made under a condition. called: a
    function that the loop calls makes it through a pointer of a struct; nvcc 13.0 then leaves it inside
    although the load through `other` cannot be to the same memory.
    """

    assign: e.Assign
    loop: s.Loop
    other: e.Expression | None
    partners: tuple[e.Variable, e.Variable] | None = None
    under: bool = False
    called: bool = False


@once
def updates(unit: Unit, kernel: Function) -> tuple[Update, ...]:
    """The updates of a kernel, and of what it calls, that stay in their loop."""
    found: list[Update] = []
    for function in reachable(unit, kernel):
        sources = Sources(function)
        for loop in find(function.body, s.Loop):
            seen = _in_loop(unit, seen_through(unit, function, loop), sources)
            found += (replace(update, loop=loop) for update in seen)
    return tuple(found)


def _in_loop(unit: Unit, loop: s.Loop, sources: "Sources") -> Iterator[Update]:
    found = [(a, under) for a, under in _assignments(loop.body, False) if _is_update(a)]
    if not found or _ordered(unit, loop):
        return
    changed = changed_in(loop)
    for assign, under in found:
        if stays(assign.target, changed):
            update = _kept(unit, loop, assign, under, sources)
            if update is not None:
                yield update


def _assignments(node: s.Statement, under: bool) -> Iterator[tuple[e.Assign, bool]]:
    """Assignments that are statements of the loop itself, and whether under a condition; none under one that
    picks few cases.
    """
    match node:
        case s.Block(body=body):
            for part in body:
                yield from _assignments(part, under)
        case s.If(condition=condition, then=then, otherwise=otherwise):
            if not picks(condition):
                yield from _assignments(then, True)
            if otherwise is not None:
                yield from _assignments(otherwise, True)
        case s.Evaluate(expression=e.Assign() as assign):
            yield assign, under


def _is_update(assign: e.Assign) -> bool:
    """Whether the new value is made of the old one, in memory."""
    if not is_memory(assign.target) or is_volatile(assign.target):
        return False
    if assign.operator is not None:
        return True
    target = render(assign.target)
    return any(render(lvalue) == target for lvalue, _ in lvalues(assign.value))


def _ordered(unit: Unit, loop: s.Loop) -> bool:
    """Whether the loop holds something that other threads may go by, or that is not seen."""
    for node in find(loop, s.Opaque, e.Unknown, e.Lambda, e.Call, e.Construct):
        match node:
            case s.Opaque() | e.Unknown() | e.Lambda():
                return True
            case e.Call(key=key, name=name):
                if _has_body(unit, key):
                    if not _only_loads(unit, node, _DEPTH):
                        return True
                elif not touches_nothing(name):
                    return True
            case e.Construct(key=key) if _has_body(unit, key):
                return True
    return False


def _only_loads(unit: Unit, call: e.Call, depth: int) -> bool:
    """Whether a function of the unit computes and loads alone, as do those that it calls."""
    body = body_of(unit, call) if depth else None
    for node in find(body, s.Opaque, e.Unknown, e.Lambda, e.Construct, e.Assign, e.Call):
        match node:
            case s.Opaque() | e.Unknown() | e.Lambda():
                return False
            case e.Construct(key=key) if _has_body(unit, key):
                return False
            case e.Assign(target=target) if is_memory(target):
                return False
            case e.Call(key=key, name=name):
                seen = _has_body(unit, key)
                if not (_only_loads(unit, node, depth - 1) if seen else touches_nothing(name)):
                    return False
    return body is not None


def _has_body(unit: Unit, key: str | None) -> bool:
    function = unit.functions.get(key) if key is not None else None
    return function is not None and function.body is not None


def touches_nothing(name: str) -> bool:
    """Whether a function of the library by that name only computes, or only loads."""
    return name in _COMPUTING or (effects.is_pure(name) and not name.startswith("__sync"))


def changed_in(loop: s.Loop) -> set[int]:
    """Variables that come to life, are written or have their address taken in the loop."""
    found: set[int] = set()
    for node in find(loop, s.Declare, e.Assign, e.AddressOf):
        match node:
            case s.Declare(variable=variable):
                found.add(variable.id)
            case e.Assign(target=target) | e.AddressOf(operand=target):
                variable_ = private(target)
                if variable_ is not None:
                    found.add(variable_.id)
    return found


def stays(target: e.Expression, changed: set[int]) -> bool:
    """Whether the place is told by what the loop does not change, and without a load."""
    if sum(1 for node, _ in lvalues(target) if not is_field_of_this(node)) != 1:
        return False
    return all(part.variable.id not in changed for part in find(target, e.VariableReference)) and not find(
        target, e.Call, e.Assign
    )


def _is_other_field(one: e.Expression, two: e.Expression) -> bool:
    """Whether the two are different fields of one record."""
    match one, two:
        case e.Member(base=base, name=name), e.Member(base=other, name=own):
            return name != own and render(base) == render(other)
        case _:
            return False


def is_field_of_this(node: e.Expression) -> bool:
    """Whether it is a field of the object whose method it is: inlined, that is an argument of the kernel."""
    while isinstance(node, e.Member):
        node = node.base
    match node:
        case e.Dereference(pointer=e.VariableReference(variable=variable)):
            return variable.name == "this"
        case _:
            return False


def _kept(unit: Unit, loop: s.Loop, assign: e.Assign, under: bool, sources: "Sources") -> Update | None:
    """Why the store stays in the loop; None where it does not, or where it may have to."""
    place = render(assign.target)
    base = _base(assign.target)
    own, restricted = sources.of(assign.target)
    called = _is_of_a_call(assign.target, sources.function)
    apart: Update | None = None
    beside: Update | None = None
    for other, _ in _accesses(unit, loop, _DEPTH):
        if render(other) == place or is_field_of_this(other) or _is_other_field(other, assign.target):
            continue
        if _base(other) == base:
            return None  # perhaps the same element
        root, free = sources.of(other)
        if root is not None and root.storage in ("shared", "constant"):
            continue
        if restricted or free or _both_arrays(own, root):
            if called and sources.is_given(root):
                beside = beside or Update(assign, loop, other, None, under, called=True)
            continue
        partners = (own, root) if own is not None and root is not None and own != root else None
        apart = apart or Update(assign, loop, other, partners, under)
    if apart is None and under:
        return Update(assign, loop, None, under=True)
    return apart or beside


def _is_of_a_call(target: e.Expression, function: Function) -> bool:
    """Whether the place is an element of what a struct points to, in a function that is called for it."""
    base = uncast(target.base) if isinstance(target, e.Index) else target
    pointer = isinstance(base, e.Member) and isinstance(base.type, Pointer)
    return pointer and not function.extent.contains(base.span)


def _both_arrays(one: e.Variable | None, other: e.Variable | None) -> bool:
    """Whether the two are different arrays of the program, not pointers."""
    return all(v is not None and v.storage in ("device", "managed") for v in (one, other)) and one != other


def _accesses(unit: Unit, part: Node, depth: int) -> Iterator[tuple[e.Expression, str]]:
    """All that the code accesses, with the functions of the unit that it calls."""
    yield from lvalues(part)
    for node in find(part, e.Call):
        if isinstance(node, e.Call) and node.name in effects.LOADS and node.arguments:
            yield node.arguments[0], "load"
        elif isinstance(node, e.Call) and depth and (body := body_of(unit, node)) is not None:
            yield from _accesses(unit, body, depth - 1)


def _base(node: e.Expression) -> str:
    """The pointer or array that an access goes through, as text."""
    while True:
        match node:
            case e.Index(base=base):
                node = base
            case e.Member(base=base, type=kind) if is_memory(base) and not isinstance(kind, Pointer):
                node = base
            case e.Dereference(pointer=inner) | e.Cast(operand=inner) | e.AddressOf(operand=inner):
                node = inner
            case e.Binary(operator="+" | "-", left=left) if isinstance(left.type, Pointer):
                node = left
            case _:
                return render(node)


def _from_a_table(node: e.Expression) -> bool:
    """Whether a pointer is, or comes of, an element of an array of pointers: no promise about the array is
    one about what its elements point to.
    """
    while True:
        match node:
            case e.Index(base=base, type=Pointer()) if isinstance(base.type, Pointer):
                return True
            case e.Index(base=inner) | e.Member(base=inner) | e.Dereference(pointer=inner):
                node = inner
            case e.Cast(operand=inner) | e.AddressOf(operand=inner) | e.Binary(left=inner):
                node = inner
            case _:
                return False


class Sources:
    """Which parameter, or array, the pointers of a function are made of."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.initial: dict[int, e.Expression] = {}
        self.written: set[int] = set()
        for node in find(function.body, s.Declare, e.Assign):
            match node:
                case s.Declare(variable=variable, initial=initial) if initial is not None:
                    self.initial[variable.id] = initial
                case e.Assign(target=e.VariableReference(variable=variable), operator=None):
                    self.written.add(variable.id)

    def of(self, access: e.Expression) -> tuple[e.Variable | None, bool]:
        """(the variable, whether a `__restrict__` on the way says that it has no alias)."""
        pointer = access.base if isinstance(access, e.Index) else access
        root = None if _from_a_table(pointer) else root_of(access)
        for _ in range(_MOST_HOPS):
            if root is None or root.storage != "local" or root.id in self.written:
                break
            if isinstance(root.type, Pointer) and root.type.restrict:
                return root, True
            initial = self.initial.get(root.id)
            if not isinstance(root.type, Pointer) or initial is None:
                break
            root = None if _from_a_table(initial) else root_of(initial)
        restricted = root is not None and isinstance(root.type, Pointer) and root.type.restrict
        return root, restricted

    def is_given(self, root: e.Variable | None) -> bool:
        """Whether it is a pointer parameter, or a local pointer made of one."""
        if root is not None and root.storage == "local":
            initial = self.initial.get(root.id)
            root = root_of(initial) if initial is not None else None
        return root is not None and root.storage == "parameter" and isinstance(root.type, Pointer)
