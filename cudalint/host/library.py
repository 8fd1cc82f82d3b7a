"""What library functions and standard containers do: allocation, arithmetic, storage of vectors."""

import math
import re
from collections.abc import Callable

from msgspec.structs import replace

from cudalint.analyses.cuda_reach import LIBRARIES, is_algorithm, is_device_wide
from cudalint.analyses.plain_writes import Members, written_members
from cudalint.host import algorithms, containers, host_copies, libraries, lifetimes, options, vector_copies
from cudalint.host.arithmetic import binary
from cudalint.host.describe import render
from cudalint.host.machine import Machine
from cudalint.host.memory import EMPTY, ZERO
from cudalint.host.sizes import READ_IN, read_in
from cudalint.host.values import (
    GUESS,
    UNKNOWN,
    Address,
    Aggregate,
    Unknown,
    Value,
    candidates,
    convert,
    divisor,
    least,
    sample_of,
    sampled,
    size_of,
)
from cudalint.ir import expressions as e
from cudalint.ir import types as t
from cudalint.ir.unit import Function

Pair = tuple[Value, Value]  # an argument's value and its place

ENDS = frozenset({"exit", "abort", "_exit", "quick_exit", "_Exit", "terminate", "longjmp", "__assert_fail"})
_TRIVIAL = frozenset(
    """printf fprintf puts putchar fflush sprintf snprintf perror strcmp strncmp strlen atoi atol atoll
    atof strtol strtoul strtod strtof getenv rand srand time clock exit abort assert min max size data
    empty begin end cbegin cend operator<< operator>> operator== operator!= operator= operator[] endl
    setprecision setw c_str length now duration_cast count gettimeofday
    clock_gettime fopen fclose stoi stol stof stod to_string strtoll strtoull strtold stoll stoul stoull stold
    drand48 srand48 lrand48 mrand48 random srandom strchr strrchr strstr isdigit isspace isalpha toupper
    tolower getpid""".split()
)
_BY_VALUE = frozenset(
    """printf fprintf puts putchar fflush sprintf snprintf vprintf perror strcmp strncmp strlen atoi atol
    atoll atof strtol strtoul strtod strtof getenv rand srand time clock memcpy memset memmove memcmp fopen
    fclose fread fwrite fgets fputs fscanf scanf sscanf strcpy strncpy strcat strtok strstr strchr
    qsort usleep sleep gettimeofday clock_gettime getopt getopt_long isatty open close read write feof ferror
    clearerr fgetc getc getchar fputc putc ungetc fseek fseeko ftell ftello rewind fgetpos fsetpos fileno gets
    getline getdelim setbuf setvbuf vfprintf vsprintf vsnprintf vsscanf vfscanf strnlen strspn strcspn strdup
    strndup strncat strtok_r strsep strerror strpbrk strcasestr strcasecmp strncasecmp memchr bzero rand_r
    erand48 nrand48 jrand48 setenv unsetenv putenv lseek fstat mkdir getrusage difftime localtime gmtime
    localtime_r gmtime_r strftime mktime ctime asctime nanosleep isalnum isxdigit isprint islower isupper
    ispunct iscntrl""".split()
)
_OF_MATHS = """sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2
    log10 log1p pow sqrt cbrt hypot fma fmod remainder ceil floor round trunc rint nearbyint lround llround
    lrint llrint fabs fmin fmax fdim copysign erf erfc tgamma lgamma ldexp scalbn scalbln logb ilogb nextafter
    abs labs llabs isnan isinf isfinite isnormal signbit div"""
_MATHS = frozenset(name + suffix for name in _OF_MATHS.split() for suffix in ("", "f", "l"))
_RUNS_OTHERS = frozenset("operator() join get wait wait_for invoke apply call_once for_each lock".split())
_FLOATS = frozenset("atof strtod strtof stod stof".split())
_COMPARES = frozenset("strcmp strncmp strcasecmp strncasecmp".split())
_TO_CHANGE = re.compile("&(?!1)")  # a reference that is not to const
_WRITES_OUT = "std::operator<<"  # of a stream: what stands after it is only read
_RANDOM_NUMBER = 0x2AAAAAAA  # of 31 bits
_RANDOM = tuple(f"std::{kind}" for kind in ("uniform_", "normal_", "bernoulli_", "exponential_", "mersenne"))


def call(m: Machine, node: e.Call, receiver: Pair | None, arguments: tuple[Pair, ...]) -> Value | None:
    """The value of a library function; None for what is not known here."""
    if receiver is not None and algorithms.policy_on(node):
        return arguments[0][0]
    if receiver is not None and _is_address_of_element(node):
        return Aggregate(((0, receiver[1] if candidates(receiver[1]) else receiver[0]),))
    if receiver is not None:
        return containers.method(m, node, receiver, arguments)
    if node.name in ENDS:
        m.state.dead = True
        return UNKNOWN
    if node.name in READ_IN:
        m.asked.add(m.entry)
    if m.sizes is not None and node.name in READ_IN:
        return m.sizes.of(node.span)
    values = tuple(value for value, _ in arguments)
    if node.name in READ_IN | _FLOATS and values and (word := containers.text(values[0])) is not None:
        return read_in(word, whole=node.name in READ_IN)
    if node.name in _COMPARES and len(values) > 1 and all(isinstance(value, str) for value in values[:2]):
        return _compared(node.name, *values)
    if node.name in options.NAMES:
        return options.following(m, values)
    allocation = _allocation(m, node, values)
    if allocation is not None:
        return allocation
    if node.target is None and (node.key is None or node.qualified.startswith("std::") or _is_plain(m, node)):
        pure = _PURE.get(node.name)
        if pure in (min, max) and any(isinstance(v, Unknown) for v in values):
            found = _either(pure, values, node.type)
            return least(found, values) if pure is min else found
        if pure is not None:
            return _numbers(pure, values, node.type)
        special = _SPECIAL.get(node.name)
        if special is not None and (special is not _filled or _fills(node)):
            return special(m, node, arguments)
    if node.qualified == "thrust::copy" and len(arguments) == 3:
        origin, target = (_pointer(values[at]) for at in (0, 2))
        if vector_copies.record(m, node, node.arguments[0], origin, target, _goes_through_all(node)):
            return UNKNOWN
    if is_device_wide(node):
        return libraries.device_wide(m, node, arguments)
    if is_algorithm(node):
        return algorithms.call(m, node, arguments)
    if LIBRARIES.fullmatch(node.name):
        return libraries.call(m, node, values)
    return None


def _compared(name: str, one: Value, other: Value, count: Value = UNKNOWN) -> Value:
    """What strcmp and its like give for two known texts: 0 where they are the same."""
    assert isinstance(one, str) and isinstance(other, str)
    if "n" in name.removeprefix("str"):
        if not isinstance(count, int):
            return UNKNOWN
        one, other = one[:count], other[:count]
    if "case" in name:
        one, other = one.lower(), other.lower()
    return (one > other) - (one < other)


def members_written(m: Machine, function: Function) -> Members | None:
    """The numbers that a method changes in its own object, where it leaves all else that it is handed as it
    is, but for numbers by pointers; None for other functions.
    """
    if function.key not in m.numeric:
        plain = _BY_VALUE | _TRIVIAL | _PURE.keys() | _MATHS
        m.numeric[function.key] = written_members(function, m.unit, plain)
    return m.numeric[function.key]


def _is_plain(m: Machine, node: e.Call) -> bool:
    """A declared function without a body in the project: the C library's."""
    return m.unit.defined(node.key) is None


def trivial(node: e.Call) -> bool:
    """Calls too short to be work of the host."""
    return node.name in _TRIVIAL or _is_maths(node)


def _is_maths(node: e.Call) -> bool:
    """A function of <math.h>: it is handed numbers alone."""
    name = node.name.removeprefix("__builtin_")
    return name in _MATHS and all(isinstance(argument.type, t.Scalar) for argument in node.arguments)


def is_plain(node: e.Call) -> bool:
    """Whether a call is one of the C or C++ library's that runs no code of the program."""
    if node.qualified.startswith("std::"):
        return node.name not in _RUNS_OTHERS or node.qualified.startswith(_RANDOM)
    plain = node.name in _BY_VALUE or node.name in _TRIVIAL or node.name in _PURE or _is_maths(node)
    return node.target is None and plain


def by_value(node: e.Call, index: int) -> bool:
    """Whether a function without a body takes this parameter by value, or only reads it.

    The key of a function is clang's USR: it spells each parameter after a '#', a reference with '&', one to
    const with '&1'.
    """
    if node.name in _BY_VALUE or (node.qualified == _WRITES_OUT and index > 0):
        return True
    if node.key is None or not node.key.startswith("c:"):
        return False
    written = node.key.partition("@F@")[2]
    parameters = written.split("#")[1:-1]
    if "<" not in written and len(parameters) == len(node.arguments):
        return not parameters[index].startswith("&") or parameters[index].startswith("&1")
    return _TO_CHANGE.search(written) is None


# --- memory ---


def _allocation(m: Machine, node: e.Call, values: tuple[Value, ...]) -> Value | None:
    """malloc and its kin. The bytes are known when the arguments are."""
    match node.name, values:
        case "operator new" | "operator new[]", [n, *_] if _is_replaced(m, node):
            return m.allocate(node, "unknown", n, "")
        case "operator new", [n, _]:
            return _object(m, node, n, values[1])
        case "malloc" | "operator new" | "operator new[]" | "valloc" | "alloca", [n, *_]:
            return m.fresh.note(_new(m, node, n)) if _is_plain_data(node) else _new(m, node, n)
        case "calloc", [count, each]:
            total = binary("*", count, each, t.ULONG, t.ULONG, t.ULONG)
            return m.fresh.note(_new(m, node, total, zero=True))
        case "mmap", [_, n, *_]:
            return _new(m, node, n)
        case "realloc", [_, n]:
            return _new(m, node, n)
        case "aligned_alloc" | "memalign" | "_mm_malloc", [_, n]:
            return m.fresh.note(_new(m, node, n if node.name != "_mm_malloc" else values[0]))
        case "posix_memalign", [_, _, n]:
            if isinstance(values[0], Address):
                m.state.store(values[0], m.fresh.note(_new(m, node, n)), 8)
            return 0
        case "strdup", _:
            return _new(m, node, None)
        case "operator delete", [Address() as deleted, *_]:
            pointer = node.arguments[0].type
            if isinstance(pointer, t.Pointer):
                lifetimes.destroy(m, deleted, pointer.pointee)
            return UNKNOWN
        case "free" | "operator delete" | "operator delete[]" | "_mm_free", [*given]:
            lifetimes.given_back(m, *given[:1])
            return UNKNOWN
    return None


def _is_plain_data(node: e.Call) -> bool:
    """Whether no constructor fills what is allocated."""
    return not (isinstance(node.type, t.Pointer) and isinstance(node.type.pointee, t.Record))


def _is_replaced(m: Machine, node: e.Call) -> bool:
    """Whether the program allocates objects in its own way, in managed memory for example."""
    named = isinstance(node.type, t.Pointer) and isinstance(node.type.pointee, t.Record)
    return named and any(f.name.startswith("operator new") for f in m.unit.functions.values())


def _new(m: Machine, node: e.Call, size: Value | None, zero: bool = False) -> Address:
    return m.allocate(node, "pageable", size, "", zero)


def _object(m: Machine, node: e.Call, size: Value, value: Value) -> Address:
    """`new T(...)`: memory that holds what the constructor made."""
    made = _new(m, node, size)
    if isinstance(kind := node.arguments[1].type, t.Record):
        m.classes[made.object, 0] = kind.name
    m.state.store(made, value, size if isinstance(size, int) else 0)
    return made


def _fill(m: Machine, node: e.Call, arguments: tuple[Pair, ...]) -> Value:
    """memset, memcpy and memmove: the destination's contents are not followed, except all zeros."""
    destination = arguments[0][0] if arguments else UNKNOWN
    zero = node.name == "memset" and len(arguments) > 1 and arguments[1][0] == 0
    for number in candidates(destination):
        m.note_use(Address(number), write=True)
        untouched = m.state.objects.get(number, EMPTY) in (EMPTY, ZERO)
        whole = destination == Address(number, 0) and _is_whole(m, number, arguments)
        m.state.forget(number)
        if zero and (untouched or whole):
            m.fresh.fill(m.state, number, 0)
    if len(arguments) > 1:
        m.note_use(arguments[1][0])
    values = tuple(value for value, _ in arguments)
    if node.name in host_copies.NAMES and len(values) == 3:
        host_copies.record(m, node, values)
    else:
        m.host_work(node.name, node.span)
    return destination


def _is_whole(m: Machine, number: int, arguments: tuple[Pair, ...]) -> bool:
    """Whether the third argument is the size of an object."""
    known = m.buffers.get(number)
    size, form = size_of(arguments[2][0]) if len(arguments) > 2 else (None, None)
    if known is None or (size, form) == (None, None):
        return False
    return size == known.bytes if size is not None else form == known.form


def _filled(m: Machine, node: e.Call, arguments: tuple[Pair, ...]) -> Value:
    """std::fill and std::fill_n: elements that all hold one value."""
    ends = [_pointer(value) for value, _ in arguments[:2]]
    value = arguments[2][0] if len(arguments) > 2 else UNKNOWN
    for number in candidates(ends[0]):
        m.note_use(Address(number), write=True)
        if _goes_through_all(node):
            m.state.forget(number)
            m.fresh.fill(m.state, number, value)
        else:
            m.state.store(Address(number, None), value, 0)
    m.host_work(node.name, node.span)
    return UNKNOWN


def _pointer(value: Value) -> Value:
    """A pointer, or that of an iterator."""
    return dict(value.cells).get(0, UNKNOWN) if isinstance(value, Aggregate) else value


def _fills(node: e.Call) -> bool:
    """Whether it is the library's own, without an execution policy."""
    return node.qualified == f"std::{node.name}" and len(node.arguments) == 3


def _goes_through_all(node: e.Call) -> bool:
    """Whether a range is that from `a.begin()` to `a.end()`."""
    first, last = node.arguments[:2]
    if not (isinstance(first, e.Call) and isinstance(last, e.Call)):
        return False
    one, other = first.receiver, last.receiver
    same = one is not None and other is not None and render(one) == render(other) != ""
    return same and (first.name, last.name) == ("begin", "end")


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


def _raw(m: Machine, node: e.Call, arguments: tuple[Pair, ...]) -> Value:
    """The pointer in a pointer of Thrust's."""
    return _pointer(arguments[0][0]) if arguments else UNKNOWN


def _is_address_of_element(node: e.Call) -> bool:
    """Whether it is the `&` of an element of a vector on the device."""
    kind = node.receiver.type if node.receiver is not None else None
    named = isinstance(kind, t.Record) and kind.name.startswith("thrust::device_reference<")
    return named and node.name == "operator&"


def _referred(m: Machine, node: e.Call, arguments: tuple[Pair, ...]) -> Value:
    """std::move and std::forward: the place of what they are given; a pointer without one gets a place."""
    if not arguments:
        return UNKNOWN
    value, place = arguments[0]
    function = m.unit.functions.get(node.key) if node.key else None
    if function is None or not isinstance(function.returns, t.Reference):
        return value
    if candidates(value) and not candidates(place):
        place = m.allocate(node, "pageable", 8, "temporary")
        m.state.store(place, value, 8)
    return place if candidates(place) else value


def _place(m: Machine, node: e.Call, arguments: tuple[Pair, ...]) -> Value:
    return arguments[0][1] if arguments else UNKNOWN


def _drawn(m: Machine, node: e.Call, arguments: tuple[Pair, ...]) -> Value:
    """A random number, one in the middle for example: its rest of a division is nothing small."""
    number = m.anew()
    return replace(number, sample=_RANDOM_NUMBER + (number.sample or 0))


_SPECIAL: dict[str, Callable[[Machine, e.Call, tuple[Pair, ...]], Value]] = {
    "memset": _fill,
    "memcpy": _fill,
    "memmove": _fill,
    "fill": _filled,
    "fill_n": _filled,
    "swap": _swap,
    "move": _referred,
    "forward": _referred,
    "raw_pointer_cast": _raw,
    "addressof": _place,
    "rand": _drawn,
    "random": _drawn,
    "lrand48": _drawn,
}


# --- arithmetic ---


def _numbers(pure: Callable[..., float], values: tuple[Value, ...], type_: t.Type) -> Value:
    if not all(isinstance(v, (bool, int, float)) for v in values):
        return UNKNOWN
    try:
        return convert(pure(*values), type_)
    except (ValueError, OverflowError, ZeroDivisionError, TypeError):
        return UNKNOWN


def _either(pure: Callable[..., float], values: tuple[Value, ...], type_: t.Type) -> Value:
    """One of several integers, nobody knows which: what divides all of them divides it."""
    if not isinstance(type_, t.Scalar) or type_.kind not in ("signed", "unsigned"):
        return UNKNOWN
    known = [sample_of(v) for v in values]
    sample = int(pure(GUESS if n is None else n for n in known))
    followed = any(isinstance(v, Unknown) and v.sample is not None for v in values)
    return sampled(math.gcd(*(divisor(v) for v in values)), sample if followed else None)


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
