"""Functions and statements as Python. Scalars whose address nobody takes are Python's variables, all others
lie in the thread's frame, at `fp`.

In a loop's body `break` leaves a wrapper that runs once, so that a `continue` comes to the step; `left` tells
the loop that it was a `break`.
"""

from dataclasses import dataclass, field

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import walk
from cudalint.source.span import NOWHERE
from tools.interpreter.express import Expressions
from tools.interpreter.layout import Contents, code, leaves
from tools.interpreter.memory import PRIVATE, Memory
from tools.interpreter.program import DYNAMIC, Program


def program(unit: Unit, memory: Memory, contents: Contents, dynamic: int = DYNAMIC) -> Program:
    """A program whose functions are translated when they are first asked for. dynamic: bytes of shared memory
    that the launch sizes.
    """
    return Program(unit, memory, contents, translated, initialise, dynamic)


def translated(program: Program, function: Function, name: str) -> str:
    """The text of the Python function."""
    return Translation(program, function).text(name)


def initialise(program: Program, variable: e.Variable, address: int) -> None:
    """Run the initialiser of a variable at namespace scope."""
    body = s.Block((), NOWHERE)
    function = Function("", "initial", "initial", (), body, t.VOID, NOWHERE, NOWHERE)
    translation = Translation(program, function)
    translation.fill(str(address), variable.type, variable.initial, 1)
    text = "\n".join(["def initial(T):", "    fp = 0", *translation.lines, "    return"])
    exec(compile(text, "initial", "exec"), program.names)
    program.names["initial"](Quiet(program.memory))


@dataclass
class Quiet:
    """A thread that does nothing but initialise."""

    memory: Memory
    log: list[object] = field(default_factory=list)
    sp: int = 0
    rank: int = 0

    def frame(self, size: int) -> int:
        """Room for the variables of a function."""
        return self.memory.create(PRIVATE, size + 16)


def in_memory(program: Program, function: Function) -> set[int]:
    """Variables whose address somebody takes."""
    found: set[int] = set()
    for node in walk(function.body) if function.body is not None else ():
        match node:
            case e.AddressOf(operand=operand):
                found.add(_root(operand))
            case s.Declare(variable=variable, initial=initial) if isinstance(variable.type, t.Reference):
                if initial is not None:
                    found.add(_root(initial))
            case e.Call() | e.Construct():
                found |= _passed(program, node)
    return found


def _passed(program: Program, node: e.Call | e.Construct) -> set[int]:
    receiver = node.receiver if isinstance(node, e.Call) else None
    found = {_root(receiver)} if receiver is not None else set()
    called = program.unit.defined(node.key)
    if called is None:
        if isinstance(node, e.Call) and node.name == "swap":
            found |= {_root(a) for a in node.arguments}
        return found
    for parameter, argument in zip(called.parameters, node.arguments, strict=False):
        if isinstance(parameter.type, t.Reference):
            found.add(_root(argument))
    return found


def _root(node: e.Expression) -> int:
    """The variable that an lvalue is a part of; -1 for none."""
    while True:
        match node:
            case e.VariableReference(variable=variable):
                return variable.id
            case e.Member(base=inner) | e.Cast(operand=inner):
                node = inner
            case e.Index(base=inner) if isinstance(inner.type, t.Array):
                node = inner
            case e.Assign(target=inner):
                node = inner
            case _:
                return -1


class Translation(Expressions):
    """One function on its way."""

    def __init__(self, program: Program, function: Function) -> None:
        super().__init__(program, in_memory(program, function))
        self.function = function
        self.lines: list[str] = []
        self.wrappers: list[str] = []  # 'loop', 'body' or 'switch', innermost last

    def text(self, name: str) -> str:
        self.generator = self.program.waits(self.function.key) or self.function.kernel
        parameters = [self._parameter(p) for p in self.function.parameters]
        if self.function.this is not None:
            parameters.insert(0, self._parameter(self.function.this))
        if self.function.body is not None:
            self.run(self.function.body, 1)
        opening = [f"def {name}({', '.join(['T', *parameters])}):", f"    fp = T.frame({self.frame})"]
        ending = ["    T.sp = fp"]
        generator = ["    if False: yield"] if self.generator else []
        return "\n".join([*opening, *generator, *self.lines, *ending])

    def add(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def _parameter(self, variable: e.Variable) -> str:
        name = f"p{variable.id}"
        if isinstance(variable.type, t.Reference):
            self.references[variable.id] = name
        elif self.lies(variable):
            self.add(1, self.put(self.slot(variable), variable.type, name, NOWHERE))
        else:
            self.registers[variable.id] = name
        return name

    # --- statements ---

    def run(self, node: s.Statement | None, depth: int) -> None:
        match node:
            case None:
                self.add(depth, "pass")
            case s.Block(body=body):
                self.add(depth, "pass")
                for part in body:
                    self.run(part, depth)
            case s.Declare():
                self.declare(node, depth)
            case s.Evaluate(expression=expression):
                self.add(depth, self.value(expression))
            case s.If():
                self.add(depth, f"if {self.value(node.condition)}:")
                self.run(node.then, depth + 1)
                if node.otherwise is not None:
                    self.add(depth, "else:")
                    self.run(node.otherwise, depth + 1)
            case s.Loop():
                self.loop(node, depth)
            case s.Switch():
                self.switch(node, depth)
            case s.Break():
                self._leave(depth)
            case s.Continue():
                self._again(depth)
            case s.Return(value=value):
                self.give(value, depth)
            case s.Opaque(reason=reason):
                self.add(depth, f"stop({reason!r})")

    def give(self, value: e.Expression | None, depth: int) -> None:
        """Return."""
        returns = self.function.returns
        if value is None:
            result = "None"
        elif isinstance(returns, t.Reference):
            result = self.address(value)
        else:
            result = self.converted(value, returns)
        self.add(depth, f"result = {result}")
        self.add(depth, "T.sp = fp")
        self.add(depth, "return result")

    def declare(self, node: s.Declare, depth: int) -> None:
        variable, initial = node.variable, node.initial
        if variable.storage not in ("local", "parameter"):
            return
        if isinstance(variable.type, t.Reference):
            name = self.references[variable.id] = f"r{variable.id}"
            self.add(depth, f"{name} = {self.address(initial) if initial is not None else 0}")
        elif self.lies(variable):
            where = self.slot(variable)
            if initial is not None:
                self.fill(where, variable.type, initial, depth)
        else:
            name = self.registers[variable.id] = f"v{variable.id}"
            self.add(depth, f"{name} = {'0' if initial is None else self.converted(initial, variable.type)}")

    def fill(self, where: str, kind: t.Type, initial: e.Expression | None, depth: int) -> None:
        """Store an initial value, part by part."""
        match initial:
            case None:
                return
            case e.InitList(elements=elements) if isinstance(kind, t.Array | t.Record):
                self.add(depth, f"store_bytes(T, {where}, {bytes(1)!r} * {kind.bytes}, 0)")
                for (at, inner), element in zip(self._parts(kind, elements), elements, strict=False):
                    self.fill(f"{where} + {at}", inner, element, depth)
            case e.Construct() if self.constructor(initial):
                self.add(depth, self.built(initial, where))
            case e.Literal(value=str() as text) if isinstance(kind, t.Array):
                held = text.encode()[: kind.bytes].ljust(kind.bytes, b"\0")
                self.add(depth, f"store_bytes(T, {where}, {held!r}, 0)")
            case _:
                self.add(depth, self.put(where, kind, self.converted(initial, kind), initial.span))

    def _parts(self, kind: t.Type, elements: tuple[e.Expression, ...]) -> list[tuple[int, t.Type]]:
        if isinstance(kind, t.Array):
            step = kind.element.bytes
            return [(i * step, kind.element) for i in range(len(elements))]
        layout = self.program.unit.records.get(kind.name) if isinstance(kind, t.Record) else None
        fields = [(f.offset, f.type) for f in layout.fields] if layout is not None else []
        return fields if len(fields) >= len(elements) else leaves(self.program.unit, kind)

    # --- loops ---

    def loop(self, node: s.Loop, depth: int) -> None:
        if node.initial is not None:
            self.run(node.initial, depth)
        tested = self.value(node.condition) if node.condition is not None else "True"
        self.add(depth, "while True:")
        if node.kind != "do":
            self.add(depth + 1, f"if not ({tested}): break")
        self.add(depth + 1, "burn()")
        wrapped = any(isinstance(part, s.Continue) for part in walk(node.body))
        if wrapped:
            self._wrapped(node.body, depth + 1)
        else:
            self.wrappers.append("loop")
            self.run(node.body, depth + 1)
            self.wrappers.pop()
        if node.step is not None:
            self.add(depth + 1, self.value(node.step))
        if node.kind == "do":
            self.add(depth + 1, f"if not ({tested}): break")

    def _wrapped(self, body: s.Statement, depth: int) -> None:
        left = self.fresh("left")
        self.add(depth, f"{left} = False")
        self.add(depth, "while True:")
        self.wrappers.append(left)
        self.run(body, depth + 1)
        self.wrappers.pop()
        self.add(depth + 1, "break")
        self.add(depth, f"if {left}: break")

    def _leave(self, depth: int) -> None:
        wrapper = self.wrappers[-1]
        if wrapper not in ("loop", "switch") and not wrapper.startswith("again"):
            self.add(depth, f"{wrapper} = True")
        self.add(depth, "break")

    def _again(self, depth: int) -> None:
        """`continue`: out of the wrapper of the body; out of a switch first, which passes it on."""
        for wrapper in reversed(self.wrappers):
            if not wrapper.startswith("again"):
                break
            self.add(depth, f"{wrapper} = True")
        self.add(depth, "break")

    def switch(self, node: s.Switch, depth: int) -> None:
        entry, again = self.fresh("entry"), self.fresh("again")
        table = {case.value: case.index for case in node.cases if case.value is not None}
        default = next((case.index for case in node.cases if case.value is None), len(node.body))
        self.add(depth, f"{entry} = {table!r}.get({self.value(node.subject)}, {default})")
        self.add(depth, f"{again} = False")
        self.add(depth, "while True:")
        self.wrappers.append(again)
        for index, part in enumerate(node.body):
            self.add(depth + 1, f"if {entry} <= {index}:")
            self.run(part, depth + 2)
        self.wrappers.pop()
        self.add(depth + 1, "break")
        if any(isinstance(part, s.Continue) for part in walk(node)):
            self.add(depth, f"if {again}: break")

    def lies(self, variable: e.Variable) -> bool:
        """Whether the variable is in the frame."""
        return variable.id in self.addressed or code(variable.type) is None
