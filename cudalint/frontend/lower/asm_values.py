"""Inline assembly of one instruction on registers, as the expression that it is."""

from collections.abc import Sequence
from typing import Literal

from cudalint.cuda.ptx_values import Computed, Number, Place, Register, Source, computed
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.source.span import Span

_BUILTINS: dict[str, Literal["threadIdx", "blockIdx", "blockDim", "gridDim"]] = {
    "tid": "threadIdx",
    "ntid": "blockDim",
    "ctaid": "blockIdx",
    "nctaid": "gridDim",
}
_SIGNS = {"add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^"}
_FUNCTIONS = {"brev": "__brev", "popc": "__popc", "clz": "__clz"}
_KINDS: dict[tuple[str, int], t.Scalar] = {
    ("unsigned", 32): t.UINT,
    ("signed", 32): t.INT,
    ("unsigned", 64): t.ULONG,
    ("signed", 64): t.LONG,
}


def statement(text: str, operands: tuple[e.Expression, ...], span: Span) -> s.Statement | None:
    """The assignment that does the same; None for other assembly. operands: outputs first."""
    found = computed(text, len(operands)) if text else None
    if found is None:
        return None
    target = operands[found.result]
    kind = _KINDS.get((found.sign, found.bits))
    if found.operation == "mov" and (kind is None or isinstance(found.sources[0], Place)):
        value = _moved(found, operands, target, span)
    else:
        value = _value(found, operands, kind, span) if kind is not None else None
    if value is None:
        return None
    if value.type != target.type:
        value = e.Cast(value, target.type, span, True)
    return s.Evaluate(e.Assign(target, value, None, target.type, span), span)


def _moved(
    found: Computed, operands: Sequence[e.Expression], target: e.Expression, span: Span
) -> e.Expression | None:
    """Of one register to another of its type: bits do not change."""
    source = found.sources[0]
    value = operands[source.at] if isinstance(source, Place) else None
    return value if value is not None and value.type == target.type else None


def _value(
    found: Computed, operands: Sequence[e.Expression], kind: t.Scalar, span: Span
) -> e.Expression | None:
    sources = [_source(one, operands, kind, span) for one in found.sources]
    match found.operation:
        case "mov":
            return sources[0]
        case "not":
            return e.Unary("~", sources[0], kind, span)
        case "mad":
            product = e.Binary("*", sources[0], sources[1], kind, span)
            return e.Binary("+", product, sources[2], kind, span)
        case "bfind" if found.sign == "unsigned":
            leading = _counted("__clz", sources[0], found.bits, span)
            return e.Binary("-", e.Literal(found.bits - 1, t.INT, span), leading, t.INT, span)
        case "bfe":
            return _field(sources[0], sources[1], sources[2], span)
        case operation if operation in _FUNCTIONS:
            return _counted(_FUNCTIONS[operation], sources[0], found.bits, span)
        case operation if operation in _SIGNS:
            return e.Binary(_SIGNS[operation], sources[0], sources[1], kind, span)
    return None


def _counted(name: str, value: e.Expression, bits: int, span: Span) -> e.Expression:
    name = f"{name}ll" if bits == 64 else name
    kind = (t.ULONG if bits == 64 else t.UINT) if name.startswith("__brev") else t.INT
    return e.Call(None, name, name, (value,), None, kind, span)


def _field(value: e.Expression, first: e.Expression, bits: e.Expression, span: Span) -> e.Expression | None:
    """So many bits of a word from the first on. Only where no shift is as wide as the word."""
    if not isinstance(first, e.Literal) or not (_is_shift(first) and _is_shift(bits)):
        return None
    one = e.Literal(1, t.UINT, span)
    ones: e.Expression = e.Binary("-", e.Binary("<<", one, bits, t.UINT, span), one, t.UINT, span)
    if not isinstance(bits, e.Literal):
        whole = e.Binary(">", bits, e.Literal(31, t.UINT, span), t.BOOL, span)
        ones = e.Conditional(whole, e.Literal(0xFFFFFFFF, t.UINT, span), ones, t.UINT, span)
    return e.Binary("&", e.Binary(">>", value, first, t.UINT, span), ones, t.UINT, span)


def _is_shift(node: e.Expression) -> bool:
    """Whether a number, where it is one, is that of a place in a word of 32 bits."""
    return not isinstance(node, e.Literal) or (isinstance(node.value, int) and 0 <= node.value < 32)


def _source(source: Source, operands: Sequence[e.Expression], kind: t.Scalar, span: Span) -> e.Expression:
    match source:
        case Number(value):
            return e.Literal(value % (1 << (kind.bytes * 8)) if value < 0 else value, kind, span)
        case Place(at):
            own = operands[at]
            return own if own.type == kind else e.Cast(own, kind, span, True)
        case Register(name):
            made = _register(name, span)
            return made if made.type == kind else e.Cast(made, kind, span, True)


def _register(name: str, span: Span) -> e.Expression:
    base, _, axis = name.partition(".")
    if axis:
        return e.Builtin(_BUILTINS[base], axis, t.UINT, span)
    lane = _lane(span)
    if name == "laneid":
        return lane
    one = e.Literal(1, t.UINT, span)
    own = e.Binary("<<", one, lane, t.UINT, span)
    below = e.Binary("-", own, one, t.UINT, span)
    match name.removeprefix("lanemask_"):
        case "eq":
            return own
        case "lt":
            return below
        case "ge":
            return e.Unary("~", below, t.UINT, span)
        case "le":
            return e.Binary("|", own, below, t.UINT, span)
    return e.Unary("~", e.Binary("|", own, below, t.UINT, span), t.UINT, span)


def _lane(span: Span) -> e.Expression:
    """The thread's place in its warp, by its number in the block."""

    def builtin(name: Literal["threadIdx", "blockDim"], axis: str) -> e.Expression:
        return e.Builtin(name, axis, t.UINT, span)

    row = e.Binary("*", builtin("threadIdx", "z"), builtin("blockDim", "y"), t.UINT, span)
    row = e.Binary("+", builtin("threadIdx", "y"), row, t.UINT, span)
    row = e.Binary("*", row, builtin("blockDim", "x"), t.UINT, span)
    number = e.Binary("+", builtin("threadIdx", "x"), row, t.UINT, span)
    return e.Binary("%", number, e.Literal(32, t.UINT, span), t.UINT, span)
