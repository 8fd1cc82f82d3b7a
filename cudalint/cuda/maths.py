"""The functions of the device library that stand in two precisions: `sin` and `sinf`."""

from cudalint.ir import expressions as e
from cudalint.ir.types import Scalar, Type

# Those whose arguments and result are all of one floating-point type.
_PURE = frozenset(
    """sqrt rsqrt cbrt rcbrt exp exp2 exp10 expm1 log log2 log10 log1p logb sin cos tan asin acos atan sinh
    cosh tanh asinh acosh atanh sinpi cospi erf erfc erfinv erfcinv erfcx normcdf normcdfinv tgamma
    lgamma j0 j1 y0 y1 cyl_bessel_i0 cyl_bessel_i1 floor ceil trunc round rint nearbyint fabs pow atan2
    fmod remainder hypot rhypot norm3d norm4d rnorm3d rnorm4d fmin fmax fdim copysign nextafter fma
    fdivide""".split()
)
_OTHER = frozenset("ldexp scalbn scalbln frexp modf sincos sincospi".split())

# Overloads without an `f` form of their own.
_GENERIC = frozenset(("min", "max", "abs"))


def base(name: str) -> str:
    """The function's name without the `f` of its float form; '' for one that is not of the library."""
    for known in (_PURE, _OTHER, _GENERIC):
        if name in known:
            return name
    short = name.removesuffix("f")
    return short if short != name and (short in _PURE or short in _OTHER) else ""


def pure(node: e.Expression) -> str:
    """The base name of a call whose arguments and result are of one floating-point type; else ''."""
    if not isinstance(node, e.Call) or node.receiver is not None or not floating(node.type):
        return ""
    found = base(node.name)
    return found if found in _PURE or found in _GENERIC else ""


def suffixed(name: str) -> bool:
    """Whether an `f` behind the name makes it the float form."""
    return name in _PURE


def floating(type: Type, bytes: int = 0) -> bool:
    """Whether a type is floating-point, of so many bytes if any are named."""
    return isinstance(type, Scalar) and type.kind == "float" and bytes in (0, type.bytes)


def whole(type: Type) -> bool:
    """Whether a type is an integer's."""
    return isinstance(type, Scalar) and type.kind in ("signed", "unsigned", "bool")
