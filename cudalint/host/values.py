"""Values of the host model. One lane: a Python number or string, or one of the small classes here."""

import math
import struct
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from cudalint.host.forms import Form, constant
from cudalint.ir.types import Scalar, Type
from cudalint.source.span import Span


class Unknown(Struct, frozen=True):
    """Something without a number. multiple_of: a divisor that every possible value has (1: nothing known).

    sample: the number that it has in the iterations that are run. Loops and elements of containers go by it;
    no fact ever states it. form: what it is made of, for comparisons with numbers made of the same. most: a
    number that the text bounds it by, which no iteration of a loop raises (0: none). fewest: one that a test
    found it no less than. among: those that a test found it one of.
    """

    multiple_of: int = 1
    sample: int | None = None
    form: Form | None = None
    most: int = 0
    fewest: int = 0
    among: tuple[int, ...] = ()


class Address(Struct, frozen=True):
    """A pointer into an object of the model, `offset` bytes from its start.

    offset None: somewhere in it, at a multiple of `step` bytes. Then the place is `near` or any number of
    times `stride` bytes from there; near is where it is by the samples of its index, if `followed`. within:
    it is in an array, and these are the array's first byte and its end.
    """

    object: int
    offset: int | None = 0
    step: int = 1
    stride: int = 1
    near: int = 0
    followed: bool = False
    within: tuple[int, int] | None = None


class Somewhere(Struct, frozen=True):
    """A pointer into one of several objects, nobody knows of which; offset: bytes from the start, where it is
    the same in each.
    """

    objects: frozenset[int]
    offset: int | None = None


class Handle(Struct, frozen=True):
    """A stream or an event. `name` is where it was stored when it was created; certain: exactly that one."""

    kind: str
    name: str
    certain: bool = True


class Moment(Struct, frozen=True):
    """A reading of a clock of the host: the order of the first call after it, and where it was made.

    Numbers that are made from it are it still. negative: a reading with its sign changed. rounds: of the
    loops round it.
    """

    order: int
    clock: str
    span: Span
    negative: bool = False
    rounds: tuple[int | str, ...] = ()


class Callee(Struct, frozen=True):
    """A function or a closure used as a value. captured: by id what names, pointers and handles of the
    variables that a closure captured stood for as it was made.
    """

    key: str
    name: str = ""
    captured: "tuple[tuple[int, Value], ...]" = ()


class Choice(Struct, frozen=True):
    """One of several functions, or of one and null."""

    callees: tuple[Callee, ...]


class Aggregate(Struct, frozen=True):
    """A record or array as a value: what its bytes hold by offset; `default` for the offsets not named."""

    cells: "tuple[tuple[int, Value], ...]"
    default: "Value" = Unknown()


class Nothing(Struct, frozen=True):
    """Memory that nobody wrote. Merged with a value it is that value: reading it would be undefined."""


Value = (
    int
    | float
    | bool
    | str
    | Unknown
    | Address
    | Somewhere
    | Handle
    | Moment
    | Callee
    | Choice
    | Aggregate
    | Nothing
)

UNKNOWN = Unknown()
MOST_CANDIDATES = 16
GUESS = 4  # an unknown number without a sample, beside one that has one
NOTHING = Nothing()


def divisor(value: "Value") -> int:
    """What is known to divide an integer value (0 is divided by everything, hence 0)."""
    match value:
        case bool():
            return 1
        case int():
            return abs(value)
        case Unknown(multiple_of=m):
            return m
    return 1


def offset_divisor(address: Address) -> int:
    """What is known to divide a pointer's offset in bytes (0 is divided by everything, hence 0)."""
    return address.step if address.offset is None else abs(address.offset)


def multiple(m: int) -> Unknown:
    return UNKNOWN if m <= 1 else Unknown(m)


def sampled(m: int, sample: int | None) -> Unknown:
    """An unknown number with a divisor and a sample."""
    return Unknown(m if m > 1 else 1, sample) if m > 1 or sample is not None else UNKNOWN


def form_of(value: "Value") -> Form | None:
    """What an integer is made of."""
    match value:
        case int():
            return constant(int(value))
        case Unknown(form=form):
            return form
    return None


def size_of(size: "Value | None") -> tuple[int | None, Form | None]:
    """A size that is known, or else what it is made of."""
    if isinstance(size, Unknown):
        return None, size.form
    return (int(size) if isinstance(size, int) else None), None


def sample_of(value: "Value") -> int | None:
    """The number that an integer has where a choice has to be made."""
    match value:
        case int():
            return int(value)
        case Unknown(sample=sample):
            return sample
    return None


def most_of(value: "Value") -> int:
    """The number that an integer is at most, 0 where nothing says it."""
    match value:
        case bool():
            return 0
        case int():
            return max(value, 0)
        case Unknown(most=most):
            return most
    return 0


def bounded(*values: "Value") -> bool:
    """Whether something says of each how large it is at most."""
    return all(most_of(value) > 0 for value in values)


def least(found: "Value", values: "Iterable[Value]") -> "Value":
    """An unknown number that is the least of these."""
    limits = [most for value in values if (most := most_of(value))]
    return replace(found, most=min(limits)) if limits and isinstance(found, Unknown) else found


def guess(value: "Value") -> int:
    """The sample of a number, or one that its divisor allows."""
    known = sample_of(value)
    return known if known is not None else max(GUESS, divisor(value))


def near(address: Address) -> int:
    """The offset of an address, or that of its sample."""
    return address.near if address.offset is None else address.offset


def is_structure(value: "Value") -> bool:
    """Whether a value says what the program is made of: pointers, streams, functions, and no numbers."""
    return isinstance(value, (Address, Somewhere, Handle, Callee, Choice))


def truth(value: "Value") -> bool | None:
    """A condition's outcome; pointers into objects are not null."""
    match value:
        case bool() | int() | float():
            return bool(value)
        case Address() | Somewhere() | Callee() | str():
            return True
    return None


def merge(a: "Value", b: "Value") -> "Value":
    """What holds when either may be the value."""
    if a is b or (type(a) is type(b) and a == b):
        return a
    if type(a) in _NUMBERS and type(b) in _NUMBERS:
        return _either_number(a, b)
    match a, b:
        case (Nothing(), other) | (other, Nothing()):
            return other
        case (Address(), Address()) if a.object == b.object:
            return _either_place(a, b)
        case (0, (Address() | Somewhere()) as place) | ((Address() | Somewhere()) as place, 0):
            return place  # null is not dereferenced
        case (Address() | Somewhere(), Address() | Somewhere()):
            objects = candidates(a) | candidates(b)
            offset = a.offset if a.offset == b.offset else None
            return Somewhere(objects, offset) if len(objects) <= MOST_CANDIDATES else UNKNOWN
        case Handle(kind=k, name=n), Handle(kind=l, name=o) if k == l:
            return Handle(k, n if n == o else common_name(n, o), certain=False)
        case Callee(), Callee() if a.key == b.key:
            return _either_closure(a, b)
        case (Callee() | Choice(), Callee() | Choice()):
            either: dict[str, Callee] = {}
            for found in (*callees(a), *callees(b)):
                same = either.get(found.key)
                either[found.key] = found if same is None else _either_closure(same, found)
            return Choice(tuple(either.values())) if len(either) <= MOST_CANDIDATES else UNKNOWN
        case (0, (Callee() | Choice()) as other) | ((Callee() | Choice()) as other, 0):
            return Choice(callees(other))
        case Aggregate(), Aggregate():
            return merge_aggregates(a, b)
        case (0, Handle(kind="graph") as graph) | (Handle(kind="graph") as graph, 0):
            return graph  # null is not launched
        case (bool(), _) | (_, bool()) | (float(), _) | (_, float()):
            return UNKNOWN
    return UNKNOWN


_NUMBERS = frozenset((int, Unknown))


def _either_number(a: "Value", b: "Value") -> Unknown:
    """One of two integers that are not equal."""
    known = sample_of(a)
    known = sample_of(b) if known is None else known
    form = form_of(a)
    form = form if form is not None and form == form_of(b) else None
    most = max(most_of(a), most_of(b)) if bounded(a, b) else 0
    return Unknown(max(math.gcd(divisor(a), divisor(b)), 1), known, form, most)


def _either_place(a: Address, b: Address) -> Address:
    """One of two places in an object."""
    step = math.gcd(offset_divisor(a), offset_divisor(b)) or 1
    strides = [x.stride for x in (a, b) if x.offset is None]
    stride = math.gcd(near(a) - near(b), *strides) or 1
    followed = a.followed and b.followed and near(a) == near(b)
    within = a.within if a.within == b.within else None
    return Address(a.object, None, step, stride, near(a), followed, within)


def _either_closure(a: Callee, b: Callee) -> Callee:
    """One of two closures of one body."""
    other = dict(b.captured)
    both = ((key, merge(value, other[key])) for key, value in a.captured if key in other)
    return Callee(a.key, a.name, tuple(both))


def part(address: Address, offset: int) -> Address:
    """The member at an offset of what stands at an address."""
    if address.offset is not None:
        return replace(address, offset=address.offset + offset)
    return replace(address, near=address.near + offset)


def may_be_at(address: Address, offset: int) -> bool:
    """Whether a place that is not known may be at an offset of its object."""
    inside = address.within is None or address.within[0] <= offset < address.within[1]
    return inside and (offset - address.near) % address.stride == 0


def candidates(value: "Value") -> frozenset[int]:
    """The objects that a pointer may point into; none when it is no pointer or not known."""
    match value:
        case Address(object=o):
            return frozenset((o,))
        case Somewhere(objects=o):
            return o
    return frozenset()


def callees(value: "Value") -> tuple[Callee, ...]:
    """The functions that a value may be."""
    match value:
        case Callee():
            return (value,)
        case Choice(callees=several):
            return several
    return ()


def merge_aggregates(a: Aggregate, b: Aggregate) -> Aggregate:
    left, right = dict(a.cells), dict(b.cells)
    keys = sorted(left.keys() | right.keys())
    cells = tuple((k, merge(left.get(k, a.default), right.get(k, b.default))) for k in keys)
    return Aggregate(cells, merge(a.default, b.default))


def common_name(a: str, b: str) -> str:
    """One name for several handles: `streams[?]` for `streams[0]` and `streams[1]`, '' for unrelated ones."""
    left, right = a.partition("[")[0], b.partition("[")[0]
    return f"{left}[?]" if left == right and left else ""


def convert(value: "Value", type_: Type) -> "Value":
    """A value converted to a scalar type: truncation, wrap-around; anything else passes unchanged."""
    if not isinstance(type_, Scalar) or value is NOTHING or isinstance(value, Nothing):
        return value
    kind = type_.kind
    if kind in ("signed", "unsigned"):
        if isinstance(value, int):
            return wrap(int(value), type_)
        if isinstance(value, float):
            return wrap(int(value), type_) if math.isfinite(value) else UNKNOWN
    elif kind == "float":
        if isinstance(value, int | float):
            return _single(float(value)) if type_.bytes == 4 else float(value)
        if isinstance(value, Unknown):
            return UNKNOWN
    elif kind == "bool":
        if isinstance(value, Unknown) and isinstance(value.sample, int):
            return sampled(1, int(value.sample != 0))
        known = truth(value)
        return UNKNOWN if known is None else known
    return value


def _single(value: float) -> float:
    """A number as a float holds it."""
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def wrap(value: int, type_: Scalar) -> int:
    bits = 8 * type_.bytes
    if not bits:
        return value
    value &= (1 << bits) - 1
    if type_.kind == "signed" and value >> (bits - 1):
        value -= 1 << bits
    return value
