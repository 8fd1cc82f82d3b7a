"""What the pointers of a kernel, and of the functions that it calls, start from. The
pointers of an object start from what it is made of.
"""

from cudalint.analyses.kernel_queries import reachable, start_of
from cudalint.analyses.once import once
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir.types import Pointer, Record, Reference
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find

_HOPS = 8  # assignments and calls that are followed


class PointerRoots:
    """The values that variables are assigned, by id, those of parameters by calls."""

    def __init__(self, unit: Unit, kernel: Function) -> None:
        self._parameters = {parameter.id for parameter in kernel.parameters}
        self._values: dict[int, list[e.Expression]] = {}
        self._returned: dict[str, list[e.Expression]] = {}  # by the key of the function
        for function in reachable(unit, kernel):
            for node in find(function.body, s.Declare, s.Return, e.Assign, e.Call):
                match node:
                    case s.Declare(variable=variable, initial=initial) if initial is not None:
                        self._values.setdefault(variable.id, []).append(initial)
                    case e.Assign(target=e.VariableReference(variable=variable), value=value, operator=None):
                        self._values.setdefault(variable.id, []).append(value)
                    case s.Return(value=value) if value is not None:
                        self._returned.setdefault(function.key, []).append(value)
                    case e.Call(key=key, arguments=arguments) if key in unit.functions:
                        called = unit.functions[key]
                        for parameter, value in zip(called.parameters, arguments, strict=False):
                            self._values.setdefault(parameter.id, []).append(value)
                        if called.this is not None and node.receiver is not None:
                            self._values.setdefault(called.this.id, []).append(node.receiver)

    def root(self, node: e.Expression, hops: int = _HOPS) -> e.Variable | None:
        """The variable that a place or a pointer starts from, through functions that return it."""
        start = start_of(node)
        if isinstance(start, e.Call) and hops:
            returned = self._returned.get(start.key or "", [])
            return self.root(returned[0], hops - 1) if len(returned) == 1 else None
        return start.variable if isinstance(start, e.VariableReference) else None

    def are_global(self, variable: e.Variable, hops: int = _HOPS) -> bool:
        """Whether everything that the variable may point to is in global memory: a kernel argument or a
        global array.
        """
        if variable.id in self._parameters or variable.storage in ("device", "managed"):
            return True
        roots = self._roots(variable)
        return bool(roots and hops) and all(
            root is not None and self.are_global(root, hops - 1) for root in roots if root != variable
        )

    def are_shared(self, variable: e.Variable, hops: int = _HOPS) -> bool:
        """Whether everything that the variable may point to is an array in shared memory."""
        if variable.storage == "shared":
            return True
        roots = [root for root in self._roots(variable) if root != variable]
        return bool(roots and hops) and all(
            root is not None and self.are_shared(root, hops - 1) for root in roots
        )

    def _roots(self, variable: e.Variable) -> list[e.Variable | None]:
        return [root for value in self._values.get(variable.id, []) for root in self._made_of(value)]

    def _made_of(self, value: e.Expression) -> list[e.Variable | None]:
        """What the pointers that a value is, or has, start from."""
        match value:
            case e.Construct(arguments=parts) | e.InitList(elements=parts):
                leading = [part for part in parts if isinstance(part.type, Pointer | Reference | Record)]
                return [root for part in leading for root in self._made_of(part)]
            case _:
                return [self.root(value)]


@once
def pointer_roots(unit: Unit, kernel: Function) -> PointerRoots:
    """Those of a kernel."""
    return PointerRoots(unit, kernel)
