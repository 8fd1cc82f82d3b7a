"""Device functions that the model knows by name: barriers, atomics, shuffles, votes, bits and roundings."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, cast

import numpy as np
from msgspec.structs import replace

from cudalint.cuda import effects
from cudalint.cuda.spaces import BarrierScope
from cudalint.cuda.warp import WARP
from cudalint.ir import expressions as e
from cudalint.ir.layout import leaves
from cudalint.ir.types import INT, Pointer, Record, Scalar, Type
from cudalint.simt.interpret import margins
from cudalint.simt.interpret.dispatch import evaluate, number, place
from cudalint.simt.interpret.library import copies, groups, integers
from cudalint.simt.interpret.library.atomics import atomic
from cudalint.simt.interpret.library.memory_functions import library_call
from cudalint.simt.interpret.loads_and_stores import load, read_place, store, write_place
from cudalint.simt.interpret.machine import Machine
from cudalint.simt.threads import warp_calls
from cudalint.simt.threads.watchers import ShuffleEvent
from cudalint.simt.values import lanes
from cudalint.simt.values.lanes import BY_WARP, CHOSEN, UNKNOWN, Bools, Value, unknown
from cudalint.simt.values.memory import OBJECT_BITS
from cudalint.simt.values.samples import free_value
from cudalint.simt.values.state import Aggregate, Result, object_numbers

_A_WARP = CHOSEN | BY_WARP
_WINDOW_BITS = 20  # of an offset into shared memory, in its window
_OBJECTS = 1 << (32 - _WINDOW_BITS)  # that 32 bits tell apart


def by_name(m: Machine, node: e.Call) -> Result | None:
    """The result of a call that is known by its name, with its effects; None for any other."""
    name = node.name
    if node.receiver is not None or name.startswith("operator"):
        return groups.member_call(m, node, barrier)
    handler = _NAMED.get(name)
    if handler is not None:
        result = handler(m, node)
        if name.endswith("_sync"):  # a vote or shuffle of lanes that wait for each other
            m.events.warp_barrier(m.state.mask)
        return result
    if (
        name.startswith(effects.ATOMIC_PREFIXES)
        and node.arguments
        and isinstance(node.arguments[0].type, Pointer)
    ):
        return shaped(m, node.type, atomic(m, node))
    found = library_call(m, node)
    return found if found is not None else groups.free_call(m, node, barrier)


def barrier(m: Machine, node: e.Call, scope: BarrierScope = "block") -> Result:
    """`__syncthreads()` and its kin, and the barriers of cooperative groups."""
    votes = node.arguments and node.name.startswith("__syncthreads_")
    values = [number(m, a) if votes else evaluate(m, a) for a in node.arguments]
    m.barrier(node, scope)
    m.fence()
    return _vote_of_block(m, node, lanes.truth(cast(Value, values[-1]))) if votes else Value(0)


def _vote_of_block(m: Machine, node: e.Call, predicate: Value) -> Value:
    """What `__syncthreads_or` and its kin return: one value a block, of the threads that come to it. Where a
    thread has seen what an atomic returns, as the last block does, one block of each valuation goes on.
    """
    samples = m.state.samples
    if predicate.why == "result of an atomic" and node.name.endswith("_or") and not m.state.any_doubt:
        firsts = np.r_[True, samples.valuation[1:] != samples.valuation[:-1]].reshape(samples.count, -1)
        one = np.repeat(firsts.any(axis=1).astype(np.int64), firsts.shape[1])
        return Value(one, True, lanes.CHOSEN | lanes.BY_BLOCK)
    if predicate.known is not True or m.state.any_doubt:
        return free_value(samples, 3, node.type, lanes.CHOSEN | lanes.BY_BLOCK)
    there = m.state.mask.reshape(samples.count, -1)
    on = there & np.broadcast_to(np.asarray(predicate.data, dtype=bool), m.state.mask.shape).reshape(
        there.shape
    )
    if node.name.endswith("_and"):
        row = (on | ~there).all(axis=1)
    else:
        row = on.sum(axis=1) if node.name.endswith("_count") else on.any(axis=1)
    return Value(np.repeat(row.astype(np.int64), there.shape[1]), True, predicate.free)


def _silent(m: Machine, node: e.Call) -> Result:
    for argument in node.arguments:
        evaluate(m, argument)
    return Value(0)


def _ordering(m: Machine, node: e.Call) -> Result:
    """A fence: nothing is taken from registers across it."""
    m.fence()
    m.events.fence()
    if node.name != "__threadfence_block":
        m.events.device_fence(m.state.mask)
    return _silent(m, node)


def _load(m: Machine, node: e.Call) -> Result:
    pointer = node.arguments[0]
    target = pointer.type
    element = target.pointee if isinstance(target, Pointer) else node.type
    return load(m, number(m, pointer), element, node)


def _store(m: Machine, node: e.Call) -> Result:
    pointer = node.arguments[0]
    value = evaluate(m, node.arguments[1])
    kind = pointer.type.pointee if isinstance(pointer.type, Pointer) else node.arguments[1].type
    store(m, number(m, pointer), value, kind, node)
    return Value(0)


def _warp_barrier(m: Machine, node: e.Call) -> Result:
    """`__syncwarp()`: an ordering that lanes have to come to."""
    warp_calls.met(m.warps, m.state, node, [number(m, argument) for argument in node.arguments])
    m.events.warp_barrier(m.state.mask)
    m.fence()
    return Value(0)


def _match(m: Machine, node: e.Call) -> Result:
    """`__match_any_sync` and its kin: which lanes hold the same number. The last argument takes a flag."""
    values = [number(m, argument) for argument in node.arguments]
    warp_calls.met(m.warps, m.state, node, values)
    if len(values) > 2:
        store(m, values[2], unknown(f"result of {node.name}"), INT, node.arguments[2])
    return unknown(f"result of {node.name}")


def _clock(m: Machine, node: e.Call) -> Result:
    m.events.timed()
    for argument in node.arguments:
        evaluate(m, argument)
    return unknown(f"result of {node.name}")


def _vote(m: Machine, node: e.Call) -> Result:
    """One value a warp; the number itself is free unless the predicate is known."""
    values = [number(m, a) for a in node.arguments]
    warp_calls.met(m.warps, m.state, node, values)
    predicate = lanes.truth(values[-1]) if values else Value(True)
    if node.name == "__activemask":
        predicate = Value(True)
    sync = node.name.endswith("_sync") and len(values) == 2
    mask = m.state.mask.reshape(-1, WARP)
    if predicate.known is True and not m.state.any_doubt and (sync or len(values) < 2):
        on = mask & np.broadcast_to(np.asarray(predicate.data, dtype=bool), m.state.mask.shape).reshape(
            -1, WARP
        )
        if node.name.startswith("__any"):
            row = on.any(axis=1)
        elif node.name.startswith("__all"):
            row = (on | ~mask).all(axis=1)
        elif node.name == "__uni_sync":
            row = ~(on.any(axis=1) & (mask & ~on).any(axis=1))
        elif "ballot" in node.name or node.name == "__activemask":
            row = (on.astype(np.int64) << np.arange(WARP)).sum(axis=1)
        else:
            row = None
        if row is not None:
            return Value(np.repeat(row, WARP))
    made_up = free_value(m.state.samples, 5, node.type, _A_WARP)
    if "ballot" not in node.name:
        return made_up
    # What follows is run by all lanes that may be in it: the mask names them.
    may = m.state.mask
    if predicate.known is not False:
        may = may & (np.logical_not(predicate.known) | np.asarray(predicate.data, dtype=bool))
    row = (may.reshape(-1, WARP).astype(np.int64) << np.arange(WARP)).sum(axis=1)
    return Value(np.repeat(row, WARP), made_up.known, made_up.free)


def _shuffle(m: Machine, node: e.Call) -> Result:
    values = [evaluate(m, a) for a in node.arguments]
    synced = node.name.endswith("_sync")
    moved = values[1:] if synced else values
    if len(moved) < 2 or not isinstance(moved[0], Value) or not isinstance(moved[1], Value):
        return shaped(m, node.type, unknown(f"result of {node.name}"))
    value, operand = moved[0], moved[1]
    width = moved[2] if len(moved) > 2 and isinstance(moved[2], Value) else Value(WARP)
    source = None
    if operand.known is True and width.is_scalar:
        rule, count = effects.SHUFFLES[node.name], m.state.samples.lanes
        source_of: Callable[[str, Any, int, int], np.ndarray] = (
            _same_source if operand.is_scalar else _source_lane
        )
        source = source_of(rule, operand.data, int(cast(int, width.data)), count)
    warp_calls.met(m.warps, m.state, node, values, source if synced and not operand.free else None)
    if source is not None and not operand.free and m.events.watchers:
        sure = m.state.mask & ~m.state.doubt if m.state.any_doubt else m.state.mask
        way = tuple(frame.call for frame in m.state.frames[1:])
        m.events.shuffled(ShuffleEvent(node, source, sure, way))
    if value.is_scalar:
        return value
    if source is None:
        return unknown(f"result of {node.name}")
    if value.known is not True:
        one = (source == source.reshape(-1, WARP).max(axis=1).repeat(WARP))[m.state.mask]
        if one.all():
            return free_value(m.state.samples, 7, node.type, _A_WARP)
        return unknown(value.why or "shuffled data")
    return Value(np.broadcast_to(np.asarray(value.data), source.shape)[source], True, value.free)


@lru_cache(maxsize=64)
def _same_source(rule: str, operand: int, width: int, count: int) -> np.ndarray:
    """As `_source_lane`, of one operand for all lanes; not to be written to."""
    return _source_lane(rule, operand, width, count)


def _source_lane(rule: str, operand: Any, width: int, count: int) -> np.ndarray:
    """Lane numbers (over all lanes) that each lane reads from."""
    width = width if width in (1, 2, 4, 8, 16, 32) else WARP
    every = np.arange(count, dtype=np.int64)
    lane = every % WARP
    base = every - lane + lane // width * width
    inside = lane % width
    match rule:
        case "index":
            return np.asarray(base + np.asarray(operand) % width)
        case "up":
            moved = inside - operand
        case "down":
            moved = inside + operand
        case _:
            moved = inside ^ np.asarray(operand)
    inward = np.where((moved >= 0) & (moved < width), moved, inside)
    return np.asarray(base + inward)


def _extreme(m: Machine, node: e.Call) -> Result:
    if len(node.arguments) != 2:  # numeric_limits<T>::max() and the like
        return unknown(f"result of {node.name}")
    a, b = number(m, node.arguments[0]), number(m, node.arguments[1])
    known = lanes.both_known(a.known, b.known)
    if known is False:
        return unknown(a.why or b.why)
    if a.free | b.free:
        margins.note(m.margins, node, a, b)
    pick = np.minimum if node.name in effects.MINIMA else np.maximum
    if not isinstance(a.data, np.ndarray) and not isinstance(b.data, np.ndarray):
        first: int | float = a.data if (a.data < b.data) == (node.name in effects.MINIMA) else b.data
        return Value(first, known, a.free | b.free)
    return Value(np.asarray(pick(a.data, b.data)), known, a.free | b.free)


def _absolute(m: Machine, node: e.Call) -> Result:
    a = number(m, node.arguments[0])
    return (
        Value(np.abs(a.data) if isinstance(a.data, np.ndarray) else abs(a.data), a.known, a.free, a.why)
        if a.known is not False
        else a
    )


def _product(m: Machine, node: e.Call) -> Result:
    return lanes.binary("*", number(m, node.arguments[0]), number(m, node.arguments[1]), node.type)


def _rounding(m: Machine, node: e.Call) -> Result:
    value = number(m, node.arguments[0])
    name = effects.ROUNDINGS.get(node.name) or effects.CONVERSIONS.get(node.name, "")
    if value.known is False:
        return value
    data = np.asarray(value.data, dtype=np.float64)
    result = _away(data) if name == "round" else getattr(np, name)(data) if name else data
    return _finite(node, np.asarray(result), value.known, value.free)


def _away(data: np.ndarray) -> np.ndarray:
    """Rounded to the nearest integer, halves away from zero."""
    return np.asarray(np.trunc(data + np.copysign(0.5, data)))


def _function(m: Machine, node: e.Call) -> Result:
    a, b = number(m, node.arguments[0]), number(m, node.arguments[1])
    known = lanes.both_known(a.known, b.known)
    if known is False:
        return unknown(a.why or b.why)
    first, second = (np.asarray(v.data, dtype=np.float64) for v in (a, b))
    result = np.asarray(getattr(np, effects.FUNCTIONS[node.name])(first, second))
    return _finite(node, result, known, a.free | b.free)


def _finite(node: e.Call, result: np.ndarray, known: bool | Bools, free: int) -> Value:
    """The result of a function of the mathematics library, where it is a number."""
    sound = np.isfinite(result)
    if not sound.any():
        return unknown(f"result of {node.name}")
    if not sound.all():
        known, result = lanes.both_known(known, sound), np.where(sound, result, 0.0)
    out = Value(result if result.ndim else float(result), known, free, f"result of {node.name}")
    return lanes.convert(out, node.type)


def _bits(m: Machine, node: e.Call) -> Result:
    value = number(m, node.arguments[0])
    if value.known is False or np.asarray(value.data).dtype.kind == "f":
        return unknown(f"result of {node.name}")
    return integers.bits(node.name, value, node.type)


def _average(m: Machine, node: e.Call) -> Result | None:
    if not isinstance(node.type, Scalar) or node.type.kind not in ("signed", "unsigned"):
        return None  # the sum of two half-precision numbers has the same name
    first, second = number(m, node.arguments[0]), number(m, node.arguments[1])
    if lanes.both_known(first.known, second.known) is False:
        return unknown(first.why or second.why)
    return integers.average(node.name, first, second, node.type)


def _is_in_space(m: Machine, node: e.Call) -> Result:
    address = number(m, node.arguments[0])
    if address.known is not True:
        return unknown(f"result of {node.name}")
    found, which = np.unique(object_numbers(np.asarray(address.data)), return_inverse=True)
    objects = [m.state.objects.get(one) for one in found.tolist()]
    if None in objects:
        return unknown(f"result of {node.name}")
    space = effects.SPACE_TESTS[node.name]
    holds = np.array([memory is not None and memory.space == space for memory in objects], dtype=np.int64)
    return Value(holds[which].reshape(-1)) if isinstance(address.data, np.ndarray) else Value(int(holds[0]))


def _part_barrier(m: Machine, node: e.Call) -> Result:
    """A barrier of some threads, whose partners are not known."""
    m.events.maybe_barrier()
    m.fence()
    return _silent(m, node)


def _swap(m: Machine, node: e.Call) -> Result:
    a, b = place(m, node.arguments[0]), place(m, node.arguments[1])
    kind = node.arguments[0].type
    first = read_place(m, a, kind, node.arguments[0])
    second = read_place(m, b, kind, node.arguments[1])
    write_place(m, a, second, kind, node.arguments[0])
    write_place(m, b, first, kind, node.arguments[1])
    return Value(0)


def _same_address(m: Machine, node: e.Call) -> Result:
    return number(m, node.arguments[0])


def _shared_address(m: Machine, node: e.Call) -> Result:
    """The address in the window of shared memory, which fits 32 bits."""
    address = number(m, node.arguments[0])
    return _moved(address, OBJECT_BITS, _WINDOW_BITS)


def _generic_address(m: Machine, node: e.Call) -> Result:
    """The address of what lies at one in the window of shared memory."""
    return _moved(number(m, node.arguments[0]), _WINDOW_BITS, OBJECT_BITS)


def _moved(address: Value, before: int, after: int) -> Value:
    """The address with the number of its object from bit `after` on; unknown where 32 bits do not hold it."""
    if address.known is False or isinstance(address.data, float):
        return UNKNOWN
    data = np.asarray(address.data)
    objects = (data + (1 << (before - 1))) >> before
    held = (objects > 0) & (objects < _OBJECTS)
    if not held.any():
        return UNKNOWN
    found = (objects << after) + data - (objects << before)
    known = address.known if held.all() else held & address.known
    return replace(address, data=int(found) if found.ndim == 0 else found, known=known)


def _async_copy(m: Machine, node: e.Call) -> Result:
    """`__pipeline_memcpy_async(destination, source, bytes)`: a load and a store of that width. It goes on
    after the call, so which barriers it passes is not known; see copies.py.
    """
    m.events.unseen()
    to, source = number(m, node.arguments[0]), number(m, node.arguments[1])
    size = number(m, node.arguments[2]) if len(node.arguments) > 2 else UNKNOWN
    width = int(cast(int, size.data)) if size.is_scalar else 4
    kind = Scalar("bytes", "unsigned", max(1, min(width, 16)))
    load(m, source, kind, node.arguments[1])
    store(m, to, UNKNOWN, kind, node.arguments[0])
    return Value(0)


def _expect(m: Machine, node: e.Call) -> Result:
    return evaluate(m, node.arguments[0])


_NAMED: dict[str, Callable[[Machine, e.Call], Result | None]] = {
    **dict.fromkeys(effects.BLOCK_BARRIERS, barrier),
    **dict.fromkeys(effects.PART_BARRIERS, _part_barrier),
    **dict.fromkeys(effects.SILENT, _silent),
    **dict.fromkeys(effects.FENCES, _ordering),
    **dict.fromkeys(effects.WARP_BARRIERS, _warp_barrier),
    **dict.fromkeys(("__match_any_sync", "__match_all_sync"), _match),
    **dict.fromkeys(effects.LOADS, _load),
    **dict.fromkeys(effects.STORES, _store),
    **dict.fromkeys(effects.CLOCKS, _clock),
    **dict.fromkeys(effects.VOTES, _vote),
    **dict.fromkeys(effects.SHUFFLES, _shuffle),
    **dict.fromkeys(effects.MINIMA, _extreme),
    **dict.fromkeys(effects.MAXIMA, _extreme),
    **dict.fromkeys(effects.ABSOLUTES, _absolute),
    **dict.fromkeys(effects.PRODUCTS, _product),
    **dict.fromkeys(effects.ROUNDINGS, _rounding),
    **dict.fromkeys(effects.CONVERSIONS, _rounding),
    **dict.fromkeys(effects.FUNCTIONS, _function),
    **dict.fromkeys(effects.BITS, _bits),
    **dict.fromkeys(effects.AVERAGES, _average),
    **dict.fromkeys(effects.SPACE_TESTS, _is_in_space),
    "swap": _swap,
    "move": _expect,
    "forward": _expect,
    "__builtin_expect": _expect,
    "__cvta_generic_to_shared": _shared_address,
    "__cvta_shared_to_generic": _generic_address,
    "__cvta_generic_to_global": _same_address,
    "__cvta_global_to_generic": _same_address,
    "__pipeline_memcpy_async": _async_copy,
    "memcpy_async": copies.memcpy_async,
}


def shaped(m: Machine, type: Type, value: Value) -> Result:
    """The value as a result of that type: in every field of a record."""
    if isinstance(type, Record):
        return Aggregate({at: value for at, _ in leaves(m.unit, type)})
    return value
