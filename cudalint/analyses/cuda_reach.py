"""Which functions reach CUDA calls: those are worth running closely, the rest is the host's own work."""

import re

from msgspec import Struct

from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import walk

_CUDA = re.compile(r"(cuda|cu)[A-Z]\w*|nvcuda\w*")
LIBRARIES = re.compile(r"(cublas|cufft|curand|cusparse|cusolver|cudnn|nccl|nvtx|npp)[A-Z]\w*")
ALLOCATORS = frozenset(
    {"malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign", "free", "new", "new[]"}
)
_MEMORY = ALLOCATORS | {"operator new", "operator new[]", "operator delete", "operator delete[]"}


class Reach(Struct):
    """Facts about code that a walk asks for often. cuda: keys of functions that reach CUDA."""

    unit: Unit
    cuda: frozenset[str]
    callees: dict[str, frozenset[str]]
    sizes: dict[str, int]
    launching: frozenset[str]  # keys of functions that reach a launch
    looping: frozenset[str]  # keys of functions that hold a loop
    functors: dict[str, Function]  # that reach CUDA, by their class: 'Free::operator()'
    _statements: dict[int, bool]

    def statement(self, node: s.Statement) -> bool:
        """Whether a statement reaches a CUDA call, a launch or an allocation."""
        known = self._statements.get(id(node))
        if known is None:
            known = any(self._touches(n) for n in walk(node))
            self._statements[id(node)] = known
        return known

    def launches(self, node: s.Statement) -> bool:
        """Whether a statement reaches a launch."""
        return any(
            isinstance(n, e.Launch) or (isinstance(n, (e.Call, e.Construct)) and n.key in self.launching)
            for n in walk(node)
        )

    def _touches(self, node: object) -> bool:
        if isinstance(node, e.Launch):
            return True
        if isinstance(node, e.Call):
            return (
                _works(node.name) or node.name in _MEMORY or (node.key is not None and node.key in self.cuda)
            )
        if isinstance(node, s.Declare) and isinstance(node.variable.type, t.Record):
            return self.unit.destructors.get(node.variable.type.name) in self.cuda
        return isinstance(node, (e.Construct, e.Lambda)) and node.key in self.cuda


def is_cuda(name: str) -> bool:
    return _CUDA.fullmatch(name) is not None


def _works(name: str) -> bool:
    """Whether a function is CUDA's or that of a library that works on the device."""
    return is_cuda(name) or LIBRARIES.fullmatch(name) is not None


def survey(unit: Unit) -> Reach:
    """Read every host body once."""
    callees: dict[str, frozenset[str]] = {}
    direct: set[str] = set()
    launching: set[str] = set()
    looping: set[str] = set()
    sizes: dict[str, int] = {}
    for key, function in unit.functions.items():
        if not runs_on_host(function) or function.body is None:
            continue
        names: set[str] = set()
        count = 0
        for node in walk(function.body):
            count += 1
            if isinstance(node, e.Launch) or (isinstance(node, e.Call) and _works(node.name)):
                direct.add(key)
            if isinstance(node, e.Launch):
                launching.add(key)
            if isinstance(node, s.Loop):
                looping.add(key)
            if isinstance(node, (e.Call, e.Construct, e.FunctionReference, e.Lambda)) and node.key:
                names.add(node.key)
            if isinstance(node, s.Declare) and isinstance(node.variable.type, t.Record):
                names.add(unit.destructors.get(node.variable.type.name, ""))
        callees[key] = frozenset(names)
        sizes[key] = count
    cuda = _closure(direct, callees)
    functors = {
        "::".join(unit.functions[key].qualified.split("::")[-2:]): unit.functions[key]
        for key in cuda
        if unit.functions[key].name == "operator()" and not unit.functions[key].lambda_
    }
    launches = _closure(launching, callees)
    return Reach(unit, cuda, callees, sizes, launches, frozenset(looping), functors, {})


def _closure(direct: set[str], callees: dict[str, frozenset[str]]) -> frozenset[str]:
    reached = set(direct)
    callers: dict[str, set[str]] = {}
    for caller, names in callees.items():
        for name in names:
            callers.setdefault(name, set()).add(caller)
    work = list(direct)
    while work:
        for caller in callers.get(work.pop(), ()):
            if caller not in reached:
                reached.add(caller)
                work.append(caller)
    return frozenset(reached)


def runs_on_host(function: Function) -> bool:
    return function.host and not function.kernel


def assigned_globals(unit: Unit) -> frozenset[int]:
    """Variables at namespace scope that some code of the unit writes or takes the address of."""
    found: set[int] = set()
    for function in unit.functions.values():
        if function.body is None or not runs_on_host(function):
            continue
        for node in walk(function.body):
            match node:
                case e.Assign(target=place) | e.AddressOf(operand=place):
                    variable = _root(place)
                    if variable is not None and variable.storage not in ("local", "parameter"):
                        found.add(variable.id)
    return frozenset(found)


def _root(place: e.Expression) -> e.Variable | None:
    while True:
        match place:
            case e.VariableReference(variable=variable):
                return variable
            case e.Member(base=base) | e.Index(base=base):
                place = base
            case _:
                return None
