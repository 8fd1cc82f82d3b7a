"""Which functions reach CUDA calls: those are worth running closely, the rest is the host's own work."""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from cudalint.cuda.thrust import ALGORITHMS
from cudalint.ir import expressions as e
from cudalint.ir import statements as s
from cudalint.ir import types as t
from cudalint.ir.unit import Function, Unit
from cudalint.ir.walk import find, walk

_INDIRECT = "*"  # stands for every function that is handed on as a value
_POINTED = "(*)"  # likewise, for those that a plain pointer may point to: no closures over anything
_CUDA = re.compile(r"(cuda|cu)[A-Z]\w*|nvcuda\w*")
LIBRARIES = re.compile(r"(cublas|cufft|curand|cusparse|cusolver|cudnn|nccl|nvtx|npp)[A-Z]\w*")
ALLOCATORS = frozenset(
    {"malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign", "free", "new", "new[]"}
)
FUNCTION = re.compile(r"std::function<")  # types of objects that call what they were given
_MAKES = re.compile(
    r"(cuda|cu|cublas|cufft|curand|cusparse|cusolver\w\w|cudnn)\w*(Malloc|Alloc|Create|Plan)\w*"
)
THREAD = re.compile(r"std::j?thread")
_ANYWHERE = ("thrust::counting_iterator<", "thrust::constant_iterator<")  # others say where the work is done
_TELLING = (e.Launch, e.Call, e.Construct, e.FunctionReference, e.Lambda, s.Loop, s.Declare)
_MEMORY = ALLOCATORS | {"operator new", "operator new[]", "operator delete", "operator delete[]"}


class Reach(Struct):
    """Facts about code that a walk asks for often. cuda: keys of functions that reach CUDA."""

    unit: Unit
    cuda: frozenset[str]
    callees: dict[str, frozenset[str]]
    sizes: dict[str, int]
    launching: frozenset[str]  # keys of functions that reach a launch
    making: frozenset[str]  # keys of functions that reach the creation of buffers, streams, events, handles
    filled: frozenset[str]  # names of records with members that such calls fill
    looping: frozenset[str]  # keys of functions that hold a loop
    overriding: dict[str, tuple[Function, ...]]  # by the key of a virtual method, those that override it
    functors: dict[str, Function]  # that reach CUDA, by their class: 'Free::operator()'
    indirect: frozenset[str]  # of _INDIRECT and _POINTED, those that reach CUDA
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

    def called(self, nodes: Iterable[e.Expression | s.Statement]) -> frozenset[str]:
        """The keys of the functions that nodes may come to by calls, theirs or those of what they call."""
        work = [key for node in nodes for key in _named(node, self.unit, self.overriding)]
        found: set[str] = set()
        while work:
            key = work.pop()
            if key not in found:
                found.add(key)
                work += self.callees.get(key, ())
        return frozenset(found)

    def _touches(self, node: object) -> bool:
        if isinstance(node, e.Launch):
            return True
        if isinstance(node, e.Call):
            known = node.key is not None and (node.key in self.cuda or self._overridden(node.key))
            return known or _works(node) or node.name in _MEMORY or _indirect(node) in self.indirect
        if isinstance(node, s.Declare) and isinstance(node.variable.type, t.Record):
            return self.unit.destructors.get(node.variable.type.name) in self.cuda
        return isinstance(node, (e.Construct, e.Lambda, e.FunctionReference)) and node.key in self.cuda

    def _overridden(self, key: str) -> bool:
        """Whether a method that overrides the virtual one reaches CUDA."""
        return any(function.key in self.cuda for function in self.overriding.get(key, ()))


def is_cuda(name: str) -> bool:
    return _CUDA.fullmatch(name) is not None


def _works(node: e.Call) -> bool:
    """Whether a function is CUDA's or that of a library that works on the device."""
    library = LIBRARIES.fullmatch(node.name) is not None or is_device_wide(node)
    return library or is_cuda(node.name) or is_algorithm(node)


def is_device_wide(node: e.Call) -> bool:
    """Whether a call is of an algorithm of CUB for the whole device, which the host queues."""
    return node.qualified.startswith("cub::Device")


def is_algorithm(node: e.Call) -> bool:
    """Whether a call is of an algorithm of Thrust on device memory: by its policy, or by its iterators."""
    if not (node.qualified.startswith("thrust::") and node.name in ALGORITHMS and node.arguments):
        return False
    first = node.arguments[0]
    kind = first.type.name if isinstance(first.type, t.Record) else ""
    if "policy" in kind:
        return not any(part.variable.name in ("host", "seq") for part in find(first, e.VariableReference))
    if kind.startswith(_ANYWHERE):
        return any("device_ptr" in one.type.name for one in node.arguments if isinstance(one.type, t.Record))
    return "device_ptr" in kind


def _filled(node: e.Call) -> set[str]:
    """The records whose member a call is given the address of."""
    members = (n for a in node.arguments[:1] for n in find(a, e.Member))
    return {n.base.type.name for n in members if isinstance(n.base.type, t.Record)}


def _indirect(node: e.Call) -> str:
    """How a call goes: through a pointer to a function, a std::function or a pointer to a member; '' for
    others, and where nobody knows what is called.
    """
    if node.receiver is None or node.target is not None:
        if node.key is not None or node.target is None or isinstance(node.target, e.Unknown):
            return ""
        return _POINTED if isinstance(node.target.type, t.Pointer) else _INDIRECT
    type_ = node.receiver.type
    known = node.name == "operator()" and isinstance(type_, t.Record) and FUNCTION.match(type_.name)
    return _INDIRECT if known else ""


def survey(unit: Unit) -> Reach:
    """Read every host body once."""
    callees: dict[str, frozenset[str]] = {}
    direct: set[str] = set()
    launching: set[str] = set()
    making: set[str] = set()
    filled: set[str] = set()
    looping: set[str] = set()
    sizes: dict[str, int] = {}
    handed: set[str] = set()
    pointed: set[str] = set()
    overriding = _overriding(unit)
    for key, function in unit.functions.items():
        if not runs_on_host(function) or function.body is None:
            continue
        names: set[str] = set()
        for node in find(function.body, *_TELLING):
            if isinstance(node, e.Launch) or (isinstance(node, e.Call) and _works(node)):
                direct.add(key)
            if isinstance(node, e.Launch):
                launching.add(key)
            if isinstance(node, e.Call) and _MAKES.fullmatch(node.name):
                making.add(key)
                filled |= _filled(node)
            if isinstance(node, s.Loop):
                looping.add(key)
            names.update(_named(node, unit, overriding))
            if isinstance(node, (e.FunctionReference, e.Lambda)):
                handed.add(node.key)
                pointed |= {node.key} if isinstance(node, e.FunctionReference) or not node.captures else set()
        callees[key] = frozenset(names)
        sizes[key] = sum(1 for _ in walk(function.body))
    callees[_INDIRECT], callees[_POINTED] = frozenset(handed), frozenset(pointed)
    cuda = _closure(direct, callees)
    several = frozenset((_INDIRECT, _POINTED))
    indirect = cuda & several
    cuda -= several
    functors = {
        "::".join(unit.functions[key].qualified.split("::")[-2:]): unit.functions[key]
        for key in cuda
        if unit.functions[key].name == "operator()" and not unit.functions[key].lambda_
    }
    launches = _closure(launching, callees) - several
    made = _closure(making, callees) - several
    return Reach(
        unit,
        cuda,
        callees,
        sizes,
        launches,
        made,
        frozenset(filled),
        frozenset(looping),
        overriding,
        functors,
        indirect,
        {},
    )


def _named(node: object, unit: Unit, overriding: dict[str, tuple[Function, ...]]) -> Iterator[str]:
    """The keys of the functions that a node by itself may call."""
    if isinstance(node, (e.Call, e.Construct, e.FunctionReference, e.Lambda)) and node.key:
        yield node.key
        yield from (other.key for other in overriding.get(node.key, ()))
    if isinstance(node, s.Declare) and isinstance(node.variable.type, t.Record):
        yield unit.destructors.get(node.variable.type.name, "")
    if isinstance(node, e.Call) and (indirect := _indirect(node)):
        yield indirect


def _overriding(unit: Unit) -> dict[str, tuple[Function, ...]]:
    found: dict[str, tuple[Function, ...]] = {}
    for function in unit.functions.values():
        for base in function.overrides:
            found[base] = (*found.get(base, ()), function)
    return found


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
        for node in find(function.body, e.Assign, e.AddressOf):
            match node:
                case e.Assign(target=place) | e.AddressOf(operand=place):
                    variable = _root(place)
                    if variable is not None and variable.storage not in ("local", "parameter"):
                        found.add(unit.variables.get(variable.id, variable).id)
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
