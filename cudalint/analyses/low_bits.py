"""Which whole numbers the compiler knows to be small, and of which results it needs the low bits only.

As seen of nvcc 13.0: it follows loads of narrow types, casts, masks, shifts, sums and remainders by
constants; it knows nothing of a product, of threadIdx, blockIdx or the dimensions, of min and max.
"""

from functools import reduce

from cudalint.analyses.device_code import Body, DeviceCode, changed
from cudalint.cuda.maths import whole
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Scalar, Type

Bounds = tuple[int, int]

_DECISIONS = frozenset(("<", "<=", ">", ">=", "==", "!=", "&&", "||"))
_CARRIED_UP = frozenset(("+", "-", "*", "&", "|", "^"))  # a low bit of the result needs no higher one


def bounds(node: e.Expression, body: Body, code: DeviceCode) -> Bounds:
    """The least and the largest number that the compiler may take the expression for."""
    return _Search(body, code, ()).of(node)


def needed(node: e.Expression, body: Body, taken: frozenset[str], bits: int) -> bool:
    """Whether anything needs more than so many low bits of the number; of what they are handed, the functions
    of these names take so many.
    """
    parent = body.parent(node)
    match parent:
        case e.Cast(type=Scalar(kind="signed" | "unsigned", bytes=bytes)):
            return 8 * bytes > bits and (bytes > 4 or needed(parent, body, taken, bits))
        case e.Call(name=name):
            return name not in taken
        case e.Binary(operator="&", left=left, right=right) if _masked(left, right, body, bits):
            return False
        case e.Binary(operator=operator) if operator in _CARRIED_UP:
            return needed(parent, body, taken, bits)
        case e.Binary(operator="<<", left=left) if left is node:
            return needed(parent, body, taken, bits)
        case s.Declare(variable=variable) if variable.id in body.once:
            uses = [use for use in body.of(e.VariableReference) if use.variable.id == variable.id]
            return any(needed(use, body, taken, bits) for use in uses)
        case _:
            return True


def _masked(left: e.Expression, right: e.Expression, body: Body, bits: int) -> bool:
    masks = [int(held) for side in (left, right) if (held := body.constant(side)) is not None]
    return any(0 <= mask < 1 << bits for mask in masks)


def _all(type: Type) -> Bounds:
    """What a type holds."""
    if not isinstance(type, Scalar) or type.kind not in ("signed", "unsigned", "bool"):
        return -(1 << 63), 1 << 64
    if type.kind == "bool":
        return 0, 1
    bits = 8 * type.bytes
    return (0, (1 << bits) - 1) if type.kind == "unsigned" else (-(1 << bits - 1), (1 << bits - 1) - 1)


def _quotient(number: int, by: int) -> int:
    return number // by if number >= 0 else -(-number // by)


def _join(one: Bounds, two: Bounds) -> Bounds:
    return min(one[0], two[0]), max(one[1], two[1])


class _Search:
    """Goes from a number to what it is made of. seen: variables and functions that it is at."""

    def __init__(self, body: Body, code: DeviceCode, seen: tuple[int | str, ...]) -> None:
        self.body, self.code, self.seen = body, code, seen

    def of(self, node: e.Expression) -> Bounds:
        least, most = _all(node.type)
        if (held := self.body.constant(node)) is not None:
            return int(held), int(held)
        low, high = self._made(node)
        return (low, high) if least <= low and high <= most else (least, most)

    def _made(self, node: e.Expression) -> Bounds:
        match node:
            case e.Cast(operand=operand) if whole(operand.type):
                return self.of(operand)
            case e.Binary(operator=operator) if operator in _DECISIONS:
                return 0, 1
            case e.Unary(operator="!"):
                return 0, 1
            case e.Unary(operator="~", operand=operand):
                low, high = self.of(operand)
                return ~high, ~low
            case e.Binary(operator=operator, left=left, right=right):
                return self._computed(operator, left, right, node.type)
            case e.Conditional(then=then, otherwise=otherwise):
                return _join(self.of(then), self.of(otherwise))
            case e.VariableReference(variable=variable) if variable.id not in self.seen:
                return self._variable(variable)
            case e.Call(key=key) if key is not None and key not in self.seen:
                return self._returned(key, node.type)
            case _:
                return _all(node.type)

    def _computed(self, operator: str, left: e.Expression, right: e.Expression, type: Type) -> Bounds:
        (low, high), (from_, to) = self.of(left), self.of(right)
        match operator:
            case "+":
                return low + from_, high + to
            case "-":
                return low - to, high - from_
            case "<<" if 0 <= from_ == to < 32:
                return low << to, high << to
            case ">>" if 0 <= from_ == to < 64:
                return low >> to, high >> to
            case "&" if min(low, from_) < 0 <= max(low, from_):
                return 0, high if low >= 0 else to
            case "&" if low >= 0:
                return 0, min(high, to)
            case "|" | "^" if low >= 0 and from_ >= 0:
                return 0, (1 << max(high, to).bit_length()) - 1
            case "%" if 0 < from_ == to:
                return (0 if low >= 0 else 1 - to), to - 1
            case "/" if 0 < from_ == to:
                return _quotient(low, to), _quotient(high, to)
            case _:
                return _all(type)

    def _variable(self, variable: e.Variable) -> Bounds:
        """All that is ever assigned, and after it each `+=` once, where no loop repeats one."""
        changes = [
            node
            for kind in (e.Assign, e.AddressOf, e.Lambda, s.Opaque, e.Unknown, e.Call, e.Construct)
            for node in self.body.of(kind)
            if variable.id in changed(node, self.code.unit)
        ]
        declared = [n for n in self.body.of(s.Declare) if n.variable.id == variable.id]
        starts = [n.initial for n in declared if n.initial is not None]
        assigned = [node for node in changes if isinstance(node, e.Assign)]
        starts += [node.value for node in assigned if node.operator is None]
        further = [node for node in assigned if node.operator is not None]
        if (
            not (declared and starts)
            or len(assigned) < len(changes)
            or any(any(self.body.loops(n)) for n in further)
        ):
            return _all(variable.type)
        inner = _Search(self.body, self.code, (*self.seen, variable.id))
        found = reduce(_join, (inner.of(start) for start in starts))
        for node in further:
            found = _join(found, inner._further(node, found))
        return found

    def _further(self, node: e.Assign, before: Bounds) -> Bounds:
        """What a compound assignment makes of a number within these bounds."""
        held = self.body.constant(node.value)
        match node.operator:
            case "<<" if held is not None and 0 <= held < 32:
                return before[0] << int(held), before[1] << int(held)
            case ">>" if held is not None and 0 <= held < 32:
                return before[0] >> int(held), before[1] >> int(held)
            case "+":
                low, high = self.of(node.value)
                return before[0] + low, before[1] + high
            case "-":
                low, high = self.of(node.value)
                return before[0] - high, before[1] - low
            case _:
                return _all(node.target.type)

    def _returned(self, key: str, type: Type) -> Bounds:
        body = next((body for body in self.code.bodies if body.function.key == key), None)
        results = [n.value for n in body.of(s.Return) if n.value is not None] if body is not None else []
        if body is None or not results:
            return _all(type)
        return reduce(_join, map(_Search(body, self.code, (*self.seen, key)).of, results))
