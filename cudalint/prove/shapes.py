"""What is known of a launch before it begins: extents, indices and parameters as variables with bounds."""

import z3
from msgspec import Struct, field

from cudalint.analyses.kernel_queries import reachable
from cudalint.ir import expressions as e
from cudalint.ir.layout import innermost, leaves
from cudalint.ir.types import Array, Record, Reference, Scalar, Type
from cudalint.ir.types import Pointer as PointerType
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find
from cudalint.prove import arithmetic
from cudalint.prove.machine import Machine, shifted
from cudalint.prove.values import Number, Pointer, Term, conj, number, whole_of
from cudalint.settings.assume import Assumption
from cudalint.simt.interpret.library.groups import group_kind

_BLOCK_LIMITS = {"x": 1024, "y": 1024, "z": 64}
_GRID_LIMITS = {"x": (1 << 31) - 1, "y": 65535, "z": 65535}
MOST_THREADS = 1024


class Launch(Struct):
    """The launches of a kernel that are considered."""

    extents: dict[str, Number] = field(default_factory=dict)  # threadIdx, ..., gridDim by 'name.axis'
    facts: list[Term] = field(default_factory=list)  # constraints on extents and parameters
    parameters: dict[str, Term] = field(default_factory=dict)  # by name, for the witness


def launch_of(unit: Unit, function: Function, assumptions: tuple[Assumption, ...]) -> Launch:
    """The launches of a kernel that the assumptions and its launch bounds allow.

    An axis other than x that the kernel never reads has the extent 1 unless an assumption names it.
    """
    launch = Launch()
    used = _axes(unit, function)
    for axis in "xyz":
        for what, index, limits in (
            ("blockDim", "threadIdx", _BLOCK_LIMITS),
            ("gridDim", "blockIdx", _GRID_LIMITS),
        ):
            name = f"{what}.{axis}"
            named = any(a.name == name for a in assumptions)
            most = limits[axis]
            if what == "blockDim" and function.launch_bounds and function.launch_bounds[0] > 0:
                most = min(most, function.launch_bounds[0])
            if axis == "x" or named or name in used:
                extent = _given(launch, name, 1, most, assumptions)
            else:
                extent = number(1)
            launch.extents[name] = extent
            launch.extents[f"{index}.{axis}"] = _index(launch, f"{index}.{axis}", extent)
    _limit_threads(launch, function)
    return launch


def _limit_threads(launch: Launch, function: Function) -> None:
    x, y, z = (launch.extents[f"blockDim.{axis}"] for axis in "xyz")
    if x.constant is not None and y.constant is not None and z.constant is not None:
        return  # as assumed, even above the limits of a device
    most = MOST_THREADS
    if function.launch_bounds and function.launch_bounds[0] > 0:
        most = min(most, function.launch_bounds[0])
    if [x.constant, y.constant, z.constant].count(1) < 2:
        launch.facts.append(x.term * y.term * z.term <= most)


def _axes(unit: Unit, function: Function) -> set[str]:
    """Which extents the kernel depends on."""
    found: set[str] = set()
    owner = {"threadIdx": "blockDim", "blockIdx": "gridDim"}
    for current in reachable(unit, function):
        for node in find(current.body, e.Builtin, e.Call):
            if isinstance(node, e.Builtin) and node.axis:
                found.add(f"{owner.get(node.name, node.name)}.{node.axis}")
            elif isinstance(node, e.Call) and node.receiver is not None:
                kind = group_kind(node.receiver.type)
                if kind is not None and node.name != "sync":
                    found |= {f"{what}.{axis}" for what in ("blockDim", "gridDim") for axis in "xyz"}
    return found


def _given(launch: Launch, name: str, low: int, high: int, assumptions: tuple[Assumption, ...]) -> Number:
    """The variable of a number that the launch gives, with what is assumed of it."""
    mine = [a for a in assumptions if a.name == name]
    for assumption in mine:
        if assumption.operator == "==" and assumption.modulus is None:
            return number(assumption.value)
    term = _extent(name, mine)
    for assumption in mine:
        if assumption.modulus is None and assumption.operator in (">", ">="):
            low = max(low, assumption.value + (assumption.operator == ">"))
        elif assumption.modulus is None and assumption.operator in ("<", "<="):
            high = min(high, assumption.value - (assumption.operator == "<"))
        else:
            launch.facts.append(_holds(term, assumption, low))
    launch.facts.append(conj([term >= low, term <= high]))
    if not name.startswith(("blockDim.", "gridDim.")):
        launch.parameters[name] = term
    return arithmetic.ranged(term, low, high)


def _extent(name: str, assumptions: list[Assumption]) -> Term:
    """The variable; of an extent that a number divides, the multiple of one, so that products are linear."""
    divisors = [
        a.modulus for a in assumptions if a.modulus is not None and a.operator == "==" and a.value == 0
    ]
    if divisors and name.startswith(("blockDim.", "gridDim.")):
        return z3.Int(f"g!{name}/{divisors[0]}") * divisors[0]
    return z3.Int(f"g!{name}")


def _holds(term: Term, assumption: Assumption, low: int) -> Term:
    left = term
    if assumption.modulus is not None:
        by = assumption.modulus
        left = term % by if low >= 0 else z3.If(term >= 0, term % by, -((-term) % by))
    value = assumption.value
    return {
        "==": left == value, "!=": left != value, "<": left < value,
        "<=": left <= value, ">": left > value, ">=": left >= value,
    }[assumption.operator]  # fmt: skip


def _index(launch: Launch, name: str, extent: Number) -> Number:
    if extent.constant == 1:
        return number(0)
    term = z3.Int(f"{'p' if name.startswith('threadIdx') else 'b'}!{name}")
    high = extent.high - 1 if extent.high is not None else None
    return Number(term, 0, high)


# --- parameters ---


def enter(
    m: Machine,
    launch: Launch,
    function: Function,
    assumptions: tuple[Assumption, ...],
    aliases: tuple[tuple[str, str, int | None], ...],
) -> None:
    """Give every parameter its value; pointers do not alias but for `aliases`."""
    bases = {name: (base, by) for name, base, by in aliases}
    for variable in function.parameters:
        if isinstance(variable.type, Reference):
            object = m.object(variable.name, "global", max(1, innermost(variable.type.target).bytes))
            m.bound[variable.id] = whole_of(object)
            continue
        memory = m.private(variable.name)
        m.variables[variable.id] = memory
        for at, kind in leaves(m.unit, variable.type):
            name = _name(m.unit, variable.name, variable.type, at)
            value = _parameter(m, launch, name, kind, assumptions)
            base, by = bases.get(name, (name, 0))
            if by is None:
                m.lose(f"{base} and {name} point into one buffer", function.span)
            elif base != name:
                value = shifted(whole_of(m.objects[base]), number(by))
            m.env[memory.id, at] = value


def _name(unit: Unit, name: str, type: Type, at: int) -> str:
    """The name of a parameter, or of a field of it."""
    while isinstance(type, Record):
        layout = unit.records.get(type.name)
        field_ = None
        for candidate in layout.fields if layout is not None else ():
            if candidate.offset <= at < candidate.offset + max(1, candidate.type.bytes):
                field_ = candidate
        if field_ is None:
            return f"{name}+{at}"
        name, type, at = f"{name}.{field_.name}", field_.type, at - field_.offset
    return f"{name}+{at}" if at else name


def _parameter(
    m: Machine, launch: Launch, name: str, type: Type, assumptions: tuple[Assumption, ...]
) -> Number | Pointer:
    if isinstance(type, PointerType):
        inner = type.pointee
        while isinstance(inner, Array):
            inner = inner.element
        return whole_of(m.object(name, "global", max(1, inner.bytes), _inner_extents(type.pointee)))
    if isinstance(type, Scalar) and arithmetic.is_integer(type):
        return _given(launch, name, *arithmetic.limits(type), assumptions)
    return Number(z3.Int(f"g!{name}"))


def _inner_extents(type: Type) -> tuple[int, ...]:
    extents: list[int] = []
    while isinstance(type, Array):
        extents.append(type.count or 0)
        type = type.element
    return tuple(extents)
