"""Inline assembly of one instruction on memory, as the load, store, copy or atomic that it is."""

from collections.abc import Sequence

from cudalint.cuda.ptx import Instruction, instruction
from cudalint.frontend.lower.context import Context
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.source.span import Span

_KINDS: dict[str, t.ScalarKind] = {"b": "unsigned", "u": "unsigned", "s": "signed", "f": "float"}
_NAMES = {("unsigned", 4): t.UINT, ("signed", 4): t.INT, ("float", 4): t.FLOAT, ("float", 8): t.DOUBLE}
_CALLS = {"nc": "__ldg", "cg": "__ldcg"}


def statement(ctx: Context, text: str, operands: tuple[e.Expression, ...], span: Span) -> s.Statement | None:
    """The statements that do the same; None for other assembly. operands: outputs first."""
    found = instruction(text, len(operands)) if text else None
    if found is None:
        return None
    made = _made(ctx, found, operands, span)
    if made is None or found.predicate is None:
        return made
    return s.If(operands[found.predicate], made, None, span)


def _made(
    ctx: Context, found: Instruction, operands: Sequence[e.Expression], span: Span
) -> s.Statement | None:
    match found.kind:
        case "load":
            return _load(ctx, found, operands, span)
        case "store":
            return _store(ctx, found, operands, span)
        case "atomic":
            return _atomic(found, operands, span)
        case "copy":
            return _copy(ctx, found, operands, span)
        case "window" if found.result is not None:
            address = _call("__cvta_generic_to_shared", (operands[found.address],), t.ULONG, span)
            return s.Evaluate(_assigned(operands[found.result], address, span), span)
        case "commit":
            return s.Evaluate(_call("__pipeline_commit", (), t.VOID, span), span)
        case "wait":
            return s.Evaluate(_call("__pipeline_wait_prior", (), t.VOID, span), span)
    return None


def _load(ctx: Context, found: Instruction, operands: Sequence[e.Expression], span: Span) -> s.Statement:
    targets = [operands[place] for place in found.registers]
    kind = _accessed(ctx, found, targets)
    pointer = _pointer(operands[found.address], found.offset, kind, found.space == "shared", span)
    value: e.Expression = e.Dereference(pointer, kind, span)
    if found.cached in _CALLS:
        value = _call(_CALLS[found.cached], (pointer,), kind, span)
    if not isinstance(kind, t.Record):
        return s.Evaluate(_assigned(targets[0], value, span), span)
    whole = ctx.temporary("loaded", kind, span)
    held = e.VariableReference(whole, kind, span)
    parts = [
        s.Evaluate(_assigned(target, e.Member(held, field.name, field.offset, field.type, span), span), span)
        for target, field in zip(targets, ctx.types.layout(kind).fields, strict=True)
    ]
    return s.Block((s.Declare(whole, value, span), *parts), span)


def _store(ctx: Context, found: Instruction, operands: Sequence[e.Expression], span: Span) -> s.Statement:
    values = [operands[place] for place in found.registers]
    kind = _accessed(ctx, found, values)
    pointer = _pointer(operands[found.address], found.offset, kind, found.space == "shared", span)
    target = e.Dereference(pointer, kind, span)
    if isinstance(kind, t.Record):
        return s.Evaluate(e.Assign(target, e.InitList(tuple(values), kind, span), None, kind, span), span)
    return s.Evaluate(_assigned(target, values[0], span), span)


def _copy(
    ctx: Context, found: Instruction, operands: Sequence[e.Expression], span: Span
) -> s.Statement | None:
    """The copy; where it may read nothing, zeros instead."""
    to = _pointer(operands[found.address], found.offset, t.VOID, True, span)
    source = _pointer(operands[found.source], found.source_offset, t.VOID, False, span)
    size = e.Literal(found.bytes, t.ULONG, span) if found.bytes_at is None else operands[found.bytes_at]
    copied = s.Evaluate(_call("__pipeline_memcpy_async", (to, source, size), t.VOID, span), span)
    if found.read is None:
        return copied
    words = _number(size) // t.UINT.bytes
    if words not in (1, 2, 4):
        return None
    kind = t.UINT if words == 1 else ctx.types.vector(t.UINT, words)
    zeros = e.Dereference(e.Cast(to, t.Pointer(kind), span), kind, span)
    filled = s.Evaluate(e.Assign(zeros, e.InitList((), kind, span), None, kind, span), span)
    return s.If(operands[found.read], copied, filled, span)


def _number(node: e.Expression) -> int:
    while isinstance(node, e.Cast):
        node = node.operand
    return int(node.value) if isinstance(node, e.Literal) and isinstance(node.value, int) else 0


def _atomic(found: Instruction, operands: Sequence[e.Expression], span: Span) -> s.Statement:
    (value,) = (operands[place] for place in found.registers)
    kind = _element(found, [value])
    pointer = _pointer(operands[found.address], found.offset, kind, False, span)
    done = _call(found.function, (pointer, value), kind, span)
    if found.result is None:
        return s.Evaluate(done, span)
    return s.Evaluate(_assigned(operands[found.result], done, span), span)


def _call(name: str, arguments: tuple[e.Expression, ...], kind: t.Type, span: Span) -> e.Call:
    return e.Call(None, name, name, arguments, None, kind, span)


def _assigned(target: e.Expression, value: e.Expression, span: Span) -> e.Assign:
    """With the conversion that a register of another width makes."""
    if value.type != target.type:
        value = e.Cast(value, target.type, span, True)
    return e.Assign(target, value, None, target.type, span)


def _accessed(ctx: Context, found: Instruction, registers: Sequence[e.Expression]) -> t.Type:
    """What is moved: an element, or a record of as many as there are registers."""
    element = _element(found, registers)
    return element if len(registers) == 1 else ctx.types.vector(element, len(registers))


def _element(found: Instruction, registers: Sequence[e.Expression]) -> t.Scalar:
    """The type of the register where it has the width, as assembly moves bits."""
    own = registers[0].type
    if isinstance(own, t.Scalar) and own.bytes == found.bits // 8:
        return own
    kind, size = _KINDS[found.letter], found.bits // 8
    return _NAMES.get((kind, size), t.Scalar(f"{found.letter}{found.bits}", kind, size))


def _pointer(operand: e.Expression, offset: int, kind: t.Type, window: bool, span: Span) -> e.Expression:
    """The operand as a pointer; an address in the window of shared memory becomes one of the whole space."""
    if window:
        generic = t.Pointer(t.VOID)
        operand = _call("__cvta_shared_to_generic", (operand,), generic, span)
    if offset:
        bytes_ = e.Cast(operand, t.Pointer(t.CHAR), span)
        operand = e.Binary("+", bytes_, e.Literal(offset, t.LONG, span), t.Pointer(t.CHAR), span)
    known = operand.type
    if isinstance(known, t.Pointer) and known.pointee == kind:
        return operand
    return e.Cast(operand, t.Pointer(kind), span)
