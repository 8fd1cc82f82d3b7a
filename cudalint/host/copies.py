"""CUDA's copies: which bytes of which buffers, in which direction, on which stream."""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from cudalint.host import captures
from cudalint.host.call_arguments import Arguments, form, integer, product, rows, sample, value
from cudalint.host.describe import render
from cudalint.host.facts import Held, MemorySpace, Place
from cudalint.host.instances import lasting
from cudalint.host.launches import stream_name
from cudalint.host.machine import Machine
from cudalint.host.values import NOTHING, UNKNOWN, Address, Aggregate, Value, candidates
from cudalint.ir import expressions as e

_DIRECTIONS = ("HtoH", "HtoD", "DtoH", "DtoD")
_DEVICES = _DIRECTIONS.index("DtoD")


class Copy(Struct, frozen=True):
    """Where a copy call has what, by position. bytes: factors, of rows the width first; pitches: from row to
    row. The direction is fixed or given by `kind`.
    """

    destination: int
    source: int
    bytes: tuple[int, ...]
    kind: int | None = None
    direction: str = ""
    stream: int | None = None
    asynchronous: bool = False
    pitches: tuple[int, ...] = ()


COPIES: dict[str, Copy] = {
    "cudaMemcpy": Copy(0, 1, (2,), 3),
    "cudaMemcpyAsync": Copy(0, 1, (2,), 3, stream=4, asynchronous=True),
    "cudaMemcpy2D": Copy(0, 2, (4, 5), 6, pitches=(1, 3)),
    "cudaMemcpy2DAsync": Copy(0, 2, (4, 5), 6, stream=7, asynchronous=True, pitches=(1, 3)),
    "cudaMemcpyToSymbol": Copy(0, 1, (2,), 4, "HtoD"),
    "cudaMemcpyToSymbolAsync": Copy(0, 1, (2,), 4, "HtoD", 5, True),
    "cudaMemcpyFromSymbol": Copy(0, 1, (2,), 4, "DtoH"),
    "cudaMemcpyFromSymbolAsync": Copy(0, 1, (2,), 4, "DtoH", 5, True),
    "cudaMemcpyPeer": Copy(0, 2, (4,), direction="DtoD"),
    "cudaMemcpyPeerAsync": Copy(0, 2, (4,), direction="DtoD", stream=5, asynchronous=True),
    "cudaMemcpyToArray": Copy(0, 3, (4,), 5),
    "cudaMemcpyToArrayAsync": Copy(0, 3, (4,), 5, stream=6, asynchronous=True),
    "cudaMemcpy2DToArray": Copy(0, 3, (5, 6), 7, pitches=(4,)),
    "cudaMemcpy2DToArrayAsync": Copy(0, 3, (5, 6), 7, stream=8, asynchronous=True, pitches=(4,)),
    "cudaMemcpyFromArray": Copy(0, 1, (4,), 5),
    "cudaMemcpy2DFromArray": Copy(0, 2, (5, 6), 7, pitches=(1,)),
    "cuMemcpyHtoD": Copy(0, 1, (2,), direction="HtoD"),
    "cuMemcpyDtoH": Copy(0, 1, (2,), direction="DtoH"),
    "cuMemcpyDtoD": Copy(0, 1, (2,), direction="DtoD"),
    "cuMemcpyHtoDAsync": Copy(0, 1, (2,), direction="HtoD", stream=3, asynchronous=True),
    "cuMemcpyDtoHAsync": Copy(0, 1, (2,), direction="DtoH", stream=3, asynchronous=True),
}


def stream_of(m: Machine, arguments: Arguments, index: int | None) -> str:
    """The stream an argument names; a call without one works on the default stream."""
    if index is None or index >= len(arguments):
        return stream_name(m, 0)
    return stream_name(m, arguments[index][0])


def copy(m: Machine, node: e.Call, arguments: Arguments, how: Copy) -> None:
    """A copy whose arguments say what goes where."""
    origin, target = value(arguments, how.source), value(arguments, how.destination)
    if "FromSymbol" in node.name:
        origin = symbol(arguments, how.source)
    if "ToSymbol" in node.name:
        target = symbol(arguments, how.destination)
    direction = direction_of(m, arguments, how, origin, target)
    host = {"HtoD": how.source, "DtoH": how.destination}.get(direction)
    name = render(node.arguments[host]) if host is not None and host < len(node.arguments) else ""
    _log(m, node, arguments, how, (origin, target), direction, name)


def symbol(arguments: Arguments, index: int) -> Value:
    """A `__device__` variable handed over by name: its place, an array's address."""
    if index >= len(arguments):
        return UNKNOWN
    found, place = arguments[index]
    return place if candidates(place) else found


def _log(
    m: Machine,
    node: e.Call,
    arguments: Arguments,
    how: Copy,
    ends: tuple[Value, Value],
    direction: str,
    host_name: str,
) -> None:
    """Record a copy, and what it does to the memory. ends: the pointers from and to."""
    origin, target = ends
    host: Value = {"HtoD": origin, "DtoH": target}.get(direction, UNKNOWN)
    m.record_with(
        m.call("copy", node.name, node.span, stream_of(m, arguments, how.stream)),
        blocking=not how.asynchronous and direction != "DtoD",
        bytes=product(arguments, how.bytes),
        sample=sample(arguments, how.bytes),
        form=form(arguments, how.bytes),
        direction=direction,
        source=m.buffer(origin),
        destination=m.buffer(target),
        host_space=m.space(host),
        host_offset=_offset(host),
        host_name=host_name,
        source_place=place_of(origin),
        destination_place=place_of(target),
        written=sum(m.state.writes.get(number, 0) for number in candidates(origin)),
        rows=rows(arguments, how.bytes[:1], how.pitches) if how.pitches else None,
        expression=node,
        held=held(m, origin) if direction == "HtoD" else None,
    )
    for number in candidates(target):
        m.state.forget(number)
        if direction == "DtoH":
            m.watched.add(number)
            captures.note_result(m, number)


def held(m: Machine, origin: Value) -> Held | None:
    """What all of the memory of the host holds, unless the program has code that is not there."""
    if m.lossy or not isinstance(origin, Address) or origin.object not in m.fresh.made:
        return None
    return m.fresh.held(origin, m.state, m.variables.difference(lasting(m)))


# --- copies that a structure describes ---


class _Described(Struct, frozen=True):
    """Byte offsets in a structure that says what to copy: of the pointers to arrays, the positions and the
    pitched pointers from and to, of the extent and of the direction.
    """

    arrays: tuple[int, int]
    positions: tuple[int, int]
    pointers: tuple[int, int]
    extent: int
    kind: int | None = None
    bytes: int = 160


_PARAMETERS = _Described((0, 64), (8, 72), (32, 96), 128, 152)
_OF_PEERS = _Described((0, 72), (8, 80), (32, 104), 144, bytes=168)
DESCRIBED: dict[str, _Described] = {
    "cudaMemcpy3D": _PARAMETERS,
    "cudaMemcpy3DAsync": _PARAMETERS,
    "cudaMemcpy3DPeer": _OF_PEERS,
    "cudaMemcpy3DPeerAsync": _OF_PEERS,
}
_AXES = (0, 8, 16)  # byte offsets of x, y, z: of a cudaPos and a cudaExtent
_AS_ARGUMENTS = Copy(0, 1, (2, 3, 4), kind=5, stream=6)


def copy_described(m: Machine, node: e.Call, arguments: Arguments, layout: _Described) -> None:
    """A copy whose first argument points to a structure with all that is to be known."""
    place = value(arguments, 0)
    held = m.state.load(place, layout.bytes, True) if isinstance(place, Address) else UNKNOWN
    cells, default = (dict(held.cells), held.default) if isinstance(held, Aggregate) else ({}, UNKNOWN)

    def at(offset: int) -> Value:
        return cells.get(offset, default)

    origin, target = (_end(at, layout, side) for side in (0, 1))
    extent = [at(layout.extent + axis) for axis in _AXES]
    if any(candidates(at(array)) for array in layout.arrays):
        extent[0] = UNKNOWN  # elements of the array
    kind = at(layout.kind) if layout.kind is not None else _DEVICES
    parts = (target, origin, *extent, kind)
    given: Arguments = (*((one, UNKNOWN) for one in parts), *(arguments[1:2] or ((0, UNKNOWN),)))
    how = replace(_AS_ARGUMENTS, asynchronous=node.name.endswith("Async"))
    direction = direction_of(m, given, how, origin, target)
    _log(m, node, given, how, (origin, target), direction, "")


def _end(at: Callable[[int], Value], layout: _Described, side: int) -> Value:
    """Where a copy starts or ends: an array, or a place in pitched memory."""
    array, pointer = at(layout.arrays[side]), at(layout.pointers[side])
    if candidates(array):
        return array
    moves = any(at(layout.positions[side] + axis) not in (0, NOTHING) for axis in _AXES)
    return Address(pointer.object, None) if moves and isinstance(pointer, Address) else pointer


def place_of(found: Value) -> Place | None:
    if not isinstance(found, Address):
        return None
    if found.offset is not None:
        return Place(found.offset)
    return Place(None, found.step, found.near if found.followed else None)


def _offset(found: Value) -> int | None:
    return found.offset if isinstance(found, Address) else None


def direction_of(m: Machine, arguments: Arguments, how: Copy, origin: Value, target: Value) -> str:
    """The direction as written; cudaMemcpyDefault goes by the pointers."""
    if how.kind is None or how.kind >= len(arguments):
        return how.direction
    kind = integer(arguments, how.kind)
    if kind is not None and 0 <= kind < len(_DIRECTIONS):
        return _DIRECTIONS[kind]
    left, right = _side(m.space(origin)), _side(m.space(target))
    return f"{left}to{right}" if left and right else ""


def _side(space: MemorySpace) -> str:
    return {"device": "D", "pageable": "H", "pinned": "H", "write-combined": "H", "host": "H"}.get(space, "")
