"""Under which launches a kernel is judged: those of the file, and what is taken for granted of others."""

from msgspec import Struct

from cudalint.analyses.kernel_queries import reachable
from cudalint.cuda import effects
from cudalint.host.facts import Argument, LaunchFact
from cudalint.host.model import run as run_host
from cudalint.ir import expressions as e
from cudalint.ir.types import Pointer as PointerType
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find
from cudalint.prove.arithmetic import is_integer
from cudalint.settings.assume import Assumption
from cudalint.source.span import Span

_MOST_CASES = 4
_BOUNDING = ("<", "<=", ">", ">=", "*", "/", "%")
_WHOLE = "blockDim.x % 32 == 0"


class Case(Struct, frozen=True):
    """A launch of the file, or any launch (no spans). assumptions: what it passes, as far as that is known.
    aliases: parameters that point into the memory of another one, so many bytes further (None: nobody knows).
    """

    assumptions: tuple[Assumption, ...] = ()
    aliases: tuple[tuple[str, str, int | None], ...] = ()
    spans: tuple[Span, ...] = ()


def cases_of(unit: Unit, function: Function, assumptions: tuple[Assumption, ...]) -> tuple[Case, ...]:
    """The launches of a kernel in the file, those that are alike together; any launch where there are none,
    or too many kinds. What is assumed of a name stands above what launches pass.
    """
    named = {assumption.name for assumption in assumptions}
    found: dict[tuple[object, ...], list[Span]] = {}
    for launch in run_host(unit).launches:
        if launch.key == function.key and launch.reached:
            passed = tuple(a for a in _passed(function, launch) if a.name not in named)
            found.setdefault((passed, _aliases(function, launch)), []).append(launch.span)
    if not 0 < len(found) <= _MOST_CASES:
        return (Case(),)
    return tuple(Case(a, b, tuple(spans)) for (a, b), spans in found.items())  # type: ignore[arg-type]


def _passed(function: Function, launch: LaunchFact) -> list[Assumption]:
    """The shape and the numbers that a launch passes, as far as they are known."""
    found = []
    for name, extents in (("blockDim", launch.block), ("gridDim", launch.grid)):
        pairs = zip("xyz", extents, strict=True)
        found += [Assumption(f"{name}.{axis}", "==", n) for axis, n in pairs if n is not None and n > 0]
    for parameter, argument in zip(function.parameters, launch.arguments or (), strict=False):
        if is_integer(parameter.type) and isinstance(argument.value, int):
            found.append(Assumption(parameter.name, "==", argument.value))
    return found


def _aliases(function: Function, launch: LaunchFact) -> tuple[tuple[str, str, int | None], ...]:
    """The pointers that point into the memory that an earlier one points to."""
    first: dict[int, tuple[str, Argument]] = {}
    found = []
    for parameter, argument in zip(function.parameters, launch.arguments or (), strict=False):
        if not isinstance(parameter.type, PointerType) or argument.buffer is None:
            continue
        name, base = first.setdefault(argument.buffer.id, (parameter.name, argument))
        if name != parameter.name:
            known = argument.offset is not None and base.offset is not None
            by = argument.offset - base.offset if known else None  # type: ignore[operator]
            found.append((parameter.name, name, by))
    return tuple(found)


# --- what is taken for granted ---


def usual(unit: Unit, function: Function, assumptions: tuple[Assumption, ...]) -> tuple[Assumption, ...]:
    """Sizes are positive, and where lanes of a warp exchange values with all others, warps are whole."""
    named = {assumption.name for assumption in assumptions}
    found = [Assumption(name, ">=", 1, None, f"{name} > 0") for name in _sizes(function) if name not in named]
    if "blockDim.x" not in named and _exchanges(unit, function):
        found.append(Assumption("blockDim.x", "==", 0, 32, _WHOLE))
    return tuple(found)


def _sizes(function: Function) -> list[str]:
    """The integer parameters that the kernel uses as bounds, factors and divisors only."""
    assert function.body is not None
    uses: dict[int, int] = {}
    bounding: dict[int, int] = {}
    for node in find(function.body, e.VariableReference, e.Binary):
        if isinstance(node, e.VariableReference):
            uses[node.variable.id] = uses.get(node.variable.id, 0) + 1
        elif isinstance(node, e.Binary) and node.operator in _BOUNDING:
            for side in map(_plain, (node.left, node.right)):
                if isinstance(side, e.VariableReference):
                    bounding[side.variable.id] = bounding.get(side.variable.id, 0) + 1
    return [
        p.name
        for p in function.parameters
        if is_integer(p.type) and 0 < uses.get(p.id, 0) == bounding.get(p.id)
    ]


def _plain(node: e.Expression) -> e.Expression:
    while isinstance(node, e.Cast):
        node = node.operand
    return node


def _exchanges(unit: Unit, function: Function) -> bool:
    """Whether all lanes of a warp are named in an exchange."""
    return any(
        (node.name in effects.SHUFFLES or node.name in effects.VOTES)
        and (not node.name.endswith("_sync") or (bool(node.arguments) and is_full_mask(node.arguments[0])))
        for part in reachable(unit, function)
        if part.body is not None
        for node in find(part.body, e.Call)
    )


def is_full_mask(mask: e.Expression) -> bool:
    """Whether the mask names all lanes of a warp."""
    mask = _plain(mask)
    if isinstance(mask, e.Unary):
        inner = _plain(mask.operand)
        value = inner.value if isinstance(inner, e.Literal) else None
        return (mask.operator, value) in (("~", 0), ("-", 1))
    return isinstance(mask, e.Literal) and mask.value in (0xFFFFFFFF, -1)
