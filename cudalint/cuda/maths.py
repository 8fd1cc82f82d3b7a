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

# Beginnings of intrinsics that calculate or convert, whose result tells different arguments apart.
_INTRINSICS = tuple(
    """
    __fdividef __fadd_ __fsub_ __fmul_ __fmaf_ __fdiv_ __frcp_ __fsqrt_ __frsqrt_ __dadd_ __dsub_
    __dmul_ __fma_ __ddiv_ __drcp_ __dsqrt_ __expf __exp10f __logf __log2f __log10f __sinf __cosf
    __tanf __tanhf __powf __hadd __hsub __hmul __hfma __hdiv __float2 __double2 __half2float
    __half22float2 __int2 __uint2 __ll2 __ull2 __bfloat162float __low2 __high2 __int_as_ __float_as_
    __uint_as_ __longlong_as_ __double_as_
    """.split()
)

# Overloads without an `f` form of their own.
_GENERIC = frozenset(("min", "max", "abs"))


def base(name: str) -> str:
    """The function's name without the `f` of its float form; '' for one that is not of the library."""
    for known in (_PURE, _OTHER, _GENERIC):
        if name in known:
            return name
    short = name.removesuffix("f")
    return short if short != name and (short in _PURE or short in _OTHER) else ""


def calculates(name: str) -> bool:
    """Whether it is an intrinsic that calculates or converts."""
    return name.startswith(_INTRINSICS)


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
