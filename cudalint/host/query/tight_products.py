"""Products of sizes in 32 bits that the program, as it is run, brings near what 32 bits hold, or beyond."""

from collections.abc import Iterator
from itertools import groupby

from msgspec import Struct

from cudalint.analyses.cuda_reach import runs_on_host
from cudalint.analyses.divisibility import bare, factors
from cudalint.analyses.index_arithmetic import assigned, of_host, of_sizes
from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.wide_products import same_at_launch
from cudalint.host.facts import HostFacts, HostOverflow
from cudalint.ir import expressions as e
from cudalint.ir.types import Scalar
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find
from cudalint.source.span import Span

_ORDERINGS = ("<", "<=", ">", ">=")
_SMALL = 64  # a comparison with at most this is no check that bounds a size from above
_BOUNDING = ("min", "fmin", "clamp", "imin", "umin")


class TightProduct(Struct, frozen=True):
    """factors: of the product, without conversions; again: further places of the host with a product of the
    same value; indices: the same product in kernels.
    """

    fact: HostOverflow
    factors: tuple[e.Expression, ...]
    again: tuple[Span, ...]
    indices: tuple[Span, ...]

    @property
    def most(self) -> int:
        """What the type holds."""
        return largest(self.fact.node)

    @property
    def exceeds(self) -> bool:
        return self.fact.value > self.most


def largest(node: e.Binary) -> int:
    signed = isinstance(node.type, Scalar) and node.type.kind == "signed"
    return (1 << (31 if signed else 32)) - 1


def tight_products(host: HostFacts, unit: Unit) -> Iterator[TightProduct]:
    """Those of two sizes or more that become a size or an index and that no check bounds, the ones of one
    function and of one value together.
    """
    known = {id(one.node): one for one in host.tight}
    found: dict[Span, HostOverflow] = {}
    for function in [unit.functions[key] for key in host.functions if known and key in unit.functions]:
        feeding, sizes = of_host(unit, function), of_sizes(unit, function).nodes
        bounds = _Bounds(unit, function)
        for number in feeding.first(known.keys() & feeding.nodes.keys()):
            parts = tuple(factors(known[number].node))
            if number not in sizes and bounds.counted(parts):
                continue
            if sum(_is_size(one) for one in parts) > 1 and not bounds.bounded(parts):
                found.setdefault(known[number].span, known[number])
    ordered = sorted(found.values(), key=lambda one: (one.function, one.value, _at(one.span)))
    for _, group in groupby(ordered, key=lambda one: (one.function, one.value)):
        first, *rest = group
        indices = _in_kernels(host, unit, [first, *rest])
        yield TightProduct(first, tuple(factors(first.node)), tuple(one.span for one in rest), indices)


def _at(span: Span) -> tuple[str, int, int]:
    return span.path, span.line, span.column


def _in_kernels(host: HostFacts, unit: Unit, products: list[HostOverflow]) -> tuple[Span, ...]:
    """Where kernels compute the same products for an index."""
    found: dict[Span, None] = {}
    nodes = tuple(one.node for one in products)
    for launch in host.launches:
        kernel = unit.functions.get(launch.key or "")
        caller = unit.functions.get(launch.function)
        if kernel is not None and caller is not None and launch.function == products[0].function:
            for same in same_at_launch(unit, kernel, caller, launch.expression, nodes):
                found[same.span] = None
    return tuple(sorted(found, key=_at))


class _Bounds:
    """What bounds sizes in a function and what it calls: comparisons with numbers, minima, and that the
    program's own constants are all that a size can be.
    """

    def __init__(self, unit: Unit, function: Function) -> None:
        self._given = assigned(unit, function)
        self._lent: set[int] = set()  # variables whose address is taken
        compared: set[int] = set()
        for body in [one.body for one in reachable(unit, function) if runs_on_host(one) and one.body]:
            for node in find(body, e.Binary, e.AddressOf):
                if isinstance(node, e.AddressOf):
                    self._lent |= _variables(node)
                elif node.operator in _ORDERINGS:
                    for one, other in ((node.left, node.right), (node.right, node.left)):
                        if _is_limit(other):
                            compared |= _variables(one)
        self._compared = self._with_origins(compared)

    def _with_origins(self, compared: set[int]) -> set[int]:
        """Also the variables that the compared ones stand for."""
        left, found = list(compared), set(compared)
        while left:
            for value in self._given.get(left.pop(), ()):
                plain = bare(value)
                inner = bare(plain.operand) if isinstance(plain, e.AddressOf) else plain
                if isinstance(inner, e.VariableReference) and inner.variable.id not in found:
                    found.add(inner.variable.id)
                    left.append(inner.variable.id)
        return found

    def counted(self, factors: tuple[e.Expression, ...]) -> bool:
        """Whether a factor is a variable that counts: the size that it counts to is told of."""
        given = (
            value for one in factors for number in _variables(one) for value in self._given.get(number, ())
        )
        return any(isinstance(value, e.Assign) and value.operator is not None for value in given)

    def bounded(self, factors: tuple[e.Expression, ...]) -> bool:
        """Whether a factor cannot become larger than some number, or none can."""
        left: list[e.Expression] = list(factors)
        seen: set[int] = set()
        open_ = False
        while left:
            node = left.pop()
            if _is_cut(node):
                return True
            open_ = open_ or any(
                True for _ in find(node, e.Call, e.Member, e.Index, e.Dereference, e.Unknown)
            )
            for number in _variables(node) - seen:
                if number in self._compared:
                    return True
                seen.add(number)
                open_ = open_ or number in self._lent or number not in self._given
                left += self._given.get(number, ())
        return not open_


def _is_cut(node: e.Expression) -> bool:
    """Whether the expression itself keeps its value below a number."""
    cut = any(call.name.removeprefix("std::") in _BOUNDING for call in find(node, e.Call))
    return cut or any(one.operator in ("%", "&") for one in find(node, e.Binary))


def _variables(node: e.Expression) -> set[int]:
    return {one.variable.id for one in find(node, e.VariableReference)}


def _is_limit(node: e.Expression) -> bool:
    """Whether it has a number that is more than a small one, or what tells the largest of a type."""
    literals = list(find(node, e.Literal))
    for one in find(node, e.VariableReference):
        if one.variable.const and one.variable.initial is not None:
            literals += find(one.variable.initial, e.Literal)
    large = any(isinstance(one.value, int | float) and one.value > _SMALL for one in literals)
    return large or any(call.name == "max" for call in find(node, e.Call))


def _is_size(node: e.Expression) -> bool:
    """Whether it is no number that the source fixes."""
    if isinstance(node, e.VariableReference):
        variable = node.variable
        return not (variable.const and isinstance(variable.initial, e.Literal))
    return not isinstance(node, e.Literal)
