"""One kernel and all it calls as Python functions, with the objects that live as long as the program."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import walk
from cudalint.source.span import Span
from tools.interpreter import arithmetic, groups, library, memory, special
from tools.interpreter.layout import Contents, word
from tools.interpreter.memory import GLOBAL, PRIVATE, Memory
from tools.interpreter.stop import Stop, in_row, stop

DYNAMIC = 48 * 1024  # bytes of shared memory sized by a launch that does not tell


@dataclass(frozen=True)
class Site:
    """An access in the source. kind: 'read', 'write' or 'atomic'."""

    span: Span
    kind: str
    size: int


@dataclass
class Program:
    """The translated functions by key, and what they need at run time by name."""

    unit: Unit
    memory: Memory
    contents: Contents
    translated: Callable[["Program", Function, str], str]  # a function as Python text, by that name
    initialise: Callable[["Program", e.Variable, int], None]  # runs the initialiser of a variable
    dynamic: int = DYNAMIC
    names: dict[str, Any] = field(default_factory=dict)
    sites: list[Site] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)  # of barriers and warp operations
    fuel: list[int] = field(default_factory=lambda: [0])
    _functions: dict[str, str] = field(default_factory=dict)
    _waiting: dict[str, bool] = field(default_factory=dict)
    _objects: dict[int, int] = field(default_factory=dict)
    _numbers: dict[Any, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        load, store = memory.copier(self.memory)
        self.names.update(
            load_bytes=load,
            store_bytes=store,
            stop=stop,
            in_row=in_row,
            burn=self._burn,
            inf=math.inf,
            nan=math.nan,
            **{f"load_{word(c)}": memory.loader(self.memory, c) for c in "?bBhHiIqQfd"},
            **{f"store_{word(c)}": memory.storer(self.memory, c) for c in "?bBhHiIqQfd"},
            **{n: getattr(arithmetic, n) for n in ("quotient", "remainder", "ratio", "integer")},
            **library.runtime(self.memory),
            **groups.runtime(self.memory),
            **special.runtime(self.memory),
        )

    def _burn(self) -> None:
        self.fuel[0] -= 1
        if self.fuel[0] < 0:
            stop("too long")

    def number(self, kind: str, span: Span, size: int) -> int:
        """The number of an access in `sites`."""
        key = (kind, span, size)
        if key not in self._numbers:
            self._numbers[key] = len(self.sites)
            self.sites.append(Site(span, kind, size))
        return self._numbers[key]

    def meeting(self, span: Span) -> int:
        """The number of a barrier or warp operation in `spans`."""
        if span not in self._numbers:
            self._numbers[span] = len(self.spans)
            self.spans.append(span)
        return self._numbers[span]

    def static(self, variable: e.Variable) -> int:
        """The address of a variable that no thread has for itself."""
        found = self._objects.get(variable.id)
        if found is None:
            found = self._objects[variable.id] = self._made(variable)
        return found

    def _made(self, variable: e.Variable) -> int:
        size = variable.type.bytes
        if variable.storage == "shared":
            if variable.extern:
                return self._dynamic_array()
            return self.memory.create(0, size)
        kind = GLOBAL if variable.storage in ("device", "managed") else PRIVATE
        if variable.initial is not None:
            return self._initialised(variable, kind)
        return self.memory.create(kind, size, self.contents.pattern(variable.type))

    def _dynamic_array(self) -> int:
        if -1 not in self._objects:
            self._objects[-1] = self.memory.create(0, self.dynamic)
        return self._objects[-1]

    def _initialised(self, variable: e.Variable, kind: int) -> int:
        address = self.memory.create(kind, variable.type.bytes)
        self.initialise(self, variable, address)
        held = bytes(self.memory.bytes[address >> 32])
        self.memory.things[address >> 32].pattern = held or b"\0"
        return address

    def function(self, key: str) -> str:
        """The Python name of a function, translated when first asked for."""
        name = self._functions.get(key)
        if name is None:
            name = self._functions[key] = f"function_{len(self._functions)}"
            try:
                exec(compile(self.translated(self, self.unit.functions[key], name), name, "exec"), self.names)
            except SyntaxError as error:
                del self._functions[key]
                raise Stop(f"no Python for {key}: {error}") from error
        return name

    def waits(self, key: str) -> bool:
        """Whether a thread may stop in the function for others: then it is a generator."""
        if key not in self._waiting:
            self._waiting[key] = False  # while it is looked for, for recursive functions
            self._waiting[key] = any(self._stops(node) for node in _calls(self.unit.functions[key]))
        return self._waiting[key]

    def _stops(self, node: e.Call | e.Construct) -> bool:
        called = self.unit.functions.get(node.key) if node.key else None
        if called is not None and called.body is not None:
            return self.waits(called.key)
        return isinstance(node, e.Call) and (library.waits(node) or groups.waits(node))


def _calls(function: Function) -> list[e.Call | e.Construct]:
    if function.body is None:
        return []
    return [node for node in walk(function.body) if isinstance(node, e.Call | e.Construct)]


def sized(kind: t.Type) -> int:
    """Bytes between neighbouring elements; those of void count as bytes."""
    return max(1, kind.bytes)
