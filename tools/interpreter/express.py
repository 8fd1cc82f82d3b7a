"""Expressions as Python text. An lvalue is an address, unless it is a Python variable."""

from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.ir.unit import Function
from cudalint.source.span import Span
from tools.interpreter import groups, library, special
from tools.interpreter.layout import code, leaves, word
from tools.interpreter.program import Program, sized
from tools.interpreter.scalars import common, conversion, is_float, wrapped

_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


class Expressions:
    """The expressions of one function. registers: Python's names of variables; references: of addresses."""

    def __init__(self, program: Program, addressed: set[int]) -> None:
        self.program = program
        self.addressed = addressed
        self.registers: dict[int, str] = {}
        self.references: dict[int, str] = {}
        self.slots: dict[int, int] = {}
        self.frame = 0
        self.count = 0

    def fresh(self, name: str) -> str:
        self.count += 1
        return f"{name}{self.count}"

    def room(self, kind: t.Type) -> int:
        """The offset of new room in the frame."""
        offset = -(-self.frame // 16) * 16
        self.frame = offset + kind.bytes
        return offset

    def slot(self, variable: e.Variable) -> str:
        """The address of a variable in the frame."""
        if variable.id not in self.slots:
            self.slots[variable.id] = self.room(variable.type)
        return f"fp + {self.slots[variable.id]}"

    # --- loads and stores ---

    def get(self, where: str, kind: t.Type, span: Span) -> str:
        """What an address holds."""
        if isinstance(kind, t.Array):
            return f"({where})"
        site = self.program.number("read", span, kind.bytes)
        letter = code(kind)
        if letter is None:
            return f"load_bytes(T, {where}, {kind.bytes}, {site})"
        return f"load_{word(letter)}(T, {where}, {site})"

    def put(self, where: str, kind: t.Type, value: str, span: Span) -> str:
        """A store; its value is what was stored."""
        site = self.program.number("write", span, kind.bytes)
        letter = code(kind)
        if letter is None:
            return f"store_bytes(T, {where}, {value}, {site})"
        return f"store_{word(letter)}(T, {where}, {value}, {site})"

    # --- lvalues ---

    def has_place(self, node: e.Expression) -> bool:
        match node:
            case e.VariableReference() | e.Index() | e.Dereference():
                return True
            case e.Member(base=base):
                return self.has_place(base)
            case e.Assign():
                return True
            case e.Cast(operand=operand):
                return isinstance(operand.type, t.Array | t.Record) and self.has_place(operand)
            case e.Call():
                called = self.called(node)
                return called is not None and isinstance(called.returns, t.Reference)
            case e.Binary(operator=","):
                return self.has_place(node.right)
        return False

    def register(self, node: e.Expression) -> str | None:
        """The Python variable of a variable that nobody takes the address of."""
        if isinstance(node, e.Cast) and node.operand.type == node.type:
            return self.register(node.operand)
        if not isinstance(node, e.VariableReference):
            return None
        variable = node.variable
        if variable.storage not in ("local", "parameter") or isinstance(variable.type, t.Reference):
            return None
        if variable.id in self.addressed or code(variable.type) is None:
            return None
        return self.registers.setdefault(variable.id, f"v{variable.id}")

    def address(self, node: e.Expression) -> str:
        """Where an lvalue lives; a temporary gets room in the frame."""
        match node:
            case e.VariableReference(variable=variable) if self.register(node) is None:
                return self._variable(variable)
            case e.Member(base=base, offset=offset) if self.has_place(base):
                return f"{self.address(base)} + {offset}"
            case e.Index(base=base, index=index):
                start = self.address(base) if isinstance(base.type, t.Array) else self.value(base)
                return f"{start} + {self._position(base, index)} * {sized(node.type)}"
            case e.Dereference(pointer=pointer):
                return self.value(pointer)
            case e.Cast(operand=operand) if self.has_place(node):
                return self.address(operand)
            case e.Assign(target=target) if self.register(target) is None:
                return f"({self.value(node)}, {self.address(target)})[1]"
            case e.Binary(operator=",") if self.has_place(node):
                return f"({self.value(node.left)}, {self.address(node.right)})[1]"
            case e.Call() if self.has_place(node):
                return self.invoked(node)
        where = f"fp + {self.room(node.type)}"
        return f"({self.put(where, node.type, self.value(node), node.span)}, {where})[1]"

    def _position(self, base: e.Expression, index: e.Expression) -> str:
        """The number of an element; a row of an array ends where the next one begins."""
        if isinstance(base, e.Index) and isinstance(base.type, t.Array) and base.type.count:
            return f"in_row({self.value(index)}, {base.type.count})"
        return self.value(index)

    def _variable(self, variable: e.Variable) -> str:
        if variable.id in self.references:
            return self.references[variable.id]
        if isinstance(variable.type, t.Reference):
            return "stop('a reference to nothing')"
        if variable.storage in ("local", "parameter"):
            return self.slot(variable)
        if variable.storage == "texture":
            return "stop('a texture')"
        return str(self.program.static(variable))

    # --- values ---

    def converted(self, node: e.Expression, target: t.Type) -> str:
        """The value as that type."""
        return conversion(self.value(node), node.type, target)

    def value(self, node: e.Expression) -> str:
        match node:
            case e.Literal():
                return self._literal(node)
            case e.Builtin():
                return {"threadIdx": "T.", "blockIdx": "T.b", "blockDim": "T.d", "gridDim": "T.g"}.get(
                    node.name, "32"
                ) + node.axis
            case e.Unary():
                return self._unary(node)
            case e.Binary():
                return self._binary(node)
            case e.Assign():
                return self._assign(node)
            case e.Conditional():
                then, otherwise = (self.converted(x, node.type) for x in (node.then, node.otherwise))
                return f"({then} if {self.value(node.condition)} else {otherwise})"
            case e.Cast():
                return self._cast(node)
            case e.AddressOf(operand=operand):
                return f"({self.address(operand)})"
            case e.Call():
                return self._call(node)
            case e.Construct():
                return self._construct(node)
            case e.InitList():
                return self._list(node)
            case e.Lambda():
                return "stop('a lambda')"
            case e.FunctionReference():
                return "stop('a function as a value')"
            case e.Unknown(reason=reason):
                return f"stop({reason!r})"
            case e.Member(base=base, offset=offset) if not self.has_place(base):
                return f"part({self.value(base)}, {code(node.type)!r}, {offset}, {node.type.bytes})"
        return self._loaded(node)

    def _loaded(self, node: e.Expression) -> str:
        if isinstance(node, e.VariableReference):
            variable = node.variable
            held = self.register(node)
            if held is not None:
                return held
            if variable.storage == "global" and variable.initial is not None and code(variable.type):
                return self.converted(variable.initial, variable.type)
            if variable.storage == "texture":
                return "0"
            if variable.storage == "global":
                return "stop('a variable of the host')"
        return self.get(self.address(node), node.type, node.span)

    def _literal(self, node: e.Literal) -> str:
        if isinstance(node.value, str):
            return "0"
        if isinstance(node.value, int) and node.value < 0:
            return f"({node.value})"
        return repr(node.value) if node.value is not None else "0"

    def _unary(self, node: e.Unary) -> str:
        inner = self.value(node.operand)
        if node.operator == "!":
            return f"(not {inner})"
        text = f"({node.operator}{inner})" if node.operator != "+" else inner
        return wrapped(text, node.type) if node.operator == "-" or "unsigned" in repr(node.type) else text

    def _binary(self, node: e.Binary) -> str:
        left, right, operator = self.value(node.left), self.value(node.right), node.operator
        if operator == ",":
            return f"({left}, {right})[1]"
        if operator in ("&&", "||"):
            return f"(True if {left} {'and' if operator == '&&' else 'or'} {right} else False)"
        if operator in _COMPARISONS:
            return f"({left} {operator} {right})"
        return self.operation(operator, left, right, (node.left.type, node.right.type), node.type)

    def operation(
        self, operator: str, left: str, right: str, kinds: tuple[t.Type, t.Type], result: t.Type
    ) -> str:
        """Arithmetic on two values."""
        first, second = (
            k.pointee if isinstance(k, t.Pointer) else getattr(k, "element", None) for k in kinds
        )
        if first is not None and second is not None:
            return f"(({left} - {right}) // {sized(first)})"
        if first is not None:
            return f"({left} {operator} {right} * {sized(first)})"
        if second is not None:
            return f"({left} * {sized(second)} + {right})"
        if is_float(result):
            return f"ratio({left}, {right})" if operator == "/" else f"({left} {operator} {right})"
        unsigned = isinstance(result, t.Scalar) and result.kind == "unsigned"
        if operator in ("/", "%"):
            return f"{'quotient' if operator == '/' else 'remainder'}({left}, {right})"
        if operator in ("<<", ">>"):
            text = f"({left} {operator} ({right} & 63))"
            return text if operator == ">>" else wrapped(text, result)
        text = f"({left} {operator} {right})"
        return wrapped(text, result) if operator == "*" or (unsigned and operator in "+-") else text

    def _assign(self, node: e.Assign) -> str:
        target, held = node.target, self.register(node.target)
        kind = target.type
        if node.operator is None:
            value = self.converted(node.value, kind)
            return (
                f"({held} := {value})"
                if held is not None
                else self.put(self.address(target), kind, value, node.span)
            )
        if held is not None:
            new = self._combined(node, held)
            if node.result == "new":
                return f"({held} := {new})"
            before = self.fresh("old")
            return f"(({before} := {held}), ({held} := {new}), {before})[2]"
        where, before = self.fresh("at"), self.fresh("old")
        loaded = f"({before} := {self.get(where, kind, node.span)})"
        stored = self.put(
            f"({where} := {self.address(target)})", kind, self._combined(node, loaded), node.span
        )
        return stored if node.result == "new" else f"({stored}, {before})[1]"

    def _combined(self, node: e.Assign, old: str) -> str:
        kind = node.target.type
        both = kind if node.operator in ("<<", ">>") else common(kind, node.value.type)
        if isinstance(kind, t.Pointer):
            both = kind
        text = self.operation(str(node.operator), old, self.value(node.value), (kind, node.value.type), both)
        return conversion(text, both, kind)

    def _cast(self, node: e.Cast) -> str:
        if isinstance(node.operand.type, t.Array):
            return self.value(node.operand)
        return self.converted(node.operand, node.type)

    # --- objects ---

    def constructor(self, node: e.Construct) -> bool:
        return self.program.unit.defined(node.key) is not None

    def built(self, node: e.Construct, where: str) -> str:
        """A call of a constructor for an object at an address."""
        called = self.program.unit.functions[str(node.key)]
        return self.invocation(called, [where, *self.passed(called, node.arguments)])

    def _construct(self, node: e.Construct) -> str:
        if self.constructor(node):
            where = f"fp + {self.room(node.type)}"
            return f"({self.built(node, where)}, {self.get(where, node.type, node.span)})[1]"
        made = groups.construct(self, node) or special.construct(self, node)
        if made is not None:
            return made
        if not isinstance(node.type, t.Record):
            return self.converted(node.arguments[0], node.type) if node.arguments else "0"
        if len(node.arguments) == 1 and isinstance(node.arguments[0].type, t.Record):
            return self.value(node.arguments[0])
        return self.joined(node.type, node.arguments)

    def joined(self, kind: t.Type, arguments: tuple[e.Expression, ...]) -> str:
        """A record from the values of its scalars."""
        places = leaves(self.program.unit, kind)
        if len(arguments) > len(places):
            return f"stop({'an object of ' + getattr(kind, 'name', '')!r})"
        where = f"fp + {self.room(kind)}"
        parts = [
            self.put(f"{where} + {at}", inner, self.converted(a, inner), a.span)
            for (at, inner), a in zip(places, arguments, strict=False)
        ]
        empty = f"store_bytes(T, {where}, {bytes(1)!r} * {kind.bytes}, 0)"
        made = ", ".join([empty, *parts, f"load_bytes(T, {where}, {kind.bytes}, 0)"])
        return f"({made})[-1]"

    def _list(self, node: e.InitList) -> str:
        if not isinstance(node.type, t.Record):
            return self.converted(node.elements[0], node.type) if node.elements else "0"
        if len(node.elements) == 1 and isinstance(node.elements[0].type, t.Record):
            return self.value(node.elements[0])
        return self.joined(node.type, node.elements)

    # --- calls ---

    def called(self, node: e.Call) -> Function | None:
        """The function of the program that is called."""
        return self.program.unit.defined(node.key)

    def _call(self, node: e.Call) -> str:
        called = self.called(node)
        if called is None:
            known = library.known(self, node) or groups.known(self, node) or special.known(self, node)
            return known if known is not None else f"stop({'a call of ' + node.name!r})"
        if called.lambda_:
            return "stop('a lambda')"
        text = self.invoked(node)
        if isinstance(called.returns, t.Reference):
            return self.get(text, node.type, node.span)
        return text

    def invoked(self, node: e.Call) -> str:
        """A call of a function of the program."""
        called = self.called(node)
        assert called is not None
        own = [self.address(node.receiver)] if called.this is not None and node.receiver is not None else []
        return self.invocation(called, [*own, *self.passed(called, node.arguments)])

    def passed(self, called: Function, arguments: tuple[e.Expression, ...]) -> list[str]:
        return [
            self.address(a) if isinstance(p.type, t.Reference) else self.converted(a, p.type)
            for p, a in zip(called.parameters, arguments, strict=False)
        ]

    def invocation(self, called: Function, arguments: list[str]) -> str:
        name = self.program.function(called.key)
        text = f"{name}({', '.join(['T', *arguments])})"
        return f"(yield from {text})" if self.program.waits(called.key) else text
