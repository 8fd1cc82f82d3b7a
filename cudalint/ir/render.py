"""IR expressions as C text, for messages and `inspect`."""

from cudalint.ir import expressions as e
from cudalint.ir.types import Array, Opaque, Pointer, Record, Reference, Scalar, Type

_TEXTS = 4096  # of binary expressions that are kept: long ones are asked for part by part
_kept: dict[int, tuple[e.Expression, str]] = {}  # by identity: IR never changes


def type_name(type: Type) -> str:
    """The type as C++ writes it."""
    match type:
        case Scalar(name=name) | Record(name=name) | Opaque(name=name):
            return name
        case Pointer(pointee=pointee):
            return f"{type_name(pointee)}*"
        case Reference(target=target):
            return f"{type_name(target)}&"
        case Array(element=element, count=count):
            return f"{type_name(element)}[{'' if count is None else count}]"


def _joined(parts: tuple[e.Expression, ...]) -> str:
    return ", ".join(render(part) for part in parts)


def _operand(node: e.Expression) -> str:
    while isinstance(node, e.Cast) and node.implicit:
        node = node.operand
    text = render(node)
    return f"({text})" if isinstance(node, e.Binary | e.Conditional | e.Assign) else text


def _call(node: e.Call) -> str:
    name = node.name
    if name.startswith("operator") and name[8:9] not in ("", " ", "_"):
        symbol = name[8:]
        operands = ([node.receiver] if node.receiver is not None else []) + list(node.arguments)
        if symbol == "()" and operands:
            return f"{render(operands[0])}({_joined(tuple(operands[1:]))})"
        if symbol == "[]" and len(operands) == 2:
            return f"{render(operands[0])}[{render(operands[1])}]"
        if len(operands) == 2:
            return f"{_operand(operands[0])} {symbol} {_operand(operands[1])}"
    prefix = f"{render(node.receiver)}." if node.receiver is not None else ""
    return f"{prefix}{name}({_joined(node.arguments)})"


def _assign(node: e.Assign) -> str:
    if node.operator in ("+", "-") and isinstance(node.value, e.Literal) and node.result == "old":
        return f"{render(node.target)}{node.operator * 2}"
    return f"{render(node.target)} {node.operator or ''}= {render(node.value)}"


def _member(node: e.Member) -> str:
    if isinstance(node.base, e.Dereference):
        return f"{_operand(node.base.pointer)}->{node.name}"
    return f"{render(node.base)}.{node.name}"


def render(node: e.Expression) -> str:
    """One line of C text; implicit casts are left out."""
    if type(node) is not e.Binary:
        return _text(node)
    kept = _kept.get(id(node))
    if kept is None:
        if len(_kept) >= _TEXTS:
            _kept.clear()
        kept = _kept[id(node)] = node, _text(node)
    return kept[1]


def _text(node: e.Expression) -> str:
    match node:
        case e.Literal(spelling=str() as spelling):
            return spelling
        case e.Literal(value=bool() as value):
            return "true" if value else "false"
        case e.Literal(value=value):
            return str(value)
        case e.VariableReference(variable=variable):
            return variable.name
        case e.FunctionReference(name=name):
            return name
        case e.Builtin(name=name, axis=axis):
            return f"{name}.{axis}" if axis else name
        case e.Unary(operator=operator, operand=operand):
            return f"{operator}{_operand(operand)}"
        case e.Binary(operator=operator, left=left, right=right):
            return f"{_operand(left)} {operator} {_operand(right)}"
        case e.Assign():
            return _assign(node)
        case e.Conditional(condition=condition, then=then, otherwise=otherwise):
            return f"{_operand(condition)} ? {_operand(then)} : {_operand(otherwise)}"
        case e.Cast(operand=operand, implicit=True):
            return render(operand)
        case e.Cast(operand=operand, type=type):
            return f"({type_name(type)}){_operand(operand)}"
        case e.Index(base=base, index=index):
            return f"{_operand(base)}[{render(index)}]"
        case e.Dereference(pointer=pointer):
            return f"*{_operand(pointer)}"
        case e.AddressOf(operand=operand):
            return f"&{_operand(operand)}"
        case e.Member():
            return _member(node)
        case e.Call():
            return _call(node)
        case e.Construct(arguments=arguments, type=type):
            return f"{type_name(type)}({_joined(arguments)})"
        case e.InitList(elements=elements):
            return f"{{{_joined(elements)}}}"
        case e.Lambda():
            return "[...](...)"
        case e.Launch(name=name):
            return f"{name}<<<...>>>(...)"
        case e.Unknown():
            return "?"
