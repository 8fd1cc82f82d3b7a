"""Operators on host values, with C's rules: truncating division, wrap-around, multiples of unknowns."""

import math
from collections.abc import Callable

from msgspec.structs import replace

from cudalint.host.forms import combined
from cudalint.host.values import (
    UNKNOWN,
    Address,
    Handle,
    Nothing,
    Somewhere,
    Unknown,
    Value,
    convert,
    divisor,
    form_of,
    guess,
    multiple,
    near,
    offset_divisor,
    sample_of,
    sampled,
    truth,
)
from cudalint.ir.types import Array, Pointer, Scalar, Type

NEAR = 4  # a product is not far from what 32 bits hold, if that many of it are beyond

_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def unary(operator: str, value: Value, type_: Type) -> Value:
    """`-x`, `+x`, `!x`, `~x`."""
    if operator == "!":
        known = truth(value)
        if known is None:
            return sampled(1, None if sample_of(value) is None else int(not sample_of(value)))
        return not known
    match value:
        case bool() | int() | float():
            match operator:
                case "-":
                    return convert(-value, type_)
                case "+":
                    return convert(+value, type_)
                case "~" if not isinstance(value, float):
                    return convert(~int(value), type_)
        case Unknown(multiple_of=m, sample=sample) if operator in "+-":
            return sampled(m, -sample if operator == "-" and sample is not None else sample)
    return UNKNOWN


def binary(operator: str, left: Value, right: Value, type_: Type, left_type: Type, right_type: Type) -> Value:
    """Any operator but the short-circuit ones."""
    if type(left) is int and type(right) is int and operator != ",":
        return (
            _COMPARE[operator](left, right) if operator in _COMPARE else _number(operator, left, right, type_)
        )
    if operator == ",":
        return right
    if isinstance(left, Nothing):
        left = UNKNOWN
    if isinstance(right, Nothing):
        right = UNKNOWN
    if operator in _COMPARE:
        return _compare(operator, left, right)
    if isinstance(left, (Address, Somewhere)) or isinstance(right, (Address, Somewhere)):
        return _pointer(operator, left, right, left_type, right_type)
    match left, right:
        case (bool() | int() | float(), bool() | int() | float()):
            return _number(operator, left, right, type_)
        case (bool() | int() | Unknown(), bool() | int() | Unknown()):
            if isinstance(type_, Scalar) and type_.kind == "float":
                return UNKNOWN
            found = _multiples(operator, left, right)
            found = _with_most(with_sample(found, operator, left, right, type_), operator, left, right)
            return with_form(found, operator, left, right)
    return UNKNOWN


def with_form(found: Value, operator: str, left: Value, right: Value) -> Value:
    """An unknown result with what it is made of, where that is known of both sides."""
    one, other = form_of(left), form_of(right)
    if not isinstance(found, Unknown) or one is None or other is None:
        return found
    return replace(found, form=combined(operator, one, other))


def _with_most(found: Value, operator: str, left: Value, right: Value) -> Value:
    """An unknown result with what it is at most, where the operator lowers a number that has a bound. A
    quotient has the least of its values as its sample.
    """
    if not isinstance(found, Unknown):
        return found
    if operator == "/" and isinstance(left, int) and isinstance(right, Unknown) and left > 0 and right.most:
        return replace(found, most=left, sample=left // right.most)
    if not isinstance(left, Unknown) or not isinstance(right, int):
        return found
    most = 0
    if right > 0 and left.most:
        lowered = {"/": left.most // right, ">>": left.most >> min(right, 63)}
        most = lowered.get(operator, min(left.most, right) if operator in "%&" else 0)
    return replace(found, most=most) if most else found


def overflow(operator: str, left: Value, right: Value, type_: Type) -> int | None:
    """The exact sum or product of two known integers, where 32 bits do not hold it. Sums of unsigned numbers
    may be meant to wrap.
    """
    if operator not in ("*", "+") or not isinstance(left, int) or not isinstance(right, int):
        return None
    if not isinstance(type_, Scalar) or type_.bytes != 4 or type_.kind not in ("signed", "unsigned"):
        return None
    exact = left * right if operator == "*" else left + right
    if type_.kind == "unsigned":
        return exact if operator == "*" and exact >= 1 << 32 else None
    return exact if not -(1 << 31) <= exact < 1 << 31 else None


def tight(operator: str, left: Value, right: Value, type_: Type) -> int | None:
    """The exact product of two known integers that is within a factor of `NEAR` of what 32 bits hold."""
    if operator != "*" or not isinstance(left, int) or not isinstance(right, int):
        return None
    if not isinstance(type_, Scalar) or type_.bytes != 4 or type_.kind not in ("signed", "unsigned"):
        return None
    exact = left * right
    return exact if exact * NEAR >= 1 << (32 if type_.kind == "unsigned" else 31) else None


def with_sample(found: Value, operator: str, left: Value, right: Value, type_: Type) -> Value:
    """An unknown result with what the operator makes of the samples, where one side has one."""
    if not isinstance(found, Unknown) or not (_has_sample(left) or _has_sample(right)):
        return found
    made = _number(operator, guess(left), guess(right), type_)
    return sampled(found.multiple_of, made if isinstance(made, int) else None)


def _has_sample(value: Value) -> bool:
    return isinstance(value, Unknown) and value.sample is not None


def _compare(operator: str, left: Value, right: Value) -> Value:
    match left, right:
        case (bool() | int() | float(), bool() | int() | float()):
            return _COMPARE[operator](left, right)
        case (Address(), Address()) if left.object == right.object and None not in (
            left.offset,
            right.offset,
        ):
            return _COMPARE[operator](left.offset or 0, right.offset or 0)
        case (Address() | Somewhere() | Handle(), int()) | (int(), Address() | Somewhere() | Handle()):
            if operator in ("==", "!=") and 0 in (left, right):
                return operator == "!="
        case (bool() | int() | Unknown(), bool() | int() | Unknown()):
            if _has_sample(left) or _has_sample(right):
                return sampled(1, int(_COMPARE[operator](guess(left), guess(right))))
        case (Address(), Address()) if left.object == right.object and (left.followed or right.followed):
            return sampled(1, int(_COMPARE[operator](near(left), near(right))))
    return UNKNOWN


def _pointer(operator: str, left: Value, right: Value, left_type: Type, right_type: Type) -> Value:
    if operator == "-" and isinstance(left, Address) and isinstance(right, Address):
        if left.object != right.object or left.offset is None or right.offset is None:
            return UNKNOWN
        return (left.offset - right.offset) // (element_bytes(left_type) or 1)
    if operator not in "+-":
        return UNKNOWN
    swapped = isinstance(right, (Address, Somewhere))
    base, index, type_ = (right, left, right_type) if swapped else (left, right, left_type)
    if isinstance(base, Somewhere):
        return beside(base, index, element_bytes(type_), -1 if operator == "-" else 1)
    if not isinstance(base, Address):
        return UNKNOWN
    return moved(base, index, element_bytes(type_), -1 if operator == "-" else 1)


def moved(base: Address, index: Value, size: int, sign: int = 1) -> Address:
    """The address `index` elements of `size` bytes further."""
    if index == 0:
        return base
    if base.offset is None or not isinstance(index, int) or not size:
        each = divisor(index) * size
        step = math.gcd(offset_divisor(base), each) if size else 1
        known = sample_of(index)
        place = near(base) + sign * (known or 0) * size
        stride = each if base.offset is not None else base.stride
        if base.offset is None and not isinstance(index, int):
            stride = math.gcd(base.stride, each)
        followed = known is not None and (base.followed or base.offset is not None)
        return Address(base.object, None, step or 1, stride or 1, place, followed, base.within)
    return Address(base.object, base.offset + sign * index * size)


def beside(place: Value, index: Value, size: int, sign: int = 1) -> Value:
    """The same in one of several objects."""
    if not isinstance(place, Somewhere) or place.offset is None:
        return place
    if not isinstance(index, int) or (index and not size):
        return replace(place, offset=None)
    return replace(place, offset=place.offset + sign * index * size)


def inside(place: Value, array: Value, type_: Type) -> Value:
    """An element of an array, which is among the array's bytes wherever it is. type_: the array's."""
    if not isinstance(place, Address) or not isinstance(array, Address) or not type_.bytes:
        return place
    if place.offset is not None or array.offset is None or isinstance(type_, Pointer):
        return place
    start, size = array.offset, type_.bytes
    return replace(place, within=(start, start + size), near=start + (place.near - start) % size)


def element_bytes(type_: Type) -> int:
    match type_:
        case Pointer(pointee=t) | Array(element=t):
            return t.bytes or 1
    return 1


def _number(operator: str, left: float, right: float, type_: Type) -> Value:
    integers = isinstance(left, int) and isinstance(right, int)
    match operator:
        case "+":
            result: float = left + right
        case "-":
            result = left - right
        case "*":
            result = left * right
        case "/" | "%" if integers:
            return _divide(operator, int(left), int(right), type_)
        case "/":
            return convert(left / right, type_) if right else UNKNOWN
        case "<<" | ">>" if integers and 0 <= right < 64:
            result = int(left) << int(right) if operator == "<<" else int(left) >> int(right)
        case "&" | "|" | "^" if integers:
            a, b = int(left), int(right)
            result = a & b if operator == "&" else a | b if operator == "|" else a ^ b
        case _:
            return UNKNOWN
    return convert(result, type_)


def _divide(operator: str, left: int, right: int, type_: Type) -> Value:
    if right == 0:
        return UNKNOWN
    quotient = abs(left) // abs(right)
    if (left < 0) != (right < 0):
        quotient = -quotient
    return convert(quotient if operator == "/" else left - quotient * right, type_)


def _multiples(operator: str, left: Value, right: Value) -> Value:
    """What divides the result when one side at least is unknown."""
    a, b = divisor(left), divisor(right)
    constant = right if isinstance(right, int) and not isinstance(right, bool) else None
    match operator:
        case "+" | "-":
            return multiple(math.gcd(a, b))
        case "*":
            return 0 if 0 in (a, b) else multiple(a * b)
        case "/" if constant and a % constant == 0:
            return multiple(a // abs(constant))
        case "%" if constant:
            return 0 if a % constant == 0 else multiple(math.gcd(a, constant))
        case "<<" if constant is not None and 0 <= constant < 63:
            return multiple(a << constant)
        case "<<" if isinstance(right, Unknown) and 0 < right.fewest < 63:
            return multiple(a << right.fewest)
        case ">>" if constant is not None and 0 <= constant < 63 and a % (1 << constant) == 0:
            return multiple(a >> constant)
        case "&":
            return 0 if 0 in (left, right) else _mask(a, b, left, right)
        case "|" | "^":
            return multiple(math.gcd(low_bit(a), low_bit(b)))
    return UNKNOWN


def _mask(a: int, b: int, left: Value, right: Value) -> Value:
    """`x & y` keeps the trailing zero bits of either side."""
    return multiple(max(low_bit(a), low_bit(b)))


def low_bit(value: int) -> int:
    """The largest power of two that divides a value."""
    return value & -value
