"""IR as indented text, for tests and debugging."""

from __future__ import annotations

from collections.abc import Iterator

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.unit import Function, Unit


def type_text(kind: t.Type) -> str:
    """A type in C's spirit: `float*`, `float[32][33]`."""
    match kind:
        case t.Pointer(pointee=inner):
            marks = (" restrict" if kind.restrict else "") + (" volatile" if kind.volatile else "")
            return f"{'const ' if kind.const else ''}{type_text(inner)}*{marks}"
        case t.Reference(target=inner):
            return f"{'const ' if kind.const else ''}{type_text(inner)}&"
        case t.Array(element=inner):
            counts = ""
            while isinstance(kind, t.Array):
                counts += f"[{'' if kind.count is None else kind.count}]"
                kind = kind.element
            return f"{type_text(kind)}{counts}"
        case t.Opaque(name=name):
            return f"<{name}>"
    return kind.name


def text(node: e.Expression) -> str:
    """An expression on one line; implicit casts in braces."""
    match node:
        case e.Literal():
            return repr(node.value) + ("" if node.spelling is None else f"`{node.spelling}`")
        case e.VariableReference(variable=variable):
            return variable.name
        case e.FunctionReference(name=name):
            return f"&{name}"
        case e.Builtin(name=name, axis=axis):
            return f"{name}.{axis}" if axis else name
        case e.Unary(operator=operator, operand=operand):
            return f"({operator}{text(operand)})"
        case e.Binary(operator=operator, left=left, right=right):
            return f"({text(left)} {operator} {text(right)})"
        case e.Assign():
            mark = "" if node.result == "new" else " old"
            computed = f"{{{type_text(node.computed or node.type)}}}"
            computed = computed if node.computed not in (None, node.type) else ""
            return f"({text(node.target)} {node.operator or ''}={computed}{mark} {text(node.value)})"
        case e.Conditional():
            return f"({text(node.condition)} ? {text(node.then)} : {text(node.otherwise)})"
        case e.Cast(operand=operand, implicit=implicit):
            opening, closing = "{}" if implicit else "()"
            return f"{opening}{type_text(node.type)}{closing}{text(operand)}"
    return _text_of_object(node)


def _text_of_object(node: e.Expression) -> str:
    match node:
        case e.Index(base=base, index=index):
            return f"{text(base)}[{text(index)}]"
        case e.Dereference(pointer=pointer):
            return f"(*{text(pointer)})"
        case e.AddressOf(operand=operand):
            return f"(&{text(operand)})"
        case e.Member(base=base, name=name, offset=offset):
            return f"{text(base)}.{name}@{offset}"
        case e.Call():
            receiver = f"{text(node.receiver)}." if node.receiver is not None else ""
            target = f"<{text(node.target)}>" if node.target is not None else ""
            return f"{receiver}{node.name}{target}({_list(node.arguments)})"
        case e.Construct(arguments=arguments):
            return f"{type_text(node.type)}({_list(arguments)})"
        case e.InitList(elements=elements):
            return f"{{{_list(elements)}}}"
        case e.Lambda(captures=captures):
            return (
                "["
                + ", ".join(("&" if how == "reference" else "") + v.name for v, how in captures)
                + "]{...}"
            )
        case e.Launch():
            shape = [node.grid, node.block, node.shared, node.stream]
            inside = ", ".join("-" if p is None else text(p) for p in shape)
            values = "?" if node.arguments is None else _list(node.arguments)
            return f"{node.name}<<<{inside}>>>({values})"
        case e.Unknown(reason=reason, operands=operands):
            return f"?{reason}?({_list(operands)})"
    return repr(node)


def _list(items: tuple[e.Expression, ...]) -> str:
    return ", ".join(text(i) for i in items)


def lines(node: s.Statement, indent: int = 0) -> Iterator[str]:
    """A statement, one line a statement."""
    pad = "  " * indent
    match node:
        case s.Block(body=body):
            yield f"{pad}{{"
            for inner in body:
                yield from lines(inner, indent + 1)
            yield f"{pad}}}"
        case s.Declare(variable=variable, initial=initial):
            value = "" if initial is None else f" = {text(initial)}"
            storage = "" if variable.storage == "local" else f"{variable.storage} "
            yield f"{pad}{storage}{type_text(variable.type)} {variable.name}{value}"
        case s.Evaluate(expression=expression):
            yield f"{pad}{text(expression)}"
        case s.If(condition=condition, then=then, otherwise=otherwise):
            yield f"{pad}if {text(condition)}"
            yield from lines(then, indent + 1)
            if otherwise is not None:
                yield f"{pad}else"
                yield from lines(otherwise, indent + 1)
        case s.Loop():
            unroll = "" if node.unroll is None else f" unroll={node.unroll}"
            yield f"{pad}{node.kind}{unroll}"
            if node.initial is not None:
                yield from lines(node.initial, indent + 2)
            yield f"{pad}  while {text(node.condition) if node.condition is not None else ''}"
            yield f"{pad}  step {text(node.step) if node.step is not None else ''}"
            yield from lines(node.body, indent + 1)
        case s.Switch(subject=subject, cases=cases, body=body):
            yield f"{pad}switch {text(subject)}"
            for index, inner in enumerate(body):
                for case in cases:
                    if case.index == index:
                        yield f"{pad}  case {'default' if case.value is None else case.value}"
                yield from lines(inner, indent + 2)
        case s.Return(value=value):
            yield f"{pad}return{'' if value is None else ' ' + text(value)}"
        case s.Opaque(reason=reason, operands=operands):
            yield f"{pad}?{reason}?({_list(operands)})"
        case _:
            yield f"{pad}{type(node).__name__.lower()}"


def function_text(function: Function) -> str:
    """A whole function."""
    marks = [name for name in ("kernel", "device", "host", "dependent") if getattr(function, name)]
    arguments = (
        "<" + ", ".join(map(str, function.template_arguments)) + ">" if function.template_arguments else ""
    )
    parameters = ", ".join(f"{type_text(p.type)} {p.name}" for p in function.parameters)
    bounds = f" bounds{function.launch_bounds}" if function.launch_bounds else ""
    called = f"{function.qualified}{arguments}({parameters})"
    head = f"{' '.join(marks)} {type_text(function.returns)} {called}{bounds}"
    body = list(lines(function.body)) if function.body is not None else ["  no body"]
    return "\n".join([head, *body])


def unit_text(unit: Unit) -> str:
    """Every function of a unit."""
    return "\n\n".join(function_text(f) for f in unit.functions.values())
