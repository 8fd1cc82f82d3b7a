"""Device functions that are known by name: barriers, atomics, shuffles, votes, bits, mathematics."""

import math
import struct
from collections.abc import Callable
from typing import Any

from cudalint.ir import expressions as e
from cudalint.ir import types as t
from tools.interpreter import arithmetic
from tools.interpreter.layout import code, scattered
from tools.interpreter.memory import OFFSET, PRIVATE, Memory, fitted
from tools.interpreter.scalars import conversion, is_float
from tools.interpreter.stop import Stop
from tools.interpreter.writer import Writer

BARRIERS = ("__syncthreads", "__syncthreads_or", "__syncthreads_and", "__syncthreads_count", "__barrier_sync")
SHUFFLES = ("__shfl", "__shfl_up", "__shfl_down", "__shfl_xor")
VOTES = ("__any", "__all", "__ballot", "__match_any", "__reduce_add", "__reduce_min", "__reduce_max")
VOTES += ("__reduce_and", "__reduce_or", "__reduce_xor", "__activemask", "__syncwarp")
SILENT = frozenset(
    """
    printf __threadfence __threadfence_block __threadfence_system __nanosleep __assert_fail assert
    __builtin_assume __cudalint_use __builtin_prefetch
    """.split()
)
LOADS = frozenset("__ldg __ldcg __ldca __ldcs __ldlu __ldcv __builtin_nontemporal_load".split())
STORES = frozenset("__stwb __stcg __stcs __stwt __builtin_nontemporal_store".split())


def _f(function: Callable[..., float]) -> Callable[..., float]:
    return arithmetic.total(function)


def _rsqrt(x: float) -> float:
    return 1.0 / math.sqrt(x)


_ONE: dict[str, Callable[..., Any]] = {
    **{
        n: _f(getattr(math, n))
        for n in "sqrt exp log log2 log10 sin cos tan asin acos atan tanh sinh cosh".split()
    },
    **{n: _f(getattr(math, n)) for n in "floor ceil trunc erf erfc cbrt exp2 log1p expm1".split()},
    "rsqrt": _f(_rsqrt),
    "fabs": abs,
    "rint": _f(round),
    "nearbyint": _f(round),
    "round": _f(arithmetic.nearest),
    "frcp": lambda x: arithmetic.ratio(1.0, x),
    "exp10": _f(lambda x: 10.0**x),
}
_TWO: dict[str, Callable[..., Any]] = {
    **{n: _f(getattr(math, n)) for n in "pow fmod atan2 hypot copysign".split()},
    "fmin": min,
    "fmax": max,
    "fdividef": arithmetic.ratio,
}
PURE: dict[str, Callable[..., Any]] = {
    **{name: f for table in (_ONE, _TWO) for base, f in table.items() for name in (base, base + "f")},
    **{f"__{name}f": f for name, f in {**_ONE, **_TWO}.items()},
    **{f"__builtin_{n}{s}": f for n, f in {**_ONE, **_TWO}.items() for s in ("", "f")},
    **dict.fromkeys(("abs", "labs", "llabs"), abs),
    **dict.fromkeys(("min", "umin", "llmin", "ullmin"), min),
    **dict.fromkeys(("max", "umax", "llmax", "ullmax"), max),
    "__fdividef": arithmetic.ratio,
    "__fdiv_rn": arithmetic.ratio,
    "__saturatef": lambda x: min(1.0, max(0.0, x)),
    "fma": lambda a, b, c: a * b + c,
    "fmaf": lambda a, b, c: a * b + c,
    **dict.fromkeys(("__fadd_rn", "__dadd_rn"), lambda a, b: a + b),
    **dict.fromkeys(("__fmul_rn", "__dmul_rn"), lambda a, b: a * b),
    "__mul24": lambda a, b: fitted("i", a * b),
    "__umul24": lambda a, b: a * b & 0xFFFFFFFF,
    "__umulhi": lambda a, b: a * b >> 32,
    "__mulhi": lambda a, b: a * b >> 32,
    "__sad": lambda a, b, c: abs(a - b) + c,
    "__usad": lambda a, b, c: abs(a - b) + c,
    "__popc": lambda x: (x & 0xFFFFFFFF).bit_count(),
    "__popcll": lambda x: (x & (1 << 64) - 1).bit_count(),
    "__clz": lambda x: 32 - (x & 0xFFFFFFFF).bit_length(),
    "__clzll": lambda x: 64 - (x & (1 << 64) - 1).bit_length(),
    "__ffs": arithmetic.find_first,
    "__ffsll": arithmetic.find_first,
    "__brev": lambda x: int(f"{x & 0xFFFFFFFF:032b}"[::-1], 2),
    "isnan": lambda x: x != x,
    "isinf": lambda x: abs(x) == math.inf,
    "__float_to_tf32": lambda x: x,
    "__float_as_int": lambda x: struct.unpack("<i", struct.pack("<f", fitted("f", x)))[0],
    "__float_as_uint": lambda x: struct.unpack("<I", struct.pack("<f", fitted("f", x)))[0],
    "__int_as_float": lambda x: struct.unpack("<f", struct.pack("<i", fitted("i", x)))[0],
    "__uint_as_float": lambda x: struct.unpack("<f", struct.pack("<I", x))[0],
    **dict.fromkeys(("__float2int_rn", "__float2uint_rn", "lrintf", "lrint", "llrint"), lambda x: round(x)),
    **dict.fromkeys(("__float2int_rz", "__float2uint_rz", "__double2int_rz"), arithmetic.integer),
    **dict.fromkeys(("__float2int_rd", "__float2uint_rd"), lambda x: math.floor(x)),
    **dict.fromkeys(("__float2int_ru", "__float2uint_ru"), lambda x: math.ceil(x)),
    **dict.fromkeys(("__int2float_rn", "__uint2float_rn", "__int2double_rn"), float),
    "__builtin_expect": lambda x, _: x,
    "clock": lambda: 1,
    "clock64": lambda: 1,
    "signbit": lambda x: x < 0,
}
ATOMICS: dict[str, Callable[..., Any]] = {
    "Add": lambda old, v: old + v,
    "Sub": lambda old, v: old - v,
    "Min": min,
    "Max": max,
    "And": lambda old, v: old & v,
    "Or": lambda old, v: old | v,
    "Xor": lambda old, v: old ^ v,
    "Exch": lambda old, v: v,
    "Inc": lambda old, v: 0 if old >= v else old + 1,
    "Dec": lambda old, v: v if old == 0 or old > v else old - 1,
    "CAS": lambda old, compare, v: v if old == compare else old,
}


def base_name(name: str) -> str:
    """Of a warp operation, without `_sync`."""
    return name.removesuffix("_sync")


def waits(node: e.Call) -> bool:
    """Whether a thread that calls this by name stops for others."""
    return node.name in BARRIERS or base_name(node.name) in (*SHUFFLES, *VOTES)


def known(x: Writer, node: e.Call) -> str | None:
    """A call of what is known by name; None for anything else."""
    name = node.name
    if node.receiver is not None:
        return None
    if name in BARRIERS:
        return _barrier(x, node)
    if base_name(name) in (*SHUFFLES, *VOTES):
        return _warp(x, node)
    if name.startswith("atomic"):
        return _atomic(x, node)
    if name in SILENT:
        return f"({', '.join([*(x.value(a) for a in node.arguments), '0'])},)[-1]"
    if name in LOADS:
        return x.get(x.value(node.arguments[0]), node.type, node.span)
    if name in STORES:
        return x.put(*_through(x, node), node.span)
    if name in ("sincosf", "sincos", "__sincosf"):
        return _both(x, node)
    if name in ("frexp", "frexpf"):
        return _split(x, node)
    if name in ("move", "forward") and node.arguments:
        return x.value(node.arguments[0])
    if name == "swap":
        return _swap(x, node)
    if name in ("memcpy", "memset") and len(node.arguments) == 3:
        sites = [str(x.program.number(kind, node.span, 1)) for kind in ("read", "write")]
        return f"{name}(T, {', '.join([*(x.value(a) for a in node.arguments), *sites])})"
    if name.startswith("tex") and name[3:4] in "123C":
        return _texture(x, node)
    if name in PURE:
        return _pure(x, node)
    return None


def _pure(x: Writer, node: e.Call) -> str:
    text = f"pure[{node.name!r}]({', '.join(x.value(a) for a in node.arguments)})"
    if node.arguments and any(is_float(a.type) for a in node.arguments) and not is_float(node.type):
        return conversion(text, t.DOUBLE, node.type)
    return text


def _barrier(x: Writer, node: e.Call) -> str:
    meeting = x.program.meeting(node.span)
    value = x.value(node.arguments[0]) if node.arguments else "0"
    return f"(yield ('block', {meeting}, {node.name!r}, {value}))"


def _warp(x: Writer, node: e.Call) -> str:
    meeting, values = x.program.meeting(node.span), [x.value(a) for a in node.arguments]
    mask = values.pop(0) if (node.name.endswith("_sync") or node.name == "__syncwarp") and values else "None"
    brought = "".join(f"{value}, " for value in values)
    return f"(yield ('warp', {meeting}, {base_name(node.name)!r}, {mask}, ({brought})))"


def _pointee(node: e.Expression) -> t.Type:
    kind = node.type
    return kind.pointee if isinstance(kind, t.Pointer) else getattr(kind, "element", kind)


def _through(x: Writer, node: e.Call) -> tuple[str, t.Type, str]:
    kind = _pointee(node.arguments[0])
    return x.value(node.arguments[0]), kind, x.converted(node.arguments[1], kind)


def _atomic(x: Writer, node: e.Call) -> str | None:
    what = node.name.removeprefix("atomic").removesuffix("_system").removesuffix("_block")
    kind = _pointee(node.arguments[0]) if node.arguments else node.type
    letter = code(kind)
    if what not in ATOMICS or letter is None:
        return None
    site = x.program.number("atomic", node.span, kind.bytes)
    values = [x.converted(a, kind) for a in node.arguments[1:]]
    return f"atomic(T, {what!r}, {letter!r}, {x.value(node.arguments[0])}, {site}, {', '.join(values)})"


def _both(x: Writer, node: e.Call) -> str:
    angle, held = x.value(node.arguments[0]), x.fresh("angle")
    first, second = (
        x.put(x.value(a), _pointee(a), f"pure['{n}']({held})", a.span)
        for a, n in zip(node.arguments[1:], ("sin", "cos"), strict=True)
    )
    return f"({held} := {angle}, {first}, {second})[0]"


def _split(x: Writer, node: e.Call) -> str:
    held, to = x.fresh("parts"), node.arguments[1]
    stored = x.put(x.value(to), _pointee(to), f"{held}[1]", to.span)
    return f"(({held} := frexp({x.value(node.arguments[0])})), {stored}, {held}[0])[2]"


def _swap(x: Writer, node: e.Call) -> str:
    kind, names = node.arguments[0].type, [x.fresh("at"), x.fresh("at"), x.fresh("held")]
    a, b, held = names
    placed = [f"({n} := {x.address(v)})" for n, v in zip((a, b), node.arguments, strict=True)]
    loaded = f"({held} := {x.get(a, kind, node.span)})"
    moved = x.put(a, kind, x.get(b, kind, node.span), node.span)
    return f"({', '.join([*placed, loaded, moved, x.put(b, kind, held, node.span), '0'])})[-1]"


def _texture(x: Writer, node: e.Call) -> str:
    """A number that hangs on the place: its scalars' type is that of the fetch."""
    from tools.interpreter.layout import leaves

    places = ", ".join(x.value(a) for a in node.arguments[1:] if isinstance(a.type, t.Scalar))
    kinds = [code(kind) for _, kind in leaves(x.program.unit, node.type)]
    if None in kinds:
        return "stop('a texture fetch')"
    text = f"fetched({''.join(map(str, kinds))!r}, {places})"
    return text if code(node.type) is None else f"part({text}, {code(node.type)!r}, 0, 0)"


# --- at run time ---


def part(whole: bytes, letter: str | None, offset: int, size: int) -> Any:
    """A field of a record that is a value."""
    if letter is None:
        return whole[offset : offset + size]
    return struct.unpack_from("<" + letter, whole, offset)[0]


def fetched(letters: str, *place: float) -> bytes:
    """Made-up texels."""
    number = scattered(sum(int(p * 16) * (k + 1) * 31 for k, p in enumerate(place) if abs(p) < 1e9))
    values = [fitted(letter, number % 64 / (16.0 if letter in "fd" else 1)) for letter in letters]
    return struct.pack("<" + letters, *values)


def runtime(memory: Memory) -> dict[str, Any]:
    """What translated functions call by name."""

    def atomic(thread: Any, what: str, letter: str, address: int, site: int, *values: Any) -> Any:
        held, at = memory.reach(address, struct.calcsize(letter)), address & OFFSET
        old = struct.unpack_from("<" + letter, held, at)[0]
        struct.pack_into("<" + letter, held, at, fitted(letter, ATOMICS[what](old, *values)))
        if address >> 32 < PRIVATE:
            thread.log.append((site, address, None))
        return old

    def copy(thread: Any, to: int, source: int, size: int, read: int, write: int) -> int:
        for n in range(size):
            value = memory.reach(source + n, 1)[source + n & OFFSET]
            memory.reach(to + n, 1)[to + n & OFFSET] = value
            thread.log.extend(((read, source + n, None), (write, to + n, value)))
        return to

    def fill(thread: Any, to: int, value: int, size: int, read: int, write: int) -> int:
        for n in range(size):
            memory.reach(to + n, 1)[to + n & OFFSET] = value & 255
            thread.log.append((write, to + n, value))
        return to

    return {
        "pure": PURE, "part": part, "fetched": fetched, "atomic": atomic, "memcpy": copy, "memset": fill,
        "frexp": math.frexp,
    }  # fmt: skip


# --- warp operations, for the threads that came to one ---

Payload = tuple[Any, ...]


def meet(name: str, lanes: dict[int, Payload]) -> dict[int, Any]:
    """What each lane gets; lanes: what each brings."""
    if name in SHUFFLES:
        return {lane: _shuffled(name, lane, lanes) for lane in lanes}
    values = {lane: brought[-1] if brought else 1 for lane, brought in lanes.items()}
    if name == "__match_any":
        return {a: sum(1 << b for b in lanes if values[a] == values[b]) for a in lanes}
    return dict.fromkeys(lanes, _voted(name, values))


def _shuffled(name: str, lane: int, lanes: dict[int, Payload]) -> Any:
    value, operand, *rest = lanes[lane]
    width = rest[0] if rest and rest[0] in (1, 2, 4, 8, 16, 32) else 32
    base, inside = lane // width * width, lane % width
    source = {
        "__shfl": operand % width,
        "__shfl_up": inside - operand,
        "__shfl_down": inside + operand,
        "__shfl_xor": inside ^ operand,
    }[name]
    if not 0 <= source < width or base + source not in lanes:
        return value
    return lanes[base + source][0]


def _voted(name: str, values: dict[int, Any]) -> Any:
    match name:
        case "__any":
            return int(any(values.values()))
        case "__all":
            return int(all(values.values()))
        case "__ballot":
            return sum(1 << lane for lane, value in values.items() if value)
        case "__activemask":
            return sum(1 << lane for lane in values)
        case "__reduce_add":
            return sum(values.values())
        case "__reduce_min" | "__reduce_max":
            return (min if name.endswith("min") else max)(values.values())
        case "__reduce_and" | "__reduce_or" | "__reduce_xor":
            found, *others = values.values()
            for other in others:
                found = ATOMICS[name.removeprefix("__reduce_").capitalize()](found, other)
            return found
        case "__syncwarp":
            return 0
    raise Stop(f"a call of {name}")
