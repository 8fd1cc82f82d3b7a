"""Ragged blocks: those in which some threads are past the end of the data, beside others that are not.

A comparison `i < n` whose n nobody knows comes out the same for all threads of the blocks that are usually
run. How far its sides are apart there, and by how much that changes from block to block, tells the block in
which it does not.
"""

from collections.abc import Iterable, Iterator

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray

from cudalint.cuda.warp import WARP
from cudalint.ir import expressions as e
from cudalint.ir.render import render
from cudalint.ir.walk import find
from cudalint.simt.interpret.margins import Margin
from cudalint.simt.launch.parameters import Parameter
from cudalint.simt.values.lanes import Data
from cudalint.simt.values.samples import Block, Samples, make

_MOST = 4  # such blocks of one valuation
_FARTHEST = 1 << 30  # number of a block
_THIRD = 2  # block
_RESTS = (0, 32, 26, 11)  # elements left for it, by valuation; 0: it is full


class Remainder(Struct, frozen=True):
    """Why a block is ragged. size: the number that is divided into blocks, as the source has it, or '';
    multiple: of what it would have to be a multiple; comparison: as the source has it; most: elements left
    for the block up to which it is ragged; lane: elements from one lane to the next. also: other reasons,
    each of which is enough.
    """

    size: str
    multiple: int
    comparison: str
    most: int
    lane: int = 1
    also: "tuple[Remainder, ...]" = ()

    @property
    def condition(self) -> str:
        """When there is such a block, as an expression or in words."""
        return " || ".join(one._own_condition for one in (self, *self.also))

    @property
    def _own_condition(self) -> str:
        if not self.size:
            return f"`{self.comparison}` is not uniform in a block"
        rest = f"{_operand(self.size)} % {self.multiple}"
        return f"{rest} != 0" if self._any_rest else f"0 < {rest} && {rest} <= {self.most}"

    @property
    def unless(self) -> str:
        """When there is none, as messages give it."""
        return "unless " + " and ".join(one._full for one in (self, *self.also))

    @property
    def _full(self) -> str:
        if not self.size:
            return f"`{self.comparison}` is uniform in every block"
        if self._any_rest:
            return f"`{self.size}` is a multiple of {self.multiple}"
        return f"`{_operand(self.size)} % {self.multiple}` is 0 or above {self.most}"

    @property
    def _any_rest(self) -> bool:
        return self.most >= self.multiple - 1

    def of_warps(self) -> "Remainder":
        """What of it concerns the warps of the block; all of it, where the lanes of each agree."""
        each = WARP * self.lane
        if not each or self.multiple % each:
            return self
        return replace(self, multiple=each, most=each - self.lane)


def _operand(size: str) -> str:
    """In parentheses unless it is a name or a member."""
    plain = size.replace("_", "").replace(".", "").isalnum()
    return size if plain else f"({size})"


class RaggedBlock(Struct, frozen=True):
    """rest: the elements that are left for the block."""

    place: Block
    remainder: Remainder
    rest: int


class Ragged(Struct, frozen=True):
    """The ragged blocks of each valuation, as many of each; None for one that is not ragged, whose place is
    that of the first block. grid: extents that hold them all; numbers: for parameters, by identity, where
    those that valuations chose make no block ragged.
    """

    blocks: tuple[tuple[RaggedBlock | None, ...], ...]
    grid: Block
    numbers: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def of(self, samples: NDArray[np.int64]) -> Remainder | None:
        """What a finding that shows in these samples hangs on."""
        every = [block for row in self.blocks for block in row]
        shown = {sample for sample in samples.tolist() if every[sample] is not None}
        if not shown:
            return None
        blocks = (every[sample] for sample in sorted(shown))
        first, *others = dict.fromkeys(
            self._hangs_on(one.remainder, shown) for one in blocks if one is not None
        )
        return replace(first, also=tuple(others))

    def _hangs_on(self, found: Remainder, shown: set[int]) -> Remainder:
        """One remainder: of warps, where what shows in these samples does not show with whole warps left."""
        every = (block for row in self.blocks for block in row)
        whole = {n for n, one in enumerate(every) if one and one.remainder == found and one.rest % WARP == 0}
        return found.of_warps() if whole and not whole & shown else found


def of_ragged(samples: Samples, ragged: Ragged) -> Samples:
    """The samples that run those blocks in the place of the usual ones."""
    start = (0, 0, 0)
    rows = [tuple(one.place if one else start for one in row) for row in ragged.blocks]
    return make(
        samples.block,
        ragged.grid,
        rows[0],
        samples.valuations,
        samples.known_grid,
        samples.sizes,
        tuple(place for row in rows for place in row),
    )


def ragged_blocks(
    samples: Samples,
    margins: Iterable[Margin],
    parameters: tuple[Parameter, ...],
    choices: frozenset[int],
    whole: frozenset[int],
) -> Ragged | None:
    """The blocks in which the comparisons come out different for threads of one block. choices: those, by
    identity, that choose a size, and may do so for a whole block; whole: axes on which the grid has only
    blocks that are full.
    """
    found: list[list[RaggedBlock]] = [[] for _ in range(samples.valuations)]
    margins = list(margins)
    for margin in margins:
        chooses = id(margin.node) in choices or isinstance(margin.node, e.Call)
        for axis in range(3):
            if axis not in whole:
                for valuation, block in _crossings(samples, margin, axis, parameters, chooses):
                    if block.place not in [other.place for other in found[valuation]]:
                        found[valuation].append(block)
    count = min(_MOST, max(map(len, found)))
    if not count:
        lifted = (_lifted(samples, margin, parameters) for margin in margins if 0 not in whole)
        return next((one for one in lifted if one is not None), None)
    rows = tuple((*row[:count], *[None] * (count - len(row))) for row in found)
    places = [one.place for row in rows for one in row if one is not None]
    grid = tuple(
        extent if samples.known_grid[axis] else max(1, *(place[axis] + 1 for place in places))
        for axis, extent in enumerate(samples.grid)
    )
    return Ragged(rows, (grid[0], grid[1], grid[2]))


def split_warps(
    samples: Samples, margins: Iterable[Margin], parameters: tuple[Parameter, ...]
) -> dict[int, Remainder]:
    """The comparisons, by identity, at which the warp splits that a size ends in."""
    found: dict[int, Remainder] = {}
    for margin in margins:
        rows = np.broadcast_to(margin.excess, (samples.lanes,)).reshape(-1, WARP)
        if (rows == rows[:, :1]).all():
            continue
        ends = (end for axis in range(3) for _, end in _crossings(samples, margin, axis, parameters, False))
        remainder = next((block.remainder for block in ends), None)
        if remainder is not None:
            found[id(margin.node)] = remainder.of_warps()
    return found


def _crossings(
    samples: Samples, margin: Margin, axis: int, parameters: tuple[Parameter, ...], chooses: bool
) -> Iterator[tuple[int, RaggedBlock]]:
    """(valuation, the block along the axis in which the comparison first comes out in two ways)."""
    low, high = _ranges(samples, margin.excess)
    step = _step(samples, low, axis)
    if step is None or (not chooses and (low == high).all()):
        return
    near = min(1, len(samples.blocks) - 1)
    inner = samples.blocks[near]
    shift = 0 if _is_strict(margin.node) else 1
    remainder = None
    for valuation in range(samples.valuations):
        by = int(step[valuation])
        if not by:
            continue
        least = int(low[valuation, near]) - by * inner[axis] - shift
        most = int(high[valuation, near]) - by * inner[axis] - shift
        number = -(most // by) if by > 0 else least // -by + 1
        if number < 1 or number > _FARTHEST or (samples.known_grid[axis] and number >= samples.grid[axis]):
            continue
        first, last = least + by * number, most + by * number
        if not first < 0 <= last and not (chooses and (least + shift) % by):
            continue
        if remainder is None:
            remainder = _remainder(samples, margin, low[:, 0] - shift, abs(by), last - first, parameters)
        place = tuple(number if at == axis else inner[at] for at in range(3))
        rest = (-first if by > 0 else last + shift) % abs(by)
        yield valuation, RaggedBlock((place[0], place[1], place[2]), remainder, rest)


def _lifted(samples: Samples, margin: Margin, parameters: tuple[Parameter, ...]) -> Ragged | None:
    """The third block, made ragged by other numbers for the parameter that the comparison ends at: where what
    it begins with is free, too, they are a whole number of blocks apart.
    """
    node = margin.node
    if not (isinstance(node, e.Binary) and node.operator in ("<", ">=") and len(samples.blocks) > 1):
        return None
    end = node.right
    while isinstance(end, e.Cast):
        end = end.operand
    if not isinstance(end, e.VariableReference) or end.variable.storage != "parameter":
        return None
    right = _by_valuation(samples, margin.right)
    low, high = _ranges(samples, margin.excess)
    step = _step(samples, low, 0)
    if step is None or (low == high).any() or (step <= WARP).any() or (right != right[:, :1]).any():
        return None
    if samples.known_grid[0] and samples.grid[0] <= _THIRD:
        return None
    if not (right % step[:, None]).any():
        return None  # it is known to be a multiple
    by, inner = int(step[0]), samples.blocks[1]
    place = (_THIRD, inner[1], inner[2])
    begin = low[:, 1] + right[:, 0] + step * (_THIRD - inner[0])
    rests = [rest or by for rest in _RESTS]
    ends = [int(start) + rests[v % len(rests)] for v, start in enumerate(begin)]
    remainder = _remainder(samples, margin, low[:, 0], by, int(high[0, 0] - low[0, 0]), parameters)
    rows = tuple((RaggedBlock(place, remainder, rest) if rest else None,) for rest in _RESTS)
    grid = (max(_THIRD + 1, samples.grid[0]) if samples.known_grid[0] else _THIRD + 1, *samples.grid[1:])
    return Ragged(rows[: samples.valuations], grid, {end.variable.id: tuple(ends)})


def _is_strict(node: e.Binary | e.Call) -> bool:
    return isinstance(node, e.Call) or node.operator in ("<", ">=")


def _ranges(samples: Samples, excess: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The least and the largest number of each block, by valuation and block."""
    shape = (samples.valuations, len(samples.blocks), samples.padded)
    threads = np.broadcast_to(excess, (samples.lanes,)).reshape(shape)[:, :, : samples.threads]
    return threads.min(axis=2), threads.max(axis=2)


def _step(samples: Samples, low: NDArray[np.int64], axis: int) -> NDArray[np.int64] | None:
    """By how much the numbers change from a block to the next on the axis, by valuation."""
    for at, block in enumerate(samples.blocks):
        if block[axis] and all(not extent for other, extent in enumerate(block) if other != axis):
            change: NDArray[np.int64] = low[:, at] - low[:, 0]
            return change // block[axis] if not (change % block[axis]).any() else None
    return None


def _remainder(
    samples: Samples,
    margin: Margin,
    ahead: NDArray[np.int64],
    multiple: int,
    most: int,
    parameters: tuple[Parameter, ...],
) -> Remainder:
    """What is divided into blocks: the side that is the same for the whole grid, where the other one counts
    from zero, or a parameter with the same rest. ahead: how far the first thread is before the end, below 0.
    """
    text = render(margin.node)
    lane = _lane(samples, margin.excess)
    if isinstance(margin.node, e.Binary) and _is_strict(margin.node) and _is_own(margin.node, parameters):
        left, right = _by_valuation(samples, margin.left), _by_valuation(samples, margin.right)
        sides = (margin.node.right, right, left), (margin.node.left, left, right)
        for side, size, counted in sides:
            start = _start(counted[:, 0], parameters)
            if (size == size[:, :1]).all() and start is not None:
                return Remainder(render(side) + start, multiple, text, most, lane)
    for p in parameters:
        named = not p.pointer and len(p.tried) == samples.valuations and "+" not in p.name
        if named and not ((np.abs(ahead) - np.array(p.tried)) % multiple).any():
            return Remainder(p.name, multiple, text, most, lane)
    return Remainder("", multiple, text, most, lane)


def _lane(samples: Samples, excess: NDArray[np.int64]) -> int:
    """How far one lane of a warp is ahead of the one before it; 1 where that is not the same everywhere."""
    warp = np.broadcast_to(excess, (samples.lanes,))[: min(WARP, samples.threads)]
    steps = np.unique(np.abs(np.diff(warp)))
    return int(steps[0]) if len(steps) == 1 else 1


def _is_own(node: e.Binary, parameters: tuple[Parameter, ...]) -> bool:
    """Whether it is in terms of the kernel: those of a function that it calls tell its caller nothing."""
    own = {p.name.partition(" ")[0] for p in parameters}
    return all(
        part.variable.name in own
        for part in find(node, e.VariableReference)
        if part.variable.storage == "parameter"
    )


def _start(first: NDArray[np.int64], parameters: tuple[Parameter, ...]) -> str | None:
    """What the counting begins with, as it is subtracted from the end: nothing, or a parameter."""
    if not first.any():
        return ""
    return next((f" - {p.name}" for p in parameters if not p.pointer and p.tried == tuple(first)), None)


def _by_valuation(samples: Samples, data: Data) -> NDArray[np.int64]:
    return np.broadcast_to(np.asarray(data), (samples.lanes,)).reshape(samples.valuations, -1)
