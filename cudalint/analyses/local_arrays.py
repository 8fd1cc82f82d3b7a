"""Arrays of a thread that the compiler keeps in local memory: registers have no addresses, so an array that
is indexed by a number which only the run knows (indexing.py) has to be elsewhere.

The limits are those of nvcc 13.0 for sm_90, and of NVRTC 12.0 and 12.4 where they were compared (ptxas -v,
'bytes stack frame', tests/hardware/local_arrays.cu): elements that are not 4 bytes wide go to local memory
with the first such index; of those that are, the compiler takes a small array apart and picks the element
with a chain of selections, unless the array is large, or its elements are picked often or in a loop.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from cudalint.analyses.array_uses import FIXED, WORD, Seen, Use, width
from cudalint.analyses.definitions import definitions
from cudalint.analyses.indexing import Walks
from cudalint.analyses.kernel_queries import reachable
from cudalint.analyses.shifting_stores import exit_stores, moves_of_elements
from cudalint.analyses.trip_counts import uncast
from cudalint.ir import expressions as e
from cudalint.ir.layout import innermost
from cudalint.ir.render import render
from cudalint.ir.unit import Function, Unit
from cudalint.source.span import Span

_FEW = 3  # elements from which an array has addresses, where they are not words
_FEW_HALVES = 4  # likewise of two bytes: fewer may share a register

# Elements of a word from which an array has addresses, by what is done at places that only the run knows.
_ANY_LOAD = 128
_ANY_STORE = 512
_LOADS = ((4, 96), (8, 40))  # (loads, elements)
_PICKED_IN_LOOP = 64  # at the counter of a loop round it or at a number that was chosen
_TABLE_IN_LOOP = 48
_ONE_IN_LOOP = 48
_SEVERAL_IN_LOOP = 40
_TURNED = 12  # stored to and loaded from in rounds of one loop, at places that are no counter of it
_UPDATED = 6  # likewise where one access does both, `votes[data] += 1`
_UPDATED_REST = 8  # at `data % 7` or `data & 7`
_EXITS = 8  # stored to where the data has ended a loop
_SHIFTED = 8  # moved to other places of the array by a loop
_REMADE = 32  # likewise, with something added to them
_REMADE_ODD = 9  # of sizes that do not come out even in rounds of two and four
_REGISTERS = 512  # words: twice what a thread may have


class LocalArray(Struct, frozen=True):
    """An array of `bytes` a thread that is in local memory. width: bytes of one access. places: in the source
    where a number of the run indexes it, with the first one's text and the part of it that is such a number;
    none where the array is too large for registers whatever the index. table: it holds constants only, which
    are put in at places that the compiler knows. asked: roughly how often a thread accesses it; repeated: in
    loops that stay, or of a length that the code does not say. moved: words that these accesses move, by the
    identity of the loop right round them, 0 for none; rounds: how often a thread goes round each loop.
    accesses: all of them, at places that the compiler knows, too.
    """

    variable: e.Variable
    bytes: int
    width: int
    places: tuple[Span, ...] = ()
    expression: str = ""
    index: str = ""
    table: bool = False
    asked: float = 0.0
    repeated: bool = True
    moved: dict[int, float] = field(default_factory=dict)
    rounds: dict[int, float] = field(default_factory=dict)
    accesses: tuple[e.Expression, ...] = ()


def local_arrays(unit: Unit, kernels: Iterable[str] = ()) -> Iterator[tuple[LocalArray, Function]]:
    """The arrays that are surely in local memory, each with the kernel. kernels: their keys, else all."""
    walks = Walks(unit)
    for key in kernels or unit.kernels:
        function = unit.functions.get(key)
        if function is None or function.dependent:
            continue
        for seen in walks.arrays(function):
            _mark(unit, function, seen)
            array = _judge(seen)
            if array is not None:
                yield array, function


def _mark(unit: Unit, function: Function, seen: Seen) -> None:
    """Note which stores are at the end of loops, and which move elements."""
    own = reachable(unit, function)
    exits = frozenset[int]().union(*(exit_stores(unit, one) for one in own))
    shifts = frozenset[int]().union(*(moves_of_elements(unit, one) for one in own))
    for span, node in seen.touched.items():
        if id(node) in exits and isinstance(node, e.Index):
            new = Use(node, node.index, width(unit, node.type), stores=1, moves=True)
            seen.uses.setdefault(span, new).exits = True
        if id(node) in shifts and span in seen.uses:
            seen.uses[span].shifts = True
    for span, use in seen.uses.items():
        if use.updates:
            homes = (one for one in own if one.extent.contains(span))
            use.rest = any(_is_rest(definitions(unit, one).resolve(use.index)) for one in homes)


def _is_rest(index: e.Expression) -> bool:
    index = uncast(index)
    return isinstance(index, e.Binary) and index.operator in ("%", "&")


def _judge(seen: Seen) -> LocalArray | None:
    variable = seen.variable
    size = variable.type.bytes
    element = innermost(variable.type)
    if not seen.read or not element.bytes or _passed_on(seen):
        return None
    uses, count = tuple(seen.uses.values()), size // element.bytes
    odd = [use for use in uses if use.width != WORD]
    if odd and count >= (_FEW_HALVES if odd[0].width == WORD // 2 else _FEW):
        return _located(seen, odd[0])
    if not odd and uses and (_addressed(uses, count) if seen.holds else _looked_up(uses, count)):
        return _located(seen, uses[0])
    if not odd and (_shifted(uses, count) or (count >= _EXITS and any(use.exits for use in uses))):
        return _located(seen, uses[0])
    if not odd and count >= _FEW and _never_apart(seen, uses):
        return _located(seen, uses[0])
    if size // WORD >= _REGISTERS and seen.kept:
        width = min(element.bytes, WORD)
        return LocalArray(
            variable,
            size,
            width,
            asked=seen.asked,
            repeated=seen.repeated,
            moved=seen.moved,
            rounds=seen.rounds,
            accesses=tuple(seen.touched.values()),
        )
    return None


def _never_apart(seen: Seen, uses: tuple[Use, ...]) -> bool:
    """Whether the array is filled in one loop and read in another, and nothing in it is at a place that the
    compiler knows: it takes such an array apart at no size (nvcc 13.0, 4 to 32 elements).
    """
    return seen.kept and not seen.fixed and all(use.moves for use in uses) and any(use.stores for use in uses)


def _shifted(uses: tuple[Use, ...], count: int) -> bool:
    """Whether a loop that stays stores to and loads from different places of an array of words, of a size
    that the compiler does not take apart.
    """
    loads = [use for use in uses if use.loads]
    pairs = [
        store
        for store in uses
        if store.stores
        and any(store.loops & one.loops and render(one.index) != render(store.index) for one in loads)
    ]
    if any(store.shifts for store in pairs) and count >= _SHIFTED:
        return True
    return bool(pairs) and (count >= _REMADE or (count >= _REMADE_ODD and count % 2 == 1))


def _passed_on(seen: Seen) -> bool:
    """Whether one place, or one in each round of a loop, is all that is used: the compiler passes its value
    on and drops the array.
    """
    uses = seen.uses.values()
    if seen.fixed or len({render(use.index) for use in uses}) != 1:
        return False
    moving = [use for use in uses if use.moves]
    return not moving or (not seen.kept and all(use.picked for use in moving))


def _looked_up(uses: tuple[Use, ...], count: int) -> bool:
    """Whether a table of constants has addresses for the sake of these accesses."""
    if count >= _ANY_LOAD:
        return True
    least = _TABLE_IN_LOOP if any(not use.picked for use in uses) else _PICKED_IN_LOOP
    return count >= least and any(use.in_loop for use in uses)


def _addressed(uses: tuple[Use, ...], count: int) -> bool:
    """Whether an array of words has addresses for the sake of these accesses."""
    if count >= (_ANY_LOAD if any(use.loads for use in uses) else _ANY_STORE):
        return True
    plain = [use for use in uses if not use.picked]
    loads = sum(use.loads for use in plain)
    if any(loads >= least and count >= most for least, most in _LOADS):
        return True
    if count >= _PICKED_IN_LOOP and any(use.in_loop for use in uses):
        return True
    stored = {loop for use in uses if use.stores for loop in use.turns}
    if count >= _TURNED and any((use.loads or use.updates) and stored & use.turns for use in uses):
        return True
    if any(use.updates and use.turns and count >= (_UPDATED_REST if use.rest else _UPDATED) for use in uses):
        return True
    weight = sum(use.weight for use in plain if use.in_loop)
    return weight > 0 and count >= (_SEVERAL_IN_LOOP if weight > 1 else _ONE_IN_LOOP)


def _located(seen: Seen, use: Use) -> LocalArray:
    places = tuple(sorted(seen.uses, key=lambda span: (span.path, span.line, span.column)))
    variable, size = seen.variable, seen.variable.type.bytes
    table = seen.holds == FIXED and not any(each.stores for each in seen.uses.values())
    return LocalArray(
        variable,
        size,
        use.width,
        places,
        render(use.node),
        render(use.index),
        table,
        seen.asked,
        seen.repeated,
        seen.moved,
        seen.rounds,
        tuple(seen.touched.values()),
    )
