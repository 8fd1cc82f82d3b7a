"""Integral promotion and the usual arithmetic conversions, where libclang does not show their result."""

from __future__ import annotations

from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.source.span import Span

_SHIFTS = ("<<", ">>")


def promoted(kind: t.Scalar) -> t.Scalar:
    """Integral promotion: everything narrower than int becomes int."""
    return t.INT if kind.kind in ("signed", "unsigned", "bool") and kind.bytes < t.INT.bytes else kind


def common_type(left: t.Scalar, right: t.Scalar) -> t.Scalar:
    """The usual arithmetic conversions: floating first, then the wider, then unsigned."""
    if "float" in (left.kind, right.kind):
        return max((x for x in (left, right) if x.kind == "float"), key=lambda x: x.bytes)
    left, right = promoted(left), promoted(right)
    if left.bytes != right.bytes:
        return max(left, right, key=lambda x: x.bytes)
    return left if left.kind == "unsigned" else right


def compound(
    target: e.Expression, value: e.Expression, operator: str, span: Span, postfix: bool = False
) -> e.Assign:
    """`target op= value`, with the type it computes in and the value converted to that type."""
    kind, other = target.type, value.type
    computed = kind
    if isinstance(kind, t.Scalar) and isinstance(other, t.Scalar):
        computed = promoted(kind) if operator in _SHIFTS else common_type(kind, other)
        if operator not in _SHIFTS and other != computed:
            value = e.Cast(value, computed, value.span, implicit=True)
    return e.Assign(target, value, operator, kind, span, "old" if postfix else "new", computed)


def stepped(target: e.Expression, operator: str, span: Span, postfix: bool) -> e.Assign:
    """`++` and `--`: adds or subtracts a literal 1 of the type it computes in."""
    kind = promoted(target.type) if isinstance(target.type, t.Scalar) else t.INT
    one = e.Literal(1.0 if kind.kind == "float" else 1, kind, span)
    return compound(target, one, operator, span, postfix)
