"""Products of an index in 32 bits that the program itself computes in 64 bits elsewhere: it counts on sizes
that 32 bits do not hold.
"""

from collections.abc import Iterator

from msgspec import Struct

from cudalint.analyses.definitions import Definitions, definitions, place, same
from cudalint.analyses.index_arithmetic import is_int, is_long, of_kernel
from cudalint.analyses.kernel_queries import reachable
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Scalar
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find, kept
from cudalint.source.span import Span

_BOUNDS = ("<", "<=", ">", ">=")


class NarrowProduct(Struct, frozen=True):
    """A product in 32 bits, and the same one in 64."""

    node: e.Binary
    wide: e.Binary

    @property
    def span(self) -> Span:
        return self.node.span


def narrow_products(unit: Unit, kernel: Function) -> Iterator[e.Binary]:
    """Products in 32 bits that become an index in the kernel."""
    for node in of_kernel(unit, kernel).nodes.values():
        if isinstance(node, e.Binary) and node.operator == "*" and _is_signed(node):
            yield node


def widened_in_kernel(unit: Unit, kernel: Function) -> Iterator[NarrowProduct]:
    """Products of two variables that the same function also computes in 64 bits."""
    for function in reachable(unit, kernel):
        if function.body is None:
            continue
        wide = _wide_products(function.body)
        own = {id(node) for node in find(function.body, e.Binary)} if wide else set()
        for node in narrow_products(unit, kernel) if wide else ():
            twin = next((one for one in wide if _same_product(node, one)), None)
            if id(node) in own and twin is not None:
                yield NarrowProduct(node, twin)


def widened_at_launch(
    unit: Unit, kernel: Function, host: Function, launch: e.Launch
) -> Iterator[NarrowProduct]:
    """Products of a parameter and of what another one bounds, `row * columns` under `row < rows`, where the
    function that launches the kernel computes the product of the two arguments in 64 bits.
    """
    if host.body is not None:
        yield from same_at_launch(unit, kernel, host, launch, _wide_products(host.body))


def same_at_launch(
    unit: Unit, kernel: Function, host: Function, launch: e.Launch, wide: tuple[e.Binary, ...]
) -> Iterator[NarrowProduct]:
    """As of `widened_at_launch`, of these products of the function that launches the kernel."""
    if kernel.body is None or launch.arguments is None or not wide:
        return
    known, own = definitions(unit, host), definitions(unit, kernel)
    passed = {p.id: known.resolve(a) for p, a in zip(kernel.parameters, launch.arguments, strict=False)}
    for node in narrow_products(unit, kernel):
        for one, other in ((node.left, node.right), (node.right, node.left)):
            factor = _argument(one, own, passed)
            bounds = [_argument(limit, own, passed) for limit in _limits(kernel, other)]
            twin = _twin(factor, bounds, wide, known)
            if twin is not None:
                yield NarrowProduct(node, twin)
                break


def _twin(
    factor: e.Expression | None,
    bounds: list[e.Expression | None],
    wide: tuple[e.Binary, ...],
    known: Definitions,
) -> e.Binary | None:
    for product in wide if factor is not None else ():
        left, right = known.resolve(_bare(product.left)), known.resolve(_bare(product.right))
        for bound in bounds:
            if factor is not None and bound is not None and _same_pair((factor, bound), (left, right)):
                return product
    return None


def _limits(kernel: Function, node: e.Expression) -> Iterator[e.Expression]:
    """What the kernel compares a variable with."""
    for part in find(kernel.body, e.Binary):
        if part.operator in _BOUNDS:
            if same(part.left, node):
                yield part.right
            elif same(part.right, node):
                yield part.left


def _argument(node: e.Expression, own: Definitions, passed: dict[int, e.Expression]) -> e.Expression | None:
    """What the launch passes for the parameter that an expression of the kernel stands for."""
    found = own.resolve(node)
    if isinstance(found, e.VariableReference) and found.variable.id not in own.changed | own.values.keys():
        return passed.get(found.variable.id)
    return None


@kept
def _wide_products(body: s.Block) -> tuple[e.Binary, ...]:
    """Products of two variables in 64 bits for which the source converts an int; not those that are a factor
    of a larger one, which alone may need 64 bits.
    """
    products = [node for node in find(body, e.Binary) if node.operator == "*" and is_long(node.type)]
    factors = {id(_bare(one)) for node in products for one in _factors_of_more(node)}
    return tuple(node for node in products if id(node) not in factors and _is_asked_for(node))


def _is_asked_for(product: e.Binary) -> bool:
    sides = (product.left, product.right)
    asked = any(isinstance(one, e.Cast) and not one.implicit for one in sides)
    return asked and all(is_int(_bare(one).type) for one in sides)


def _factors_of_more(node: e.Binary) -> Iterator[e.Expression]:
    """Its operands that are multiplied by what is no constant."""
    for one, other in ((node.left, node.right), (node.right, node.left)):
        if not isinstance(_bare(other), e.Literal):
            yield one


def _same_product(a: e.Binary, b: e.Binary) -> bool:
    return _same_pair((a.left, a.right), (b.left, b.right))


def _same_pair(a: tuple[e.Expression, e.Expression], b: tuple[e.Expression, e.Expression]) -> bool:
    if any(isinstance(_bare(one), e.Literal) or place(one) is None for one in (*a, *b)):
        return False
    return (same(a[0], b[0]) and same(a[1], b[1])) or (same(a[0], b[1]) and same(a[1], b[0]))


def _bare(node: e.Expression) -> e.Expression:
    while isinstance(node, e.Cast):
        node = node.operand
    return node


def _is_signed(node: e.Binary) -> bool:
    return isinstance(node.type, Scalar) and node.type.kind == "signed"
