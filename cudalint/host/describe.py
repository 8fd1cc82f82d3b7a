"""Expressions as short text: names of buffers, streams and arguments in messages."""

from cudalint.ir import expressions as e


def render(node: e.Expression, depth: int = 0) -> str:
    """The expression roughly as it was written; '' for what has no short form."""
    if depth > 6:
        return "..."
    match node:
        case e.Literal(spelling=str(text)):
            return text
        case e.Literal(value=value):
            return str(value)
        case e.VariableReference(variable=variable):
            return variable.name
        case e.FunctionReference(name=name):
            return name
        case e.Cast(operand=operand):
            return render(operand, depth)
        case e.AddressOf(operand=operand):
            return "&" + render(operand, depth + 1)
        case e.Dereference(pointer=pointer):
            return "*" + render(pointer, depth + 1)
        case e.Member(base=e.Dereference(pointer=pointer), name=name):
            inner = render(pointer, depth + 1)
            return name if inner == "this" else f"{inner}->{name}"
        case e.Member(base=base, name=name):
            return f"{render(base, depth + 1)}.{name}"
        case e.Index(base=base, index=index):
            return f"{render(base, depth + 1)}[{render(index, depth + 1)}]"
        case e.Unary(operator=operator, operand=operand):
            return operator + render(operand, depth + 1)
        case e.Binary(operator=operator, left=left, right=right):
            return f"{render(left, depth + 1)} {operator} {render(right, depth + 1)}"
        case e.Call(receiver=receiver, name="operator[]", arguments=(index,)) if receiver is not None:
            return f"{render(receiver, depth + 1)}[{render(index, depth + 1)}]"
        case e.Call(receiver=receiver, name="operator->") if receiver is not None:
            return render(receiver, depth)
        case e.Call(receiver=None, name="move" | "forward", arguments=(inner,)):
            return render(inner, depth)
        case e.Call(receiver=None, name=name):
            return f"{name}(...)" if node.arguments else f"{name}()"
        case e.Call(receiver=receiver, name=name) if receiver is not None:
            return f"{render(receiver, depth + 1)}.{name}()"
    return ""
