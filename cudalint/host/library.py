"""What library functions and standard containers do: allocation, arithmetic, storage of vectors."""

import math
import re
from collections.abc import Callable

from cudalint.host.arithmetic import moved
from cudalint.host.facts import MemorySpace
from cudalint.host.machine import Machine
from cudalint.host.memory import LOST
from cudalint.host.values import (
    UNKNOWN,
    Address,
    Aggregate,
    Nothing,
    Somewhere,
    Unknown,
    Value,
    candidates,
    convert,
    divisor,
    merge,
    multiple,
)
from cudalint.ir import expressions as e
from cudalint.ir import types as t

Pair = tuple[Value, Value]  # an argument's value and its place

_CONTAINER = re.compile(
    r"(std|thrust)::(vector|host_vector|device_vector|basic_string|unique_ptr|shared_ptr|array)<(.*)>"
)
_VECTORS = ("vector", "host_vector", "device_vector")
_STORAGE, _SIZE = 0, 8  # byte offsets of a modelled vector: where its elements are, and how many
_AT_ONCE = frozenset("size empty data begin end cbegin cend capacity".split())  # of thrust, without CUDA
_ELEMENT = ("operator[]", "at", "front", "back")
_STEADY = frozenset("begin end cbegin cend rbegin rend capacity max_size shrink_to_fit c_str".split())
_ENDS = frozenset({"exit", "abort", "_exit", "quick_exit", "_Exit", "terminate", "longjmp", "__assert_fail"})
_TRIVIAL = frozenset(
    """printf fprintf puts putchar fflush sprintf snprintf perror strcmp strncmp strlen atoi atol atoll
    atof strtol strtoul strtod strtof getenv rand srand time clock exit abort assert min max size data
    empty begin end cbegin cend operator<< operator>> operator== operator!= operator= operator[] endl
    setprecision setw c_str length now duration_cast count gettimeofday
    clock_gettime fopen fclose stoi stol stof stod to_string""".split()
)
_BY_VALUE = frozenset(
    """printf fprintf puts putchar fflush sprintf snprintf vprintf perror strcmp strncmp strlen atoi atol
    atoll atof strtol strtoul strtod strtof getenv rand srand time clock memcpy memset memmove memcmp fopen
    fclose fread fwrite fgets fputs fscanf scanf sscanf strcpy strncpy strcat strtok strstr strchr
    qsort usleep sleep gettimeofday clock_gettime getopt getopt_long isatty open close read write""".split()
)
_RUNS_OTHERS = frozenset("operator() join get wait wait_for invoke apply call_once for_each lock".split())
_LIBRARIES = re.compile(r"(cublas|cufft|curand|cusparse|cusolver|cudnn|nccl|nvtx|npp)[A-Z]\w*")

_HOUSEKEEPING = re.compile(r"Create|Destroy|Set[A-Z]|Get[A-Z]|Plan|Init|Version")


def computes(name: str) -> bool:
    """Whether a function of a library does work on the device: it neither makes, plans, sets nor asks."""
    return _LIBRARIES.fullmatch(name) is not None and _HOUSEKEEPING.search(name) is None


def call(m: Machine, node: e.Call, receiver: Pair | None, arguments: tuple[Pair, ...]) -> Value | None:
    """The value of a library function; None for what is not known here."""
    if receiver is not None:
        return _method(m, node, receiver, arguments)
    if node.name in _ENDS:
        m.state.dead = True
        return UNKNOWN
    values = tuple(value for value, _ in arguments)
    allocation = _allocation(m, node, values)
    if allocation is not None:
        return allocation
    if node.target is None and (node.key is None or node.qualified.startswith("std::") or _is_plain(m, node)):
        pure = _PURE.get(node.name)
        if pure in (min, max) and any(isinstance(v, Unknown) for v in values):
            return _either(values, node.type)
        if pure is not None:
            return _numbers(pure, values, node.type)
        special = _SPECIAL.get(node.name)
        if special is not None:
            return special(m, node, arguments)
    if _LIBRARIES.fullmatch(node.name):
        return _accelerated(m, node, values)
    return None


def _is_plain(m: Machine, node: e.Call) -> bool:
    """A declared function without a body in the project: the C library's."""
    return m.unit.defined(node.key) is None


def trivial(name: str) -> bool:
    """Calls too short to be work of the host."""
    return name in _TRIVIAL


def is_plain(node: e.Call) -> bool:
    """Whether a call is one of the C or C++ library's that runs no code of the program."""
    if node.qualified.startswith("std::"):
        return node.name not in _RUNS_OTHERS
    return node.target is None and (node.name in _BY_VALUE or node.name in _TRIVIAL or node.name in _PURE)


def by_value(node: e.Call, index: int) -> bool:
    """Whether a function without a body takes this parameter by value.

    The key of a function is clang's USR: it spells each parameter after a '#', a reference with '&'.
    """
    if node.name in _BY_VALUE:
        return True
    if node.key is None or not node.key.startswith("c:"):
        return False
    written = node.key.partition("@F@")[2]
    parameters = written.split("#")[1:-1]
    if "<" not in written and len(parameters) == len(node.arguments):
        return not parameters[index].startswith("&")
    return "&" not in written


def returns_place(node: e.Call) -> bool:
    """Whether a method of a standard container stands for one of its elements."""
    if node.receiver is None:
        return False
    return (node.name in _ELEMENT or node.name == "operator*") and _container(node.receiver.type) is not None


# --- memory ---


def _allocation(m: Machine, node: e.Call, values: tuple[Value, ...]) -> Value | None:
    """malloc and its kin. The bytes are known when the arguments are."""
    size = [v if isinstance(v, int) else None for v in values]
    match node.name, size:
        case "operator new" | "operator new[]", [n, *_] if _is_replaced(m, node):
            return m.allocate(node, "unknown", n, "")
        case "malloc" | "operator new" | "operator new[]" | "valloc" | "alloca", [n, *_]:
            return _new(m, node, n)
        case "calloc", [count, each]:
            total = count * each if count is not None and each is not None else None
            return _new(m, node, total, zero=True)
        case "realloc" | "aligned_alloc" | "memalign" | "_mm_malloc", [_, n]:
            return _new(m, node, n if node.name != "_mm_malloc" else size[0])
        case "posix_memalign", [_, _, n]:
            if isinstance(values[0], Address):
                m.state.store(values[0], _new(m, node, n), 8)
            return 0
        case "strdup", _:
            return _new(m, node, None)
        case "free" | "operator delete" | "operator delete[]" | "_mm_free", _:
            return UNKNOWN
    return None


def _is_replaced(m: Machine, node: e.Call) -> bool:
    """Whether the program allocates objects in its own way, in managed memory for example."""
    named = isinstance(node.type, t.Pointer) and isinstance(node.type.pointee, t.Record)
    return named and any(f.name.startswith("operator new") for f in m.unit.functions.values())


def _new(m: Machine, node: e.Call, size: int | None, zero: bool = False) -> Address:
    return m.allocate(node, "pageable", size, "", zero)


def _fill(m: Machine, node: e.Call, arguments: tuple[Pair, ...]) -> Value:
    """memset, memcpy and memmove: the destination's contents are not followed, except all zeros."""
    destination = arguments[0][0] if arguments else UNKNOWN
    zero = node.name == "memset" and len(arguments) > 1 and arguments[1][0] == 0
    for number in candidates(destination):
        known = m.buffers.get(number)
        m.note_use(Address(number), write=True)
        whole = len(arguments) > 2 and known is not None and arguments[2][0] == known.bytes is not None
        m.state.forget(number)
        if zero and whole and destination == Address(number, 0):
            m.state.store(destination, Aggregate(()), 0)
    if len(arguments) > 1:
        m.note_use(arguments[1][0])
    m.host_work(node.name, node.span)
    return destination


def _swap(m: Machine, node: e.Call, arguments: tuple[Pair, ...]) -> Value:
    if len(arguments) == 2:
        (left, a), (right, b) = arguments
        type_ = node.arguments[0].type
        for place, value in ((a, right), (b, left)):
            if isinstance(place, Address):
                m.state.store(place, value, type_.bytes)
            else:
                for number in candidates(place):
                    m.state.store(Address(number, None), value, type_.bytes)
    return UNKNOWN


def _same(m: Machine, node: e.Call, arguments: tuple[Pair, ...]) -> Value:
    return arguments[0][0] if arguments else UNKNOWN


def _place(m: Machine, node: e.Call, arguments: tuple[Pair, ...]) -> Value:
    return arguments[0][1] if arguments else UNKNOWN


def _make_unique(m: Machine, node: e.Call, arguments: tuple[Pair, ...]) -> Value:
    return Aggregate(((_STORAGE, m.allocate(node, "pageable", None, "")),))


def _accelerated(m: Machine, node: e.Call, values: tuple[Value, ...]) -> Value:
    """A call of a library that queues work on the device, on a stream that is not followed."""
    touched: set[int] = set()
    for value in values:
        touched |= candidates(value)
        m.forget(value)
    call_ = m.call("other", node.name, node.span, "unknown")
    m.record_with(call_, expression=node, arguments=tuple(sorted(touched)))
    return 0 if isinstance(node.type, t.Scalar) else UNKNOWN


_SPECIAL: dict[str, Callable[[Machine, e.Call, tuple[Pair, ...]], Value]] = {
    "memset": _fill,
    "memcpy": _fill,
    "memmove": _fill,
    "swap": _swap,
    "move": _same,
    "forward": _same,
    "raw_pointer_cast": _same,
    "addressof": _place,
    "make_unique": _make_unique,
    "make_shared": _make_unique,
}


# --- arithmetic ---


def _numbers(pure: Callable[..., float], values: tuple[Value, ...], type_: t.Type) -> Value:
    if not all(isinstance(v, (bool, int, float)) for v in values):
        return UNKNOWN
    try:
        return convert(pure(*values), type_)
    except (ValueError, OverflowError, ZeroDivisionError, TypeError):
        return UNKNOWN


def _either(values: tuple[Value, ...], type_: t.Type) -> Value:
    """One of several integers, nobody knows which: what divides all of them divides it."""
    if not isinstance(type_, t.Scalar) or type_.kind not in ("signed", "unsigned"):
        return UNKNOWN
    return multiple(math.gcd(*(divisor(v) for v in values)))


def _round(x: float) -> float:
    """Half away from zero, as C rounds."""
    return math.copysign(math.floor(abs(x) + 0.5), x)


_PURE: dict[str, Callable[..., float]] = {
    "min": min,
    "max": max,
    "fmin": min,
    "fmax": max,
    "fminf": min,
    "fmaxf": max,
    "abs": abs,
    "labs": abs,
    "fabs": abs,
    "fabsf": abs,
    "ceil": math.ceil,
    "ceilf": math.ceil,
    "floor": math.floor,
    "floorf": math.floor,
    "round": _round,
    "roundf": _round,
    "trunc": math.trunc,
    "sqrt": math.sqrt,
    "sqrtf": math.sqrt,
    "pow": math.pow,
    "powf": math.pow,
    "log2": math.log2,
    "log2f": math.log2,
    "log": math.log,
    "exp2": lambda x: 2.0**x,
}


# --- containers ---


def _container(type_: t.Type) -> tuple[str, str] | None:
    """(family, kind) of a standard container's type: ('std', 'vector')."""
    name = type_.name if isinstance(type_, t.Record) else ""
    match = _CONTAINER.match(name)
    return (match[1], match[2]) if match else None


def _element(m: Machine, type_: t.Type) -> int | None:
    """Bytes of a container's element: what its first member points to."""
    layout = m.unit.records.get(type_.name) if isinstance(type_, t.Record) else None
    if layout is None or not layout.fields:
        return None
    first = layout.fields[0].type
    match first:
        case t.Pointer(pointee=pointee) | t.Array(element=pointee):
            return pointee.bytes or None
    return None


def _space(type_: t.Type) -> MemorySpace:
    """Where a container keeps its elements; a user's allocator may keep them anywhere."""
    found = _CONTAINER.match(type_.name) if isinstance(type_, t.Record) else None
    if found is None:
        return "unknown"
    if found[2] == "device_vector":
        return "device"
    own = re.search(r",\s*(?!std::)[\w:]*[Aa]lloc\w*<?", found[3])
    return "unknown" if own else "pageable"


def construct(m: Machine, node: e.Construct, name: str, arguments: tuple[Pair, ...]) -> Value | None:
    """A standard container; None for other classes."""
    kind = _container(node.type)
    if kind is None or kind[1] == "array":
        return None
    if kind[0] == "thrust":
        m.host_work(node.type.name if isinstance(node.type, t.Record) else "", node.span, unseen=True)
    if kind[1] in ("unique_ptr", "shared_ptr"):
        first = arguments[0][0] if arguments else 0
        return first if isinstance(first, Aggregate) else Aggregate(((_STORAGE, first),))
    return _vector(m, node, arguments)


def _vector(m: Machine, node: e.Construct, arguments: tuple[Pair, ...]) -> Aggregate:
    """The count is the first argument, an initialiser list's length, or another vector's."""
    first = arguments[0][0] if arguments else 0
    written = node.arguments[0] if node.arguments else None
    count: Value = UNKNOWN
    contents: Value | None = None
    if isinstance(written, e.InitList):
        count, contents = len(written.elements), first
    elif isinstance(first, Aggregate):
        count = dict(first.cells).get(_SIZE, UNKNOWN)
    elif written is None or isinstance(written.type, t.Scalar):
        count = first
    element = _element(m, node.type)
    size = count * element if isinstance(count, int) and element else None
    storage = m.allocate(node, _space(node.type), size, "")
    if contents is not None:
        m.state.store(storage, contents, size or 0)
    elif isinstance(count, int) and len(arguments) > 1 and isinstance(arguments[1][0], (int, float)):
        m.state.store(storage, Aggregate((), arguments[1][0]), 0)
    return Aggregate(((_STORAGE, storage), (_SIZE, count)))


def _method(m: Machine, node: e.Call, receiver: Pair, arguments: tuple[Pair, ...]) -> Value | None:
    assert node.receiver is not None
    kind = _container(node.receiver.type)
    place = receiver[1] if candidates(receiver[1]) else receiver[0]
    vague = isinstance(place, Somewhere) or (isinstance(place, Address) and place.offset is None)
    if vague and kind == ("std", "vector") and node.name in ("data", *_ELEMENT):
        return _of_several(m, place, node.receiver.type)
    if kind is None or not isinstance(place, Address) or place.offset is None:
        return None
    if kind[0] == "thrust" and node.name not in _AT_ONCE:
        m.host_work(node.name, node.span, unseen=True)
    values = tuple(value for value, _ in arguments)
    if kind[1] == "array":
        return _array(m, node, place, values)
    if kind[1] in ("unique_ptr", "shared_ptr"):
        return _smart(m, node, place, values)
    return _vector_method(m, node, place, values)


def _of_several(m: Machine, place: Value, kind: t.Type) -> Somewhere:
    """The elements of one of several vectors, nobody knows of which: never told as those of one."""
    holder = Address(min(candidates(place)), None)
    several = (m.storage(holder, _space(kind), index).object for index in (0, 1))
    found = Somewhere(frozenset(several))
    for number in found.objects:
        m.state.objects.setdefault(number, LOST)
    return found


def _array(m: Machine, node: e.Call, place: Address, values: tuple[Value, ...]) -> Value | None:
    assert node.receiver is not None
    match node.name:
        case "data":
            return place
        case "operator[]" | "at" if values:
            element = _element(m, node.receiver.type)
            return moved(place, values[0], element) if element else Address(place.object, None)
    return None


def _smart(m: Machine, node: e.Call, place: Address, values: tuple[Value, ...]) -> Value | None:
    held = m.state.load(place, 8, False)
    match node.name:
        case "get" | "operator->" | "operator*":
            return UNKNOWN if isinstance(held, Nothing) else held
        case "operator[]" if values and isinstance(held, Address):
            return moved(held, values[0], node.type.bytes)
        case "release":
            return held
        case "reset" | "operator=":
            value = values[0] if values else 0
            if isinstance(value, Aggregate):
                value = dict(value.cells).get(_STORAGE, UNKNOWN)
            m.state.store(place, value, 8)
            return place
        case "operator bool":
            return UNKNOWN
    return None


def _vector_method(m: Machine, node: e.Call, place: Address, values: tuple[Value, ...]) -> Value | None:
    assert node.receiver is not None and place.offset is not None
    kind = node.receiver.type
    element = _element(m, kind)
    length = Address(place.object, place.offset + _SIZE)
    storage = _storage(m, node, place, kind)
    match node.name:
        case "data" | "front":
            return storage
        case "operator[]" | "at" if values:
            return moved(storage, values[0], element) if element else Address(storage.object, None)
        case "back":
            return Address(storage.object, None)
        case "size" | "length":
            return _known(m.state.load(length, 8, False))
        case "empty":
            size = _known(m.state.load(length, 8, False))
            return size == 0 if isinstance(size, int) else UNKNOWN
        case "resize" | "assign" if values:
            m.state.store(length, values[0], 8)
            count = values[0]
            m.resize(storage.object, count * element if isinstance(count, int) and element else None)
            m.forget(storage)
            return UNKNOWN
        case "reserve":
            return UNKNOWN
        case "push_back" | "emplace_back" | "pop_back" | "clear" | "insert" | "erase" | "operator=" | "swap":
            m.state.store(length, _count_after(m, node.name, length), 8)
            m.resize(storage.object, None)
            m.forget(storage)
            return UNKNOWN
        case name if name in _STEADY:
            m.note_use(storage)
            m.forget(storage)
            return UNKNOWN
    return None


def _count_after(m: Machine, name: str, length: Address) -> Value:
    size = _known(m.state.load(length, 8, False))
    if name == "clear":
        return 0
    if isinstance(size, int) and name in ("push_back", "emplace_back"):
        return size + 1
    return UNKNOWN


def _known(value: Value) -> Value:
    return UNKNOWN if isinstance(value, (Nothing, Aggregate)) else value


def _storage(m: Machine, node: e.Call, place: Address, kind: t.Type) -> Address:
    """Where a vector's elements are: in its own memory, also when it is not followed any more."""
    held = m.state.load(place, 8, False)
    if isinstance(held, Address):
        return held
    storage = m.storage(place, _space(kind))
    m.state.store(place, merge(storage, storage), 8)
    m.state.objects.setdefault(storage.object, LOST)
    return storage
